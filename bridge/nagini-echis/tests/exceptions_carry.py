from nagini_contracts.contracts import *


class Overdraft(Exception):
    def __init__(self, missing: int) -> None:
        Ensures(Acc(self.missing) and self.missing == missing)  # type: ignore
        self.missing = missing


def withdraw(have: int, want: int) -> int:
    Ensures(Result() == have - want and Result() >= 0)
    Exsures(Overdraft, Acc(RaisedException().missing) and RaisedException().missing == want - have)
    if want > have:
        raise Overdraft(want - have)
    return have - want


def client(have: int, want: int) -> int:
    Ensures(Result() >= 0)
    try:
        return withdraw(have, want)
    except Overdraft as e:
        if e.missing > 0:
            return e.missing
        return 0
