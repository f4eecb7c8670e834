//! The solver proxy of the original, which is not needed.

use std::path::PathBuf;

/// Settings of a proxy that watches the solver. Echis talks to its solver itself, so there is none.
#[derive(Clone, Debug, Default)]
pub struct SmtManager(());

impl SmtManager {
    // The parameters are those of the original interface.
    #[expect(clippy::too_many_arguments)]
    pub fn new(
        _log_path: PathBuf,
        _preserve_trace_files: bool,
        _write_smt_statistics: bool,
        _quantifier_instantiations_ignore_builtin: bool,
        _quantifier_instantiations_bound_global_kind: Option<u64>,
        _quantifier_instantiations_bound_trace: Option<u64>,
        _quantifier_instantiations_bound_trace_kind: Option<u64>,
        _unique_triggers_bound: Option<u64>,
        _unique_triggers_bound_total: Option<u64>,
    ) -> Self {
        SmtManager(())
    }
    /// No proxy listens, so the port is 0.
    pub fn port(&self) -> u16 {
        0
    }
    /// There is nothing to stop, and no bound was exceeded.
    pub fn stop_and_check(self) {}
}
