//! `#include`: where files are searched, and how many may be.
//!
//! For example, `#include "specs/sll/predicates.tvp"` is searched beside the including file, then beside the program,
//! and then in the directories of `-I`.

use super::Preprocessor;
use crate::files::{self, ReadError};
use crate::limits::{MAX_INCLUDE_DEPTH, MAX_INCLUDES};
use crate::token::{Token, TokenKind};
use trifold_source::{Diagnostic, Reason, Span};

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, name: &Token, operands: Vec<Token>) {
        let operands = match operands.first() {
            Some(first) if first.kind == TokenKind::Quoted => operands,
            _ => self.expand_all(operands, 0),
        };
        let Some(target) = operands.first().filter(|token| token.kind == TokenKind::Quoted) else {
            let message = "expected the name of a file in quotes after `#include`";
            return self.sink.push(Diagnostic::error("bad-include", name.span, message));
        };
        self.includes += 1;
        if self.open.len() > MAX_INCLUDE_DEPTH || self.includes > MAX_INCLUDES {
            return self.halt_includes(target);
        }
        match self.find_included(target) {
            Ok((path, bytes)) => self.open_included(&path, bytes, target.span),
            Err(problem) => self.sink.push(*problem),
        }
    }

    fn open_included(&mut self, path: &str, bytes: Vec<u8>, at: Span) {
        let file = self.add_file(path, bytes);
        if self.count_bytes(file, at) {
            let trail = self.sources.extend(at.trail, Reason::Include, at);
            self.open(file, trail);
        }
    }

    /// Tries the places where an included file may be, in order.
    fn find_included(&self, target: &Token) -> Result<(String, Vec<u8>), Box<Diagnostic>> {
        let here = self.open.last().map_or("", |open| files::directory(&self.sources.file(open.file).path));
        let mut directories = vec![here, &self.main_directory];
        directories.extend(self.options.include_paths.iter().map(String::as_str));
        directories.push("");
        let mut tried: Vec<String> = Vec::new();
        for path in directories.into_iter().map(|directory| files::join(directory, &target.text)) {
            if tried.contains(&path) {
                continue;
            }
            match self.files.read(&path) {
                Ok(bytes) => return Ok((path, bytes)),
                Err(ReadError::NotFound) => tried.push(path),
                Err(ReadError::Unreadable(reason)) => {
                    let message = format!("cannot read `{path}`: {reason}");
                    return Err(Diagnostic::error("unreadable", target.span, message).into());
                }
            }
        }
        let message = format!("there is no file `{}` to include", target.text);
        Err(Diagnostic::error("missing-include", target.span, message)
            .note(format!("tried {}", tried.join(", ")))
            .into())
    }

    /// Says whether it is a cycle or just too much.
    fn halt_includes(&mut self, target: &Token) {
        let paths: Vec<&str> = self.open.iter().map(|open| self.sources.file(open.file).path.as_str()).collect();
        let last = paths.last().copied().unwrap_or("");
        let cycle = paths.iter().rev().skip(1).position(|path| *path == last);
        let diagnostic = match cycle {
            Some(length) => {
                let chain = paths[paths.len() - length - 2..].join(" → ");
                let error = Diagnostic::error("include-cycle", target.span, format!("`{last}` includes itself"));
                error.note(format!("the cycle is {chain}"))
            }
            None => Diagnostic::error("include-depth", target.span, "too many includes within each other"),
        };
        self.halt(diagnostic);
    }
}
