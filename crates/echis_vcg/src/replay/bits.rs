//! SMT-LIB's operators on bitvectors.

use echis_proof::Raw;
use echis_term::Integer;

/// Evaluates an operator; `None` if it is not one of these.
pub fn bits(name: &str, args: &[Raw]) -> Option<Raw> {
    match args {
        [] => literal(name),
        [Raw::Bits(value, width)] => unary(name, value, *width),
        [Raw::Bits(high, left), Raw::Bits(low, right)] if name == "concat" => {
            Some(Raw::Bits(high * power(*right) + low, left + right))
        }
        [Raw::Bits(left, width), Raw::Bits(right, other)] if width == other => binary(name, left, right, *width),
        _ => None,
    }
}

/// `(_ bv5 8)`
fn literal(name: &str) -> Option<Raw> {
    let (value, width) = name.strip_prefix("(_ bv")?.strip_suffix(')')?.split_once(' ')?;
    Some(Raw::Bits(value.parse().ok()?, width.parse().ok()?))
}

fn unary(name: &str, value: &Integer, width: u32) -> Option<Raw> {
    Some(match name {
        "bvnot" => cut(-value.clone() - Integer::ONE, width),
        "bvneg" => cut(-value.clone(), width),
        "bv2nat" => Raw::Int(value.clone()),
        _ => {
            let mut words = name.strip_prefix("(_ ")?.strip_suffix(')')?.split(' ');
            match (words.next()?, words.next()?.parse::<u32>().ok()?, words.next()) {
                ("zero_extend", more, None) => Raw::Bits(value.clone(), width + more),
                ("sign_extend", more, None) => cut(signed(value, width), width + more),
                ("extract", high, Some(low)) => {
                    let low: u32 = low.parse().ok()?;
                    cut(value / power(low), high.checked_sub(low)? + 1)
                }
                _ => return None,
            }
        }
    })
}

fn binary(name: &str, left: &Integer, right: &Integer, width: u32) -> Option<Raw> {
    let is_zero = *right == Integer::ZERO;
    let signed = |value: &Integer| signed(value, width);
    Some(match name {
        "bvadd" => cut(left + right, width),
        "bvsub" => cut(left - right, width),
        "bvmul" => cut(left * right, width),
        // Division by zero is defined: all ones, and the dividend.
        "bvudiv" if is_zero => cut(power(width) - Integer::ONE, width),
        "bvudiv" => cut(left / right, width),
        "bvurem" if is_zero => cut(left.clone(), width),
        "bvurem" => cut(left % right, width),
        // Signed division rounds towards zero, like that of integers.
        "bvsdiv" if !is_zero => cut(signed(left) / signed(right), width),
        "bvsrem" if !is_zero => cut(signed(left) % signed(right), width),
        "bvand" => by_bit(left, right, width, |one, other| one && other),
        "bvor" => by_bit(left, right, width, |one, other| one || other),
        "bvxor" => by_bit(left, right, width, |one, other| one != other),
        "bvshl" | "bvlshr" | "bvashr" => {
            let by = u32::try_from(right.clone()).ok().filter(|by| *by < width);
            match (name, by) {
                ("bvshl", Some(by)) => cut(left * power(by), width),
                ("bvlshr", Some(by)) => cut(left / power(by), width),
                ("bvashr", by) => {
                    let (value, by) = (signed(left), power(by.unwrap_or(width)));
                    let rounded = if value < Integer::ZERO { (value - &by + Integer::ONE) / &by } else { value / &by };
                    cut(rounded, width)
                }
                _ => Raw::Bits(Integer::ZERO, width),
            }
        }
        "bvult" => Raw::Bool(left < right),
        "bvule" => Raw::Bool(left <= right),
        "bvugt" => Raw::Bool(left > right),
        "bvuge" => Raw::Bool(left >= right),
        "bvslt" => Raw::Bool(signed(left) < signed(right)),
        "bvsle" => Raw::Bool(signed(left) <= signed(right)),
        "bvsgt" => Raw::Bool(signed(left) > signed(right)),
        "bvsge" => Raw::Bool(signed(left) >= signed(right)),
        _ => return None,
    })
}

fn power(of_two: u32) -> Integer {
    Integer::ONE << of_two as usize
}
/// The lowest bits of a number.
fn cut(value: Integer, width: u32) -> Raw {
    let modulus = power(width);
    let rest = value % &modulus;
    Raw::Bits(if rest < Integer::ZERO { rest + modulus } else { rest }, width)
}
fn signed(value: &Integer, width: u32) -> Integer {
    if width > 0 && *value >= power(width - 1) { value - power(width) } else { value.clone() }
}
fn by_bit(left: &Integer, right: &Integer, width: u32, of: impl Fn(bool, bool) -> bool) -> Raw {
    let bit = |value: &Integer, at: u32| (value / power(at)) % Integer::from(2) == Integer::ONE;
    let set = (0..width).filter(|at| of(bit(left, *at), bit(right, *at)));
    Raw::Bits(set.fold(Integer::ZERO, |sum, at| sum + power(at)), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, args: &[(u32, u32)], value: u32) {
        let args: Vec<Raw> = args.iter().map(|(value, width)| Raw::Bits((*value).into(), *width)).collect();
        let Some(Raw::Bits(found, _)) = bits(name, &args) else { panic!("{name} has no value") };
        assert_eq!(found, Integer::from(value), "{name}");
    }

    /// The values are those of Z3.
    #[test]
    fn operators_are_those_of_the_solver() {
        check("bvadd", &[(200, 8), (100, 8)], 44);
        check("bvsub", &[(1, 8), (2, 8)], 255);
        check("bvneg", &[(1, 8)], 255);
        check("bvnot", &[(15, 8)], 240);
        check("bvudiv", &[(7, 8), (0, 8)], 255);
        check("bvsdiv", &[(249, 8), (2, 8)], 253);
        check("bvsrem", &[(249, 8), (2, 8)], 255);
        check("bvashr", &[(249, 8), (1, 8)], 252);
        check("bvashr", &[(249, 8), (20, 8)], 255);
        check("bvshl", &[(3, 8), (7, 8)], 128);
        check("bvxor", &[(12, 8), (10, 8)], 6);
        check("concat", &[(3, 4), (5, 4)], 53);
        check("(_ extract 5 2)", &[(0b1011_0100, 8)], 0b1101);
        check("(_ sign_extend 4)", &[(9, 4)], 0b1111_1001);
        assert_eq!(bits("bvslt", &[Raw::Bits(255.into(), 8), Raw::Bits(0.into(), 8)]), Some(Raw::Bool(true)));
    }
}
