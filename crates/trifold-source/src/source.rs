//! Source files, and spans that remember how their text came to be where it is.
//!
//! A [`Span`] is a range of bytes of one file plus a [`Trail`]: the chain of `#include`s and macro expansions that
//! brought those bytes into the program. The expansion of `foreach` and of actions continues such chains, so that
//! every message can say "in this iteration: z = x" or "in action `Get_Next_L(x, y)` used here".
//!
//! Text that went through a C preprocessor is one file here. Its [`Marker`]s divide it into parts, each with the path
//! and line that it had before, and diagnostics name that path and line.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Identifies a file of one [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// The chain of expansions that text went through; an index into the [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Trail(pub u32);

impl Trail {
    /// Text that stands where it was written.
    pub const NONE: Trail = Trail(0);
}

/// A range of bytes of a file, with the expansions it went through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// How the text came into the program.
    pub trail: Trail,
}

impl Span {
    /// The span from the start of this one to the end of `last`, if both stand in the same text; else this one.
    pub fn to(self, last: Span) -> Span {
        let same_text = self.file == last.file && self.trail == last.trail && self.start <= last.end;
        if same_text { Span { end: last.end, ..self } } else { self }
    }
}

/// Why text appears where it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its file was included.
    Include,
    /// It is in the body of this macro.
    Macro(Arc<str>),
    /// It is in a `foreach`, or a composite formula, over a set with this member.
    Iteration {
        /// The iteration variable.
        variable: Arc<str>,
        /// The member.
        value: Arc<str>,
    },
    /// It is in an action used with these arguments, as in `Copy(x, y)`.
    Action(Arc<str>),
}

/// One step of a trail.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kind of step.
    pub reason: Reason,
    /// The place of the step.
    pub at: Span,
    /// The steps before it, outermost last.
    pub parent: Trail,
}

/// A file with its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as it was found.
    pub path: String,
    /// The text; bytes that are no UTF-8 are replaced.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// In the order of their places.
    markers: Vec<Marker>,
}

/// From here on the text stood elsewhere: a line such as `# 12 "list.h" 1 3`, as preprocessors write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// First byte of the line after the marker.
    pub start: u32,
    /// The path that the preprocessor names.
    pub path: Arc<str>,
    /// The number of that line there.
    pub line: usize,
    /// Is it the header of a library, by the preprocessor's account?
    pub system: bool,
}

/// A place for people: lines and columns count from 1, columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// All text of a run, and all trails.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    steps: Vec<Step>,
    /// Texts before they were preprocessed, by their paths.
    originals: BTreeMap<String, Arc<str>>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, path: &str, text: Arc<str>) -> FileId {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { path: path.to_string(), text, line_starts, markers: Vec::new() });
        FileId(self.files.len() as u32 - 1)
    }

    /// Says where the parts of a preprocessed file stood before. The markers are in the order of their places.
    pub fn mark(&mut self, file: FileId, markers: Vec<Marker>) {
        self.files[file.0 as usize].markers = markers;
    }

    /// Keeps the text that a file had before it was preprocessed.
    pub fn remember(&mut self, path: &str, text: Arc<str>) {
        self.originals.insert(path.to_string(), text);
    }

    /// The text of a file as it was written, if it is known.
    pub fn written(&self, path: &str) -> Option<&str> {
        let is_it = |file: &&SourceFile| file.path == path && file.markers.is_empty();
        let original = self.originals.get(path);
        original.or_else(|| self.files.iter().find(is_it).map(|file| &file.text)).map(|text| &**text)
    }

    /// What follows in a line that begins like this in the file as it was written; nothing if it is not known, or
    /// begins in another way.
    pub(crate) fn rest_of_line(&self, path: &str, line: usize, beginning: &str) -> &str {
        self.written_line(path, line).and_then(|line| line.strip_prefix(beginning)).unwrap_or("")
    }

    /// A line of a file as it was written, if that is known.
    pub(crate) fn written_line(&self, path: &str, line: usize) -> Option<&str> {
        self.originals.get(path).and_then(|text| text.lines().nth(line.saturating_sub(1)))
    }

    /// The file of an identifier.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The path, line and column of a span's start.
    pub fn locate(&self, span: Span) -> (&str, LineColumn) {
        let file = self.file(span.file);
        (file.path_at(span.start), file.line_column(span.start as usize))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The steps of a trail, innermost first.
    pub fn steps(&self, trail: Trail) -> impl Iterator<Item = &Step> {
        let step = |trail: Trail| (trail.0 as usize).checked_sub(1).map(|index| &self.steps[index]);
        std::iter::successors(step(trail), move |last| step(last.parent))
    }

    /// A trail with one more step.
    pub fn extend(&mut self, parent: Trail, reason: Reason, at: Span) -> Trail {
        self.steps.push(Step { reason, at, parent });
        Trail(self.steps.len() as u32)
    }
}

impl SourceFile {
    /// The line and column of a byte, in the file in which it stood before preprocessing.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let line = self.physical_line(offset);
        let start = self.line_starts[line - 1] as usize;
        let before = self.text.get(start..offset).unwrap_or("");
        let line = match self.marker_at(offset as u32) {
            Some(marker) => marker.line + (line - self.physical_line(marker.start as usize)),
            None => line,
        };
        LineColumn { line, column: before.chars().count() + 1 }
    }

    fn physical_line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= offset)
    }

    /// The marker that says where a byte stood before preprocessing.
    pub fn marker_at(&self, offset: u32) -> Option<&Marker> {
        let after = self.markers.partition_point(|marker| marker.start <= offset);
        after.checked_sub(1).map(|index| &self.markers[index])
    }

    /// The path of the file in which a byte stood before preprocessing.
    pub fn path_at(&self, offset: u32) -> &str {
        self.marker_at(offset).map_or(&self.path, |marker| &marker.path)
    }

    /// The bytes around this one that no marker divides.
    pub(crate) fn part_at(&self, offset: u32) -> std::ops::Range<usize> {
        let after = self.markers.partition_point(|marker| marker.start <= offset);
        let start = after.checked_sub(1).map_or(0, |index| self.markers[index].start as usize);
        let line_of = |marker: &Marker| self.line_starts[self.physical_line(marker.start as usize).saturating_sub(2)];
        let end = self.markers.get(after).map_or(self.text.len(), |marker| line_of(marker) as usize);
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.tvp", "ab\r\nä%p\n".into());
        let place = |offset| sources.file(file).line_column(offset);
        assert_eq!(place(0), LineColumn { line: 1, column: 1 });
        assert_eq!(place(4), LineColumn { line: 2, column: 1 });
        assert_eq!(place(6), LineColumn { line: 2, column: 2 });
        assert_eq!(place(9), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn markers_lead_to_the_file_before_preprocessing() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.i", "int a;\n# 12 \"b.h\" 1\nint b;\n int c;\n".into());
        sources.mark(file, vec![Marker { start: 20, path: "b.h".into(), line: 12, system: false }]);
        let place = |start| sources.locate(Span { file, start, end: start + 1, trail: Trail::NONE });
        assert_eq!(place(0), ("a.i", LineColumn { line: 1, column: 1 }));
        assert_eq!(place(24), ("b.h", LineColumn { line: 12, column: 5 }));
        assert_eq!(place(28), ("b.h", LineColumn { line: 13, column: 2 }));
    }

    #[test]
    fn spans_join_only_within_one_text() {
        let at = |start, end, trail| Span { file: FileId(0), start, end, trail: Trail(trail) };
        assert_eq!(at(1, 2, 0).to(at(5, 8, 0)), at(1, 8, 0));
        assert_eq!(at(1, 2, 0).to(at(5, 8, 1)), at(1, 2, 0));
    }
}
