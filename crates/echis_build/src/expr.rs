//! Expressions and assertions.

use crate::{Expr, Param, Problem, ProgramBuilder, Type, untagged};
use echis_syntax::ast::{
    BinaryOp, Binder, Call, Collection, CollectionKind, ExprKind, Formal, Forperm, MapLiteral, OldLabel, PermLiteral,
    Quantifier, Trigger, UnaryOp,
};

macro_rules! binary_operators {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl<O> ProgramBuilder<O> {
            $(
                $(#[$doc])*
                pub fn $method(&mut self, left: Expr, right: Expr) -> Expr {
                    self.binary(BinaryOp::$op, left, right)
                }
            )*
        }
    };
}

binary_operators! {
    /// `left && right`, also the separating conjunction of assertions.
    and And;
    /// `left || right`.
    or Or;
    /// `left ==> right`.
    implies Implies;
    /// `left <==> right`.
    iff Iff;
    /// The magic wand `left --* right`.
    wand Wand;
    /// `left == right`.
    eq Eq;
    /// `left != right`.
    ne Ne;
    /// `left < right`.
    lt Lt;
    /// `left <= right`.
    le Le;
    /// `left > right`.
    gt Gt;
    /// `left >= right`.
    ge Ge;
    /// `left + right`.
    add Add;
    /// `left - right`.
    sub Sub;
    /// `left * right`.
    mul Mul;
    /// `left / right`: a fraction of permission, or the division of integers, by the types of the operands.
    div Div;
    /// `left \ right`, the division of integers.
    int_div IntDiv;
    /// `left % right`.
    modulo Mod;
    /// `left in right`: membership in a sequence, set or map.
    contains In;
    /// `left ++ right`.
    append Append;
    /// `left union right`.
    union Union;
    /// `left intersection right`.
    intersection Intersection;
    /// `left setminus right`.
    setminus Setminus;
    /// `left subset right`.
    subset Subset;
}

/// Literals, names and operators.
impl<O> ProgramBuilder<O> {
    /// An integer literal. A negative one is written as a negation.
    pub fn int(&mut self, value: impl Into<i128>) -> Expr {
        self.int_text(&value.into().to_string())
    }
    /// An integer literal of any size, in decimal digits with an optional sign.
    pub fn int_text(&mut self, text: &str) -> Expr {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.problems.push(Problem::Digits(text.to_owned()));
        }
        let literal = self.expr(ExprKind::Int(digits.into()));
        if digits.len() < text.len() { self.neg(literal) } else { literal }
    }
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Expr {
        self.expr(ExprKind::Bool(value))
    }
    /// `null`.
    pub fn null(&mut self) -> Expr {
        self.expr(ExprKind::Null)
    }
    /// The full permission, `write`.
    pub fn write(&mut self) -> Expr {
        self.expr(ExprKind::Perm(PermLiteral::Write))
    }
    /// No permission, `none`.
    pub fn none(&mut self) -> Expr {
        self.expr(ExprKind::Perm(PermLiteral::None))
    }
    /// Some permission, `wildcard`.
    pub fn wildcard(&mut self) -> Expr {
        self.expr(ExprKind::Perm(PermLiteral::Wildcard))
    }
    /// `epsilon`.
    pub fn epsilon(&mut self) -> Expr {
        self.expr(ExprKind::Perm(PermLiteral::Epsilon))
    }
    /// The result of a function, in its postconditions.
    pub fn result(&mut self) -> Expr {
        self.expr(ExprKind::Result)
    }
    /// A local variable, parameter or bound variable.
    pub fn var(&mut self, name: &str) -> Expr {
        let name = self.name(name);
        self.expr(ExprKind::Ident(name))
    }
    /// An operator with one operand.
    pub fn unary(&mut self, op: UnaryOp, operand: Expr) -> Expr {
        let operand = self.own(operand);
        self.expr(ExprKind::Unary { op, operand })
    }
    /// `!operand`.
    pub fn not(&mut self, operand: Expr) -> Expr {
        self.unary(UnaryOp::Not, operand)
    }
    /// `-operand`.
    pub fn neg(&mut self, operand: Expr) -> Expr {
        self.unary(UnaryOp::Neg, operand)
    }
    /// An operator with two operands.
    pub fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let (left, right) = (self.own(left), self.own(right));
        self.expr(ExprKind::Binary { op, left, right })
    }
    /// The conjunction of all, `true` if there is none.
    pub fn and_all(&mut self, exprs: impl IntoIterator<Item = Expr>) -> Expr {
        let all = exprs.into_iter().collect::<Vec<_>>().into_iter().rev();
        all.reduce(|rest, expr| self.and(expr, rest)).unwrap_or_else(|| self.bool(true))
    }
    /// `condition ? then : otherwise`.
    pub fn conditional(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let (condition, then, otherwise) = (self.own(condition), self.own(then), self.own(otherwise));
        self.expr(ExprKind::Conditional { condition, then, otherwise })
    }
    /// An application of a function, domain function or constructor, or an instance of a predicate.
    pub fn apply(&mut self, name: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
        self.application(name, args, None)
    }
    /// An application whose result type is stated, `(f(args): result)`: for domain functions and constructors whose
    /// type arguments do not follow from the arguments.
    pub fn apply_as(&mut self, name: &str, args: impl IntoIterator<Item = Expr>, result: &Type) -> Expr {
        self.application(name, args, Some(result))
    }
    fn application(&mut self, name: &str, args: impl IntoIterator<Item = Expr>, result: Option<&Type>) -> Expr {
        let (callee, args) = (self.ident(name), self.own_all(args));
        let ascription = result.map(|ty| self.ty(ty));
        self.expr(ExprKind::Call(Box::new(Call { callee, args, ascription })))
    }
    /// An instance of a predicate as a value, `#name(args)`: in termination measures.
    pub fn predicate_instance(&mut self, name: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
        let (callee, args) = (self.ident(name), self.own_all(args));
        self.expr(ExprKind::PredicateInstance(Box::new(Call { callee, args, ascription: None })))
    }
    /// `let name == (value) in body`.
    pub fn let_in(&mut self, name: &str, value: Expr, body: Expr) -> Expr {
        let (value, var, body) = (self.own(value), Binder(self.ident(name)), self.own(body));
        self.expr(ExprKind::Let { value, var, body })
    }
}

/// Heaps and permission.
impl<O> ProgramBuilder<O> {
    /// `receiver.name`: a field, or a destructor or discriminator of an ADT.
    pub fn field_of(&mut self, receiver: Expr, name: &str) -> Expr {
        let (receiver, field) = (self.own(receiver), self.ident(name));
        self.expr(ExprKind::Field { receiver, field })
    }
    /// `acc(location, amount)`; the location is a field access or a predicate instance.
    pub fn acc(&mut self, location: Expr, amount: Expr) -> Expr {
        let (location, amount) = (self.own(location), Some(self.own(amount)));
        self.expr(ExprKind::Acc { location, amount })
    }
    /// The full permission to a location, `acc(location)`.
    pub fn acc_full(&mut self, location: Expr) -> Expr {
        let location = self.own(location);
        self.expr(ExprKind::Acc { location, amount: None })
    }
    /// `perm(resource)`; the resource is a location or a wand.
    pub fn perm(&mut self, resource: Expr) -> Expr {
        let resource = self.own(resource);
        self.expr(ExprKind::CurrentPerm(resource))
    }
    /// `old(body)`.
    pub fn old(&mut self, body: Expr) -> Expr {
        self.in_state(OldLabel::Start, body)
    }
    /// `old[label](body)`.
    pub fn old_at(&mut self, label: &str, body: Expr) -> Expr {
        let label = OldLabel::Label(self.ident(label));
        self.in_state(label, body)
    }
    /// `old[lhs](body)`, inside a wand.
    pub fn old_lhs(&mut self, body: Expr) -> Expr {
        self.in_state(OldLabel::Lhs, body)
    }
    fn in_state(&mut self, label: OldLabel, body: Expr) -> Expr {
        let body = self.own(body);
        self.expr(ExprKind::Old { label, body })
    }
    /// `unfolding access in body`.
    pub fn unfolding(&mut self, access: Expr, body: Expr) -> Expr {
        let (access, body) = (self.own(access), self.own(body));
        self.expr(ExprKind::Unfolding { access, body })
    }
    /// `applying (wand) in body`.
    pub fn applying(&mut self, wand: Expr, body: Expr) -> Expr {
        let (wand, body) = (self.own(wand), self.own(body));
        self.expr(ExprKind::Applying { wand, body })
    }
    /// `asserting (assertion) in body`.
    pub fn asserting(&mut self, assertion: Expr, body: Expr) -> Expr {
        let (assertion, body) = (self.own(assertion), self.own(body));
        self.expr(ExprKind::Asserting { assertion, body })
    }
    /// `[inhaled, exhaled]`.
    pub fn inhale_exhale(&mut self, inhaled: Expr, exhaled: Expr) -> Expr {
        let (inhale, exhale) = (self.own(inhaled), self.own(exhaled));
        self.expr(ExprKind::InhaleExhale { inhale, exhale })
    }
    /// `forperm vars [resource] :: body`.
    pub fn forperm(&mut self, vars: impl IntoIterator<Item = Param>, resource: Expr, body: Expr) -> Expr {
        let (vars, resource, body) = (self.formals(vars), self.own(resource), self.own(body));
        self.expr(ExprKind::Forperm(Box::new(Forperm { vars, resource, body })))
    }
}

/// Quantifiers and collections.
impl<O> ProgramBuilder<O> {
    /// `forall vars :: {triggers} body`. Each trigger is a set of terms; without any, triggers are inferred.
    pub fn forall(&mut self, vars: impl IntoIterator<Item = Param>, triggers: Vec<Vec<Expr>>, body: Expr) -> Expr {
        let quantifier = self.quantifier(vars, triggers, body);
        self.expr(ExprKind::Forall(quantifier))
    }
    /// `exists vars :: {triggers} body`.
    pub fn exists(&mut self, vars: impl IntoIterator<Item = Param>, triggers: Vec<Vec<Expr>>, body: Expr) -> Expr {
        let quantifier = self.quantifier(vars, triggers, body);
        self.expr(ExprKind::Exists(quantifier))
    }
    fn quantifier(
        &mut self,
        vars: impl IntoIterator<Item = Param>,
        triggers: Vec<Vec<Expr>>,
        body: Expr,
    ) -> Box<Quantifier> {
        let vars = self.formals(vars);
        let triggers =
            triggers.into_iter().map(|terms| Trigger { terms: self.own_all(terms), span: untagged() }).collect();
        Box::new(Quantifier { vars, triggers, body: self.own(body) })
    }
    pub(crate) fn formals(&mut self, params: impl IntoIterator<Item = Param>) -> Vec<Formal> {
        let mut formal = |param: Param| {
            let (name, ty) = (self.ident(&param.name), self.ty(&param.ty));
            Formal { name, ty, span: untagged() }
        };
        params.into_iter().map(&mut formal).collect()
    }
    /// `Seq(elements)`; use [`empty_seq`](Self::empty_seq) for no elements.
    pub fn seq(&mut self, elements: impl IntoIterator<Item = Expr>) -> Expr {
        self.collection(CollectionKind::Seq, None, elements)
    }
    /// `Seq[element]()`.
    pub fn empty_seq(&mut self, element: &Type) -> Expr {
        self.collection(CollectionKind::Seq, Some(element), [])
    }
    /// `Set(elements)`; use [`empty_set`](Self::empty_set) for no elements.
    pub fn set(&mut self, elements: impl IntoIterator<Item = Expr>) -> Expr {
        self.collection(CollectionKind::Set, None, elements)
    }
    /// `Set[element]()`.
    pub fn empty_set(&mut self, element: &Type) -> Expr {
        self.collection(CollectionKind::Set, Some(element), [])
    }
    /// `Multiset(elements)`; use [`empty_multiset`](Self::empty_multiset) for no elements.
    pub fn multiset(&mut self, elements: impl IntoIterator<Item = Expr>) -> Expr {
        self.collection(CollectionKind::Multiset, None, elements)
    }
    /// `Multiset[element]()`.
    pub fn empty_multiset(&mut self, element: &Type) -> Expr {
        self.collection(CollectionKind::Multiset, Some(element), [])
    }
    fn collection(
        &mut self,
        kind: CollectionKind,
        element: Option<&Type>,
        elements: impl IntoIterator<Item = Expr>,
    ) -> Expr {
        let (element, elements) = (element.map(|ty| self.ty(ty)), self.own_all(elements));
        self.expr(ExprKind::Collection(Box::new(Collection { kind, element, elements })))
    }
    /// `Map(key := value, …)`; use [`empty_map`](Self::empty_map) for no entries.
    pub fn map(&mut self, entries: impl IntoIterator<Item = (Expr, Expr)>) -> Expr {
        let entries = entries.into_iter().map(|(key, value)| (self.own(key), self.own(value))).collect();
        self.expr(ExprKind::Map(Box::new(MapLiteral { types: None, entries })))
    }
    /// `Map[key, value]()`.
    pub fn empty_map(&mut self, key: &Type, value: &Type) -> Expr {
        let types = Some((self.ty(key), self.ty(value)));
        self.expr(ExprKind::Map(Box::new(MapLiteral { types, entries: Vec::new() })))
    }
    /// The set of keys of a map, `domain(map)`.
    pub fn map_domain(&mut self, map: Expr) -> Expr {
        let map = self.own(map);
        self.expr(ExprKind::MapDomain(map))
    }
    /// The set of values of a map, `range(map)`.
    pub fn map_range(&mut self, map: Expr) -> Expr {
        let map = self.own(map);
        self.expr(ExprKind::MapRange(map))
    }
    /// `|collection|`.
    pub fn size(&mut self, collection: Expr) -> Expr {
        let collection = self.own(collection);
        self.expr(ExprKind::Cardinality(collection))
    }
    /// The sequence of integers from `low` up to, but not including, `high`: `[low..high)`.
    pub fn range(&mut self, low: Expr, high: Expr) -> Expr {
        let (low, high) = (self.own(low), self.own(high));
        self.expr(ExprKind::Range { low, high })
    }
    /// `base[index]`, of a sequence or map.
    pub fn index(&mut self, base: Expr, index: Expr) -> Expr {
        let (base, index) = (self.own(base), self.own(index));
        self.expr(ExprKind::Index { base, index })
    }
    /// `base[index := value]`, of a sequence or map.
    pub fn update(&mut self, base: Expr, index: Expr, value: Expr) -> Expr {
        let (base, index, value) = (self.own(base), self.own(index), self.own(value));
        self.expr(ExprKind::Update { base, index, value })
    }
    /// `base[..end]`.
    pub fn take(&mut self, base: Expr, end: Expr) -> Expr {
        let (base, end) = (self.own(base), self.own(end));
        self.expr(ExprKind::Take { base, end })
    }
    /// `base[start..]`.
    pub fn drop_first(&mut self, base: Expr, start: Expr) -> Expr {
        let (base, start) = (self.own(base), self.own(start));
        self.expr(ExprKind::Drop { base, start })
    }
    /// `base[start..end]`.
    pub fn slice(&mut self, base: Expr, start: Expr, end: Expr) -> Expr {
        let (base, start, end) = (self.own(base), self.own(start), self.own(end));
        self.expr(ExprKind::Slice { base, start, end })
    }
}
