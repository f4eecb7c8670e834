from typing import Optional
from nagini_contracts.contracts import *


class Tree:
    def __init__(self, value: int) -> None:
        Ensures(self.tree())
        Ensures(self.size() == 0)
        self.value = value
        self.left = None  # type: Optional[Tree]
        Fold(self.tree())

    @Predicate
    def tree(self) -> bool:
        return (Acc(self.value) and Acc(self.left) and
                Implies(self.left is not None, self.left.tree()))

    @Pure
    def size(self) -> int:
        Requires(self.tree())
        return Unfolding(self.tree(), 1 + (0 if self.left is None else self.left.size()))

    def grow(self, value: int) -> None:
        Requires(self.tree())
        Ensures(self.tree())
        Unfold(self.tree())
        self.left.value = value
        Fold(self.tree())

    def forgot(self) -> None:
        Requires(self.tree())
        Ensures(self.tree())
        Unfold(self.tree())
