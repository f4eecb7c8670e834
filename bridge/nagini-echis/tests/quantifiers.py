from typing import List
from nagini_contracts.contracts import *


class Item:
    def __init__(self, weight: int) -> None:
        Ensures(Acc(self.weight) and self.weight == weight)  # type: ignore
        self.weight = weight


def lightest(items: List[Item]) -> int:
    Requires(Acc(list_pred(items)))
    Requires(Forall(items, lambda item: (Acc(item.weight), [])))
    Ensures(Acc(list_pred(items)))
    Ensures(Forall(items, lambda item: (Acc(item.weight), [])))
    Ensures(Implies(len(items) > 0, Result() == items[0].weight))
    if len(items) == 0:
        return 0
    return items[0].weight


def heavier(items: List[Item]) -> None:
    Requires(Acc(list_pred(items)) and len(items) > 1)
    Requires(Forall(items, lambda item: (Acc(item.weight), [])))
    Ensures(Acc(list_pred(items)))
    Ensures(Forall(items, lambda item: (Acc(item.weight), [])))
    Ensures(items[0].weight == 8)
    items[0].weight = 7


def unowned(items: List[Item]) -> int:
    Requires(Acc(list_pred(items)) and len(items) > 0)
    Ensures(Acc(list_pred(items)))
    return items[0].weight
