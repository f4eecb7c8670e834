// A map from keys to values, kept as a sequence of pairs without duplicate keys.
datatype Option<V> = None | Some(get: V)

class Dictionary<K(==), V> {
  ghost var M: map<K, V>
  var pairs: seq<(K, V)>

  predicate Valid()
    reads this
  {
    (forall i, j :: 0 <= i < j < |pairs| ==> pairs[i].0 != pairs[j].0) &&
    (forall i :: 0 <= i < |pairs| ==> pairs[i].0 in M && M[pairs[i].0] == pairs[i].1) &&
    (forall k :: k in M ==> exists i :: 0 <= i < |pairs| && pairs[i].0 == k)
  }

  constructor ()
    ensures Valid() && M == map[]
  {
    pairs, M := [], map[];
  }

  method Index(k: K) returns (i: nat)
    requires Valid()
    ensures i <= |pairs|
    ensures i < |pairs| ==> pairs[i].0 == k
    ensures i == |pairs| <==> k !in M
  {
    i := 0;
    while i < |pairs| && pairs[i].0 != k
      invariant i <= |pairs|
      invariant forall j :: 0 <= j < i ==> pairs[j].0 != k
    {
      i := i + 1;
    }
  }

  method Lookup(k: K) returns (r: Option<V>)
    requires Valid()
    ensures k in M ==> r == Some(M[k])
    ensures k !in M ==> r == None
  {
    var i := Index(k);
    r := if i < |pairs| then Some(pairs[i].1) else None;
  }

  method Insert(k: K, v: V)
    requires Valid()
    modifies this
    ensures Valid() && M == old(M)[k := v]
  {
    var i := Index(k);
    if i < |pairs| {
      pairs := pairs[i := (k, v)];
    } else {
      pairs := pairs + [(k, v)];
      assert pairs[i].0 == k;
    }
    M := M[k := v];
    forall key | key in M
      ensures exists j :: 0 <= j < |pairs| && pairs[j].0 == key
    {
      if key == k {
        assert pairs[i].0 == k;
      } else {
        var j :| 0 <= j < |old(pairs)| && old(pairs)[j].0 == key;
        assert pairs[j].0 == key;
      }
    }
  }
}

method Client() {
  var d := new Dictionary<int, bool>();
  d.Insert(3, true);
  d.Insert(4, false);
  d.Insert(3, false);
  var r := d.Lookup(3);
  assert r == Some(false);
  var s := d.Lookup(5);
  assert s.None?;
}
