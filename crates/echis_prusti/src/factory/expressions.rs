//! Expressions and assertions.

use super::{AstFactory, exprs};
use crate::arena::{DomainFunc, Expr, Field, LocalVarDecl, Location, Position, Trigger, Type, push};
use echis_build::{self as build, BinaryOp, Param, Problem, UnaryOp};

/// Defines binary operators, without and with a position or only without.
macro_rules! binary {
    ($($name:ident $with_pos:ident $op:ident;)*) => {
        impl<'a> AstFactory<'a> {
            $(
                pub fn $name(&self, left: Expr, right: Expr) -> Expr<'a> {
                    self.$with_pos(left, right, self.no_position())
                }
                pub fn $with_pos(&self, left: Expr, right: Expr, pos: Position) -> Expr<'a> {
                    self.expr(pos, |builder| builder.binary(BinaryOp::$op, left.expr, right.expr))
                }
            )*
        }
    };
}

macro_rules! binary_without_pos {
    ($($name:ident $op:ident;)*) => {
        impl<'a> AstFactory<'a> {
            $(
                pub fn $name(&self, left: Expr, right: Expr) -> Expr<'a> {
                    self.unlocated(|builder| builder.binary(BinaryOp::$op, left.expr, right.expr))
                }
            )*
        }
    };
}

binary! {
    add add_with_pos Add;
    sub sub_with_pos Sub;
    mul mul_with_pos Mul;
    div div_with_pos IntDiv;
    module module_with_pos Mod;
    lt_cmp lt_cmp_with_pos Lt;
    le_cmp le_cmp_with_pos Le;
    gt_cmp gt_cmp_with_pos Gt;
    ge_cmp ge_cmp_with_pos Ge;
    eq_cmp eq_cmp_with_pos Eq;
    ne_cmp ne_cmp_with_pos Ne;
    or or_with_pos Or;
    and and_with_pos And;
    implies implies_with_pos Implies;
    magic_wand magic_wand_with_pos Wand;
}

binary_without_pos! {
    fractional_perm Div;
    perm_div Div;
    perm_add Add;
    perm_sub Sub;
    perm_mul Mul;
    int_perm_mul Mul;
    perm_lt_cmp Lt;
    perm_le_cmp Le;
    perm_gt_cmp Gt;
    perm_ge_cmp Ge;
    seq_append Append;
    seq_contains In;
    any_set_union Union;
    any_set_intersection Intersection;
    any_set_subset Subset;
    any_set_minus Setminus;
    any_set_contains In;
}

/// Literals, operators and variables.
impl<'a> AstFactory<'a> {
    pub fn int_lit(&self, i: i64) -> Expr<'a> {
        self.int_lit_with_pos(i, self.no_position())
    }
    pub fn int_lit_with_pos(&self, i: i64, pos: Position) -> Expr<'a> {
        self.int_lit_from_ref_with_pos(&i, pos)
    }
    pub fn int_lit_from_ref(&self, i: &dyn ToString) -> Expr<'a> {
        self.int_lit_from_ref_with_pos(i, self.no_position())
    }
    pub fn int_lit_from_ref_with_pos(&self, i: &dyn ToString, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.int_text(&i.to_string()))
    }
    pub fn minus(&self, expr: Expr) -> Expr<'a> {
        self.minus_with_pos(expr, self.no_position())
    }
    pub fn minus_with_pos(&self, expr: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.unary(UnaryOp::Neg, expr.expr))
    }
    pub fn perm_minus(&self, expr: Expr) -> Expr<'a> {
        self.minus(expr)
    }
    pub fn not(&self, expr: Expr) -> Expr<'a> {
        self.not_with_pos(expr, self.no_position())
    }
    pub fn not_with_pos(&self, expr: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.not(expr.expr))
    }
    pub fn true_lit(&self) -> Expr<'a> {
        self.true_lit_with_pos(self.no_position())
    }
    pub fn true_lit_with_pos(&self, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.bool(true))
    }
    pub fn false_lit(&self) -> Expr<'a> {
        self.false_lit_with_pos(self.no_position())
    }
    pub fn false_lit_with_pos(&self, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.bool(false))
    }
    pub fn null_lit(&self) -> Expr<'a> {
        self.null_lit_with_pos(self.no_position())
    }
    pub fn null_lit_with_pos(&self, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.null())
    }
    pub fn cond_exp(&self, cond: Expr, then_expr: Expr, else_expr: Expr) -> Expr<'a> {
        self.cond_exp_with_pos(cond, then_expr, else_expr, self.no_position())
    }
    pub fn cond_exp_with_pos(&self, cond: Expr, then_expr: Expr, else_expr: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.conditional(cond.expr, then_expr.expr, else_expr.expr))
    }
    pub fn local_var(&self, name: &str, var_type: Type) -> Expr<'a> {
        self.local_var_with_pos(name, var_type, self.no_position())
    }
    /// A local variable. The type argument is ignored in favour of the declared type.
    pub fn local_var_with_pos(&self, name: &str, _var_type: Type, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.var(name))
    }
    /// `result`. The type argument is ignored in favour of the function's result type.
    pub fn result_with_pos(&self, _var_type: Type, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.result())
    }
    /// A function application. The type argument is ignored in favour of the function's result type.
    pub fn func_app(&self, function_name: &str, args: &[Expr], _return_type: Type, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.apply(function_name, exprs(args)))
    }
    pub fn domain_func_app(&self, domain_func: DomainFunc, args: &[Expr], type_var_map: &[(Type, Type)]) -> Expr<'a> {
        let (name, result) = {
            let function = &self.tables().domain_funcs[domain_func.index];
            (function.name.clone(), function.result.clone())
        };
        self.domain_application(&name, args, type_var_map, &result, self.no_position())
    }
    /// A domain function application. The domain is determined by the function name.
    pub fn domain_func_app2(
        &self,
        function_name: &str,
        args: &[Expr],
        type_var_map: &[(Type, Type)],
        return_type: Type,
        _domain_name: &str,
        pos: Position,
    ) -> Expr<'a> {
        self.domain_application(function_name, args, type_var_map, &self.ty(return_type), pos)
    }
    /// Applies a domain function. Type arguments are fixed by annotating the result type.
    fn domain_application(
        &self,
        name: &str,
        args: &[Expr],
        type_var_map: &[(Type, Type)],
        result: &build::Type,
        pos: Position,
    ) -> Expr<'a> {
        let result = self.substituted(result, type_var_map);
        self.expr(pos, |builder| match type_var_map.is_empty() {
            true => builder.apply(name, exprs(args)),
            false => builder.apply_as(name, exprs(args), &result),
        })
    }
    /// An application of a function created by [`backend_func`](Self::backend_func).
    pub fn backend_func_app(&self, backend_function: DomainFunc, args: &[Expr], pos: Position) -> Expr<'a> {
        let name = self.tables().domain_funcs[backend_function.index].name.clone();
        self.expr(pos, |builder| builder.apply(&name, exprs(args)))
    }
    /// Returns the expression unchanged, which is correct because simplification preserves semantics.
    pub fn simplified_expression(&self, expr: Expr<'a>) -> Expr<'a> {
        expr
    }
}

/// Heap and permission expressions.
impl<'a> AstFactory<'a> {
    pub fn field_access_predicate(&self, loc: Expr, perm: Expr) -> Expr<'a> {
        self.field_access_predicate_with_pos(loc, perm, self.no_position())
    }
    pub fn field_access_predicate_with_pos(&self, loc: Expr, perm: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.acc(loc.expr, perm.expr))
    }
    pub fn predicate_access_predicate(&self, loc: Expr, perm: Expr) -> Expr<'a> {
        self.predicate_access_predicate_with_pos(loc, perm, self.no_position())
    }
    pub fn predicate_access_predicate_with_pos(&self, loc: Expr, perm: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.acc(loc.expr, perm.expr))
    }
    pub fn inhale_exhale_pred(&self, inhale: Expr, exhale: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.inhale_exhale(inhale.expr, exhale.expr))
    }
    pub fn wildcard_perm(&self) -> Expr<'a> {
        self.unlocated(|builder| builder.wildcard())
    }
    pub fn full_perm(&self) -> Expr<'a> {
        self.unlocated(|builder| builder.write())
    }
    pub fn no_perm(&self) -> Expr<'a> {
        self.unlocated(|builder| builder.none())
    }
    pub fn epsilon_perm(&self) -> Expr<'a> {
        self.unlocated(|builder| builder.epsilon())
    }
    pub fn current_perm(&self, loc: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.perm(loc.expr))
    }
    pub fn field_access(&self, rcv: Expr, field: Field) -> Expr<'a> {
        self.field_access_with_pos(rcv, field, self.no_position())
    }
    pub fn field_access_with_pos(&self, rcv: Expr, field: Field, pos: Position) -> Expr<'a> {
        let name = self.tables().fields[field.index].name.clone();
        self.expr(pos, |builder| builder.field_of(rcv.expr, &name))
    }
    pub fn predicate_access(&self, args: &[Expr], predicate_name: &str) -> Expr<'a> {
        self.predicate_access_with_pos(args, predicate_name, self.no_position())
    }
    pub fn predicate_access_with_pos(&self, args: &[Expr], predicate_name: &str, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.apply(predicate_name, exprs(args)))
    }
    pub fn unfolding(&self, acc: Expr, body: Expr) -> Expr<'a> {
        self.unfolding_with_pos(acc, body, self.no_position())
    }
    pub fn unfolding_with_pos(&self, acc: Expr, body: Expr, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| builder.unfolding(acc.expr, body.expr))
    }
    pub fn applying(&self, wand: Expr, body: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.applying(wand.expr, body.expr))
    }
    pub fn old(&self, expr: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.old(expr.expr))
    }
    pub fn labelled_old(&self, expr: Expr, old_label: &str) -> Expr<'a> {
        self.labelled_old_with_pos(expr, old_label, self.no_position())
    }
    /// A labelled `old` expression. The label `lhs` denotes the state in which a wand is applied.
    pub fn labelled_old_with_pos(&self, expr: Expr, old_label: &str, pos: Position) -> Expr<'a> {
        self.expr(pos, |builder| match old_label {
            "lhs" => builder.old_lhs(expr.expr),
            label => builder.old_at(label, expr.expr),
        })
    }
    /// `forperm` over each of the given locations, as a conjunction.
    pub fn for_perm(&self, variable: LocalVarDecl, access_list: &[Location], body: Expr) -> Expr<'a> {
        let (variable, locations) = {
            let tables = self.tables();
            let name = |location: &Location| match location {
                Location::Field(field) => (true, tables.fields[field.index].name.clone()),
                Location::Predicate(predicate) => (false, tables.predicates[predicate.index].name.clone()),
            };
            let locations: Vec<(bool, String)> = access_list.iter().map(name).collect();
            (tables.variables[variable.index].clone(), locations)
        };
        self.unlocated(|builder| {
            let receiver = builder.var(&variable.name);
            let mut parts = Vec::new();
            for (is_field, name) in &locations {
                let location = match is_field {
                    true => builder.field_of(receiver, name),
                    false => builder.apply(name, [receiver]),
                };
                parts.push(builder.forperm([variable.clone()], location, body.expr));
            }
            builder.and_all(parts)
        })
    }
}

/// Binders and collections.
impl<'a> AstFactory<'a> {
    pub fn let_expr(&self, variable: LocalVarDecl, expr: Expr, body: Expr) -> Expr<'a> {
        self.let_expr_with_pos(variable, expr, body, self.no_position())
    }
    pub fn let_expr_with_pos(&self, variable: LocalVarDecl, expr: Expr, body: Expr, pos: Position) -> Expr<'a> {
        let name = self.tables().variables[variable.index].name.clone();
        self.expr(pos, |builder| builder.let_in(&name, expr.expr, body.expr))
    }
    pub fn forall(&self, variables: &[LocalVarDecl], triggers: &[Trigger], expr: Expr) -> Expr<'a> {
        self.forall_with_pos(variables, triggers, expr, self.no_position())
    }
    pub fn forall_with_pos(
        &self,
        variables: &[LocalVarDecl],
        triggers: &[Trigger],
        expr: Expr,
        pos: Position,
    ) -> Expr<'a> {
        let (variables, triggers) = (self.params(variables), self.terms(triggers));
        self.expr(pos, |builder| builder.forall(variables, triggers, expr.expr))
    }
    pub fn exists(&self, variables: &[LocalVarDecl], triggers: &[Trigger], expr: Expr) -> Expr<'a> {
        self.exists_with_pos(variables, triggers, expr, self.no_position())
    }
    pub fn exists_with_pos(
        &self,
        variables: &[LocalVarDecl],
        triggers: &[Trigger],
        expr: Expr,
        pos: Position,
    ) -> Expr<'a> {
        let (variables, triggers) = (self.params(variables), self.terms(triggers));
        self.expr(pos, |builder| builder.exists(variables, triggers, expr.expr))
    }
    pub fn trigger(&self, exps: &[Expr]) -> Trigger<'a> {
        self.trigger_with_pos(exps, self.no_position())
    }
    /// A trigger. The position is ignored, because errors never refer to triggers.
    pub fn trigger_with_pos(&self, exps: &[Expr], _pos: Position) -> Trigger<'a> {
        Trigger::new(push(&mut self.tables().triggers, exprs(exps)))
    }
    pub(super) fn params(&self, variables: &[LocalVarDecl]) -> Vec<Param> {
        let tables = self.tables();
        variables.iter().map(|variable| tables.variables[variable.index].clone()).collect()
    }
    fn terms(&self, triggers: &[Trigger]) -> Vec<Vec<build::Expr>> {
        let tables = self.tables();
        triggers.iter().map(|trigger| tables.triggers[trigger.index].clone()).collect()
    }
    pub fn empty_seq(&self, elem_type: Type) -> Expr<'a> {
        let element = self.ty(elem_type);
        self.unlocated(|builder| builder.empty_seq(&element))
    }
    pub fn explicit_seq(&self, elems: &[Expr]) -> Expr<'a> {
        self.unlocated(|builder| builder.seq(exprs(elems)))
    }
    pub fn empty_set(&self, elem_type: Type) -> Expr<'a> {
        let element = self.ty(elem_type);
        self.unlocated(|builder| builder.empty_set(&element))
    }
    pub fn explicit_set(&self, elems: &[Expr]) -> Expr<'a> {
        self.unlocated(|builder| builder.set(exprs(elems)))
    }
    pub fn empty_multiset(&self, elem_type: Type) -> Expr<'a> {
        let element = self.ty(elem_type);
        self.unlocated(|builder| builder.empty_multiset(&element))
    }
    pub fn explicit_multiset(&self, elems: &[Expr]) -> Expr<'a> {
        self.unlocated(|builder| builder.multiset(exprs(elems)))
    }
    pub fn empty_map(&self, key_ty: Type, val_ty: Type) -> Expr<'a> {
        let (key, value) = (self.ty(key_ty), self.ty(val_ty));
        self.unlocated(|builder| builder.empty_map(&key, &value))
    }
    /// A map literal, from alternating keys and values.
    pub fn explicit_map(&self, keys_values: &[Expr]) -> Expr<'a> {
        let entries = keys_values.chunks_exact(2);
        self.unlocated(|builder| {
            if !entries.remainder().is_empty() {
                builder.report(Problem::Other("explicit_map was given a key without a value".to_owned()));
            }
            builder.map(entries.map(|entry| (entry[0].expr, entry[1].expr)))
        })
    }
    pub fn update_map(&self, map: Expr, key: Expr, val: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.update(map.expr, key.expr, val.expr))
    }
    pub fn lookup_map(&self, map: Expr, key: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.index(map.expr, key.expr))
    }
    pub fn map_contains(&self, map: Expr, key: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.contains(key.expr, map.expr))
    }
    pub fn map_len(&self, map: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.size(map.expr))
    }
    pub fn range_seq(&self, low: Expr, high: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.range(low.expr, high.expr))
    }
    pub fn seq_index(&self, seq: Expr, index: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.index(seq.expr, index.expr))
    }
    pub fn seq_take(&self, seq: Expr, num: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.take(seq.expr, num.expr))
    }
    pub fn seq_drop(&self, seq: Expr, num: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.drop_first(seq.expr, num.expr))
    }
    pub fn seq_update(&self, seq: Expr, index: Expr, elem: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.update(seq.expr, index.expr, elem.expr))
    }
    pub fn seq_length(&self, seq: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.size(seq.expr))
    }
    pub fn any_set_cardinality(&self, set: Expr) -> Expr<'a> {
        self.unlocated(|builder| builder.size(set.expr))
    }
}
