//! Programs as text.

use crate::arena::{Arena, Program};

/// Prints programs.
pub struct AstUtils<'a> {
    arena: &'a Arena,
}

impl<'a> AstUtils<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        AstUtils { arena }
    }
    /// The program as Viper text, or what keeps it from being one, a problem per line.
    pub fn pretty_print(&self, program: Program<'a>) -> String {
        match self.arena.borrow().lay_out(program) {
            Ok(built) => built.text,
            Err(problems) => problems.iter().map(|problem| format!("// {problem}\n")).collect(),
        }
    }
    pub fn to_string(&self, program: Program<'a>) -> String {
        self.pretty_print(program)
    }
    /// Runs `f`. Local references of a JVM, which the original bounds here, do not exist.
    pub fn with_local_frame<T>(&self, _capacity: i32, f: impl FnOnce() -> T) -> T {
        f()
    }
}
