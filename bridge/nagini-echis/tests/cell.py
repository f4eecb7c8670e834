from nagini_contracts.contracts import *


class Cell:
    def __init__(self, value: int) -> None:
        Ensures(Acc(self.value) and self.value == value)  # type: ignore
        self.value = value

    def get(self) -> int:
        Requires(Acc(self.value, 1 / 2))
        Ensures(Acc(self.value, 1 / 2) and Result() == self.value)
        return self.value

    def add(self, n: int) -> None:
        Requires(Acc(self.value))
        Ensures(Acc(self.value) and self.value == Old(self.value) + n)
        self.value += n


def client() -> int:
    Ensures(Result() == 7)
    cell = Cell(3)
    cell.add(4)
    return cell.get()


def positive(cell: Cell) -> int:
    Requires(Acc(cell.value))
    Ensures(Acc(cell.value))
    Ensures(Result() > 0)
    return cell.get()


def borrowed(cell: Cell) -> None:
    Requires(Acc(cell.value, 1 / 2))
    Ensures(Acc(cell.value, 1 / 2))
    cell.add(1)
