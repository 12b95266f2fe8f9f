//! How far something is that takes long: a line that changes on a terminal, and now and then a line of its own
//! elsewhere. The same look from outside tells how much of the time goes into which part of a program.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use trifold_source::printable_line;

/// How often the line on a terminal changes, and how often there is another one elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(120);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// A spinner on a terminal shows that something happens.
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// The letters of a bar.
const BAR: usize = 16;

/// The task that is under way.
#[derive(Clone, Default, Debug)]
pub struct Task {
    /// A file, a function.
    pub what: String,
    /// Which one it is of how many, from 1 on.
    pub number: (usize, usize),
    /// The time that it may take.
    pub time: Option<Duration>,
}

impl Task {
    /// The line after a time; `doing` is the current activity.
    fn line(&self, passed: Duration, doing: &str, on_terminal: bool) -> String {
        let (number, of) = self.number;
        let count = if of > 1 { format!(" ({number} of {of})") } else { String::new() };
        let mut seconds = format!("{:.1} s", passed.as_secs_f64());
        if let Some(time) = self.time {
            seconds += &format!(" of {} s", time.as_secs_f64().round());
        }
        let what = printable_line(&self.what);
        if !on_terminal {
            return format!("{what}{count}, {doing}, {seconds}\n");
        }
        // Of the time it is known how much there is; and else, how many functions there are.
        let part = match self.time {
            Some(time) => Some(passed.as_secs_f64() / time.as_secs_f64().max(1e-9)),
            None => (of > 1).then(|| number.saturating_sub(1) as f64 / of as f64),
        };
        let turned = (passed.as_millis() / ON_TERMINAL.as_millis()) as usize % SPINNER.len();
        // The line is cleared, and a part that does not fit into it is not wrapped, because it could not be cleared
        // then.
        format!(
            "\r\x1b[K\x1b[?7l{}{} {seconds}  {what}{count}, {doing}\x1b[?7h",
            SPINNER[turned],
            part.map_or(String::new(), bar)
        )
    }
}

/// A bar of which a part is full.
fn bar(part: f64) -> String {
    let full = ((part * BAR as f64) as usize).min(BAR);
    format!(" {}{}", "━".repeat(full), "╌".repeat(BAR - full))
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
    on_terminal: bool,
    quiet: bool,
    drawn: bool,
}

impl Meter {
    pub fn new(task: Task, quiet: bool) -> Meter {
        let now = Instant::now();
        let on_terminal = std::io::stderr().is_terminal();
        Meter { task, started: now, shown: now, last: now, times: BTreeMap::new(), on_terminal, quiet, drawn: false }
    }

    /// Since the last time it was in a part of the program. Shows the activity, if none was shown just now.
    pub fn at(&mut self, part: usize, doing: impl FnOnce() -> String) {
        let now = Instant::now();
        *self.times.entry(part).or_default() += now.saturating_duration_since(self.last);
        self.last = now;
        if let Some(line) = self.line(now, doing) {
            eprint!("{line}");
            let _ = std::io::stderr().flush();
        }
    }

    /// The line at a time, if it is time for it.
    fn line(&mut self, now: Instant, doing: impl FnOnce() -> String) -> Option<String> {
        let interval = if self.on_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.quiet || now.saturating_duration_since(self.shown) < interval {
            return None;
        }
        self.shown = now;
        self.drawn = self.on_terminal;
        Some(self.task.line(now.saturating_duration_since(self.started), &printable_line(&doing()), self.on_terminal))
    }

    /// Removes the line from the terminal, and shows none any more. How long it has been in which part of the program.
    pub fn finish(&mut self) -> BTreeMap<usize, Duration> {
        self.quiet = true;
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
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
        meter.on_terminal = on_terminal;
        let seconds = [0.0, 0.1, 0.2, 0.25, 9.0, 10.5, 11.0, 21.0].map(Duration::from_secs_f64);
        let started = meter.started;
        let lines = seconds.iter().filter_map(|at| meter.line(started + *at, || "3 shapes".to_string())).collect();
        meter.drawn = false;
        lines
    }

    #[test]
    fn a_terminal_has_one_line_and_others_now_and_then_another_one() {
        let drawn = lines(false, true);
        assert_eq!(drawn.len(), 5);
        assert!(drawn.iter().all(|line| line.starts_with("\r\x1b[K\x1b[?7l") && line.ends_with("\x1b[?7h")));
        assert!(!drawn.concat().contains('\n'));
        let elsewhere = ["10.5", "21.0"].map(|s| format!("list.c: main (2 of 4), 3 shapes, {s} s of 20 s\n"));
        assert_eq!(lines(false, false), elsewhere);
        assert!(lines(true, true).is_empty() && lines(true, false).is_empty());
    }

    #[test]
    fn bars_show_the_time_or_else_the_functions() {
        let shown = |task: &Task, seconds: u64| {
            let line = task.line(Duration::from_secs(seconds), "in f", true);
            line.trim_start_matches("\r\x1b[K\x1b[?7l").trim_end_matches("\x1b[?7h").to_string()
        };
        let mut task = task();
        assert_eq!(shown(&task, 5), "⠙ ━━━━╌╌╌╌╌╌╌╌╌╌╌╌ 5.0 s of 20 s  list.c: main (2 of 4), in f");
        assert!(shown(&task, 60).contains("━━━━━━━━━━━━━━━━ 60.0 s of 20 s"));
        task.time = None;
        task.number = (3, 4);
        assert!(shown(&task, 5).contains(" ━━━━━━━━╌╌╌╌╌╌╌╌ 5.0 s  list.c: main (3 of 4)"));
        task.number = (1, 1);
        task.what = "a\nb\x1b[31m".to_string();
        assert_eq!(shown(&task, 5), "⠙ 5.0 s  a␊b␛[31m, in f");
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
        meter.on_terminal = true;
        meter.finish();
        assert_eq!(meter.line(started + Duration::from_secs(60), String::new), None);
    }
}
