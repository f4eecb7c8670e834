//! Bodies are built from the abbreviated statements below; graphs and loops are compared as text.

use super::{Cfg, End, Irreducible, Step, build};
use crate::program::{
    Block, Decreases, Expr, ExprId, ExprKind, Label, LabelId, Local, LocalId, Program, Stmt, StmtKind, Type,
};
use echis_base::{FileId, Key, Name, Span, SyntaxId};
use std::collections::HashMap;

/// A statement with unresolved names.
enum S {
    Assign(&'static str),
    Label(&'static str),
    /// With an invariant.
    Head(&'static str),
    Goto(&'static str),
    If(Vec<S>, Vec<S>),
    While(Vec<S>),
    /// A block that declares variables.
    Scope(Vec<&'static str>, Vec<S>),
}
use S::*;

#[derive(Default)]
struct Builder {
    program: Program,
    locals: HashMap<&'static str, LocalId>,
    labels: HashMap<&'static str, LabelId>,
}

impl Builder {
    /// Spans number the statements in textual order.
    fn id(&mut self) -> SyntaxId {
        let at = u32::try_from(self.program.syntax.len()).expect("tests are small");
        self.program.syntax.add_span(Span::new(FileId::new(0), at, at))
    }
    fn condition(&mut self) -> ExprId {
        let id = SyntaxId::new(0);
        self.program.exprs.push(Expr { kind: ExprKind::Bool(true), ty: Type::Bool, id, pure: true })
    }
    fn local(&mut self, name: &'static str) -> LocalId {
        let local = Local { name: name.into(), ty: Type::Int, id: SyntaxId::new(0) };
        *self.locals.entry(name).or_insert_with(|| self.program.locals.push(local))
    }
    fn label(&mut self, name: &'static str) -> LabelId {
        let label = Label { name: name.into(), id: SyntaxId::new(0) };
        *self.labels.entry(name).or_insert_with(|| self.program.labels.push(label))
    }
    fn block(&mut self, locals: Vec<&'static str>, stmts: Vec<S>) -> Block {
        let locals = locals.into_iter().map(|name| self.local(name)).collect();
        Block { locals, stmts: stmts.into_iter().map(|stmt| self.stmt(stmt)).collect() }
    }
    fn labelled(&mut self, name: &'static str, invariants: Vec<ExprId>) -> StmtKind {
        StmtKind::Label { label: self.label(name), invariants, decreases: Decreases::default() }
    }
    fn stmt(&mut self, stmt: S) -> Stmt {
        let id = self.id();
        let condition = self.condition();
        let kind = match stmt {
            Assign(name) => StmtKind::Assign { target: self.local(name), value: condition },
            Label(name) => self.labelled(name, Vec::new()),
            Head(name) => self.labelled(name, vec![condition]),
            Goto(name) => StmtKind::Goto(self.label(name)),
            If(then, otherwise) => {
                let then = self.block(Vec::new(), then);
                StmtKind::If { condition, then, otherwise: self.block(Vec::new(), otherwise) }
            }
            While(body) => {
                let body = self.block(Vec::new(), body);
                StmtKind::While { condition, invariants: vec![condition], decreases: Decreases::default(), body }
            }
            Scope(locals, stmts) => StmtKind::Block(self.block(locals, stmts)),
        };
        Stmt { kind, id }
    }
}

fn show(program: &Program, cfg: &Cfg) -> String {
    let name = |local: &LocalId| program.locals[*local].name.clone();
    let mut text = String::new();
    for (key, block) in cfg.blocks.iter() {
        let steps: Vec<String> = block.stmts.iter().map(|step| show_step(program, step)).collect();
        let end = match block.end {
            End::Goto(next) => format!("-> {next}"),
            End::Branch { kind, then, otherwise, .. } => format!("{kind:?} {then} {otherwise}"),
            End::Return => "return".to_owned(),
        };
        let steps: String = steps.iter().map(|step| format!("{step}; ")).collect();
        text += &format!("{key}: {steps}{end}");
        block.loops.iter().for_each(|key| text += &format!(" ({key})"));
        text += "\n";
    }
    for (key, found) in cfg.loops.iter() {
        let assigned: Vec<Name> = found.assigned.iter().map(name).collect();
        let invariants = found.invariants.len();
        assert_eq!(cfg.blocks[found.head].head_of, Some(key));
        text += &format!("{key}: head {} invariants {invariants} assigned [{}]\n", found.head, assigned.join(" "));
    }
    cfg.ignored.iter().for_each(|label| text += &format!("ignored {label}\n"));
    text
}

fn show_step(program: &Program, step: &Step) -> String {
    match step {
        Step::Havoc(locals) => {
            let names: Vec<Name> = locals.iter().map(|&local| program.locals[local].name.clone()).collect();
            format!("havoc {}", names.join(" "))
        }
        Step::Stmt(stmt) => match &stmt.kind {
            StmtKind::Assign { target, .. } => program.locals[*target].name.to_string(),
            StmtKind::Label { label, .. } => format!("label {}", program.labels[*label].name),
            other => panic!("{other:?} is no step"),
        },
    }
}

#[track_caller]
fn check(body: Vec<S>, expected: &str) {
    let mut builder = Builder::default();
    let body = builder.block(Vec::new(), body);
    let cfg = build(&builder.program, &body).expect("the body has only natural loops");
    let expected: String = expected.trim().lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(show(&builder.program, &cfg), expected);
}

/// Checks the textual number of the `goto` to blame.
#[track_caller]
fn check_irreducible(body: Vec<S>, jump: usize) {
    let mut builder = Builder::default();
    let body = builder.block(Vec::new(), body);
    let blamed = build(&builder.program, &body).map(|cfg| show(&builder.program, &cfg));
    assert_eq!(blamed, Err(Irreducible { jump: SyntaxId::new(jump), label: SyntaxId::new(0) }));
}

#[test]
fn a_list_is_one_block() {
    check(vec![], "b0: return");
    check(vec![Assign("x"), Scope(vec!["y"], vec![Assign("y")])], "b0: x; havoc y; y; return");
}

#[test]
fn branches_join() {
    check(
        vec![If(vec![Assign("x")], vec![Assign("y")]), Assign("z")],
        "b0: If b1 b2
         b1: x; -> b3
         b2: y; -> b3
         b3: z; return",
    );
}

#[test]
fn while_has_a_head_of_its_own() {
    check(
        vec![Assign("w"), While(vec![Assign("x"), Scope(vec!["y"], vec![])]), Assign("z")],
        "b0: w; -> b1
         b1: While b2 b3 (loop0)
         b2: x; havoc y; -> b1 (loop0)
         b3: z; return
         loop0: head b1 invariants 1 assigned [x y]",
    );
}

#[test]
fn nested_loops_are_listed_outermost_first() {
    check(
        vec![While(vec![Assign("x"), While(vec![Assign("y")])])],
        "b0: -> b1
         b1: While b2 b6 (loop0)
         b2: x; -> b3 (loop0)
         b3: While b4 b5 (loop0) (loop1)
         b4: y; -> b3 (loop0) (loop1)
         b5: -> b1 (loop0)
         b6: return
         loop0: head b1 invariants 1 assigned [x y]
         loop1: head b3 invariants 1 assigned [y]",
    );
}

#[test]
fn a_way_out_is_not_in_the_loop() {
    check(
        vec![While(vec![If(vec![Assign("x"), Goto("end")], vec![Assign("y")])]), Assign("z"), Label("end")],
        "b0: -> b1
         b1: While b2 b6 (loop0)
         b2: If b3 b4 (loop0)
         b3: x; -> b7
         b4: y; -> b5 (loop0)
         b5: -> b1 (loop0)
         b6: z; -> b7
         b7: label end; return
         loop0: head b1 invariants 1 assigned [y]",
    );
}

#[test]
fn goto_backwards_makes_a_loop() {
    check(
        vec![Head("top"), Assign("x"), If(vec![Goto("top")], vec![]), Assign("y")],
        "b0: -> b1
         b1: label top; x; If b2 b3 (loop0)
         b2: -> b1 (loop0)
         b3: -> b4
         b4: y; return
         loop0: head b1 invariants 1 assigned [x]",
    );
}

#[test]
fn a_label_before_a_while_is_a_loop_around_it() {
    check(
        vec![Label("top"), While(vec![If(vec![Goto("top")], vec![]), Assign("x")])],
        "b0: -> b1
         b1: label top; -> b2 (loop0)
         b2: While b3 b7 (loop0) (loop1)
         b3: If b4 b5 (loop0) (loop1)
         b4: -> b1 (loop0)
         b5: -> b6 (loop0) (loop1)
         b6: x; -> b2 (loop0) (loop1)
         b7: return
         loop0: head b1 invariants 0 assigned [x]
         loop1: head b2 invariants 1 assigned [x]",
    );
}

#[test]
fn code_that_is_not_reached_is_left_out() {
    check(
        vec![Goto("end"), Assign("x"), Head("dead"), While(vec![Goto("dead")]), Label("end"), Assign("y")],
        "b0: -> b1
         b1: label end; y; return
         ignored @2",
    );
}

#[test]
fn dead_code_may_jump_anywhere() {
    check(
        vec![Goto("end"), Label("back"), Goto("inside"), While(vec![Label("inside")]), Label("end")],
        "b0: -> b1
         b1: label end; return",
    );
}

#[test]
fn a_while_that_never_comes_back_is_a_loop() {
    check(
        vec![While(vec![Assign("x"), Goto("end")]), Label("end")],
        "b0: -> b1
         b1: While b2 b3 (loop0)
         b2: x; -> b4
         b3: -> b4
         b4: label end; return
         loop0: head b1 invariants 1 assigned []",
    );
}

#[test]
fn a_label_that_is_no_head_is_reported_if_it_has_invariants() {
    check(
        vec![Label("a"), Head("b"), Assign("x")],
        "b0: -> b1
         b1: label a; -> b2
         b2: label b; x; return
         ignored @1",
    );
}

#[test]
fn goto_into_a_branch() {
    check(
        vec![If(vec![Goto("other")], vec![Assign("x"), Label("other")]), Assign("y")],
        "b0: If b1 b2
         b1: -> b3
         b2: x; -> b3
         b3: label other; -> b4
         b4: y; return",
    );
}

#[test]
fn two_jumps_back_to_one_label_are_one_loop() {
    check(
        vec![Head("top"), If(vec![Assign("x"), Goto("top")], vec![]), If(vec![Assign("y"), Goto("top")], vec![])],
        "b0: -> b1
         b1: label top; If b2 b3 (loop0)
         b2: x; -> b1 (loop0)
         b3: -> b4 (loop0)
         b4: If b5 b6 (loop0)
         b5: y; -> b1 (loop0)
         b6: -> b7
         b7: return
         loop0: head b1 invariants 1 assigned [x y]",
    );
}

/// The loop has no other entry, so the label is its head; the invariants of the `while` are checked in each
/// iteration.
#[test]
fn a_label_in_a_while_can_be_the_head() {
    check(
        vec![Goto("inside"), While(vec![Label("inside"), Assign("x")])],
        "b0: -> b1
         b1: label inside; x; -> b2 (loop0)
         b2: While b3 b4 (loop0) (loop1)
         b3: -> b1 (loop0)
         b4: return
         loop0: head b1 invariants 0 assigned [x]
         loop1: head b2 invariants 1 assigned []",
    );
}

#[test]
fn a_loop_must_be_entered_at_its_head() {
    check_irreducible(vec![If(vec![Goto("inside")], vec![]), While(vec![Label("inside"), Assign("x")])], 1);
    let two_entries =
        vec![If(vec![Goto("b")], vec![]), Label("a"), Assign("x"), Label("b"), If(vec![Goto("a")], vec![])];
    check_irreducible(two_entries, 1);
}

#[test]
fn a_jump_out_of_the_body_is_refused() {
    check_irreducible(vec![Assign("x"), Goto("elsewhere")], 1);
}

#[test]
fn edges_know_the_loops_they_leave() {
    let mut builder = Builder::default();
    let body = builder.block(Vec::new(), vec![While(vec![While(vec![If(vec![Goto("end")], vec![])])]), Label("end")]);
    let cfg = build(&builder.program, &body).expect("the body has only natural loops");
    let edges =
        cfg.blocks.iter().flat_map(|(from, block)| block.end.successors().into_iter().map(move |to| (from, to)));
    let mut text = String::new();
    for (from, to) in edges {
        let left: Vec<String> = cfg.left(from, to).map(|key| key.to_string()).collect();
        if !left.is_empty() || cfg.is_back_edge(from, to) {
            text += &format!("{from} {to} back {} leaves [{}]\n", cfg.is_back_edge(from, to), left.join(" "));
        }
    }
    let expected = "\
b1 b9 back false leaves [loop0]
b3 b8 back false leaves [loop1]
b4 b5 back false leaves [loop1 loop0]
b7 b3 back true leaves []
b8 b1 back true leaves []
";
    assert_eq!(text, expected);
}

#[test]
fn long_and_deep_bodies_take_no_stack() {
    let mut builder = Builder::default();
    let mut body = builder.block(Vec::new(), (0..20_000).map(|_| If(vec![Assign("y")], vec![])).collect());
    for _ in 0..5_000 {
        let (condition, id) = (builder.condition(), builder.id());
        let kind = StmtKind::If { condition, then: body, otherwise: Block::default() };
        body = Block { locals: Vec::new(), stmts: vec![Stmt { kind, id }] };
    }
    let cfg = build(&builder.program, &body).expect("there is no loop");
    assert!(cfg.loops.is_empty());
}
