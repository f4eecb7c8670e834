from typing import Set
from nagini_contracts.contracts import *


def insert(s: Set[int], x: int) -> None:
    Requires(Acc(set_pred(s)))
    Ensures(Acc(set_pred(s)))
    Ensures(x in s)
    Ensures(Forall(int, lambda y: (Implies(Old(y in s), y in s), [[y in s]])))
    s.add(x)


def client() -> None:
    s = {1, 2}
    Assert(1 in s)
    insert(s, 4)
    Assert(4 in s)
