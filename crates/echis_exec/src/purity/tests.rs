//! Programs are built by hand: a few expressions and functions each.

use super::Facts;
use echis_base::{Key, SyntaxId};
use echis_program::program::{
    BinaryOp, Decreases, Expr, ExprId, ExprKind, Field, FieldId, Function, FunctionId, Local, LocalId, Location,
    OldState, PredicateId, Program, Quantifier, Type,
};

fn id() -> SyntaxId {
    SyntaxId::new(0)
}

fn expr(program: &mut Program, kind: ExprKind) -> ExprId {
    program.exprs.push(Expr { kind, ty: Type::Int, id: id(), pure: true })
}
fn variable(program: &mut Program) -> (LocalId, ExprId) {
    let local = program.locals.push(Local { name: "x".into(), ty: Type::Int, id: id() });
    (local, expr(program, ExprKind::Local(local)))
}
fn binary(program: &mut Program, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
    expr(program, ExprKind::Binary(op, left, right))
}
fn read(program: &mut Program, receiver: ExprId) -> ExprId {
    if program.fields.is_empty() {
        program.fields.push(Field { name: "f".into(), ty: Type::Int, id: id() });
    }
    expr(program, ExprKind::Field { receiver, field: FieldId::new(0) })
}
fn function(program: &mut Program, pre: Vec<ExprId>) -> FunctionId {
    program.functions.push(Function {
        name: "f".into(),
        id: id(),
        params: Vec::new(),
        result: Type::Int,
        pre,
        post: Vec::new(),
        body: None,
        decreases: Decreases::default(),
        opaque: false,
        height: 0,
        recursive: false,
    })
}
fn apply(program: &mut Program, function: FunctionId) -> ExprId {
    expr(program, ExprKind::FunctionApp { function, args: Vec::new(), reveal: false })
}

#[test]
fn a_value_that_was_read_depends_on_the_heap() {
    let mut program = Program::default();
    let (_, x) = variable(&mut program);
    let field = read(&mut program, x);
    let old = expr(&mut program, ExprKind::Old { state: OldState::Pre, body: field });
    let old_local = expr(&mut program, ExprKind::Old { state: OldState::Pre, body: x });
    let perm = expr(&mut program, ExprKind::PermOf(Location::Field { receiver: x, field: FieldId::new(0) }));
    // The value of `#P()` is built from the snapshot.
    let instance = expr(&mut program, ExprKind::PredicateInstance { predicate: PredicateId::new(0), args: vec![] });
    let facts = Facts::new(&program);
    for reads in [field, old, perm, instance] {
        assert!(facts.mentions_heap(reads));
    }
    assert!(!facts.mentions_heap(old_local));
}

#[test]
fn functions_read_the_heap_by_their_preconditions() {
    let mut program = Program::default();
    let (_, x) = variable(&mut program);
    let field = read(&mut program, x);
    let amount = expr(&mut program, ExprKind::Write);
    let location = Location::Field { receiver: x, field: FieldId::new(0) };
    let acc = expr(&mut program, ExprKind::Acc { location, location_id: id(), amount });
    let total = function(&mut program, vec![]);
    let applied_total = apply(&mut program, total);
    let pure = function(&mut program, vec![x]);
    let applied_pure = apply(&mut program, pure);
    // Declared before what it depends on, so that one iteration over the functions is not enough.
    let indirect = function(&mut program, vec![]);
    let reading = function(&mut program, vec![acc, field]);
    let applied_reading = apply(&mut program, reading);
    program.functions[indirect].pre.push(applied_reading);
    let applied_indirect = apply(&mut program, indirect);
    let facts = Facts::new(&program);
    assert_eq!([total, pure, reading, indirect].map(|key| facts.reads_heap(key)), [false, false, true, true]);
    let applied = [applied_total, applied_pure, applied_reading, applied_indirect];
    assert_eq!(applied.map(|expr| facts.mentions_heap(expr)), [false, false, true, true]);
}

#[test]
fn bound_variables_are_not_free_and_triggers_count() {
    let mut program = Program::default();
    let (x, x_expr) = variable(&mut program);
    let (y, y_expr) = variable(&mut program);
    let (z, z_expr) = variable(&mut program);
    let body = binary(&mut program, BinaryOp::Add, x_expr, y_expr);
    let quantifier = Quantifier::Forall;
    let triggers = vec![vec![z_expr]];
    let forall = expr(&mut program, ExprKind::Quantified { quantifier, vars: vec![x], triggers, given: true, body });
    assert_eq!(program.free_locals(body), [x, y].into());
    assert_eq!(program.free_locals(forall), [y, z].into());
}

#[test]
fn deep_expressions_take_no_stack() {
    let mut program = Program::default();
    let (x, mut deep) = variable(&mut program);
    for _ in 0..200_000 {
        deep = binary(&mut program, BinaryOp::Add, deep, deep);
        let ExprKind::Binary(_, _, right) = &mut program.exprs[deep].kind else { unreachable!("just made") };
        *right = ExprId::new(0);
    }
    assert!(!Facts::new(&program).mentions_heap(deep));
    assert_eq!(program.free_locals(deep), [x].into());
}
