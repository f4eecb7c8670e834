from typing import List
from nagini_contracts.contracts import *


def total(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs), 1 / 2))
    Requires(Forall(xs, lambda x: (x >= 0, [])))
    Ensures(Acc(list_pred(xs), 1 / 2))
    Ensures(Result() >= 0)
    res = 0
    for x in xs:
        Invariant(res >= 0)
        res += x
    return res


def last(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)) and len(xs) > 0)
    Ensures(Acc(list_pred(xs)))
    Ensures(Result() == xs[len(xs) - 1])
    res = 0
    for x in xs:
        Invariant(Implies(len(Previous(x)) > 0, res == Previous(x)[len(Previous(x)) - 1]))
        res = x
    return res
