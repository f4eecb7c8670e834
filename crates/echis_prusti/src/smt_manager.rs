//! A stub for the solver proxy of the original crate.

use std::path::PathBuf;

/// A stub for the settings of the solver proxy. Echis communicates with its solver directly.
#[derive(Clone, Debug, Default)]
pub struct SmtManager(());

impl SmtManager {
    // The signature is that of the original method.
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
    /// Always 0, because no proxy is running.
    pub fn port(&self) -> u16 {
        0
    }
    /// Does nothing: there is no proxy to stop, and no limit can have been exceeded.
    pub fn stop_and_check(self) {}
}
