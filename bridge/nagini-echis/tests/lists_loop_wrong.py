from typing import List
from nagini_contracts.contracts import *


def fill(n: int) -> List[int]:
    Requires(n >= 0)
    Ensures(Acc(list_pred(Result())))
    Ensures(len(Result()) == n)
    res = []  # type: List[int]
    i = 0
    while i < n:
        Invariant(Acc(list_pred(res)))
        Invariant(0 <= i and i <= n and len(res) == i)
        res.append(i)
        i += 2
    return res


def unframed(n: int) -> List[int]:
    Ensures(Acc(list_pred(Result())))
    res = [0]
    i = 0
    while i < n:
        Invariant(0 <= i)
        res.append(i)
        i += 1
    return res
