//! How far something is that takes long: a line that changes on a terminal, and now and then a line of its own
//! elsewhere. The same look from outside tells how much of the time goes into which part of a program.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use trifold_check::task::Task;

/// How often the line on a terminal changes, and how often there is another one elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(120);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// What turns on a terminal, so that it is seen that something happens. The last one would be shown at the end.
const SPINNER: &str = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ";

/// How much of a bar is full is told in such parts.
const PARTS: u64 = 1000;

/// A bar, if it is known how much there is to do, and a message that is cut where the terminal ends.
fn style(task: &Task) -> ProgressStyle {
    let bar = if task.part(Duration::ZERO).is_some() { "{bar:16} " } else { "" };
    let style = ProgressStyle::with_template(&format!("{{spinner}} {bar}{{wide_msg}}"));
    style.expect("a template").tick_chars(SPINNER).progress_chars("━╌")
}

/// Tells how far something is, on standard error.
pub struct Meter {
    task: Task,
    pub started: Instant,
    shown: Instant,
    /// When the last activity was noted.
    pub last: Instant,
    /// How long it has been in which part of the program.
    times: BTreeMap<usize, Duration>,
    /// The line of a terminal; hidden if there is none.
    bar: ProgressBar,
    quiet: bool,
}

impl Meter {
    pub fn new(task: Task, quiet: bool) -> Meter {
        let now = Instant::now();
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target).with_style(style(&task));
        Meter { task, started: now, shown: now, last: now, times: BTreeMap::new(), bar, quiet }
    }

    /// Since the last time it was in a part of the program. Shows the activity, if none was shown just now.
    pub fn at(&mut self, part: usize, doing: impl FnOnce() -> String) {
        let now = Instant::now();
        *self.times.entry(part).or_default() += now.saturating_duration_since(self.last);
        self.last = now;
        let on_terminal = !self.bar.is_hidden();
        match self.line(now, doing, on_terminal) {
            Some(line) if on_terminal => {
                let part = self.task.part(now.saturating_duration_since(self.started));
                // The message first, since each of these draws the line anew.
                self.bar.set_message(line);
                self.bar.set_position((part.unwrap_or(0.0) * PARTS as f64) as u64);
                self.bar.tick();
            }
            Some(line) => eprintln!("{line}"),
            None => {}
        }
    }

    /// What is shown at a time, if it is time for it.
    pub fn line(&mut self, now: Instant, doing: impl FnOnce() -> String, on_terminal: bool) -> Option<String> {
        let interval = if on_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.quiet || now.saturating_duration_since(self.shown) < interval {
            return None;
        }
        self.shown = now;
        Some(self.task.line(now.saturating_duration_since(self.started), &doing(), on_terminal))
    }

    /// Removes the line from the terminal, and shows none any more. How long it has been in which part of the program.
    pub fn finish(&mut self) -> BTreeMap<usize, Duration> {
        self.quiet = true;
        self.bar.finish_and_clear();
        std::mem::take(&mut self.times)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.finish();
    }
}
