//! `cargo xtask boogie`: for how many Boogie programs of the shared corpus Echis agrees with Boogie.

use crate::command::{Ended, cargo};

pub fn run() -> Ended {
    cargo(&["test", "-p", "echis_testkit", "--test", "boogie", "--", "--nocapture"], &[])
}
