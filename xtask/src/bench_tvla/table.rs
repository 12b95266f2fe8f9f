//! The tables that are printed: for people, and as CSV.

use super::{Format, Measured, Outcome, Row};
use std::collections::BTreeSet;

pub fn header(format: Format) {
    match format {
        Format::Text => println!(
            "{:72} {:>12} {:>15} {:>11} {:>17} {:>7} {:>8} {:>15} {:>6} {:>11}",
            "program",
            "outcome",
            "structures",
            "messages",
            "analysis s",
            "ratio",
            "µs each",
            "process s",
            "ratio",
            "memory MB"
        ),
        Format::Csv => println!(
            "directory,program,input,options,outcome,outcome_tvla,structures,structures_tvla,differing_locations,\
             messages,messages_tvla,message_locations,message_locations_tvla,same_message_locations,\
             analysis_s,analysis_s_tvla,process_s,process_s_tvla,memory_mb,memory_mb_tvla"
        ),
    }
}

pub fn print(row: &Row, format: Format) {
    match format {
        Format::Text => print!("{}", text(row)),
        Format::Csv => println!("{}", csv(row)),
    }
}

/// One line, and one for each difference.
pub fn text(row: &Row) -> String {
    let theirs = row.theirs.clone().unwrap_or_else(|| Measured::without_result(Outcome::Rejected));
    let outcome = match &row.theirs {
        Some(theirs) if theirs.outcome != row.ours.outcome => {
            format!("{}/{}", row.ours.outcome.show(), theirs.outcome.show())
        }
        _ => row.ours.outcome.show().to_string(),
    };
    let locations = |m: &Measured| m.message_locations.as_ref().map(BTreeSet::len);
    let mut text = format!(
        "{:72} {:>12} {:>15} {:>11} {:>17} {:>7} {:>8} {:>15} {:>6} {:>11}\n",
        row.run.title(),
        outcome,
        pair(row.ours.saved, theirs.saved),
        pair(locations(&row.ours), locations(&theirs)),
        pair(row.ours.analysis_s.map(seconds), theirs.analysis_s.map(seconds)),
        ratio(row.ours.analysis_s, theirs.analysis_s),
        each(&row.ours),
        pair(row.ours.process_s.map(seconds), theirs.process_s.map(seconds)),
        ratio(row.ours.process_s, theirs.process_s),
        pair(row.ours.memory_mb.map(|mb| mb.round()), theirs.memory_mb.map(|mb| mb.round())),
    );
    differences(row).iter().for_each(|difference| text += &format!("    {difference}\n"));
    for (name, side) in [("trifold", Some(&row.ours)), ("tvla", row.theirs.as_ref())] {
        let complaint = side.map_or("", |side| side.complaint.as_str());
        complaint.lines().filter(|line| !line.trim().is_empty()).take(4).for_each(|line| {
            text += &format!("    {name}: {}\n", line.trim());
        });
    }
    text
}

/// The microseconds of analysis per structure that is kept.
fn each(ours: &Measured) -> String {
    let cost = ours.analysis_s.zip(ours.saved.filter(|saved| *saved > 0));
    cost.map_or("-".to_string(), |(seconds, saved)| format!("{:.1}", seconds * 1e6 / saved as f64))
}

/// Locations that do not have the same structures or messages, as far as both sides are known.
fn differences(row: &Row) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(theirs) = &row.theirs else { return lines };
    if let (Some(here), Some(there)) = (&row.ours.structures, &theirs.structures) {
        for (name, count) in here {
            let other = there.get(name).copied().unwrap_or(0);
            if *count != other {
                lines.push(format!("{name}: {count} structures, TVLA {other}"));
            }
        }
    }
    if let (Some(here), Some(there)) = (&row.ours.message_locations, &theirs.message_locations) {
        lines.extend(here.difference(there).map(|name| format!("{name}: a message that TVLA does not have")));
        lines.extend(there.difference(here).map(|name| format!("{name}: no message, but TVLA has one")));
    }
    lines
}

pub fn csv(row: &Row) -> String {
    let theirs = row.theirs.clone().unwrap_or_else(|| Measured::without_result(Outcome::Rejected));
    let count = |m: &Measured| m.message_locations.as_ref().map(BTreeSet::len);
    let both = row.ours.structures.is_some() && theirs.structures.is_some();
    let differing = differences(row).iter().filter(|line| line.contains("structures")).count();
    let same = row.ours.message_locations.as_ref().zip(theirs.message_locations.as_ref()).map(|(a, b)| a == b);
    let fields = [
        row.run.directory.clone(),
        row.run.program.clone(),
        row.run.input.clone(),
        row.run.options.clone(),
        row.ours.outcome.show().to_string(),
        row.theirs.as_ref().map_or(String::new(), |theirs| theirs.outcome.show().to_string()),
        field(row.ours.saved),
        field(theirs.saved),
        field(both.then_some(differing)),
        field(row.ours.messages),
        field(theirs.messages),
        field(count(&row.ours)),
        field(count(&theirs)),
        field(same),
        field(row.ours.analysis_s),
        field(theirs.analysis_s),
        field(row.ours.process_s),
        field(theirs.process_s),
        field(row.ours.memory_mb),
        field(theirs.memory_mb),
    ];
    fields.join(",")
}

impl Outcome {
    fn show(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Breach => "breach",
            Outcome::Timeout => "timeout",
            Outcome::Rejected => "rejected",
        }
    }
}

fn field<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn pair<T: ToString>(ours: Option<T>, theirs: Option<T>) -> String {
    let show = |value: Option<T>| value.map_or("-".to_string(), |value| value.to_string());
    format!("{}/{}", show(ours), show(theirs))
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

fn ratio(ours: Option<f64>, theirs: Option<f64>) -> String {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours > 0.0 => format!("{:.1}", theirs / ours),
        _ => "-".to_string(),
    }
}

/// All runs in a few numbers.
#[derive(Default, Debug)]
pub struct Summary {
    runs: usize,
    /// Runs that both tools finish.
    both: usize,
    same_structures: usize,
    fewer_structures: usize,
    more_structures: usize,
    /// Runs for which the locations with messages are known of both tools, and those where they are the same.
    known_messages: usize,
    same_messages: usize,
    /// The logarithms of the ratios of analysis times.
    ratios: Vec<f64>,
}

impl Summary {
    pub fn add(&mut self, row: &Row) {
        self.runs += 1;
        let Some(theirs) = &row.theirs else { return };
        let finished = |outcome| matches!(outcome, Outcome::Done | Outcome::Breach);
        if !finished(row.ours.outcome) || !finished(theirs.outcome) {
            return;
        }
        self.both += 1;
        match row.ours.saved.cmp(&theirs.saved) {
            std::cmp::Ordering::Less => self.fewer_structures += 1,
            std::cmp::Ordering::Greater => self.more_structures += 1,
            std::cmp::Ordering::Equal => self.same_structures += 1,
        }
        if let (Some(ours), Some(theirs)) = (&row.ours.message_locations, &theirs.message_locations) {
            self.known_messages += 1;
            self.same_messages += (ours == theirs) as usize;
        }
        if let (Some(ours), Some(theirs)) = (row.ours.analysis_s, theirs.analysis_s)
            && ours > 0.0
            && theirs > 0.0
        {
            self.ratios.push((theirs / ours).ln());
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "{} runs, {} that both tools finish; of these", self.runs, self.both)?;
        writeln!(
            f,
            "{} have as many structures, {} fewer, {} more; {} of {} have messages at the same locations",
            self.same_structures, self.fewer_structures, self.more_structures, self.same_messages, self.known_messages
        )?;
        if !self.ratios.is_empty() {
            let mean = (self.ratios.iter().sum::<f64>() / self.ratios.len() as f64).exp();
            write!(
                f,
                "analysis times: {} known, TVLA takes {mean:.1} times as long (geometric mean)",
                self.ratios.len()
            )?;
        }
        Ok(())
    }
}
