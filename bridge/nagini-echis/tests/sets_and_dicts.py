from typing import Dict, Set
from nagini_contracts.contracts import *


def lookup(d: Dict[int, int], key: int) -> int:
    Requires(Acc(dict_pred(d)))
    Requires(key in d)
    Ensures(Acc(dict_pred(d)))
    Ensures(Result() == d[key])
    return d[key]


def missing(d: Dict[int, int], key: int) -> int:
    Requires(Acc(dict_pred(d)))
    Ensures(Acc(dict_pred(d)))
    return d[key]


def store(d: Dict[int, int], key: int) -> None:
    Requires(Acc(dict_pred(d)))
    Ensures(Acc(dict_pred(d)))
    Ensures(key in d and d[key] == 3)
    d[key] = 3


def grow(s: Set[int]) -> None:
    Requires(Acc(set_pred(s)))
    Ensures(Acc(set_pred(s)))
    Ensures(5 in s and 6 in s)
    s.add(5)
