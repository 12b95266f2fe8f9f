//! A task that takes long, in words: what is under way, which one of how many, and how much of its time has passed. For
//! example, `list.c: main (2 of 4), 3 shapes, 10.5 s of 20 s`.

use std::time::Duration;
use trifold_source::printable_line;

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
    pub fn line(&self, passed: Duration, doing: &str, on_terminal: bool) -> String {
        let (number, of) = self.number;
        let count = if of > 1 { format!(" ({number} of {of})") } else { String::new() };
        let mut seconds = format!("{:.1} s", passed.as_secs_f64());
        if let Some(time) = self.time {
            let time = time.as_secs_f64();
            seconds += &if time < 1.0 { format!(" of {time:.1} s") } else { format!(" of {} s", time.round()) };
        }
        let (what, doing) = (printable_line(&self.what), printable_line(doing));
        match on_terminal {
            true => format!("{seconds}  {what}{count}, {doing}"),
            false => format!("{what}{count}, {doing}, {seconds}"),
        }
    }

    /// How much is done after a time, from 0 to 1. Of the time it is known how much there is; and else, how many
    /// functions there are.
    pub fn part(&self, passed: Duration) -> Option<f64> {
        let (number, of) = self.number;
        match self.time {
            Some(time) => Some((passed.as_secs_f64() / time.as_secs_f64().max(1e-9)).min(1.0)),
            None => (of > 1).then(|| number.saturating_sub(1) as f64 / of as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task { what: "list.c: main".to_string(), number: (2, 4), time: Some(Duration::from_secs(20)) }
    }

    #[test]
    fn bars_show_the_time_or_else_the_functions() {
        let mut task = task();
        assert_eq!([5, 60].map(|s| task.part(Duration::from_secs(s))), [Some(0.25), Some(1.0)]);
        task.time = None;
        task.number = (3, 4);
        assert_eq!(task.part(Duration::from_secs(5)), Some(0.5));
        task.number = (1, 1);
        assert_eq!(task.part(Duration::from_secs(5)), None);
    }

    #[test]
    fn names_command_no_terminal() {
        let task = Task { what: "a\nb\x1b[31m".to_string(), number: (1, 1), time: None };
        assert_eq!(task.line(Duration::from_secs(5), "in \r", true), "5.0 s  a␊b␛[31m, in ␍");
    }
}
