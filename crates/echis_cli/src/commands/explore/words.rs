//! The words that `echis explore` understands. Help and completion read the same table.

use crate::fallible::Fallible;

pub struct Word {
    pub name: &'static str,
    pub takes: &'static str,
    pub does: &'static str,
}

pub const WORDS: [Word; 20] = [
    word("of", "LINE[:COL]…", "what the assertions there need: all, explicit, direct, without infeasibility"),
    word("from", "LINE[:COL]…", "what rests on the nodes there"),
    word("between", "LINE[:COL]…", "whether one of these needs another"),
    word(
        "why",
        "LINE[:COL] LINE[:COL]",
        "the shortest way from what needs to what is needed, with the reason of each step",
    ),
    word("flow", "[LINE[:COL]…]", "where permission comes from, is split, given away and put together"),
    word("impact", "LINE[:COL]…", "what falls, member by member, if these do not hold"),
    word("coverage", "[LINE[:COL]…]", "the share of assumptions that all assertions, or those there, need"),
    word("uncovered", "", "the assumptions that no assertion of the program needs"),
    word("trusted", "", "what the proofs rest on and nobody proved"),
    word("progress", "", "how far the project is, and where to go on"),
    word("nodes", "[LINE|MEMBER]", "the nodes of the program, of a line or of a member"),
    word("members", "", "the members that have nodes"),
    word("ignore", "[LINE[:COL]…]", "count nodes as irrelevant from now on; without a place: which ones are"),
    word("restore", "[LINE[:COL]…]", "count ignored nodes again; without a place: all"),
    word("prune", "LINE[:COL]… [> FILE]", "the program that still proves what is there"),
    word("save", "GRAPH", "write the graph to a file"),
    word("load", "GRAPH", "go on with a graph that was saved"),
    word("export", "FOLDER [csv|graphml|dot|neo4j]", "write the graph for other tools"),
    word("help", "[WORD]", "this list"),
    word("quit", "", "leave"),
];

const fn word(name: &'static str, takes: &'static str, does: &'static str) -> Word {
    Word { name, takes, does }
}

/// All words, or what one does.
pub fn help(about: Option<&str>) -> Fallible<String> {
    let chosen: Vec<&Word> = WORDS.iter().filter(|word| about.is_none_or(|about| about == word.name)).collect();
    if chosen.is_empty() {
        return Err(format!("there is no word `{}`; `help` lists all", about.unwrap_or_default()).into());
    }
    let line = |word: &&Word| format!("  {:<45} {}\n", format!("{} {}", word.name, word.takes), word.does);
    Ok(chosen.iter().map(line).collect())
}
