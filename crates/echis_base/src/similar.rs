//! Suggestions for misspelt names.

/// The closest candidate to a misspelt name, if it is close enough: one edit for short names, two for long ones. Ties
/// are broken by name order.
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

/// Longer names are likely generated, so no suggestion is made for them.
const LONGEST: usize = 60;

/// The case-insensitive number of insertions, deletions, substitutions and transpositions between two names.
fn slips(a: &str, b: &str) -> usize {
    match strsim::osa_distance(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()) {
        // Names that differ only in case count as one edit.
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
