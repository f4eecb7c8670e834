// Accounts with a ghost history, and a transfer between two of them.
class Account {
  var balance: int
  ghost var history: seq<int>

  predicate Valid()
    reads this
  {
    balance == Total(history) && balance >= 0
  }

  constructor ()
    ensures Valid() && balance == 0
  {
    balance := 0;
    history := [];
  }

  method Deposit(amount: int)
    requires Valid() && amount > 0
    modifies this
    ensures Valid() && balance == old(balance) + amount
    ensures history == old(history) + [amount]
  {
    balance := balance + amount;
    TotalAppend(history, amount);
    history := history + [amount];
  }

  method Withdraw(amount: int) returns (ok: bool)
    requires Valid() && amount > 0
    modifies this
    ensures Valid()
    ensures ok ==> balance == old(balance) - amount
    ensures !ok ==> balance == old(balance) < amount
  {
    if balance < amount {
      return false;
    }
    balance := balance - amount;
    TotalAppend(history, -amount);
    history := history + [-amount];
    return true;
  }
}

function Total(s: seq<int>): int
{
  if |s| == 0 then 0 else s[0] + Total(s[1..])
}

lemma TotalAppend(s: seq<int>, x: int)
  ensures Total(s + [x]) == Total(s) + x
{
  if |s| == 0 {
    assert s + [x] == [x];
  } else {
    assert (s + [x])[1..] == s[1..] + [x];
    TotalAppend(s[1..], x);
  }
}

method Transfer(from: Account, to: Account, amount: int) returns (ok: bool)
  requires from != to && from.Valid() && to.Valid() && amount > 0
  modifies from, to
  ensures from.Valid() && to.Valid()
  ensures from.balance + to.balance == old(from.balance + to.balance)
{
  ok := from.Withdraw(amount);
  if ok {
    to.Deposit(amount);
  }
}

method Client() {
  var a := new Account();
  var b := new Account();
  a.Deposit(10);
  var ok := Transfer(a, b, 4);
  assert a.balance + b.balance == 10;
}
