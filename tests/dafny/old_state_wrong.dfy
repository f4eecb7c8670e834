class Account {
  var balance: int
  method Deposit(n: int) requires n > 0 modifies this ensures balance > old(balance) { balance := balance + n; }
  method Twice(n: int) requires n > 0 modifies this ensures balance == old(balance) + 2 * n { Deposit(n); Deposit(n); }
}
