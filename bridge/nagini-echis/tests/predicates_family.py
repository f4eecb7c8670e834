from nagini_contracts.contracts import *


class Base:
    def __init__(self) -> None:
        Ensures(self.inv())
        self.x = 1
        Fold(self.inv())

    @Predicate
    def inv(self) -> bool:
        return Acc(self.x) and self.x > 0

    def touch(self) -> None:
        Requires(self.inv())
        Ensures(self.inv())
        Unfold(self.inv())
        self.x += 1
        Fold(self.inv())


def use(b: Base) -> None:
    Requires(b.inv())
    Ensures(b.inv())
    b.touch()
    b.touch()
