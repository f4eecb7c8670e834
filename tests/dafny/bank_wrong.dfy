// A transfer that does not look at the balance, and a client that believes too much.
class Account {
  var balance: int
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr && 0 <= balance
  }

  constructor ()
    ensures Valid() && fresh(Repr) && balance == 0
  {
    balance := 0;
    new;
    Repr := {this};
  }

  method Deposit(amount: nat)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr)
    ensures balance == old(balance) + amount
  {
    balance := balance + amount;
  }

  method Withdraw(amount: nat)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr)
    ensures balance == old(balance) - amount
  {
    balance := balance - amount;
  }
}

method Transfer(from: Account, to: Account, amount: nat)
  requires from.Valid() && to.Valid()
  modifies from.Repr, to.Repr
{
  from.Withdraw(amount);
  to.Deposit(amount);
}

method Client() {
  var a := new Account();
  a.Deposit(10);
  assert a.balance == 10;
  a.Withdraw(4);
  assert a.balance == 7;
}
