from nagini_contracts.contracts import *


def product(a: int, b: int) -> int:
    Requires(a >= 0 and b >= 0)
    Ensures(Result() == a * b)
    res = 0
    i = 0
    while i < a:
        Invariant(0 <= i and i <= a)
        Invariant(res == i * b)
        j = 0
        while j < b:
            Invariant(0 <= j and j <= b)
            Invariant(res == i * b + j)
            res += 2
            j += 1
        i += 1
    return res


def entry(n: int) -> int:
    i = n
    while i > 0:
        Invariant(i >= 0)
        i -= 1
    return i
