//! A parsed program, and Echis's verdicts on its members.

use echis::{
    Cancel, Checked, Config, Diagnostic, EngineChoice, FileVerdict, Finding, MemberResult, NoSolver, Remembering,
    Settings, Silent, Source,
};
use echis_base::{Name, Severity, SourceMap, SyntaxId};
use echis_program::program::{ExprId, ExprKind, Location, MethodId, Program, StmtKind};
use echis_program::reach::Member;
use echis_syntax::NoLoader;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A valid program with its text.
pub struct Text {
    pub text: String,
    pub sources: Arc<SourceMap>,
    pub program: Arc<Program>,
    checked: Arc<Checked>,
    /// Whether the program is known by construction to terminate and to have only definitional axioms, which Echis
    /// does not prove.
    pub conservative: bool,
}

/// Echis's verdict on a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Verified,
    Failed,
    /// No verdict, because of a timeout or an internal error.
    None,
}

impl Text {
    /// Parses and checks a program. `Err` is its first error.
    pub fn parse(text: &str) -> Result<Text, String> {
        let checked = Arc::new(Checked::new(Source::text("main.vpr", text).loaded_by(Arc::new(NoLoader))));
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        if let Some(error) = checked.diagnostics().iter().find(is_error) {
            let at = error.span.map(|span| checked.sources().position(span).start);
            let line = at.map(|at| text.lines().nth(at.line.saturating_sub(1) as usize).unwrap_or_default());
            return Err(format!("{}: {}", error.message, line.unwrap_or_default().trim()));
        }
        let program = checked.viper().ok_or("the program was not checked")?.clone();
        Ok(Text { text: text.to_string(), sources: checked.sources().clone(), program, checked, conservative: false })
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
        self.verdicts_by(verifier, EngineChoice::Symbolic)
    }
    /// Verifies all members with the given engine.
    pub fn verdicts_by(&self, verifier: &Verifier, engine: EngineChoice) -> BTreeMap<Name, Verdict> {
        verifier.verdicts(&self.checked, engine)
    }

    /// Whether the program declares axioms, which may legitimately be contradictory.
    pub fn has_axioms(&self) -> bool {
        let main = self.sources.files().next().map(|(file, _)| file);
        let is_own = |id| Some(self.program.syntax.span(id).file) == main;
        // Axioms that compare measures are generated, not written.
        let is_written = |id| self.program.syntax.node(id).cause.is_none() && is_own(id);
        self.program.axioms.values().any(|axiom| is_written(axiom.id))
    }

    /// The members that a member depends on, including itself.
    pub fn reached(&self, member: &Name) -> Reached {
        let mut reached = Reached::default();
        let program = &self.program;
        let mut pending: Vec<Member> = Member::all(program).filter(|one| one.name(program) == member).collect();
        // Axioms are known everywhere, and through them the contracts of the functions that they mention.
        for axiom in program.axioms.values() {
            mentioned(program, axiom.body, &mut pending);
        }
        while let Some(member) = pending.pop() {
            if !reached.names.insert(member.name(program).clone()) {
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
            for root in member.roots(program) {
                mentioned(program, root, &mut pending);
            }
        }
        reached
    }
}

/// Adds the functions and predicates that an expression mentions.
fn mentioned(program: &Program, root: ExprId, found: &mut Vec<Member>) {
    program.visit(root, |expr| {
        match program.kind(expr) {
            ExprKind::FunctionApp { function, .. } => found.push(Member::Function(*function)),
            ExprKind::Unfolding { access, .. } => found.push(Member::Predicate(access.predicate)),
            ExprKind::Acc { location: Location::Predicate { predicate, .. }, .. }
            | ExprKind::ForallAcc { location: Location::Predicate { predicate, .. }, .. } => {
                found.push(Member::Predicate(*predicate));
            }
            _ => {}
        }
        true
    });
}

/// The dependencies of a member.
pub struct Reached {
    pub names: BTreeSet<Name>,
    /// Whether all recursive functions among them have a measure; otherwise they may legitimately be contradictory.
    pub terminates: bool,
}

impl Default for Reached {
    fn default() -> Self {
        Reached { names: BTreeSet::new(), terminates: true }
    }
}

/// Verifies programs one after the other, reusing solver processes. Shared declarations are verified once.
pub struct Verifier {
    brief: echis::Verifier,
    patient: echis::Verifier,
    cancel: Cancel,
    programs: AtomicU64,
    /// Milliseconds spent in each engine.
    spent: [AtomicU64; 2],
}

/// The part of error ids that marks unsupported features.
const UNSUPPORTED: &str = "feature.unsupported";

/// Solver resource limit of a check. A wrong program also counts as rejected if the solver gives up early. Proofs of
/// small members are short; longer ones rarely succeed.
const BRIEF: u32 = 300_000;
/// The limit for one in `PATIENT_EVERY` programs, because a wrong proof may be long.
const PATIENT: u32 = 3_000_000;
const PATIENT_EVERY: u64 = 12;
/// Time limit for one program.
const TIME: Duration = Duration::from_secs(20);

impl Verifier {
    pub fn new() -> Result<Self, NoSolver> {
        let cancel = Cancel::never();
        let verifier = |rlimit| {
            let memory = Remembering::On;
            echis::Verifier::new(Config { rlimit: Some(rlimit), memory, stop: cancel.clone(), ..Config::default() })
        };
        let (brief, patient) = (verifier(BRIEF)?, verifier(PATIENT)?);
        Ok(Verifier { brief, patient, cancel, programs: AtomicU64::new(0), spent: Default::default() })
    }
    /// The time spent in each engine.
    pub fn spent(&self) -> [Duration; 2] {
        [0, 1].map(|engine: usize| Duration::from_millis(self.spent[engine].load(Ordering::Relaxed)))
    }

    /// Verifies all procedures of a Boogie program.
    pub fn boogie(&self, text: &str) -> Result<BTreeMap<Name, Verdict>, String> {
        let checked = Arc::new(Checked::new(Source::text("main.bpl", text).loaded_by(Arc::new(NoLoader))));
        match checked.diagnostics().iter().find(|found| found.severity == Severity::Error) {
            Some(error) => Err(error.message.clone()),
            None => Ok(self.verdicts(&checked, EngineChoice::Conditions)),
        }
    }

    /// The verdict of an engine on each member. Members with unsupported features get no verdict.
    fn verdicts(&self, checked: &Arc<Checked>, engine: EngineChoice) -> BTreeMap<Name, Verdict> {
        let settings = Settings { errors: 1, engine, ..Settings::new(self.cancel.within(TIME)) };
        // Each program is verified twice, once by each engine.
        let number = self.programs.fetch_add(1, Ordering::Relaxed) / 2;
        let verifier = if number.is_multiple_of(PATIENT_EVERY) { &self.patient } else { &self.brief };
        let start = Instant::now();
        let verified = verifier.verify(checked, &settings, &Silent);
        let took = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.spent[usize::from(engine == EngineChoice::Conditions)].fetch_add(took, Ordering::Relaxed);
        let verdict = |found: &MemberResult| match found.verdict {
            FileVerdict::Verified => Verdict::Verified,
            FileVerdict::Failed | FileVerdict::Undecided => Verdict::Failed,
            FileVerdict::Valid | FileVerdict::Invalid | FileVerdict::Error => Verdict::None,
        };
        let result = verified.result();
        let is_unsupported = |error: &Finding| error.diagnostic.id.contains(UNSUPPORTED);
        let unsupported = |name: &Name| {
            result.errors.iter().any(|error| error.member.as_ref() == Some(name) && is_unsupported(error))
        };
        let stopped =
            |name: &Name| result.stopped.iter().any(|stopped| stopped.member() == Some(name)) || unsupported(name);
        let members = result.members.iter();
        let verdicts = members.map(|found| match stopped(&found.name) {
            true => (found.name.clone(), Verdict::None),
            false => (found.name.clone(), verdict(found)),
        });
        verdicts.collect()
    }
}
