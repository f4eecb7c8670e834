//! `cargo xtask engines`: how verification conditions judge the Viper programs of the shared corpus, beside symbolic
//! execution. What they disagree on is written to `target/engines.tsv`.

use crate::command::{Ended, cargo};

pub fn run() -> Ended {
    cargo(&["test", "--workspace", "--test", "engines", "--", "--nocapture"], &[("ECHIS_ENGINES", "1".into())])
}
