//! A front end's description of its encoding: how values are represented, and what is hidden. It affects only how
//! counterexamples are printed.

use super::pattern::Pattern;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// The source language.
    pub(super) language: String,
    /// Texts that occur in programs of this front end. Without any, the mapping is used only if named.
    #[serde(default)]
    pub(super) recognised_by: Vec<String>,
    #[serde(default)]
    pub(super) hide: Hide,
    #[serde(default)]
    pub(super) name: Vec<NameRule>,
    #[serde(default, rename = "type")]
    pub(super) types: Vec<ValueRule>,
    #[serde(default)]
    pub(super) value: Vec<ValueRule>,
    #[serde(default)]
    pub(super) words: Words,
}

/// Names of hidden things.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Hide {
    pub variables: Vec<Pattern>,
    pub fields: Vec<Pattern>,
    pub predicates: Vec<Pattern>,
    pub functions: Vec<Pattern>,
    /// All functions of these domains are hidden.
    pub domains: Vec<Pattern>,
    /// Heaps: `old`, and labels.
    pub states: Vec<Pattern>,
}

/// How a name of the program is printed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameRule {
    pub from: Pattern,
    pub to: String,
}

/// How a reference or a domain value is printed, and how it is recognised.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawRule")]
pub(super) struct ValueRule {
    pub by: By,
    pub shown: String,
}

#[derive(Clone, Debug)]
pub(super) enum By {
    /// It is the result of this function: `{0}`, `{1}` are the arguments, `{call}` is the application.
    ResultOf(Pattern),
    /// It is the first argument of this function: `{result}`, `{1}`.
    ArgumentOf(Pattern),
    /// It has this field: `{value}`.
    Field(Pattern),
    /// It has fields that match: `{fields}` lists `name: value`, `{values}` the values.
    Fields(Pattern),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    result_of: Option<Pattern>,
    argument_of: Option<Pattern>,
    field: Option<Pattern>,
    fields: Option<Pattern>,
    shown: String,
}

impl TryFrom<RawRule> for ValueRule {
    type Error = &'static str;
    fn try_from(rule: RawRule) -> Result<Self, Self::Error> {
        let RawRule { result_of, argument_of, field, fields, shown } = rule;
        let by = [
            result_of.map(By::ResultOf),
            argument_of.map(By::ArgumentOf),
            field.map(By::Field),
            fields.map(By::Fields),
        ];
        let mut by = by.into_iter().flatten();
        match (by.next(), by.next()) {
            (Some(by), None) => Ok(ValueRule { by, shown }),
            _ => Err("a rule has one of `result_of`, `argument_of`, `field` and `fields`"),
        }
    }
}

/// How Viper's built-in values are printed.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Words {
    pub r#true: String,
    pub r#false: String,
    pub null: String,
    /// `{}` is the list of elements, separated by commas.
    pub sequence: String,
    pub set: String,
    pub map: String,
    /// The text between key and value.
    pub entry: String,
}

impl Default for Words {
    fn default() -> Self {
        let [r#true, r#false, null, sequence, set, map, entry] =
            ["true", "false", "null", "Seq({})", "Set({})", "Map({})", " := "].map(str::to_string);
        Words { r#true, r#false, null, sequence, set, map, entry }
    }
}

/// The bundled mappings: name and text.
const SHIPPED: [(&str, &str); 4] = [
    ("nagini", include_str!("../../values/nagini.toml")),
    ("gobra", include_str!("../../values/gobra.toml")),
    ("prusti", include_str!("../../values/prusti.toml")),
    ("2vyper", include_str!("../../values/2vyper.toml")),
];

impl Mapping {
    /// Parses a mapping.
    ///
    /// # Errors
    /// If the text is not a mapping, returns the reason.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_string())
    }
    /// A bundled mapping.
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        Self::read(text).ok()
    }
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }
    /// The bundled mapping whose front end generated this program, as far as the text tells.
    pub fn recognised(program: &str) -> Option<Self> {
        SHIPPED.iter().filter_map(|(_, text)| Self::read(text).ok()).find(|mapping| mapping.recognises(program))
    }
    fn recognises(&self, program: &str) -> bool {
        !self.recognised_by.is_empty() && self.recognised_by.iter().all(|text| program.contains(text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_mappings_can_be_read() {
        for (name, text) in SHIPPED {
            if let Err(error) = Mapping::read(text) {
                panic!("{name}: {error}");
            }
        }
    }

    #[test]
    fn unknown_keys_are_errors() {
        assert!(Mapping::read("language = \"X\"\nhidden = []").is_err());
        assert!(Mapping::read("language = \"X\"\n[hide]\nvariable = []").is_err());
    }
}
