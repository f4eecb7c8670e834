//! Boogie's options, in Boogie's spelling: `/name`, `-name`, `/name:value`.

use crate::args::Solving;
use echis::BoogieOptions;
use std::path::PathBuf;

/// The request of the command line.
#[derive(Debug)]
pub enum Request {
    Verify(Box<Options>),
    Help,
    Version,
}

#[derive(Debug)]
pub struct Options {
    pub files: Vec<PathBuf>,
    pub meaning: BoogieOptions,
    pub solving: Solving,
    pub phase: Phase,
    pub logo: bool,
    pub trace: bool,
    pub models: bool,
    /// Whether to print the labels that proofs need.
    pub coverage: bool,
    pub counts: bool,
    pub separately: bool,
    /// Maximum number of errors per procedure; 0 means all.
    pub error_limit: usize,
    /// The file to print the program to.
    pub print: Option<PathBuf>,
    /// Ignored options, as written.
    pub ignored: Vec<String>,
}

/// How far a program is processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Check,
    Verify,
}

/// Boogie's default for the maximum number of errors per procedure.
const ERROR_LIMIT: usize = 5;
/// The effort for a second of `/timeLimit`, as for `{:timeLimit}`: no clock decides, so that two runs agree.
const EFFORT_OF_A_SECOND: u32 = echis::EFFORT_OF_A_SECOND;

/// Supported options, with descriptions.
const FOLLOWED: [(&str, &str); 24] = [
    ("proc:<p>", "verify only procedures that match; may be given several times"),
    ("errorLimit:<n>", "print at most this many errors of each procedure (default 5; 0: all)"),
    ("timeLimit:<n>", "bound the effort for each procedure, in seconds of an average machine"),
    ("rlimit:<n>", "bound the effort for each procedure, in the solver's units"),
    ("trace", "name each procedure, with its time and the number of its obligations"),
    ("printModel:<n>", "with n > 0, print the values of variables for each error"),
    ("print:<file>", "print the program as it was read (- for standard output)"),
    ("noResolve, /noTypecheck, /noVerify", "only check the program"),
    ("verifySeparately", "the files are programs of their own"),
    ("vcsCores:<n>", "verify this many procedures at a time"),
    ("z3exe:<path>", "use another solver"),
    ("proverOpt:PROVER_PATH=<path>", "use another solver; other prover options are ignored"),
    ("printVerifiedProceduresCount:<n>", "with n = 0, do not print the number of verified procedures"),
    ("trackVerificationCoverage", "if all is verified, name the {:id} of elements that proofs need"),
    ("loopUnroll:<n>", "follow each loop n times, and look at no longer executions"),
    ("inferModifies", "procedures with a body modify what it assigns to"),
    ("infer:j", "infer bounds of integer variables as loop invariants"),
    ("lib, /lib:base, /lib:set_size", "the base library is always there"),
    ("errorTrace:0", "no traces are printed in any case"),
    ("useArrayTheory", "arrays are always arrays of the solver"),
    ("env:<n>, /pretty:<n>", "accepted"),
    ("nologo", "do not print the first line"),
    ("version", "print the version"),
    ("help", "print this text"),
];

/// Boogie's options that are ignored.
#[rustfmt::skip]
const IGNORED: [&str; 100] = [
    "alwaysAssumeFreeLoopInvariants", "attrHelp", "break", "causalImplies", "checkInfer", "CivlDesugaredFile",
    "coalesceBlocks", "concurrentHoudini", "contractInfer", "crossDependencies", "cvc4exe", "debugSMT", "doModSetAnalysis",
    "emitDebugInformation", "enhancedErrorMessages", "errorTrace", "extractLoops", "fixedPointEngine",
    "freeVarLambdaLifting", "infer", "inferLeastForUnsat", "inline", "inlineDepth", "instrumentInfer",
    "interprocInfer", "keepQuantifier", "kInductionDepth", "lazyInline", "liveVariableAnalysis", "log", "logPrefix",
    "modifiesDefault", "monomorphize", "mv", "noProc", "noinfer", "normalizeDeclarationOrder", "normalizeNames",
    "overlookTypeErrors", "p", "platform", "printAssumptions", "printCFG", "printDesugared", "printInlined",
    "printInstrumented", "printLambdaLifting", "printModelToFile", "printPassive", "printPruned", "printSplit",
    "printUnstructured", "printWithUniqueIds", "prover", "proverDll", "proverHelp", "proverLog", "proverLogAppend",
    "proverMemoryLimit", "proverOpt", "proverPreamble", "proverShutdownLimit", "proverWarnings", "prune", "randomSeed",
    "randomizeVcIterations", "recursionBound", "reflectAdd", "relaxFocus", "removeEmptyBlocks", "restartProver",
    "simplifyMatchDepth", "smoke", "smokeTimeout", "soundLoopUnrolling", "stratifiedInline", "subsumption", "traceCaching",
    "tracePOs", "traceTimes", "traceverify", "trustAtomicityTypes", "trustNoninterference", "typeEncoding",
    "useBaseNameForFileName", "useSmtOutputFormat", "useUnsatCoreForContractInfer", "vc", "vcBrackets", "vcsDumpSplits",
    "vcsFinalAssertTimeout", "vcsKeepGoingTimeout", "vcsLoad", "vcsMaxCost", "vcsMaxKeepGoingSplits", "vcsMaxSplits",
    "vcsSplitOnEveryAssert", "verifySnapshots", "warnVacuousProofs", "xml",
];

pub fn help() -> String {
    let line = |(option, meaning): &(&str, &str)| format!("  /{option}\n        {meaning}\n");
    let followed: String = FOLLOWED.iter().map(line).collect();
    format!(
        "Usage: echis boogie [options] FILE.bpl ...\n\nThe files are one program. Options start with / or -:\n{followed}\n\
         Other options of Boogie are accepted and named as ignored on standard error.\n"
    )
}

pub fn parse(words: &[String]) -> Result<Request, String> {
    let mut options = Options {
        files: Vec::new(),
        meaning: BoogieOptions::default(),
        solving: Solving::default(),
        phase: Phase::Verify,
        logo: true,
        trace: false,
        models: false,
        coverage: false,
        counts: true,
        separately: false,
        error_limit: ERROR_LIMIT,
        print: None,
        ignored: Vec::new(),
    };
    for word in words {
        let Some(switch) = switch(word) else {
            options.file(word)?;
            continue;
        };
        let (name, value) = match switch.split_once(':') {
            Some((name, value)) => (name, Some(value)),
            None => (switch, None),
        };
        match name {
            "help" | "?" => return Ok(Request::Help),
            "version" => return Ok(Request::Version),
            _ => options.switch(word, name, value)?,
        }
    }
    match options.files.is_empty() {
        true => Err("*** Error: No input files were specified.".into()),
        false => Ok(Request::Verify(Box::new(options))),
    }
}

/// The option without its prefix. A path may start with a slash, too.
fn switch(word: &str) -> Option<&str> {
    let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).or_else(|| word.strip_prefix('/'))?;
    let is_path = word.starts_with('/') && (option.contains('/') || option.ends_with(".bpl")) && !option.contains(':');
    (!is_path).then_some(option)
}

impl Options {
    fn file(&mut self, word: &str) -> Result<(), String> {
        let path = PathBuf::from(word);
        if !echis::is_boogie(&path) {
            let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
            return Err(format!(
                "*** Error: '{word}': Filename extension '{}' is not supported. Input files must be BoogiePL programs (.bpl).",
                extension.unwrap_or_default()
            ));
        }
        self.files.push(path);
        Ok(())
    }

    fn switch(&mut self, word: &str, name: &str, value: Option<&str>) -> Result<(), String> {
        match name {
            "nologo" => self.logo = false,
            "trace" => self.trace = true,
            "noResolve" | "noTypecheck" | "noVerify" => self.phase = Phase::Check,
            "verifySeparately" => self.separately = true,
            "proc" => self.solving.member.push(text(word, value)?.to_string()),
            "errorLimit" => self.error_limit = number(word, value)?,
            "timeLimit" => {
                // For both, 0 means no limit.
                self.solving.rlimit = Some(number::<u32>(word, value)?.saturating_mul(EFFORT_OF_A_SECOND));
            }
            "rlimit" => self.solving.rlimit = Some(number(word, value)?),
            "vcsCores" => self.solving.jobs = Some(number::<usize>(word, value)?.max(1)),
            "printModel" => self.models = number::<u32>(word, value)? > 0,
            "printVerifiedProceduresCount" => self.counts = number::<u32>(word, value)? > 0,
            "print" => self.print = Some(text(word, value)?.into()),
            "z3exe" => self.solving.solver = Some(text(word, value)?.into()),
            "proverOpt" | "p" if value.is_some_and(|value| value.starts_with("PROVER_PATH=")) => {
                self.solving.solver = value.and_then(|value| Some(value.split_once('=')?.1.into()));
            }
            "trackVerificationCoverage" => self.coverage = true,
            "loopUnroll" => self.meaning.unroll = Some(number(word, value)?),
            "inferModifies" => self.meaning.infer_modifies = true,
            "infer" if value == Some("j") => self.meaning.infer_bounds = true,
            "lib" if value.is_none_or(|value| matches!(value, "base" | "set_size")) => {}
            "errorTrace" if value == Some("0") => {}
            "useArrayTheory" | "env" | "pretty" | "wait" => {}
            _ if name == "lib" || IGNORED.contains(&name) => self.ignored.push(word.to_string()),
            _ => return Err(format!("Boogie: Error: unknown switch: {word}\nUse /help for available options")),
        }
        Ok(())
    }
}

fn text<'a>(word: &str, value: Option<&'a str>) -> Result<&'a str, String> {
    value
        .filter(|value| !value.is_empty())
        .ok_or_else(|| format!("Boogie: Error: missing argument after: {word}\nUse /help for available options"))
}

fn number<T: std::str::FromStr>(word: &str, value: Option<&str>) -> Result<T, String> {
    let (name, value) = (word.split(':').next().unwrap_or(word), text(word, value)?);
    value.parse().map_err(|_| {
        format!("Boogie: Error: Invalid argument \"{value}\" to option {name}\nUse /help for available options")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Result<Box<Options>, String> {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        match parse(&words)? {
            Request::Verify(options) => Ok(options),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn both_spellings_and_paths() {
        let found =
            options(&["/proc:A*", "-proc:B", "-rlimit:700", "/infer:t", "/programs/a.bpl", "b.bpl"]).expect("valid");
        assert_eq!(found.solving.member, ["A*", "B"]);
        assert_eq!(found.solving.rlimit, Some(700));
        assert_eq!(found.ignored, ["/infer:t"]);
        assert_eq!(found.files, [PathBuf::from("/programs/a.bpl"), PathBuf::from("b.bpl")]);
    }

    #[test]
    fn errors_in_the_words_of_boogie() {
        let said = |words: &[&str]| options(words).err().unwrap_or_default();
        assert!(said(&["/nosuch", "a.bpl"]).starts_with("Boogie: Error: unknown switch: /nosuch"));
        assert!(said(&["-rlimit:x", "a.bpl"]).starts_with("Boogie: Error: Invalid argument \"x\" to option -rlimit"));
        assert!(said(&["-proc:", "a.bpl"]).starts_with("Boogie: Error: missing argument"));
        assert_eq!(said(&[]), "*** Error: No input files were specified.");
        assert!(said(&["a.txt"]).contains("'a.txt': Filename extension '.txt' is not supported"));
    }
}
