from typing import List
from nagini_contracts.contracts import *


@Predicate
def ordered(xs: List[int]) -> bool:
    return Acc(list_pred(xs)) and Forall2(int, int, lambda i, j: (
        Implies(0 <= i and i < j and j < len(xs), xs[i] <= xs[j]), [[xs[i], xs[j]]]))


def append(xs: List[int], x: int) -> None:
    Requires(ordered(xs))
    Ensures(ordered(xs))
    Unfold(ordered(xs))
    xs.append(x)
    Fold(ordered(xs))


def all_small(xs: List[int]) -> None:
    Requires(Acc(list_pred(xs)))
    Requires(Forall(int, lambda i: (Implies(i >= 0 and i < len(xs), xs[i] < 5), [[xs[i]]])))
    Assert(Forall(int, lambda i: (Implies(i >= 0 and i < len(xs), xs[i] < 4), [[xs[i]]])))


def unframed(xs: List[int]) -> None:
    Requires(Forall(int, lambda i: (Implies(i >= 0 and i < len(xs), xs[i] < 5), [[xs[i]]])))
