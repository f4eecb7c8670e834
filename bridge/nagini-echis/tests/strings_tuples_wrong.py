from typing import Tuple, Optional
from nagini_contracts.contracts import *


def greet(name: str) -> str:
    Ensures(Result() == 'Hallo ' + name)
    return 'Hello ' + name


def minmax(a: int, b: int) -> Tuple[int, int]:
    Ensures(Result()[0] < Result()[1])
    if a < b:
        return a, b
    return b, a


def empty(a: int) -> None:
    Assert(len('abc') == a)
