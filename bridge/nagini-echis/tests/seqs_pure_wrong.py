from nagini_contracts.contracts import *


def build(x: int) -> PSeq[int]:
    Ensures(len(ResultT(PSeq[int])) == 3)
    Ensures(ResultT(PSeq[int])[2] == x)
    s = PSeq(0, 1)
    s = s + PSeq(5)
    return s.update(1, x)


def cut(s: PSeq[int]) -> None:
    Requires(len(s) > 2)
    Assert(s.take(1) + s.drop(2) == s)


def beyond(s: PSeq[int]) -> int:
    return s[3]
