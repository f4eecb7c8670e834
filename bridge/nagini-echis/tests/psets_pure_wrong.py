from nagini_contracts.contracts import *


def sets(s: PSet[int], x: int) -> None:
    t = s + PSet(3)
    Assert(x in t)


def multisets(x: int, y: int) -> None:
    m = PMultiset(x, x, y)
    Assert(m.num(x) == 2)
