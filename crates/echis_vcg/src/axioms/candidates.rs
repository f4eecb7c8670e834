//! The axioms that may matter for a member, determined before they are translated: most of a large prelude does not.
//!
//! This follows what axioms mention in the program, without types, where [`reachable`](super::reachable) follows
//! the symbols of their instances. So it selects more, and translating only these changes no answer.

use echis_base::{FastMap, Name, SideTable};
use echis_boogie::Program;
use echis_boogie::ast::{Binary, ExprId, ExprKind, Quantified, Quantifier};
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::program::{AxiomId, FunctionId, Meaning, Reference, VarId, VarKind};
use echis_boogie::types::Type;
use echis_boogie::walk;
use echis_term::{SymbolId, SymbolRole, TermId, Terms};
use std::collections::BTreeSet;

/// The uninterpreted functions and the constants that something mentions.
#[derive(Clone, Default, Debug)]
pub struct Mentioned {
    pub functions: BTreeSet<FunctionId>,
    pub constants: BTreeSet<VarId>,
}

impl Mentioned {
    pub fn add(&mut self, other: &Mentioned) {
        self.functions.extend(other.functions.iter().copied());
        self.constants.extend(other.constants.iter().copied());
    }
    fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.constants.is_empty()
    }
    fn is_within(&self, other: &Mentioned) -> bool {
        self.functions.is_subset(&other.functions) && self.constants.is_subset(&other.constants)
    }
    fn meets(&self, other: &Mentioned) -> bool {
        !self.functions.is_disjoint(&other.functions) || !self.constants.is_disjoint(&other.constants)
    }
}

/// What the axioms and the bodies of functions mention.
pub struct Candidates {
    axioms: Vec<(AxiomId, Condition)>,
    bodies: SideTable<FunctionId, Mentioned>,
    functions: FastMap<Name, FunctionId>,
    constants: FastMap<Name, VarId>,
}

struct Condition {
    all: Mentioned,
    /// The mentions of each trigger. Without any, whatever it mentions leads to the axiom.
    triggers: Vec<Mentioned>,
    /// Whether it may share symbols with others that are not mentioned in the program.
    is_opaque: bool,
}

impl Candidates {
    pub fn of(program: &Program) -> Self {
        let mut reader = Reader { program, expansions: SideTable::default() };
        let axioms = program.axioms.iter().map(|(id, axiom)| (id, reader.condition(axiom.condition))).collect();
        let mut bodies = SideTable::default();
        for (id, function) in program.functions.iter() {
            if let (Some(body), Meaning::Axiom) = (function.body, function.meaning) {
                bodies.set(id, reader.mentioned([body]).0);
            }
        }
        let functions = program.functions.iter().map(|(id, function)| (function.name.clone(), id)).collect();
        let constants = program.vars.iter().filter(|(_, var)| matches!(var.kind, VarKind::Const { .. }));
        let constants = constants.map(|(id, var)| (var.name.clone(), id)).collect();
        Candidates { axioms, bodies, functions, constants }
    }
    /// What terms mention.
    pub fn mentioned(&self, terms: &Terms, all: impl IntoIterator<Item = TermId>) -> Mentioned {
        let mut found = Mentioned::default();
        let symbols: BTreeSet<SymbolId> = all.into_iter().flat_map(|term| terms.symbols_of(term)).collect();
        for symbol in symbols {
            match &terms.symbol(symbol).role {
                SymbolRole::BoogieFunction { function, .. } => {
                    found.functions.extend(self.functions.get(function));
                }
                SymbolRole::BoogieConstant(name) => found.constants.extend(self.constants.get(name)),
                _ => {}
            }
        }
        found
    }
    /// The axioms that what is mentioned may lead to, in any number of steps.
    pub fn reached(&self, mut known: Mentioned) -> BTreeSet<AxiomId> {
        let mut left: Vec<&(AxiomId, Condition)> = self.axioms.iter().collect();
        let mut expanded: BTreeSet<FunctionId> = BTreeSet::new();
        let mut reached = BTreeSet::new();
        loop {
            let new: Vec<FunctionId> = known.functions.difference(&expanded).copied().collect();
            new.iter().filter_map(|function| self.bodies.get(*function)).for_each(|body| known.add(body));
            let mut is_done = new.is_empty();
            expanded.extend(new);
            left.retain(|(id, condition)| {
                let matters = condition.matters(&known);
                if matters {
                    reached.insert(*id);
                    known.add(&condition.all);
                    is_done = false;
                }
                !matters
            });
            if is_done {
                return reached;
            }
        }
    }
}

impl Condition {
    fn matters(&self, known: &Mentioned) -> bool {
        match &self.triggers[..] {
            [] => self.is_opaque || self.all.is_empty() || self.all.meets(known),
            triggers => triggers.iter().any(|trigger| trigger.is_within(known)),
        }
    }
}

struct Reader<'p> {
    program: &'p Program,
    /// The mentions of bodies that replace applications of their functions.
    expansions: SideTable<FunctionId, (Mentioned, bool)>,
}

impl Reader<'_> {
    fn condition(&mut self, expr: ExprId) -> Condition {
        let (all, is_opaque) = self.mentioned([expr]);
        let triggers = self.triggers(expr).unwrap_or_default();
        Condition { all, triggers, is_opaque }
    }
    /// The triggers of an axiom that is a quantifier over values.
    fn triggers(&mut self, mut expr: ExprId) -> Option<Vec<Mentioned>> {
        loop {
            let ExprKind::Quantified(quantified) = self.program.kind(expr) else { return None };
            let vars = &self.program.binders.get(expr)?.vars;
            if vars.is_empty() && quantified.quantifier != Quantifier::Lambda {
                expr = quantified.body;
                continue;
            }
            if !self.is_about(quantified, vars) {
                return None;
            }
            return Some(quantified.triggers.iter().map(|terms| self.mentioned(terms.iter().copied()).0).collect());
        }
    }
    /// Whether the body mentions a variable. Otherwise, the axiom is its body.
    fn is_about(&self, quantified: &Quantified, vars: &[VarId]) -> bool {
        let mut found = false;
        walk::for_each(&self.program.tree, quantified.body, &mut |part| {
            found |= matches!(self.program.references.get(part), Some(Reference::Var(var)) if vars.contains(var));
        });
        found
    }
    /// The mentions of terms, and whether they may become symbols of the engine.
    fn mentioned(&mut self, exprs: impl IntoIterator<Item = ExprId>) -> (Mentioned, bool) {
        let program = self.program;
        let (mut found, mut is_opaque) = (Mentioned::default(), false);
        for expr in exprs {
            walk::for_each(&program.tree, expr, &mut |part| {
                is_opaque |= self.is_opaque(part);
                match program.references.get(part) {
                    Some(Reference::Var(var)) if matches!(program.vars[*var].kind, VarKind::Const { .. }) => {
                        found.constants.insert(*var);
                    }
                    Some(Reference::Function(function)) => {
                        let (more, opaque) = self.applied(*function);
                        found.add(&more);
                        is_opaque |= opaque;
                    }
                    _ => {}
                }
            });
        }
        (found, is_opaque)
    }
    fn applied(&mut self, function: FunctionId) -> (Mentioned, bool) {
        let declared = &self.program.functions[function];
        if let (Some(body), Meaning::Inline | Meaning::Define) = (declared.body, declared.meaning) {
            if let Some(known) = self.expansions.get(function) {
                return known.clone();
            }
            // The checker has ensured that expansion terminates.
            let found = self.mentioned([body]);
            self.expansions.set(function, found.clone());
            return found;
        }
        let is_builtin = [Known::Builtin, Known::BvBuiltin]
            .into_iter()
            .any(|known| text_attribute(&declared.attributes, known).is_some());
        let mut found = Mentioned::default();
        if declared.datatype.is_none() && !is_builtin {
            found.functions.insert(function);
        }
        (found, false)
    }
    /// Whether an expression may become an application of a function that the program does not have.
    fn is_opaque(&self, expr: ExprId) -> bool {
        match self.program.kind(expr) {
            ExprKind::Code(_) | ExprKind::Bounds { .. } => true,
            ExprKind::Select(map, _) | ExprKind::Store(map, ..) => {
                matches!(self.program.type_of(*map).head(), Type::Map(map) if !map.params.is_empty())
            }
            ExprKind::Quantified(quantified) => quantified.quantifier == Quantifier::Lambda,
            ExprKind::Binary(Binary::Pow, ..) => true,
            ExprKind::Binary(Binary::Eq | Binary::Ne, left, right) => {
                self.program.type_of(*left).canonical() != self.program.type_of(*right).canonical()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::{Key, SourceMap};

    /// The positions of the axioms that are reached from a function.
    fn reached(text: &str, from: &str) -> Vec<usize> {
        let checked = echis_boogie::check_program(SourceMap::default().next_file(), text);
        assert!(checked.errors.is_empty(), "{:?}", checked.errors);
        let program = checked.program.expect("a program without errors");
        let candidates = Candidates::of(&program);
        let functions = BTreeSet::from([candidates.functions[from]]);
        let known = Mentioned { functions, ..Mentioned::default() };
        candidates.reached(known).into_iter().map(Key::index).collect()
    }

    #[test]
    fn triggers_lead_to_axioms() {
        let text = "function f(x: int): int; function g(x: int): int; function h(x: int): int; const c: int;
            axiom (forall x: int :: {h(x)} h(x) == 0);
            axiom (forall x: int :: {g(x), f(x)} g(x) == h(x));
            axiom (forall x: int :: {f(x)} f(x) == g(c));
            axiom c == 3;";
        assert_eq!(reached(text, "f"), [0, 1, 2, 3]);
        assert_eq!(reached(text, "g"), [0; 0]);
        assert_eq!(reached(text, "h"), [0]);
    }

    #[test]
    fn bodies_lead_to_axioms() {
        let text = "function f(x: int): int { twice(x) } function {:inline} twice(x: int): int { g(x) + g(x) }
            function g(x: int): int; axiom (forall x: int :: {g(x)} g(x) == 0);";
        assert_eq!(reached(text, "f"), [0]);
    }

    #[test]
    fn what_has_no_trigger_or_no_function_is_kept() {
        let text = "function f(x: int): int; function g(x: int): int; const m: <a>[a]int;
            axiom (forall x: int :: {f(x)} 1 == 2);
            axiom (forall x: int :: f(x) == g(x));
            axiom m[true] == 1;";
        assert_eq!(reached(text, "g"), [0, 1, 2]);
    }
}
