//! Collections as types with axioms, one type per element type.

use crate::names;
use echis_program::program::{Program, Type};
use std::collections::BTreeSet;

/// The part that does not depend on the program.
pub const BASE: &str = include_str!("../library/base.bpl");
const SEQ: &str = include_str!("../library/seq.bpl");
const RANGE: &str = include_str!("../library/range.bpl");
const SET: &str = include_str!("../library/set.bpl");
const MULTISET: &str = include_str!("../library/multiset.bpl");
const MAP: &str = include_str!("../library/map.bpl");

/// The declarations for all collections among the types.
pub fn declare(program: &Program, types: &BTreeSet<Type>) -> String {
    let mut text = String::new();
    for ty in types {
        let name = names::mangled(program, ty);
        let element = |item: &Type| names::ty(program, item);
        match ty {
            Type::Seq(item) => {
                text += &SEQ.replace("$S", &name).replace("$T", &element(item));
                if **item == Type::Int {
                    text += RANGE;
                }
            }
            Type::Set(item) => text += &SET.replace("$S", &name).replace("$T", &element(item)),
            Type::Multiset(item) => text += &MULTISET.replace("$S", &name).replace("$T", &element(item)),
            Type::Map(from, to) => {
                let set = |item: &Type| names::mangled(program, &Type::Set(Box::new(item.clone())));
                let map = MAP.replace("$D", &set(from)).replace("$R", &set(to));
                text += &map.replace("$S", &name).replace("$K", &element(from)).replace("$V", &element(to));
            }
            _ => continue,
        }
        text.push('\n');
    }
    text
}
