//! How the time of an exhale grows with the number of quantified chunks in the heap: array programs over k arrays of
//! the same field.

use super::median;
use crate::echis::{Echis, Scratch};

const CHUNKS: [usize; 5] = [1, 2, 4, 8, 16];

const ARRAYS: &str = "\
field val: Int
domain Array {
  function slot(a: Array, i: Int): Ref
  function len(a: Array): Int
  function array_of(r: Ref): Array
  function index_of(r: Ref): Int
  axiom { forall a: Array, i: Int :: {slot(a, i)} array_of(slot(a, i)) == a && index_of(slot(a, i)) == i }
  axiom { forall a: Array :: {len(a)} len(a) >= 0 }
}
define whole(a, p) forall i: Int :: {slot(a, i)} 0 <= i && i < len(a) ==> acc(slot(a, i).val, p)
function sum(a: Array, n: Int): Int
  requires 0 <= n && n <= len(a)
  requires whole(a, wildcard)
{ n == 0 ? 0 : sum(a, n - 1) + slot(a, n - 1).val }
";

pub fn run(echis: &Echis) {
    let scratch = Scratch::new();
    for (name, generate) in [("sum", array_sum as fn(usize) -> String), ("copy", array_copy)] {
        let mut before = None;
        for chunks in CHUNKS {
            let file = scratch.write("quantified.vpr", &generate(chunks));
            let runs: Vec<_> = (0..3).map(|_| echis.run(&["verify", "-q", "--jobs", "1", &file])).collect();
            let seconds = median(runs.iter().map(|run| run.seconds).collect());
            // The invariant exhales each array twice, and the end once.
            let each = seconds / (3 * chunks) as f64;
            let growth = before.map_or(String::new(), |before: f64| format!(", {:.1} times the last", each / before));
            let wrong = if runs.iter().all(|run| run.code == Some(0)) { "" } else { ", NOT VERIFIED" };
            println!(
                "quantified: array {name}, {chunks} chunks: {:.0} ms, {:.1} ms an exhale{growth}{wrong}",
                seconds * 1000.0,
                each * 1000.0
            );
            before = Some(each);
        }
    }
}

/// Sums one of k arrays; a loop keeps half of each.
fn array_sum(k: usize) -> String {
    let body = format!(
        "  var total: Int := 0
  var j: Int := 0
  while (j < len(a0))
    invariant 0 <= j && j <= len(a0)
{}    invariant total == sum(a0, j)
  {{
    total := total + slot(a0, j).val
    j := j + 1
  }}
  assert total == sum(a0, len(a0))
",
        for_each(k, "    invariant whole(a#, 1/2)\n")
    );
    method(k, "", "", &body)
}

/// Copies one of k arrays to another one.
fn array_copy(k: usize) -> String {
    let body = format!(
        "  var j: Int := 0
  while (j < len(d))
    invariant 0 <= j && j <= len(d)
    invariant whole(d, write)
{}    invariant forall i: Int :: {{slot(d, i)}} 0 <= i && i < j ==> slot(d, i).val == slot(a0, i).val
  {{
    slot(d, j).val := slot(a0, j).val
    j := j + 1
  }}
  assert forall i: Int :: {{slot(d, i)}} 0 <= i && i < len(d) ==> slot(d, i).val == slot(a0, i).val
",
        for_each(k, "    invariant whole(a#, 1/2)\n")
    );
    method(k, ", d: Array", "  requires whole(d, write) && len(d) == len(a0)\n", &body)
}

fn method(k: usize, parameter: &str, requires: &str, body: &str) -> String {
    let parameters: Vec<String> = (0..k).map(|i| format!("a{i}: Array")).collect();
    format!(
        "{ARRAYS}method m({}{parameter})\n{}{requires}{{\n{body}{}}}\n",
        parameters.join(", "),
        for_each(k, "  requires whole(a#, write)\n"),
        for_each(k, "  exhale whole(a#, write)\n")
    )
}

fn for_each(k: usize, line: &str) -> String {
    (0..k).map(|i| line.replace('#', &i.to_string())).collect()
}
