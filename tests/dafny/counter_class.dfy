class Counter {
  var value: int
  constructor () ensures value == 0 { value := 0; }
  method Increase() modifies this ensures value == old(value) + 1 { value := value + 1; }
}
method Use() { var c := new Counter(); c.Increase(); c.Increase(); assert c.value == 2; }
