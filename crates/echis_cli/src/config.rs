//! `echis.toml`: the options that a project sets for all its users.
//!
//! The file is translated to options that precede the typed ones, so it can express exactly what the command line
//! can:
//!
//! ```toml
//! files = ["proofs"]          # what commands without files work on
//! [options]                   # for every command that has the option
//! rlimit = 20000000
//! [cover]                     # for one command
//! deny = ["proved.vacuously"]
//! ```
//!
//! A typed option replaces the one in the file.

use crate::args::Cli;
use crate::error::Fallible;
use clap::{Arg, ArgMatches, Command};
use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const NAME: &str = "echis.toml";
/// The table of options for every command that has them.
const SHARED: &str = "options";
/// The argument for the programs of a command.
const FILES: &str = "files";
/// A value of `--cache` that is a keyword, not a path.
const CORES: &str = "cores";

/// A configuration file and the folder that its paths are relative to.
struct Config {
    path: PathBuf,
    folder: PathBuf,
    table: Table,
}

/// The command line, completed by the project's configuration.
pub fn complete(typed: Vec<OsString>) -> Fallible<Vec<OsString>> {
    let commands = Cli::parser();
    // Errors of the command line are reported when it is parsed completely.
    let Ok(matches) = commands.clone().ignore_errors(true).try_get_matches_from(&typed) else { return Ok(typed) };
    let Some((name, given)) = matches.subcommand() else { return Ok(typed) };
    let Some(command) = commands.find_subcommand(name) else { return Ok(typed) };
    let files = files_of(given);
    let Some(config) = Config::find(matches.get_one::<PathBuf>("config"), &files)? else { return Ok(typed) };
    config.validate(&commands)?;
    let Some(position) = typed.iter().position(|word| word == OsStr::new(name)) else { return Ok(typed) };
    let (before, after) = typed.split_at(position + 1);
    let mut completed = before.to_vec();
    completed.extend(config.options(command, after)?);
    completed.extend_from_slice(after);
    if files.is_empty() && wants_files(command, given) {
        completed.extend(config.files()?.into_iter().map(OsString::from));
    }
    Ok(completed)
}

fn files_of(given: &ArgMatches) -> Vec<PathBuf> {
    let files = given.try_get_many::<PathBuf>(FILES).ok().flatten();
    files.into_iter().flatten().cloned().collect()
}

/// Whether the command works on programs, and no typed option replaces them.
fn wants_files(command: &Command, given: &ArgMatches) -> bool {
    let has_files = command.get_arguments().any(|arg| arg.get_id() == FILES);
    // `diff` is a flag of `cover`, but names two graphs for `deps`.
    let graphs = ["load", "diff"].iter().any(|id| given.try_contains_id(id).unwrap_or(false));
    let instead = command.get_name() == "deps" && graphs;
    has_files && !instead && given.subcommand().is_none()
}

impl Config {
    /// The file given by `--config`, or the nearest one above the files, or above the current folder.
    fn find(named: Option<&PathBuf>, files: &[PathBuf]) -> Fallible<Option<Self>> {
        if let Some(path) = named {
            return Ok(Some(Config::read(path)?));
        }
        let here = std::env::current_dir().map_err(|error| format!("the current folder cannot be read: {error}"))?;
        let mut found: Vec<Option<PathBuf>> = files.iter().map(|file| nearest(&here.join(file))).collect();
        if found.is_empty() {
            found.push(nearest(&here));
        }
        if let Some(index) = found.iter().position(|path| *path != found[0]) {
            let (first, other) = (files[0].display(), files[index].display());
            return Err(format!("{first} and {other} have different {NAME}; give them to separate runs").into());
        }
        found.swap_remove(0).map(|path| Config::read(&path)).transpose()
    }

    fn read(path: &Path) -> Fallible<Self> {
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let table = text.parse::<Table>().map_err(|error| format!("{}: {error}", path.display()))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Config { path: path.to_path_buf(), folder, table })
    }

    fn wrong(&self, what: impl std::fmt::Display) -> Box<dyn std::error::Error> {
        format!("{}: {what}", self.path.display()).into()
    }

    /// Checks that every table belongs to a command, and every option to its command.
    fn validate(&self, commands: &Command) -> Fallible<()> {
        for (name, value) in self.table.iter().filter(|(name, _)| *name != FILES) {
            let Value::Table(options) = value else {
                return Err(self.wrong(format_args!("`{name}` is neither `{FILES}` nor the table of a command")));
            };
            let found: Vec<&Command> = match &**name {
                SHARED => commands.get_subcommands().collect(),
                name => commands.find_subcommand(name).into_iter().collect(),
            };
            if found.is_empty() {
                return Err(self.wrong(format_args!("there is no command `{name}`")));
            }
            let known = |option: &str| found.iter().any(|command| option_of(command, option).is_some());
            if let Some(unknown) = options.keys().find(|option| !known(option)) {
                return Err(self.wrong(format_args!("[{name}] has no option `{unknown}`")));
            }
        }
        Ok(())
    }

    /// The default files of commands.
    fn files(&self) -> Fallible<Vec<PathBuf>> {
        let Some(files) = self.table.get(FILES) else { return Ok(vec![self.relative(".")]) };
        let texts = files.as_array().map(|files| files.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let texts = texts.flatten().ok_or_else(|| self.wrong(format_args!("`{FILES}` is a list of paths")))?;
        Ok(texts.into_iter().map(|text| self.relative(text)).collect())
    }

    /// A path relative to the current folder; inside it, without the folder's own path.
    fn relative(&self, path: &str) -> PathBuf {
        let whole = self.folder.join(path);
        let here = std::env::current_dir().unwrap_or_default();
        match whole.strip_prefix(&here) {
            Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
            Ok(below) => below.to_path_buf(),
            Err(_) => whole,
        }
    }

    /// The options for a command, except those that are typed or conflict with a typed one.
    fn options(&self, command: &Command, typed: &[OsString]) -> Fallible<Vec<OsString>> {
        let own = self.table.get(command.get_name()).and_then(Value::as_table);
        let shared = self.table.get(SHARED).and_then(Value::as_table);
        let mut words = Vec::new();
        for (table, less_important) in [(own, false), (shared, true)] {
            for (name, value) in table.into_iter().flatten() {
                let Some(arg) = option_of(command, name) else { continue };
                let overridden = less_important && own.is_some_and(|own| own.contains_key(name));
                let replaced =
                    is_typed(typed, arg) || conflicts(command, arg).iter().any(|other| is_typed(typed, other));
                if !overridden && !replaced {
                    words.extend(self.words(name, arg, value)?);
                }
            }
        }
        Ok(words)
    }

    fn words(&self, name: &str, arg: &Arg, value: &Value) -> Fallible<Vec<OsString>> {
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let word = |text: String| {
            let mut word = OsString::from(format!("--{name}="));
            let path = is_path && text != CORES;
            word.push(if path { self.relative(&text).into_os_string() } else { OsString::from(text) });
            word
        };
        Ok(match value {
            Value::Boolean(true) => vec![format!("--{name}").into()],
            Value::Boolean(false) => Vec::new(),
            Value::Integer(number) => vec![word(number.to_string())],
            Value::Float(number) => vec![word(number.to_string())],
            Value::String(text) => vec![word(text.clone())],
            Value::Array(values) => {
                let texts = values.iter().map(|value| value.as_str().map(|text| word(text.to_string())));
                texts.collect::<Option<_>>().ok_or_else(|| self.wrong(format_args!("`{name}` is a list of texts")))?
            }
            Value::Table(_) | Value::Datetime(_) => return Err(self.wrong(format_args!("`{name}` has no such value"))),
        })
    }
}

/// The nearest configuration file, in a folder, or in the folder of a file, and above.
fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

fn option_of<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}

fn conflicts<'a>(command: &'a Command, arg: &Arg) -> Vec<&'a Arg> {
    command.get_arg_conflicts_with(arg)
}

fn is_typed(typed: &[OsString], arg: &Arg) -> bool {
    let Some(long) = arg.get_long() else { return false };
    typed.iter().filter_map(|word| word.to_str()?.strip_prefix("--")).any(|word| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        name == long
    })
}
