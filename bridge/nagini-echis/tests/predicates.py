from typing import Optional
from nagini_contracts.contracts import *


class Node:
    def __init__(self, value: int, next: Optional['Node']) -> None:
        Ensures(Acc(self.value) and self.value == value)  # type: ignore
        Ensures(Acc(self.next) and self.next is next)  # type: ignore
        self.value = value
        self.next = next  # type: Optional[Node]


@Predicate
def chain(node: Node) -> bool:
    return Acc(node.value) and Acc(node.next) and Implies(node.next is not None, chain(node.next))


@Pure
def length(node: Node) -> int:
    Requires(chain(node))
    Ensures(Result() > 0)
    return Unfolding(chain(node), 1 if node.next is None else 1 + length(node.next))


def prepend(value: int, rest: Node) -> Node:
    Requires(chain(rest))
    Ensures(chain(Result()))
    Ensures(length(Result()) == Old(length(rest)) + 1)
    node = Node(value, rest)
    Fold(chain(node))
    return node


def forgotten(value: int) -> Node:
    Ensures(chain(Result()))
    return Node(value, None)


def twice(node: Node) -> int:
    Requires(chain(node))
    Ensures(chain(node))
    Ensures(Result() == 2 * length(node) + 1)
    return 2 * length(node)
