//! `--values`: counterexamples in terms of the language that a program was translated from.

use crate::error::Fallible;
use echis::FileResult;
use echis_report::{Mapping, in_source};
use std::path::Path;

/// The mapping to use.
pub enum Values {
    None,
    /// The bundled one that recognises the program.
    Auto,
    Given(Box<Mapping>),
}

impl Values {
    /// Parses the option's value: `auto`, `none`, the name of a bundled mapping, or the path of a file.
    pub fn new(option: &str) -> Fallible<Self> {
        match option {
            "auto" => return Ok(Values::Auto),
            "none" => return Ok(Values::None),
            _ => {}
        }
        if let Some(mapping) = Mapping::named(option) {
            return Ok(Values::Given(Box::new(mapping)));
        }
        if Path::new(option).extension().is_none() {
            let names: Vec<&str> = Mapping::names().collect();
            return Err(
                format!("--values: `{option}` is not known; use auto, none, {} or a file", names.join(", ")).into()
            );
        }
        let text = std::fs::read_to_string(option).map_err(|error| format!("{option}: {error}"))?;
        let mapping = Mapping::read(&text).map_err(|error| format!("{option}: {error}"))?;
        Ok(Values::Given(Box::new(mapping)))
    }
    /// Adds its view in terms of the source language to each counterexample.
    pub fn show(&self, file: &mut FileResult) {
        if file.errors.iter().all(|error| error.counterexample.is_none()) {
            return;
        }
        let recognised;
        let mapping = match self {
            Values::None => return,
            Values::Given(mapping) => Some(&**mapping),
            Values::Auto => {
                let text = file.sources.files().next().map(|(_, file)| file.text.clone());
                recognised = text.and_then(|text| Mapping::recognised(&text));
                recognised.as_ref()
            }
        };
        let Some(mapping) = mapping else { return };
        for example in file.errors.iter_mut().filter_map(|error| error.counterexample.as_mut()) {
            example.in_source = Some(in_source(example, mapping));
        }
    }
}
