//! Suggestions for misspelt names.

/// The candidate that is nearest to a misspelt name, if one is near enough to be meant: one slip in short names, two in
/// long ones. Among equally near ones the first in the order of names.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let most = match length {
        0..=1 => return None,
        2..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    let near = candidates.into_iter().filter_map(|candidate| {
        let other = candidate.chars().take(LONGEST + most + 1).count();
        if length.abs_diff(other) > most || other < 2 {
            return None;
        }
        let slips = slips(name, candidate);
        (0 < slips && slips <= most).then_some((slips, candidate))
    });
    near.min().map(|(_, candidate)| candidate)
}

/// Longer names are generated, not misspelt.
const LONGEST: usize = 60;

/// How many characters must be added, taken away, replaced or swapped with their neighbour. Upper and lower case are one.
fn slips(a: &str, b: &str) -> usize {
    match strsim::osa_distance(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()) {
        // Two names that differ only in case are as near as can be, and still not the same.
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
