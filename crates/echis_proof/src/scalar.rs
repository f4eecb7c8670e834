//! The solver's built-in operators, on values of which some may be unknown.

use crate::model::Raw;
use echis_term::{Integer, Op, Rational};

/// Evaluates an operator. `None` if it is not one of these, or a relevant operand is unknown.
pub fn scalar(op: Op, args: &[Option<Raw>]) -> Option<Raw> {
    match op {
        Op::And => connective(args, false),
        Op::Or => connective(args, true),
        Op::Implies => match args {
            [Some(Raw::Bool(false)), _] | [_, Some(Raw::Bool(true))] => Some(Raw::Bool(true)),
            [Some(Raw::Bool(true)), Some(right)] => Some(right.clone()),
            _ => None,
        },
        _ => {
            let values: Vec<&Raw> = args.iter().map(Option::as_ref).collect::<Option<_>>()?;
            strict(op, &values)
        }
    }
}

fn connective(args: &[Option<Raw>], absorbing: bool) -> Option<Raw> {
    if args.iter().any(|arg| *arg == Some(Raw::Bool(absorbing))) {
        return Some(Raw::Bool(absorbing));
    }
    args.iter().all(Option::is_some).then_some(Raw::Bool(!absorbing))
}

fn strict(op: Op, args: &[&Raw]) -> Option<Raw> {
    use Raw::{Bool, Combine, Int, Perm, Unit};
    Some(match (op, args) {
        (Op::Not, [Bool(value)]) => Bool(!value),
        (Op::Eq, [left, right]) => Bool(left == right),
        (Op::Distinct, values) => Bool((1..values.len()).all(|i| values[..i].iter().all(|other| other != &values[i]))),
        (Op::Add, [Int(_), ..]) => Int(integers(args)?.into_iter().fold(Integer::ZERO, |sum, value| sum + value)),
        (Op::Add, [Perm(_), ..]) => Perm(rationals(args)?.into_iter().fold(Rational::ZERO, |sum, value| sum + value)),
        (Op::Sub | Op::Neg, [Int(value)]) => Int(-value.clone()),
        (Op::Sub | Op::Neg, [Perm(value)]) => Perm(-value.clone()),
        (Op::Sub, [Int(left), rest @ ..]) => {
            Int(integers(rest)?.into_iter().fold(left.clone(), |left, value| left - value))
        }
        (Op::Sub, [Perm(left), rest @ ..]) => {
            Perm(rationals(rest)?.into_iter().fold(left.clone(), |left, value| left - value))
        }
        (Op::Mul, [Int(left), Int(right)]) => Int(left * right),
        (Op::Mul, [Perm(left), Perm(right)]) => Perm(left * right),
        (Op::Div, [Int(left), Int(right)]) if *right != Integer::ZERO => Int(euclidean(left, right).0),
        (Op::Mod, [Int(left), Int(right)]) if *right != Integer::ZERO => Int(euclidean(left, right).1),
        (Op::PermDiv, [Perm(left), Perm(right)]) if *right != Rational::ZERO => Perm(left / right),
        (Op::ToPerm, [Int(value)]) => Perm(Rational::from(value.clone())),
        (Op::Lt, [Int(left), Int(right)]) => Bool(left < right),
        (Op::Lt, [Perm(left), Perm(right)]) => Bool(left < right),
        (Op::Le, [Int(left), Int(right)]) => Bool(left <= right),
        (Op::Le, [Perm(left), Perm(right)]) => Bool(left <= right),
        (Op::Min, [Perm(left), Perm(right)]) => Perm(left.min(right).clone()),
        (Op::Max, [Perm(left), Perm(right)]) => Perm(left.max(right).clone()),
        (Op::Unit, []) => Unit,
        (Op::Combine, [first, second]) => Combine(Box::new((*first).clone()), Box::new((*second).clone())),
        (Op::First, [Combine(first, _)]) => (**first).clone(),
        (Op::Second, [Combine(_, second)]) => (**second).clone(),
        _ => return None,
    })
}

/// The remainder is never negative.
fn euclidean(left: &Integer, right: &Integer) -> (Integer, Integer) {
    let mut quotient = left / right;
    let mut remainder = left - &quotient * right;
    if remainder < Integer::ZERO {
        if *right > Integer::ZERO {
            quotient -= Integer::ONE;
            remainder += right;
        } else {
            quotient += Integer::ONE;
            remainder -= right;
        }
    }
    (quotient, remainder)
}

fn integers(values: &[&Raw]) -> Option<Vec<Integer>> {
    values.iter().map(|value| if let Raw::Int(value) = value { Some(value.clone()) } else { None }).collect()
}
fn rationals(values: &[&Raw]) -> Option<Vec<Rational>> {
    values.iter().map(|value| if let Raw::Perm(value) = value { Some(value.clone()) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean() {
        let divide = |left: i32, right: i32| {
            let (quotient, remainder) = euclidean(&left.into(), &right.into());
            (i32::try_from(quotient).unwrap_or_default(), i32::try_from(remainder).unwrap_or_default())
        };
        assert_eq!(divide(7, 2), (3, 1));
        assert_eq!(divide(-7, 2), (-4, 1));
        assert_eq!(divide(7, -2), (-3, 1));
        assert_eq!(divide(-7, -2), (4, 1));
    }
    #[test]
    fn a_false_part_decides_a_conjunction() {
        assert_eq!(scalar(Op::And, &[None, Some(Raw::Bool(false))]), Some(Raw::Bool(false)));
        assert_eq!(scalar(Op::And, &[None, Some(Raw::Bool(true))]), None);
        assert_eq!(scalar(Op::Implies, &[Some(Raw::Bool(false)), None]), Some(Raw::Bool(true)));
    }
}
