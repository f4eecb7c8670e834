//! Type unification. An open type may have a known shape: a map, because it was indexed, or a bitvector, because it
//! was concatenated or sliced.

use crate::types::{Instance, MapType, Names, Type, TypeVar};
use std::collections::BTreeMap;

/// The solutions and known shapes of open types.
#[derive(Default)]
pub struct Unifier {
    solutions: Vec<Option<Type>>,
    shapes: BTreeMap<u32, Shape>,
}

/// The shape of an open type.
#[derive(Clone, Debug)]
enum Shape {
    /// A map used with these arguments and results, possibly at a different instance each time.
    Map(Vec<(Vec<Type>, Type)>),
    /// A bitvector with at least this width, which is the concatenation of each of these pairs.
    Bits(u32, Vec<(Type, Type)>),
}

impl Unifier {
    pub fn open(&mut self) -> Type {
        self.solutions.push(None);
        Type::Open(self.solutions.len() as u32 - 1)
    }
    fn shaped(&mut self, shape: Shape) -> Type {
        let ty = self.open();
        if let Type::Open(open) = ty {
            self.shapes.insert(open, shape);
        }
        ty
    }
    /// The type of a map that can be used this way.
    pub fn map_used_with(&mut self, args: Vec<Type>, result: Type) -> Type {
        self.shaped(Shape::Map(vec![(args, result)]))
    }
    /// The type of a bitvector with at least this width.
    pub fn bits(&mut self, least: u32) -> Type {
        self.shaped(Shape::Bits(least, Vec::new()))
    }
    /// The type of a concatenation. `None` if an operand is not a bitvector.
    pub fn concat(&mut self, left: &Type, right: &Type) -> Option<Type> {
        if let (Type::Bitvector(left), Type::Bitvector(right)) = (self.head(left), self.head(right)) {
            return left.checked_add(right).map(Type::Bitvector);
        }
        let (some, other) = (self.bits(0), self.bits(0));
        if !self.unify(left, &some) || !self.unify(right, &other) {
            return None;
        }
        let least = self.least_width(left).checked_add(self.least_width(right))?;
        Some(self.shaped(Shape::Bits(least, vec![(left.clone(), right.clone())])))
    }
    fn least_width(&self, ty: &Type) -> u32 {
        match self.head(ty) {
            Type::Bitvector(width) => width,
            Type::Open(open) => match self.shapes.get(&open) {
                Some(Shape::Bits(least, _)) => *least,
                _ => 0,
            },
            _ => 0,
        }
    }
    /// The instance of a map type for this use.
    pub fn instance_at(&mut self, map: &MapType, args: &[Type], result: &Type) -> Option<Instance> {
        if map.args.len() != args.len() {
            return None;
        }
        let instance: Instance = map.params.iter().map(|param| (*param, self.open())).collect();
        let fits = map.args.iter().zip(args).all(|(expected, arg)| self.unify(&expected.replace(&instance), arg))
            && self.unify(&map.result.replace(&instance), result);
        fits.then_some(instance)
    }
    /// Chooses types where only a shape is known: a single map type for all uses, if possible, and otherwise a
    /// polymorphic one.
    pub fn choose(&mut self, names: &mut Names) {
        for open in 0..self.solutions.len() as u32 {
            let (Type::Open(root), Some(shape)) = (self.head(&Type::Open(open)), self.shapes.get(&open).cloned())
            else {
                continue;
            };
            if root != open {
                continue;
            }
            match shape {
                Shape::Bits(least, _) => drop(self.unify(&Type::Open(open), &Type::Bitvector(least))),
                Shape::Map(uses) => {
                    let count = uses.first().map_or(0, |(args, _)| args.len());
                    let known: Vec<Option<Type>> = self.solutions.clone();
                    let args = (0..count).map(|_| self.open()).collect();
                    let one = Type::map(Vec::new(), args, self.open());
                    if self.unify(&Type::Open(open), &one) {
                        continue;
                    }
                    self.solutions[..known.len()].clone_from_slice(&known);
                    let mut fresh = || names.vars.push("t".into());
                    let params: Vec<TypeVar> = (0..=count).map(|_| fresh()).collect();
                    let args = params[..count].iter().map(|param| Type::Var(*param)).collect();
                    let any = Type::map(params.clone(), args, Type::Var(params[count]));
                    self.unify(&Type::Open(open), &any);
                }
            }
        }
    }
    /// The type with top-level synonyms and solved types expanded.
    pub fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        loop {
            match ty {
                Type::Synonym(_, _, meaning) => ty = meaning,
                Type::Open(open) => match self.solutions.get(*open as usize).and_then(Option::as_ref) {
                    Some(solution) => ty = solution,
                    None => return ty.clone(),
                },
                _ => return ty.clone(),
            }
        }
    }
    /// The type with all solved types substituted.
    pub fn solve(&self, ty: &Type) -> Type {
        ty.rebuild(&mut |part| match part {
            Type::Open(_) => match self.head(part) {
                Type::Open(_) => None,
                known => Some(self.solve(&known)),
            },
            _ => None,
        })
    }
    /// Unifies two types. Bindings made before a failure are kept.
    pub fn unify(&mut self, a: &Type, b: &Type) -> bool {
        self.unify_under(a, b, &mut Vec::new())
    }
    /// `bound` pairs the variables bound by enclosing map types.
    fn unify_under(&mut self, a: &Type, b: &Type, bound: &mut Vec<(TypeVar, TypeVar)>) -> bool {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Open(a), Type::Open(b)) if a == b => true,
            (Type::Open(open), other) | (other, Type::Open(open)) => self.bind(*open, other, bound),
            (Type::Var(a), Type::Var(b)) => match bound.iter().rev().find(|(x, y)| x == a || y == b) {
                Some(pair) => *pair == (*a, *b),
                None => a == b,
            },
            (Type::Named(a, left), Type::Named(b, right)) => {
                a == b
                    && left.len() == right.len()
                    && left.iter().zip(right.iter()).all(|(a, b)| self.unify_under(a, b, bound))
            }
            (Type::Map(left), Type::Map(right)) => {
                if left.params.len() != right.params.len() || left.args.len() != right.args.len() {
                    return false;
                }
                let outer = bound.len();
                bound.extend(left.params.iter().copied().zip(right.params.iter().copied()));
                let args = left.args.iter().zip(&right.args).all(|(a, b)| self.unify_under(a, b, bound));
                let same = args && self.unify_under(&left.result, &right.result, bound);
                bound.truncate(outer);
                same
            }
            _ => a == b,
        }
    }
    /// Checks that a type neither contains itself, nor variables bound inside a map type.
    fn bind(&mut self, open: u32, ty: &Type, bound: &[(TypeVar, TypeVar)]) -> bool {
        let ty = self.solve(ty);
        let mut cyclic = false;
        ty.visit(&mut |part| cyclic |= *part == Type::Open(open));
        let escapes = bound.iter().any(|(a, b)| ty.free_vars().iter().any(|var| var == a || var == b));
        if cyclic || escapes {
            return false;
        }
        let shape = self.shapes.remove(&open);
        self.solutions[open as usize] = Some(ty.clone());
        shape.is_none_or(|shape| self.is_shaped(&ty, shape))
    }
    /// Whether a type can have the given shape.
    fn is_shaped(&mut self, ty: &Type, shape: Shape) -> bool {
        match (self.head(ty), shape) {
            (Type::Open(open), shape) => self.add_shape(open, shape),
            (Type::Map(map), Shape::Map(uses)) => {
                uses.iter().all(|(args, result)| self.instance_at(&map, args, result).is_some())
            }
            (Type::Bitvector(width), Shape::Bits(least, parts)) => {
                least <= width && parts.iter().all(|(left, right)| self.parts_fit(width, left, right))
            }
            _ => false,
        }
    }
    fn add_shape(&mut self, open: u32, shape: Shape) -> bool {
        let both = match (self.shapes.remove(&open), shape) {
            (None, shape) => shape,
            (Some(Shape::Map(mut uses)), Shape::Map(more)) => {
                uses.extend(more);
                let count = uses[0].0.len();
                if uses.iter().any(|(args, _)| args.len() != count) {
                    return false;
                }
                Shape::Map(uses)
            }
            (Some(Shape::Bits(least, mut parts)), Shape::Bits(other, more)) => {
                parts.extend(more);
                Shape::Bits(least.max(other), parts)
            }
            (Some(Shape::Map(_)), Shape::Bits(..)) | (Some(Shape::Bits(..)), Shape::Map(_)) => return false,
        };
        self.shapes.insert(open, both);
        true
    }
    /// Unifies the parts of a bitvector with known width.
    fn parts_fit(&mut self, width: u32, left: &Type, right: &Type) -> bool {
        let (least, other) = (self.least_width(left), self.least_width(right));
        let Some(rest) = width.checked_sub(least).and_then(|rest| rest.checked_sub(other)) else { return false };
        match (self.head(left), self.head(right)) {
            (Type::Bitvector(_), Type::Bitvector(_)) => rest == 0,
            (Type::Bitvector(_), _) => self.unify(right, &Type::Bitvector(other + rest)),
            (_, Type::Bitvector(_)) => self.unify(left, &Type::Bitvector(least + rest)),
            // Any split of the remaining width is possible.
            _ => self.unify(left, &Type::Bitvector(least + rest)) && self.unify(right, &Type::Bitvector(other)),
        }
    }
    /// The text of a type with only a known shape.
    pub fn shape_text(&self, ty: &Type) -> Option<String> {
        let Type::Open(open) = self.head(ty) else { return None };
        match self.shapes.get(&open)? {
            Shape::Map(uses) => {
                let args: Vec<&str> = uses.first()?.0.iter().map(|_| "?").collect();
                Some(format!("[{}]?", args.join(", ")))
            }
            Shape::Bits(least, _) => Some(format!("bv{least}?")),
        }
    }
}
