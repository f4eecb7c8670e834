//! Silicon's options, for front ends written for it: how each is treated here, and why.
//!
//! Front ends pass on their options literally (`echis serve`, `bridge/jvm`), so this is the only table. An option is
//! refused if ignoring it would change what is verified; options that control Silicon's proof search are ignored.

use echis_findings::counterexample::View;
use echis_proof::Injectivity;
use std::fmt;

/// An option of Silicon.
pub struct Flag {
    /// Without the dashes.
    pub name: &'static str,
    /// Whether an argument follows.
    pub value: bool,
    /// How Echis treats it.
    pub treatment: Treatment,
}

/// How an option is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Treatment {
    /// Equivalent to the named option of Echis.
    Means(Meaning, &'static str),
    /// Accepted without effect; the text gives the reason.
    Ignored(&'static str),
    /// Refused; the text gives the reason.
    Refused(&'static str),
}

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Meaning {
    /// [`Settings::injectivity`](crate::Settings::injectivity).
    AssumeInjectivity,
    /// [`Settings::counterexample`](crate::Settings::counterexample).
    Counterexample,
    /// [`Settings::errors`](crate::Settings::errors).
    Errors,
    /// The time of a run, in seconds.
    Timeout,
    /// Accepted only with one of these values; several are separated by colons.
    Only(&'static [&'static str]),
}

/// The effects of all options of a run.
#[derive(Clone, Default, Debug)]
pub struct Asked {
    /// Whether inhaled quantified permissions are assumed to be injective.
    pub injectivity: Option<Injectivity>,
    /// The format of counterexamples.
    pub counterexample: Option<View>,
    /// Stop a member after this many errors; 0 finds all.
    pub errors: Option<usize>,
    /// In seconds.
    pub timeout: Option<f64>,
}

/// Why options are not supported, as a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotSupported(String);

impl fmt::Display for NotSupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotSupported {}

impl From<String> for NotSupported {
    fn from(reason: String) -> Self {
        NotSupported(reason)
    }
}

const SEARCH: &str = "Echis decides how to use the solver, in the same way in every run";
const HEURISTIC: &str = "a heuristic of Silicon's that Echis does not have";
const SILENT: &str = "for Silicon's logs, which Echis does not write";
const FRONT: &str = "Silver's front end handles it before verification";
const PLUGIN: &str = "plugins transform programs before verification";
const OWN_THEORIES: &str = "axioms are built in; others would change verdicts";
const PLUGINS: &[&str] = &[
    "viper.silver.plugin.standard.adt.AdtPlugin",
    "viper.silver.plugin.standard.inline.InlinePredicatePlugin",
    "viper.silver.plugin.standard.predicateinstance.PredicateInstancePlugin",
    "viper.silver.plugin.standard.refute.RefutePlugin",
    "viper.silver.plugin.standard.reasoning.ReasoningPlugin",
    "viper.silver.plugin.standard.smoke.SmokeDetectionPlugin",
    "viper.silver.plugin.standard.termination.TerminationPlugin",
    "viper.silver.plugin.toto.ComprehensionPlugin",
];

/// All options of Silicon, and those of Silver's front ends that reach a verifier.
pub const FLAGS: &[Flag] = &[
    ignored("alternativeFunctionVerificationOrder", "definitions are available everywhere, in any order"),
    ignored_value("assertionMode", SEARCH),
    ignored_value("assertTimeout", "bounds are the solver's own counts, so that two runs agree: `--rlimit`"),
    means("assumeInjectivityOnInhale", Meaning::AssumeInjectivity, "--assume-injectivity-on-inhale"),
    ignored_value("checkTimeout", SEARCH),
    ignored("conditionalizePermissions", HEURISTIC),
    means_value(
        "counterexample",
        Meaning::Counterexample,
        "--counterexample: `native` is `intermediate`, `variables` itself, `mapped` and `extended` are `extended`",
    ),
    refused_value("cvc5Exe", "Echis uses Z3 only"),
    ignored_value("cvc5ResourcesPerMillisecond", SEARCH),
    ignored("dependencies", FRONT),
    ignored("disableAdtPlugin", PLUGIN),
    ignored("disableCaches", "they do not change verdicts"),
    ignored("disableCaching", "Silver's cache is not used"),
    ignored("disableCatchingExceptions", "defects are always reported"),
    ignored("disableChunkOrderHeuristics", HEURISTIC),
    ignored("disableDefaultPlugins", PLUGIN),
    ignored("disableFunctionUnfoldTrigger", HEURISTIC),
    ignored("disableHavocHack407", "Echis has no methods with special names; `quasihavocall` is the statement"),
    ignored("disableISCTriggers", SEARCH),
    ignored("disableNL", "nonlinear arithmetic is limited only by --rlimit"),
    refused("disableShortCircuitingEvaluations", "`&&` and `||` are short-circuiting in Viper"),
    refused("disableSubsumption", "what an `assert` proved is known behind it"),
    ignored("disableTerminationPlugin", "programs without `decreases` are not checked for termination"),
    ignored("disableValueMapCaching", HEURISTIC),
    ignored("enableBranchconditionReporting", "the conditions of each path are always reported"),
    ignored("enableDebugging", SILENT),
    ignored("enableMoreCompleteExhale", "Echis always searches all chunks"),
    ignored("enablePredicateTriggersOnInhale", HEURISTIC),
    ignored("enableSimplifiedUnfolds", HEURISTIC),
    refused("enableSmokeDetection", "`echis cover` reports vacuous proofs, and why"),
    ignored("enableTempDirectory", SILENT),
    means_value("excludeMethods", Meaning::Only(&[""]), "nothing, unless members are excluded: use `--member`"),
    ignored_value("exhaleMode", "Echis always searches all chunks, greedily where that suffices"),
    ignored("ideModeAdvanced", FRONT),
    ignored("ignoreFile", FRONT),
    means_value("includeMethods", Meaning::Only(&["*"]), "nothing, unless members are selected: use `--member`"),
    ignored_value("logConfig", SILENT),
    ignored_value("logLevel", SILENT),
    refused_value("mapAxiomatizationFile", OWN_THEORIES),
    ignored_value("moreJoins", HEURISTIC),
    refused_value("multisetAxiomatizationFile", OWN_THEORIES),
    ignored("noTiming", FRONT),
    means_value("numberOfErrorsToReport", Meaning::Errors, "--errors"),
    ignored_value("numberOfParallelVerifiers", "all programs share the workers: `--jobs` when starting Echis"),
    ignored("parallelizeBranches", "members are verified in parallel: `--jobs`"),
    ignored("parseOnly", FRONT),
    means_value("plugin", Meaning::Only(PLUGINS), "nothing: Silver's own plugins are part of the language"),
    ignored("printMethodCFGs", SILENT),
    ignored("printTranslatedProgram", SILENT),
    means_value("prover", Meaning::Only(&["Z3", "Z3-API"]), "nothing: Echis uses Z3"),
    ignored_value("proverArgs", SEARCH),
    ignored_value("proverConfigArgs", SEARCH),
    ignored("proverEnableTimeBounds", "limits are the solver's own counts, so that two runs agree"),
    ignored_value("proverLogFile", SILENT),
    ignored("proverRandomizeSeeds", "two runs agree; `--stability` shows how verdicts vary"),
    ignored_value("proverSaturationTimeout", SEARCH),
    ignored_value("proverSaturationTimeoutWeights", SEARCH),
    ignored_value("pushTimeout", SEARCH),
    ignored_value("qpSplitTimeout", HEURISTIC),
    ignored_value("recursivePredicateUnfoldings", HEURISTIC),
    ignored("reportPartialResults", "members are reported as they are done, if requested"),
    ignored("reportReasonUnknown", "undecided obligations always say why"),
    refused("respectFunctionPrePermAmounts", "preconditions of functions ask for some permission, whatever the amount"),
    ignored_value("select", FRONT),
    refused_value("sequenceAxiomatizationFile", OWN_THEORIES),
    refused_value("setAxiomatizationFile", OWN_THEORIES),
    ignored_value("stateConsolidationMode", HEURISTIC),
    ignored("submitForEvaluation", "Echis sends nothing"),
    ignored_value("tempDirectory", SILENT),
    means_value("timeout", Meaning::Timeout, "--timeout, for the whole program"),
    ignored("unsafeWildcardOptimization", "wildcards are never simplified unsafely"),
    ignored("useOldAxiomatization", "other axioms for the same theories"),
    ignored_value("z3Exe", "chosen when Echis is started: `--solver`"),
    ignored_value("z3ResourcesPerMillisecond", SEARCH),
];

const fn means(name: &'static str, meaning: Meaning, here: &'static str) -> Flag {
    Flag { name, value: false, treatment: Treatment::Means(meaning, here) }
}
const fn means_value(name: &'static str, meaning: Meaning, here: &'static str) -> Flag {
    Flag { name, value: true, treatment: Treatment::Means(meaning, here) }
}
const fn ignored(name: &'static str, why: &'static str) -> Flag {
    Flag { name, value: false, treatment: Treatment::Ignored(why) }
}
const fn ignored_value(name: &'static str, why: &'static str) -> Flag {
    Flag { name, value: true, treatment: Treatment::Ignored(why) }
}
const fn refused(name: &'static str, why: &'static str) -> Flag {
    Flag { name, value: false, treatment: Treatment::Refused(why) }
}
const fn refused_value(name: &'static str, why: &'static str) -> Flag {
    Flag { name, value: true, treatment: Treatment::Refused(why) }
}

/// The effects of the options, or the message that one is not supported.
pub fn understand(arguments: &[String]) -> Result<Asked, NotSupported> {
    let mut asked = Asked::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(written) = word.strip_prefix("--") else {
            return Err(format!("`{word}` is no option of Silicon that Echis knows").into());
        };
        let (name, value) = match written.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (written, None),
        };
        let Some(flag) = FLAGS.iter().find(|flag| flag.name == name) else {
            return Err(format!("`--{name}` is no option of Silicon that Echis knows").into());
        };
        let value = match (flag.value, value) {
            (true, None) => words.next().map(|word| &**word).ok_or(format!("`--{name}` needs a value"))?,
            (_, value) => value.unwrap_or_default(),
        };
        match flag.treatment {
            Treatment::Means(meaning, here) => note(&mut asked, name, meaning, here, value)?,
            Treatment::Ignored(_) => {}
            Treatment::Refused(why) => return Err(format!("`--{name}` is not supported: {why}").into()),
        }
    }
    Ok(asked)
}

fn note(asked: &mut Asked, name: &str, meaning: Meaning, here: &str, value: &str) -> Result<(), NotSupported> {
    let unknown = || format!("`--{name} {value}` is not supported; here the option means {here}");
    match meaning {
        Meaning::AssumeInjectivity => asked.injectivity = Some(Injectivity::Assumed),
        Meaning::Errors => asked.errors = Some(value.parse().map_err(|_| unknown())?),
        Meaning::Timeout => asked.timeout = Some(value.parse().map_err(|_| unknown())?),
        Meaning::Counterexample => {
            asked.counterexample = Some(match value {
                "native" | "intermediate" => View::Intermediate,
                "variables" => View::Variables,
                "mapped" | "extended" => View::Extended,
                _ => return Err(unknown().into()),
            });
        }
        Meaning::Only(values) => {
            if !value.split(':').all(|value| values.contains(&value)) {
                return Err(unknown().into());
            }
        }
    }
    Ok(())
}

/// The options among the arguments that are in the table, with their values. Front ends also pass options of other
/// versions.
pub fn known(words: &[String]) -> Vec<String> {
    let mut known = Vec::new();
    let mut is_wanted = false;
    for word in words.iter().flat_map(|word| word.split(' ')).filter(|word| !word.is_empty()) {
        match word.strip_prefix("--") {
            Some(written) => {
                let (name, value) =
                    written.split_once('=').map_or((written, None), |(name, value)| (name, Some(value)));
                let flag = FLAGS.iter().find(|flag| flag.name == name);
                is_wanted = flag.is_some_and(|flag| flag.value && value.is_none());
                known.extend(flag.map(|_| word.to_string()));
            }
            None if std::mem::take(&mut is_wanted) => known.push(word.to_string()),
            None => {}
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn what_nagini_passes_is_understood() {
        let asked = understand(&words(
            "--assumeInjectivityOnInhale --z3Exe /bin/z3 --disableCatchingExceptions --exhaleMode=2 \
             --alternativeFunctionVerificationOrder --z3ResourcesPerMillisecond=9000 --disableDefaultPlugins \
             --plugin=viper.silver.plugin.standard.refute.RefutePlugin:viper.silver.plugin.standard.termination.TerminationPlugin \
             --counterexample=native --proverArgs=model.partial=true --timeout 5",
        ))
        .unwrap_or_else(|message| panic!("{message}"));
        assert_eq!(asked.injectivity, Some(Injectivity::Assumed));
        assert_eq!(asked.timeout, Some(5.0));
        assert!(asked.counterexample.is_some());
    }

    #[test]
    fn what_would_change_verdicts_is_refused_with_a_reason() {
        let refused = |text| understand(&words(text)).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused("--respectFunctionPrePermAmounts").contains("some permission"));
        assert!(refused("--prover cvc5").contains("uses Z3"));
        assert!(refused("--plugin=my.Plugin").contains("is not supported"));
        assert!(refused("--frobnicate").contains("no option"));
        assert!(refused("--timeout").contains("needs a value"));
    }

    #[test]
    fn unknown_options_go_with_their_values() {
        let given = words("--frobnicate 3 --timeout 5 --frobnicate=4 --numberOfErrorsToReport=2");
        let asked = understand(&known(&given)).unwrap_or_else(|message| panic!("{message}"));
        assert_eq!((asked.timeout, asked.errors), (Some(5.0), Some(2)));
    }

    /// `docs/front-ends.md` contains the table for users.
    #[test]
    fn the_documented_table_is_this_one() {
        let rows = FLAGS.iter().map(|Flag { name, treatment, .. }| match treatment {
            Treatment::Means(_, here) => format!("| `--{name}` | accepted | {here} |\n"),
            Treatment::Ignored(why) => format!("| `--{name}` | ignored | {why} |\n"),
            Treatment::Refused(why) => format!("| `--{name}` | refused | {why} |\n"),
        });
        let table: String = rows.collect();
        let page = include_str!("../../../docs/front-ends.md");
        assert!(page.contains(&table), "docs/front-ends.md should have this table:\n{table}");
        assert!(FLAGS.is_sorted_by_key(|flag| flag.name.to_lowercase()));
    }
}
