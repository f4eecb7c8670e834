//! Summarises the records, by kind of mistake and in total.

use super::record::{Judged, Record};
use crate::command::{Ended, holds};
use std::collections::BTreeMap;

#[derive(Default)]
struct Counts {
    mistakes: usize,
    first: usize,
    three: usize,
    wrong: usize,
    by_editor: usize,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        self.mistakes += 1;
        self.first += usize::from(record.is_first_right());
        self.three += usize::from(record.is_one_right());
        self.wrong += record.offers.iter().filter(|(_, judged)| *judged == Judged::Wrong).count();
        self.by_editor += usize::from(record.by_editor);
    }
    fn row(&self, name: &str) -> String {
        let Counts { mistakes, first, three, wrong, by_editor } = self;
        format!("{name:14} {mistakes:>8} {first:>6} {three:>6} {wrong:>6} {by_editor:>7}")
    }
}

/// Fails unless enough mistakes are fixed, no wrong fix is offered, and looking for fixes is fast.
pub fn report(records: &[Record], editor: bool) -> Ended {
    let mut kinds: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    let mistakes: Vec<&Record> = records.iter().filter(|record| record.is_mistake()).collect();
    for record in &mistakes {
        kinds.entry(record.kind.name()).or_default().add(record);
        all.add(record);
    }
    println!("{:14} {:>8} {:>6} {:>6} {:>6} {:>7}", "taken out", "mistakes", "first", "three", "wrong", "editor");
    kinds.iter().for_each(|(kind, counts)| println!("{}", counts.row(kind)));
    println!("{}", all.row("all"));
    let share = |part: usize| 100.0 * part as f64 / all.mistakes.max(1) as f64;
    let in_corpus = mistakes.iter().filter(|record| record.is_in_corpus()).count();
    println!(
        "{} mistakes, {in_corpus} of them in the corpus: the first fix is right for {:.0} %, one of three for {:.0} %",
        all.mistakes,
        share(all.first),
        share(all.three),
    );
    if editor {
        println!("the editor's former actions mend {:.0} %", share(all.by_editor));
    }
    let (fixing, _) = extra("echis fix", mistakes.iter().map(|record| (record.plain, record.fixing)));
    let (hinted, _) = extra("verify --hints fast", mistakes.iter().map(|record| (record.plain, record.hinted)));
    holds(all.wrong == 0 && share(all.three) >= 70.0 && share(all.first) >= 50.0 && fixing.max(hinted) <= 2.0)
}

/// The median and the maximum of the extra processor time relative to verifying.
fn extra(name: &str, times: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let mut ratios: Vec<f64> = times.map(|(plain, with)| (with - plain).max(0.0) / plain.max(0.001)).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(0.0);
    let worst = ratios.last().copied().unwrap_or(0.0);
    println!("extra processor time of {name}, in times of verifying: median {median:.2}, worst {worst:.2}");
    (median, worst)
}
