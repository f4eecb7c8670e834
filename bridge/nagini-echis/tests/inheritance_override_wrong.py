from nagini_contracts.contracts import *


class Account:
    def __init__(self) -> None:
        Ensures(Acc(self.money) and self.money == 0)  # type: ignore
        self.money = 0

    def put(self, amount: int) -> None:
        Requires(Acc(self.money) and amount >= 0)
        Ensures(Acc(self.money) and self.money == Old(self.money) + amount)
        self.money += amount


class Strict(Account):
    def put(self, amount: int) -> None:
        Requires(Acc(self.money) and amount >= 1)
        Ensures(Acc(self.money) and self.money == Old(self.money) + amount)
        self.money += amount


class Leaky(Account):
    def put(self, amount: int) -> None:
        Requires(Acc(self.money) and amount >= 0)
        Ensures(Acc(self.money) and self.money >= Old(self.money))
        self.money += amount
