from nagini_contracts.contracts import *


def xor(a: bool, b: bool) -> bool:
    Ensures(Result() == (a != b))
    return a or b


def short(a: int) -> bool:
    return 10 // a > 2 and a != 0
