// Like a transfer between accounts, but the two may be the same one.
class Account {
  var balance: int
  ghost var moved: set<Account>

  predicate Valid()
    reads this
  {
    balance >= 0 && this !in moved
  }

  constructor (start: int)
    requires start >= 0
    ensures Valid() && balance == start && moved == {}
  {
    balance := start;
    moved := {};
  }

  method Take(amount: int)
    requires Valid() && 0 <= amount <= balance
    modifies this
    ensures Valid() && balance == old(balance) - amount && moved == old(moved)
  {
    balance := balance - amount;
  }

  method Give(amount: int)
    requires Valid() && 0 <= amount
    modifies this
    ensures Valid() && balance == old(balance) + amount && moved == old(moved)
  {
    balance := balance + amount;
  }
}

method Transfer(from: Account, to: Account, amount: int)
  requires from.Valid() && to.Valid() && 0 <= amount <= from.balance
  modifies from, to
  ensures from.Valid() && to.Valid()
  ensures from.balance == old(from.balance) - amount
  ensures to.balance == old(to.balance) + amount
{
  from.Take(amount);
  to.Give(amount);
}
