from nagini_contracts.contracts import *


class Late:
    def __init__(self) -> None:
        Ensures(MayCreate(self, 'late'))
        pass

    def make(self) -> None:
        Requires(MayCreate(self, 'late'))
        Ensures(Acc(self.late) and self.late == 3)  # type: ignore
        self.late = 3


def client() -> None:
    x = Late()
    x.make()
    Assert(x.late == 3)
