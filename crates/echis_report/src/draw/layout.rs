//! A layered drawing from left to right. Boxes do not overlap and lines do not cross them, by construction: a line
//! that passes through a layer has a lane there, which is placed like a box.

use std::collections::BTreeSet;

/// Distances: between layers, where lines bend; between boxes of a layer; and the height of a lane.
const BETWEEN_LAYERS: i32 = 56;
const BETWEEN_BOXES: i32 = 22;
const LANE: i32 = 8;
const MARGIN: i32 = 16;
/// Number of passes that improve the order within layers.
const SWEEPS: usize = 8;

pub struct Placed {
    /// The upper left corner of each box.
    pub corners: Vec<(i32, i32)>,
    /// For each line, by layer: where it enters and leaves the layers it passes through.
    pub lanes: Vec<Vec<(i32, i32)>>,
    pub width: i32,
    pub height: i32,
}

/// A box, or the lane of a line in a layer.
struct Slot {
    layer: usize,
    height: i32,
    y: i32,
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Places boxes of the given sizes. Lines from a box to itself have no lanes.
pub fn layout(sizes: &[(i32, i32)], lines: &[(usize, usize)]) -> Placed {
    let back = back_lines(sizes.len(), lines);
    let forward = |index: usize| {
        let (from, to) = lines[index];
        if back.contains(&index) { (to, from) } else { (from, to) }
    };
    let ranks = ranks(sizes.len(), (0..lines.len()).map(forward).filter(|(from, to)| from != to).collect());
    let mut slots: Vec<Slot> = sizes.iter().zip(&ranks).map(|((_, height), rank)| slot(*rank, *height)).collect();
    let mut passed: Vec<Vec<usize>> = Vec::new();
    for index in 0..lines.len() {
        let (from, to) = forward(index);
        let (mut before, mut lanes) = (from, Vec::new());
        for rank in ranks[from] + 1..ranks[to] {
            slots.push(slot(rank, LANE));
            connect(&mut slots, before, slots_end(&lanes, sizes.len(), &passed));
            before = slots_end(&lanes, sizes.len(), &passed);
            lanes.push(before);
        }
        if from != to {
            connect(&mut slots, before, to);
        }
        passed.push(lanes);
    }
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); slots.iter().map(|slot| slot.layer + 1).max().unwrap_or(0)];
    for (index, slot) in slots.iter().enumerate() {
        layers[slot.layer].push(index);
    }
    arrange(&mut layers, &slots);
    stack(&layers, &mut slots);
    let widths: Vec<i32> = layers
        .iter()
        .map(|layer| layer.iter().filter_map(|slot| Some(sizes.get(*slot)?.0)).max().unwrap_or(LANE))
        .collect();
    let starts: Vec<i32> = widths
        .iter()
        .scan(MARGIN, |next, width| {
            let start = *next;
            *next += width + BETWEEN_LAYERS;
            Some(start)
        })
        .collect();
    let corners = (0..sizes.len()).map(|index| (starts[slots[index].layer], slots[index].y)).collect();
    let lanes = passed.iter().enumerate().map(|(index, lanes)| {
        let through = |lane: &usize| {
            let Slot { layer, y, .. } = slots[*lane];
            [(starts[layer], y + LANE / 2), (starts[layer] + widths[layer], y + LANE / 2)]
        };
        let mut points: Vec<(i32, i32)> = lanes.iter().flat_map(through).collect();
        if back.contains(&index) {
            points.reverse();
        }
        points
    });
    let bottom = slots.iter().map(|slot| slot.y + slot.height).max().unwrap_or(0);
    let right = starts.last().zip(widths.last()).map_or(0, |(start, width)| start + width);
    Placed { corners, lanes: lanes.collect(), width: right + BETWEEN_LAYERS / 2 + MARGIN, height: bottom + MARGIN }
}

fn slot(layer: usize, height: i32) -> Slot {
    Slot { layer, height, y: 0, left: Vec::new(), right: Vec::new() }
}

/// The index of the last lane.
fn slots_end(lanes: &[usize], boxes: usize, passed: &[Vec<usize>]) -> usize {
    boxes + passed.iter().map(Vec::len).sum::<usize>() + lanes.len()
}

fn connect(slots: &mut [Slot], left: usize, right: usize) {
    slots[left].right.push(right);
    slots[right].left.push(left);
}

/// Lines to an ancestor in the search. Reversing them removes all cycles.
fn back_lines(boxes: usize, lines: &[(usize, usize)]) -> BTreeSet<usize> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); boxes];
    for (index, (from, to)) in lines.iter().enumerate().filter(|(_, (from, to))| from != to) {
        let _ = to;
        out[*from].push(index);
    }
    let (mut back, mut seen, mut open) = (BTreeSet::new(), vec![false; boxes], vec![false; boxes]);
    for start in 0..boxes {
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.pop() {
            if next == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            open[at] = next < out[at].len();
            let Some(line) = out[at].get(next) else { continue };
            path.push((at, next + 1));
            let to = lines[*line].1;
            if open[to] {
                back.insert(*line);
            } else if !seen[to] {
                path.push((to, 0));
            }
        }
    }
    back
}

/// The longest path from the left to each box.
fn ranks(boxes: usize, lines: Vec<(usize, usize)>) -> Vec<usize> {
    let mut ranks = vec![0; boxes];
    for _ in 0..boxes {
        let mut changed = false;
        for (from, to) in &lines {
            if ranks[*to] <= ranks[*from] {
                ranks[*to] = ranks[*from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    ranks
}

/// Orders each layer by the median of its neighbours, alternating directions.
fn arrange(layers: &mut [Vec<usize>], slots: &[Slot]) {
    let mut at: Vec<usize> = vec![0; slots.len()];
    let note = |layer: &[usize], at: &mut Vec<usize>| {
        layer.iter().enumerate().for_each(|(place, slot)| at[*slot] = place);
    };
    layers.iter().for_each(|layer| note(layer, &mut at));
    for sweep in 0..SWEEPS {
        let count = layers.len();
        for step in 1..count {
            let index = if sweep % 2 == 0 { step } else { count - 1 - step };
            let middle = |slot: &usize| {
                let near = if sweep % 2 == 0 { &slots[*slot].left } else { &slots[*slot].right };
                match near.len() {
                    0 => 1000 * at[*slot],
                    several => 1000 * near.iter().map(|other| at[*other]).sum::<usize>() / several,
                }
            };
            layers[index].sort_by_key(|slot| (middle(slot), at[*slot]));
            note(&layers[index], &mut at);
        }
    }
}

/// Assigns a vertical position to each slot: near the middle of its left neighbours, below the previous one.
fn stack(layers: &[Vec<usize>], slots: &mut [Slot]) {
    for layer in layers {
        let mut free = MARGIN;
        for slot in layer {
            let near = &slots[*slot].left;
            let middles = near.iter().map(|other| slots[*other].y + slots[*other].height / 2).sum::<i32>();
            let wanted = if near.is_empty() { free } else { middles / near.len() as i32 - slots[*slot].height / 2 };
            slots[*slot].y = wanted.max(free);
            free = slots[*slot].y + slots[*slot].height + BETWEEN_BOXES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::layout;

    /// Pseudorandom numbers, which are the same each time.
    fn numbers() -> impl FnMut(usize) -> usize {
        let mut state = 12345_u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        }
    }

    #[test]
    fn boxes_do_not_overlap_and_lanes_pass_between_them() {
        let mut next = numbers();
        for _ in 0..300 {
            let count = 1 + next(12);
            let sizes: Vec<(i32, i32)> = (0..count).map(|_| (40 + next(120) as i32, 30 + next(90) as i32)).collect();
            let lines: Vec<(usize, usize)> = (0..next(20)).map(|_| (next(count), next(count))).collect();
            let placed = layout(&sizes, &lines);
            let boxes: Vec<_> =
                placed.corners.iter().zip(&sizes).map(|((x, y), (w, h))| (*x, *y, x + w, y + h)).collect();
            for (index, a) in boxes.iter().enumerate() {
                assert!(a.0 >= 0 && a.1 >= 0 && a.2 <= placed.width && a.3 <= placed.height);
                let apart = |b: &(i32, i32, i32, i32)| a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                assert!(boxes[..index].iter().all(apart), "{sizes:?} {lines:?}");
            }
            for (x, y) in placed.lanes.iter().flatten() {
                assert!(!boxes.iter().any(|b| b.0 < *x && *x < b.2 && b.1 < *y && *y < b.3), "{sizes:?} {lines:?}");
            }
        }
    }

    #[test]
    fn lists_lie_in_a_row() {
        let placed = layout(&[(50, 40); 4], &[(0, 1), (1, 2), (2, 3)]);
        assert!(placed.corners.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 == pair[1].1));
    }
}
