//! `echis fmt`

use crate::args;
use crate::exit::Exit;

pub fn run(_args: &args::Fmt) -> Exit {
    super::later("fmt")
}
