//! Construction of program nodes.

mod backend;
mod expressions;
mod members;
mod statements;
mod types;

pub use backend::{BinOpBv, BinOpFloat, BvSize, FloatSizeViper, UnOpBv, UnOpFloat};

use crate::arena::{Arena, Expr, Position, PositionData, Tables, Type, push};
use echis_build::{self as build, ProgramBuilder};
use std::cell::RefMut;

/// Creates nodes of programs. Nodes can be shared between the factories of one context.
#[derive(Clone, Copy)]
pub struct AstFactory<'a> {
    arena: &'a Arena,
}

/// Positions.
impl<'a> AstFactory<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        AstFactory { arena }
    }

    /// An empty position.
    pub fn no_position(&self) -> Position<'a> {
        self.position(PositionData::default())
    }

    /// An empty position: lines and columns are ignored, because they are useless without a file.
    pub fn line_column_position(&self, _line: i32, _column: i32) -> Position<'a> {
        self.no_position()
    }

    /// A position with an identifier, which errors about its nodes report.
    pub fn identifier_position<S: Into<String>>(&self, _line: i32, _column: i32, pos_id: S) -> Position<'a> {
        self.position(PositionData { id: Some(pos_id.into()) })
    }

    fn position(&self, position: PositionData) -> Position<'a> {
        Position::new(push(&mut self.tables().positions, position))
    }

    fn tables(&self) -> RefMut<'a, Tables> {
        self.arena.borrow_mut()
    }

    /// Creates an expression with a position.
    fn expr(&self, pos: Position, make: impl FnOnce(&mut ProgramBuilder<usize>) -> build::Expr) -> Expr<'a> {
        let tables = &mut *self.tables();
        let expr = make(&mut tables.builder);
        let located = tables.positions[pos.index].id.is_some();
        Expr::new(if located { tables.builder.at(expr, pos.index) } else { expr })
    }

    /// Creates an expression without a position.
    fn unlocated(&self, make: impl FnOnce(&mut ProgramBuilder<usize>) -> build::Expr) -> Expr<'a> {
        Expr::new(make(&mut self.tables().builder))
    }

    fn ty(&self, ty: Type) -> build::Type {
        self.tables().types[ty.index].clone()
    }
}

/// The builder's expressions for handles.
fn exprs(handles: &[Expr]) -> Vec<build::Expr> {
    handles.iter().map(|handle| handle.expr).collect()
}
