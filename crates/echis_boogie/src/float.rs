//! Floating-point literals: `0x1.8e0f24e8` is 1.5 with a 24-bit significand and an 8-bit exponent. The exponent
//! counts hexadecimal digits.

use dashu::Integer;
use dashu::base::DivRemEuclid;

/// `float24e8`: the width of significands, including the leading bit, and of exponents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    pub significand: u32,
    pub exponent: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Float {
    pub format: FloatFormat,
    pub value: FloatValue,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatValue {
    NotANumber,
    Infinite {
        negative: bool,
    },
    /// The fields of IEEE 754: the biased exponent, and the significand without its leading bit.
    Finite {
        negative: bool,
        exponent: Integer,
        significand: Integer,
    },
}

/// Maximum width of exponents; with longer ones, values are too large to compute with.
const LONGEST_EXPONENT: u32 = 30;
/// Limit on the exponent and the number of digits.
const LARGEST_EXPONENT: i64 = 1 << 30;

impl FloatFormat {
    /// Whether the format is supported by solvers and by this module.
    pub fn is_supported(self) -> bool {
        self.significand > 1 && self.exponent > 1 && self.exponent <= LONGEST_EXPONENT
    }
}

/// The length of the literal at the start of a text.
pub fn literal_length(text: &str) -> Option<usize> {
    let special = ["0NaN", "0nan", "0+oo", "0-oo"].iter().find(|start| text.starts_with(**start));
    if let Some(start) = special {
        let significand = digits(&text[start.len()..])?;
        let behind = &text[start.len() + significand..];
        let exponent = digits(behind.strip_prefix('e')?)?;
        return Some(start.len() + significand + 1 + exponent);
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let rest = unsigned.strip_prefix("0x")?;
    let longest = rest.find(|c: char| !c.is_ascii_hexdigit() && c != '.' && c != '-').unwrap_or(rest.len());
    let length = (1..=longest).rev().find(|length| parts(&rest[..*length]).is_some())?;
    Some(text.len() - rest.len() + length)
}

/// The number of digits at the start of a text; `None` if there are none.
fn digits(text: &str) -> Option<usize> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    (count > 0).then_some(count)
}

/// `1.8e0f24e8`: digits before and after the point, the exponent, and the format. Parsed from the end, because `e`
/// and `f` are hexadecimal digits.
fn parts(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (number, format) = text.rsplit_once('f')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let (significand, size) = format.split_once('e')?;
    let (digits, exponent) = number.rsplit_once('e')?;
    let (whole, fraction) = digits.split_once('.')?;
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let fits = is_number(significand)
        && is_number(size)
        && is_number(exponent.strip_prefix('-').unwrap_or(exponent))
        && is_hex(whole)
        && is_hex(fraction);
    fits.then_some((whole, fraction, exponent, format))
}

fn format(text: &str) -> Option<FloatFormat> {
    let (significand, exponent) = text.split_once('e')?;
    let format = FloatFormat { significand: significand.parse().ok()?, exponent: exponent.parse().ok()? };
    format.is_supported().then_some(format)
}

impl Float {
    /// Returns `None` if the number is not representable: it is too large, too small, or has too many digits.
    pub fn parse(text: &str) -> Option<Float> {
        if let Some(rest) = text.strip_prefix("0NaN").or_else(|| text.strip_prefix("0nan")) {
            return Some(Float { format: format(rest)?, value: FloatValue::NotANumber });
        }
        for (start, negative) in [("0+oo", false), ("0-oo", true)] {
            if let Some(rest) = text.strip_prefix(start) {
                return Some(Float { format: format(rest)?, value: FloatValue::Infinite { negative } });
            }
        }
        let negative = text.starts_with('-');
        let rest = text.strip_prefix('-').unwrap_or(text).strip_prefix("0x")?;
        let (whole, fraction, exponent, sizes) = parts(rest)?;
        let format = format(sizes)?;
        let significand = Integer::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
        let exponent: i64 = exponent.parse().ok().filter(|exponent: &i64| exponent.abs() < LARGEST_EXPONENT)?;
        let scale = 4 * (exponent - fraction.len() as i64);
        let (exponent, significand) = fields(format, significand, scale)?;
        Some(Float { format, value: FloatValue::Finite { negative, exponent, significand } })
    }

    /// The value as a literal.
    pub fn text(&self) -> String {
        let FloatFormat { significand: bits, exponent: width } = self.format;
        match &self.value {
            FloatValue::NotANumber => format!("0NaN{bits}e{width}"),
            FloatValue::Infinite { negative } => format!("0{}oo{bits}e{width}", if *negative { '-' } else { '+' }),
            FloatValue::Finite { negative, exponent, significand } => {
                let sign = if *negative { "-" } else { "" };
                let is_normal = *exponent != Integer::ZERO;
                let leading = if is_normal { Integer::ONE << (bits as usize - 1) } else { Integer::ZERO };
                let lowest = if is_normal { exponent.clone() } else { Integer::ONE };
                let bias = (Integer::ONE << (width as usize - 1)) - Integer::ONE;
                let scale = lowest - bias - Integer::from(bits - 1);
                let (digits, twos) = scale.div_rem_euclid(Integer::from(4));
                let number = (leading + significand) * Integer::from(2).pow(usize::try_from(twos).unwrap_or(0));
                format!("{sign}0x{}.0e{digits}f{bits}e{width}", number.in_radix(16))
            }
        }
    }

    /// The value as SMT-LIB text.
    pub fn smt(&self) -> String {
        let FloatFormat { significand: bits, exponent: width } = self.format;
        match &self.value {
            FloatValue::NotANumber => format!("(_ NaN {width} {bits})"),
            FloatValue::Infinite { negative } => {
                format!("(_ {}oo {width} {bits})", if *negative { '-' } else { '+' })
            }
            FloatValue::Finite { negative, exponent, significand } => {
                let sign = u8::from(*negative);
                format!("(fp (_ bv{sign} 1) (_ bv{exponent} {width}) (_ bv{significand} {}))", bits - 1)
            }
        }
    }
}

/// The fields of `number * 2^scale`: biased exponent, and significand without leading bit.
fn fields(format: FloatFormat, number: Integer, scale: i64) -> Option<(Integer, Integer)> {
    if number == Integer::ZERO {
        return Some((Integer::ZERO, Integer::ZERO));
    }
    let length = bit_length(&number);
    let bias = (1i64 << (format.exponent - 1)) - 1;
    let exponent = length - 1 + scale + bias;
    if exponent > 2 * bias {
        return None;
    }
    // Subnormal numbers have the exponent of the smallest normal ones, and no leading bit.
    let lowest = exponent.max(1) - bias - (i64::from(format.significand) - 1);
    let shift = scale - lowest;
    let leading = Integer::ONE << (format.significand as usize - 1);
    let (significand, rounded) = if shift >= 0 {
        (number << usize::try_from(shift).ok()?, false)
    } else {
        let cut = Integer::ONE << usize::try_from(-shift).ok().filter(|shift| (*shift as i64) <= length + 1)?;
        nearest(&number, &cut)
    };
    if exponent > 0 {
        return (!rounded).then(|| (exponent.into(), significand - leading));
    }
    // Only subnormal numbers are rounded, to other subnormal ones.
    let is_subnormal = significand > Integer::ZERO && significand < leading;
    is_subnormal.then_some((Integer::ZERO, significand))
}

/// A quotient, rounded to nearest, ties to even; and whether it was rounded.
fn nearest(number: &Integer, cut: &Integer) -> (Integer, bool) {
    let (kept, rest) = (number / cut, number % cut);
    let twice = &rest * Integer::from(2);
    let is_odd = &kept % Integer::from(2) != Integer::ZERO;
    let up = twice > *cut || (twice == *cut && is_odd);
    (if up { kept + Integer::ONE } else { kept }, rest != Integer::ZERO)
}

fn bit_length(number: &Integer) -> i64 {
    dashu::base::BitTest::bit_len(number) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smt(text: &str) -> Option<String> {
        assert_eq!(literal_length(&format!("{text};")), Some(text.len()), "{text}");
        Float::parse(text).map(|float| float.smt())
    }

    #[test]
    fn numbers_have_the_fields_of_ieee_754() {
        let cases = [
            ("0x0.0e0f24e8", "(fp (_ bv0 1) (_ bv0 8) (_ bv0 23))"),
            ("-0x0.0e0f24e8", "(fp (_ bv1 1) (_ bv0 8) (_ bv0 23))"),
            ("0x1.0e0f24e8", "(fp (_ bv0 1) (_ bv127 8) (_ bv0 23))"),
            ("0x1.8e0f24e8", "(fp (_ bv0 1) (_ bv127 8) (_ bv4194304 23))"),
            ("-0x2.0e0f24e8", "(fp (_ bv1 1) (_ bv128 8) (_ bv0 23))"),
            // The base of the exponent is 16.
            ("0x1.0e1f53e11", "(fp (_ bv0 1) (_ bv1027 11) (_ bv0 52))"),
            ("0x1.0e-1f24e8", "(fp (_ bv0 1) (_ bv123 8) (_ bv0 23))"),
            // The largest number, and the smallest positive one.
            ("0xf.fffffe31f24e8", "(fp (_ bv0 1) (_ bv254 8) (_ bv8388607 23))"),
            ("0x8.0e-38f24e8", "(fp (_ bv0 1) (_ bv0 8) (_ bv1 23))"),
            // Only subnormal numbers are rounded.
            ("0x9.0e-38f24e8", "(fp (_ bv0 1) (_ bv0 8) (_ bv1 23))"),
            ("0NaN24e8", "(_ NaN 8 24)"),
            ("0+oo53e11", "(_ +oo 11 53)"),
            ("0-oo24e8", "(_ -oo 8 24)"),
        ];
        for (text, expected) in cases {
            assert_eq!(smt(text).as_deref(), Some(expected), "{text}");
            let printed = Float::parse(text).map(|float| float.text()).unwrap_or_default();
            assert_eq!(smt(&printed).as_deref(), Some(expected), "{printed}");
        }
    }

    #[test]
    fn numbers_without_a_place_are_refused() {
        // Too large, too small, too many digits.
        for text in ["0x1.0e32f24e8", "0x4.0e-38f24e8", "0x1.000001e0f24e8", "0x1.0e0f1e8"] {
            assert_eq!(smt(text), None, "{text}");
        }
        assert_eq!(literal_length("0x1.0e0"), None);
        assert_eq!(literal_length("0x10"), None);
    }
}
