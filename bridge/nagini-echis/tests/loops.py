from nagini_contracts.contracts import *


def count(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    i = 0
    while i < n:
        Invariant(0 <= i and i <= n)
        i += 1
    return i


def too_far(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    i = 0
    while i < n:
        Invariant(0 <= i and i <= n)
        i += 2
    return i


def not_there(n: int) -> int:
    Ensures(Result() >= 0)
    i = n
    while i < 10:
        Invariant(i >= 0)
        i += 1
    return i


def divide(a: int, b: int) -> int:
    return a // b
