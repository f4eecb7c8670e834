//! Matches signatures against types.

use crate::operators::{BinaryOp, SIGNATURES, Shape, Signature, Written};
use crate::program::Type;

/// The meaning of the form for these operand and result types.
pub(crate) fn overload(written: Written, left: &Type, right: &Type, whole: &Type) -> &'static Signature {
    let mut meanings = SIGNATURES.iter().filter(|signature| signature.written == written);
    let found = meanings.find(|signature| signature.fits([left, right, whole]));
    found.expect("the checker let no form pass that has no signature for its types")
}

/// Whether there is such an operation for these types.
pub(crate) fn fits(operation: BinaryOp, left: &Type, right: &Type, whole: &Type) -> bool {
    let mut signatures = SIGNATURES.iter().filter(|signature| signature.operation == operation);
    signatures
        .any(|signature| signature.fits(if signature.flipped { [right, left, whole] } else { [left, right, whole] }))
}

impl Signature {
    fn fits(&self, types: [&Type; 3]) -> bool {
        let [left, right] = self.operands;
        let mut letters = Letters::default();
        [left, right, self.result].into_iter().zip(types).all(|(shape, ty)| letters.fit(shape, ty))
    }
}

/// The types denoted by letters.
#[derive(Default)]
struct Letters<'a> {
    t: Option<&'a Type>,
    u: Option<&'a Type>,
}

impl<'a> Letters<'a> {
    fn fit(&mut self, shape: Shape, ty: &'a Type) -> bool {
        match (shape, ty) {
            (Shape::T, ty) => *self.t.get_or_insert(ty) == ty,
            (Shape::U, ty) => *self.u.get_or_insert(ty) == ty,
            (Shape::Bool | Shape::Assertion, Type::Bool) | (Shape::Int, Type::Int) | (Shape::Perm, Type::Perm) => true,
            (Shape::Seq(inner), Type::Seq(element))
            | (Shape::Set(inner), Type::Set(element))
            | (Shape::Multiset(inner), Type::Multiset(element)) => self.fit(*inner, element),
            (Shape::Map(from, to), Type::Map(key, value)) => self.fit(*from, key) && self.fit(*to, value),
            _ => false,
        }
    }
}
