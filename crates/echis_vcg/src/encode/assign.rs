//! Updates of nested parts, for assignments such as `x[i]->f := v`.

use super::{Encoder, Env};
use echis_boogie::program::{StepKind, Target};
use echis_boogie::types::Instance;
use echis_term::TermId;

impl Encoder<'_> {
    /// The variable's value with the target's part replaced.
    pub fn target(&mut self, target: &Target, value: TermId, env: &Env<'_>) -> TermId {
        if target.steps.is_empty() {
            return value;
        }
        let whole = self.var(target.var, env);
        self.target_at(target, 0, whole, value, env)
    }

    fn target_at(&mut self, target: &Target, step: usize, whole: TermId, value: TermId, env: &Env<'_>) -> TermId {
        let Some(found) = target.steps.get(step) else { return value };
        let ty = target.types[step].replace(&env.types);
        let is_last = step + 1 == target.steps.len();
        match &found.kind {
            StepKind::Index { indices, instance } => {
                let instance: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(&env.types))).collect();
                let indices = self.all(indices, env);
                let mut value = value;
                if !is_last {
                    let inner = self.select(&ty, whole, &indices, &instance);
                    value = self.target_at(target, step + 1, inner, value, env);
                }
                self.store(&ty, whole, &indices, value, &instance)
            }
            StepKind::Field { selectors, .. } => {
                let mut value = value;
                if !is_last {
                    let inner = self.field(&ty, selectors, whole);
                    value = self.target_at(target, step + 1, inner, value, env);
                }
                self.update(&ty, selectors, whole, value)
            }
        }
    }
}
