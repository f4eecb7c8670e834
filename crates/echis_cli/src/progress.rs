//! A progress bar on standard error, with errors as they are found, for users; errors as they are found and finished
//! members, for programs.

use crate::output::Output;
use echis::{Finding, MemberResult, Progress, SourceMap, Stopped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar, and the members printed before their file is finished.
pub struct Reporting<'a> {
    pub bar: Bar,
    pub output: &'a Output,
}

impl Progress for Reporting<'_> {
    fn begin(&self, members: usize) {
        self.bar.begin(members);
    }
    fn obligation(&self, member: &str, number: usize) {
        self.bar.obligation(member, number);
    }
    fn error_found(&self, path: &str, sources: &SourceMap, error: &Finding) {
        match self.bar.bar.is_hidden() {
            true => self.output.error_found(path, sources, error),
            // The full message follows when the file is finished.
            false => self.bar.bar.println(self.output.in_short(sources, error)),
        }
    }
    fn member_done(&self, name: &str) {
        self.bar.member_done(name);
    }
    fn member_verified(
        &self,
        path: &str,
        sources: &SourceMap,
        member: &MemberResult,
        errors: &[Finding],
        stopped: Option<&Stopped>,
    ) {
        self.output.member(path, sources, member, errors, stopped);
    }
    fn end(&self) {
        self.bar.end();
    }
}

pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn new(visible: bool) -> Self {
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style =
            ProgressStyle::with_template("{prefix}{bar:30} {pos}/{len} {msg}").expect("the template is a valid one");
        Bar { bar: ProgressBar::with_draw_target(None, target).with_style(style) }
    }
    /// Starts the next of several files.
    pub fn file(&self, index: usize, count: usize) {
        if count > 1 {
            self.bar.set_prefix(format!("file {} of {count} ", index + 1));
        }
    }
}

impl Progress for Bar {
    fn begin(&self, members: usize) {
        self.bar.reset();
        self.bar.set_length(members as u64);
    }
    fn obligation(&self, member: &str, number: usize) {
        self.bar.set_message(format!("verifying {member} … obligation {number}"));
    }
    fn member_done(&self, name: &str) {
        self.bar.set_message(name.to_string());
        self.bar.inc(1);
    }
    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
