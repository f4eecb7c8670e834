from nagini_contracts.contracts import *


def assumed(x: int) -> None:
    Assume(x > 3)
    Refute(x > 2)


def let(x: int) -> None:
    Assert(Let(x + 1, bool, lambda y: y < x))
