from nagini_contracts.contracts import *
from nagini_contracts.lock import Lock
from nagini_contracts.obligations import *


class Cell:
    def __init__(self) -> None:
        Ensures(Acc(self.n) and self.n == 0)  # type: ignore
        self.n = 0


class CellLock(Lock[Cell]):
    @Predicate
    def invariant(self) -> bool:
        return Acc(self.get_locked().n) and self.get_locked().n >= 0


def bump(l: CellLock) -> None:
    Requires(l is not None)
    Requires(WaitLevel() < Level(l))
    l.acquire()
    Unfold(l.invariant())
    c = l.get_locked()
    c.n += 1
    Fold(l.invariant())
    l.release()
