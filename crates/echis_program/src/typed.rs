//! The results of checking a syntax tree: every name resolved, every type inferred.
//!
//! The tables supplement the tree, which is unchanged. Declarations get their keys here, in source order, and the
//! typed program uses the same keys: the n-th `function` of the program is `FunctionId` n, the n-th `domain` or `adt`
//! (counted together) is `DomainId` n, every variable has one `LocalId` in the whole program. Domain functions for an
//! ADT's constructors, destructors and tag have no key yet; they come after those that the user wrote.
//!
//! The overload of an operator follows from the types of its operands and of the whole: `a / b` of two `Int`s is a
//! fraction if and only if its type is `Perm`; `x in c` and `c[i]` are determined by the type of `c`.
//!
//! If checking found an error, the tables are incomplete and nothing may be built from them.

use crate::program::{DomainFunctionId, DomainId, FieldId, FunctionId, LabelId, LocalId, MethodId, PredicateId, Type};
use echis_base::{IndexVec, Name, SideTable, Span};
use echis_syntax::ast;
use std::collections::HashMap;

/// The result of name resolution and type checking of one program.
#[derive(Debug, Default)]
pub struct Typed<'a> {
    pub fields: IndexVec<FieldId, Field<'a>>,
    /// Domains and ADTs, in declaration order.
    pub domains: IndexVec<DomainId, Domain<'a>>,
    /// The functions declared by domains; ADTs have none here.
    pub domain_functions: IndexVec<DomainFunctionId, DomainFunction<'a>>,
    pub functions: IndexVec<FunctionId, Function<'a>>,
    pub predicates: IndexVec<PredicateId, Predicate<'a>>,
    pub methods: IndexVec<MethodId, Method<'a>>,
    /// Every parameter, result, local variable and bound variable.
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,

    pub(crate) types: SideTable<ast::ExprId, Type>,
    pub(crate) uses: SideTable<ast::ExprId, Use>,
    pub(crate) new_fields: SideTable<ast::ExprId, Vec<FieldId>>,
    pub(crate) written_types: HashMap<Address, Type>,
    pub(crate) declared: HashMap<Address, LocalId>,
    pub(crate) declared_labels: HashMap<Address, LabelId>,
    pub(crate) used_labels: HashMap<Address, LabelId>,
}

/// The referent of a name in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Use {
    /// Of an [`ast::ExprKind::Ident`].
    Variable(LocalId),
    // Of an `ast::ExprKind::Call`; `Predicate` also of an `ast::ExprKind::PredicateInstance`.
    Function(FunctionId),
    DomainFunction {
        function: DomainFunctionId,
        type_args: Vec<Type>,
    },
    /// The n-th constructor of an ADT.
    Constructor {
        adt: DomainId,
        constructor: usize,
        type_args: Vec<Type>,
    },
    Predicate(PredicateId),
    /// A call statement or the right-hand side of an assignment or initialised declaration.
    Method(MethodId),
    // Of an `ast::ExprKind::Field`.
    Field(FieldId),
    /// `e.a`: the n-th argument of a constructor. The receiver's type carries the type arguments.
    Destructor {
        adt: DomainId,
        constructor: usize,
        argument: usize,
    },
    /// `e.isC`
    Discriminator {
        adt: DomainId,
        constructor: usize,
    },
}

#[derive(Debug)]
pub struct Field<'a> {
    pub decl: &'a ast::Formal,
    /// One member may declare several fields.
    pub member: &'a ast::Member,
    pub ty: Type,
}

/// A `domain` or an `adt`.
#[derive(Debug)]
pub struct Domain<'a> {
    pub member: &'a ast::Member,
    pub name: &'a ast::Ident,
    pub params: &'a [ast::Ident],
    pub kind: DomainKind<'a>,
}

#[derive(Debug)]
pub enum DomainKind<'a> {
    Domain {
        decl: &'a ast::Domain,
        functions: Vec<DomainFunctionId>,
    },
    /// In types of constructor arguments `Type::Parameter` is a parameter of the ADT.
    Adt {
        decl: &'a ast::Adt,
        constructors: Vec<Constructor<'a>>,
    },
}

#[derive(Debug)]
pub struct Constructor<'a> {
    pub decl: &'a ast::Constructor,
    pub args: Vec<Type>,
}

#[derive(Debug)]
pub struct DomainFunction<'a> {
    pub decl: &'a ast::DomainFunction,
    pub domain: DomainId,
    pub params: Vec<Type>,
    pub result: Type,
}

#[derive(Debug)]
pub struct Function<'a> {
    pub member: &'a ast::Member,
    pub decl: &'a ast::Function,
    pub params: Vec<LocalId>,
    pub result: Type,
}

#[derive(Debug)]
pub struct Predicate<'a> {
    pub member: &'a ast::Member,
    pub decl: &'a ast::Predicate,
    pub params: Vec<LocalId>,
}

#[derive(Debug)]
pub struct Method<'a> {
    pub member: &'a ast::Member,
    pub decl: &'a ast::Method,
    pub params: Vec<LocalId>,
    pub returns: Vec<LocalId>,
    /// In statement order. A label that is declared twice is listed twice.
    pub labels: Vec<LabelId>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Name,
    pub ty: Type,
    /// The range of the name.
    pub span: Span,
    pub kind: LocalKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// Of a function, predicate or method.
    Parameter,
    /// Of a method.
    Return,
    /// `var x: T`
    Variable,
    /// Of a quantifier, `forperm` or `quasihavocall`.
    Bound,
    Let,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: Name,
    /// The range of the name.
    pub span: Span,
    pub method: MethodId,
}

impl Typed<'_> {
    /// The type of an expression; assertions are `Bool`. Every expression of a member has one, except the `new(..)`
    /// and method call on the right of an assignment, labels and names of fields.
    pub fn ty(&self, expr: ast::ExprId) -> &Type {
        self.types.get(expr).expect("checking without errors gives every expression a type")
    }
    pub fn try_ty(&self, expr: ast::ExprId) -> Option<&Type> {
        self.types.get(expr)
    }
    /// The referent of an `Ident`, `Call`, `PredicateInstance` or `Field` expression.
    pub fn usage(&self, expr: ast::ExprId) -> &Use {
        self.uses.get(expr).expect("checking without errors resolves every name")
    }
    pub fn try_usage(&self, expr: ast::ExprId) -> Option<&Use> {
        self.uses.get(expr)
    }
    /// The fields of `new(f, g)` or, in declaration order, of `new(*)`.
    pub fn new_fields(&self, expr: ast::ExprId) -> &[FieldId] {
        self.new_fields.get(expr).expect("checking without errors resolves the fields of `new`")
    }
    /// The meaning of a written type.
    pub fn written_type(&self, ty: &ast::Type) -> &Type {
        self.written_types.get(&Address::of(ty)).expect("checking without errors resolves every written type")
    }
    /// The variable that a parameter, result, `var` or bound variable declares.
    pub fn local(&self, formal: &ast::Formal) -> LocalId {
        self.let_local(&formal.name)
    }
    /// The variable that the name after `let` declares.
    pub fn let_local(&self, name: &ast::Ident) -> LocalId {
        *self.declared.get(&Address::of(name)).expect("checking gives every declared variable a key")
    }
    /// The label that the name after `label` declares.
    pub fn label(&self, name: &ast::Ident) -> LabelId {
        *self.declared_labels.get(&Address::of(name)).expect("checking gives every declared label a key")
    }
    /// The label that the name in `goto l` or `old[l](e)` refers to, the first with that name in the method; `None`
    /// if there is none, which is an error of the consistency checks.
    pub fn label_use(&self, name: &ast::Ident) -> Option<LabelId> {
        self.used_labels.get(&Address::of(name)).copied()
    }
}

/// The address of a node of the borrowed tree: the identity of nodes without a key. Ranges are not unique, since all
/// expansions of one macro share them. Never iterated over, so it does not affect any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address(usize);

impl Address {
    pub(crate) fn of<T>(node: &T) -> Address {
        Address(std::ptr::from_ref(node).addr())
    }
}
