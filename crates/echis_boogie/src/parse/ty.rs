//! Types.

use super::{Parsed, Parser};
use crate::ast::{Ident, Type, TypeKind};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            if self.sees_ident() {
                let name = self.ident()?;
                let args = self.type_args()?;
                return Ok(Type { span: name.span, kind: TypeKind::Named(name.name, args) });
            }
            match self.type_atom()? {
                Some(ty) => Ok(ty),
                None if self.sees_any(&["[", "<"]) => self.map_type(),
                None => {
                    self.miss("invalid Type");
                    Ok(self.missing_type())
                }
            }
        })
    }
    pub(super) fn missing_type(&self) -> Type {
        Type { span: self.peek().span, kind: TypeKind::Bool }
    }

    fn type_atom(&mut self) -> Parsed<Option<Type>> {
        let span = self.peek().span;
        let kind = match self.peek().text {
            "int" => TypeKind::Int,
            "real" => TypeKind::Real,
            "bool" => TypeKind::Bool,
            "(" => {
                self.take();
                let inner = self.ty()?;
                self.expect(")")?;
                return Ok(Some(inner));
            }
            _ => return Ok(None),
        };
        self.take();
        Ok(Some(Type { span, kind }))
    }

    /// Arguments of a type constructor: only the last one may be a map without parentheses.
    fn type_args(&mut self) -> Parsed<Vec<Type>> {
        let mut args = Vec::new();
        loop {
            if self.sees_ident() {
                let name = self.ident()?;
                args.push(Type { span: name.span, kind: TypeKind::Named(name.name, Vec::new()) });
            } else if self.sees_any(&["[", "<"]) {
                args.push(self.map_type()?);
                return Ok(args);
            } else if self.sees_any(&["int", "real", "bool", "("]) {
                args.extend(self.type_atom()?);
            } else {
                return Ok(args);
            }
        }
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let span = self.peek().span;
        let params = self.type_params()?;
        self.expect("[")?;
        let args = if self.sees("]") { Vec::new() } else { self.separated(Self::ty)? };
        self.expect("]")?;
        let result = Box::new(self.ty()?);
        Ok(Type { span, kind: TypeKind::Map { params, args, result } })
    }

    /// `<a, b>`, if it is there.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.skip("<") {
            return Ok(Vec::new());
        }
        let params = self.idents()?;
        self.expect(">")?;
        Ok(params)
    }
}
