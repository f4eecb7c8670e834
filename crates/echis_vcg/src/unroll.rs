//! Unrolls loops a fixed number of times, like Boogie's `/loopUnroll:N`. Longer executions are ignored, so the
//! program is verified only for short executions.

use crate::graph::{Block, Cmd, Frame, Graph};
use crate::limits::BLOCKS;
use crate::loops::Loops;
use std::collections::BTreeMap;

/// For each enclosing loop, by head, the number of further iterations.
type Turns = BTreeMap<usize, u32>;

/// The graph without back edges: after `times` of them, the next one leads nowhere.
pub fn unroll<'a>(graph: &Graph<'a>, loops: &Loops, times: u32) -> Graph<'a> {
    let entered = entered(graph);
    let mut unrolling = Unrolling {
        graph,
        loops,
        times,
        entered,
        copies: BTreeMap::new(),
        frames: BTreeMap::new(),
        out: Graph::default(),
    };
    unrolling.out.frames.push(graph.frames[0]);
    unrolling.frames.insert((0, Turns::new()), 0);
    unrolling.out.too_large = graph.too_large;
    let start = unrolling.turns(0, &Turns::new(), None);
    unrolling.copy(0, &start);
    let mut pending = vec![(0, start)];
    while let Some((block, turns)) = pending.pop() {
        unrolling.fill(block, &turns, &mut pending);
    }
    unrolling.out
}

/// The first block of each frame.
fn entered(graph: &Graph<'_>) -> BTreeMap<Frame, usize> {
    let mut entered = BTreeMap::new();
    for (block, cmds) in graph.blocks.iter().map(|block| &block.cmds).enumerate() {
        for (_, cmd) in cmds {
            if let Cmd::Enter { inner, .. } = cmd {
                entered.insert(*inner, block);
            }
        }
    }
    entered
}

struct Unrolling<'g, 'a> {
    graph: &'g Graph<'a>,
    loops: &'g Loops,
    times: u32,
    entered: BTreeMap<Frame, usize>,
    copies: BTreeMap<(usize, Turns), usize>,
    /// Bodies inlined in different iterations are different activations.
    frames: BTreeMap<(Frame, Turns), Frame>,
    out: Graph<'a>,
}

impl<'a> Unrolling<'_, 'a> {
    fn heads_around(&self, block: usize) -> impl Iterator<Item = usize> {
        self.loops.heads.iter().filter(move |head| head.body.contains(&block)).map(|head| head.block)
    }
    /// The iterations in which a block is reached, possibly by a back edge.
    fn turns(&self, block: usize, before: &Turns, again: Option<usize>) -> Turns {
        let turn = |head: usize| {
            let known = before.get(&head).copied().unwrap_or(0);
            (head, if again == Some(head) { known + 1 } else { known })
        };
        self.heads_around(block).map(turn).collect()
    }
    fn copy(&mut self, block: usize, turns: &Turns) -> (usize, bool) {
        if let Some(known) = self.copies.get(&(block, turns.clone())) {
            return (*known, false);
        }
        let frame = self.frame(self.graph.blocks[block].frame, turns);
        self.out.blocks.push(Block { frame, ..Block::default() });
        let new = self.out.blocks.len() - 1;
        self.copies.insert((block, turns.clone()), new);
        (new, true)
    }
    fn frame(&mut self, frame: Frame, turns: &Turns) -> Frame {
        let around: Turns = match self.entered.get(&frame) {
            Some(block) => self.heads_around(*block).filter_map(|head| Some((head, *turns.get(&head)?))).collect(),
            None => Turns::new(),
        };
        if let Some(known) = self.frames.get(&(frame, around.clone())) {
            return *known;
        }
        self.out.frames.push(self.graph.frames[frame]);
        self.frames.insert((frame, around), self.out.frames.len() - 1);
        self.out.frames.len() - 1
    }

    fn fill(&mut self, block: usize, turns: &Turns, pending: &mut Vec<(usize, Turns)>) {
        let (at, _) = self.copy(block, turns);
        let graph = self.graph;
        for (frame, cmd) in &graph.blocks[block].cmds {
            let frame = self.frame(*frame, turns);
            let cmd = match *cmd {
                Cmd::Enter { call, inner } => Cmd::Enter { call, inner: self.frame(inner, turns) },
                Cmd::Leave { call, inner } => Cmd::Leave { call, inner: self.frame(inner, turns) },
                other => other,
            };
            self.out.blocks[at].cmds.push((frame, cmd));
        }
        for next in &graph.blocks[block].next {
            let is_back = self.loops.back.contains(&(block, *next));
            let again = is_back.then_some(*next);
            let after = self.turns(*next, turns, again);
            if after.get(next).is_some_and(|turn| is_back && *turn > self.times) {
                continue;
            }
            if self.out.blocks.len() > BLOCKS {
                self.out.too_large = true;
                return;
            }
            let (to, is_new) = self.copy(*next, &after);
            self.out.blocks[at].next.push(to);
            if is_new {
                pending.push((*next, after));
            }
        }
    }
}
