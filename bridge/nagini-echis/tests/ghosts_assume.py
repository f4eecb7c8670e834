from nagini_contracts.contracts import *


def assumed(x: int) -> None:
    Assume(x > 3)
    Assert(x > 2)
    Refute(x > 4)


def let(x: int) -> None:
    Assert(Let(x + 1, bool, lambda y: y > x))
