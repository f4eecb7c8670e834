from typing import Dict
from nagini_contracts.contracts import *


def bump(d: Dict[str, int], key: str) -> None:
    Requires(Acc(dict_pred(d)))
    Requires(key in d)
    Ensures(Acc(dict_pred(d)))
    Ensures(key in d and d[key] == Old(d[key]) + 1)
    d[key] = d[key] + 1


def client() -> None:
    d = {'a': 1}
    bump(d, 'a')
    Assert(d['a'] == 2)
    d['b'] = 3
    Assert('b' in d and d['a'] == 2)
