//! A page to explore the results of an analysis: one HTML file that needs no network and no server.
//!
//! The page holds its data once, as JSON, and draws the part that its reader looks at. Names are numbers into one
//! table, equal pictures are one, and their layout is the one that SVG drawings have: it is computed here, twice for
//! each picture. One layout has room for the predicates that are shown at first, the other for all unary predicates, so
//! choosing predicates never moves more than it must. Binary predicates that are not shown at first are drawn across
//! the picture by the page.
//!
//! ```
//! use trifold_report::page::{FilePage, Page};
//!
//! let mut page = Page::default();
//! page.files.push(FilePage { name: "</script>".to_string(), ..FilePage::default() });
//! assert!(!page.to_html().contains("\"</script>"));
//! ```

mod drawn;

use crate::picture::Picture;
use crate::text::is_hidden;
use drawn::{Drawn, Names};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// Everything that a page shows.
#[derive(Default)]
pub struct Page {
    /// The analysed files, in the order in which the reader chooses.
    pub files: Vec<FilePage>,
    pictures: Vec<(Picture, Picture)>,
    known: HashMap<(Picture, Picture), usize>,
}

/// One file and the results of its analysis.
#[derive(Serialize, Default, Debug)]
pub struct FilePage {
    /// The name of the file.
    pub name: String,
    /// How it went: `proved`, `may-fail`, `bug` or `not-analysed`.
    pub verdict: String,
    /// The verdict in words.
    pub headline: String,
    /// The assumptions of the verdict.
    pub notes: Vec<String>,
    /// The texts that points lie in, the file itself first.
    pub sources: Vec<Source>,
    /// The control-flow graph in SVG, where there is no text to show. Locations have anchors `p0`, `p1`, …, the numbers
    /// of points.
    pub graph: Option<String>,
    /// The meaning of a pointer variable without an arrow, where that is known.
    pub absent: Option<String>,
    /// The predicates of its pictures.
    pub predicates: Vec<PredicateEntry>,
    /// The program points.
    pub points: Vec<PointEntry>,
    /// The findings.
    pub findings: Vec<FindingEntry>,
}

/// A source text.
#[derive(Serialize, Default, Debug)]
pub struct Source {
    /// The name of the file.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its lines that no analysed state comes to.
    pub missed: Vec<usize>,
}

/// The way a predicate is drawn.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A box with an arrow.
    Pointer,
    /// An arrow between nodes.
    Field,
    /// A label inside of nodes.
    Label,
    /// A mark of the whole picture.
    Mark,
}

/// A predicate, as the reader chooses it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct PredicateEntry {
    /// Its name.
    pub name: String,
    /// The way it is drawn.
    pub sort: Sort,
    /// Is it defined by others?
    pub defined: bool,
    /// Is it shown at first?
    pub shown: bool,
    /// The function that has it as a variable; empty if it is known everywhere, or is not worth showing, as temporary
    /// variables are.
    pub scope: Option<String>,
    /// Its definition.
    pub definition: Option<String>,
    /// The words for a node on which it holds, such as `reachable from x`, and for one on which it does not, where that
    /// is worth a word.
    pub words: Option<(String, Option<String>)>,
}

/// A program point.
#[derive(Serialize, Default, Clone, Debug)]
pub struct PointEntry {
    /// The name of a location, or the statement before which the point is.
    pub label: String,
    /// The function.
    pub function: String,
    /// Where the analysis started that came here, if there are several.
    pub root: Option<String>,
    /// The source text and the line, from 1 on, where there are some.
    pub place: Option<(usize, usize)>,
    /// Do the iterations of a loop begin here?
    pub head: bool,
    /// Its pictures.
    pub pictures: Vec<usize>,
    /// How many there are without those that the page has no room for.
    pub left_out: usize,
}

/// Something that was found.
#[derive(Serialize, Default, Debug)]
pub struct FindingEntry {
    /// The kind of finding.
    pub kind: String,
    /// `bug`, `may-fail` or `not-analysed`.
    pub verdict: String,
    /// The message.
    pub message: String,
    /// For a construct that is not analysed: the consequence for the code after it.
    pub beyond: Option<String>,
    /// The function or location.
    pub function: String,
    /// Where, in words.
    pub at: String,
    /// The source text and the line, from 1 on.
    pub place: Option<(usize, usize)>,
    /// The point just before, where the page has it.
    pub point: Option<usize>,
    /// The steps on the way there.
    pub steps: Vec<StepEntry>,
    /// The heap just before.
    pub before: Option<usize>,
    /// The heap just before, in a run in which it happens.
    pub concrete: Option<usize>,
    /// The heap with which that run starts, where it is known.
    pub start: Option<usize>,
    /// That run in words.
    pub run: Option<String>,
}

/// A step of a trace.
#[derive(Serialize, Default, Debug)]
pub struct StepEntry {
    /// The statement.
    pub statement: String,
    /// The function.
    pub function: String,
    /// The source text and the line, from 1 on.
    pub place: Option<(usize, usize)>,
    /// The point that it leads to, where the page has it.
    pub point: Option<usize>,
    /// The heap after the step.
    pub picture: Option<usize>,
}

impl Page {
    /// The number of a picture, which is taken in if it is new. `shown` are the predicates that are shown at first.
    pub fn picture(&mut self, picture: &Picture, shown: &BTreeSet<String>) -> usize {
        let picture = Picture { title: None, ..picture.clone() };
        let first = picture.with_only(&|name| shown.contains(name));
        let key = (picture, first);
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        self.pictures.push(key.clone());
        self.known.insert(key, self.pictures.len() - 1);
        self.pictures.len() - 1
    }

    /// How many different pictures there are.
    pub fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Is there no picture?
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// The page.
    pub fn to_html(&self) -> String {
        let mut names = Names::default();
        let pictures: Vec<Drawn> =
            self.pictures.iter().map(|(all, first)| Drawn::new(all, first, &mut names)).collect();
        let mut data = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "files": self.files,
            "names": names.list,
            "pictures": pictures,
        });
        made_visible(&mut data);
        // In a script that is not run only `<` could end the data.
        let data = data.to_string().replace('<', "\\u003c");
        let title = match &self.files[..] {
            [file] => format!("{} – Trifold", file.name),
            files => format!("{} files – Trifold", files.len()),
        };
        let style = crate::svg::page_sheet() + include_str!("page/page.css");
        let parts = [
            ("@title@", crate::svg::escape_xml(&title)),
            ("@style@", style),
            ("@data@", data),
            ("@script@", [DRAW, EXPLAIN, CHANGES, VIEW].concat()),
        ];
        // One after the other, so that no mark is looked for in text that was put in.
        let mut rest = include_str!("page/page.html");
        let mut html = String::new();
        for (mark, text) in parts {
            let (before, after) = rest.split_once(mark).expect("the page has a place for each part");
            html += before;
            html += &text;
            rest = after;
        }
        html + rest
    }
}

/// Puts visible characters in the place of those that are not seen, because in texts of others they could hide a part
/// of the text, or turn it around.
fn made_visible(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) if text.chars().any(is_hidden) => *text = visible(text),
        serde_json::Value::Array(values) => values.iter_mut().for_each(made_visible),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(made_visible),
        _ => {}
    }
}

/// Lines and tabs stay, commands become their symbols, and other characters that are not seen become the replacement
/// character.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\r' => None,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        c if is_hidden(c) => Some('\u{fffd}'),
        c => Some(c),
    };
    text.chars().filter_map(shown).collect()
}

const DRAW: &str = include_str!("page/draw.js");
const EXPLAIN: &str = include_str!("page/explain.js");
const CHANGES: &str = include_str!("page/changes.js");
const VIEW: &str = include_str!("page/view.js");
