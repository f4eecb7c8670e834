//! From a syntax tree to a checked program: the phases, and the passes that desugar.
//!
//! | phase | what | errors |
//! | --- | --- | --- |
//! | 4 | names and types ([`crate::check`]) | `typechecker.error` |
//! | 5 | shapes of triggers, arguments of `forperm`, targets of calls (also in `check`) | `typechecker.error` |
//! | | lowering (`lower`), with the passes below | none |
//! | 6 | consistency checks on the lowered program (`consistency`) | `consistency.error` |
//! | 7 | checks of the extensions (`consistency::extensions`) | `consistency.error` |
//! | | trigger inference (`triggers`) and numbering of the call graph (`call_graph`) | warnings only |
//!
//! A phase with an error prevents later ones; all errors of that phase are reported. Warnings prevent nothing.
//!
//! Desugaring, in this order:
//! 1. *Local forms* (chained comparisons, `elseif`, initialisers, field targets, `new(*)`, missing amounts, slices,
//!    constructors, destructors and discriminators of ADTs) while each node is lowered: they need only the node and
//!    its types. ADT functions get their keys before any expression, so that uses can refer to them.
//! 2. *Quantified permissions* when a `forall` with an impure body is lowered, bottom-up: an inner quantifier is
//!    canonical when the outer one is split, so that merging is one step.
//! 3. *`assume`* when the statement is lowered: its operand must have canonical quantifiers.
//! 4. *Well-founded orders* after all members: only then are the types of all measures known.
//! 5. *Axioms of ADTs and their orders* after 4, which determines whether the program uses orders at all;
//!    transitivity of `contains` last, since it depends on every application in the program.
//! 6. *Checks* (phases 6 and 7) use the desugared program, as users' errors require: canonical quantifiers, but no
//!    inferred triggers.
//! 7. *Trigger inference* after the checks, which concern written triggers only, and after all copying, since it is
//!    done once for each remaining quantifier.
//! 8. *Call graph* last: it affects nothing else, and needs the final bodies.

use crate::consistency::{consistency, extensions, warnings};
use crate::lower::{Lowered, lower};
use crate::program::Program;
use crate::{call_graph, check, triggers};
use echis_base::{Diagnostic, Severity};
use echis_syntax::ast;

/// Checks and lowers a parsed program. There is a program if and only if no diagnostic is an error.
pub fn check_program(ast: &ast::Program) -> (Option<Program>, Vec<Diagnostic>) {
    let (typed, mut diagnostics) = check(ast);
    if has_errors(&diagnostics) {
        return (None, finish(diagnostics));
    }
    let Lowered { mut program, consistency: unlowerable, extensions: clauses, generated_domains } = lower(ast, &typed);
    diagnostics.extend(warnings(&program, &generated_domains));
    diagnostics.extend(unlowerable);
    diagnostics.extend(consistency(&program, &generated_domains));
    if has_errors(&diagnostics) {
        return (None, finish(diagnostics));
    }
    diagnostics.extend(clauses);
    diagnostics.extend(extensions(&program));
    if has_errors(&diagnostics) {
        return (None, finish(diagnostics));
    }
    diagnostics.extend(triggers::infer(&mut program));
    call_graph::number(&mut program);
    (Some(program), finish(diagnostics))
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Sorts by location and removes exact duplicates.
fn finish(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics
        .sort_by(|left, right| (left.span, &left.id, &left.message).cmp(&(right.span, &right.id, &right.message)));
    diagnostics.dedup();
    diagnostics
}
