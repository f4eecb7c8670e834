from nagini_contracts.contracts import *


class Account:
    def __init__(self) -> None:
        Ensures(self.valid() and self.balance() == 0)
        self.money = 0
        Fold(self.valid())

    @Predicate
    def valid(self) -> bool:
        return Acc(self.money)

    @Pure
    def balance(self) -> int:
        Requires(self.valid())
        return Unfolding(self.valid(), self.money)

    def put(self, amount: int) -> None:
        Requires(self.valid() and amount >= 0)
        Ensures(self.valid() and self.balance() == Old(self.balance()) + amount)
        Unfold(self.valid())
        self.money += amount
        Fold(self.valid())


class Logged(Account):
    def __init__(self) -> None:
        Ensures(self.valid() and self.balance() == 0)
        super().__init__()

    def put(self, amount: int) -> None:
        Requires(self.valid() and amount >= -5)
        Ensures(self.valid() and self.balance() == Old(self.balance()) + amount)
        Unfold(self.valid())
        self.money += amount
        Fold(self.valid())


def pay(a: Account) -> None:
    Requires(a.valid())
    Ensures(a.valid() and a.balance() == Old(a.balance()) + 10)
    a.put(10)
