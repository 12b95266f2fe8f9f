//! `trifold draw`: structures and control-flow graphs as SVG, PNG or DOT.

use crate::arguments::{COptions, DrawOptions, ReadOptions};
use crate::disk::{self, Disk};
use crate::{Outcome, Refused, html, source};
use std::path::Path;
use std::sync::Arc;
use trifold_check::source::Start;
use trifold_logic::{Kleene, Vocabulary};
use trifold_pictures::{Summary, picture, procedure_flow, program_flow, summaries_text};
use trifold_report::{Cfg, Direction, DotOptions, NoPng, Picture, SheetOptions};
use trifold_structure::Layout;
use trifold_tvp::{Failure, StructureFile, load, read_structures, read_structures_alone};

/// The format of a drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Dot,
}

pub fn run(options: &DrawOptions) -> Result<Outcome, Refused> {
    let kind = kind(options.output.as_deref(), options.dot, options.png)?;
    let drawing = match Path::new(&options.structures).extension().and_then(|extension| extension.to_str()) {
        Some("tvp" | "c" | "i" | "java") => flow(&control_flow(options)?, kind, options.rotate)?,
        _ => drawing(&structures(options)?, kind, options.rotate)?,
    };
    match &options.output {
        Some(path) => disk::write(path, drawing, options.force)?,
        None if kind == Kind::Png => disk::print_bytes(&drawing)?,
        None => disk::print(&String::from_utf8_lossy(&drawing))?,
    }
    Ok(Outcome::Success)
}

/// The control-flow graph of a TVP program, or those of the functions of a program in C or Java.
fn control_flow(options: &DrawOptions) -> Result<Vec<Cfg>, Refused> {
    let file = &options.structures;
    if file.ends_with(".tvp") {
        let refused = |failure: Box<Failure>| Refused(failure.render(options.read.colour()));
        let loaded = load(file, &Disk, &options.read.preprocessor()).map_err(refused)?;
        return Ok(vec![program_flow(&loaded.specification, file)]);
    }
    let ReadOptions { define, include, color } = options.read.clone();
    let settings = COptions { define, include, color, malloc_may_fail: false, lost_objects: false };
    let translated = source::translated(file, Start::Library, &settings)?;
    let program = &translated.program;
    let procedures = translated.functions.iter().flat_map(|function| &function.procedures);
    Ok(procedures.map(|procedure| procedure_flow(program, &program[*procedure])).collect())
}

fn flow(graphs: &[Cfg], kind: Kind, rotate: bool) -> Result<Vec<u8>, Refused> {
    Ok(match kind {
        Kind::Dot => graphs.iter().map(|graph| graph.to_dot(&DotOptions { rotate })).collect::<String>().into_bytes(),
        Kind::Svg => trifold_report::cfg::sheet(graphs, &sheet_options(rotate)).into_bytes(),
        Kind::Png => trifold_report::cfg::png(graphs, &sheet_options(rotate)).map_err(no_png)?,
    })
}

fn sheet_options(rotate: bool) -> SheetOptions {
    let direction = if rotate { Direction::Right } else { Direction::Auto };
    SheetOptions { direction, ..SheetOptions::default() }
}

fn no_png(why: NoPng) -> Refused {
    Refused::new(why)
}

fn structures(options: &DrawOptions) -> Result<Vec<Picture>, Refused> {
    let (vocabulary, file) = read(options)?;
    let mut at_location = std::collections::BTreeMap::new();
    let pictures: Vec<Picture> = file
        .structures
        .iter()
        .map(|named| {
            // Structures are numbered anew at each location.
            let number = at_location.entry(named.location.clone()).and_modify(|n| *n += 1).or_insert(1);
            let place = named.location.as_deref().map(|l| format!("{l}: ")).unwrap_or_default();
            picture(&named.structure, &vocabulary, &format!("{place}structure {number}"), options.significant_names)
        })
        .collect();
    Ok(pictures)
}

fn drawing(pictures: &[Picture], kind: Kind, rotate: bool) -> Result<Vec<u8>, Refused> {
    Ok(match kind {
        Kind::Dot => trifold_report::dot::digraph(pictures, &DotOptions { rotate }).into_bytes(),
        Kind::Svg => trifold_report::sheet(pictures, &sheet_options(rotate)).into_bytes(),
        Kind::Png => trifold_report::svg::png(pictures, &sheet_options(rotate)).map_err(no_png)?,
    })
}

/// Refuses a name that says no kind of drawing, and to overwrite a file, before there is anything to draw.
pub fn check_target(path: Option<&Path>, force: bool) -> Result<(), Refused> {
    path.map_or(Ok(()), |path| kind(Some(path), false, false).map(|_| ()))?;
    html::check_target(path, force)
}

/// Writes the pictures as the drawing that the name asks for.
pub fn write(pictures: &[Picture], path: &Path, force: bool) -> Result<(), Refused> {
    disk::write(path, drawing(pictures, kind(Some(path), false, false)?, false)?, force)
}

/// Prints summaries, or draws them into a file.
pub fn summaries(summaries: &[Summary], drawing: Option<&Path>, force: bool) -> Result<(), Refused> {
    match drawing {
        None => disk::print(&summaries_text(summaries)),
        Some(path) => write(&summaries.iter().flat_map(Summary::pictures).collect::<Vec<_>>(), path, force),
    }
}

fn kind(output: Option<&Path>, dot: bool, png: bool) -> Result<Kind, Refused> {
    let wanted = match (dot, png) {
        (true, _) => Some(Kind::Dot),
        (false, true) => Some(Kind::Png),
        (false, false) => None,
    };
    let Some(output) = output else { return can_draw(wanted.unwrap_or(Kind::Svg)) };
    let named = match output.extension().and_then(|e| e.to_str()) {
        Some("dot" | "gv") => Some(Kind::Dot),
        Some("svg") => Some(Kind::Svg),
        Some("png") => Some(Kind::Png),
        None => wanted,
        Some(_) => None,
    };
    match named {
        None => Err(Refused::new("the drawing must be named .svg, .png or .dot")),
        Some(kind) if wanted.is_some_and(|wanted| wanted != kind) => {
            Err(Refused::new(format!("--{} does not go with {}", if dot { "dot" } else { "png" }, output.display())))
        }
        Some(kind) => can_draw(kind),
    }
}

/// Refuses pixels if this build has none.
fn can_draw(kind: Kind) -> Result<Kind, Refused> {
    match NoPng::always() {
        Some(why) if kind == Kind::Png => Err(no_png(why)),
        _ => Ok(kind),
    }
}

fn read(options: &DrawOptions) -> Result<(Vocabulary, StructureFile), Refused> {
    let refused = |failure: Box<Failure>| Refused(failure.render(options.read.colour()));
    let preprocessor = options.read.preprocessor();
    let Some(program) = &options.spec else {
        let (vocabulary, file) = read_structures_alone(&options.structures, &Disk, &preprocessor).map_err(refused)?;
        return Ok((with_likely_pointers(vocabulary, &file), file));
    };
    let vocabulary = load(program, &Disk, &preprocessor).map_err(refused)?.specification.vocabulary;
    let layout = Arc::new(Layout::new(&vocabulary));
    let file = read_structures(&options.structures, &Disk, &preprocessor, &vocabulary, &layout).map_err(refused)?;
    Ok((vocabulary, file))
}

/// Without declarations, a unary predicate with a plain name that holds of at most one individual is
/// most likely a pointer variable.
fn with_likely_pointers(vocabulary: Vocabulary, file: &StructureFile) -> Vocabulary {
    let mut guessed = Vocabulary::default();
    for (p, predicate) in vocabulary.iter().skip(Vocabulary::BUILT_IN) {
        let targets =
            |s: &trifold_structure::Structure| s.universe().filter(|u| s.unary(p, *u) != Kleene::False).count();
        let mut predicate = predicate.clone();
        predicate.pointer = predicate.arity == 1
            && !predicate.name.contains('[')
            && file.structures.iter().all(|named| targets(&named.structure) <= 1);
        guessed.declare(predicate);
    }
    guessed
}
