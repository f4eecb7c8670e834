//! Bit vectors and floating-point numbers, as interpreted types and functions of SMT-LIB. A domain for each type, with
//! the functions in use, is added to every program of the context.

use super::AstFactory;
use crate::arena::{BackendDomain, Expr, Type};
use echis_build as build;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UnOpFloat {
    Neg,
    Abs,
    IsZero,
    IsInfinite,
    IsNan,
    IsNegative,
    IsPositive,
    /// The type itself; as an operation, the identity.
    GetType,
    /// Reinterprets bits as a number (IEEE 754).
    FromBV,
    /// Reinterprets a number as bits (IEEE 754).
    ToBV,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BinOpFloat {
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Leq,
    Geq,
    Lt,
    Gt,
    Min,
    Max,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatSizeViper {
    F32,
    F64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UnOpBv {
    Not,
    Neg,
    /// The type itself; as an operation, the identity.
    GetType,
    FromInt,
    ToInt,
    FromNat,
    ToNat,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BinOpBv {
    BitAnd,
    BitOr,
    BitXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUDiv,
    BvShl,
    BvLShr,
    BvAShr,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BvSize {
    BV8,
    BV16,
    BV32,
    BV64,
    BV128,
}

impl BvSize {
    fn bits(self) -> u32 {
        match self {
            BvSize::BV8 => 8,
            BvSize::BV16 => 16,
            BvSize::BV32 => 32,
            BvSize::BV64 => 64,
            BvSize::BV128 => 128,
        }
    }
    fn backend(self) -> Backend {
        let bits = self.bits();
        Backend {
            domain: format!("BitVector{bits}"),
            smt_type: format!("(_ BitVec {bits})"),
            boogie_type: format!("bv{bits}"),
        }
    }
}

impl FloatSizeViper {
    /// The number of bits of the exponent and of the significand, including the hidden bit.
    fn widths(self) -> (u32, u32) {
        match self {
            FloatSizeViper::F32 => (8, 24),
            FloatSizeViper::F64 => (11, 53),
        }
    }
    fn bits(self) -> BvSize {
        match self {
            FloatSizeViper::F32 => BvSize::BV32,
            FloatSizeViper::F64 => BvSize::BV64,
        }
    }
    fn backend(self) -> Backend {
        let (exponent, significand) = self.widths();
        Backend {
            domain: format!("Float{}", exponent + significand),
            smt_type: format!("(_ FloatingPoint {exponent} {significand})"),
            boogie_type: format!("float{significand}e{exponent}"),
        }
    }
}

/// An interpreted type of the solver.
struct Backend {
    domain: String,
    smt_type: String,
    boogie_type: String,
}

impl Backend {
    fn ty(&self) -> build::Type {
        build::Type::named(&*self.domain)
    }
}

macro_rules! bit_vectors {
    ($($type_name:ident $lit:ident $lit_str:ident $Bits:ty, $size:ident;)*) => {
        impl<'a> AstFactory<'a> {
            $(
                pub fn $type_name(&self) -> Type<'a> {
                    self.backend_type_of(&BvSize::$size.backend())
                }
                pub fn $lit(&self, bits: $Bits) -> Expr<'a> {
                    self.$lit_str(&bits)
                }
                pub fn $lit_str(&self, bits: &dyn ToString) -> Expr<'a> {
                    self.int_to_backend_bv(BvSize::$size, self.int_lit_from_ref(bits))
                }
            )*
        }
    };
}

bit_vectors! {
    backend_bv8_type backend_bv8_lit backend_bv8_lit_str u8, BV8;
    backend_bv16_type backend_bv16_lit backend_bv16_lit_str u16, BV16;
    backend_bv32_type backend_bv32_lit backend_bv32_lit_str u32, BV32;
    backend_bv64_type backend_bv64_lit backend_bv64_lit_str u64, BV64;
    backend_bv128_type backend_bv128_lit backend_bv128_lit_str u128, BV128;
}

impl<'a> AstFactory<'a> {
    pub fn backend_f32_type(&self) -> Type<'a> {
        self.backend_type_of(&FloatSizeViper::F32.backend())
    }
    pub fn backend_f64_type(&self) -> Type<'a> {
        self.backend_type_of(&FloatSizeViper::F64.backend())
    }
    /// The floating-point number with the given IEEE 754 representation.
    pub fn backend_f32_lit(&self, bits: u32) -> Expr<'a> {
        self.float_unop(UnOpFloat::FromBV, FloatSizeViper::F32, self.backend_bv32_lit(bits))
    }
    /// The floating-point number with the given IEEE 754 representation.
    pub fn backend_f64_lit(&self, bits: u64) -> Expr<'a> {
        self.float_unop(UnOpFloat::FromBV, FloatSizeViper::F64, self.backend_bv64_lit(bits))
    }
    /// Converts an integer to a bit vector, modulo two to the power of its width.
    pub fn int_to_backend_bv(&self, bv_size: BvSize, expr: Expr<'a>) -> Expr<'a> {
        self.bv_unnop(UnOpBv::FromInt, bv_size, expr)
    }
    /// Converts a bit vector to an integer, as an unsigned number.
    pub fn backend_bv_to_int(&self, bv_size: BvSize, expr: Expr<'a>) -> Expr<'a> {
        self.bv_unnop(UnOpBv::ToInt, bv_size, expr)
    }
    pub fn bv_binop(&self, op_kind: BinOpBv, bv_size: BvSize, left: Expr, right: Expr) -> Expr<'a> {
        let (name, smt) = match op_kind {
            BinOpBv::BitAnd => ("and", "bvand"),
            BinOpBv::BitOr => ("or", "bvor"),
            BinOpBv::BitXor => ("xor", "bvxor"),
            BinOpBv::BvAdd => ("add", "bvadd"),
            BinOpBv::BvSub => ("sub", "bvsub"),
            BinOpBv::BvMul => ("mul", "bvmul"),
            BinOpBv::BvUDiv => ("udiv", "bvudiv"),
            BinOpBv::BvShl => ("shl", "bvshl"),
            BinOpBv::BvLShr => ("lshr", "bvlshr"),
            BinOpBv::BvAShr => ("ashr", "bvashr"),
        };
        let backend = bv_size.backend();
        let ty = backend.ty();
        self.backend_application(&backend, name, smt, &[ty.clone(), ty.clone()], ty, &[left, right])
    }
    pub fn bv_unnop(&self, op_kind: UnOpBv, bv_size: BvSize, arg: Expr) -> Expr<'a> {
        let backend = bv_size.backend();
        let (bv, int) = (backend.ty(), build::Type::Int);
        let from_int = format!("(_ int2bv {})", bv_size.bits());
        let (name, smt, from, to) = match op_kind {
            UnOpBv::Not => ("not", "bvnot", bv.clone(), bv),
            UnOpBv::Neg => ("neg", "bvneg", bv.clone(), bv),
            UnOpBv::GetType => return Expr::new(arg.expr),
            UnOpBv::FromInt | UnOpBv::FromNat => ("from_int", &*from_int, int, bv),
            UnOpBv::ToInt | UnOpBv::ToNat => ("to_int", "bv2int", bv, int),
        };
        self.backend_application(&backend, name, smt, &[from], to, &[arg])
    }
    pub fn float_binop(&self, op_kind: BinOpFloat, f_size: FloatSizeViper, left: Expr, right: Expr) -> Expr<'a> {
        let backend = f_size.backend();
        let (float, truth) = (backend.ty(), build::Type::Bool);
        let (name, smt, to) = match op_kind {
            BinOpFloat::Add => ("add", "fp.add RNE", float.clone()),
            BinOpFloat::Sub => ("sub", "fp.sub RNE", float.clone()),
            BinOpFloat::Mul => ("mul", "fp.mul RNE", float.clone()),
            BinOpFloat::Div => ("div", "fp.div RNE", float.clone()),
            BinOpFloat::Eq => ("eq", "fp.eq", truth),
            BinOpFloat::Leq => ("leq", "fp.leq", truth),
            BinOpFloat::Geq => ("geq", "fp.geq", truth),
            BinOpFloat::Lt => ("lt", "fp.lt", truth),
            BinOpFloat::Gt => ("gt", "fp.gt", truth),
            BinOpFloat::Min => ("min", "fp.min", float.clone()),
            BinOpFloat::Max => ("max", "fp.max", float.clone()),
        };
        self.backend_application(&backend, name, smt, &[float.clone(), float], to, &[left, right])
    }
    pub fn float_unop(&self, op_kind: UnOpFloat, f_size: FloatSizeViper, arg: Expr) -> Expr<'a> {
        let backend = f_size.backend();
        let (float, truth, bits) = (backend.ty(), build::Type::Bool, f_size.bits().backend());
        let (exponent, significand) = f_size.widths();
        let from_bits = format!("(_ to_fp {exponent} {significand})");
        let (name, smt, from, to) = match op_kind {
            UnOpFloat::Neg => ("neg", "fp.neg", float.clone(), float),
            UnOpFloat::Abs => ("abs", "fp.abs", float.clone(), float),
            UnOpFloat::IsZero => ("is_zero", "fp.isZero", float, truth),
            UnOpFloat::IsInfinite => ("is_infinite", "fp.isInfinite", float, truth),
            UnOpFloat::IsNan => ("is_nan", "fp.isNaN", float, truth),
            UnOpFloat::IsNegative => ("is_negative", "fp.isNegative", float, truth),
            UnOpFloat::IsPositive => ("is_positive", "fp.isPositive", float, truth),
            UnOpFloat::GetType => return Expr::new(arg.expr),
            UnOpFloat::FromBV => ("from_bv", &*from_bits, bits.ty(), float),
            UnOpFloat::ToBV => ("to_bv", "fp.to_ieee_bv", float, bits.ty()),
        };
        if matches!(op_kind, UnOpFloat::FromBV | UnOpFloat::ToBV) {
            self.use_backend(&bits);
        }
        self.backend_application(&backend, name, smt, &[from], to, &[arg])
    }

    fn backend_type_of(&self, backend: &Backend) -> Type<'a> {
        self.use_backend(backend);
        self.add_type(backend.ty())
    }
    fn use_backend(&self, backend: &Backend) {
        let empty = BackendDomain {
            smt_type: backend.smt_type.clone(),
            boogie_type: backend.boogie_type.clone(),
            functions: BTreeMap::new(),
        };
        self.tables().backend.entry(backend.domain.clone()).or_insert(empty);
    }
    fn backend_application(
        &self,
        backend: &Backend,
        name: &str,
        smt: &str,
        params: &[build::Type],
        result: build::Type,
        args: &[Expr],
    ) -> Expr<'a> {
        self.use_backend(backend);
        let name = format!("{}_{name}", backend.domain);
        let mut function = build::DomainFunction::new(&*name, result).interpretation(smt);
        for (index, param) in params.iter().enumerate() {
            function = function.param(format!("x{index}"), param.clone());
        }
        if let Some(domain) = self.tables().backend.get_mut(&backend.domain) {
            domain.functions.insert(name.clone(), function);
        }
        self.unlocated(|builder| builder.apply(&name, super::exprs(args)))
    }
}
