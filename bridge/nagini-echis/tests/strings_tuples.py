from typing import Tuple, Optional
from nagini_contracts.contracts import *


def greet(name: str) -> str:
    Ensures(Result() == 'Hello ' + name)
    return 'Hello ' + name


def minmax(a: int, b: int) -> Tuple[int, int]:
    Ensures(Result()[0] <= Result()[1])
    if a < b:
        return a, b
    return b, a


def maybe(a: Optional[int]) -> int:
    Ensures(Implies(a is None, Result() == 0))
    if a is None:
        return 0
    return a + 1


def client() -> None:
    lo, hi = minmax(4, 3)
    Assert(lo <= hi)
    Assert(len('abc') == 3)
    Assert(maybe(None) == 0)
