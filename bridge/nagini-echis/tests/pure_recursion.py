from nagini_contracts.contracts import *


@Pure
def fib(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() >= 0)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@Pure
def maximum(a: int, b: int) -> int:
    Ensures(Result() >= a and Result() >= b)
    if a > b:
        return a
    return b


def compute(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == fib(n))
    a = 0
    b = 1
    i = 0
    while i < n:
        Invariant(0 <= i and i <= n)
        Invariant(a == fib(i) and b == fib(i + 1))
        a, b = b, a + b
        i += 1
    return a


def client() -> None:
    Assert(maximum(3, 4) == 4)
    Assert(fib(1) == 1)
