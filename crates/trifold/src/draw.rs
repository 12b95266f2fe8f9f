//! `trifold draw`: structures and control-flow graphs as SVG, PNG or DOT.

use crate::arguments::{COptions, DrawOptions, ReadOptions};
use crate::{Outcome, Refused, html, source};
use std::path::Path;
use std::sync::Arc;
use trifold_analyze::results::numbered_pictures;
use trifold_check::source::Start;
use trifold_logic::Vocabulary;
use trifold_machine::disk::{self, Disk};
use trifold_pictures::{Summary, procedure_flow, program_flow, summaries_text};
use trifold_report::{Cfg, DrawingFormat, NoPng, Picture};
use trifold_structure::Layout;
use trifold_tvp::{Failure, StructureFile, load, read_structures, read_structures_alone};

pub fn run(options: &DrawOptions) -> Result<Outcome, Refused> {
    let kind = kind(options.output.as_deref(), options.dot, options.png)?;
    let drawing = match Path::new(&options.structures).extension().and_then(|extension| extension.to_str()) {
        Some("tvp" | "c" | "i" | "java") => kind.flow(&control_flow(options)?, options.rotate),
        _ => kind.pictures(&structures(options)?, options.rotate),
    };
    let drawing = drawing.map_err(Refused::new)?;
    match &options.output {
        Some(path) => disk::write(path, drawing, options.force)?,
        None if kind == DrawingFormat::Png => disk::print_bytes(&drawing)?,
        None => disk::print(&String::from_utf8_lossy(&drawing))?,
    }
    Ok(Outcome::Success)
}

/// The control-flow graph of a TVP program, or those of the functions of a program in C or Java.
fn control_flow(options: &DrawOptions) -> Result<Vec<Cfg>, Refused> {
    let file = &options.structures;
    if file.ends_with(".tvp") {
        let refused = |failure: Box<Failure>| Refused(failure.render(options.read.color.wanted()));
        let loaded = load(file, &Disk, &options.read.preprocessor()).map_err(refused)?;
        return Ok(vec![program_flow(&loaded.specification, file)]);
    }
    let ReadOptions { define, include, color } = options.read.clone();
    let settings = COptions { define, include, color, bits: 64, ..COptions::default() };
    let translated = source::translated(std::slice::from_ref(file), Start::Library, &settings)?;
    let program = &translated.program;
    let procedures = translated.functions.iter().flat_map(|function| &function.procedures);
    Ok(procedures.map(|procedure| procedure_flow(program, &program[*procedure])).collect())
}

fn structures(options: &DrawOptions) -> Result<Vec<Picture>, Refused> {
    let (vocabulary, file) = read(options)?;
    Ok(numbered_pictures(&file, &vocabulary, options.significant_names))
}

/// Refuses a name that says no kind of drawing, and to overwrite a file, before there is anything to draw.
pub fn check_target(path: Option<&Path>, force: bool) -> Result<(), Refused> {
    path.map_or(Ok(()), |path| kind(Some(path), false, false).map(|_| ()))?;
    html::check_target(path, force)
}

/// Writes the pictures as the drawing that the name asks for.
pub fn write(pictures: &[Picture], path: &Path, force: bool) -> Result<(), Refused> {
    let drawing = kind(Some(path), false, false)?.pictures(pictures, false);
    disk::write(path, drawing.map_err(Refused::new)?, force)
}

/// Prints summaries, or draws them into a file.
pub fn summaries(summaries: &[Summary], drawing: Option<&Path>, force: bool) -> Result<(), Refused> {
    match drawing {
        None => disk::print(&summaries_text(summaries)),
        Some(path) => write(&summaries.iter().flat_map(Summary::pictures).collect::<Vec<_>>(), path, force),
    }
}

fn kind(output: Option<&Path>, dot: bool, png: bool) -> Result<DrawingFormat, Refused> {
    let wanted = match (dot, png) {
        (true, _) => Some(DrawingFormat::Dot),
        (false, true) => Some(DrawingFormat::Png),
        (false, false) => None,
    };
    let Some(output) = output else { return can_draw(wanted.unwrap_or(DrawingFormat::Svg)) };
    let named = match output.extension().and_then(|e| e.to_str()) {
        Some(extension) => DrawingFormat::of_extension(extension),
        None => wanted,
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
fn can_draw(kind: DrawingFormat) -> Result<DrawingFormat, Refused> {
    match NoPng::always() {
        Some(why) if kind == DrawingFormat::Png => Err(Refused::new(why)),
        _ => Ok(kind),
    }
}

fn read(options: &DrawOptions) -> Result<(Vocabulary, StructureFile), Refused> {
    let refused = |failure: Box<Failure>| Refused(failure.render(options.read.color.wanted()));
    let preprocessor = options.read.preprocessor();
    let Some(program) = &options.spec else {
        let (vocabulary, file) = read_structures_alone(&options.structures, &Disk, &preprocessor).map_err(refused)?;
        return Ok((file.with_likely_pointers(vocabulary), file));
    };
    let vocabulary = load(program, &Disk, &preprocessor).map_err(refused)?.specification.vocabulary;
    let layout = Arc::new(Layout::new(&vocabulary));
    let file = read_structures(&options.structures, &Disk, &preprocessor, &vocabulary, &layout).map_err(refused)?;
    Ok((vocabulary, file))
}
