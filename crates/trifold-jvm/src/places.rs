//! Places in source text: class files know lines, and the text of a line tells the expression.
//!
//! For example, the second `getfield n` of the line `x.n = y.n.n;` stands at `y.n`. Nothing but messages depends on
//! this. A class whose text is not at hand gets an empty text with as many lines as its table knows, so that messages
//! have the right line.

use crate::class::access::SYNTHETIC;
use crate::class::{ClassFile, Code, Op};
use crate::reach::Body;
use crate::text::{block_end, declaration_start, receiver_start, words};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use trifold_source::{FileId, SourceMap, Span, Trail};

/// A file of the library is taken to have so many lines.
const LINES: u32 = 20_000;

/// The files of a program.
pub(crate) struct Places {
    pub sources: SourceMap,
    /// The classes that are checked, and not only used.
    own: BTreeSet<String>,
    /// The files of classes.
    files: BTreeMap<String, FileId>,
    /// The last lines of files that are not at hand.
    last: BTreeMap<String, u32>,
    /// Where lines begin.
    lines: BTreeMap<FileId, Vec<usize>>,
}

impl Places {
    /// The texts are those of files that people wrote, with their paths.
    pub fn new(own: BTreeSet<String>, texts: &[(String, String)]) -> Places {
        let mut places = Places {
            sources: SourceMap::default(),
            own,
            files: BTreeMap::new(),
            last: BTreeMap::new(),
            lines: BTreeMap::new(),
        };
        for (path, text) in texts {
            places.add(path, text);
        }
        if texts.is_empty() {
            places.add("classes", "");
        }
        places
    }

    fn add(&mut self, path: &str, text: &str) -> FileId {
        let file = self.sources.add(path, text.into());
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1));
        self.lines.insert(file, lines.collect());
        file
    }

    pub fn is_own(&self, class: &str) -> bool {
        self.own.contains(class)
    }

    /// A place that is nowhere.
    pub fn nowhere(&self) -> Span {
        Span { file: FileId(0), start: 0, end: 0, trail: Trail::NONE }
    }

    /// Classes that are checked: their files are as long as all of them need.
    pub fn expect(&mut self, classes: &[Rc<ClassFile>]) {
        for class in classes {
            let last = self.last.entry(Self::path(class).0).or_default();
            *last = last_line(class).max(*last);
        }
    }

    /// The path of the file of a class, and its name alone.
    fn path(class: &ClassFile) -> (String, String) {
        if class.name.starts_with('$') {
            return ("client".to_string(), "client".to_string());
        }
        let directory = class.name.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/"));
        let short = class.source.clone().unwrap_or_else(|| {
            let name = class.name.rsplit('/').next().unwrap_or(&class.name);
            format!("{}.java", name.split('$').next().unwrap_or(name))
        });
        (format!("{directory}{short}"), short)
    }

    /// The file of a class.
    fn file(&mut self, class: &ClassFile) -> FileId {
        let (path, short) = Self::path(class);
        if let Some(known) = self.files.get(&path) {
            return *known;
        }
        let known = self.sources.files().iter().position(|file| {
            let name = file.path.replace('\\', "/");
            self.own.contains(&class.name) && (name == short || name.ends_with(&format!("/{short}")))
        });
        let file = match known {
            Some(index) => FileId(index as u32),
            None => {
                // Several classes are in one file, and which ones is not known before they are read.
                let last = last_line(class).max(*self.last.get(&path).unwrap_or(&LINES));
                self.add(&path, &"\n".repeat(last as usize))
            }
        };
        self.files.insert(path, file);
        file
    }

    fn text(&self, file: FileId) -> &str {
        &self.sources.file(file).text
    }

    /// The bytes of a line, without the spaces around it.
    fn line(&self, file: FileId, line: u32) -> (usize, usize) {
        let starts = &self.lines[&file];
        let text = self.text(file);
        let Some(start) = (line as usize).checked_sub(1).and_then(|index| starts.get(index)).copied() else {
            return (text.len(), text.len());
        };
        let end = starts.get(line as usize).map_or(text.len(), |next| next - 1);
        let inside = &text[start..end];
        let trimmed = inside.trim_start();
        let start = start + (inside.len() - trimmed.len());
        (start, start + trimmed.trim_end().len())
    }

    fn span(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32, trail: Trail::NONE }
    }

    /// The place of a class.
    pub fn class(&mut self, class: Option<&ClassFile>) -> Span {
        let Some(class) = class else { return self.nowhere() };
        let file = self.file(class);
        let simple = class.name.rsplit(['/', '$']).next().unwrap_or(&class.name);
        let text = self.text(file);
        let declared = words(text, simple).find(|at| {
            let before = text[..*at].trim_end();
            ["class", "interface", "enum", "record"].iter().any(|kind| before.ends_with(kind))
        });
        match declared {
            Some(at) => Self::span(file, at, at + simple.len()),
            None => Self::span(file, 0, 0),
        }
    }

    /// The place of a method: all of it, from the line of its name on.
    pub fn method(&mut self, class: &ClassFile, position: usize) -> Span {
        let file = self.file(class);
        let method = &class.methods[position];
        let Ok(Some(code)) = &method.code else { return self.class(Some(class)) };
        let Some(line) = code.lines.iter().map(|(_, line)| *line).min() else { return self.class(Some(class)) };
        let (start, end) = self.line(file, line);
        match self.declaration(file, class, position, end) {
            Some(at) => {
                let text = self.text(file);
                Self::span(file, declaration_start(text, at), block_end(text, at))
            }
            None => Self::span(file, start, end),
        }
    }

    /// Where the name of a method is declared, before a place.
    fn declaration(&self, file: FileId, class: &ClassFile, position: usize, end: usize) -> Option<usize> {
        let text = self.text(file);
        let name = match class.methods[position].name.as_str() {
            "<init>" => class.name.rsplit(['/', '$']).next().unwrap_or(&class.name),
            name => name,
        };
        let is_declared = |at: &usize| text[at + name.len()..].trim_start().starts_with('(') && !is_use(&text[..*at]);
        words(&text[..end], name).filter(is_declared).last()
    }

    /// Did somebody write the method? A constructor may be there without.
    pub fn is_written(&mut self, class: &ClassFile, position: usize) -> bool {
        let method = &class.methods[position];
        if method.access & SYNTHETIC != 0 || method.name == "<clinit>" {
            return false;
        }
        let file = self.file(class);
        let line = method.code.as_ref().ok().and_then(|code| code.as_ref()?.lines.iter().map(|(_, line)| *line).min());
        let Some(line) = line.filter(|_| method.name == "<init>" && !self.text(file).trim().is_empty()) else {
            return true;
        };
        let end = self.line(file, line).1;
        let class_place = self.class(Some(class)).start as usize;
        self.declaration(file, class, position, end).is_some_and(|at| at > class_place)
    }

    /// The place of an instruction.
    pub fn instruction(&mut self, body: &Body, at: usize) -> Span {
        let file = self.file(&body.class);
        let Some((code, line)) = body.code().and_then(|code| Some((code, code.line(at)?))) else {
            return self.method(&body.class.clone(), body.position);
        };
        let (start, end) = self.line(file, line);
        let text = &self.text(file)[..end];
        let (from, to) = expression(code, at, line, &text[start..]).unwrap_or((0, end - start));
        Self::span(file, start + from, start + to)
    }
}

/// The last line that the tables of a class know.
fn last_line(class: &ClassFile) -> u32 {
    let codes = class.methods.iter().filter_map(|method| method.code.as_ref().ok()?.as_ref());
    codes.flat_map(|code| &code.lines).map(|(_, line)| *line).max().unwrap_or(0)
}

/// Is the name after this text one that is used, and not declared?
fn is_use(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with('.') || before.ends_with("new") || before.ends_with('=') || before.ends_with('(')
}

/// The part of a line that an instruction computes.
fn expression(code: &Code, at: usize, line: u32, text: &str) -> Option<(usize, usize)> {
    if is_assertion(code, at) {
        let start = words(text, "assert").next()? + "assert".len();
        let condition = text[start..].trim_start();
        let start = text.len() - condition.len();
        let end = condition.rfind(';').unwrap_or(condition.len());
        return Some((start, start + condition[..end].trim_end().len()));
    }
    let (name, is_call) = name_of(&code.instructions[at].op)?;
    let is_same = |other: &usize| {
        code.line(*other) == Some(line) && name_of(&code.instructions[*other].op) == Some((name, is_call))
    };
    let number = (0..at).filter(is_same).count();
    let count = words(text, name).count();
    let place = words(text, name).nth(number.min(count.checked_sub(1)?))?;
    let mut end = place + name.len();
    if is_call && text[end..].starts_with('(') {
        end = block_end(text, end);
    }
    Some((receiver_start(text, place), end))
}

/// Does an instruction belong to the failure of an assertion?
fn is_assertion(code: &Code, at: usize) -> bool {
    let is_new = |op: &Op| matches!(op, Op::New(class) if class == "java/lang/AssertionError");
    match &code.instructions[at].op {
        Op::Throw => {
            let line = code.line(at);
            (0..at).rev().take_while(|before| code.line(*before) == line).any(|at| is_new(&code.instructions[at].op))
        }
        op => is_new(op),
    }
}

/// The name that an instruction has in the text, and whether it is a call.
fn name_of(op: &Op) -> Option<(&str, bool)> {
    match op {
        Op::GetField(field) | Op::PutField(field) | Op::GetStatic(field) | Op::PutStatic(field) => {
            Some((&field.name, false))
        }
        Op::ArrayLength => Some(("length", false)),
        Op::Invoke(_, method) if method.name == "<init>" => {
            Some((method.class.rsplit(['/', '$']).next().unwrap_or(&method.class), true))
        }
        Op::Invoke(_, method) => Some((&method.name, true)),
        Op::New(class) => Some((class.rsplit(['/', '$']).next().unwrap_or(class), true)),
        _ => None,
    }
}
