//! A solver proves everything that is derived, from the same groups.

mod common;

use common::{Generator, LIMITS, Random};
use echis_base::{Key, SyntaxId};
use echis_derive::{Answer, Engine, NoPreference, Problem};
use echis_proof::{Because, Bound, Origin, Part, ProofTree, Prover, Verdict};
use echis_smt::{Process, Session, Settings, locate};
use echis_term::{FreshRole, Scope, SymbolId, TermId, TermKind, Terms};

#[test]
fn a_solver_agrees_with_what_is_derived() {
    let origin = Origin { clause: SyntaxId::new(0), site: None, part: Part::Value };
    let mut tree = ProofTree::new(Terms::new(), origin);
    let mut session = Session::new(Process::new(locate(None).expect("a solver is there")), Settings::default());
    let mut generator = Generator::new(&mut tree.terms, Random::seeded(1));
    let (mut proved, mut contradictions) = (0, 0);
    let mut wrong = Vec::new();
    for round in 0..2_500 {
        generator.forget();
        let facts: Vec<TermId> = (0..7).map(|_| generator.formula(&mut tree.terms)).collect();
        let goal = generator.formula(&mut tree.terms);
        let problem = Problem { always: &[], groups: facts.iter().map(std::slice::from_ref).collect(), goal };
        let Answer::Proved(proof) = Engine::default().prove(&tree.terms, &problem, &NoPreference, &LIMITS) else {
            continue;
        };
        proved += usize::from(proof.uses_goal);
        contradictions += usize::from(!proof.uses_goal);
        let core: Vec<TermId> = proof.groups.iter().map(|group| facts[*group]).collect();
        let mentions = mentions(&mut tree.terms, generator.function, core.iter().chain([&goal]));
        let told = core.iter().chain(&mentions);
        let root = tree.root();
        let at = told.fold(root, |at, fact| tree.assume(at, *fact, Because::Written, &[], origin));
        let goal = if proof.uses_goal { goal } else { tree.terms.falsity() };
        let verdict = session.check(&tree, at, goal, Bound::Full);
        if verdict != Verdict::Proved {
            let facts: Vec<String> = core.iter().map(|fact| tree.terms.text(*fact)).collect();
            wrong.push(format!("{round}: {verdict:?}: {} from\n{}", tree.terms.text(goal), facts.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} of {proved} and {contradictions}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(proved > 50 && contradictions > 50, "{proved} goals and {contradictions} contradictions");
}

/// Names for the function's applications. They are logically redundant, but solvers do not match triggers with terms
/// that were simplified away.
fn mentions<'t>(terms: &mut Terms, function: SymbolId, formulas: impl Iterator<Item = &'t TermId>) -> Vec<TermId> {
    let mut applied = Vec::new();
    for formula in formulas {
        terms.for_each_subterm(*formula, |term| {
            let is_one = matches!(terms.kind(term), TermKind::App(symbol, _) if *symbol == function);
            if is_one && terms.term(term).free.is_empty() {
                applied.push(term);
            }
        });
    }
    let int = terms.int_sort();
    let some = terms.fresh(&Scope::default(), FreshRole::Named("some".into()), &[], int);
    applied.push(terms.app(function, [some]));
    let named = applied.into_iter().map(|term| {
        let name = terms.fresh(&Scope::default(), FreshRole::Named("named".into()), &[], int);
        terms.eq(name, term)
    });
    named.collect()
}
