//! Back edges, and the loops they form.

use crate::graph::Graph;
use std::collections::BTreeSet;

pub struct Loops {
    /// Reachable blocks, ordered so that every other edge leads to a later block.
    pub order: Vec<usize>,
    /// Back edges: from, to.
    pub back: BTreeSet<(usize, usize)>,
    pub heads: Vec<Head>,
}

pub struct Head {
    pub block: usize,
    /// The blocks between the head and its back edges.
    pub body: BTreeSet<usize>,
    /// Whether the loop can be entered at other blocks, too: then nothing is known at the head about how it was
    /// reached.
    pub irreducible: bool,
}

pub fn find(graph: &Graph<'_>) -> Loops {
    let count = graph.blocks.len();
    let mut order = Vec::new();
    let mut back = BTreeSet::new();
    // 0: unvisited, 1: on the stack, 2: done.
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
        // A backward search from the edges leaves the loop only if it has another entry.
        let irreducible = body.contains(&0) && head != 0;
        found.push(Head { block: head, body, irreducible });
    }
    found
}
