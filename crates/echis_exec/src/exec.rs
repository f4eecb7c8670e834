//! Execution of one member: statements, contracts and bodies.

mod again;
mod axioms;
mod function;
mod loops;
mod method;
mod package;
mod predicate;
mod promise;
mod refute;
mod stmt;
mod termination;

use crate::context::{Context, Exported, Library};
use crate::eval::Evaluator;
use crate::heap::{Layer, Memory};
use crate::state::{Mode, Obligation, State, Step};
use crate::tree::Writer;
use echis_program::MisplacedIn;
use echis_program::program::{MethodId, Program};
use echis_program::reach::{Member, Reach};
use echis_proof::{ErrorKind, Failure, NodeId, Options, Outcome, Property, Prover, Reason};

pub(crate) struct Executor<'a> {
    context: Context<'a>,
    eval: Evaluator<'a>,
    refutes: refute::Refutes,
    loops: again::Visited,
    /// Methods whose bodies are being run at calls.
    running: Vec<MethodId>,
}

impl Executor<'_> {
    /// Reports inhale-exhale assertions where they have no meaning.
    fn is_refused(&mut self, member: Member, root: NodeId) -> bool {
        let st = State::new(root);
        let misplaced = self.context.program.misplaced(member);
        for found in &misplaced {
            let at = self.context.syntax(found.expr);
            // Every way to stop has been recorded as a failure.
            let _: Step<()> = match found.place {
                MisplacedIn::Value => {
                    let reason = Reason::UnexpectedNode;
                    let property = Property { error: ErrorKind::Internal, at, reason, offending: at };
                    self.eval.memory.writer.fail(&st, Obligation::other(property), None, Mode::default())
                }
                place => self.eval.memory.writer.unsupported(&st, at, place.note(), Mode::default()),
            };
        }
        !misplaced.is_empty()
    }
}

impl<'a> Layer<'a> for Executor<'a> {
    fn memory(&mut self) -> &mut Memory<'a> {
        self.eval.memory()
    }
}

pub(crate) fn verify(
    program: &Program,
    member: Member,
    reach: &Reach,
    library: &Library,
    prover: &mut dyn Prover,
    options: &Options,
    found: &mut Vec<Failure>,
) -> (Outcome, Option<Exported>) {
    let id = match member {
        Member::Function(function) => program.functions[function].id,
        Member::Predicate(predicate) => program.predicates[predicate].id,
        Member::Method(method) => program.methods[method].id,
    };
    let context = Context::new(program, member, reach, library, options);
    let memory = Memory::new(Writer::new(context, prover, found, id));
    let context = memory.context.clone();
    let mut executor = Executor {
        context,
        eval: Evaluator::new(memory),
        refutes: Default::default(),
        loops: Default::default(),
        running: Vec::new(),
    };
    let root = axioms::background(&mut executor);
    let exported = match member {
        _ if executor.is_refused(member, root) => None,
        Member::Function(function) => Some(function::verify(&mut executor, function, root)),
        Member::Predicate(id) => {
            predicate::verify(&mut executor, id, root);
            None
        }
        Member::Method(id) => {
            method::verify(&mut executor, id, root);
            None
        }
    };
    (executor.eval.into_memory().into_writer().finish(), exported)
}
