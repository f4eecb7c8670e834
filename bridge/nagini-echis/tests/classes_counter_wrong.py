from nagini_contracts.contracts import *


class Counter:
    def __init__(self, start: int) -> None:
        Ensures(Acc(self.count))  # type: ignore
        self.count = start

    def step(self, by: int) -> int:
        Requires(Acc(self.count))
        Ensures(Acc(self.count) and self.count == Old(self.count) + by)
        Ensures(Result() == self.count)
        res = self.count
        self.count += by
        return res


def client() -> None:
    one = Counter(1)
    one.step(4)
    Assert(one.count == 5)


def unowned(c: Counter) -> None:
    c.count = 3
