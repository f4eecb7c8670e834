from typing import List
from nagini_contracts.contracts import *


def fill(n: int) -> List[int]:
    Requires(n >= 0)
    Ensures(Acc(list_pred(Result())))
    Ensures(len(Result()) == n)
    Ensures(Forall(int, lambda i: (Implies(0 <= i and i < n, Result()[i] == i), [[Result()[i]]])))
    res = []  # type: List[int]
    i = 0
    while i < n:
        Invariant(Acc(list_pred(res)))
        Invariant(0 <= i and i <= n and len(res) == i)
        Invariant(Forall(int, lambda k: (Implies(0 <= k and k < i, res[k] == k), [[res[k]]])))
        res.append(i)
        i += 1
    return res
