from nagini_contracts.contracts import *


class Shape:
    def area(self) -> int:
        Ensures(Result() >= 0)
        return 0


class Square(Shape):
    def __init__(self, side: int) -> None:
        Ensures(Acc(self.side))  # type: ignore
        self.side = side

    def area(self) -> int:
        Ensures(Result() >= 0)
        Ensures(Result() == 4)
        return 4


class Hole(Shape):
    def area(self) -> int:
        Ensures(Result() <= 0)
        return -1


def use(shape: Shape) -> int:
    Ensures(Result() >= 0)
    if isinstance(shape, Square):
        Assert(shape.area() == 4)
    return shape.area()
