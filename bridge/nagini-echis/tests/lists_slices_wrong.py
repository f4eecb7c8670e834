from typing import List
from nagini_contracts.contracts import *


def halves(xs: List[int]) -> List[int]:
    Requires(Acc(list_pred(xs)) and len(xs) == 4)
    Ensures(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(Result())) and len(Result()) == 3)
    return xs[1:3]


def member(xs: List[int]) -> None:
    Requires(Acc(list_pred(xs)) and len(xs) == 4)
    Assert(2 in xs)
