//! Attributes: their expressions, and restrictions on some of them.

use super::{Resolver, State};
use crate::ast::{Argument, Attribute};
use crate::attributes::{Known, text_attribute};
use echis_base::Span;

impl<'a> Resolver<'a> {
    pub(super) fn attributes(&mut self, attributes: &'a [Attribute]) {
        for attribute in attributes {
            if attribute.is(Known::VerifiedUnder) && attribute.args.len() != 1 {
                self.error(attribute.span, "attribute :verified_under accepts only one argument");
            }
            for argument in &attribute.args {
                if let Argument::Expr(expr) = argument {
                    self.in_state(State::Any, |resolver| resolver.expr(*expr));
                }
            }
        }
    }
    /// Ids of statements and clauses must be unique in the program.
    pub(super) fn statement_id(&mut self, attributes: &[Attribute], span: Span) {
        if let Some(id) = text_attribute(attributes, Known::Id)
            && !self.ids.insert(id.clone())
        {
            self.error(span, format!("more than one statement with same id: {id}"));
        }
    }
}
