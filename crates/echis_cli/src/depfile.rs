//! The files of programs, as a dependency rule for Make and ninja.

use crate::error::Fallible;
use echis::FileResult;
use std::collections::BTreeSet;
use std::path::Path;

/// Writes the rule; its target is the path without its extension.
pub fn write(path: &Path, files: &[FileResult]) -> Fallible<()> {
    let target = path.with_extension("");
    let text = rule(&target.to_string_lossy(), &sources(files));
    Ok(std::fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?)
}

/// Named files and their imports, without those provided by Echis. Unreadable files are included: the result changes
/// when they appear.
fn sources(files: &[FileResult]) -> BTreeSet<&str> {
    let read = files.iter().flat_map(|file| file.sources.files()).map(|(_, source)| &*source.path);
    read.chain(files.iter().map(|file| &*file.path)).filter(|path| !path.starts_with('<')).collect()
}

fn rule(target: &str, sources: &BTreeSet<&str>) -> String {
    let mut text = format!("{}:", escaped(target));
    for source in sources {
        text += &format!(" \\\n  {}", escaped(source));
    }
    text + "\n"
}

/// Spaces, `#` and `$` are special in Make.
fn escaped(path: &str) -> String {
    let mut text = String::new();
    for letter in path.chars() {
        match letter {
            ' ' | '#' => text.extend(['\\', letter]),
            '$' => text += "$$",
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_make_reads_them() {
        let sources = BTreeSet::from(["a b.vpr", "c$#.vpr"]);
        assert_eq!(rule("out.json", &sources), "out.json: \\\n  a\\ b.vpr \\\n  c$$\\#.vpr\n");
    }
}
