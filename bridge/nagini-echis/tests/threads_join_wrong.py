from nagini_contracts.contracts import *
from nagini_contracts.obligations import *
from nagini_contracts.thread import Thread, MayStart, getArg, getMethod, Joinable, ThreadPost


class Cell:
    def __init__(self) -> None:
        Ensures(Acc(self.n) and self.n == 0)  # type: ignore
        self.n = 0


def work(c: Cell) -> None:
    Requires(Acc(c.n))
    Ensures(Acc(c.n) and c.n == 7)
    c.n = 7


def racing() -> None:
    c = Cell()
    t = Thread(None, work, args=(c,))
    t.start(work)
    c.n = 3


def endless() -> None:
    c = Cell()
    t = Thread(None, work, args=(c,))
    t.start(work)
    t.join(work)


def twice() -> None:
    c = Cell()
    t = Thread(None, work, args=(c,))
    t.start(work)
    t.start(work)
