//! The resources that an expression can read, including through predicates and functions.

use echis_base::IndexVec;
use echis_boogie::build;
use echis_program::program::{ExprId, ExprKind, FieldId, FunctionId, Location, OldState, PredicateId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The kinds of locations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    Field(FieldId),
    Predicate(PredicateId),
    /// Wands of one shape, by the number of the shape in the program.
    Wand(usize),
}

pub type Resources = BTreeSet<Resource>;

/// The resources reachable from each predicate (including itself) and function.
pub struct Behind {
    pub predicates: IndexVec<PredicateId, Resources>,
    pub functions: IndexVec<FunctionId, Resources>,
}

impl Behind {
    pub fn new(program: &Program) -> Self {
        let predicates = program.predicates.keys().map(|id| BTreeSet::from([Resource::Predicate(id)])).collect();
        let functions = program.functions.keys().map(|_| BTreeSet::new()).collect();
        let mut behind = Behind { predicates, functions };
        // Sets only grow, so this ends.
        loop {
            let mut grown = false;
            for id in program.predicates.keys() {
                let mut found = behind.of_all(program, &program.predicate_roots(id));
                found.insert(Resource::Predicate(id));
                grown |= found.len() > behind.predicates[id].len();
                behind.predicates[id].extend(found);
            }
            for id in program.functions.keys() {
                let found = behind.of_all(program, &program.function_roots(id));
                grown |= found.len() > behind.functions[id].len();
                behind.functions[id].extend(found);
            }
            if !grown {
                return behind;
            }
        }
    }
    pub fn of_all(&self, program: &Program, exprs: &[ExprId]) -> Resources {
        let mut found = BTreeSet::new();
        exprs.iter().for_each(|expr| self.of(program, *expr, &mut found));
        found
    }
    fn of(&self, program: &Program, expr: ExprId, found: &mut Resources) {
        program.visit_with_triggers(expr, |_, kind| match kind {
            ExprKind::Field { field, .. } => drop(found.insert(Resource::Field(*field))),
            ExprKind::FunctionApp { function, .. } => found.extend(&self.functions[*function]),
            ExprKind::PredicateInstance { predicate, .. } => found.extend(&self.predicates[*predicate]),
            ExprKind::Unfolding { access, .. } => found.extend(&self.predicates[access.predicate]),
            ExprKind::PermOf(location)
            | ExprKind::ForPerm { location, .. }
            | ExprKind::Acc { location, .. }
            | ExprKind::ForallAcc { location, .. }
            | ExprKind::TriggerLocation(location) => self.location(location, found),
            _ => {}
        });
    }
    pub fn location(&self, location: &Location, found: &mut Resources) {
        match location {
            Location::Field { field, .. } => drop(found.insert(Resource::Field(*field))),
            Location::Predicate { predicate, .. } => found.extend(&self.predicates[*predicate]),
            Location::Wand(_) => {}
        }
    }
}

/// A wand in the program.
pub struct KnownWand {
    pub kind: usize,
    pub left: ExprId,
    pub right: ExprId,
    /// Its location: these expressions, and the earlier heaps that it reads at places that are not determined yet.
    pub holes: Vec<ExprId>,
    pub olds: Vec<(OldState, Resources)>,
}

/// The wands found so far.
#[derive(Default)]
pub struct Wands {
    pub of: BTreeMap<ExprId, Rc<KnownWand>>,
    pub kinds: BTreeMap<String, usize>,
    /// The types of what locates an instance, for each kind.
    pub keys: Vec<Vec<build::Type>>,
}

/// The types of a location's keys, and of its value; `None` for snapshots.
pub fn signature(program: &Program, resource: Resource) -> (Vec<Type>, Option<Type>) {
    match resource {
        // Their keys are not source types.
        Resource::Wand(_) => (Vec::new(), None),
        Resource::Field(field) => (vec![Type::Ref], Some(program.fields[field].ty.clone())),
        Resource::Predicate(predicate) => {
            let params = &program.predicates[predicate].params;
            (params.iter().map(|param| program.locals[*param].ty.clone()).collect(), None)
        }
    }
}
