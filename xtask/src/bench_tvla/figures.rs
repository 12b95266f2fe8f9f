//! Results of TVLA that were recorded before, for comparisons on machines without it.

use super::list::{Run, read};
use super::{Measured, Outcome};
use crate::columns;
use std::collections::BTreeMap;
use std::path::Path;

/// Recorded results by run.
#[derive(Default)]
pub struct Figures(BTreeMap<Run, Measured>);

impl Figures {
    /// Reads a file with a row for each run and one with a row for each location.
    pub fn read(runs: Option<&Path>, locations: Option<&Path>) -> Result<Figures, String> {
        let mut figures = Figures::default();
        if let Some(path) = runs {
            figures.add_runs(&crate::read(path)?)?;
        }
        if let Some(path) = locations {
            figures.add_locations(&crate::read(path)?)?;
        }
        Ok(figures)
    }

    fn add_runs(&mut self, csv: &str) -> Result<(), String> {
        let measured =
            ["outcome", "structures_saved", "messages", "analysis_s_idle_machine", "cpu_s_whole_process", "max_mem_mb"];
        for (run, row) in read(csv)?.into_iter().zip(columns(csv, &measured)?) {
            let outcome = match row[0] {
                "ok" => Outcome::Done,
                "stopped-on-breach" => Outcome::Breach,
                "timeout" => Outcome::Timeout,
                _ => Outcome::Rejected,
            };
            let figures = Measured {
                saved: row[1].parse().ok(),
                messages: row[2].parse().ok(),
                // Where there is no message, there is no location with one.
                message_locations: (row[2] == "0").then(Default::default),
                analysis_s: row[3].parse().ok(),
                process_s: row[4].parse().ok(),
                memory_mb: row[5].parse().ok(),
                ..Measured::without_result(outcome)
            };
            self.0.insert(run, figures);
        }
        Ok(())
    }

    /// Rows of locations need not say which input they belong to. Then they belong to a run whose total they give.
    fn add_locations(&mut self, csv: &str) -> Result<(), String> {
        let names = ["directory", "program", "options", "location", "structures", "messages"];
        let rows = columns(csv, &names)?;
        let totals = rows.iter().fold(BTreeMap::<_, usize>::new(), |mut totals, row| {
            *totals.entry(&row[..3]).or_default() += row[4].parse::<usize>().unwrap_or(0);
            totals
        });
        for row in &rows {
            let same = |(run, known): &(&Run, &mut Measured)| {
                [&run.directory, &run.program, &run.options].iter().zip(row).all(|(field, other)| field == other)
                    && known.saved == totals.get(&row[..3]).copied()
            };
            for (_, figures) in self.0.iter_mut().filter(same) {
                let structures = figures.structures.get_or_insert_default();
                structures.insert(row[3].to_string(), row[4].parse().map_err(|_| format!("no number: {}", row[4]))?);
                let messages = figures.message_locations.get_or_insert_default();
                if row[5] != "0" {
                    messages.insert(row[3].to_string());
                }
            }
        }
        Ok(())
    }

    /// The results of a run, if there are any.
    pub fn of(&self, run: &Run) -> Option<Measured> {
        self.0.get(run).cloned()
    }
}
