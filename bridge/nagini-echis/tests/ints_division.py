from nagini_contracts.contracts import *


def halve(x: int) -> int:
    Requires(x >= 0)
    Ensures(Result() * 2 <= x and x <= Result() * 2 + 1)
    return x // 2


def clamp(x: int, lo: int, hi: int) -> int:
    Requires(lo <= hi)
    Ensures(lo <= Result() and Result() <= hi)
    return lo if x < lo else (hi if x > hi else x)


def signs() -> None:
    Assert(-7 // 2 == -4)
    Assert(-7 % 2 == 1)
    Assert(abs(-3) == 3)
    Assert(max(2, 5) == 5)
