function Twice(f: int -> int, x: int): int { f(f(x)) }
method Use() { assert Twice(x => x + 1, 3) == 5; }
