//! S-expressions, the syntax of everything that is printed and parsed again.

use crate::error::TextError;

/// A list or a word. Words containing blanks or brackets are written between bars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexp {
    Word(String),
    List(Vec<Sexp>),
}

impl Sexp {
    /// All expressions in a text; `;` starts a comment.
    pub fn read_all(text: &str) -> Result<Vec<Sexp>, TextError> {
        let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            let mut finished = None;
            match first {
                '(' => open.push(Vec::new()),
                ')' => finished = Some(Sexp::List(open.pop().unwrap_or_default())),
                ';' => length = rest.find('\n').unwrap_or(rest.len()),
                '|' => {
                    let end = rest[1..].find('|').ok_or(TextError::Unbalanced("a word between bars has no end"))?;
                    finished = Some(Sexp::Word(rest[1..=end].to_string()));
                    length = end + 2;
                }
                _ if first.is_whitespace() => {}
                _ => {
                    length = rest.find(|c: char| c.is_whitespace() || "()|;".contains(c)).unwrap_or(rest.len());
                    finished = Some(Sexp::Word(rest[..length].to_string()));
                }
            }
            if let Some(finished) = finished {
                open.last_mut().ok_or(TextError::Unbalanced("a closing bracket too many"))?.push(finished);
            }
            rest = &rest[length..];
        }
        match (open.pop(), open.is_empty()) {
            (Some(all), true) => Ok(all),
            _ => Err(TextError::Unbalanced("a bracket is not closed")),
        }
    }

    pub fn word(&self) -> Result<&str, TextError> {
        match self {
            Sexp::Word(word) => Ok(word),
            Sexp::List(_) => Err(TextError::NoWord),
        }
    }

    pub fn list(&self) -> Result<&[Sexp], TextError> {
        match self {
            Sexp::List(items) => Ok(items),
            Sexp::Word(word) => Err(TextError::NoList(word.clone())),
        }
    }
}

/// A name as one word.
pub fn quoted(name: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !"()|;%".contains(c);
    let first = name.chars().next();
    let number = first.is_none_or(|c| c.is_ascii_digit() || c == '-');
    if number || !name.chars().all(plain) { format!("|{name}|") } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lists_are_read() {
        let read = Sexp::read_all("(a |b (c| (d)) ; rest\n e").unwrap();
        let word = |text: &str| Sexp::Word(text.to_string());
        let inner = Sexp::List(vec![word("a"), word("b (c"), Sexp::List(vec![word("d")])]);
        assert_eq!(read, [inner, word("e")]);
        assert!(Sexp::read_all("(a").is_err() && Sexp::read_all("a)").is_err());
        assert!(Sexp::read_all(&"(".repeat(100_000)).is_err());
    }
}
