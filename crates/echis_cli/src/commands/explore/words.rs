//! The commands of `echis explore`, in a table shared by help and completion.

use crate::error::Fallible;

pub struct Word {
    pub name: &'static str,
    pub takes: &'static str,
    pub does: &'static str,
}

pub const WORDS: [Word; 20] = [
    word("of", "LINE[:COL]…", "what the assertions there need: directly or not, explicitly assumed or not"),
    word("from", "LINE[:COL]…", "what depends on the nodes there"),
    word("between", "LINE[:COL]…", "whether one of these needs another"),
    word("why", "LINE[:COL] LINE[:COL]", "the shortest chain from one to the other, with the reason of each step"),
    word("flow", "[LINE[:COL]…]", "where permission comes from and goes"),
    word("impact", "LINE[:COL]…", "what fails, by member, if these do not hold"),
    word("coverage", "[LINE[:COL]…]", "the share of assumptions that all assertions, or those there, need"),
    word("uncovered", "", "the assumptions that no assertion of the program needs"),
    word("trusted", "", "what the proofs rely on and none proves"),
    word("progress", "", "how far the project is, and what to prove next"),
    word("nodes", "[LINE|MEMBER]", "the nodes of the program, of a line or of a member"),
    word("members", "", "the members that have nodes"),
    word("ignore", "[LINE[:COL]…]", "treat nodes as irrelevant; without a place: list them"),
    word("restore", "[LINE[:COL]…]", "stop ignoring nodes; without a place: all"),
    word("prune", "LINE[:COL]… [> FILE]", "the program that still proves what is there"),
    word("save", "GRAPH", "write the graph to a file"),
    word("load", "GRAPH", "continue with a saved graph"),
    word("export", "FOLDER [csv|graphml|dot|neo4j]", "write the graph for other tools"),
    word("help", "[WORD]", "this list"),
    word("quit", "", "leave"),
];

const fn word(name: &'static str, takes: &'static str, does: &'static str) -> Word {
    Word { name, takes, does }
}

/// Help for all commands, or for one.
pub fn help(about: Option<&str>) -> Fallible<String> {
    let chosen: Vec<&Word> = WORDS.iter().filter(|word| about.is_none_or(|about| about == word.name)).collect();
    if chosen.is_empty() {
        return Err(format!("there is no command `{}`; `help` lists all", about.unwrap_or_default()).into());
    }
    let line = |word: &&Word| format!("  {:<45} {}\n", format!("{} {}", word.name, word.takes), word.does);
    Ok(chosen.iter().map(line).collect())
}
