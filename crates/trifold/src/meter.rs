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
    started: Instant,
    shown: Instant,
    /// When the last activity was noted.
    last: Instant,
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
                self.bar.set_position((part.unwrap_or(0.0) * PARTS as f64) as u64);
                self.bar.set_message(line);
                self.bar.tick();
            }
            Some(line) => eprintln!("{line}"),
            None => {}
        }
    }

    /// What is shown at a time, if it is time for it.
    fn line(&mut self, now: Instant, doing: impl FnOnce() -> String, on_terminal: bool) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task { what: "list.c: main".to_string(), number: (2, 4), time: Some(Duration::from_secs(20)) }
    }

    fn lines(quiet: bool, on_terminal: bool) -> Vec<String> {
        let mut meter = Meter::new(task(), quiet);
        let seconds = [0.0, 0.1, 0.2, 0.25, 9.0, 10.5, 11.0, 21.0].map(Duration::from_secs_f64);
        let started = meter.started;
        let at = |at: &Duration| meter.line(started + *at, || "3 shapes".to_string(), on_terminal);
        seconds.iter().filter_map(at).collect()
    }

    #[test]
    fn a_terminal_has_a_line_that_changes_and_others_now_and_then_another_one() {
        let drawn =
            ["0.2", "9.0", "10.5", "11.0", "21.0"].map(|s| format!("{s} s of 20 s  list.c: main (2 of 4), 3 shapes"));
        assert_eq!(lines(false, true), drawn);
        let elsewhere = ["10.5", "21.0"].map(|s| format!("list.c: main (2 of 4), 3 shapes, {s} s of 20 s"));
        assert_eq!(lines(false, false), elsewhere);
        assert!(lines(true, true).is_empty() && lines(true, false).is_empty());
    }

    #[test]
    fn time_goes_into_parts_and_nothing_is_shown_behind_the_end() {
        let mut meter = Meter::new(task(), true);
        let started = meter.last;
        for part in [0, 3, 0] {
            std::thread::sleep(Duration::from_millis(2));
            meter.at(part, String::new);
        }
        let all = meter.last - started;
        let times = meter.finish();
        assert_eq!(times.keys().copied().collect::<Vec<_>>(), [0, 3]);
        assert_eq!(times.values().sum::<Duration>(), all);
        let mut meter = Meter::new(task(), false);
        meter.finish();
        assert_eq!(meter.line(started + Duration::from_secs(60), String::new, true), None);
    }
}
