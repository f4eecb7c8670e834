//! Types and their unification.

use crate::float::FloatFormat;
use echis_base::{IndexVec, Key, Name, key};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

key!(
    /// A type variable: a parameter of a map type, quantifier, function or procedure.
    TypeVar,
    "'"
);
key!(
    /// A type constructor, including datatypes.
    ConstructorId,
    "T"
);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    Bool,
    Int,
    Real,
    Bitvector(u32),
    Float(FloatFormat),
    /// `rmode`: the rounding mode of floating-point operations.
    RoundingMode,
    /// `string`
    Text,
    /// `regex`: sets of strings.
    Regex,
    Var(TypeVar),
    Named(ConstructorId, Arc<[Type]>),
    Map(Arc<MapType>),
    /// A synonym as written, with its meaning.
    Synonym(Name, Arc<[Type]>, Arc<Type>),
    /// To be inferred.
    Open(u32),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MapType {
    /// In order of their first occurrence in the arguments.
    pub params: Vec<TypeVar>,
    pub args: Vec<Type>,
    pub result: Type,
}

/// The names of type variables and constructors, to print types.
#[derive(Default)]
pub struct Names {
    pub vars: IndexVec<TypeVar, Name>,
    pub constructors: IndexVec<ConstructorId, Name>,
}

/// Number of type variables reserved for parameters of map types in comparisons.
const RESERVED: usize = 64;

impl Names {
    /// Reserves the variables used by [`Type::canonical`].
    pub fn reserve(&mut self) {
        for number in 0..RESERVED {
            self.vars.push(format!("'{number}").into());
        }
    }
}

impl TypeVar {
    /// Whether it is one of the variables used by [`Type::canonical`] for parameters of map types.
    pub fn is_map_parameter(self) -> bool {
        self.index() < RESERVED
    }
}

impl Type {
    /// The types built into SMT-LIB, by their names in programs.
    pub fn built_in(name: &str) -> Option<Type> {
        match name {
            "rmode" => Some(Type::RoundingMode),
            "string" => Some(Type::Text),
            "regex" => Some(Type::Regex),
            _ => {
                let is_number = |text: &&str| text.bytes().all(|digit| digit.is_ascii_digit());
                if let Some(width) = name.strip_prefix("bv").filter(is_number) {
                    return width.parse().ok().map(Type::Bitvector);
                }
                let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
                let part = |text: &str| Some(text).filter(is_number)?.parse().ok();
                let (significand, exponent) = (part(significand)?, part(exponent)?);
                Some(Type::Float(FloatFormat { significand, exponent }))
            }
        }
    }
}

pub type Instance = BTreeMap<TypeVar, Type>;

impl Type {
    /// The type with top-level synonyms expanded.
    pub fn head(&self) -> &Type {
        let mut ty = self;
        while let Type::Synonym(_, _, meaning) = ty {
            ty = meaning;
        }
        ty
    }
    pub fn map(params: Vec<TypeVar>, args: Vec<Type>, result: Type) -> Type {
        Type::Map(Arc::new(MapType { params, args, result }))
    }
    /// Substitutes types for variables, avoiding capture by map types.
    pub fn replace(&self, instance: &Instance) -> Type {
        if instance.is_empty() {
            return self.clone();
        }
        self.rebuild(&mut |part| match part {
            Type::Var(var) => instance.get(var).cloned(),
            _ => None,
        })
    }
    /// Rewrites parts, outermost first.
    pub fn rebuild(&self, part: &mut dyn FnMut(&Type) -> Option<Type>) -> Type {
        if let Some(new) = part(self) {
            return new;
        }
        match self {
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bitvector(_)
            | Type::Float(_)
            | Type::RoundingMode
            | Type::Text
            | Type::Regex
            | Type::Var(_)
            | Type::Open(_) => self.clone(),
            Type::Named(name, args) => Type::Named(*name, args.iter().map(|arg| arg.rebuild(part)).collect()),
            Type::Map(map) => {
                let args = map.args.iter().map(|arg| arg.rebuild(part)).collect();
                Type::map(map.params.clone(), args, map.result.rebuild(part))
            }
            Type::Synonym(name, args, meaning) => {
                let args = args.iter().map(|arg| arg.rebuild(part)).collect();
                Type::Synonym(name.clone(), args, Arc::new(meaning.rebuild(part)))
            }
        }
    }
    /// The type with all synonyms expanded.
    pub fn expanded(&self) -> Type {
        self.rebuild(&mut |part| match part {
            Type::Synonym(_, _, meaning) => Some(meaning.expanded()),
            _ => None,
        })
    }
    /// The type without synonyms and with the parameters of map types numbered: identical for equal types.
    pub fn canonical(&self) -> Type {
        self.expanded().numbered(0)
    }
    fn numbered(&self, depth: usize) -> Type {
        match self {
            Type::Named(name, args) => Type::Named(*name, args.iter().map(|arg| arg.numbered(depth)).collect()),
            Type::Map(map) => {
                let inner = depth + map.params.len();
                // Beyond the reserved variables, parameters keep their names.
                let new = |position: usize| TypeVar::new(depth + position);
                let fits = inner <= RESERVED;
                let params: Vec<TypeVar> =
                    map.params.iter().enumerate().map(|(at, param)| if fits { new(at) } else { *param }).collect();
                let renamed: Instance =
                    map.params.iter().copied().zip(params.iter().map(|param| Type::Var(*param))).collect();
                let part = |ty: &Type| ty.replace(&renamed).numbered(inner);
                Type::map(params, map.args.iter().map(part).collect(), part(&map.result))
            }
            other => other.clone(),
        }
    }
    pub fn mentions(&self, var: TypeVar) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= *part == Type::Var(var));
        found
    }
    pub fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(self);
        match self {
            Type::Named(_, args) => args.iter().for_each(|arg| arg.visit(visit)),
            Type::Map(map) => {
                map.args.iter().for_each(|arg| arg.visit(visit));
                map.result.visit(visit);
            }
            Type::Synonym(_, _, meaning) => meaning.visit(visit),
            _ => {}
        }
    }
    /// The free type variables, in order of occurrence.
    pub fn free_vars(&self) -> Vec<TypeVar> {
        let mut found = Vec::new();
        self.collect_free(&mut Vec::new(), &mut found);
        found
    }
    fn collect_free(&self, bound: &mut Vec<TypeVar>, found: &mut Vec<TypeVar>) {
        match self {
            Type::Var(var) if !bound.contains(var) && !found.contains(var) => found.push(*var),
            Type::Named(_, args) => args.iter().for_each(|arg| arg.collect_free(bound, found)),
            Type::Synonym(_, _, meaning) => meaning.collect_free(bound, found),
            Type::Map(map) => {
                let outer = bound.len();
                bound.extend(&map.params);
                map.args.iter().for_each(|arg| arg.collect_free(bound, found));
                map.result.collect_free(bound, found);
                bound.truncate(outer);
            }
            _ => {}
        }
    }
    pub fn text(&self, names: &Names) -> String {
        let mut text = String::new();
        self.write(names, false, &mut text);
        text
    }
    fn write(&self, names: &Names, nested: bool, out: &mut String) {
        match self {
            Type::Bool => out.push_str("bool"),
            Type::Int => out.push_str("int"),
            Type::Real => out.push_str("real"),
            Type::Bitvector(width) => drop(write!(out, "bv{width}")),
            Type::Float(FloatFormat { significand, exponent }) => drop(write!(out, "float{significand}e{exponent}")),
            Type::RoundingMode => out.push_str("rmode"),
            Type::Text => out.push_str("string"),
            Type::Regex => out.push_str("regex"),
            Type::Var(var) => out.push_str(&names.vars[*var]),
            Type::Open(_) => out.push('?'),
            Type::Named(name, args) => write_application(&names.constructors[*name], args, names, nested, out),
            Type::Synonym(name, args, _) => write_application(name, args, names, nested, out),
            Type::Map(map) => {
                if nested {
                    out.push('(');
                }
                write_params(&map.params, names, out);
                out.push('[');
                for (index, arg) in map.args.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    arg.write(names, false, out);
                }
                out.push(']');
                map.result.write(names, false, out);
                if nested {
                    out.push(')');
                }
            }
        }
    }
}

fn write_params(params: &[TypeVar], names: &Names, out: &mut String) {
    if !params.is_empty() {
        let params: Vec<&str> = params.iter().map(|param| &*names.vars[*param]).collect();
        let _ = write!(out, "<{}>", params.join(","));
    }
}

fn write_application(name: &str, args: &[Type], names: &Names, nested: bool, out: &mut String) {
    let nested = nested && !args.is_empty();
    if nested {
        out.push('(');
    }
    out.push_str(name);
    for (index, arg) in args.iter().enumerate() {
        out.push(' ');
        // The last argument may be a map without parentheses.
        let is_map = matches!(arg, Type::Map(_)) && index + 1 == args.len();
        arg.write(names, !is_map, out);
    }
    if nested {
        out.push(')');
    }
}
