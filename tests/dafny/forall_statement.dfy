method Zero(a: array<int>)
  modifies a
  ensures forall i :: 0 <= i < a.Length ==> a[i] == 0
{ forall i | 0 <= i < a.Length { a[i] := 0; } }
