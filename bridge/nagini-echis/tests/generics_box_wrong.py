from typing import Generic, TypeVar
from nagini_contracts.contracts import *

T = TypeVar('T')


class Box(Generic[T]):
    def __init__(self, content: T) -> None:
        Ensures(Acc(self.content) and self.content is content)  # type: ignore
        self.content = content

    def swap(self, other: 'Box[T]') -> None:
        Requires(Acc(self.content) and Acc(other.content))
        Ensures(Acc(self.content) and Acc(other.content))
        Ensures(self.content is Old(other.content) and other.content is Old(self.content))
        self.content = other.content
        other.content = self.content


def client() -> None:
    a = Box(1)
    a.swap(a)
