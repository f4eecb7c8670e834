//! Parses the clauses before the body of a member or a loop as text, so that macros need no special treatment.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Requires,
    Ensures,
    Invariant,
    Decreases,
}

impl Clause {
    pub const ALL: [Clause; 4] = [Clause::Requires, Clause::Ensures, Clause::Invariant, Clause::Decreases];

    pub fn word(self) -> &'static str {
        match self {
            Clause::Requires => "requires",
            Clause::Ensures => "ensures",
            Clause::Invariant => "invariant",
            Clause::Decreases => "decreases",
        }
    }
}

/// The positions of the clauses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub start: usize,
    /// Kind, start of the keyword and end of each clause.
    pub clauses: Vec<(Clause, usize, usize)>,
    /// The start of the body, or the end of the declaration.
    pub end: usize,
    pub has_body: bool,
}

impl Header {
    /// Parses the header between `start` and `end`. `None` if the body is not found.
    pub fn read(text: &str, start: usize, end: usize, has_body: bool) -> Option<Header> {
        let mut scan = Scan { text: text.get(..end)?, at: start, depth: 0, before: String::new() };
        let mut keywords: Vec<(Clause, usize)> = Vec::new();
        // The end of the previous token, since comments do not belong to clauses.
        let (mut behind, mut ends) = (start, Vec::new());
        let brace = loop {
            let Some((at, token)) = scan.next() else { break None };
            if token == "{" && scan.depth == 1 && !scan.opens_trigger() {
                break Some(at);
            }
            if let Some(clause) = Clause::ALL.into_iter().find(|clause| clause.word() == token && scan.depth == 0) {
                ends.push(behind);
                keywords.push((clause, at));
            }
            behind = at + token.len();
            scan.remember(token);
        };
        if brace.is_none() && has_body {
            return None;
        }
        ends.push(behind);
        let clauses = keywords.iter().zip(&ends[1..]).map(|((clause, at), end)| (*clause, *at, *end)).collect();
        Some(Header { start, clauses, end: brace.unwrap_or(behind), has_body })
    }
}

/// Reads words and symbols, comments and strings left aside.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// The previous token: `::`, or `}` if it ended a trigger.
    before: String,
}

impl<'t> Scan<'t> {
    fn next(&mut self) -> Option<(usize, &'t str)> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = rest.chars().next()?;
            let skipped = match first {
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                c if c.is_whitespace() => c.len_utf8(),
                _ => break,
            };
            self.at += skipped;
        }
        let rest = self.text.get(self.at..)?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
        let first = rest.chars().next()?;
        let length = match first {
            c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        let (at, token) = (self.at, &rest[..length]);
        self.at += length;
        match token {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Some((at, token))
    }
    fn opens_trigger(&self) -> bool {
        self.before == "::" || self.before == "}"
    }
    fn remember(&mut self, token: &str) {
        self.before = token.to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, has_body: bool) -> (Vec<(Clause, &str)>, &str) {
        let header = Header::read(text, 0, text.len(), has_body).expect("there is one");
        let clauses = header.clauses.iter().map(|(clause, start, end)| (*clause, &text[*start..*end])).collect();
        (clauses, &text[header.end..])
    }

    #[test]
    fn clauses_end_before_the_next_one() {
        let text = "method m(a: Int) requires p(a) // requires\n  ensures forall i: Int :: {f(i)} {g(i)} f(i) == g(i)\n  decreases\n{ a := 1 }";
        let (clauses, body) = read(text, true);
        assert_eq!(
            clauses,
            [
                (Clause::Requires, "requires p(a)"),
                (Clause::Ensures, "ensures forall i: Int :: {f(i)} {g(i)} f(i) == g(i)"),
                (Clause::Decreases, "decreases"),
            ]
        );
        assert_eq!(body, "{ a := 1 }");
    }

    #[test]
    fn headers_without_bodies_end_with_the_declaration() {
        assert_eq!(
            read("function f(a: Int): Int\n  ensures a > 0", false),
            (vec![(Clause::Ensures, "ensures a > 0")], "")
        );
    }
}
