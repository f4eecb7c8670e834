from nagini_contracts.contracts import *


class Empty(Exception):
    pass


def pop(n: int) -> int:
    Ensures(Result() == n - 1)
    Exsures(Empty, n <= 0)
    if n <= 0:
        raise Empty()
    return n - 1


def caught(n: int) -> int:
    Ensures(Result() >= 0)
    try:
        return pop(n)
    except Empty:
        return 0


def not_caught(n: int) -> int:
    return pop(n)


def cleaned(n: int) -> int:
    Ensures(Result() == 5)
    Exsures(Empty, False)
    res = 0
    try:
        res = pop(n)
    except Empty:
        res = 1
    finally:
        res = 5
    return res
