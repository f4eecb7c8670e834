//! Echis as a library: a verified program is a value that can be queried.
//!
//! A [`Source`] is checked once ([`Checked`]) and verified by a [`Verifier`], which owns a pool of solvers and can be
//! used for many programs, from several threads. A [`Verification`] holds the results and answers queries about the
//! proofs: each answer is computed on first use and then shared.
//!
//! ```
//! use echis::{Config, Settings, Silent, Source, Verifier};
//!
//! let verifier = Verifier::new(Config::default())?;
//! let checked = verifier.check(Source::text("inc.vpr", "method inc(x: Int) returns (y: Int) ensures y > x { y := x }"));
//! let verification = verifier.verify(&checked, &Settings::default(), &Silent);
//! let failure = &verification.failures()[0];
//! assert_eq!(failure.diagnostic.id, "postcondition.violated:assertion.false");
//! assert!(verification.counterexample(failure).is_ok());
//!
//! let mended = verification.edit("method inc(x: Int) returns (y: Int) ensures y > x { y := x + 1 }", &Silent);
//! assert!(mended.is_verified());
//! # Ok::<(), echis::NoSolver>(())
//! ```
//!
//! # Programs that were built
//!
//! Front ends build programs with [`build::ProgramBuilder`], and attach origins to nodes: their own values that
//! identify where a node comes from. [`Verification::by_origin`] then answers in terms of these, never of positions
//! in a text.
//!
//! ```
//! use echis::build::{Method, ProgramBuilder, Type};
//! use echis::{Config, Settings, Silent, Source, Verifier};
//!
//! let mut b = ProgramBuilder::new();
//! let (x, zero) = (b.var("x"), b.int(0));
//! let positive = b.gt(x, zero);
//! let assert = b.assert(positive);
//! let assert = b.stmt_at(assert, "line 7 of main.lang");
//! b.method(Method::new("main").param("x", Type::Int).body([assert]));
//! let built = b.finish().expect("all names are identifiers");
//!
//! let verifier = Verifier::new(Config::default())?;
//! let verification = verifier.verify(&verifier.check(Source::program(&built)), &Settings::default(), &Silent);
//! let failures = verification.by_origin(&built.origins).failures();
//! assert_eq!(failures[0].origin, Some("line 7 of main.lang"));
//! # Ok::<(), echis::NoSolver>(())
//! ```
//!
//! The folder `examples` contains a small language, a linked list with a counterexample, an explained proof, and a
//! thousand programs verified in parallel.
//!
//! # Stability
//!
//! Versions follow semantic versioning. Within a major version (before 1.0, a minor one), programs that use this
//! crate and [`build`] keep compiling, provided that they
//!
//! - create [`Config`] and [`Settings`] with `..Default::default()`, since both may get new fields,
//! - and have a wildcard arm when matching types marked `#[non_exhaustive]`.
//!
//! Ids of errors and warnings keep their meaning; messages may change, and so may what the solver can prove. The
//! modules [`depend`] and [`coverage`] expose internal data of the engine, which may change with any minor version.

#![warn(missing_docs)]

mod ask;
mod cache;
mod checked;
mod defect;
mod language;
mod limits;
pub mod silicon;
mod source;
mod verification;
mod verify;

pub use ask::by_origin::{
    Branch, ByOrigin, CoverageByOrigin, DependenciesByOrigin, Failure, Invalid, OriginWarning, PrunedByOrigin,
};
pub use ask::coverage::{Confirmation, Covered, coverage_options};
pub use ask::dependencies::Dependencies;
pub use ask::dump::{MEMBER_MARK, dump_ast, dump_boogie, dump_program, dump_smt, dump_tree};
pub use ask::explained::{BoogieProofs, Explained};
pub use ask::prune::Necessity;
pub use ask::trial::{Proposal, Trials};
pub use cache::{CACHE_VARIABLE, Cache, KEY_VARIABLE, NotShared, Statistics, Trust};
pub use checked::Checked;
pub use checked::fmt::{Formatted, format};
pub use checked::unverified::not_looked_at;
pub use defect::{Ended, Over, guarded, silence_panics};
pub use echis_base::{Diagnostic, Fix, Severity, SourceMap, Span, similar};
pub use echis_boogie::Options as BoogieOptions;
pub use echis_build as build;
pub use echis_cover as coverage;
pub use echis_depend as depend;
pub use echis_findings::counterexample;
pub use echis_findings::counterexample::{Status, View};
pub use echis_findings::{FileResult, FileVerdict, Finding, MemberKind, MemberResult, Stopped};
pub use echis_proof::Injectivity;
pub use echis_smt::{NoSolver, SolverVersion, Variant};
pub use echis_syntax::{Loader, ReadError, operator_words};
pub use echis_vcg::EFFORT_OF_A_SECOND;
pub use language::engines::DISAGREEMENT;
pub use language::pruned_program::{Pruned, Repair};
pub use source::Source;
pub use source::files::{Buffers, Files, Reach, STANDARD_INPUT, is_boogie, read};
pub use verification::Verification;
pub use verify::cancel::Cancel;
pub use verify::counters::VerifierStatistics;
pub use verify::explainers::Work;
pub use verify::members::{Progress, Silent};
pub use verify::pattern::Pattern;
pub use verify::schedule::{STACK, run};
pub use verify::second_solver::{Purpose, SecondOpinion};
pub use verify::settings::{EngineChoice, Settings, Subject, Trees};
pub use verify::shard::{Costs, NoShard, Shard, Share};
pub use verify::solvers::locate_solver;
pub use verify::verifier::{Config, Remembering, Verifier};
