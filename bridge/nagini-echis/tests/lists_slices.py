from typing import List
from nagini_contracts.contracts import *


def halves(xs: List[int]) -> List[int]:
    Requires(Acc(list_pred(xs)) and len(xs) == 4)
    Ensures(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(Result())) and len(Result()) == 2)
    Ensures(Result()[0] == xs[1])
    return xs[1:3]


def comprehension(n: int) -> None:
    xs = [1, 2, 3]
    ys = [x for x in xs]
    Assert(len(xs) == 3)
    Assert(2 in xs)
