//! From a core to a small one. A solver's core may be larger than needed, and may even not suffice; what leaves here was
//! proved again, and with enough effort no part of it can go.

use echis_proof::{Core, Explainer};

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The solver's core, checked.
    Off,
    /// Smaller within a bound.
    Fast,
    /// Until no node can be left out.
    Full,
}

/// Questions that may still be asked.
#[derive(Clone, Copy, Debug)]
pub struct Budget(pub usize);

impl Budget {
    pub fn take(&mut self) -> bool {
        let there = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        there
    }
    pub fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// A minimal set of groups that proves the question posed, starting from `allowed`. `order` lists groups in the order
/// in which doing without them is tried. `None`: there is no proof from the allowed groups.
pub fn shrink(
    explainer: &mut dyn Explainer,
    allowed: &[usize],
    order: impl Fn(&[usize]) -> Vec<usize>,
    effort: Effort,
    budget: &mut Budget,
) -> Option<Core> {
    let first = explainer.ask(allowed)?;
    if first.groups.is_empty() {
        return Some(first);
    }
    // What the solver names is believed only if it proves the goal alone.
    let mut core = match explainer.ask(&first.groups) {
        Some(core) => core,
        None => Core { groups: allowed.to_vec(), uses_goal: first.uses_goal },
    };
    if effort == Effort::Off {
        return Some(core);
    }
    for group in order(&core.groups) {
        if !core.groups.contains(&group) {
            continue;
        }
        if effort == Effort::Fast && !budget.take() {
            break;
        }
        let without: Vec<usize> = core.groups.iter().copied().filter(|kept| *kept != group).collect();
        if let Some(smaller) = explainer.ask(&without) {
            core = confirmed(explainer, without, smaller);
        }
    }
    Some(core)
}

/// A smaller core, or the set that was just shown to suffice.
fn confirmed(explainer: &mut dyn Explainer, sufficient: Vec<usize>, core: Core) -> Core {
    if core.groups == sufficient {
        return core;
    }
    match explainer.ask(&core.groups) {
        Some(core) => core,
        None => Core { groups: sufficient, uses_goal: core.uses_goal },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_term::{TermId, Terms};

    /// Proves if one of the sets is on; names more than it needs.
    struct Sets(Vec<Vec<usize>>);
    impl Explainer for Sets {
        fn pose(&mut self, _: &Terms, _: &[TermId], _: &[Vec<TermId>], _: TermId) {}
        fn ask(&mut self, groups: &[usize]) -> Option<Core> {
            let proves = self.0.iter().any(|set| set.iter().all(|group| groups.contains(group)));
            let groups = groups.to_vec();
            proves.then_some(Core { groups, uses_goal: true })
        }
    }

    #[test]
    fn nothing_superfluous_remains() {
        let mut sets = Sets(vec![vec![0, 2], vec![1, 2]]);
        let core = shrink(&mut sets, &[0, 1, 2, 3], |groups| groups.to_vec(), Effort::Full, &mut Budget(0));
        assert_eq!(core.map(|core| core.groups), Some(vec![1, 2]));
        let backwards = |groups: &[usize]| groups.iter().rev().copied().collect();
        let core = shrink(&mut sets, &[0, 1, 2, 3], backwards, Effort::Full, &mut Budget(0));
        assert_eq!(core.map(|core| core.groups), Some(vec![0, 2]));
        assert_eq!(shrink(&mut sets, &[0, 1], backwards, Effort::Full, &mut Budget(0)), None);
    }

    #[test]
    fn a_core_that_does_not_suffice_is_not_believed() {
        struct Liar;
        impl Explainer for Liar {
            fn pose(&mut self, _: &Terms, _: &[TermId], _: &[Vec<TermId>], _: TermId) {}
            fn ask(&mut self, groups: &[usize]) -> Option<Core> {
                (groups.len() > 1).then(|| Core { groups: vec![0], uses_goal: true })
            }
        }
        let core = shrink(&mut Liar, &[0, 1, 2], |groups| groups.to_vec(), Effort::Full, &mut Budget(0));
        assert_eq!(core.map(|core| core.groups.len()), Some(2));
    }
}
