from nagini_contracts.contracts import *


def xor(a: bool, b: bool) -> bool:
    Ensures(Result() == (a != b))
    return (a and not b) or (b and not a)


def chain(a: int, b: int, c: int) -> bool:
    Ensures(Implies(Result(), a < c))
    return a < b and b < c


def short(a: int) -> bool:
    return a != 0 and 10 // a > 2
