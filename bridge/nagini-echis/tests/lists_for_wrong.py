from typing import List
from nagini_contracts.contracts import *


def total(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs), 1 / 2))
    Ensures(Acc(list_pred(xs), 1 / 2))
    Ensures(Result() >= 0)
    res = 0
    for x in xs:
        Invariant(res >= 0)
        res += x
    return res


def changing(xs: List[int]) -> None:
    Requires(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(xs)))
    for x in xs:
        xs.append(x)
