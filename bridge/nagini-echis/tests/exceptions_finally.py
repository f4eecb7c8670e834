from nagini_contracts.contracts import *


class Broken(Exception):
    pass


class Worse(Broken):
    pass


class Door:
    def __init__(self) -> None:
        Ensures(Acc(self.open) and not self.open)  # type: ignore
        self.open = False


def work(n: int) -> int:
    Ensures(n > 0 and Result() == n)
    Exsures(Broken, n <= 0)
    if n < 0:
        raise Worse()
    if n == 0:
        raise Broken()
    return n


def careful(d: Door, n: int) -> int:
    Requires(Acc(d.open) and not d.open)
    Ensures(Acc(d.open) and not d.open)
    Ensures(Result() >= 0)
    res = 0
    d.open = True
    try:
        res = work(n)
    except Worse:
        res = 1
    except Broken:
        res = 2
    finally:
        d.open = False
    return res


def otherwise(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() == 3)
    try:
        work(n)
    except Broken:
        return 4
    else:
        return 3
