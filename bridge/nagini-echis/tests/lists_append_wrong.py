from typing import List
from nagini_contracts.contracts import *


def append(xs: List[int], x: int) -> None:
    Requires(Acc(list_pred(xs)))
    Ensures(Acc(list_pred(xs)))
    Ensures(len(xs) == Old(len(xs)) + 1)
    xs.append(x)


def outside(xs: List[int]) -> int:
    Requires(Acc(list_pred(xs)))
    return xs[0]


def client() -> None:
    xs = [1, 2, 3]
    append(xs, 4)
    Assert(xs[3] == 4)


def unowned(xs: List[int]) -> None:
    xs.append(3)
