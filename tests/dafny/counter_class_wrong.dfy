class Counter {
  var value: int
  constructor () ensures value == 0 { value := 0; }
  method Increase() modifies this ensures value > old(value) { value := value + 1; }
}
method Use() { var c := new Counter(); c.Increase(); assert c.value == 1; }
