//! Line specifications on the command line.

/// A line, optionally with a column and a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSpec {
    pub file: Option<String>,
    pub line: u32,
    pub column: Option<u32>,
}

/// A text that is not a valid line specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidLineSpec(String);

impl std::fmt::Display for InvalidLineSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hint = "give LINE, LINE:COLUMN or FILE:LINE[:COLUMN], and the program before the option";
        write!(f, "`{}` is not a place; {hint}", self.0)
    }
}

impl std::error::Error for InvalidLineSpec {}

impl std::str::FromStr for LineSpec {
    type Err = InvalidLineSpec;
    fn from_str(text: &str) -> Result<Self, InvalidLineSpec> {
        let wrong = || InvalidLineSpec(text.to_string());
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (before, last) = text.rsplit_once(':').map_or((None, text), |(before, last)| (Some(before), last));
        let last = number(last).ok_or_else(wrong)?;
        let Some(before) = before else { return Ok(LineSpec { file: None, line: last, column: None }) };
        if let Some(line) = number(before) {
            return Ok(LineSpec { file: None, line, column: Some(last) });
        }
        let named = |file: &str| if file.is_empty() { Err(wrong()) } else { Ok(Some(file.to_string())) };
        match before.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
            Some((file, line)) => Ok(LineSpec { file: named(file)?, line, column: Some(last) }),
            None => Ok(LineSpec { file: named(before)?, line: last, column: None }),
        }
    }
}
