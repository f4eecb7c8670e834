from nagini_contracts.contracts import *


def sets(s: PSet[int], x: int) -> None:
    Requires(x in s)
    t = s + PSet(3)
    Assert(3 in t and x in t)
    Assert(not (x in s - PSet(x)))


def multisets(x: int) -> None:
    m = PMultiset(x, x, x + 1)
    Assert(m.num(x) == 2)
    Assert(len(m) == 3)
