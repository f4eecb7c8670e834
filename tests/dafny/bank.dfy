// Accounts that a bank owns, with an invariant over all of them.
class Account {
  const id: int
  var balance: int

  constructor (id: int)
    ensures this.id == id && balance == 0
  {
    this.id := id;
    balance := 0;
  }

  method Deposit(amount: nat)
    modifies this
    ensures balance == old(balance) + amount
  {
    balance := balance + amount;
  }
}

class Bank {
  var accounts: map<int, Account>
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr &&
    (forall i :: i in accounts ==> accounts[i] in Repr && accounts[i].id == i && accounts[i].balance >= 0) &&
    (forall i, j :: i in accounts && j in accounts && accounts[i] == accounts[j] ==> i == j)
  }

  constructor ()
    ensures Valid() && fresh(Repr)
    ensures accounts == map[]
  {
    accounts := map[];
    new;
    Repr := {this};
  }

  method Open(id: int) returns (account: Account)
    requires Valid() && id !in accounts
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures fresh(account) && accounts == old(accounts)[id := account]
    ensures account.balance == 0
    ensures forall i :: i in old(accounts) ==> accounts[i].balance == old(accounts[i].balance)
  {
    account := new Account(id);
    accounts := accounts[id := account];
    Repr := Repr + {account};
  }

  method Transfer(from: int, to: int, amount: nat) returns (done: bool)
    requires Valid() && from in accounts && to in accounts && from != to
    modifies Repr
    ensures Valid() && Repr == old(Repr) && accounts == old(accounts)
    ensures done <==> old(accounts[from].balance) >= amount
    ensures done ==> accounts[from].balance == old(accounts[from].balance) - amount
    ensures done ==> accounts[to].balance == old(accounts[to].balance) + amount
    ensures !done ==> accounts[from].balance == old(accounts[from].balance)
  {
    if accounts[from].balance < amount {
      return false;
    }
    var giver := accounts[from];
    var taker := accounts[to];
    giver.balance := giver.balance - amount;
    taker.Deposit(amount);
    done := true;
  }
}

method Client() {
  var bank := new Bank();
  var a := bank.Open(1);
  var b := bank.Open(2);
  var done := bank.Transfer(1, 2, 5);
  assert !done;
}
