//! `cargo xtask engines`: compares verification conditions with symbolic execution on the Viper programs of the
//! shared corpus. Differences are written to `target/engines.tsv`.

use crate::command::{Ended, cargo};

pub fn run() -> Ended {
    cargo(&["test", "--workspace", "--test", "engines", "--", "--nocapture"], &[("ECHIS_ENGINES", "1".into())])
}
