// Mutual exclusion by tickets: an invariant of a system of processes, and a proof that each step keeps it.
type Process(==)

datatype State = Thinking | Hungry | Eating

class TicketSystem {
  var ticket: int
  var serving: int
  const processes: set<Process>
  var state: map<Process, State>
  var held: map<Process, int>

  predicate Valid()
    reads this
  {
    processes <= state.Keys && processes <= held.Keys &&
    serving <= ticket &&
    (forall p :: p in processes && state[p] != Thinking ==> serving <= held[p] < ticket) &&
    (forall p, q :: p in processes && q in processes && p != q &&
      state[p] != Thinking && state[q] != Thinking ==> held[p] != held[q]) &&
    (forall p :: p in processes && state[p] == Eating ==> held[p] == serving)
  }

  constructor (ps: set<Process>)
    ensures Valid() && processes == ps
  {
    processes := ps;
    ticket, serving := 0, 0;
    state := map p | p in ps :: Thinking;
    held := map p | p in ps :: 0;
  }

  method Request(p: Process)
    requires Valid() && p in processes && state[p] == Thinking
    modifies this
    ensures Valid()
    ensures state[p] == Hungry
  {
    held := held[p := ticket];
    ticket := ticket + 1;
    state := state[p := Hungry];
  }

  method Enter(p: Process)
    requires Valid() && p in processes && state[p] == Hungry
    modifies this
    ensures Valid()
  {
    if held[p] == serving {
      state := state[p := Eating];
    }
  }

  method Leave(p: Process)
    requires Valid() && p in processes && state[p] == Eating
    modifies this
    ensures Valid() && state[p] == Thinking
  {
    assert held[p] == serving;
    serving := serving + 1;
    state := state[p := Thinking];
  }

  lemma MutualExclusion(p: Process, q: Process)
    requires Valid() && p in processes && q in processes
    requires state[p] == Eating && state[q] == Eating
    ensures p == q
  {
  }
}
