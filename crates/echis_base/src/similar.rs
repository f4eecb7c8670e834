//! Suggestions for misspelt names.

/// The candidate that is nearest to a misspelt name, if one is near enough to be meant: one slip in short names, two in
/// long ones. Among equally near ones the first in the order of names.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().collect();
    let most = match name.len() {
        0..=1 => return None,
        2..=5 => 1,
        _ => 2,
    };
    if name.len() > LONGEST {
        return None;
    }
    let near = candidates.into_iter().filter_map(|candidate| {
        let other: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        if name.len().abs_diff(other.len()) > most || other.len() < 2 {
            return None;
        }
        let slips = slips(&name, &other);
        (0 < slips && slips <= most).then_some((slips, candidate))
    });
    near.min().map(|(_, candidate)| candidate)
}

/// Longer names are generated, not misspelt.
const LONGEST: usize = 60;

/// How many characters must be added, taken away, replaced or swapped with their neighbour. Upper and lower case are one.
fn slips(a: &[char], b: &[char]) -> usize {
    let same = |a: char, b: char| a == b || a.eq_ignore_ascii_case(&b);
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(!same(x, y))).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(x, b[j - 1]) && same(a[i - 1], y) {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    // Two names that differ only in case are as near as can be, and still not the same.
    match last[b.len()] {
        0 if a != b => 1,
        slips => slips,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not() {
        let names = ["count", "result", "list", "x", "next"];
        for (name, expected) in [
            ("coutn", Some("count")),
            ("Count", Some("count")),
            ("reslt", Some("result")),
            ("lst", Some("list")),
            ("nxt", Some("next")),
            ("y", None),
            ("value", None),
            ("cost", None),
            ("list", None),
        ] {
            assert_eq!(similar(name, names), expected, "{name}");
        }
    }
}
