//! The parts of each form of expression, and where it needs parentheses.

use crate::ast::*;
use crate::dump::{formals, names, type_text};
use crate::op::{Grouping, Level};

/// A work item of printing an expression.
pub(super) enum Item {
    Text(&'static str),
    Owned(String),
    /// An expression that needs parentheses unless it binds at least this tightly.
    Expr(ExprId, Level),
}

/// Whether an expression needs parentheses where only expressions that bind at least as tightly as `level` do not.
pub(super) fn needs_parentheses(kind: &ExprKind, level: Level) -> bool {
    match own_level(kind) {
        // What follows `--*` or a binder extends as far as possible, so it may only be last.
        Level::Conditional => level > Level::Conditional,
        Level::Wand => level != Level::Wand && level != Level::Conditional,
        own => own < level,
    }
}

fn own_level(kind: &ExprKind) -> Level {
    use ExprKind::*;
    match kind {
        Conditional { .. } | Let { .. } | Forall(_) | Exists(_) | Forperm(_) => Level::Conditional,
        Unfolding { .. } | Applying { .. } | Asserting { .. } => Level::Conditional,
        Binary { op, .. } => op.level(),
        Chain { .. } => Level::Comparison,
        Unary { .. } => Level::Prefix,
        Field { .. } | Index { .. } | Update { .. } | Take { .. } | Drop { .. } | Slice { .. } => Level::Suffix,
        _ => Level::Atom,
    }
}

/// The parts of an expression in order.
pub(super) fn form(kind: &ExprKind, items: &mut Vec<Item>) {
    use ExprKind::*;
    let full = |id: &ExprId| Item::Expr(*id, Level::Conditional);
    match kind {
        Bool(value) => items.push(Item::Owned(value.to_string())),
        Null | Result => items.push(Item::Text(kind.row())),
        Int(text) | Ident(text) => items.push(Item::Owned(text.to_string())),
        Perm(literal) => items.push(Item::Text(literal.text())),
        Call(call) if call.ascription.is_some() => {
            items.push(Item::Text("("));
            call_form(call, items);
            let ascription = call.ascription.as_ref().map_or(String::new(), type_text);
            items.push(Item::Owned(format!(": {ascription})")));
        }
        Call(call) => call_form(call, items),
        PredicateInstance(call) => {
            items.push(Item::Text("#"));
            call_form(call, items);
        }
        Field { receiver, field } => {
            items.extend([Item::Expr(*receiver, Level::Suffix), Item::Owned(format!(".{}", field.name))]);
        }
        Unary { op, operand } => items.extend([Item::Text(op.text()), Item::Expr(*operand, Level::Prefix)]),
        Binary { op, left, right } => {
            let (left_level, right_level) = operand_levels(*op);
            items.push(Item::Expr(*left, left_level));
            items.extend([Item::Text(" "), Item::Text(op.text()), Item::Text(" ")]);
            items.push(Item::Expr(*right, right_level));
        }
        Chain { first, links } => {
            items.push(Item::Expr(*first, Level::Sum));
            for (op, operand) in links {
                items.extend([Item::Text(" "), Item::Text(op.text()), Item::Text(" ")]);
                items.push(Item::Expr(*operand, Level::Sum));
            }
        }
        Conditional { condition, then, otherwise } => {
            items.push(Item::Expr(*condition, Level::Iff));
            items.extend([Item::Text(" ? "), full(then), Item::Text(" : "), full(otherwise)]);
        }
        Old { label, body } => {
            let head = match label {
                OldLabel::Start => "old(".to_string(),
                OldLabel::Lhs => "old[lhs](".to_string(),
                OldLabel::Label(label) => format!("old[{}](", label.name),
            };
            items.extend([Item::Owned(head), full(body), Item::Text(")")]);
        }
        Acc { location, amount } => {
            items.extend([Item::Text("acc("), Item::Expr(*location, Level::Suffix)]);
            amount.iter().for_each(|amount| items.extend([Item::Text(", "), full(amount)]));
            items.push(Item::Text(")"));
        }
        CurrentPerm(resource) => {
            items.extend([Item::Text("perm("), Item::Expr(*resource, Level::Wand), Item::Text(")")]);
        }
        Let { var, value, body } => {
            items.extend([Item::Owned(format!("let {} == (", var.name)), full(value)]);
            items.extend([Item::Text(") in "), full(body)]);
        }
        Forall(quantifier) | Exists(quantifier) => quantifier_form(kind.row(), quantifier, items),
        Forperm(forperm) => {
            items.push(Item::Owned(format!("forperm {} [", formals(&forperm.vars))));
            items.push(Item::Expr(forperm.resource, Level::Wand));
            items.extend([Item::Text("] :: "), full(&forperm.body)]);
        }
        Unfolding { access, body } => {
            items.extend([Item::Text("unfolding "), full(access), Item::Text(" in "), full(body)]);
        }
        Applying { wand, body } => {
            items.extend([Item::Text("applying ("), Item::Expr(*wand, Level::Wand)]);
            items.extend([Item::Text(") in "), full(body)]);
        }
        Asserting { assertion, body } => {
            items.extend([Item::Text("asserting ("), full(assertion), Item::Text(") in "), full(body)]);
        }
        Collection(collection) => {
            let element = collection.element.as_ref().map_or(String::new(), |ty| format!("[{}]", type_text(ty)));
            items.push(Item::Owned(format!("{}{element}(", collection.kind.text())));
            list_form(&collection.elements, items);
            items.push(Item::Text(")"));
        }
        Map(map) => {
            items.push(match &map.types {
                Some((key, value)) => Item::Owned(format!("Map[{}, {}](", type_text(key), type_text(value))),
                None => Item::Text("Map("),
            });
            for (index, (key, value)) in map.entries.iter().enumerate() {
                items.push(Item::Text(if index > 0 { ", " } else { "" }));
                items.extend([full(key), Item::Text(" := "), full(value)]);
            }
            items.push(Item::Text(")"));
        }
        New(NewFields::All) => items.push(Item::Text("new(*)")),
        New(NewFields::Fields(fields)) => items.push(Item::Owned(format!("new({})", names(fields)))),
        Cardinality(inner) => items.extend([Item::Text("|"), full(inner), Item::Text("|")]),
        InhaleExhale { inhale, exhale } => {
            items.extend([Item::Text("["), full(inhale), Item::Text(", "), full(exhale), Item::Text("]")]);
        }
        Range { low, high } => {
            items.extend([Item::Text("["), full(low), Item::Text(".."), full(high), Item::Text(")")]);
        }
        Index { base, index } => suffix_form(*base, [full(index)], items),
        Update { base, index, value } => suffix_form(*base, [full(index), Item::Text(" := "), full(value)], items),
        Take { base, end } => suffix_form(*base, [Item::Text(".."), full(end)], items),
        Drop { base, start } => suffix_form(*base, [full(start), Item::Text("..")], items),
        Slice { base, start, end } => suffix_form(*base, [full(start), Item::Text(".."), full(end)], items),
        // A keyword with its operands in parentheses.
        _ => {
            items.push(Item::Owned(format!("{}(", kind.row())));
            let mut operands = Vec::new();
            kind.for_each_child(|child| operands.push(child));
            list_form(&operands, items);
            items.push(Item::Text(")"));
        }
    }
}

fn operand_levels(op: BinaryOp) -> (Level, Level) {
    let level = op.level();
    let tighter = match level {
        Level::Iff => Level::Implies,
        Level::Implies => Level::Wand,
        Level::Wand => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Comparison,
        Level::Comparison => Level::Sum,
        Level::Sum => Level::Product,
        _ => Level::Prefix,
    };
    match op.grouping() {
        _ if op == BinaryOp::Wand => (tighter, Level::Conditional),
        // A wand would extend over what follows, so it is never a left operand without parentheses.
        _ if op == BinaryOp::Implies => (Level::Or, level),
        Grouping::Right => (tighter, level),
        Grouping::Left => (level, tighter),
        Grouping::Chain => (tighter, tighter),
    }
}

fn call_form(call: &Call, items: &mut Vec<Item>) {
    items.push(Item::Owned(format!("{}(", call.callee.name)));
    list_form(&call.args, items);
    items.push(Item::Text(")"));
}

fn list_form(list: &[ExprId], items: &mut Vec<Item>) {
    for (index, id) in list.iter().enumerate() {
        items.push(Item::Text(if index > 0 { ", " } else { "" }));
        items.push(Item::Expr(*id, Level::Conditional));
    }
}

fn quantifier_form(word: &str, quantifier: &Quantifier, items: &mut Vec<Item>) {
    items.push(Item::Owned(format!("{word} {} ::", formals(&quantifier.vars))));
    for trigger in &quantifier.triggers {
        items.push(Item::Text(" {"));
        list_form(&trigger.terms, items);
        items.push(Item::Text("}"));
    }
    items.extend([Item::Text(" "), Item::Expr(quantifier.body, Level::Conditional)]);
}

fn suffix_form<const N: usize>(base: ExprId, inside: [Item; N], items: &mut Vec<Item>) {
    items.extend([Item::Expr(base, Level::Suffix), Item::Text("[")]);
    items.extend(inside);
    items.push(Item::Text("]"));
}
