//! The entry point: creates verification contexts.

use crate::arena::Arena;
use crate::factory::AstFactory;
use crate::smt_manager::SmtManager;
use crate::utils::AstUtils;
use crate::verifier::{VerificationBackend, Verifier};
use std::path::PathBuf;

/// The verification system. It can be shared between threads.
#[derive(Debug, Default)]
pub struct Viper(());

impl Viper {
    pub fn new_for_tests() -> Self {
        Viper(())
    }
    /// Creates the verification system. The path of Viper's jars is ignored.
    pub fn new(_viper_home: &str) -> Self {
        Viper(())
    }
    /// Creates the verification system. The path of Viper's jars and the JVM arguments are ignored.
    pub fn new_with_args(_viper_home: &str, _java_args: Vec<String>) -> Self {
        Viper(())
    }
    /// Creates a new context. Nodes cannot be shared between contexts.
    pub fn attach_current_thread(&self) -> VerificationContext<'_> {
        VerificationContext { arena: Arena::default(), _viper: self }
    }
}

/// Owns the nodes created by its factories.
pub struct VerificationContext<'a> {
    arena: Arena,
    _viper: &'a Viper,
}

impl VerificationContext<'_> {
    pub fn new_ast_factory(&self) -> AstFactory<'_> {
        AstFactory::new(&self.arena)
    }
    pub fn new_ast_utils(&self) -> AstUtils<'_> {
        AstUtils::new(&self.arena)
    }
    /// Creates a verifier with the solver bundled with Echis.
    pub fn new_verifier_with_default_smt(&self, backend: VerificationBackend) -> Verifier<'_> {
        self.new_verifier_with_default_smt_and_extra_args(backend, Vec::new())
    }
    pub fn new_verifier_with_default_smt_and_extra_args(
        &self,
        backend: VerificationBackend,
        extra_args: Vec<String>,
    ) -> Verifier<'_> {
        Verifier::new(&self.arena, backend, None).initialize(&extra_args)
    }
    /// Creates a verifier. If `z3_exe` is empty, the solver bundled with Echis is used. No reports are written, and
    /// Boogie is not used.
    pub fn new_verifier(
        &self,
        backend: VerificationBackend,
        extra_args: Vec<String>,
        _report_path: Option<PathBuf>,
        z3_exe: String,
        _boogie_exe: Option<String>,
        _smt_manager: SmtManager,
    ) -> Verifier<'_> {
        let solver = (!z3_exe.is_empty()).then(|| PathBuf::from(z3_exe));
        Verifier::new(&self.arena, backend, solver).initialize(&extra_args)
    }
}
