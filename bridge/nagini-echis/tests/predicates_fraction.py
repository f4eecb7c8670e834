from nagini_contracts.contracts import *


class Pair:
    def __init__(self) -> None:
        Ensures(Acc(self.a) and Acc(self.b) and self.a == 0 and self.b == 0)  # type: ignore
        self.a = 0
        self.b = 0


@Predicate
def pair(p: Pair) -> bool:
    return Acc(p.a) and Acc(p.b) and p.a <= p.b


def read(p: Pair) -> int:
    Requires(Acc(pair(p), 1 / 4))
    Ensures(Acc(pair(p), 1 / 4))
    Ensures(Result() >= 0)
    Unfold(Acc(pair(p), 1 / 4))
    res = p.b - p.a
    Fold(Acc(pair(p), 1 / 4))
    return res


def client() -> None:
    p = Pair()
    p.b = 4
    Fold(pair(p))
    read(p)
    Unfold(pair(p))
    p.a = 2
    Assert(p.b >= 0)
