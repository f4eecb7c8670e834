from nagini_contracts.contracts import *


@Pure
def fac(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() >= 1)
    return 1 if n == 0 else n * fac(n - 1)


def small() -> None:
    Assert(fac(0) == 1)
    Assert(fac(1) == 1)


def wrong(n: int) -> None:
    Requires(n >= 0)
    Assert(fac(n) > 1)


def undefined(n: int) -> int:
    return fac(n)


@Pure
def even(n: int) -> bool:
    Requires(n >= 0)
    return True if n == 0 else not even(n - 1)


def two() -> None:
    Assert(even(0))
    Assert(not even(1))
