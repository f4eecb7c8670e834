from typing import List
from nagini_contracts.contracts import *


@Predicate
def ordered(xs: List[int]) -> bool:
    return Acc(list_pred(xs)) and Forall2(int, int, lambda i, j: (
        Implies(0 <= i and i < j and j < len(xs), xs[i] <= xs[j]), [[xs[i], xs[j]]]))


def smallest(xs: List[int]) -> int:
    Requires(ordered(xs))
    Requires(Unfolding(ordered(xs), len(xs) > 1))
    Ensures(ordered(xs))
    Ensures(Unfolding(ordered(xs), len(xs) > 1 and Result() <= xs[1]))
    Unfold(ordered(xs))
    res = xs[0]
    Assert(xs[0] <= xs[1])
    Fold(ordered(xs))
    return res


def some(xs: List[int]) -> None:
    Requires(Acc(list_pred(xs)) and len(xs) > 0 and xs[0] == 3)
    Assert(Exists(int, lambda i: i >= 0 and i < len(xs) and xs[i] == 3))
