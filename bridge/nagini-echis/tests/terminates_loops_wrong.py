from nagini_contracts.contracts import *
from nagini_contracts.obligations import *


def down(n: int) -> None:
    Requires(n >= 0)
    Requires(MustTerminate(2))
    i = n
    while i > 0:
        Invariant(i >= 0)
        i -= 1


def stuck(n: int) -> None:
    Requires(MustTerminate(2))
    i = n
    while i > 0:
        Invariant(MustTerminate(i))
        i += 1


def again(n: int) -> None:
    Requires(MustTerminate(2))
    again(n)
