//! Places in programs, as they are written on the command line.

/// A line, optionally with a column and a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: Option<String>,
    pub line: u32,
    pub column: Option<u32>,
}

/// A text that is not a valid place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoPlace(String);

impl std::fmt::Display for NoPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hint = "give LINE, LINE:COLUMN or FILE:LINE[:COLUMN], and the program before the option";
        write!(f, "`{}` is not a place; {hint}", self.0)
    }
}

impl std::error::Error for NoPlace {}

impl std::str::FromStr for Place {
    type Err = NoPlace;
    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let wrong = || NoPlace(text.to_string());
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (before, last) = text.rsplit_once(':').map_or((None, text), |(before, last)| (Some(before), last));
        let last = number(last).ok_or_else(wrong)?;
        let Some(before) = before else { return Ok(Place { file: None, line: last, column: None }) };
        if let Some(line) = number(before) {
            return Ok(Place { file: None, line, column: Some(last) });
        }
        let named = |file: &str| if file.is_empty() { Err(wrong()) } else { Ok(Some(file.to_string())) };
        match before.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
            Some((file, line)) => Ok(Place { file: named(file)?, line, column: Some(last) }),
            None => Ok(Place { file: named(before)?, line: last, column: None }),
        }
    }
}
