//! How processor time and memory grow with the size of a program, as an exponent: 1 means that doubling the size doubles
//! the time, 2 that it takes four times as long. The numbers of branches and of wand conditions are different: there the
//! factor from step to step is reported.

use super::median;
use crate::echis::{Echis, Run, Scratch, processor_time};

/// A family of programs.
struct Shape {
    name: &'static str,
    sizes: &'static [usize],
    growth: Growth,
    generate: fn(usize) -> String,
}

#[derive(Clone, Copy)]
enum Growth {
    /// As an exponent of the size.
    Power,
    /// As a factor for each step.
    Step,
}

const SHAPES: [Shape; 9] = [
    Shape { name: "assignments", sizes: &[10, 100, 1000, 4000], growth: Growth::Power, generate: assignments },
    Shape { name: "heap updates", sizes: &[10, 100, 1000, 4000], growth: Growth::Power, generate: heap_updates },
    Shape { name: "calls", sizes: &[10, 100, 1000], growth: Growth::Power, generate: calls },
    Shape { name: "methods", sizes: &[10, 100, 1000, 10_000], growth: Growth::Power, generate: methods },
    Shape { name: "chunks", sizes: &[10, 100, 300], growth: Growth::Power, generate: chunks },
    Shape { name: "quantified ranges", sizes: &[1, 2, 4, 8], growth: Growth::Power, generate: ranges },
    Shape { name: "branches", sizes: &[2, 4, 6, 8, 10], growth: Growth::Step, generate: branches },
    Shape { name: "wand conditions", sizes: &[2, 4, 6, 8], growth: Growth::Step, generate: wand_conditions },
    Shape { name: "failing branches", sizes: &[2, 4, 6, 8], growth: Growth::Step, generate: failing_branches },
];

pub fn run(echis: &Echis) {
    let scratch = Scratch::new();
    for shape in SHAPES {
        let measured: Vec<(usize, f64)> =
            shape.sizes.iter().map(|size| (*size, measure(echis, &scratch, &shape, *size))).collect();
        println!("growth: {}: {}", shape.name, shape.growth.of(&measured));
    }
}

/// The processor time for one program, which is printed with the other measurements.
fn measure(echis: &Echis, scratch: &Scratch, shape: &Shape, size: usize) -> f64 {
    let file = scratch.write("growth.vpr", &(shape.generate)(size));
    let args = ["verify", "-q", "--hints", "off", "--jobs", "1", "--timeout", "300", &file];
    let mut runs = Vec::new();
    // Processor time is steady: what takes long is run once.
    while runs.len() < 3 && runs.first().is_none_or(|(seconds, _)| *seconds < 1.0) {
        let before = processor_time();
        let run = echis.run(&args);
        runs.push((processor_time() - before, run));
    }
    let seconds = median(runs.iter().map(|(seconds, _)| *seconds).collect());
    let runs: Vec<Run> = runs.into_iter().map(|(_, run)| run).collect();
    let memory = runs.iter().map(|run| run.memory).fold(0.0, f64::max);
    let failed = shape.name.starts_with("failing");
    let wrong = if runs.iter().all(|run| run.code == Some(i32::from(failed))) { "" } else { ", NOT AS EXPECTED" };
    println!("growth: {size} {}: {:.0} ms, {memory:.0} MB{wrong}", shape.name, seconds * 1000.0);
    seconds
}

impl Growth {
    /// The growth between the two largest sizes, where constant costs matter least.
    fn of(self, measured: &[(usize, f64)]) -> String {
        let [.., (before, less), (last, more)] = measured else { return "too few sizes".into() };
        let ratio = more / less;
        match self {
            Growth::Power => format!("exponent {:.2}", ratio.ln() / (*last as f64 / *before as f64).ln()),
            Growth::Step => format!("{:.2} times with each step", ratio.powf(1.0 / (last - before) as f64)),
        }
    }
}

/// A method with n assignments and assertions.
fn assignments(n: usize) -> String {
    let body: String = (0..n / 2).map(|i| format!("  x := x + {i}\n  assert x >= y\n")).collect();
    format!("method m(y: Int)\n{{\n  var x: Int := y\n{body}}}\n")
}

/// A method with n field assignments and assertions on a few objects.
fn heap_updates(n: usize) -> String {
    let body: String = (0..n / 2).map(|i| format!("  a{}.f := {i}\n  assert a{}.f == {i}\n", i % 4, i % 4)).collect();
    let requires: String = (0..4).map(|i| format!("  requires acc(a{i}.f)\n")).collect();
    format!("field f: Int\nmethod m(a0: Ref, a1: Ref, a2: Ref, a3: Ref)\n{requires}{{\n{body}}}\n")
}

/// A method with n calls.
fn calls(n: usize) -> String {
    let step = "method step(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f) && x.f == old(x.f) + 1\n";
    let body: String = (0..n).map(|_| "  step(x)\n".to_string()).collect();
    format!(
        "field f: Int\n{step}method m(x: Ref)\n  requires acc(x.f) && x.f == 0\n{{\n{body}  assert x.f == {n}\n}}\n"
    )
}

/// A program with n small methods.
fn methods(n: usize) -> String {
    let one = |i: usize| {
        format!(
            "method m{i}(x: Ref, n: Int)\n  requires acc(x.f) && n > {i}\n  ensures acc(x.f) && x.f > {i}\n{{\n  x.f := n\n}}\n"
        )
    };
    let all: String = (0..n).map(one).collect();
    format!("field f: Int\n{all}")
}

/// A method that holds n fields of n objects and reads all of them.
fn chunks(n: usize) -> String {
    let args: Vec<String> = (0..n).map(|i| format!("a{i}: Ref")).collect();
    let requires: String = (0..n).map(|i| format!("  requires acc(a{i}.f) && a{i}.f == {i}\n")).collect();
    let body: String = (0..n).map(|i| format!("  assert a{i}.f == {i}\n")).collect();
    format!("field f: Int\nmethod m({})\n{requires}{{\n{body}}}\n", args.join(", "))
}

/// A method with n quantified permissions to one field, which it reads and writes.
fn ranges(n: usize) -> String {
    let args: Vec<String> = (0..n).map(|i| format!("s{i}: Set[Ref]")).collect();
    let requires: String = (0..n)
        .map(|i| format!("  requires forall r: Ref :: {{ r in s{i} }} r in s{i} ==> acc(r.f) && r.f > {i}\n"))
        .collect();
    let body: String =
        (0..n).map(|i| format!("  if (x in s{i}) {{ x.f := x.f + 1\n assert x.f > {i} + 1 }}\n")).collect();
    format!("field f: Int\nmethod m(x: Ref, {})\n{requires}{{\n{body}}}\n", args.join(", "))
}

/// A method with n independent branches.
fn branches(n: usize) -> String {
    let args: Vec<String> = (0..n).map(|i| format!("b{i}: Bool")).collect();
    let body: String = (0..n).map(|i| format!("  if (b{i}) {{ x.f := x.f + {i} }}\n")).collect();
    let args = args.join(", ");
    format!(
        "field f: Int\nmethod m(x: Ref, {args})\n  requires acc(x.f) && x.f >= 0\n  ensures acc(x.f) && x.f >= 0\n{{\n{body}}}\n"
    )
}

/// A method with n branches whose postcondition fails for a reason unrelated to the branches.
fn failing_branches(n: usize) -> String {
    let program = branches(n);
    program.replace("x.f >= 0\n{", "x.f >= 0 && y > 0\n{").replace("method m(", "method m(y: Int, ")
}

/// A wand whose left side has n independent conditions.
fn wand_conditions(n: usize) -> String {
    let args: Vec<String> = (0..n).map(|i| format!("b{i}: Bool")).collect();
    let requires: String = (0..n).map(|i| format!("  requires acc(x.g{i})\n")).collect();
    let fields: String = (0..n).map(|i| format!("field f{i}: Int\nfield g{i}: Int\n")).collect();
    let left: Vec<String> = (0..n).map(|i| format!("(b{i} ==> acc(x.f{i}))")).collect();
    let right: Vec<String> = (0..n).map(|i| format!("(b{i} ==> acc(x.f{i})) && acc(x.g{i})")).collect();
    let (left, right) = (left.join(" && "), right.join(" && "));
    format!("{fields}method m(x: Ref, {})\n{requires}{{\n  package {left} --* {right}\n}}\n", args.join(", "))
}
