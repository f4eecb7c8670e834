from nagini_contracts.contracts import *


def build(x: int) -> PSeq[int]:
    Ensures(len(ResultT(PSeq[int])) == 3)
    Ensures(ResultT(PSeq[int])[1] == x)
    s = PSeq(0, 1)
    s = s + PSeq(5)
    return s.update(1, x)


def cut(s: PSeq[int]) -> None:
    Requires(len(s) > 2)
    Assert(s.take(1) + s.drop(1) == s)
    Assert(len(s.drop(2)) == len(s) - 2)
    Assert(s[0] in s)
