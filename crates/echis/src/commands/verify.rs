//! `echis verify`

use crate::args;
use crate::exit::Exit;

pub fn run(_args: &args::Verify) -> Exit {
    super::later("verify")
}
