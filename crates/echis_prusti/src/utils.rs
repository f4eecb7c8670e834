//! Printing of programs.

use crate::arena::{Arena, Program};

/// Prints programs.
pub struct AstUtils<'a> {
    arena: &'a Arena,
}

impl<'a> AstUtils<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        AstUtils { arena }
    }
    /// The program as Viper text. If it is not valid, a list of its problems, one per line.
    pub fn pretty_print(&self, program: Program<'a>) -> String {
        match self.arena.borrow().lay_out(program) {
            Ok(built) => built.text,
            Err(problems) => problems.iter().map(|problem| format!("// {problem}\n")).collect(),
        }
    }
    pub fn to_string(&self, program: Program<'a>) -> String {
        self.pretty_print(program)
    }
    /// Runs `f`. In the original, this bounds the number of local JVM references.
    pub fn with_local_frame<T>(&self, _capacity: i32, f: impl FnOnce() -> T) -> T {
        f()
    }
}
