from nagini_contracts.contracts import *


class Maths:
    @staticmethod
    def double(x: int) -> int:
        Ensures(Result() == 2 * x)
        return x + x + 1

    def __init__(self) -> None:
        Ensures(Acc(self.kept) and self.kept == 0)  # type: ignore
        self.kept = 0

    @property
    def twice(self) -> int:
        Requires(Acc(self.kept))
        Ensures(Result() == self.kept * 2)
        return self.kept * 3


def client() -> None:
    made = Maths()
    made.kept = 4
    Assert(made.twice == 9)
