//! Checkers: inductive definitions of regions of memory [ChangRN07 §3].
//!
//! A checker `π.c(ρ…)` has two rules. The empty one holds of no memory at all. The other one describes one block, of
//! which `π` is a part, with everything that belongs to it:
//!
//! ```text
//! π.dll(ρ)  :=  emp  ∨  π ↦ {next: γ, prev: ρ} * γ.dll(π)
//! π.tree()  :=  emp  ∨  π ↦ {left: γ, right: δ} * γ.tree() * δ.tree()
//! π.lists() :=  emp  ∨  π ↦ {next: γ, items: δ} * δ.list() *= null.list() * γ.lists()
//! ```
//!
//! A cell of the block holds a [`Term`]. Recursive applications start at the cells that hold [`Term::Next`],
//! applications of other checkers at those that hold [`Term::Call`].
//!
//! Where a run of a checker ends is not part of its definition: a *complete* region ends with null everywhere, a
//! *segment* from `α.c(δ…)` to `β.c(δ'…)` ends with null everywhere but at one place, where it comes to `β` with
//! parameters `δ'…`. A checker that calls itself once describes lists; a list is a segment to null, and complete
//! regions are not needed for them.

use crate::grain::Numbers;
use crate::layout::Layouts;
use std::sync::Arc;
use trifold_ir::{StructId, Type};
use trifold_passes::intervals::Interval;

/// The states of a pointer that leads to no object in a region. Several possibilities are a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wild(pub u8);

impl Wild {
    /// Null.
    pub const NULL: Wild = Wild(1);
    /// No value.
    pub const UNINITIALISED: Wild = Wild(2);
    /// The address of something that was freed.
    pub const FREED: Wild = Wild(4);
    /// The address of a variable that is no more.
    pub const DEAD: Wild = Wild(8);
    /// The address of a part of something that was freed.
    pub const FREED_PART: Wild = Wild(16);
    /// Any value that leads to no object in a region: it may lead into [⊤](crate::Top).
    pub const TOP: Wild = Wild(32);

    /// Is the other one among the possibilities?
    pub fn has(self, other: Wild) -> bool {
        self.0 & other.0 == other.0
    }

    /// The possibilities of both.
    pub fn meet(self, other: Wild) -> Option<Wild> {
        let both = match (self.has(Wild::TOP), other.has(Wild::TOP)) {
            (true, false) => other.0,
            (false, true) => self.0,
            _ => self.0 & other.0,
        };
        Some(Wild(both)).filter(|wild| wild.0 != 0)
    }

    /// The possibilities without the other one, if any are left.
    pub fn without(self, other: Wild) -> Option<Wild> {
        Some(Wild(self.0 & !other.0)).filter(|wild| wild.0 != 0)
    }
}

/// The value of a cell of a block, or of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// The null pointer.
    Null,
    /// The address of a part of the block.
    Part(usize),
    /// A parameter.
    Param(usize),
    /// Where the recursive application of this number starts.
    Next(usize),
    /// Where the other application of this number starts.
    Call(usize),
    /// Some number.
    Scalar(Interval),
    /// A pointer that leads nowhere.
    Wild(Wild),
    /// Any pointer that has a value, or one that is never read; a parameter after the end of a segment may be this,
    /// too.
    Some,
}

/// An application of another checker, in a definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call {
    /// The checker.
    pub checker: Arc<Checker>,
    /// Its parameters.
    pub args: Vec<Term>,
    /// Where the segment ends, with which parameters; complete if absent.
    pub end: Option<(Term, Vec<Term>)>,
    /// At least this many blocks.
    pub min: u8,
}

/// An inductive definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Checker {
    /// The struct of the blocks.
    pub structure: StructId,
    /// The part at which a block is entered.
    pub entry: usize,
    /// The values of the cells of a block.
    pub cells: Vec<Term>,
    /// The number of parameters.
    pub params: usize,
    /// The parameters of each recursive application.
    pub nexts: Vec<Vec<Term>>,
    /// Applications of other checkers.
    pub calls: Vec<Call>,
}

impl Checker {
    /// The part of the last block of a segment whose address is this parameter of its end, if it is any.
    pub fn back(&self, param: usize) -> Option<usize> {
        match self.nexts.first()?.get(param)? {
            Term::Part(part) if self.nexts.iter().all(|next| next[param] == Term::Part(*part)) => Some(*part),
            _ => None,
        }
    }

    /// Is a region of it described by a segment to null?
    pub fn is_linear(&self) -> bool {
        self.nexts.len() == 1
    }

    /// Does every block store the parameter?
    pub fn stores(&self, param: usize) -> bool {
        self.cells.contains(&Term::Param(param))
    }

    /// Have the blocks a number that is the same in all of them?
    pub fn has_constants(&self) -> bool {
        self.cells.iter().any(|term| matches!(term, Term::Scalar((low, high)) if low == high))
    }

    /// Checkers in checkers in checkers.
    pub fn depth(&self) -> usize {
        1 + self.calls.iter().map(|call| call.checker.depth()).max().unwrap_or(0)
    }
}

/// A checker that describes everything that either does, with the same parameters; none if there is no simple one.
pub fn generalise(a: &Arc<Checker>, b: &Arc<Checker>, layouts: &Layouts, numbers: Numbers) -> Option<Arc<Checker>> {
    if a == b {
        return Some(a.clone());
    }
    let same = (a.structure, a.entry, a.params, &a.nexts) == (b.structure, b.entry, b.params, &b.nexts);
    if !same {
        return None;
    }
    let mut calls = Vec::new();
    let mut cells = Vec::new();
    for ((x, y), cell) in a.cells.iter().zip(&b.cells).zip(&layouts[a.structure].cells) {
        let mut add = |call: Call| {
            calls.push(call);
            Term::Call(calls.len() - 1)
        };
        cells.push(match (*x, *y) {
            (Term::Call(i), Term::Call(j)) => add(generalise_calls(&a.calls[i], &b.calls[j], layouts, numbers)?),
            (x, y) if x == y => x,
            (Term::Some, Term::Null | Term::Part(_) | Term::Param(_))
            | (Term::Null | Term::Part(_) | Term::Param(_), Term::Some) => Term::Some,
            (Term::Null, Term::Call(i)) => add(b.calls[i].or_null()?),
            (Term::Call(i), Term::Null) => add(a.calls[i].or_null()?),
            (Term::Wild(x), Term::Wild(y)) => Term::Wild(Wild(x.0 | y.0)),
            (Term::Null, Term::Wild(x)) | (Term::Wild(x), Term::Null) => Term::Wild(Wild(x.0 | Wild::NULL.0)),
            (Term::Scalar(x), Term::Scalar(y)) => Term::Scalar(either_number(x, y, cell.ty, numbers)?),
            _ => return None,
        });
    }
    Some(Arc::new(Checker { cells, calls, ..(**a).clone() }))
}

/// Numbers that are not the same in all blocks may be anything, so that definitions do not grow for ever; or different
/// constants keep blocks apart.
pub(crate) fn either_number(x: Interval, y: Interval, ty: Type, numbers: Numbers) -> Option<Interval> {
    let is_constant = |interval: Interval| interval.0 == interval.1;
    match ty {
        Type::Scalar(_) if x != y && numbers == Numbers::Kept && is_constant(x) && is_constant(y) => None,
        Type::Scalar(scalar) if x != y => Some(scalar.range()),
        _ => Some(x),
    }
}

impl Call {
    /// The call, or null without any memory, if that is a case of it.
    pub fn or_null(&self) -> Option<Call> {
        let is_empty = match &self.end {
            None => true,
            Some((end, args)) => {
                *end == Term::Null && args.iter().zip(&self.args).all(|(e, a)| *e == Term::Some || e == a)
            }
        };
        is_empty.then(|| Call { min: 0, ..self.clone() })
    }
}

fn generalise_calls(a: &Call, b: &Call, layouts: &Layouts, numbers: Numbers) -> Option<Call> {
    let checker = generalise(&a.checker, &b.checker, layouts, numbers)?;
    let end = match (&a.end, &b.end) {
        (None, None) => None,
        (Some((x, xs)), Some((y, ys))) if x == y => {
            let either = |(x, y): (&Term, &Term)| if x == y { *x } else { Term::Some };
            Some((*x, xs.iter().zip(ys).map(either).collect()))
        }
        _ => return None,
    };
    (a.args == b.args).then(|| Call { checker, args: a.args.clone(), end, min: a.min.min(b.min) })
}
