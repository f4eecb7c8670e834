//! Back edges, and what the loops that they close can change.

use crate::graph::Graph;
use std::collections::BTreeSet;

pub struct Loops {
    /// Blocks that can be reached, so that every edge that does not go back leads to a later one.
    pub order: Vec<usize>,
    /// Edges that go back: from, to.
    pub back: BTreeSet<(usize, usize)>,
    pub heads: Vec<Head>,
}

pub struct Head {
    pub block: usize,
    /// The blocks between the head and the edges back to it.
    pub body: BTreeSet<usize>,
    /// The loop can be entered at other blocks, too: nothing is known at the head about how it was reached.
    pub irreducible: bool,
}

pub fn find(graph: &Graph<'_>) -> Loops {
    let count = graph.blocks.len();
    let mut order = Vec::new();
    let mut back = BTreeSet::new();
    // 0: not met, 1: on the stack, 2: done.
    let mut marks = vec![0u8; count];
    let mut stack = vec![(0usize, 0usize)];
    marks[0] = 1;
    while let Some((block, position)) = stack.last_mut() {
        let block = *block;
        match graph.blocks[block].next.get(*position) {
            Some(&next) => {
                *position += 1;
                match marks[next] {
                    0 => {
                        marks[next] = 1;
                        stack.push((next, 0));
                    }
                    1 => drop(back.insert((block, next))),
                    _ => {}
                }
            }
            None => {
                marks[block] = 2;
                order.push(block);
                stack.pop();
            }
        }
    }
    order.reverse();
    let mut loops = Loops { order, back, heads: Vec::new() };
    loops.heads = heads(graph, &loops);
    loops
}

fn heads(graph: &Graph<'_>, loops: &Loops) -> Vec<Head> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.blocks.len()];
    let reached: BTreeSet<usize> = loops.order.iter().copied().collect();
    for from in &loops.order {
        graph.blocks[*from].next.iter().for_each(|to| before[*to].push(*from));
    }
    let targets: BTreeSet<usize> = loops.back.iter().map(|(_, to)| *to).collect();
    let mut found = Vec::new();
    for head in targets {
        let mut body = BTreeSet::from([head]);
        let mut stack: Vec<usize> = loops.back.iter().filter(|(_, to)| *to == head).map(|(from, _)| *from).collect();
        while let Some(block) = stack.pop() {
            if body.insert(block) {
                stack.extend(before[block].iter().filter(|from| reached.contains(from)));
            }
        }
        // Going backwards from the edges leads out of the loop only where it can be entered elsewhere.
        let irreducible = body.contains(&0) && head != 0;
        found.push(Head { block: head, body, irreducible });
    }
    found
}
