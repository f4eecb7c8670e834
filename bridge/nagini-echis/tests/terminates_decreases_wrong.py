from nagini_contracts.contracts import *


@Pure
def power(b: int, e: int) -> int:
    Requires(e >= 0)
    Decreases(e)
    return 1 if e == 0 else b * power(b, e)


@Pure
def negative(n: int) -> int:
    Decreases(n)
    return 0 if n == 0 else negative(n - 1)
