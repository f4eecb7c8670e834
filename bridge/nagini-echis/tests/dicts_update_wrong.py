from typing import Dict
from nagini_contracts.contracts import *


def bump(d: Dict[str, int], key: str) -> None:
    Requires(Acc(dict_pred(d)))
    Ensures(Acc(dict_pred(d)))
    Ensures(key in d)
    d[key] = d[key] + 1


def read_only(d: Dict[str, int]) -> None:
    Requires(Acc(dict_pred(d), 1 / 2))
    Ensures(Acc(dict_pred(d), 1 / 2))
    d['x'] = 2


def client() -> None:
    d = {'a': 1}
    Assert('b' in d)
