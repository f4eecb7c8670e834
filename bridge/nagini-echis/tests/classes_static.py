from nagini_contracts.contracts import *


class Maths:
    def __init__(self) -> None:
        Ensures(Acc(self.kept) and self.kept == 0)  # type: ignore
        self.kept = 0

    @staticmethod
    def double(x: int) -> int:
        Ensures(Result() == 2 * x)
        return x + x

    @classmethod
    def make(cls, x: int) -> 'Maths':
        Ensures(Acc(Result().kept) and Result().kept == x)
        res = Maths()
        res.kept = x
        return res

    @property
    def twice(self) -> int:
        Requires(Acc(self.kept))
        Ensures(Result() == self.kept * 2)
        return self.kept * 2


def client() -> None:
    Assert(Maths.double(4) == 8)
    made = Maths()
    made.kept = 4
    Assert(made.twice == 8)
