// Strings and regular expressions are those of SMT-LIB.
function {:builtin "str.++"} append(a: string, b: string): string;
function {:builtin "str.len"} length(a: string): int;
function {:builtin "str.to.re"} only(a: string): regex;
function {:builtin "re.*"} many(a: regex): regex;
function {:builtin "str.in.re"} matches(a: string, r: regex): bool;

procedure Strings(s: string)
{
  assert append("ab", "c") == "abc";
  assert length("abc") == 3 && length(s) >= 0;
  assert "" != "a";
  assert s == "x"; // error
}

procedure Patterns()
{
  assert matches("aaa", many(only("a")));
  assert matches("aab", many(only("a"))); // error
}
