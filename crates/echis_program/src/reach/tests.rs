//! Programs are built by hand; what is reached is compared by key.

use super::{Member, Reach, Resource, reach, substitute};
use crate::program::{
    Axiom, AxiomId, BinaryOp, Block, Decreases, DecreasesTuple, Domain, DomainFunction, DomainFunctionId, DomainId,
    Expr, ExprId, ExprKind, Field, FieldId, Function, FunctionId, Local, LocalId, Location, Method, MethodId,
    Predicate, PredicateId, Program, Stmt, StmtKind, Type, WellFounded,
};
use echis_base::{Key, SyntaxId};

fn id() -> SyntaxId {
    SyntaxId::new(0)
}
const T: Type = Type::Parameter(0);
fn seq(ty: Type) -> Type {
    Type::Seq(Box::new(ty))
}

fn typed(program: &mut Program, kind: ExprKind, ty: Type) -> ExprId {
    program.exprs.push(Expr { kind, ty, id: id(), pure: true })
}
fn expr(program: &mut Program, kind: ExprKind) -> ExprId {
    typed(program, kind, Type::Bool)
}
fn truth(program: &mut Program) -> ExprId {
    expr(program, ExprKind::Bool(true))
}
fn variable(program: &mut Program, ty: Type) -> (LocalId, ExprId) {
    let local = program.locals.push(Local { name: "x".into(), ty: ty.clone(), id: id() });
    (local, typed(program, ExprKind::Local(local), ty))
}
fn field(program: &mut Program) -> FieldId {
    program.fields.push(Field { name: "f".into(), ty: Type::Int, id: id() })
}
fn method(program: &mut Program, pre: Vec<ExprId>, stmts: Vec<StmtKind>) -> MethodId {
    let stmts = stmts.into_iter().map(|kind| Stmt { kind, id: id() }).collect();
    program.methods.push(Method {
        name: "m".into(),
        id: id(),
        params: Vec::new(),
        returns: Vec::new(),
        pre,
        post: Vec::new(),
        body: Some(Block { locals: Vec::new(), stmts }),
        decreases: Decreases::default(),
        cycle: 0,
    })
}
fn function(program: &mut Program, pre: Vec<ExprId>, body: Option<ExprId>) -> FunctionId {
    program.functions.push(Function {
        name: "f".into(),
        id: id(),
        params: Vec::new(),
        result: Type::Int,
        pre,
        post: Vec::new(),
        body,
        decreases: Decreases::default(),
        opaque: false,
        height: 0,
        recursive: false,
    })
}
fn predicate(program: &mut Program, body: Option<ExprId>) -> PredicateId {
    program.predicates.push(Predicate { name: "P".into(), id: id(), params: Vec::new(), body })
}
fn apply(program: &mut Program, function: FunctionId) -> ExprId {
    expr(program, ExprKind::FunctionApp { function, args: Vec::new(), reveal: false })
}
fn domain(program: &mut Program, parameters: usize) -> DomainId {
    program.domains.push(Domain {
        name: "D".into(),
        id: id(),
        parameters: (0..parameters).map(|index| format!("T{index}").into()).collect(),
        interpretation: None,
        functions: Vec::new(),
        axioms: Vec::new(),
        adt: None,
    })
}
fn domain_function(program: &mut Program, domain: DomainId, params: Vec<Type>) -> DomainFunctionId {
    let key = program.domain_functions.push(DomainFunction {
        name: "g".into(),
        id: id(),
        domain,
        params,
        result: Type::Bool,
        unique: false,
        interpretation: None,
    });
    program.domains[domain].functions.push(key);
    key
}
fn axiom(program: &mut Program, domain: DomainId, body: ExprId) -> AxiomId {
    let key = program.axioms.push(Axiom { name: None, id: id(), domain, body });
    program.domains[domain].axioms.push(key);
    key
}
fn domain_app(program: &mut Program, function: DomainFunctionId, type_args: Vec<Type>) -> ExprId {
    expr(program, ExprKind::DomainApp { function, type_args, args: Vec::new() })
}
fn forall_acc(program: &mut Program, location: Location) -> ExprId {
    let condition = truth(program);
    let amount = expr(program, ExprKind::Write);
    let (vars, triggers) = (Vec::new(), Vec::new());
    let kind = ExprKind::ForallAcc { vars, triggers, given: true, condition, location, location_id: id(), amount };
    expr(program, kind)
}
fn reached_by(program: &Program, method: MethodId) -> Reach {
    reach(program, Member::Method(method))
}

#[test]
fn bodies_of_callees_are_not_reached_but_their_contracts_are() {
    let mut program = Program::default();
    let in_body = function(&mut program, vec![], None);
    let in_body_app = apply(&mut program, in_body);
    let inner = function(&mut program, vec![], None);
    let inner_app = apply(&mut program, inner);
    let in_contract = function(&mut program, vec![], Some(inner_app));
    let in_contract_app = apply(&mut program, in_contract);
    let callee = method(&mut program, vec![in_contract_app], vec![StmtKind::Assert(in_body_app)]);
    let call = StmtKind::Call { targets: Vec::new(), method: callee, args: Vec::new() };
    let caller = method(&mut program, vec![], vec![call]);
    let reach = reached_by(&program, caller);
    assert_eq!(reach.functions, [in_contract, inner].into());
    assert_eq!(reach.methods, [caller, callee].into());
    assert_eq!(reached_by(&program, callee).functions, [in_body, in_contract, inner].into());
}

#[test]
fn quantified_resources_are_found_in_predicate_bodies_and_contracts() {
    let mut program = Program::default();
    let (_, receiver) = variable(&mut program, Type::Ref);
    let (plain, quantified) = (field(&mut program), field(&mut program));
    let all = forall_acc(&mut program, Location::Field { receiver, field: quantified });
    let holder = predicate(&mut program, Some(all));
    let amount = expr(&mut program, ExprKind::Write);
    let location = Location::Predicate { predicate: holder, args: Vec::new() };
    let acc = expr(&mut program, ExprKind::Acc { location, location_id: id(), amount });
    let read = expr(&mut program, ExprKind::Field { receiver, field: plain });
    let reader = method(&mut program, vec![acc], vec![StmtKind::Assert(read)]);
    let reach = reached_by(&program, reader);
    assert_eq!(reach.fields, [plain, quantified].into());
    assert_eq!(reach.predicates, [holder].into());
    assert_eq!(reach.quantified, [Resource::Field(quantified)].into());
    assert!(reach.triggered.is_empty() && !reach.quantified_wands);
}

#[test]
fn triggers_quantify_what_they_look_up_at_bound_variables() {
    let mut program = Program::default();
    let (bound, bound_expr) = variable(&mut program, Type::Ref);
    let (_, free_expr) = variable(&mut program, Type::Ref);
    let (at_bound, at_free) = (field(&mut program), field(&mut program));
    let holder = predicate(&mut program, None);
    let first = expr(&mut program, ExprKind::Field { receiver: bound_expr, field: at_bound });
    let second = expr(&mut program, ExprKind::Field { receiver: free_expr, field: at_free });
    let location = Location::Predicate { predicate: holder, args: vec![bound_expr] };
    let third = expr(&mut program, ExprKind::TriggerLocation(location));
    let body = truth(&mut program);
    let quantifier = crate::program::Quantifier::Forall;
    let triggers = vec![vec![first, second], vec![third]];
    let kind = ExprKind::Quantified { quantifier, vars: vec![bound], triggers, given: true, body };
    let forall = expr(&mut program, kind);
    let checked = method(&mut program, vec![forall], vec![]);
    let reach = reached_by(&program, checked);
    assert_eq!(reach.quantified, [Resource::Field(at_bound), Resource::Predicate(holder)].into());
    assert_eq!(reach.triggered, reach.quantified);
    assert_eq!(reach.fields, [at_bound, at_free].into());
}

#[test]
fn wands_under_quantifiers_are_noted() {
    let mut program = Program::default();
    let side = truth(&mut program);
    let wand = expr(&mut program, ExprKind::Wand { left: side, right: side });
    let (location, location_id) = (Location::Wand(wand), id());
    let havoc = StmtKind::QuasihavocAll { vars: Vec::new(), condition: None, location, location_id };
    let checked = method(&mut program, vec![], vec![havoc]);
    assert!(reached_by(&program, checked).quantified_wands);
}

#[test]
fn domains_without_parameters_are_needed_if_they_declare_functions() {
    let mut program = Program::default();
    let body = truth(&mut program);
    let with = domain(&mut program, 0);
    domain_function(&mut program, with, vec![]);
    let active = axiom(&mut program, with, body);
    let without = domain(&mut program, 0);
    axiom(&mut program, without, body);
    let checked = method(&mut program, vec![], vec![]);
    let reach = reached_by(&program, checked);
    assert_eq!(reach.domains, [(with, vec![])].into());
    assert_eq!(reach.axioms, [(active, vec![])]);
}

#[test]
fn axioms_of_generic_domains_are_needed_for_each_instance() {
    let mut program = Program::default();
    let list = domain(&mut program, 1);
    let cons = domain_function(&mut program, list, vec![T]);
    let other = domain(&mut program, 1);
    let empty = domain_function(&mut program, other, vec![T]);
    let body = domain_app(&mut program, empty, vec![seq(T)]);
    let about_list = axiom(&mut program, list, body);
    let body = truth(&mut program);
    let about_other = axiom(&mut program, other, body);
    let used = domain_app(&mut program, cons, vec![Type::Int]);
    let checked = method(&mut program, vec![used], vec![]);
    let unused = method(&mut program, vec![], vec![]);
    let reach = reached_by(&program, checked);
    assert_eq!(reach.domain_functions, [(cons, vec![Type::Int]), (empty, vec![seq(Type::Int)])].into());
    assert_eq!(reach.axioms, [(about_list, vec![Type::Int]), (about_other, vec![seq(Type::Int)])]);
    assert!(reach.types.contains(&seq(Type::Int)));
    assert!(reached_by(&program, unused).axioms.is_empty());
}

#[test]
fn instances_stop_growing() {
    let mut program = Program::default();
    let list = domain(&mut program, 1);
    let cons = domain_function(&mut program, list, vec![T]);
    let body = domain_app(&mut program, cons, vec![Type::Domain(list, vec![T])]);
    axiom(&mut program, list, body);
    let used = domain_app(&mut program, cons, vec![Type::Int]);
    let checked = method(&mut program, vec![used], vec![]);
    let reach = reached_by(&program, checked);
    assert_eq!(reach.axioms.len(), 3);
    // The symbol in the last axiom occurs, although nothing is assumed about it.
    assert_eq!(reach.domain_functions.len(), 4);
}

/// The orders of termination measures: `decreasing` is generic, and each order's axioms are in a separate domain.
#[test]
fn axioms_in_a_domain_of_their_own_follow_the_functions_they_are_about() {
    let mut program = Program::default();
    let orders = domain(&mut program, 1);
    let decreasing = domain_function(&mut program, orders, vec![T, T]);
    let bounded = domain_function(&mut program, orders, vec![T]);
    program.well_founded = Some(WellFounded { decreasing, bounded, nested: None });
    let mut order = |parameters: usize, ty: Type| {
        let order = domain(&mut program, parameters);
        let body = domain_app(&mut program, decreasing, vec![ty]);
        axiom(&mut program, order, body)
    };
    let of_int = order(0, Type::Int);
    order(0, Type::Bool);
    let of_seq = order(1, seq(T));
    let measured = |program: &mut Program, ty: Type| {
        let (_, measure) = variable(program, ty);
        let key = method(program, vec![], vec![]);
        program.methods[key].decreases.tuple =
            Some(DecreasesTuple { id: id(), measures: vec![measure], condition: None });
        reached_by(program, key).axioms
    };
    assert_eq!(measured(&mut program, Type::Int), [(of_int, vec![])]);
    assert_eq!(measured(&mut program, seq(Type::Ref)), [(of_seq, vec![Type::Ref])]);
    assert_eq!(measured(&mut program, Type::Perm), []);
}

#[test]
fn long_chains_take_no_stack() {
    let mut program = Program::default();
    let mut last = function(&mut program, vec![], None);
    for _ in 0..20_000 {
        let app = apply(&mut program, last);
        let both = expr(&mut program, ExprKind::Binary(BinaryOp::And, app, app));
        last = function(&mut program, vec![], Some(both));
    }
    assert_eq!(reach(&program, Member::Function(last)).functions.len(), 20_001);
}

#[test]
fn parameters_are_replaced_everywhere() {
    let map = Type::Map(Box::new(T), Box::new(Type::Domain(DomainId::new(3), vec![Type::Parameter(1)])));
    let replaced = Type::Map(Box::new(Type::Int), Box::new(Type::Domain(DomainId::new(3), vec![Type::Ref])));
    assert_eq!(substitute(&map, &[Type::Int, Type::Ref]), replaced);
}
