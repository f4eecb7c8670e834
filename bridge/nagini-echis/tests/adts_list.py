from typing import NamedTuple, cast
from nagini_contracts.contracts import *
from nagini_contracts.adt import ADT


class LinkedList(ADT):
    pass


class Cons(LinkedList, NamedTuple('Cons', [('elem', int), ('next', LinkedList)])):
    pass


class Nil(LinkedList, NamedTuple('Nil', [])):
    pass


def build(e: int) -> None:
    empty = Nil()
    one = Cons(e, empty)
    Assert(one.elem == e)
    Assert(type(one) is Cons)
    Assert(one.next == empty)
