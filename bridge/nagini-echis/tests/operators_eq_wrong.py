from nagini_contracts.contracts import *


class Point:
    def __init__(self, x: int) -> None:
        Ensures(Acc(self.x) and self.x == x)  # type: ignore
        self.x = x

    def __add__(self, other: 'Point') -> 'Point':
        Requires(Acc(self.x, 1 / 2) and Acc(other.x, 1 / 2))
        Ensures(Acc(self.x, 1 / 2) and Acc(other.x, 1 / 2))
        Ensures(Acc(Result().x) and Result().x == self.x + other.x)
        return Point(self.x)


def client() -> None:
    a = Point(1)
    b = Point(1)
    c = a + b
    Assert(c.x == 3)
    Assert(a is b)
