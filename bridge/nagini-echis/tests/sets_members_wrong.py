from typing import Set
from nagini_contracts.contracts import *


def insert(s: Set[int], x: int) -> None:
    Requires(Acc(set_pred(s)))
    Ensures(Acc(set_pred(s)))
    Ensures(x + 1 in s)
    s.add(x)


def client() -> None:
    s = {1, 2}
    Assert(3 in s)


def clearing(s: Set[int]) -> None:
    Requires(Acc(set_pred(s), 1 / 3))
    s.clear()
