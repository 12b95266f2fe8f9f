//! Lines that tell how far something is: how often there is one, and which part of a program took how long.

#[path = "../src/meter.rs"]
mod meter;

use meter::Meter;
use std::time::Duration;
use trifold_check::task::Task;

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
