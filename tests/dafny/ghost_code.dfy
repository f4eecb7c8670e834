method Count(n: nat) returns (c: nat)
  ensures c == n
{
  ghost var steps := 0;
  c := 0;
  while c < n invariant c <= n && steps == c { c := c + 1; steps := steps + 1; }
  assert steps == n;
}
