from typing import Optional
from nagini_contracts.contracts import *


class Tree:
    def __init__(self, value: int) -> None:
        Ensures(self.tree())
        Ensures(self.size() == 1)
        self.value = value
        self.left = None  # type: Optional[Tree]
        self.right = None  # type: Optional[Tree]
        Fold(self.tree())

    @Predicate
    def tree(self) -> bool:
        return (Acc(self.value) and Acc(self.left) and Acc(self.right) and
                Implies(self.left is not None, self.left.tree()) and
                Implies(self.right is not None, self.right.tree()))

    @Pure
    def size(self) -> int:
        Requires(self.tree())
        Ensures(Result() >= 1)
        return Unfolding(self.tree(), 1 + (0 if self.left is None else self.left.size())
                         + (0 if self.right is None else self.right.size()))

    def grow(self, value: int) -> None:
        Requires(self.tree())
        Ensures(self.tree())
        Ensures(self.size() == Old(self.size()) + 1)
        Unfold(self.tree())
        if self.left is None:
            self.left = Tree(value)
        else:
            self.left.grow(value)
        Fold(self.tree())
