//! Random edits of programs, similar to those of users: some change what is proved, most do not.

/// SplitMix64: the same seed gives the same edits on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }
    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.below(items.len());
        items.get(index)
    }
}

/// Pairs of interchangeable tokens.
const SWAPS: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" == ", " != "),
    (" != ", " == "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" && ", " || "),
    (" + ", " - "),
    (" - ", " + "),
    ("write", "1/2"),
    ("true", "false"),
    ("false", "true"),
    ("assert ", "assume "),
    ("assume ", "assert "),
    ("inhale ", "exhale "),
    ("requires ", "ensures "),
    ("ensures ", "requires "),
];

/// The text after one random edit, which may not be a valid program.
pub fn edited(text: &str, random: &mut Random) -> String {
    match random.below(10) {
        0 | 1 => without_line(text, random),
        2 | 3 => other_number(text, random),
        4..=6 => other_word(text, random),
        7 => with_layout(text, random),
        8 => members_moved(text, random),
        _ => line_again(text, random),
    }
}

fn without_line(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let gone = random.below(lines.len());
    join(lines.iter().enumerate().filter(|(index, _)| *index != gone).map(|(_, line)| *line))
}

fn line_again(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let again = random.below(lines.len());
    join(lines.iter().enumerate().flat_map(|(index, line)| std::iter::repeat_n(*line, 1 + usize::from(index == again))))
}

fn other_number(text: &str, random: &mut Random) -> String {
    let is_number = |(at, byte): &(usize, u8)| {
        let before = at.checked_sub(1).map_or(b' ', |at| text.as_bytes()[at]);
        byte.is_ascii_digit() && !before.is_ascii_alphanumeric() && before != b'_'
    };
    let places: Vec<usize> = text.bytes().enumerate().filter(is_number).map(|(at, _)| at).collect();
    let Some(&at) = random.pick(&places) else { return text.to_string() };
    let end = text[at..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| at + length);
    format!("{}{}{}", &text[..at], random.below(4), &text[end..])
}

fn other_word(text: &str, random: &mut Random) -> String {
    let places: Vec<(usize, &str, &str)> =
        SWAPS.iter().flat_map(|(from, to)| text.match_indices(from).map(move |(at, _)| (at, *from, *to))).collect();
    let Some(&(at, from, to)) = random.pick(&places) else { return text.to_string() };
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

/// Inserts a comment or line breaks at a space.
fn with_layout(text: &str, random: &mut Random) -> String {
    let places: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    let Some(&at) = random.pick(&places) else { return text.to_string() };
    let layout = random.pick(&[" /* some words */ ", "\n\n", "  ", "\t", " // words\n"]).copied().unwrap_or(" ");
    format!("{}{layout}{}", &text[..at], &text[at + 1..])
}

/// Rotates the text, so that a random member comes first.
fn members_moved(text: &str, random: &mut Random) -> String {
    let starts = ["method", "function", "predicate", "field", "domain", "adt"];
    let places: Vec<usize> = starts
        .iter()
        .flat_map(|word| text.match_indices(&format!("\n{word} ")).map(|(at, _)| at + 1).collect::<Vec<_>>())
        .collect();
    let Some(&at) = random.pick(&places) else { return text.to_string() };
    format!("{}\n{}", &text[at..], &text[..at])
}

fn join<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}
