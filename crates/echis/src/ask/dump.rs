//! Dumps every stage of the pipeline as text.

use crate::checked::unverified::broken;
use crate::checked::{Checked, has_error, parse};
use crate::defect::{Ended, Over, guarded};
use crate::source::Source;
use crate::verify::interpretations::refused;
use crate::verify::members::{Silent, Verified, verify_members};
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_base::SyntaxId;
use echis_exec::Engine;
use echis_findings::FileResult;
use echis_program::program::Program;
use echis_proof::{Bound, CheckId, Outcome, ProofTree, Role};
use echis_term::{Op, SymbolRole, TermId, TermKind, Terms, WandNote};
use std::fmt::Write;
use std::time::Instant;

/// The syntax tree, with macros expanded and imports included.
pub fn dump_ast(source: &Source) -> Result<String, Box<FileResult>> {
    if source.is_boogie() {
        return Err(Box::new(Checked::new(source.clone()).viper_result()));
    }
    let start = Instant::now();
    let parsed = guarded(|| parse(source)).map_err(|ended| Box::new(broken(source.path(), ended, start)))?;
    match parsed {
        Ok((_, tree, diagnostics)) if !has_error(&diagnostics) => Ok(echis_syntax::dump_program(&tree)),
        _ => Err(Box::new(Checked::new(source.clone()).result())),
    }
}

/// The typed program.
pub fn dump_program(checked: &Checked) -> Result<String, Box<FileResult>> {
    Ok(echis_program::print::print(the_program(checked)?).to_string())
}

/// The prefix of the line before each member's tree in [`dump_tree`].
pub const MEMBER_MARK: &str = "; member ";

/// The proof tree of each member, as text that reads back, in the order functions, predicates, methods. Notes about
/// packages precede each tree, one per line.
pub fn dump_tree(checked: &Checked, settings: &Settings, verifier: &Verifier) -> Result<String, Box<FileResult>> {
    let program = the_understood(checked, settings, verifier)?;
    let line = |id: SyntaxId| checked.sources().position(program.syntax.span(id)).start.line;
    dump_members(program, settings, verifier, |text, name, outcome| {
        let notes = package_notes(&outcome.tree, line);
        let _ = write!(text, "{MEMBER_MARK}{name}\n{notes}{}", outcome.tree.to_text());
    })
}

/// The notes that packages leave in the tree, for users.
fn package_notes(tree: &ProofTree, line: impl Fn(SyntaxId) -> u32) -> String {
    let mut text = String::new();
    for node in tree.nodes.keys() {
        let Some(fact) = tree.fact(node) else { continue };
        let Some((note, subject, args)) = package_note(&tree.terms, fact) else { continue };
        let terms: Vec<String> = args.iter().map(|arg| tree.terms.text(*arg)).collect();
        let (wand, about) = terms.split_first().map_or(("", &[][..]), |(wand, about)| (wand.as_str(), about));
        let found = match (note, about) {
            (WandNote::Takes, [location @ .., amount]) => {
                format!("takes {amount} of {subject}({})", location.join(", "))
            }
            (WandNote::Fixed, [value, now]) => format!("{value} is fixed: for every left side it is {now}"),
            (WandNote::Agreed, [value, now]) => format!("{value} is fixed: all left sides agree on it, called {now}"),
            (WandNote::Open, [value]) => format!("{value} is not fixed: enough is taken for any value"),
            _ => continue,
        };
        let _ = writeln!(text, "; package of {wand}, line {}: {found}", line(tree.origin_of(node).clause));
    }
    text
}

/// A note, its kind and its arguments. It may be inside quantifiers and behind a mark.
fn package_note(terms: &Terms, fact: TermId) -> Option<(WandNote, &str, &[TermId])> {
    match terms.kind(fact) {
        TermKind::Quant(quant) => package_note(terms, quant.body),
        TermKind::Op(Op::Implies, args) => package_note(terms, *args.last()?),
        TermKind::App(symbol, args) => match &terms.symbol(*symbol).role {
            SymbolRole::WandNote(note, about) => Some((*note, about, args)),
            _ => None,
        },
        _ => None,
    }
}

/// All checks that members make, as a script with self-contained checks. A solver answers `unsat` for those that it
/// proves.
pub fn dump_smt(checked: &Checked, settings: &Settings, verifier: &Verifier) -> Result<String, Box<FileResult>> {
    let program = the_understood(checked, settings, verifier)?;
    dump_members(program, settings, verifier, |text, place, outcome| {
        let tree = &outcome.tree;
        for (id, check) in tree.checks.iter() {
            let _ = writeln!(text, "; {place}, check {id}: {}", describe(tree, id));
            let limit = verifier.limit(match check.role {
                Role::Obligation(_) => Bound::Full,
                Role::Probe(_) => Bound::Quick,
            });
            *text += &echis_smt::dump(tree, check.at, check.goal, limit);
            *text += "(reset)\n";
        }
    })
}

fn describe(tree: &ProofTree, check: CheckId) -> String {
    let role = match &tree.checks[check].role {
        Role::Obligation(property) => format!("{}:{}", property.error.id(), property.reason.id()),
        Role::Probe(question) => format!("probe {question:?}"),
    };
    match tree.verdicts.get(check) {
        Some(verdict) => format!("{role}, {verdict:?}"),
        None => format!("{role}, not asked"),
    }
}

/// The translation of a Viper program to Boogie. Untranslatable members are named in comments.
pub fn dump_boogie(checked: &Checked, settings: &Settings, verifier: &Verifier) -> Result<String, Box<FileResult>> {
    let program = the_understood(checked, settings, verifier)?;
    let translation = echis_encode::translate(program);
    let mut text = String::new();
    for refusal in &translation.refused {
        text += &format!("// {} is not translated: {}\n", refusal.member.name(program), refusal.message);
    }
    Ok(text + &echis_boogie::print::program(&translation.program))
}

fn dump_members(
    program: &Program,
    settings: &Settings,
    verifier: &Verifier,
    write: impl Fn(&mut String, &str, &Outcome) + Sync,
) -> Result<String, Box<FileResult>> {
    let engine = Engine::new(program);
    let texts = verify_members(&engine, settings, verifier.solvers(), &Silent, |member, outcome| {
        let mut text = String::new();
        write(&mut text, &member.name, &outcome);
        text
    });
    Ok(texts.into_iter().map(member_text).collect())
}

fn member_text(member: Verified<String>) -> String {
    member.result.unwrap_or_else(|ended| match ended {
        Ended::GaveUp(Over::NoSolver(text)) | Ended::Defect(text) => format!("; {}: {text}\n", member.member.name),
        Ended::GaveUp(_) => format!("; {} was not finished\n", member.member.name),
    })
}

fn the_program(checked: &Checked) -> Result<&Program, Box<FileResult>> {
    match checked.viper() {
        Some(program) => Ok(program),
        None => Err(Box::new(checked.viper_result())),
    }
}

/// The program, if the solver accepts its interpretations.
fn the_understood<'a>(
    checked: &'a Checked,
    settings: &Settings,
    verifier: &Verifier,
) -> Result<&'a Program, Box<FileResult>> {
    let program = the_program(checked)?;
    let refused = refused(program, verifier.solvers(), settings);
    if refused.is_empty() { Ok(program) } else { Err(Box::new(checked.result_with(&refused))) }
}
