from nagini_contracts.contracts import *


class Pair:
    def __init__(self) -> None:
        Ensures(Acc(self.a) and Acc(self.b))  # type: ignore
        self.a = 0
        self.b = 0


@Predicate
def pair(p: Pair) -> bool:
    return Acc(p.a) and Acc(p.b) and p.a <= p.b


def write(p: Pair) -> None:
    Requires(Acc(pair(p), 1 / 4))
    Ensures(Acc(pair(p), 1 / 4))
    Unfold(Acc(pair(p), 1 / 4))
    p.a = p.a - 1
    Fold(Acc(pair(p), 1 / 4))


def client() -> None:
    p = Pair()
    p.b = 4
    Fold(pair(p))


def more(p: Pair) -> None:
    Requires(Acc(pair(p), 1 / 4))
    Ensures(Acc(pair(p), 1 / 2))
