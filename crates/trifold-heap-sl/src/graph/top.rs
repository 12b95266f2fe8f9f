//! ⊤: the part of memory of which nothing is known [ChangRN07 §4.2], the last resort where something cannot be
//! described. It is reported where it arises.
//!
//! A region that is given up vanishes from the graph, and its addresses lead into ⊤ from then on. A pointer into ⊤ may
//! be followed: a value that is read there is a number or another pointer into ⊤, and a write there, or a free, changes
//! nothing that is known. For example, a call of an unknown function with a list as its argument gives the list up.
//!
//! # Soundness
//! No region of a graph is reached from ⊤. Therefore a region is given up together with everything to which it leads,
//! and so is every value that is stored in ⊤. Where a pointer is come to of which nothing is known, everything is given
//! up; if a caller may have more than that, it has to give up all of its own.

use crate::checker::definition::{Term, Wild};
use crate::graph::scalars::anything;
use crate::graph::shape_graph::{Edge, Kind, ShapeGraph, Symbol, Top};
use crate::layout::Layouts;
use crate::link_roles::FieldRoles;
use trifold_ir::{Program, Region, Type};

/// A value that is read from ⊤.
pub(crate) fn unknown(ty: Type) -> Kind {
    match ty {
        Type::Pointer(_) => Kind::Wild(Wild::TOP),
        Type::Scalar(_) => anything(ty),
    }
}

/// Something may be anywhere.
struct Anywhere;

impl ShapeGraph {
    /// Gives up the regions that these symbols lead to.
    pub(crate) fn give_up(&mut self, from: &[Symbol], layouts: &Layouts, roles: &FieldRoles) {
        if self.give_up_regions(from.to_vec(), layouts, roles).is_err() {
            self.give_up_all();
        }
    }

    fn give_up_regions(
        &mut self,
        mut open: Vec<Symbol>,
        layouts: &Layouts,
        roles: &FieldRoles,
    ) -> Result<(), Anywhere> {
        let mut seen = vec![false; self.kinds.len()];
        let (mut blocks, mut edges) = (vec![true; self.blocks.len()], vec![true; self.edges.len()]);
        while let Some(symbol) = open.pop() {
            if std::mem::replace(&mut seen[symbol.index()], true) {
                continue;
            }
            match self.kind(symbol) {
                Kind::Null | Kind::Wild(_) | Kind::Scalar(_) => {}
                Kind::Outside(part, _) => open.push(part),
                Kind::Pointer if self.site(symbol).is_none() => return Err(Anywhere),
                Kind::Pointer => {
                    if let Some((number, _)) = self.block(symbol) {
                        blocks[number] = false;
                        let block = &self.blocks[number];
                        let cells = block.cells.iter().zip(&layouts[block.structure].cells);
                        let read = cells.filter(|(_, cell)| !roles.is_unread(cell.field)).map(|(value, _)| value);
                        open.extend(block.parts.iter().chain(read));
                    }
                    for (number, edge) in self.edges.iter().enumerate() {
                        if edge.addresses().any(|address| address == symbol) {
                            if holds_anything(edge, layouts, roles) {
                                return Err(Anywhere);
                            }
                            edges[number] = false;
                            let ends = edge.end.iter().flat_map(|end| end.args.iter().chain([&end.target]));
                            open.extend(edge.args.iter().chain(ends).chain([&edge.source]));
                        }
                    }
                    self.top = self.top.max(Top::Own);
                }
            }
        }
        let (mut blocks, mut edges) = (blocks.into_iter(), edges.into_iter());
        self.blocks.retain(|_| blocks.next() == Some(true));
        self.edges.retain(|_| edges.next() == Some(true));
        for (kind, _) in self.kinds.iter_mut().zip(seen).filter(|(_, seen)| *seen) {
            forget(kind);
        }
        Ok(())
    }

    /// Gives up everything.
    pub(crate) fn give_up_all(&mut self) {
        self.blocks.clear();
        self.edges.clear();
        self.kinds.iter_mut().for_each(forget);
        let is_called = self.frames.last().is_some_and(|frame| frame.called);
        self.top = if is_called { Top::Callers } else { self.top.max(Top::Own) };
    }

    /// The effect of a function of which nothing is known: it can come to its arguments, and to the globals.
    pub(crate) fn call_unknown(&mut self, passed: &[Symbol], program: &Program, layouts: &Layouts, roles: &FieldRoles) {
        let mut from = passed.to_vec();
        from.extend(self.globals.values());
        from.extend(self.blocks.iter().filter(|block| block.region == Region::Static).map(|block| block.parts[0]));
        self.give_up(&from, layouts, roles);
        self.top = self.top.max(Top::Own);
        for global in program.globals() {
            let value = self.fresh(unknown(program[global].ty));
            self.globals.insert(global, value);
        }
    }
}

/// An address leads into ⊤.
fn forget(kind: &mut Kind) {
    if matches!(kind, Kind::Pointer | Kind::Outside(..)) {
        *kind = unknown(Type::Pointer(None));
    }
}

/// Do blocks of a region hold pointers of which nothing is known?
fn holds_anything(edge: &Edge, layouts: &Layouts, roles: &FieldRoles) -> bool {
    let mut open = vec![&edge.checker];
    while let Some(checker) = open.pop() {
        let cells = checker.cells.iter().zip(&layouts[checker.structure].cells);
        if cells.into_iter().any(|(term, cell)| *term == Term::Some && !roles.is_unread(cell.field)) {
            return true;
        }
        open.extend(checker.calls.iter().map(|call| &call.checker));
    }
    false
}
