//! The evaluation of static coverage, for Viper: the cost of counting coverage (figures 5 to 7 of the paper), whether
//! it makes verification brittle (figure 8), the additional cost of finding dead code (figure 9), and the warnings
//! (figure 10). The unit is a program: proofs are explained during verification, not in separate queries.

mod plot;
mod variants;

use crate::bench::median;
use crate::command::{Binary, Ended, folders, holds};
use crate::corpus::programs;
use crate::echis::{Echis, Scratch, repository};
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Tables and plots are written to target/evaluation.
#[derive(Args)]
pub struct Options {
    /// Folders with programs [default: the examples and the corpus]
    folders: Vec<PathBuf>,
    /// Every Nth program only
    #[arg(long, value_name = "N", default_value = "10")]
    sample: NonZeroUsize,
    /// Number of orders of the members of each program, for brittleness
    #[arg(long, value_name = "N", default_value_t = 5)]
    variants: usize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 30)]
    limit: u64,
    #[command(flatten)]
    binary: Binary,
}

/// One run: seconds, the solver's own count, and whether the program verified.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    effort: f64,
    verified: bool,
}

/// The measurements of one program that verifies.
struct Measured {
    /// Its name.
    program: String,
    normal: Cost,
    counted: Cost,
    /// Verifying, and then looking for unreachable code.
    smoke: f64,
    /// Warnings by id.
    warnings: BTreeMap<String, usize>,
    normal_variants: Vec<Cost>,
    counted_variants: Vec<Cost>,
}

pub fn run(options: &Options) -> Ended {
    let runs = Runs { echis: options.binary.find()?, limit: options.limit.to_string() };
    let scratch = Scratch::new();
    let all: Vec<String> = folders(&options.folders).iter().flat_map(|folder| programs(folder)).collect();
    let chosen = all.iter().step_by(options.sample.get());
    let measured: Vec<Measured> = chosen.filter_map(|file| measure(&runs, file, &scratch, options.variants)).collect();
    let folder = repository().join("target").join("evaluation");
    let written = std::fs::create_dir_all(&folder).and_then(|()| write(&folder, &measured));
    written.map_err(|error| format!("{} cannot be written: {error}", folder.display()))?;
    print!("{}", tables(&measured));
    println!("plots: {}", folder.display());
    holds(true)
}

/// The Echis to run, and its time limit in seconds.
struct Runs {
    echis: Echis,
    limit: String,
}

/// A program that does not verify is not measured.
fn measure(runs: &Runs, file: &str, scratch: &Scratch, orders: usize) -> Option<Measured> {
    let normal = runs.normal(file).filter(|cost| cost.verified)?;
    let counted = runs.counted(file)?;
    let covered = runs.document(&["cover", file]);
    let mut warnings: BTreeMap<String, usize> = BTreeMap::new();
    for id in covered["warnings"].as_array().into_iter().flatten().filter_map(|warning| warning["id"].as_str()) {
        *warnings.entry(id.to_string()).or_default() += 1;
    }
    let smoke = runs.document(&["cover", file, "--smoke"]);
    let smoke = smoke["time_ms"]["confirm"].as_f64().unwrap_or(0.0) / 1000.0 + normal.seconds;
    let (mut normal_variants, mut counted_variants) = (Vec::new(), Vec::new());
    let text = std::fs::read_to_string(file).ok()?;
    for variant in variants::rotated(&text, orders) {
        let path = scratch.write("variant.vpr", &variant);
        // A program with relative imports is invalid elsewhere.
        if runs.echis.run(&["check", "-q", &path]).code == Some(0) {
            normal_variants.extend(runs.normal(&path));
            counted_variants.extend(runs.counted(&path));
        }
    }
    let program = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Some(Measured { program, normal, counted, smoke, warnings, normal_variants, counted_variants })
}

impl Runs {
    fn document(&self, args: &[&str]) -> Value {
        self.echis.document(&[args, &["--format", "json", "--timeout", &self.limit]].concat())
    }
    fn normal(&self, file: &str) -> Option<Cost> {
        let document = self.document(&["verify", file, "--no-cache", "--profile"]);
        let found = document["files"].get(0)?;
        let members = found["profile"].as_array()?;
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let effort = members.iter().map(|member| number(&member["effort"]) + number(&member["probe_effort"])).sum();
        Some(Cost { seconds: number(&found["time_ms"]) / 1000.0, effort, verified: found["verdict"] == "verified" })
    }
    fn counted(&self, file: &str) -> Option<Cost> {
        let document = self.document(&["deps", file, "--coverage"]);
        let work = &document["work"];
        let effort = work["verified"].as_f64()? + work["replayed"].as_f64()?;
        let found = document["files"].get(0)?;
        Some(Cost { seconds: found["time_ms"].as_f64()? / 1000.0, effort, verified: found["verdict"] == "verified" })
    }
}

fn write(folder: &Path, measured: &[Measured]) -> std::io::Result<()> {
    let points = |value: fn(&Cost) -> f64| -> Vec<(f64, f64)> {
        measured.iter().map(|found| (value(&found.normal), value(&found.counted))).collect()
    };
    let put = |name: &str, text: String| std::fs::write(folder.join(name), text);
    put("figure-6.svg", plot::scatter("solver effort: verifying (x), with coverage (y)", &points(|cost| cost.effort)))?;
    put("figure-7.svg", plot::scatter("seconds: verifying (x), with coverage (y)", &points(|cost| cost.seconds)))?;
    let bars = MODES.map(|(name, of)| (name.to_string(), within(measured, of)));
    put(
        "figure-8.svg",
        plot::bars("solver effort: standard deviation between orders of one program's members", &bars),
    )?;
    let sum = |value: &dyn Fn(&Measured) -> f64| measured.iter().map(value).sum::<f64>();
    let bars = [
        ("coverage".to_string(), sum(&|found| found.counted.seconds)),
        ("smoke detection".to_string(), sum(&|found| found.smoke)),
    ];
    put("figure-9.svg", plot::bars("seconds in all", &bars))?;
    let bars: Vec<(String, f64)> = categories(measured).into_iter().map(|(id, count)| (id, count as f64)).collect();
    put("figure-10.svg", plot::bars("warnings", &bars))?;
    put("tables.md", tables(measured))
}

fn categories(measured: &[Measured]) -> BTreeMap<String, usize> {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for (id, count) in measured.iter().flat_map(|found| &found.warnings) {
        *all.entry(id.clone()).or_default() += count;
    }
    all
}

/// Statistics of many runs, the measure of one run, and the runs of one program in other orders.
type Statistic = fn(Vec<f64>) -> f64;
type Unit = fn(&Cost) -> f64;
type Variants = fn(&Measured) -> &Vec<Cost>;

const MODES: [(&str, Variants); 2] =
    [("verifying", |found| &found.normal_variants), ("with coverage", |found| &found.counted_variants)];

/// The standard deviation of the effort from the mean of the same program.
fn within(measured: &[Measured], of: Variants) -> f64 {
    let apart = measured.iter().flat_map(|found| {
        let efforts: Vec<f64> = of(found).iter().map(|cost| cost.effort).collect();
        let usual = mean(efforts.clone());
        efforts.into_iter().map(move |effort| (effort - usual).powi(2))
    });
    mean(apart.collect()).sqrt()
}

fn tables(measured: &[Measured]) -> String {
    let mut out = format!("{} programs that verify\n\nFigure 5: what coverage costs\n\n", measured.len());
    out += "|  | verifying | with coverage | more |\n| --- | --- | --- | --- |\n";
    let values = |value: fn(&Cost) -> f64, of: fn(&Measured) -> &Cost| -> Vec<f64> {
        measured.iter().map(|found| value(of(found))).collect()
    };
    let statistics: [(&str, Statistic); 4] =
        [("sum", |all| all.iter().sum()), ("mean", mean), ("median", median), ("mean of the middle 98 %", trimmed)];
    let units: [(&str, Unit); 2] = [("seconds", |cost| cost.seconds), ("effort", |cost| cost.effort)];
    for (unit, value) in units {
        for (name, statistic) in &statistics {
            let before = statistic(values(value, |found| &found.normal));
            let after = statistic(values(value, |found| &found.counted));
            let more = 100.0 * (after / before - 1.0);
            let _ = writeln!(out, "| {unit}, {name} | {before:.3} | {after:.3} | {more:.1} % |");
        }
    }
    let failed = measured.iter().filter(|found| !found.counted.verified).count();
    let _ = writeln!(out, "| not verified | 0 | {failed} |  |");
    out += "\nFigure 8: brittleness, with other orders of the members\n\n";
    out +=
        "|  | runs | not verified | effort, mean | mean of the middle 98 % | standard deviation | within programs |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (name, of) in MODES {
        let costs: Vec<Cost> = measured.iter().flat_map(of).copied().collect();
        let efforts: Vec<f64> = costs.iter().map(|cost| cost.effort).collect();
        let failed = costs.iter().filter(|cost| !cost.verified).count();
        let (average, middle, spread) = (mean(efforts.clone()), trimmed(efforts.clone()), deviation(&efforts));
        let (runs, within) = (costs.len(), within(measured, of));
        let _ =
            writeln!(out, "| {name} | {runs} | {failed} | {average:.0} | {middle:.0} | {spread:.0} | {within:.0} |");
    }
    let sum = |value: &dyn Fn(&Measured) -> f64| measured.iter().map(value).sum::<f64>();
    out += "\nFigure 9: looking for what nothing reaches, seconds in all\n\n";
    let (coverage, smoke) = (sum(&|found| found.counted.seconds), sum(&|found| found.smoke));
    let _ = writeln!(out, "| coverage | smoke detection |\n| --- | --- |\n| {coverage:.2} | {smoke:.2} |");
    out += "\nFigure 10: warnings by what they are about\n\n| warning | how many | programs |\n| --- | --- | --- |\n";
    for (id, count) in categories(measured) {
        let programs = measured.iter().filter(|found| found.warnings.contains_key(&id)).count();
        let _ = writeln!(out, "| {id} | {count} | {programs} |");
    }
    let mut dearest: Vec<&Measured> = measured.iter().collect();
    let factor = |found: &Measured| found.counted.seconds / found.normal.seconds.max(0.001);
    dearest.sort_by(|a, b| factor(b).total_cmp(&factor(a)));
    out += "\nWhere coverage costs most\n\n";
    for found in dearest.into_iter().take(5) {
        let _ = writeln!(out, "- {}: {:.2} times", found.program, factor(found));
    }
    out
}

fn mean(values: Vec<f64>) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The values without the smallest and the largest hundredth.
fn trimmed(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let cut = values.len().div_ceil(100).min(values.len() / 2);
    mean(values[cut..values.len() - cut].to_vec())
}

fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values.to_vec());
    mean(values.iter().map(|value| (value - middle).powi(2)).collect()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_those_of_the_paper() {
        let mut values: Vec<f64> = (0..98).map(|_| 2.0).collect();
        values.extend([0.0, 1000.0]);
        assert_eq!(trimmed(values.clone()), 2.0);
        assert_eq!(median(values), 2.0);
        assert_eq!(deviation(&[1.0, 3.0]), 1.0);
        assert!(mean(Vec::new()) == 0.0 && trimmed(Vec::new()) == 0.0);
    }
}
