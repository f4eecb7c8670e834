# nagini: sif
from nagini_contracts.contracts import *


def leak(a: int, b: int) -> int:
    Requires(Low(a))
    Ensures(Low(Result()))
    return a + b


def branch(h: int, l: int) -> int:
    Requires(Low(l))
    Ensures(Low(Result()))
    res = 0
    if h > 0:
        res = l
    return res
