from nagini_contracts.contracts import *


@Pure
def fib(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() >= 1)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@Pure
def below(n: int) -> int:
    return fib(n - 1)


@Pure
def maximum(a: int, b: int) -> int:
    Ensures(Result() >= a and Result() > b)
    if a > b:
        return a
    return b
