//! The structures of an analysis, location by location, for the formats that show all of them.

use crate::locations::{printed, structures_at};
use crate::page::control_flow;
use std::collections::BTreeMap;
use std::iter::once;
use trifold_fixpoint::{LocationId, Solution};
use trifold_logic::Vocabulary;
use trifold_pictures::picture;
use trifold_report::dot::digraph_in_pieces;
use trifold_report::{DotOptions, Picture};
use trifold_tvl::{Analysis, Engine, FiredMessage};
use trifold_tvp::{LocationStructures, StructureFile};

/// The control-flow graph and all structures for Graphviz, piece by piece.
pub fn dot<'f>(
    engine: &'f Engine,
    analysis: &'f Analysis,
    program: &str,
    rotate: bool,
    with_names: bool,
) -> impl Iterator<Item = String> + use<'f> {
    let specification = engine.specification();
    let dot = DotOptions { rotate };
    let locations = all_structures(engine, &analysis.solution, &analysis.findings);
    let count = locations.iter().map(|location| location.structures.len()).sum();
    let pictures = locations.into_iter().flat_map(move |LocationStructures { name, structures }| {
        structures.into_iter().enumerate().map(move |(number, (_, structure))| {
            let title = format!("{name}: structure {}", number + 1);
            picture(structure, &specification.vocabulary, &title, with_names)
        })
    });
    let cfg = control_flow(specification, analysis, program);
    once(cfg.to_dot(&dot)).chain(digraph_in_pieces(count, pictures, dot))
}

/// The structures of each location that is shown.
pub fn all_structures<'a>(
    engine: &Engine,
    solution: &'a Solution<Engine>,
    findings: &[FiredMessage],
) -> Vec<LocationStructures<'a>> {
    let specification = engine.specification();
    let structures =
        |location: LocationId| structures_at(solution, location).into_iter().map(|s| (Vec::new(), s)).collect();
    printed(specification, findings)
        .into_iter()
        .map(|location| LocationStructures {
            name: specification.cfg.locations[location].clone(),
            structures: structures(location),
        })
        .collect()
}

/// The structures of each location, those that a message is about first.
pub fn with_messages<'a>(engine: &Engine, analysis: &'a Analysis) -> Vec<LocationStructures<'a>> {
    let specification = engine.specification();
    let mut locations = all_structures(engine, &analysis.solution, &analysis.findings);
    for (location, number) in locations.iter_mut().zip(printed(specification, &analysis.findings)) {
        let about = analysis.findings.iter().filter(|finding| finding.location == number).map(|finding| {
            (vec![specification.message(finding.edge, finding.message).text.clone()], &finding.structure)
        });
        location.structures.splice(0..0, about.collect::<Vec<_>>());
    }
    locations
}

/// The structures of a file as pictures, numbered anew at each location.
pub fn numbered_pictures(file: &StructureFile, vocabulary: &Vocabulary, with_names: bool) -> Vec<Picture> {
    let mut at_location = BTreeMap::new();
    let pictures = file.structures.iter().map(|named| {
        let number = at_location.entry(named.location.clone()).and_modify(|n| *n += 1).or_insert(1);
        let place = named.location.as_deref().map(|l| format!("{l}: ")).unwrap_or_default();
        picture(&named.structure, vocabulary, &format!("{place}structure {number}"), with_names)
    });
    pictures.collect()
}
