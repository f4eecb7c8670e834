//! A one-method program, cold: the latency for an editor or a build.

use super::median;
use super::silicon::Silicon;
use crate::echis::{Echis, Scratch};

const PROGRAM: &str = "method m(x: Int) returns (y: Int)\n  requires x > 0\n  ensures y > 1\n{\n  y := x + 1\n}\n";

pub fn run(echis: &Echis, silicon: Option<&Silicon>) {
    let scratch = Scratch::new();
    let file = scratch.write("one.vpr", PROGRAM);
    let ours = median((0..11).map(|_| echis.run(&["verify", "-q", &file]).seconds).collect());
    println!("start: echis {:.1} ms", ours * 1000.0);
    if let Some(silicon) = silicon {
        let theirs = median((0..3).map(|_| silicon.cold(&file)).collect());
        println!("start: silicon {:.1} ms, {:.0} times slower", theirs * 1000.0, theirs / ours);
    }
}
