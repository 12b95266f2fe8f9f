//! Numbers and times in words.

use std::time::Duration;

/// `1 structure`, `2 structures`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How long an analysis was at some place; where it never was there is none.
pub fn spent(time: Duration) -> String {
    if time > Duration::ZERO { duration(time) } else { "–".to_string() }
}

/// A time with three digits that matter.
pub fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}
