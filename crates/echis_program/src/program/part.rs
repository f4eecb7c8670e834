//! The parts of nodes: each type that a field of a node can have implements these traits once, and traversals,
//! copies, fingerprints and reachability follow from that.

use super::{
    BinaryOp, Block, Decreases, DomainFunctionId, ExprId, FieldId, FunctionId, LabelId, LocalId, Location, MethodId,
    OldState, PredicateAccess, PredicateId, Quantifier, Type, UnaryOp,
};
use dashu::Integer;
use echis_base::SyntaxId;
use std::slice::from_ref;

/// A part of a statement or expression. Compound parts precede their own parts.
pub enum Part<'a> {
    Expr(ExprId),
    Triggers(&'a [Vec<ExprId>]),
    Block(&'a Block),
    Locals(&'a [LocalId]),
    Label(LabelId),
    Field(FieldId),
    Function(FunctionId),
    DomainFunction(DomainFunctionId),
    Predicate(PredicateId),
    Method(MethodId),
    Types(&'a [Type]),
    /// Its expressions follow.
    Location(&'a Location),
    /// Its expressions follow.
    Access(&'a PredicateAccess),
    /// Its expressions follow.
    Decreases(&'a Decreases),
    Syntax(SyntaxId),
    Integer(&'a Integer),
    /// An operator, a flag, or the number of following parts of a kind.
    Number(usize),
}

impl Part<'_> {
    /// The syntax id of the part, besides that of the statement or expression.
    pub fn syntax(&self) -> Option<SyntaxId> {
        match self {
            Part::Access(access) => Some(access.id),
            Part::Syntax(id) => Some(*id),
            _ => None,
        }
    }
}

/// A field type that consists of parts.
pub trait Parts {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>));
}

/// Copies expressions.
pub trait Copier {
    type Problem;
    fn expr(&mut self, expr: ExprId) -> Result<ExprId, Self::Problem>;
    /// The variable that replaces a bound variable in the rest of the copy.
    fn bind(&mut self, var: LocalId) -> Result<LocalId, Self::Problem>;
}

/// A field type that can be copied.
pub trait Copied: Sized {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem>;
}

/// Field types that are a single part, constructed from a reference.
macro_rules! single {
    ($($Type:ty: $value:ident => $part:expr;)*) => {
        $(impl Parts for $Type {
            fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
                let $value = self;
                visit($part);
            }
        })*
    };
}

single! {
    ExprId: expr => Part::Expr(*expr);
    Vec<Vec<ExprId>>: triggers => Part::Triggers(triggers);
    Block: block => Part::Block(block);
    LocalId: local => Part::Locals(from_ref(local));
    Vec<LocalId>: locals => Part::Locals(locals);
    LabelId: label => Part::Label(*label);
    FieldId: field => Part::Field(*field);
    FunctionId: function => Part::Function(*function);
    DomainFunctionId: function => Part::DomainFunction(*function);
    PredicateId: predicate => Part::Predicate(*predicate);
    MethodId: method => Part::Method(*method);
    Vec<Type>: types => Part::Types(types);
    SyntaxId: id => Part::Syntax(*id);
    Integer: value => Part::Integer(value);
    bool: flag => Part::Number(usize::from(*flag));
    UnaryOp: op => Part::Number(*op as usize);
    BinaryOp: op => Part::Number(*op as usize);
    Quantifier: quantifier => Part::Number(*quantifier as usize);
}

impl Parts for Option<ExprId> {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Number(usize::from(self.is_some())));
        self.iter().for_each(|expr| visit(Part::Expr(*expr)));
    }
}

impl<T: Parts + Listed> Parts for Vec<T> {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Number(self.len()));
        self.iter().for_each(|item| item.each_part(visit));
    }
}

/// Types whose lists consist of a length and the items.
trait Listed {}
impl Listed for ExprId {}
impl Listed for FieldId {}
impl Listed for (ExprId, ExprId) {}

impl Parts for (ExprId, ExprId) {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Expr(self.0));
        visit(Part::Expr(self.1));
    }
}

impl Parts for OldState {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        match self {
            OldState::Pre => visit(Part::Number(0)),
            OldState::Lhs => visit(Part::Number(1)),
            OldState::Label(label) => {
                visit(Part::Number(2));
                visit(Part::Label(*label));
            }
        }
    }
}

impl Parts for Location {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Location(self));
        self.parts().into_iter().for_each(|expr| visit(Part::Expr(expr)));
    }
}

impl Parts for PredicateAccess {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Access(self));
        self.parts().into_iter().for_each(|expr| visit(Part::Expr(expr)));
    }
}

impl Parts for Decreases {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Decreases(self));
        self.roots().into_iter().for_each(|expr| visit(Part::Expr(expr)));
    }
}

/// Field types that are unchanged in a copy.
macro_rules! kept {
    ($($Type:ty),* $(,)?) => {
        $(impl Copied for $Type {
            fn copied<C: Copier>(&self, _: &mut C) -> Result<Self, C::Problem> {
                Ok(self.clone())
            }
        })*
    };
}

kept!(FieldId, FunctionId, DomainFunctionId, PredicateId, OldState, SyntaxId, Type, Integer);
kept!(bool, UnaryOp, BinaryOp, Quantifier);

impl Copied for ExprId {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        copier.expr(*self)
    }
}

impl Copied for LocalId {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        copier.bind(*self)
    }
}

impl<T: Copied> Copied for Vec<T> {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        self.iter().map(|item| item.copied(copier)).collect()
    }
}

impl<T: Copied, U: Copied> Copied for (T, U) {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        Ok((self.0.copied(copier)?, self.1.copied(copier)?))
    }
}

impl Copied for PredicateAccess {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        let (args, amount) = (self.args.copied(copier)?, copier.expr(self.amount)?);
        Ok(PredicateAccess { predicate: self.predicate, args, amount, id: self.id })
    }
}

impl Copied for Location {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        Ok(match self {
            Location::Field { receiver, field } => Location::Field { receiver: copier.expr(*receiver)?, field: *field },
            Location::Predicate { predicate, args } => {
                Location::Predicate { predicate: *predicate, args: args.copied(copier)? }
            }
            Location::Wand(wand) => Location::Wand(copier.expr(*wand)?),
        })
    }
}
