//! `--html`: what was found, as a page to explore. The view types and the page itself are those of `trifold-report`.

mod analysis;
mod graphs;
mod program;
mod words;

pub use analysis::analysis_page;
pub use graphs::{graph_picture, names_in};
pub use program::{PointView, View, add_scopes, names_in_runs, program_page, views};

use crate::{Refused, disk};
use std::collections::BTreeSet;
use std::path::Path;
use trifold_logic::{Predicate, Vocabulary};
use trifold_report::page::{PredicateEntry, Sort};
use trifold_report::{Page, Picture};

/// A page has at most so many pictures of program points, and of traces besides. About one kilobyte is needed for each.
const MAX_PICTURES: usize = 3_000;

/// Steps at the end of a trace that a page shows.
const MAX_STEPS: usize = 300;

/// What it means that a variable has no arrow in a structure.
pub const ABSENT: &str = "without a target";

/// Refuses to overwrite a file, before there is anything to write.
pub fn check_target(path: Option<&Path>, force: bool) -> Result<(), Refused> {
    match path {
        Some(path) if path.exists() && !force => {
            Err(Refused::new(format!("{} exists; --force overwrites it", path.display())))
        }
        _ => Ok(()),
    }
}

/// Writes the page.
pub fn write(page: &Page, path: &Path, force: bool) -> Result<(), Refused> {
    disk::write(path, page.to_html(), force)
}

/// The predicates of structures, as a reader chooses them.
pub fn predicates(vocabulary: &Vocabulary, is_shown: &dyn Fn(&Predicate) -> bool) -> Vec<PredicateEntry> {
    let declared = vocabulary.iter().skip(Vocabulary::BUILT_IN);
    let entry = |predicate: &Predicate| PredicateEntry {
        name: predicate.name.to_string(),
        sort: match predicate.arity {
            0 => Sort::Mark,
            1 if predicate.pointer => Sort::Pointer,
            1 => Sort::Label,
            _ => Sort::Field,
        },
        defined: predicate.definition.is_some(),
        shown: is_shown(predicate),
        scope: None,
        definition: predicate.definition.as_ref().map(|definition| definition.formula.show(vocabulary).to_string()),
        words: words::phrases(predicate, vocabulary),
    };
    declared.map(|(_, predicate)| entry(predicate)).collect()
}

/// The names of those that are shown at first.
pub fn shown(predicates: &[PredicateEntry]) -> BTreeSet<String> {
    predicates.iter().filter(|predicate| predicate.shown).map(|predicate| predicate.name.clone()).collect()
}

/// How many pictures each point may have, so that all of them together are not too many.
fn most_per_point(counts: &[usize], budget: usize) -> usize {
    let fits = |most: &usize| counts.iter().map(|count| count.min(most)).sum::<usize>() <= budget;
    [usize::MAX, 500, 300, 200, 150, 100, 70, 50, 30, 20, 10, 5, 2].into_iter().find(fits).unwrap_or(1)
}

/// The number of a picture of a trace, unless the page is too large already.
fn traced(page: &mut Page, picture: &Picture, shown: &BTreeSet<String>) -> Option<usize> {
    (page.len() < 2 * MAX_PICTURES).then(|| page.picture(picture, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_share_the_room() {
        assert_eq!(most_per_point(&[3, 4], 10), usize::MAX);
        assert_eq!(most_per_point(&[1_000, 4], 300), 200);
        assert_eq!(most_per_point(&[9; 100], 50), 1);
    }
}
