//! Programs as text, which parses back to the same tree. Layout is the printer's own: comments and superfluous parentheses
//! are not part of a tree.

mod decl;
mod expr;
mod stmt;

use crate::ast::{Argument, Attribute, File, Ident, Stmt, Type, TypeKind};
use crate::lex::WORDS;

/// The text of all declarations.
pub fn program(tree: &File) -> String {
    annotated(tree, &|_| None)
}

/// The text of all declarations, with comments behind statements.
pub fn annotated(tree: &File, comment: &dyn Fn(&Stmt) -> Option<String>) -> String {
    let mut printer = Printer { tree, comment, text: String::new(), depth: 0 };
    tree.decls.iter().for_each(|decl| printer.decl(decl));
    printer.text
}

struct Printer<'a> {
    tree: &'a File,
    comment: &'a dyn Fn(&Stmt) -> Option<String>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.text += text;
    }
    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
    /// Reserved words can be names behind a backslash.
    fn name(&mut self, name: &str) {
        if WORDS.contains(&name) {
            self.put("\\");
        }
        self.put(name);
    }
    fn separated<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }
    fn idents(&mut self, idents: &[Ident]) {
        self.separated(idents, |printer, ident| printer.name(&ident.name));
    }
    /// Each with a blank behind it.
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.attribute(attribute);
            self.put(" ");
        }
    }
    fn attribute(&mut self, attribute: &Attribute) {
        self.put("{:");
        self.put(&attribute.name);
        if !attribute.args.is_empty() {
            self.put(" ");
        }
        self.separated(&attribute.args, |printer, arg| match arg {
            Argument::Text(text) => printer.quoted(text),
            Argument::Expr(value) => printer.expr(*value),
        });
        self.put("}");
    }
    /// Backslashes belong to the text.
    fn quoted(&mut self, text: &str) {
        self.put("\"");
        self.put(text);
        self.put("\"");
    }

    fn type_params(&mut self, params: &[Ident]) {
        if !params.is_empty() {
            self.put("<");
            self.idents(params);
            self.put(">");
        }
    }
    fn ty(&mut self, ty: &Type) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &ty.kind {
            TypeKind::Bool => self.put("bool"),
            TypeKind::Int => self.put("int"),
            TypeKind::Real => self.put("real"),
            TypeKind::Named(name, args) => {
                self.name(name);
                args.iter().for_each(|arg| self.type_arg(arg));
            }
            TypeKind::Map { params, args, result } => {
                self.type_params(params);
                self.put("[");
                self.separated(args, Self::ty);
                self.put("]");
                self.ty(result);
            }
        });
    }
    fn type_arg(&mut self, arg: &Type) {
        let is_simple = match &arg.kind {
            TypeKind::Bool | TypeKind::Int | TypeKind::Real => true,
            TypeKind::Named(_, args) => args.is_empty(),
            TypeKind::Map { .. } => false,
        };
        self.put(if is_simple { " " } else { " (" });
        self.ty(arg);
        self.put(if is_simple { "" } else { ")" });
    }
}
