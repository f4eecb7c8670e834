//! The files that pages can see.

use crate::error::Fallible;
use crate::paths::{is_program, programs_of_any_language};
use echis::Reach;
use std::path::{Component, Path, PathBuf};

/// The text of a page without a file.
const SCRATCH: &str = "\
// Write a program; it is verified whenever you pause.

field balance: Int

method withdraw(account: Ref, amount: Int)
  requires acc(account.balance) && amount >= 0
  ensures acc(account.balance)
  ensures account.balance == old(account.balance) - amount
{
  if (amount > 0) {
    account.balance := account.balance - amount
  }
}
";
const SCRATCH_NAME: &str = "scratch.vpr";

pub struct Root {
    /// Canonical; `None` for a text that belongs to no file.
    folder: Option<PathBuf>,
    /// The only listed file of the folder.
    only: Option<String>,
}

impl Root {
    pub fn new(path: Option<&Path>) -> Fallible<Self> {
        let Some(path) = path else { return Ok(Root { folder: None, only: None }) };
        let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
        let real = path.canonicalize().map_err(cannot)?;
        if real.is_dir() {
            return Ok(Root { folder: Some(real), only: None });
        }
        let only = real.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Root { folder: real.parent().map(Path::to_path_buf), only })
    }

    /// The folder in which files may be read, if any.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub fn reach(&self) -> Reach {
        self.folder.clone().map_or(Reach::Nothing, Reach::Below)
    }

    /// The programs, by their paths relative to the folder.
    pub fn files(&self) -> Vec<String> {
        match (&self.folder, &self.only) {
            (None, _) => vec![SCRATCH_NAME.to_string()],
            (Some(_), Some(only)) => vec![only.clone()],
            (Some(folder), None) => {
                let found = programs_of_any_language(folder).unwrap_or_default();
                let below = found.iter().filter_map(|path| path.strip_prefix(folder).ok()?.to_str());
                below.map(str::to_string).collect()
            }
        }
    }

    /// The path of a listed program.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || self.only.as_ref().is_some_and(|only| only != name) {
            return None;
        }
        let Some(folder) = &self.folder else {
            return (name == SCRATCH_NAME).then(|| Path::new("/").join(name));
        };
        let path = folder.join(name);
        let real = path.canonicalize().ok()?;
        (is_program(&path) && real.is_file() && real.starts_with(folder)).then_some(path)
    }

    pub fn read(&self, name: &str) -> Option<String> {
        let path = self.path(name)?;
        match self.folder {
            None => Some(SCRATCH.to_string()),
            Some(_) => echis::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
        }
    }

    /// Replaces an existing program.
    pub fn write(&self, name: &str, text: &str) -> Fallible<()> {
        let path = self.path(name).filter(|_| self.folder.is_some()).ok_or("there is no such program")?;
        Ok(std::fs::write(&path, text).map_err(|error| format!("{name} cannot be written: {error}"))?)
    }

    /// The name of the program with this URI in the language server.
    pub fn name_of(&self, uri: &str) -> Option<String> {
        self.files().into_iter().find(|name| self.uri(name).as_deref() == Some(uri))
    }

    pub fn uri(&self, name: &str) -> Option<String> {
        Some(echis_lsp::uri_of(self.path(name)?.to_str()?))
    }
}

#[cfg(test)]
mod tests {
    use super::Root;

    #[test]
    fn nothing_outside_of_the_folder_has_a_path() {
        let folder = std::env::temp_dir().join(format!("echis-root-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("it can be made");
        for name in ["a.vpr", "inner/b.vpr", "inner/c.bpl", "inner/secret.txt"] {
            std::fs::write(folder.join(name), "field f: Int").expect("it can be written");
        }
        let root = Root::new(Some(&folder.join("inner"))).expect("it is a folder");
        assert_eq!(root.files(), ["b.vpr", "c.bpl"]);
        assert!(root.read("b.vpr").is_some() && root.read("c.bpl").is_some());
        for name in ["../a.vpr", "/etc/passwd", "secret.txt", "./../inner/../a.vpr", "", ".", "b.vpr/../../a.vpr"] {
            assert!(root.path(name).is_none() && root.read(name).is_none(), "{name}");
            assert!(root.write(name, "").is_err(), "{name}");
        }
        let single = Root::new(Some(&folder.join("a.vpr"))).expect("it is a file");
        assert_eq!(single.files(), ["a.vpr"]);
        assert!(single.read("inner/b.vpr").is_none());
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
