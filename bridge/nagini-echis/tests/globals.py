from typing import Tuple
from nagini_contracts.contracts import *

LIMIT = 10


def bounded(n: int) -> int:
    Ensures(Result() <= 10)
    if n > LIMIT:
        return LIMIT
    return n


def swap(pair: Tuple[int, int]) -> Tuple[int, int]:
    Ensures(Result()[0] == pair[1] and Result()[1] == pair[0])
    return (pair[1], pair[0])


def same(pair: Tuple[int, int]) -> Tuple[int, int]:
    Ensures(Result()[0] == pair[1])
    return pair


def text(a: str) -> int:
    Ensures(Result() >= 0)
    return len(a)
