from nagini_contracts.contracts import *


@Pure
def power(b: int, e: int) -> int:
    Requires(e >= 0)
    Decreases(e)
    return 1 if e == 0 else b * power(b, e - 1)


@Pure
def digits(n: int) -> int:
    Requires(n >= 0)
    Decreases(n)
    Ensures(Result() >= 1)
    return 1 if n < 10 else 1 + digits(n // 10)
