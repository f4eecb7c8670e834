//! Source locations in programs printed by Dafny, which are in comments and attributes.

use echis_base::{Name, Span};

/// Locations in a Dafny program, by position in the printed text.
#[derive(Default)]
pub struct Places {
    /// The location of the code after a position. `None` at the start of a declaration.
    statements: Vec<(u32, Option<Name>)>,
    /// The locations of bodies.
    bodies: Vec<(u32, Name)>,
}

impl Places {
    pub fn read(text: &str) -> Self {
        let mut places = Places::default();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let start = offset;
            offset += line.len() as u32;
            let trimmed = line.trim();
            if let Some(mark) = trimmed.strip_prefix("// ----- ") {
                let place = mark.rsplit(' ').next().filter(|place| is_place(place));
                places.statements.extend(place.map(|place| (start, Some(place.into()))));
            } else if trimmed.starts_with("procedure ") || trimmed.starts_with("implementation ") {
                places.statements.push((start, None));
            } else if let Some(place) = initial_state(trimmed) {
                places.bodies.push((start, place.into()));
            }
        }
        places
    }
    /// Whether no statement has a location.
    pub fn is_empty(&self) -> bool {
        self.statements.iter().all(|(_, place)| place.is_none())
    }
    /// The location of a statement.
    pub fn of(&self, statement: Span) -> Option<&Name> {
        let behind = self.statements.partition_point(|(start, _)| *start <= statement.start);
        self.statements[..behind].last()?.1.as_ref()
    }
    /// The location of an implementation's body.
    pub fn body(&self, implementation: Span) -> Option<&Name> {
        let next = self.bodies.partition_point(|(start, _)| *start <= implementation.start);
        self.bodies.get(next).map(|(_, place)| place)
    }
}

/// `name.dfy(12,3)`
fn is_place(text: &str) -> bool {
    let position = text.strip_suffix(')').and_then(|text| text.split_once(".dfy("));
    position
        .and_then(|(_, position)| position.split_once(','))
        .is_some_and(|(line, column)| line.parse::<u32>().is_ok() && column.parse::<u32>().is_ok())
}

/// `assume {:captureState "name.dfy(6,0): initial state"} true;`
fn initial_state(line: &str) -> Option<&str> {
    let (place, rest) = line.strip_prefix("assume {:captureState \"")?.split_once("): ")?;
    let place = &line[line.find(place)?..][..place.len() + 1];
    (rest.starts_with("initial state") && is_place(place)).then_some(place)
}
