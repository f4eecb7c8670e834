from nagini_contracts.contracts import *


def halve(x: int) -> int:
    Ensures(Result() * 2 == x)
    return x // 2


def ratio(x: int, y: int) -> int:
    return x // y


def signs() -> None:
    Assert(-7 // 2 == -3)
