from nagini_contracts.contracts import *


class Counter:
    def __init__(self, start: int) -> None:
        Ensures(Acc(self.count) and self.count == start)  # type: ignore
        self.count = start

    def step(self, by: int) -> int:
        Requires(Acc(self.count))
        Ensures(Acc(self.count) and self.count == Old(self.count) + by)
        Ensures(Result() == self.count)
        self.count += by
        return self.count


def client() -> None:
    one = Counter(1)
    two = Counter(2)
    one.step(4)
    Assert(one.count == 5 and two.count == 2)
    Assert(one is not two)
