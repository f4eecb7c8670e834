from typing import List
from nagini_contracts.contracts import *


def first(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)))
    Requires(len(xs) > 0)
    Ensures(Acc(list_pred(xs)))
    Ensures(Result() == xs[0])
    return xs[0]


def zeros(n: int) -> List[int]:
    Requires(n >= 0)
    Ensures(Acc(list_pred(Result())))
    Ensures(len(Result()) == n)
    Ensures(Forall(int, lambda i: (Implies(0 <= i and i < n, Result()[i] == 0), [[Result()[i]]])))
    res = []  # type: List[int]
    i = 0
    while i < n:
        Invariant(Acc(list_pred(res)))
        Invariant(0 <= i and i <= n and len(res) == i)
        Invariant(Forall(int, lambda j: (Implies(0 <= j and j < i, res[j] == 0), [[res[j]]])))
        res.append(0)
        i += 1
    return res


def beyond(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(xs)))
    return xs[len(xs)]


def unowned(xs: List[int]) -> int:
    Requires(len(xs) > 0)
    return 1


def total(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)))
    Requires(Forall(int, lambda i: (Implies(0 <= i and i < len(xs), xs[i] >= 0), [[xs[i]]])))
    Ensures(Acc(list_pred(xs)))
    Ensures(Result() >= 0)
    res = 0
    for x in xs:
        Invariant(res >= 0)
        res += 1
    return res
