from nagini_contracts.contracts import *
from nagini_contracts.obligations import *


def down(n: int) -> None:
    Requires(n >= 0)
    Requires(MustTerminate(2))
    i = n
    while i > 0:
        Invariant(i >= 0)
        Invariant(MustTerminate(i))
        i -= 1


def call(n: int) -> None:
    Requires(n >= 0)
    Requires(MustTerminate(3))
    down(n)
