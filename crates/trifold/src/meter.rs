//! How far something is that takes long: a line that changes on a terminal, and now and then a line of its own elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line on a terminal changes, and how often there is another one elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(120);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Tells how far something is, on standard error.
pub struct Meter {
    started: Instant,
    last: Instant,
    on_terminal: bool,
    quiet: bool,
    drawn: bool,
}

impl Meter {
    pub fn new(quiet: bool) -> Meter {
        let now = Instant::now();
        Meter { started: now, last: now, on_terminal: std::io::stderr().is_terminal(), quiet, drawn: false }
    }

    /// Shows how far it is, if it was not shown just now. The text is given the time since the start.
    pub fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        if let Some(shown) = self.line(Instant::now(), text) {
            eprint!("{shown}");
            let _ = std::io::stderr().flush();
        }
    }

    /// What is written at a time, if it is time for it.
    fn line(&mut self, now: Instant, text: impl FnOnce(Duration) -> String) -> Option<String> {
        let interval = if self.on_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.quiet || now.saturating_duration_since(self.last) < interval {
            return None;
        }
        self.last = now;
        self.drawn = self.on_terminal;
        let text = text(now.saturating_duration_since(self.started));
        let text = trifold_source::printable_line(&text);
        Some(if self.on_terminal { format!("\r\x1b[K{text}") } else { format!("{text}\n") })
    }

    /// Removes the line from the terminal.
    pub fn finish(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
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

    fn lines(quiet: bool, on_terminal: bool) -> Vec<String> {
        let mut meter = Meter { on_terminal, ..Meter::new(quiet) };
        let seconds = [0.0, 0.1, 0.2, 0.25, 9.0, 10.5, 11.0, 21.0].map(Duration::from_secs_f64);
        let started = meter.started;
        let lines =
            seconds.iter().filter_map(|at| meter.line(started + *at, |time| format!("{:.1} s", time.as_secs_f64())));
        let lines = lines.collect();
        meter.drawn = false;
        lines
    }

    #[test]
    fn a_terminal_has_one_line_and_others_now_and_then_another_one() {
        assert_eq!(lines(false, true).len(), 5);
        assert!(lines(false, true).iter().all(|line| line.starts_with("\r\x1b[K") && !line.contains('\n')));
        assert_eq!(lines(false, false), ["10.5 s\n", "21.0 s\n"]);
        assert!(lines(true, true).is_empty() && lines(true, false).is_empty());
    }
}
