//! `echis deps --diff OLD NEW`

use super::{failed, load, unsupported};
use crate::args::{Common, Format};
use crate::exit::Exit;
use crate::output::print;
use echis::depend::{Queries, difference};
use echis_report::deps;
use std::path::Path;

/// Compares two saved graphs, without verifying anything.
pub fn run(common: &Common, old: &Path, new: &Path) -> Exit {
    if let Some(form) = unsupported(common.format) {
        return failed(format!("`deps` has no {form} format; use human, json or jsonl"));
    }
    let (before, after) = match (load(old), load(new)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(message), _) | (_, Err(message)) => return failed(&message),
    };
    let (before, after) = ((&*before.0, &before.1, &before.2), (&*after.0, &after.1, &after.2));
    if before.2.definition != after.2.definition {
        return failed("the graphs were saved with different definitions; save both with the same --definition");
    }
    let old = Queries { view: before.1, graph: before.2 };
    let new = Queries { view: after.1, graph: after.2 };
    let found = difference(old, new);
    print(&match common.format {
        Format::Human => deps::human_difference(old, new, &found),
        _ => deps::difference((before.0, old), (after.0, new), &found),
    });
    Exit::Success
}
