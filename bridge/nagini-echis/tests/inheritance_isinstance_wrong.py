from nagini_contracts.contracts import *


class Animal:
    def legs(self) -> int:
        Ensures(Result() >= 0)
        return 4


class Bird(Animal):
    def legs(self) -> int:
        Ensures(Result() <= 2)
        return 2


class Snake(Animal):
    def legs(self) -> int:
        Ensures(Result() == 0)
        return 0


def count(a: Animal) -> int:
    Ensures(Result() == 4)
    return a.legs()


def narrow(a: Animal) -> int:
    Ensures(Result() <= 2)
    if isinstance(a, Bird):
        return 2
    return a.legs()
