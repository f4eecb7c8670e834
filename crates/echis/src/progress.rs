//! A progress bar on standard error, for people who wait.

use echis_driver::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn new(visible: bool) -> Self {
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is a valid one");
        Bar { bar: ProgressBar::with_draw_target(None, target).with_style(style) }
    }
}

impl Progress for Bar {
    fn begin(&self, members: usize) {
        self.bar.reset();
        self.bar.set_length(members as u64);
    }
    fn member_done(&self, name: &str) {
        self.bar.set_message(name.to_string());
        self.bar.inc(1);
    }
    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
