//! Evaluates terms with the tables of the model, as far as possible.

use echis_base::Key;
use echis_proof::scalar;
use echis_proof::{Head, Model, Raw, Table};
use echis_term::{Op, Sort, SortId, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Values of free variables.
pub type Env = BTreeMap<SymbolId, Raw>;

pub struct Tables<'a> {
    pub terms: &'a Terms,
    pub model: &'a Model,
    head: Head<'a>,
}

impl<'a> Tables<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model, head: Head<'a>) -> Self {
        Tables { terms, model, head }
    }
    pub fn eval(&self, term: TermId) -> Option<Raw> {
        self.eval_in(term, &Env::new())
    }
    pub fn eval_in(&self, term: TermId, env: &Env) -> Option<Raw> {
        if let Some(value) = self.model.watched.get(&term) {
            return Some(value.clone());
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.terms.kind(term) {
            TermKind::Bool(value) => Some(Raw::Bool(*value)),
            TermKind::Int(value) => Some(Raw::Int(value.clone())),
            TermKind::Perm(value) => Some(Raw::Perm(value.clone())),
            TermKind::App(symbol, args) => {
                if let Some(value) = env.get(symbol) {
                    return Some(value.clone());
                }
                self.look_up(term, args, env)
            }
            TermKind::Op(op, args) => self.op(term, *op, args, env),
            TermKind::Quant(_) => None,
        })
    }
    fn op(&self, term: TermId, op: Op, args: &[TermId], env: &Env) -> Option<Raw> {
        match op {
            Op::Ite => match self.eval_in(args[0], env)? {
                Raw::Bool(true) => self.eval_in(args[1], env),
                _ => self.eval_in(args[2], env),
            },
            _ => {
                let values: Vec<Option<Raw>> = args.iter().map(|arg| self.eval_in(*arg, env)).collect();
                scalar(op, &values).or_else(|| {
                    let values: Vec<Raw> = values.into_iter().collect::<Option<_>>()?;
                    self.model.value(&(self.head)(self.terms, term), &values).cloned()
                })
            }
        }
    }
    fn look_up(&self, term: TermId, args: &[TermId], env: &Env) -> Option<Raw> {
        let values: Vec<Raw> = args.iter().map(|arg| self.eval_in(*arg, env)).collect::<Option<_>>()?;
        self.model.value(&(self.head)(self.terms, term), &values).cloned()
    }
    pub fn null(&self) -> Option<&Raw> {
        self.model.value("null", &[])
    }
    /// The table of a declared symbol.
    pub fn of_symbol(&self, symbol: SymbolId) -> Option<&Table> {
        self.model.tables.get(&self.symbol_name(symbol))
    }
    /// Sessions number symbols; constants have terms, other symbols are identified only by number.
    pub fn symbol_name(&self, symbol: SymbolId) -> String {
        format!("f{}", symbol.index())
    }
    /// Likewise for sorts; elements are named after their sort.
    pub fn sort_name(&self, sort: SortId) -> String {
        match self.terms.sort_data(sort) {
            Sort::Ref => "Ref".to_string(),
            Sort::WandMap => "WandMap".to_string(),
            Sort::SnapMap { .. } => format!("M{}", sort.index()),
            _ => format!("S{}", sort.index()),
        }
    }
    /// The table that contains an application's value.
    pub fn head_of(&self, term: TermId) -> String {
        (self.head)(self.terms, term)
    }
    /// The table of an operator of a collection's theory. Its name ends with the sorts of the elements, just as the
    /// element's own name begins with its sort.
    pub fn of_collection(&self, operator: &str, value: &Raw) -> Option<&Table> {
        let Raw::Element(name) = value else { return None };
        let sort = name.split("!val!").next()?;
        let parameters = &sort[sort.find('<')?..];
        self.model.tables.get(&format!("{operator}{parameters}"))
    }
    /// The name of a sort within operator names, for sorts whose elements are not collections.
    pub fn sort_text(&self, sort: SortId) -> Option<String> {
        Some(match self.terms.sort_data(sort) {
            Sort::Int => "Int".to_string(),
            Sort::Bool => "Bool".to_string(),
            Sort::Perm => "Real".to_string(),
            Sort::Ref | Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap => self.sort_name(sort),
            _ => return None,
        })
    }
    /// All elements of the sort in the model.
    pub fn universe(&self, sort: SortId) -> BTreeSet<Raw> {
        let mut all = BTreeSet::new();
        if !matches!(self.terms.sort_data(sort), Sort::Ref | Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap) {
            return all;
        }
        let prefix = format!("{}!val!", self.sort_name(sort));
        let mut visit = |value: &Raw| {
            if matches!(value, Raw::Element(name) if name.starts_with(&prefix)) {
                all.insert(value.clone());
            }
        };
        for (args, value) in self.model.tables.values().flatten() {
            args.iter().for_each(&mut visit);
            visit(value);
        }
        self.model.watched.values().for_each(&mut visit);
        all
    }
}
