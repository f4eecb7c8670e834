//! Code expressions. Their statements may have several executions: if demanded, all of them must return true; if
//! stated, one does. Otherwise the expression has a value only if both coincide.

use super::{Encoder, Env, Polarity};
use crate::graph::{self, Cmd, Graph};
use crate::limits::STEPS;
use echis_boogie::ast::ExprId;
use echis_boogie::program::{StmtKind, VarId};
use echis_boogie::types::{Instance, Type};
use echis_term::TermId;

/// Whether all executions from here return true, and whether some does.
#[derive(Clone, Copy)]
struct Answer {
    all: TermId,
    one: TermId,
}

/// The expression is unsupported: it has a loop, too many steps, or forbidden statements.
struct Beyond;

struct Run<'g, 'p> {
    graph: &'g Graph<'p>,
    steps: usize,
}

impl<'a> Encoder<'a> {
    pub(super) fn code(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        let program = self.program;
        let Some(code) = program.codes.get(expr) else { return self.unknown(&Type::Bool, env) };
        let graph = graph::build_code(program, code);
        let mut run = Run { graph: &graph, steps: 0 };
        let mut inner = env.with(Polarity::Neither);
        self.forget(&code.locals, &mut inner);
        let Ok(Answer { all, one }) = self.run(&mut run, 0, 0, &inner) else { return self.unknown(&Type::Bool, env) };
        match env.polarity {
            Polarity::Demanded => all,
            Polarity::Stated => one,
            Polarity::Neither => {
                let same = self.eq(all, one);
                let other = self.unknown(&Type::Bool, env);
                self.terms.ite(same, all, other)
            }
        }
    }

    fn forget(&mut self, vars: &[VarId], env: &mut Env<'_>) {
        for var in vars {
            let ty = self.program.vars[*var].ty.expanded().replace(&env.types);
            let value = self.unknown(&ty, env);
            env.bound.push((*var, value));
        }
    }

    fn run(&mut self, run: &mut Run<'_, 'a>, block: usize, at: usize, env: &Env<'_>) -> Result<Answer, Beyond> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.run_inner(run, block, at, env))
    }

    fn run_inner(&mut self, run: &mut Run<'_, 'a>, block: usize, at: usize, env: &Env<'_>) -> Result<Answer, Beyond> {
        let graph = run.graph;
        let mut env = env.clone();
        run.steps += 1;
        if run.steps > STEPS {
            return Err(Beyond);
        }
        for (position, (_, cmd)) in graph.blocks[block].cmds.iter().enumerate().skip(at) {
            run.steps += 1;
            match cmd {
                Cmd::Yield(value) => {
                    let value = self.value(*value, &env);
                    return Ok(Answer { all: value, one: value });
                }
                Cmd::Stop => return Ok(self.nothing()),
                Cmd::Guard { condition, negated, .. } => {
                    let mut condition = self.value(*condition, &env);
                    if *negated {
                        condition = self.terms.not(condition);
                    }
                    let rest = self.run(run, block, position + 1, &env)?;
                    return Ok(self.assuming(condition, rest));
                }
                Cmd::Enter { call, inner } => {
                    let StmtKind::Call { args, instance, .. } = &call.kind else { return Err(Beyond) };
                    let body = &self.program.implementations[graph.frames[*inner]];
                    let types: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(&env.types))).collect();
                    let procedure = &self.program.procedures[body.procedure];
                    // Recursively inlined bodies would need separate variables.
                    let is_deep = graph::inlined(self.program, body.procedure).is_some_and(|(_, depth)| depth > 1);
                    if is_deep || !types.is_empty() || !procedure.requires.is_empty() || !procedure.ensures.is_empty() {
                        return Err(Beyond);
                    }
                    let args = self.all(args, &env);
                    env.bound.extend(body.ins.iter().copied().zip(args));
                    let rest: Vec<VarId> = body.outs.iter().chain(&body.locals).copied().collect();
                    self.forget(&rest, &mut env);
                }
                Cmd::Leave { call, inner } => {
                    let StmtKind::Call { outs, .. } = &call.kind else { return Err(Beyond) };
                    let body = &self.program.implementations[graph.frames[*inner]];
                    let results: Vec<TermId> = body.outs.iter().map(|result| self.var(*result, &env)).collect();
                    env.bound.extend(outs.iter().copied().zip(results));
                }
                Cmd::Stmt(stmt) => match &stmt.kind {
                    StmtKind::Assume(condition) | StmtKind::Assert(condition) => {
                        let condition = self.value(*condition, &env);
                        let rest = self.run(run, block, position + 1, &env)?;
                        if let StmtKind::Assume(_) = stmt.kind {
                            return Ok(self.assuming(condition, rest));
                        }
                        let all = self.terms.and([condition, rest.all]);
                        let one = self.terms.and([condition, rest.one]);
                        return Ok(Answer { all, one });
                    }
                    StmtKind::Havoc(vars) => self.forget(vars, &mut env),
                    StmtKind::Assign { targets, values } => {
                        let values = self.all(values, &env);
                        let written: Vec<(VarId, TermId)> = targets
                            .iter()
                            .zip(values)
                            .map(|(target, value)| (target.var, self.target(target, value, &env)))
                            .collect();
                        env.bound.extend(written);
                    }
                    _ => return Err(Beyond),
                },
                Cmd::Invariant(_) | Cmd::Measure(_) | Cmd::Exit(_) => return Err(Beyond),
            }
        }
        if graph.blocks[block].next.is_empty() {
            // An execution without a result.
            return Err(Beyond);
        }
        let mut answer = self.nothing();
        for next in &graph.blocks[block].next {
            let Answer { all, one } = self.run(run, *next, 0, &env)?;
            answer = Answer { all: self.terms.and([answer.all, all]), one: self.terms.or([answer.one, one]) };
        }
        Ok(answer)
    }

    /// The answer for no execution.
    fn nothing(&mut self) -> Answer {
        Answer { all: self.terms.truth(), one: self.terms.falsity() }
    }
    fn assuming(&mut self, condition: TermId, rest: Answer) -> Answer {
        Answer { all: self.terms.implies(condition, rest.all), one: self.terms.and([condition, rest.one]) }
    }
}
