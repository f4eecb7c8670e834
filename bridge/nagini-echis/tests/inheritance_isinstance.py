from nagini_contracts.contracts import *


class Animal:
    def legs(self) -> int:
        Ensures(Result() >= 0)
        return 4


class Bird(Animal):
    def legs(self) -> int:
        Ensures(Result() >= 0)
        Ensures(Result() == 2)
        return 2


def count(a: Animal) -> int:
    Ensures(Result() >= 0)
    return a.legs()


def narrow(a: object) -> int:
    Ensures(Implies(isinstance(a, Bird), Result() == 2))
    if isinstance(a, Bird):
        return a.legs()
    return 0
