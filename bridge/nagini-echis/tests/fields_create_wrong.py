from nagini_contracts.contracts import *


class Late:
    def __init__(self) -> None:
        Ensures(MayCreate(self, 'late'))
        pass

    def make(self) -> None:
        Ensures(Acc(self.late))  # type: ignore
        self.late = 3

    def read(self) -> int:
        Requires(MaySet(self, 'late'))
        return self.late
