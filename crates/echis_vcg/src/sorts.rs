//! Types as sorts. Programs are made monomorphic before verification: each instance of a type is a separate sort.
//!
//! Maps are nested arrays, one per dimension; maps with type parameters are records (`records`). All sorts are
//! declared at once, so they have to be known before the first term is built: a member is encoded repeatedly until no
//! new instance appears.

mod records;

pub use records::Record;

use echis_base::{FastMap, IndexVec, Name};
use echis_boogie::Program;
use echis_boogie::ast::ExprId;
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::float::FloatFormat;
use echis_boogie::program::FunctionId;
use echis_boogie::types::{Instance, Names, Type, TypeVar};
use echis_term::{Sort, SortId, SymbolId, SymbolRole, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// The instances of types, maps and functions that a member uses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Met {
    pub types: BTreeSet<Type>,
    /// For maps with type parameters: the type arguments, in the order of the parameters.
    pub maps: BTreeMap<Type, BTreeSet<Vec<Type>>>,
    pub functions: BTreeMap<FunctionId, BTreeSet<Vec<Type>>>,
    /// Unconstrained witness types, by quantifier, parameter, and the number of earlier evaluations, since each
    /// evaluation may have a different witness.
    pub witnesses: BTreeMap<(ExprId, TypeVar, usize), TypeVar>,
}

impl Met {
    pub fn add(&mut self, other: &Met) {
        self.witnesses.extend(other.witnesses.iter().map(|(key, var)| (*key, *var)));
        self.types.extend(other.types.iter().cloned());
        for (map, instances) in &other.maps {
            self.maps.entry(map.clone()).or_default().extend(instances.iter().cloned());
        }
        for (function, instances) in &other.functions {
            self.functions.entry(*function).or_default().extend(instances.iter().cloned());
        }
    }
    pub fn size(&self) -> usize {
        self.types.len()
            + self.maps.values().map(BTreeSet::len).sum::<usize>()
            + self.functions.values().map(BTreeSet::len).sum::<usize>()
    }
}

pub struct Sorts<'a> {
    program: &'a Program,
    /// The instances from earlier rounds, which are declared.
    pub known: &'a Met,
    /// The instances in this round.
    pub met: Met,
    /// Different type variables have different names here.
    pub names: Names,
    /// The generic type, for all types that are no known argument of a map with type parameters.
    pub other: TypeVar,
    witnesses: BTreeMap<(ExprId, TypeVar, usize), TypeVar>,
    sorts: FastMap<Type, (Type, SortId)>,
    canonicals: FastMap<Type, Type>,
    /// The types that the use of a map at an instance leads to.
    parts: FastMap<(Type, Vec<Type>), Arc<[Type]>>,
    records: FastMap<Type, Arc<Record>>,
    /// The component types of a type.
    contents: FastMap<Type, BTreeSet<Type>>,
    commands: Name,
}

impl<'a> Sorts<'a> {
    pub fn new(program: &'a Program, known: &'a Met) -> Self {
        let mut names = Names { vars: IndexVec::default(), constructors: program.names.constructors.clone() };
        for (var, name) in program.names.vars.iter() {
            names.vars.push(format!("{name}{var}").into());
        }
        let other = names.vars.push("other types".into());
        for var in known.witnesses.values() {
            names.vars.push(format!("{var}").into());
        }
        let mut sorts = Sorts {
            program,
            known,
            met: Met::default(),
            names,
            other,
            witnesses: known.witnesses.clone(),
            sorts: FastMap::default(),
            canonicals: FastMap::default(),
            parts: FastMap::default(),
            records: FastMap::default(),
            contents: FastMap::default(),
            commands: "".into(),
        };
        sorts.commands = sorts.declarations().into();
        sorts
    }

    /// An unconstrained type.
    pub fn witness(&mut self, expr: ExprId, param: TypeVar, before: usize) -> Type {
        if let Some(var) = self.witnesses.get(&(expr, param, before)) {
            return Type::Var(*var);
        }
        let number = self.names.vars.len();
        let var = self.names.vars.push(format!("'{number}").into());
        self.witnesses.insert((expr, param, before), var);
        Type::Var(var)
    }
    pub fn is_witness(&self, ty: &Type) -> bool {
        matches!(ty, Type::Var(var) if *var > self.other)
    }
    /// Whether a type is a known argument of a map.
    pub fn is_argument(&self, ty: &Type) -> bool {
        *ty != Type::Var(self.other) && self.known.maps.values().flatten().flatten().any(|known| known == ty)
    }
    /// The known arguments of maps.
    pub fn arguments(&self) -> BTreeSet<Type> {
        let all = self.known.maps.values().flatten().flatten();
        all.filter(|ty| **ty != Type::Var(self.other)).cloned().collect()
    }
    /// The instances from earlier rounds and from this one.
    pub fn grown(&self) -> Met {
        let mut grown = self.known.clone();
        grown.add(&self.met);
        grown.witnesses.extend(self.witnesses.iter().map(|(key, var)| (*key, *var)));
        grown
    }

    /// [`Type::canonical`], computed once for each type.
    pub fn canonical(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Named(_, args) if args.is_empty() => ty.clone(),
            Type::Named(..) | Type::Map(_) | Type::Synonym(..) => match self.canonicals.get(ty) {
                Some(canonical) => canonical.clone(),
                None => {
                    let canonical = ty.canonical();
                    self.canonicals.insert(ty.clone(), canonical.clone());
                    canonical
                }
            },
            _ => ty.clone(),
        }
    }

    pub fn sort(&mut self, terms: &mut Terms, ty: &Type) -> SortId {
        if let Some((canonical, sort)) = self.sorts.get(ty) {
            let (canonical, sort) = (canonical.clone(), *sort);
            if matches!(canonical, Type::Named(..) | Type::Map(_) | Type::Var(_)) {
                self.meet(&canonical);
            }
            return sort;
        }
        let canonical = ty.canonical();
        let sort = self.sort_of(terms, &canonical);
        self.sorts.insert(ty.clone(), (canonical, sort));
        sort
    }
    fn sort_of(&mut self, terms: &mut Terms, ty: &Type) -> SortId {
        let sort = match ty {
            Type::Bool => Sort::Bool,
            Type::Int | Type::Open(_) => Sort::Int,
            Type::Real => Sort::Perm,
            Type::Bitvector(_) | Type::Float(_) | Type::RoundingMode | Type::Text | Type::Regex => {
                let mut text = String::new();
                self.write(ty, &mut text);
                Sort::Interpreted(text.into())
            }
            Type::Synonym(_, _, meaning) => return self.sort(terms, meaning),
            Type::Map(map) if map.params.is_empty() && map.args.is_empty() => return self.sort(terms, &map.result),
            _ => {
                self.meet(ty);
                let mut text = String::new();
                self.write(ty, &mut text);
                Sort::Declared { name: text.into(), commands: self.commands.clone() }
            }
        };
        terms.sort(sort)
    }

    fn meet(&mut self, ty: &Type) {
        if self.met.types.contains(ty) {
            return;
        }
        self.met.types.insert(ty.clone());
        match ty {
            Type::Named(constructor, args) => {
                args.iter().for_each(|arg| self.meet(arg));
                let program = self.program;
                if let Some(datatype) = &program.constructors[*constructor].datatype {
                    let instance: Instance = datatype.params.iter().copied().zip(args.iter().cloned()).collect();
                    for function in &datatype.constructors {
                        for field in &program.functions[*function].params {
                            let field = program.vars[*field].ty.expanded().replace(&instance).canonical();
                            self.meet(&field);
                        }
                    }
                }
            }
            Type::Map(map) if map.params.is_empty() => {
                map.args.iter().for_each(|arg| self.meet(arg));
                self.meet(&map.result);
            }
            _ => {}
        }
    }

    /// Writes a sort as SMT-LIB text.
    fn write(&self, ty: &Type, out: &mut String) {
        match ty {
            Type::Bool => out.push_str("Bool"),
            Type::Int | Type::Open(_) => out.push_str("Int"),
            Type::Real => out.push_str("Real"),
            Type::Bitvector(width) => drop(write!(out, "(_ BitVec {width})")),
            Type::Float(FloatFormat { significand, exponent }) => {
                let _ = write!(out, "(_ FloatingPoint {exponent} {significand})");
            }
            Type::RoundingMode => out.push_str("RoundingMode"),
            Type::Text => out.push_str("String"),
            Type::Regex => out.push_str("(RegEx String)"),
            Type::Synonym(_, _, meaning) => self.write(meaning, out),
            Type::Map(map) if map.params.is_empty() => {
                for arg in &map.args {
                    out.push_str("(Array ");
                    self.write(arg, out);
                    out.push(' ');
                }
                self.write(&map.result, out);
                out.extend(map.args.iter().map(|_| ')'));
            }
            Type::Named(constructor, args) => {
                let attributes = &self.program.constructors[*constructor].attributes;
                match text_attribute(attributes, Known::Builtin) {
                    Some(text) if args.is_empty() => out.push_str(text),
                    Some(text) => {
                        let _ = write!(out, "({text}");
                        for arg in args.iter() {
                            out.push(' ');
                            self.write(arg, out);
                        }
                        out.push(')');
                    }
                    None => out.push_str(&self.name(ty)),
                }
            }
            Type::Var(_) | Type::Map(_) => out.push_str(&self.name(ty)),
        }
    }
    fn name(&self, ty: &Type) -> String {
        quoted(&format!("type {}", ty.text(&self.names)))
    }

    /// Commands that declare all known sorts, with mutually recursive ones together.
    fn declarations(&mut self) -> String {
        let known = self.known;
        let bodies: BTreeMap<&Type, String> = known
            .types
            .iter()
            .filter_map(|ty| match ty {
                Type::Map(map) if !map.params.is_empty() => Some((ty, self.record_body(ty, map))),
                _ => None,
            })
            .collect();
        let mut text = String::new();
        let mut composed: Vec<(&Type, String)> = Vec::new();
        for ty in &self.known.types {
            match ty {
                Type::Named(constructor, _) if self.program.constructors[*constructor].datatype.is_some() => {
                    composed.push((ty, self.datatype_body(ty)));
                }
                Type::Map(map) if !map.params.is_empty() => {
                    let _ = writeln!(text, "(declare-sort {} 0)", self.rest_name(ty));
                    composed.push((ty, bodies.get(ty).cloned().unwrap_or_default()));
                }
                Type::Named(constructor, _) => {
                    let attributes = &self.program.constructors[*constructor].attributes;
                    if text_attribute(attributes, Known::Builtin).is_none() {
                        let _ = writeln!(text, "(declare-sort {} 0)", self.name(ty));
                    }
                }
                Type::Var(_) => drop(writeln!(text, "(declare-sort {} 0)", self.name(ty))),
                _ => {}
            }
        }
        let names: Vec<String> = composed.iter().map(|(ty, _)| self.name(ty)).collect();
        let contains = |outer: usize, inner: usize| composed[outer].1.contains(&format!(" {}", names[inner]));
        let reach: Vec<BTreeSet<usize>> = (0..composed.len())
            .map(|start| {
                let mut found = BTreeSet::new();
                let mut stack = vec![start];
                while let Some(next) = stack.pop() {
                    let new: Vec<usize> =
                        (0..composed.len()).filter(|inner| contains(next, *inner) && !found.contains(inner)).collect();
                    found.extend(new.iter().copied());
                    stack.extend(new);
                }
                found
            })
            .collect();
        let mut done: BTreeSet<usize> = BTreeSet::new();
        while done.len() < composed.len() {
            // Among the remaining ones, there is a group that is contained only in its own members.
            let group = (0..composed.len()).filter(|one| !done.contains(one)).find_map(|one| {
                let group: BTreeSet<usize> =
                    reach[one].iter().copied().filter(|other| reach[*other].contains(&one)).chain([one]).collect();
                reach[one].iter().all(|inner| group.contains(inner) || done.contains(inner)).then_some(group)
            });
            let Some(group) = group else { break };
            let heads: String = group.iter().map(|one| format!("({} 0)", names[*one])).collect();
            let bodies: String = group.iter().map(|one| composed[*one].1.as_str()).collect();
            let _ = writeln!(text, "(declare-datatypes ({heads}) ({bodies}))");
            done.extend(group);
        }
        text
    }
    fn datatype_body(&self, ty: &Type) -> String {
        let mut text = "(".to_string();
        let Type::Named(constructor, args) = ty else { return text };
        let Some(datatype) = &self.program.constructors[*constructor].datatype else { return text };
        let instance: Instance = datatype.params.iter().copied().zip(args.iter().cloned()).collect();
        for function in &datatype.constructors {
            let _ = write!(text, "({}", self.constructor_name(*function, ty));
            for (index, field) in self.program.functions[*function].params.iter().enumerate() {
                let _ = write!(text, " ({} ", self.selector_name(*function, index, ty));
                self.write(&self.program.vars[*field].ty.expanded().replace(&instance).canonical(), &mut text);
                text.push(')');
            }
            text.push(')');
        }
        text.push(')');
        text
    }
    fn constructor_name(&self, function: FunctionId, ty: &Type) -> String {
        quoted(&format!("{} of {}", self.program.functions[function].name, ty.text(&self.names)))
    }
    fn selector_name(&self, function: FunctionId, index: usize, ty: &Type) -> String {
        let function = &self.program.functions[function];
        let field = &self.program.vars[function.params[index]].name;
        quoted(&format!("{}.{field}.{index} of {}", function.name, ty.text(&self.names)))
    }
    pub fn constructor(&mut self, terms: &mut Terms, function: FunctionId, ty: &Type) -> SymbolId {
        let ty = &ty.canonical();
        let fields = self.field_types(function, ty);
        let params: Vec<SortId> = fields.iter().map(|field| self.sort(terms, field)).collect();
        let result = self.sort(terms, ty);
        let role = SymbolRole::Constructor(self.constructor_name(function, ty).into());
        terms.declare(role, params, result)
    }
    pub fn selector(&mut self, terms: &mut Terms, function: FunctionId, index: usize, ty: &Type) -> SymbolId {
        let ty = &ty.canonical();
        let fields = self.field_types(function, ty);
        let (from, to) = (self.sort(terms, ty), self.sort(terms, &fields[index]));
        let role = SymbolRole::Selector {
            text: self.selector_name(function, index, ty).into(),
            constructor: self.constructor_name(function, ty).into(),
            index,
        };
        terms.declare(role, [from], to)
    }
    pub fn tester(&mut self, terms: &mut Terms, function: FunctionId, ty: &Type) -> SymbolId {
        let ty = &ty.canonical();
        let (from, to) = (self.sort(terms, ty), terms.bool_sort());
        terms.declare(SymbolRole::Tester(self.constructor_name(function, ty).into()), [from], to)
    }
    pub fn field_types(&self, function: FunctionId, ty: &Type) -> Vec<Type> {
        let Type::Named(constructor, args) = ty else { return Vec::new() };
        let datatype = self.program.constructors[*constructor].datatype.as_ref();
        let params = datatype.map(|datatype| &datatype.params[..]).unwrap_or_default();
        let instance: Instance = params.iter().copied().zip(args.iter().cloned()).collect();
        let fields = &self.program.functions[function].params;
        fields.iter().map(|field| self.program.vars[*field].ty.expanded().replace(&instance)).collect()
    }
}

/// A quoted symbol, which may contain everything except bars and backslashes.
pub fn quoted(name: &str) -> String {
    let name: String = name.chars().map(|c| if matches!(c, '|' | '\\') { '!' } else { c }).collect();
    format!("|{name}|")
}
