//! Filters answers by kinds of nodes or by members.

use crate::args;
use crate::error::Fallible;
use echis::Pattern;
use echis::depend::{Assumption, Dependents, Trusted, UserId, View, ViewDependencies};

pub struct Filter {
    /// Empty means all.
    types: Vec<Assumption>,
    /// `None` means all.
    members: Option<Pattern>,
}

impl Filter {
    /// A pattern that no member matches is an error.
    pub fn new(args: &args::Deps, view: &View) -> Fallible<Self> {
        for pattern in &args.within {
            let one = Pattern::new([&**pattern]);
            if !view.nodes.iter().any(|node| one.matches(&node.member)) {
                return Err(format!("no node is in a member that matches `{pattern}`").into());
            }
        }
        let members = (!args.within.is_empty()).then(|| Pattern::new(args.within.iter().map(|pattern| &**pattern)));
        Ok(Filter { types: args.types.iter().map(|ty| Assumption::from(*ty)).collect(), members })
    }

    pub fn dependencies(&self, view: &View, answer: &mut ViewDependencies) {
        let ViewDependencies { all, explicit, direct, without_infeasibility, .. } = answer;
        for list in [all, explicit, direct, without_infeasibility] {
            list.retain(|user| self.keeps(view, *user));
        }
    }

    pub fn dependents(&self, view: &View, answer: &mut Dependents) {
        let Dependents { all, explicit, direct, without_infeasibility, .. } = answer;
        for list in [all, explicit, direct, without_infeasibility] {
            list.retain(|user| self.keeps(view, *user));
        }
    }

    pub fn trusted(&self, view: &View, mut trusted: Vec<Trusted>) -> Vec<Trusted> {
        trusted.retain(|found| self.keeps(view, found.node));
        trusted
    }

    fn keeps(&self, view: &View, user: UserId) -> bool {
        let Some(node) = view.node(user) else { return false };
        let typed = self.types.is_empty() || node.assumption.is_some_and(|kind| self.types.contains(&kind));
        typed && self.members.as_ref().is_none_or(|members| members.matches(&node.member))
    }
}
