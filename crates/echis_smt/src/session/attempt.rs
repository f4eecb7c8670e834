//! Single attempts to prove an obligation, each in a different way.

use super::cases::{Case, cases, near, parts};
use super::{ProcessState, Session};
use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_mention, write_named, write_negation};
use crate::limits::{NEW_SOLVERS_IN_VAIN, ONE_CASE, ONE_PART};
use crate::reply::Answer;
use crate::settings::Limit;
use echis_base::FastSet;
use echis_proof::{GaveUp, ProofTree, Verdict};
use echis_term::{TermId, Terms};

/// A way to ask whether a goal follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attempt {
    /// In the session, with all its facts and earlier questions.
    Usual,
    /// A new solver that receives all facts at once: earlier questions may mislead a solver.
    Afresh,
    /// The parts of the goal one by one, in the session.
    Parts,
    /// The other arithmetic solver, which is better at products.
    OtherArithmetic,
    /// Only facts that share symbols with the goal.
    NearFacts,
    /// Other heuristics: the order of case splits, and random seeds.
    OtherChoices,
    /// The parts of the goal one by one, in each case of conditions in the goal and the facts.
    Cases,
    /// Not this question: another engine is asked about all obligations of the tree at once.
    Elsewhere,
}

impl Attempt {
    pub const ALL: [Attempt; 8] = [
        Attempt::Usual,
        Attempt::Afresh,
        Attempt::Parts,
        Attempt::OtherArithmetic,
        Attempt::NearFacts,
        Attempt::OtherChoices,
        Attempt::Cases,
        Attempt::Elsewhere,
    ];
    /// The name in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Attempt::Usual => "usual",
            Attempt::Afresh => "new solver",
            Attempt::Parts => "parts of the goal",
            Attempt::OtherArithmetic => "other arithmetic",
            Attempt::NearFacts => "near facts",
            Attempt::OtherChoices => "other choices",
            Attempt::Cases => "cases",
            Attempt::Elsewhere => "other engine",
        }
    }
}

/// The number of attempts, and their effort in the solver's units.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Attempted {
    pub tried: u64,
    pub proved: u64,
    /// The effort of all attempts, and of the successful ones.
    pub effort: u64,
    pub effort_of_proofs: u64,
}

impl Attempted {
    pub(super) fn add(&mut self, proved: bool, effort: u64) {
        let of_proofs = if proved { effort } else { 0 };
        self.tried += 1;
        self.proved += u64::from(proved);
        self.effort += effort;
        self.effort_of_proofs += of_proofs;
    }
}

/// The remaining limit, in the solver's units. `None`: unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance(Option<u64>);

impl Allowance {
    pub fn of(limit: Limit) -> Self {
        Allowance((limit.rlimit != 0).then_some(u64::from(limit.rlimit)))
    }
    /// The limit of a question that may take at most this, or all that is left. `None` if nothing is left.
    pub(super) fn share(self, most: Option<u32>) -> Option<Limit> {
        let most = most.map(u64::from);
        let rlimit = match (self.0, most) {
            (None, None) => return Some(Limit::of(super::UNLIMITED)),
            (Some(left), Some(most)) => left.min(most),
            (Some(bound), None) | (None, Some(bound)) => bound,
        };
        u32::try_from(rlimit).ok().filter(|rlimit| *rlimit > 0).map(Limit::of)
    }
    pub(super) fn spend(&mut self, effort: u64) {
        self.0 = self.0.map(|left| left.saturating_sub(effort));
    }
}

/// Single attempts.
impl<B: Backend> Session<B> {
    /// Returns `None` if the attempt would repeat an earlier question, or no effort is left for it.
    pub(super) fn attempt(
        &mut self,
        tree: &ProofTree,
        goal: TermId,
        attempt: Attempt,
        left: &mut Allowance,
        most: Option<u32>,
    ) -> Option<Verdict> {
        let limit = left.share(most)?;
        let before = self.effort;
        let verdict = self.ask_otherwise(tree, goal, attempt, limit)?;
        let reached = verdict == Verdict::Unknown(GaveUp::Resources) && is_one_question(attempt);
        // A killed solver did not report its effort.
        let spent = (self.effort - before).max(if reached { u64::from(limit.rlimit) } else { 0 });
        self.effort = before + spent;
        left.spend(spent);
        self.attempted.entry(attempt).or_default().add(verdict.is_proved(), spent);
        Some(verdict)
    }
    fn ask_otherwise(&mut self, tree: &ProofTree, goal: TermId, attempt: Attempt, limit: Limit) -> Option<Verdict> {
        let terms = &tree.terms;
        let whole = [Case::whole(goal)];
        let facts: Vec<TermId> = match attempt {
            Attempt::Usual | Attempt::Parts => Vec::new(),
            _ => self.trail.iter().filter_map(|node| tree.fact(*node)).collect(),
        };
        let dialect = self.settings.dialect;
        match attempt {
            Attempt::Usual => Some(self.settle(tree, goal, limit)),
            Attempt::Parts => self.in_parts(tree, goal, limit),
            Attempt::Afresh => self.afresh(terms, &facts, &whole, limit),
            Attempt::OtherArithmetic if dialect.other_arithmetic.is_empty() => None,
            Attempt::OtherArithmetic => Some(self.confirmed(terms, dialect.other_arithmetic, &facts, goal, limit)),
            Attempt::OtherChoices if dialect.other_choices.is_empty() => None,
            Attempt::OtherChoices => Some(self.alone(terms, dialect.other_choices, &facts, &whole, limit)),
            Attempt::NearFacts => {
                let near = near(terms, &facts, goal);
                (near.len() < facts.len()).then(|| self.alone(terms, "", &near, &whole, limit))
            }
            Attempt::Cases => {
                let cases = cases(terms, &facts, goal);
                (cases.len() > 1).then(|| self.alone(terms, "", &facts, &cases, limit))
            }
            // Not a question to this solver.
            Attempt::Elsewhere => None,
        }
    }
    /// Tries a new solver; only a few times without success in a member.
    fn afresh(&mut self, terms: &Terms, facts: &[TermId], whole: &[Case], limit: Limit) -> Option<Verdict> {
        if self.afresh_in_vain >= NEW_SOLVERS_IN_VAIN {
            return None;
        }
        let verdict = self.alone(terms, "", facts, whole, limit);
        self.afresh_in_vain += u32::from(!verdict.is_proved());
        Some(verdict)
    }

    /// Proves the parts one by one, each assuming the earlier ones: in `a ==> b && c`, b may lead to a proof of c.
    fn in_parts(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Option<Verdict> {
        let facts = self.trail.iter().filter_map(|node| tree.fact(*node));
        let parts = parts(&tree.terms, facts, goal);
        if parts.len() < 2 {
            return None;
        }
        let mut left = Allowance::of(limit);
        for part in &parts {
            let Some(limit) = left.share(Some(ONE_PART)) else { return Some(Verdict::Unknown(GaveUp::Resources)) };
            let before = self.effort;
            let verdict = self.ask_part(tree, part, limit);
            left.spend(self.effort - before);
            if !verdict.is_proved() {
                return Some(verdict);
            }
        }
        Some(Verdict::Proved)
    }
    fn ask_part(&mut self, tree: &ProofTree, part: &Case, limit: Limit) -> Verdict {
        let ready = self.ready();
        let whole = part.conditions.iter().map(|(condition, _)| *condition).chain(part.mentioned.iter().copied());
        whole.for_each(|term| self.vocabulary.require(&tree.terms, term));
        self.prepare(tree, part.goal);
        let lines = ready.and_then(|()| self.ask_case(&tree.terms, part, limit));
        let verdict = self.read_case(lines, limit);
        if matches!(verdict, Verdict::Unknown(GaveUp::Solver(_))) {
            self.solver = ProcessState::Absent;
        }
        verdict
    }

    /// The verdict of a new solver with other options for all cases: proved, or that of the first that is not. The
    /// next question goes to the usual solver.
    fn alone(&mut self, terms: &Terms, options: &str, facts: &[TermId], cases: &[Case], limit: Limit) -> Verdict {
        let mut told = self.tell_alone(terms, options, facts);
        let mut verdict = Verdict::Proved;
        let mut left = Allowance::of(limit);
        for case in cases {
            let most = (cases.len() > 1).then_some(ONE_CASE);
            let Some(limit) = left.share(most) else {
                verdict = Verdict::Unknown(GaveUp::Resources);
                break;
            };
            let before = self.effort;
            let lines = std::mem::replace(&mut told, Ok(())).and_then(|()| self.ask_case(terms, case, limit));
            verdict = self.read_case(lines, limit);
            left.spend(self.effort - before);
            if !verdict.is_proved() {
                break;
            }
        }
        self.solver = match self.solver {
            ProcessState::Used if options.is_empty() => ProcessState::Astray,
            _ => ProcessState::Absent,
        };
        verdict
    }
    /// The verdict of a new solver with other options, where a proof counts only if it is found again from its core.
    /// Z3's newer arithmetic is known to explain conflicts by too few facts, which proves anything. In that case, the
    /// facts of the core do not suffice by themselves.
    fn confirmed(&mut self, terms: &Terms, options: &str, facts: &[TermId], goal: TermId, limit: Limit) -> Verdict {
        let whole = [Case::whole(goal)];
        let verdict = self.alone(terms, options, facts, &whole, limit);
        if !verdict.is_proved() {
            return verdict;
        }
        let core = self.core_alone(terms, options, facts, goal, limit);
        match core.map(|core| self.alone(terms, options, &core, &whole, limit)) {
            Some(Verdict::Proved) => Verdict::Proved,
            // A proof that was not confirmed refutes nothing.
            _ => Verdict::Unknown(GaveUp::Resources),
        }
    }
    /// The core that a new solver with other options reports for a goal.
    fn core_alone(
        &mut self,
        terms: &Terms,
        options: &str,
        facts: &[TermId],
        goal: TermId,
        limit: Limit,
    ) -> Option<Vec<TermId>> {
        let dialect = self.settings.dialect;
        let lines = self.renew(&[options, dialect.cores, dialect.scoped].concat()).and_then(|()| {
            self.tell_vocabulary(options);
            for (index, fact) in facts.iter().enumerate().filter(|(_, fact)| !terms.is_true(**fact)) {
                write_named(terms, self.settings.style(), &name_of(index), *fact, &mut self.script);
            }
            // Uses the same levels as the question that is being explained.
            self.set_limit(super::UNLIMITED);
            self.script.push_str("(push)\n");
            self.set_limit(limit.rlimit);
            self.script.push_str("(push)\n");
            write_negation(terms, self.settings.style(), goal, &mut self.script);
            let count = dialect.ask_count();
            self.script.push_str(&[&count, "(check-sat)\n(get-info :reason-unknown)\n", &count].concat());
            self.script.push_str(dialect.ask_core);
            self.exchange(limit)
        });
        self.solver = ProcessState::Absent;
        let (named, answer): (Vec<String>, Vec<String>) = lines.ok()?.into_iter().partition(|line| is_core(line));
        if !matches!(self.read_verdict(&answer, limit), Ok(Verdict::Proved)) {
            return None;
        }
        let words: FastSet<&str> = named.iter().flat_map(|line| line.split([' ', '(', ')'])).collect();
        let named = facts.iter().enumerate().filter(|(index, _)| words.contains(&*name_of(*index)));
        Some(named.map(|(_, fact)| *fact).collect())
    }
    fn read_case(&mut self, lines: Result<Vec<String>, Fault>, limit: Limit) -> Verdict {
        match lines.map_err(Answer::Broken).and_then(|lines| self.read_verdict(&lines, limit)) {
            Ok(verdict) => verdict,
            Err(Answer::Broken(fault)) => {
                self.solver = ProcessState::Absent;
                Verdict::Unknown(GaveUp::Solver(fault.to_string()))
            }
            Err(Answer::Refused(text)) => Verdict::Unknown(GaveUp::Solver(text)),
        }
    }
    fn tell_alone(&mut self, terms: &Terms, options: &str, facts: &[TermId]) -> Result<(), Fault> {
        self.renew(options)?;
        self.tell_vocabulary(options);
        for fact in facts.iter().filter(|fact| !terms.is_true(**fact)) {
            write_assertion(terms, self.settings.style(), *fact, &mut self.script);
        }
        Ok(())
    }
    /// Sends the vocabulary to a new solver with these options.
    fn tell_vocabulary(&mut self, options: &str) {
        self.script.push_str(&self.vocabulary.declarations);
        match !options.is_empty() && options == self.settings.dialect.other_arithmetic {
            true => self.script.push_str(&self.vocabulary.axioms_beside_products()),
            false => self.script.push_str(&self.vocabulary.axioms),
        }
        self.script.push_str("(push)\n");
    }
    fn ask_case(&mut self, terms: &Terms, case: &Case, limit: Limit) -> Result<Vec<String>, Fault> {
        let style = self.settings.style();
        // A push makes the current limit the bound for everything until its pop.
        self.set_limit(super::UNLIMITED);
        self.script.push_str("(push)\n");
        for (condition, holds) in &case.conditions {
            let write = if *holds { write_assertion } else { write_negation };
            write(terms, style, *condition, &mut self.script);
        }
        case.mentioned.iter().for_each(|term| write_mention(terms, style, *term, &mut self.script));
        self.set_limit(limit.rlimit);
        self.question(terms, case.goal);
        self.script.push_str("(pop)\n");
        self.exchange(limit)
    }
}

/// The name of a fact in a question for a core.
fn name_of(index: usize) -> String {
    format!("{NAMED}{index}")
}

fn is_core(line: &str) -> bool {
    line == "()" || line.trim_start_matches(['(', ' ']).starts_with(NAMED)
}

const NAMED: &str = "fact.";

/// Whether the attempt's limit applies to a single question.
fn is_one_question(attempt: Attempt) -> bool {
    !matches!(attempt, Attempt::Parts | Attempt::Cases)
}
