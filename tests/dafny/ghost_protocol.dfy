// A door whose ghost state says which calls are allowed, and a log of what happened.
datatype State = Closed | Open | Locked
datatype Event = Opened | Shut | LockedUp | Unlocked

function Step(s: State, e: Event): State
{
  match e
  case Opened => Open
  case Shut => Closed
  case LockedUp => Locked
  case Unlocked => Closed
}

predicate Allowed(s: State, e: Event)
{
  match e
  case Opened => s == Closed
  case Shut => s == Open
  case LockedUp => s == Closed
  case Unlocked => s == Locked
}

function Run(events: seq<Event>): State
{
  if events == [] then Closed else Step(Run(events[..|events| - 1]), events[|events| - 1])
}

predicate Legal(events: seq<Event>)
{
  events == [] || (Legal(events[..|events| - 1]) && Allowed(Run(events[..|events| - 1]), events[|events| - 1]))
}

class Door {
  ghost var log: seq<Event>
  var open: bool
  var locked: bool

  predicate Valid()
    reads this
  {
    Legal(log) && !(open && locked) && Run(log) == (if open then Open else if locked then Locked else Closed)
  }

  constructor ()
    ensures Valid() && log == [] && !open && !locked
  {
    log := [];
    open, locked := false, false;
  }

  ghost method Note(e: Event)
    requires Legal(log) && Allowed(Run(log), e)
    modifies this`log
    ensures log == old(log) + [e] && Legal(log) && Run(log) == Step(Run(old(log)), e)
  {
    var before := log;
    log := log + [e];
    assert log[..|log| - 1] == before;
  }

  method DoOpen()
    requires Valid() && !open && !locked
    modifies this
    ensures Valid() && open && log == old(log) + [Opened]
  {
    Note(Opened);
    open := true;
  }

  method DoShut()
    requires Valid() && open
    modifies this
    ensures Valid() && !open && !locked && log == old(log) + [Shut]
  {
    Note(Shut);
    open := false;
  }

  method DoLock()
    requires Valid() && !open && !locked
    modifies this
    ensures Valid() && locked && !open && log == old(log) + [LockedUp]
  {
    Note(LockedUp);
    locked := true;
  }
}

method Client()
{
  var door := new Door();
  door.DoOpen();
  door.DoShut();
  door.DoLock();
  assert door.log == [Opened, Shut, LockedUp];
  assert !door.open;
}
