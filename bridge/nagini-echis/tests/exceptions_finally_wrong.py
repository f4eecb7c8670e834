from nagini_contracts.contracts import *


class Broken(Exception):
    pass


class Worse(Broken):
    pass


def work(n: int) -> int:
    Ensures(Result() == n)
    Exsures(Broken, n < 0)
    if n <= 0:
        raise Broken()
    return n


def careless(n: int) -> int:
    Ensures(Result() >= 0)
    return work(n)


def narrow(n: int) -> int:
    try:
        return work(n)
    except Worse:
        return 1
