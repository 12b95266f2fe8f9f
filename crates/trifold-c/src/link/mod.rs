//! Files that were read one after the other become one program, as the linker of C makes it.
//!
//! - Names that are known in other files mean one thing: a declaration is that of the file which defines the name.
//!   Names that are `static` stay apart.
//! - Structs, unions and enumerations that are compatible are the same ([`agreement`]).
//! - A name that two files define is an error, with both places. Of a weak definition and another one, the other
//!   counts; of several weak ones, the first.
//! - An inline definition is for its own file; where another file has the definition for all, and it is the same text,
//!   that one is meant.
//! - A name that is declared with one type and defined with another one is warned about, with both places, and nothing
//!   is analysed that uses it there.
//!
//! For example, `int f(void); int main(void) { return f(); }` and `int f(void) { return 0; }` are one program with two
//! functions.

mod agreement;
mod renumber;
mod symbols;

pub use symbols::Symbols;

use crate::typed::{Declaration, DeclarationId, DeclarationKind, Function, Program};
use agreement::Agreement;
use renumber::Renumbering;
use std::collections::{BTreeMap, BTreeSet};
use trifold_source::{Diagnostic, Sink, SourceMap, Span};

/// Links the files of a program.
pub(crate) fn link(program: &mut Program, sources: &SourceMap, sink: &mut Sink) {
    let mut names: BTreeMap<&str, Vec<DeclarationId>> = BTreeMap::new();
    program.linkable().for_each(|(id, name)| names.entry(name).or_default().push(id));
    names.retain(|_, ids| ids.len() > 1);
    let mut linker = Linker {
        program,
        sources,
        sink,
        agreement: Agreement::new(&program.types),
        bodies: program.functions.iter().map(|function| (function.declaration, function)).collect(),
        variables: program.globals.iter().map(|global| global.declaration).collect(),
        same: BTreeMap::new(),
        disputed: BTreeSet::new(),
        dropped: BTreeSet::new(),
    };
    names.values().for_each(|ids| linker.name(ids));
    linker.agreement.unite_all();
    let Linker { agreement, same, disputed, dropped, .. } = linker;
    let record = |id| agreement.record(id);
    let (types, new_types) = program.types.united(&record, &|id| agreement.enumeration(id));
    program.types = types;
    for id in disputed {
        program.declarations[id.index()].unclear = Some("which another file defines in another way".to_string());
    }
    program.functions.retain(|function| !dropped.contains(&function.declaration));
    program.globals.retain(|global| !dropped.contains(&global.declaration));
    renumber(program, new_types, &same);
    check_contracts(program, sources, sink);
}

/// Carries out what the linker has found.
fn renumber(program: &mut Program, types: Vec<crate::types::TypeId>, same: &BTreeMap<DeclarationId, DeclarationId>) {
    let ids = (0..program.declarations.len()).map(|index| DeclarationId(index as u32));
    let declarations = ids.map(|id| same.get(&id).copied().unwrap_or(id)).collect();
    let new = Renumbering { types, declarations };
    program.declarations.iter_mut().for_each(|declaration| new.declaration(declaration));
    program.globals.iter_mut().for_each(|global| new.global(global));
    program.functions.iter_mut().for_each(|function| new.function(function));
    program.lengths.iter_mut().for_each(|length| new.expr(length));
    for (id, meant) in same {
        let Declaration { ty, noreturn, unasked, kept, twice, not_null, system, .. } =
            program.declarations[id.index()].clone();
        let composite = program.types.composite(program.declarations[meant.index()].ty, ty);
        let meant_declaration = &mut program.declarations[meant.index()];
        meant_declaration.ty = composite;
        meant_declaration.noreturn |= noreturn;
        meant_declaration.unasked |= unasked;
        meant_declaration.kept |= kept;
        meant_declaration.twice |= twice;
        meant_declaration.not_null.checked.extend(not_null.checked);
        meant_declaration.not_null.told.extend(not_null.told);
        meant_declaration.system |= system;
        // The contract where a function is defined counts more than that of a declaration.
        if let Some(contract) = program.contracts.remove(id) {
            program.contracts.entry(*meant).or_insert(contract);
        }
    }
    program.declared.retain(|id| !same.contains_key(id));
}

struct Linker<'p> {
    program: &'p Program,
    sources: &'p SourceMap,
    sink: &'p mut Sink,
    agreement: Agreement<'p>,
    bodies: BTreeMap<DeclarationId, &'p Function>,
    variables: BTreeSet<DeclarationId>,
    /// Declarations that are others.
    same: BTreeMap<DeclarationId, DeclarationId>,
    /// Declarations that do not agree with the definition.
    disputed: BTreeSet<DeclarationId>,
    /// Definitions that do not count.
    dropped: BTreeSet<DeclarationId>,
}

impl Linker<'_> {
    /// The declarations of one name in several files.
    fn name(&mut self, ids: &[DeclarationId]) {
        let defined = ids.iter().copied().filter(|id| self.defines(*id));
        let (weak, strong): (Vec<DeclarationId>, Vec<DeclarationId>) =
            defined.partition(|id| self.program.declaration(*id).weak);
        if let [first, second, ..] = strong[..] {
            return self.defined_twice(first, second);
        }
        // Of several weak definitions the first counts.
        let definition = strong.first().or(weak.first()).copied();
        let others: Vec<DeclarationId> = ids.iter().copied().filter(|id| Some(*id) != definition).collect();
        match definition {
            Some(definition) => others.into_iter().for_each(|id| self.refer(id, definition)),
            None => self.undefined(&others),
        }
    }

    /// The declarations of a name that no file defines for the others. Inline definitions are for their own files.
    fn undefined(&mut self, ids: &[DeclarationId]) {
        let ids: Vec<DeclarationId> = ids.iter().copied().filter(|id| !self.is_inline(*id)).collect();
        // One with a contract says more than the others.
        let told = ids.iter().find(|id| self.bodies.contains_key(id)).or(ids.first());
        let Some(meant) = told.copied() else { return };
        for id in ids.into_iter().filter(|id| *id != meant) {
            if self.agrees(id, meant) {
                self.same.insert(id, meant);
                self.dropped.extend(self.bodies.get(&id).map(|_| id));
            }
        }
    }

    /// Is it defined here for all files?
    fn defines(&self, id: DeclarationId) -> bool {
        let has_body = self.bodies.contains_key(&id) && !self.program.declared.contains(&id);
        has_body && !self.is_inline(id) || self.variables.contains(&id)
    }

    /// Is it an inline definition, which is for its own file?
    fn is_inline(&self, id: DeclarationId) -> bool {
        self.bodies.contains_key(&id) && self.program.declaration(id).inline_only
    }

    /// A declaration of a name that another file defines.
    fn refer(&mut self, id: DeclarationId, definition: DeclarationId) {
        if !self.agrees(id, definition) {
            return self.disagreement(id, definition);
        }
        if self.is_inline(id) && self.text(id) != self.text(definition) {
            let message = format!("the inline `{}` is not what another file defines it to be", self.shown(id));
            let warning = Diagnostic::warning("link", self.place(id), message);
            self.sink.push(warning.secondary(self.place(definition), "defined here"));
            self.disputed.insert(id);
            self.dropped.insert(id);
            return;
        }
        self.same.insert(id, definition);
        if self.bodies.contains_key(&id) || self.variables.contains(&id) {
            self.dropped.insert(id);
        }
    }

    /// Have two declarations compatible types? Then the structs in them are the same from now on.
    fn agrees(&mut self, a: DeclarationId, b: DeclarationId) -> bool {
        let is_function = |id| matches!(self.program.declaration(id).kind, DeclarationKind::Function { .. });
        let (first, second) = (self.program.declaration(a).ty, self.program.declaration(b).ty);
        let qualifiers = |ty| self.program.types.qualifiers(ty);
        is_function(a) == is_function(b)
            && qualifiers(first) == qualifiers(second)
            && self.agreement.agree(second, first)
    }

    fn disagreement(&mut self, id: DeclarationId, definition: DeclarationId) {
        let (used, defined) = (self.program.declaration(id), self.program.declaration(definition));
        let message = format!("`{}` is declared as `{}`", self.shown(id), self.program.show(used.ty));
        let other = format!("defined here, as `{}`", self.program.show(defined.ty));
        let mut warning = Diagnostic::warning("link", used.span, message).secondary(self.place(definition), other);
        if let Some((first, second)) = self.agreement.difference {
            let (first, second) = (self.program.types.record(first), self.program.types.record(second));
            warning =
                warning.secondary(second.span, "this struct").secondary(first.span, "and this one are not the same");
        }
        self.sink.push(warning);
        self.disputed.insert(id);
    }

    fn defined_twice(&mut self, first: DeclarationId, second: DeclarationId) {
        let message = format!("`{}` is defined in two files", self.shown(second));
        let error = Diagnostic::error("link", self.place(second), message);
        self.sink.push(error.secondary(self.place(first), "first here"));
    }

    /// Where a function is defined, or a variable is first declared.
    fn place(&self, id: DeclarationId) -> Span {
        self.bodies.get(&id).map_or(self.program.declaration(id).span, |function| function.span)
    }

    fn shown(&self, id: DeclarationId) -> &str {
        self.program.declaration(id).name.map_or("", |name| self.program.text(name))
    }

    /// The text of a function.
    fn text(&self, id: DeclarationId) -> Vec<&str> {
        self.bodies.get(&id).map_or(Vec::new(), |function| words(self.sources, function))
    }
}

/// A contract names functions, and so a name in a contract must not be that of several ones.
fn check_contracts(program: &Program, sources: &SourceMap, sink: &mut Sink) {
    let mut functions: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in &program.functions {
        let name = program.declaration(function.declaration).name.map_or("", |name| program.text(name));
        functions.entry(name).or_default().push(function);
    }
    for written in program.contracts.values().flatten() {
        let Some((name, same)) = written.applied().and_then(|name| functions.get_key_value(name)) else { continue };
        let Some(other) = same.iter().find(|other| words(sources, other) != words(sources, same[0])) else { continue };
        let message = format!("`{name}` is one function in one file and another one in another file");
        let error = Diagnostic::error("link", written.span, message);
        sink.push(error.secondary(same[0].span, "this one").secondary(other.span, "and this one"));
    }
}

/// The words of a function, without the way in which they are set.
fn words<'s>(sources: &'s SourceMap, function: &Function) -> Vec<&'s str> {
    let whole = Span { end: function.body.span.end, ..function.span };
    let lines = sources.text(whole).lines().filter(|line| !line.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect()
}
