//! Errors for names that are unknown or of the wrong kind: what was expected, what was found, and a similar name.

use super::Checker;
use super::globals::Global;
use super::scope::Variable;
use echis_base::{Diagnostic, Span, similar};

/// The names that would be valid.
pub(super) enum Fitting<'f> {
    Variables,
    Globals(&'f dyn Fn(Global) -> bool),
    /// Names that can be applied in an expression.
    Applied(&'f dyn Fn(Global) -> bool),
    /// Names that can start a statement: methods.
    Called,
    /// Fields, destructors and discriminators: `e.name`.
    Parts,
    /// Types, including the built-in ones.
    Types,
}

const TYPES: [&str; 8] = ["Int", "Bool", "Perm", "Ref", "Seq", "Set", "Multiset", "Map"];
const VALUES: [&str; 7] = ["true", "false", "null", "result", "none", "write", "wildcard"];
const OPERATORS: [&str; 7] = ["old", "perm", "acc", "Seq", "Set", "Multiset", "Map"];
const STATEMENTS: [&str; 9] = ["while", "if", "assert", "assume", "inhale", "exhale", "fold", "unfold", "refute"];

impl Checker<'_> {
    /// "expected a method, found `n`, which is not declared here; did you mean `m`?"
    pub(super) fn not_fitting(&self, span: Span, name: &str, expected: &str, fitting: Fitting) -> Diagnostic {
        let found = self.not_what_was_expected(name);
        let diagnostic = super::error(span, format!("expected {expected}, found `{name}`, {found}"));
        let meant = self.meant(name, fitting);
        let in_text = (span.end - span.start) as usize == name.len();
        let diagnostic = diagnostic.meant(span, meant.as_deref());
        // Expressions from a macro have the range of its use.
        Diagnostic { fix: diagnostic.fix.filter(|_| in_text), ..diagnostic }
    }

    fn meant(&self, name: &str, fitting: Fitting) -> Option<String> {
        let globals = |fits: &dyn Fn(Global) -> bool| {
            let fitting = |name: &&str| self.globals.all(name).iter().any(|(global, _)| fits(*global));
            similar(name, self.globals.names().filter(fitting)).map(str::to_string)
        };
        match fitting {
            Fitting::Variables => similar(name, self.scopes.names().chain(VALUES)).map(str::to_string),
            Fitting::Globals(fits) => globals(fits),
            Fitting::Applied(fits) => globals(fits).or_else(|| similar(name, OPERATORS).map(str::to_string)),
            Fitting::Called => {
                let methods = globals(&|global| matches!(global, Global::Method(_)));
                methods.or_else(|| similar(name, STATEMENTS).map(str::to_string))
            }
            Fitting::Parts => {
                let is_field = |name: &&str| self.globals.all(name).iter().any(|(g, _)| matches!(g, Global::Field(_)));
                let fields = self.globals.names().filter(is_field).map(str::to_string);
                let destructors = self.globals.destructor_names().map(str::to_string);
                let is_constructor = |name: &&str| self.globals.is_constructor(name);
                let discriminators = self.globals.names().filter(is_constructor).map(|name| format!("is{name}"));
                let all: Vec<String> = fields.chain(destructors).chain(discriminators).collect();
                similar(name, all.iter().map(|name| &**name)).map(str::to_string)
            }
            Fitting::Types => {
                let is_type = |name: &&str| self.globals.all(name).iter().any(|(g, _)| matches!(g, Global::Domain(_)));
                let parameters = self.type_parameters().map(|parameter| &*parameter.name);
                similar(name, self.globals.names().filter(is_type).chain(parameters).chain(TYPES)).map(str::to_string)
            }
        }
    }

    /// "which is a method", "which is not declared here".
    fn not_what_was_expected(&self, name: &str) -> String {
        match self.globals.declaration(name) {
            Some((global, _)) => format!("which is {}", global.describe()),
            None if !self.globals.destructors(name).is_empty() => "which is a destructor".into(),
            None if self.globals.discriminated(name).is_some() => "which is a discriminator".into(),
            None if matches!(self.scopes.lookup(name), Variable::Unknown) => "which is not declared here".into(),
            None => "which is a variable".into(),
        }
    }
}
