//! The parts of nodes: each type that a field of a node can have implements these traits once, and traversals, copies
//! and dumps follow from that.
//! that.

use super::{
    BinaryOp, Block, Call, Collection, CollectionKind, Decreases, DecreasesKind, ExprId, Formal, Forperm, Ident, IfArm,
    Invariants, Macro, MapLiteral, NewFields, OldLabel, PermLiteral, Quantifier, Trigger, Type, TypeKind, UnaryOp,
};
use echis_base::{Name, Span};
use std::ops::{Deref, DerefMut};

/// A part of a statement or expression, in text order.
#[derive(Clone, Copy)]
pub enum Part<'a> {
    Expr(ExprId),
    Block(&'a Block),
    /// A variable or label that the node declares or binds.
    Declared(&'a Ident),
    /// A label, or a name declared outside bodies.
    Named(&'a Ident),
    Type(&'a Type),
    /// Its expressions follow.
    Decreases(&'a Decreases),
    Define(&'a Macro),
    /// A literal or an operator, as written.
    Text(&'a str),
}

/// A label at its declaration or use.
#[derive(Clone, Debug)]
pub struct LabelName(pub Ident);

/// A variable that is bound in the following fields.
#[derive(Clone, Debug)]
pub struct Binder(pub Ident);

macro_rules! idents {
    ($($Type:ident)*) => {
        $(
            impl Deref for $Type {
                type Target = Ident;
                fn deref(&self) -> &Ident {
                    &self.0
                }
            }
            impl DerefMut for $Type {
                fn deref_mut(&mut self) -> &mut Ident {
                    &mut self.0
                }
            }
        )*
    };
}
idents!(LabelName Binder);

/// A field type that consists of parts.
pub trait Parts {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>));
    /// The blocks among the parts, mutably.
    fn each_block<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut Block));
}

/// Copies nodes, possibly changing names.
pub trait Copier {
    type Problem;
    fn expr(&mut self, expr: ExprId) -> Result<ExprId, Self::Problem>;
    fn block(&mut self, block: &Block) -> Result<Block, Self::Problem>;
    /// A label, or the declaration of a local variable.
    fn declared(&mut self, ident: &Ident) -> Result<Ident, Self::Problem>;
    /// A name other than a variable or label: a callee, a field, a type.
    fn free(&mut self, ident: &Ident) -> Result<Ident, Self::Problem>;
    /// A variable that is bound in the rest of the expression.
    fn bind(&mut self, ident: &Ident) -> Result<Ident, Self::Problem>;
    /// The range of a node in the copy.
    fn span(&self, own: Span) -> Span;
}

/// A field type that can be copied.
pub trait Copied: Sized {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem>;
}

/// Field types without blocks: their parts, and how they are copied.
macro_rules! fields {
    ($(
        $Type:ty: |$value:ident, $visit:ident| $parts:expr, |$copier:ident| $copy:expr;
    )*) => {
        $(
            impl Parts for $Type {
                fn each_part<'a>(&'a self, $visit: &mut dyn FnMut(Part<'a>)) {
                    let $value = self;
                    $parts;
                }
                fn each_block<'a>(&'a mut self, _: &mut dyn FnMut(&'a mut Block)) {}
            }
            impl Copied for $Type {
                fn copied<C: Copier>(&self, $copier: &mut C) -> Result<Self, C::Problem> {
                    let $value = self;
                    let _ = &$copier;
                    Ok($copy)
                }
            }
        )*
    };
}

fields! {
    ExprId: |expr, visit| visit(Part::Expr(*expr)), |copier| copier.expr(*expr)?;
    Ident: |name, visit| visit(Part::Named(name)), |copier| copier.free(name)?;
    LabelName: |name, visit| visit(Part::Named(name)), |copier| LabelName(copier.declared(name)?);
    Binder: |name, visit| visit(Part::Declared(name)), |copier| Binder(copier.bind(name)?);
    Type: |ty, visit| visit(Part::Type(ty)), |copier| Type { kind: ty.kind.copied(copier)?, span: copier.span(ty.span) };
    Macro: |decl, visit| visit(Part::Define(decl)), |copier| decl.clone();
    Name: |text, visit| visit(Part::Text(text)), |copier| text.clone();
    bool: |value, visit| visit(Part::Text(if *value { "true" } else { "false" })), |copier| *value;
    UnaryOp: |op, visit| visit(Part::Text(op.text())), |copier| *op;
    BinaryOp: |op, visit| visit(Part::Text(op.text())), |copier| *op;
    PermLiteral: |literal, visit| visit(Part::Text(literal.text())), |copier| *literal;
    CollectionKind: |kind, visit| visit(Part::Text(kind.text())), |copier| *kind;
    Formal: |formal, visit| {
        visit(Part::Declared(&formal.name));
        visit(Part::Type(&formal.ty));
    }, |copier| {
        let (name, ty) = (copier.declared(&formal.name)?, formal.ty.copied(copier)?);
        Formal { name, ty, span: copier.span(formal.span) }
    };
    Call: |call, visit| {
        visit(Part::Named(&call.callee));
        call.args.each_part(visit);
        call.ascription.each_part(visit);
    }, |copier| {
        let (callee, args) = (copier.free(&call.callee)?, call.args.copied(copier)?);
        Call { callee, args, ascription: call.ascription.copied(copier)? }
    };
    OldLabel: |label, visit| match label {
        OldLabel::Start => {}
        OldLabel::Lhs => visit(Part::Text("lhs")),
        OldLabel::Label(label) => visit(Part::Named(label)),
    }, |copier| match label {
        OldLabel::Label(label) => OldLabel::Label(copier.declared(label)?),
        label => label.clone(),
    };
    Trigger: |trigger, visit| trigger.terms.each_part(visit), |copier| {
        Trigger { terms: trigger.terms.copied(copier)?, span: copier.span(trigger.span) }
    };
    Quantifier: |quantifier, visit| {
        quantifier.vars.each_part(visit);
        quantifier.triggers.each_part(visit);
        visit(Part::Expr(quantifier.body));
    }, |copier| {
        let (vars, triggers) = (bound(&quantifier.vars, copier)?, quantifier.triggers.copied(copier)?);
        Quantifier { vars, triggers, body: copier.expr(quantifier.body)? }
    };
    Forperm: |forperm, visit| {
        forperm.vars.each_part(visit);
        visit(Part::Expr(forperm.resource));
        visit(Part::Expr(forperm.body));
    }, |copier| {
        let (vars, resource) = (bound(&forperm.vars, copier)?, copier.expr(forperm.resource)?);
        Forperm { vars, resource, body: copier.expr(forperm.body)? }
    };
    Collection: |collection, visit| {
        collection.kind.each_part(visit);
        collection.element.each_part(visit);
        collection.elements.each_part(visit);
    }, |copier| {
        let (element, elements) = (collection.element.copied(copier)?, collection.elements.copied(copier)?);
        Collection { kind: collection.kind, element, elements }
    };
    MapLiteral: |map, visit| {
        map.types.each_part(visit);
        map.entries.each_part(visit);
    }, |copier| MapLiteral { types: map.types.copied(copier)?, entries: map.entries.copied(copier)? };
    NewFields: |fields, visit| match fields {
        NewFields::All => visit(Part::Text("*")),
        NewFields::Fields(fields) => fields.each_part(visit),
    }, |copier| match fields {
        NewFields::All => NewFields::All,
        NewFields::Fields(fields) => NewFields::Fields(fields.copied(copier)?),
    };
    Decreases: |clause, visit| {
        visit(Part::Decreases(clause));
        if let DecreasesKind::Tuple(tuple) = &clause.kind {
            tuple.each_part(visit);
        }
        clause.condition.each_part(visit);
    }, |copier| {
        let kind = match &clause.kind {
            DecreasesKind::Tuple(tuple) => DecreasesKind::Tuple(tuple.copied(copier)?),
            kind => kind.clone(),
        };
        Decreases { kind, condition: clause.condition.copied(copier)?, span: clause.span }
    };
    Invariants: |invariants, visit| {
        invariants.exprs.each_part(visit);
        invariants.decreases.each_part(visit);
    }, |copier| Invariants { exprs: invariants.exprs.copied(copier)?, decreases: invariants.decreases.copied(copier)? };
}

/// Binds all names before copying the first of them.
fn bound<C: Copier>(vars: &[Formal], copier: &mut C) -> Result<Vec<Formal>, C::Problem> {
    vars.iter().try_for_each(|var| copier.bind(&var.name).map(drop))?;
    vars.iter().map(|var| var.copied(copier)).collect()
}

impl Copied for TypeKind {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        Ok(match self {
            TypeKind::Seq(element) => TypeKind::Seq(element.copied(copier)?),
            TypeKind::Set(element) => TypeKind::Set(element.copied(copier)?),
            TypeKind::Multiset(element) => TypeKind::Multiset(element.copied(copier)?),
            TypeKind::Map(key, value) => TypeKind::Map(key.copied(copier)?, value.copied(copier)?),
            TypeKind::Named(name, args) => TypeKind::Named(copier.free(name)?, args.copied(copier)?),
            TypeKind::Int | TypeKind::Bool | TypeKind::Perm | TypeKind::Ref | TypeKind::Rational => self.clone(),
        })
    }
}

// -----------------------------------------------------------------------------------------------------------------
// Fields with blocks, and containers

impl Parts for Block {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Block(self));
    }
    fn each_block<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut Block)) {
        visit(self);
    }
}

impl Copied for Block {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        copier.block(self)
    }
}

impl Parts for IfArm {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit(Part::Expr(self.condition));
        visit(Part::Block(&self.body));
    }
    fn each_block<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut Block)) {
        visit(&mut self.body);
    }
}

impl Copied for IfArm {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        Ok(IfArm { condition: copier.expr(self.condition)?, body: copier.block(&self.body)?, span: self.span })
    }
}

/// Containers, with the parts of their elements.
macro_rules! containers {
    ($($Type:ty: |$value:ident| $iter:expr, $iter_mut:expr, |$copier:ident| $copy:expr;)*) => {
        $(
            impl<T: Parts> Parts for $Type {
                fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
                    let $value = self;
                    $iter.for_each(|item| item.each_part(visit));
                }
                fn each_block<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut Block)) {
                    let $value = self;
                    $iter_mut.for_each(|item| item.each_block(visit));
                }
            }
            impl<T: Copied> Copied for $Type {
                fn copied<C: Copier>(&self, $copier: &mut C) -> Result<Self, C::Problem> {
                    let $value = self;
                    $copy
                }
            }
        )*
    };
}

containers! {
    Vec<T>: |items| items.iter(), items.iter_mut(), |copier| items.iter().map(|item| item.copied(copier)).collect();
    Option<T>: |item| item.iter(), item.iter_mut(), |copier| item.as_ref().map(|item| item.copied(copier)).transpose();
    Box<T>: |item| [&**item].into_iter(), [&mut **item].into_iter(), |copier| Ok(Box::new((**item).copied(copier)?));
}

impl<T: Parts, U: Parts> Parts for (T, U) {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        self.0.each_part(visit);
        self.1.each_part(visit);
    }
    fn each_block<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut Block)) {
        self.0.each_block(visit);
        self.1.each_block(visit);
    }
}

impl<T: Copied, U: Copied> Copied for (T, U) {
    fn copied<C: Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
        Ok((self.0.copied(copier)?, self.1.copied(copier)?))
    }
}
