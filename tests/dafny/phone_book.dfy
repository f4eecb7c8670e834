// Maps: a phone book with lookups in both directions.
class PhoneBook {
  var numbers: map<string, int>
  ghost var Known: set<string>

  predicate Valid()
    reads this
  {
    Known == numbers.Keys &&
    forall a, b :: a in numbers && b in numbers && numbers[a] == numbers[b] ==> a == b
  }

  constructor ()
    ensures Valid() && Known == {}
  {
    numbers := map[];
    Known := {};
  }

  predicate IsTaken(number: int)
    reads this
  {
    exists a :: a in numbers && numbers[a] == number
  }

  method Add(name: string, number: int)
    requires Valid()
    requires name !in Known
    requires !IsTaken(number)
    modifies this
    ensures Valid()
    ensures Known == old(Known) + {name}
    ensures numbers == old(numbers)[name := number]
  {
    numbers := numbers[name := number];
    Known := Known + {name};
  }

  method Remove(name: string)
    requires Valid()
    modifies this
    ensures Valid()
    ensures Known == old(Known) - {name}
    ensures forall a :: a in numbers <==> a in old(numbers) && a != name
    ensures forall a :: a in numbers ==> numbers[a] == old(numbers)[a]
  {
    numbers := map a | a in numbers && a != name :: numbers[a];
    Known := Known - {name};
  }

  method Lookup(name: string) returns (found: bool, number: int)
    requires Valid()
    ensures found <==> name in Known
    ensures found ==> number == numbers[name]
  {
    if name in numbers {
      return true, numbers[name];
    }
    return false, 0;
  }
}

method Client() {
  var book := new PhoneBook();
  book.Add("Ada", 1815);
  var found, number := book.Lookup("Ada");
  assert found && number == 1815;
  book.Remove("Ada");
  found, number := book.Lookup("Ada");
  assert !found;
}
