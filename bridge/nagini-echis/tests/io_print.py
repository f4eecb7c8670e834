from typing import Tuple
from nagini_contracts.contracts import *
from nagini_contracts.io_contracts import *
from nagini_contracts.obligations import *


@IOOperation
def say_io(t_pre: Place, what: int, t_post: Place = Result()) -> bool:
    Terminates(True)


@ContractOnly
def say(t1: Place, what: int) -> Place:
    IOExists1(Place)(
        lambda t2: (
            Requires(token(t1, 1) and say_io(t1, what, t2) and MustTerminate(1)),
            Ensures(token(t2) and t2 == Result()),
        )
    )


def twice(t1: Place) -> Place:
    IOExists2(Place, Place)(
        lambda t2, t3: (
            Requires(token(t1, 2) and say_io(t1, 1, t2) and say_io(t2, 2, t3)),
            Ensures(token(t3) and t3 == Result()),
        )
    )
    t2 = say(t1, 1)
    return say(t2, 2)
