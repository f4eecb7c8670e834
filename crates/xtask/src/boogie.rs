//! `cargo xtask boogie`: how many Boogie programs of the shared corpus are judged as Boogie judges them.

use crate::command::{Ended, cargo};

pub fn run() -> Ended {
    cargo(&["test", "-p", "echis_testkit", "--test", "boogie", "--", "--nocapture"], &[])
}
