from nagini_contracts.contracts import *


def evens(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() < n)
    i = 0
    found = 0
    while i < n:
        Invariant(0 <= i and i <= n)
        Invariant(0 <= found and found <= i)
        i += 1
        if i % 2 == 1:
            continue
        found += 1
    return found


def ranged(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() > 0)
    s = 0
    for i in range(0, n):
        Invariant(s >= 0)
        s += i
    return s
