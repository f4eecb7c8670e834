//! How time and memory grow with the length of a method and with the number of methods.

use super::median;
use crate::echis::{Echis, Scratch};

const SIZES: [usize; 3] = [10, 100, 1000];

/// A program of a given size.
type Generate = fn(usize) -> String;

pub fn run(echis: &Echis) {
    let shapes: [(&str, Generate); 4] =
        [("assignments", assignments), ("heap updates", heap_updates), ("calls", calls), ("methods", methods)];
    let scratch = Scratch::new();
    for (name, generate) in shapes {
        let mut before = None;
        for size in SIZES {
            let file = scratch.write("growth.vpr", &generate(size));
            let runs: Vec<_> = (0..3).map(|_| echis.run(&["verify", "-q", "--jobs", "1", &file])).collect();
            let seconds = median(runs.iter().map(|run| run.seconds).collect());
            let memory = runs.iter().map(|run| run.memory).fold(0.0, f64::max);
            let growth =
                before.map_or(String::new(), |before: f64| format!(", {:.1} times the last", seconds / before));
            let wrong = if runs.iter().all(|run| run.code == Some(0)) { "" } else { ", NOT VERIFIED" };
            println!("growth: {size} {name}: {:.0} ms, {memory:.0} MB{growth}{wrong}", seconds * 1000.0);
            before = Some(seconds);
        }
    }
}

/// A method of n assignments and assertions.
fn assignments(n: usize) -> String {
    let body: String = (0..n / 2).map(|i| format!("  x := x + {i}\n  assert x >= y\n")).collect();
    format!("method m(y: Int)\n{{\n  var x: Int := y\n{body}}}\n")
}

/// A method of n field assignments and assertions over a few objects.
fn heap_updates(n: usize) -> String {
    let body: String = (0..n / 2).map(|i| format!("  a{}.f := {i}\n  assert a{}.f == {i}\n", i % 4, i % 4)).collect();
    let requires: String = (0..4).map(|i| format!("  requires acc(a{i}.f)\n")).collect();
    format!("field f: Int\nmethod m(a0: Ref, a1: Ref, a2: Ref, a3: Ref)\n{requires}{{\n{body}}}\n")
}

/// A method of n calls.
fn calls(n: usize) -> String {
    let step = "method step(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f) && x.f == old(x.f) + 1\n";
    let body: String = (0..n).map(|_| "  step(x)\n".to_string()).collect();
    format!(
        "field f: Int\n{step}method m(x: Ref)\n  requires acc(x.f) && x.f == 0\n{{\n{body}  assert x.f == {n}\n}}\n"
    )
}

/// A program of n small methods.
fn methods(n: usize) -> String {
    let one = |i: usize| {
        format!(
            "method m{i}(x: Ref, n: Int)\n  requires acc(x.f) && n > {i}\n  ensures acc(x.f) && x.f > {i}\n{{\n  x.f := n\n}}\n"
        )
    };
    let all: String = (0..n).map(one).collect();
    format!("field f: Int\n{all}")
}
