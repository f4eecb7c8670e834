//! A program from its text, and what Echis says about its members.

use echis::{Cancel, NoSolver, Settings, Silent, Solvers, verify_program};
use echis_base::{Name, Severity, SourceFile, SourceMap, SyntaxId};
use echis_program::program::{ExprKind, FunctionId, Location, MethodId, PredicateId, Program, StmtKind};
use echis_syntax::{NoLoader, parse_program};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A text that is a valid program.
pub struct Text {
    pub text: String,
    pub sources: SourceMap,
    pub program: Program,
}

/// What Echis says of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Verified,
    Failed,
    /// No answer: out of time, or a defect.
    None,
}

impl Text {
    /// The program, or its first error.
    pub fn parse(text: &str) -> Result<Text, String> {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("main.vpr", text));
        let (syntax, mut diagnostics) = parse_program(&mut sources, main, &NoLoader);
        let is_error = |severity| severity == Severity::Error;
        let mut program = None;
        if !diagnostics.iter().any(|found| is_error(found.severity)) {
            let (checked, found) = echis_program::check_program(&syntax);
            diagnostics.extend(found);
            program = checked;
        }
        if let Some(error) = diagnostics.iter().find(|found| is_error(found.severity)) {
            let at = error.span.map(|span| sources.position(span).start);
            let line = at.map(|at| text.lines().nth(at.line.saturating_sub(1) as usize).unwrap_or_default());
            return Err(format!("{}: {}", error.message, line.unwrap_or_default().trim()));
        }
        let program = program.ok_or("the program was not checked")?;
        Ok(Text { text: text.to_string(), sources, program })
    }

    pub fn method(&self, name: &str) -> Option<MethodId> {
        self.program.methods.iter().find(|(_, method)| &*method.name == name).map(|(method, _)| method)
    }

    /// The `assert` statements of a method in textual order.
    pub fn asserts(&self, method: MethodId) -> Vec<SyntaxId> {
        let mut found = Vec::new();
        if let Some(body) = &self.program.methods[method].body {
            body.visit_stmts(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Assert(_)) {
                    found.push(stmt.id);
                }
            });
        }
        found
    }

    pub fn line(&self, at: SyntaxId) -> u32 {
        self.sources.position(self.program.syntax.span(at)).start.line
    }

    /// Verifies all members.
    pub fn verdicts(&self, verifier: &Verifier) -> BTreeMap<Name, Verdict> {
        let settings = Settings { errors: 1, ..Settings::new(verifier.cancel.within(verifier.limit)) };
        let verified = verify_program(&self.program, &settings, &verifier.solvers, &Silent, |_, outcome| {
            outcome.failures.is_empty()
        });
        let verdict = |result| match result {
            Ok(true) => Verdict::Verified,
            Ok(false) => Verdict::Failed,
            Err(_) => Verdict::None,
        };
        verified.into_iter().map(|member| (member.member.name, verdict(member.result))).collect()
    }

    /// Whether the program has axioms of its own: they may be contradictory with full right.
    pub fn has_axioms(&self) -> bool {
        let main = self.sources.files().next().map(|(file, _)| file);
        let is_own = |id| Some(self.program.syntax.span(id).file) == main;
        // Those that compare measures are made for the program, not by it.
        let is_written = |id| self.program.syntax.node(id).cause.is_none() && is_own(id);
        self.program.axioms.values().any(|axiom| is_written(axiom.id))
    }

    /// The members that the meaning of one rests on, itself among them.
    pub fn reached(&self, member: &Name) -> Reached {
        let mut reached = Reached::default();
        let program = &self.program;
        let mut pending: Vec<Member> = program
            .functions
            .iter()
            .filter(|(_, one)| one.name == *member)
            .map(|(key, _)| Member::Function(key))
            .chain(program.methods.iter().filter(|(_, one)| one.name == *member).map(|(key, _)| Member::Method(key)))
            .collect();
        while let Some(member) = pending.pop() {
            let (name, roots) = match member {
                Member::Function(function) => (&program.functions[function].name, program.function_roots(function)),
                Member::Predicate(predicate) => {
                    (&program.predicates[predicate].name, program.predicate_roots(predicate))
                }
                Member::Method(method) => (&program.methods[method].name, program.method_roots(method)),
            };
            if !reached.names.insert(name.clone()) {
                continue;
            }
            if let Member::Function(function) = member {
                let function = &program.functions[function];
                reached.terminates &= !function.recursive || function.decreases.tuple.is_some();
            }
            if let Member::Method(method) = member
                && let Some(body) = &program.methods[method].body
            {
                body.visit_stmts(&mut |stmt| match &stmt.kind {
                    StmtKind::Call { method, .. } => pending.push(Member::Method(*method)),
                    StmtKind::Fold(access) | StmtKind::Unfold(access) => {
                        pending.push(Member::Predicate(access.predicate))
                    }
                    _ => {}
                });
            }
            for root in roots {
                program.visit(root, |expr| {
                    match program.kind(expr) {
                        ExprKind::FunctionApp { function, .. } => pending.push(Member::Function(*function)),
                        ExprKind::Unfolding { access, .. } => pending.push(Member::Predicate(access.predicate)),
                        ExprKind::Acc { location: Location::Predicate { predicate, .. }, .. }
                        | ExprKind::ForallAcc { location: Location::Predicate { predicate, .. }, .. } => {
                            pending.push(Member::Predicate(*predicate));
                        }
                        _ => {}
                    }
                    true
                });
            }
        }
        reached
    }
}

#[derive(Clone, Copy)]
enum Member {
    Function(FunctionId),
    Predicate(PredicateId),
    Method(MethodId),
}

/// What a member rests on.
pub struct Reached {
    pub names: BTreeSet<Name>,
    /// Whether every recursive function among them has a measure: others may be contradictory with full right.
    pub terminates: bool,
}

impl Default for Reached {
    fn default() -> Self {
        Reached { names: BTreeSet::new(), terminates: true }
    }
}

/// Verifies programs, one after the other, with solvers that stay warm.
pub struct Verifier {
    solvers: Solvers,
    cancel: Cancel,
    /// For one program.
    limit: Duration,
}

/// What a check may cost: a wrong program is refused as well if the solver gives up on it early.
const RLIMIT: u32 = 3_000_000;

impl Verifier {
    pub fn new() -> Result<Self, NoSolver> {
        let cancel = Cancel::never();
        let solvers = Solvers::locate(None, Some(RLIMIT), &cancel)?;
        Ok(Verifier { solvers, cancel, limit: Duration::from_secs(20) })
    }
}
