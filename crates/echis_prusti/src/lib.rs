//! A drop-in replacement for Prusti's `viper` crate that needs no JVM: programs are built in memory and verified with
//! Echis.
//!
//! Names and signatures match the original except where those mention the JVM. The differences:
//!
//! | original | here |
//! |---|---|
//! | `viper_home`, Java arguments, `report_path`, `boogie_exe` | accepted and ignored: there is no jar and no JVM |
//! | `SmtManager` | accepted; it listens on no port, because the solver is not wrapped by a proxy |
//! | `PersistentCache::save`, `save_cache` | do not report errors, as in the original; `try_save` does |
//! | `VerificationContext::new(AttachGuard)`, `bv_factory` | absent: they take or return JVM objects |
//! | `annotations`, `backend_func_app` | take and return types of this crate instead of `JObject` |
//! | `identifier_position(…, impl Into<JNIString>)` | `impl Into<String>` |
//! | `VerificationResult::JavaException` | an error of Echis or its solver, with its message |
//! | `comment`, `…_with_comment` | comments are ignored |
//! | `simplified_expression` | returns its argument |
//!
//! Handles are `Copy` and are valid for the [`VerificationContext`] whose factory created them.

mod arena;
mod cache;
mod factory;
mod result;
pub mod silicon_counterexample;
pub mod smt_manager;
mod utils;
mod verifier;
mod viper;

pub use arena::{
    Annotations, Declaration, Domain, DomainFunc, Expr, Field, Function, LocalVarDecl, Location, Method,
    NamedDomainAxiom, Position, Predicate, Program, Stmt, Trigger, Type,
};
pub use cache::{Cache, PersistentCache};
pub use factory::{AstFactory, BinOpBv, BinOpFloat, BvSize, FloatSizeViper, UnOpBv, UnOpFloat};
pub use result::{ConsistencyError, JavaException, JavaExceptionWithOrigin, VerificationError, VerificationResult};
pub use silicon_counterexample::{
    DomainEntry, Domains, FunctionEntry, Functions, Heap, HeapEntry, Model, ModelEntry, SiliconCounterexample,
};
pub use smt_manager::SmtManager;
pub use utils::AstUtils;
pub use verifier::{UknownBackendError, VerificationBackend, Verifier};
pub use viper::{VerificationContext, Viper};
