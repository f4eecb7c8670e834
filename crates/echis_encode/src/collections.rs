//! Collections as types with axioms, one type per element type.

use crate::names;
use echis_boogie::build::Builder;
use echis_program::program::{Program, Type};
use std::collections::BTreeSet;

/// The part that does not depend on the program.
pub const BASE: &str = include_str!("../library/base.bpl");
const SEQ: &str = include_str!("../library/seq.bpl");
const RANGE: &str = include_str!("../library/range.bpl");
const SET: &str = include_str!("../library/set.bpl");
const MULTISET: &str = include_str!("../library/multiset.bpl");
const MAP: &str = include_str!("../library/map.bpl");

/// Declares all collections among the types.
pub fn declare(program: &Program, types: &BTreeSet<Type>, out: &mut Builder) {
    for ty in types {
        let name = names::mangled(program, ty);
        let element = |item: &Type| names::ty(program, item).to_string();
        match ty {
            Type::Seq(item) => {
                out.library(&SEQ.replace("$S", &name).replace("$T", &element(item)));
                if **item == Type::Int {
                    out.library(RANGE);
                }
            }
            Type::Set(item) => out.library(&SET.replace("$S", &name).replace("$T", &element(item))),
            Type::Multiset(item) => out.library(&MULTISET.replace("$S", &name).replace("$T", &element(item))),
            Type::Map(from, to) => {
                let set = |item: &Type| names::mangled(program, &Type::Set(Box::new(item.clone())));
                let map = MAP.replace("$D", &set(from)).replace("$R", &set(to));
                out.library(&map.replace("$S", &name).replace("$K", &element(from)).replace("$V", &element(to)));
            }
            _ => {}
        }
    }
}
