from typing import List
from nagini_contracts.contracts import *


def append(xs: List[int], x: int) -> None:
    Requires(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(xs)))
    Ensures(ToSeq(xs) == Old(ToSeq(xs)) + PSeq(x))
    xs.append(x)


def first(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)) and len(xs) > 0)
    Ensures(Acc(list_pred(xs)) and len(xs) == Old(len(xs)))
    Ensures(Result() == xs[0])
    return xs[0]


def client() -> None:
    xs = [1, 2, 3]
    append(xs, 4)
    Assert(len(xs) == 4)
    Assert(xs[3] == 4)
    ys = xs + [5]
    Assert(len(ys) == 5 and ys[4] == 5)
    xs[0] = 7
    Assert(first(xs) == 7)
