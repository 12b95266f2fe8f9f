//! Unions with pointers: members that lie on top of each other.
//!
//! Each leaf of a member gets a slot. Leaves of the same kind at the same place are one slot, so members that begin
//! alike are read through each other as C allows it. Leaves that overlap otherwise have a mark each: whether something
//! else was written there since. To read a leaf with the mark is not analysed. For example, of
//! `union { struct node *p; long n; }` the assignment `u.p = q` becomes `p = q; p.stale = 0; n.stale = 1`, and zero
//! is zero in every leaf that it covers.

use super::Translator;
use super::layout::{Home, Kind, Slot, Tree};
use super::place::Place;
use super::value::Value;
use crate::types::{RecordId, Type, TypeId};
use std::rc::Rc;
use trifold_ir::{Builder, Condition, Expr, Operand, Scalar, Statement};
use trifold_source::Span;

/// The leaves of a union that is being laid out.
#[derive(Default, Debug)]
pub(super) struct Overlay {
    leaves: Vec<Laid>,
}

/// A leaf and the bytes where it lies.
#[derive(Clone, Copy, Debug)]
struct Laid {
    slot: Slot,
    kind: Kind,
    start: u64,
    end: u64,
    /// Bits of a byte may be those of several bit-fields.
    is_bits: bool,
}

impl Laid {
    fn overlaps(&self, other: &Laid) -> bool {
        self.slot != other.slot && self.start < other.end && other.start < self.end
    }
}

/// What is known of a leaf of a union.
#[derive(Clone, Debug)]
pub(super) struct Overlaid {
    /// Was something else written there?
    stale: Slot,
    others: Vec<Covered>,
}

/// Another leaf that a leaf overlaps.
#[derive(Clone, Debug)]
struct Covered {
    slot: Slot,
    kind: Kind,
    stale: Slot,
    /// Does it lie in the bytes of the first one?
    is_inside: bool,
}

const STALE: Kind = Kind::Scalar(Scalar::Bool);

impl Overlay {
    /// The slot of the same kind at the same place.
    pub fn known(&self, kind: Kind, start: u64, end: u64) -> Option<Slot> {
        let same = |leaf: &&Laid| (leaf.kind, leaf.start, leaf.end, leaf.is_bits) == (kind, start, end, false);
        self.leaves.iter().find(same).map(|leaf| leaf.slot)
    }

    pub fn add(&mut self, slot: Slot, kind: Kind, (start, end): (u64, u64), is_bits: bool) {
        self.leaves.push(Laid { slot, kind, start, end, is_bits });
    }
}

impl Translator<'_> {
    /// The tree of a union that has pointers.
    pub(super) fn union_tree(&mut self, home: Home, id: RecordId, ty: TypeId, name: &str, start: u64) -> Rc<Tree> {
        if self.overlay.is_some() || self.has_objects_inside(ty) {
            return Rc::new(Tree::Opaque(format!("the union `{}`", self.c.show(ty))));
        }
        self.overlay = Some(Overlay::default());
        let parts = self.record_parts(home, id, name, start);
        let Overlay { leaves } = self.overlay.take().unwrap_or_default();
        let mut distinct: Vec<Laid> = Vec::new();
        for leaf in leaves {
            if distinct.iter().all(|known| known.slot != leaf.slot) {
                distinct.push(leaf);
            }
        }
        let span = self.c.types.record(id).span;
        let stales: Vec<Slot> = (0..distinct.len())
            .map(|index| self.slot(home, &format!("{name}.stale{index}"), STALE, (start, start), span))
            .collect();
        for (leaf, stale) in distinct.iter().zip(&stales) {
            let others = distinct.iter().zip(&stales).filter(|(other, _)| leaf.overlaps(other));
            let covered = |(other, stale): (&Laid, &Slot)| Covered {
                slot: other.slot,
                kind: other.kind,
                stale: *stale,
                is_inside: leaf.start <= other.start && other.end <= leaf.end && !leaf.is_bits,
            };
            let overlaid = Overlaid { stale: *stale, others: others.map(covered).collect() };
            self.layouts.overlaid.insert(leaf.slot, overlaid);
        }
        let raw =
            distinct.iter().map(|leaf| (leaf.slot, leaf.kind)).chain(stales.into_iter().map(|slot| (slot, STALE)));
        Rc::new(Tree::Union(parts.into_iter().map(shared).collect(), raw.collect()))
    }

    /// Are there parts whose address is taken?
    fn has_objects_inside(&self, ty: TypeId) -> bool {
        match self.c.types.get(ty) {
            Type::Record(id) => {
                let members = self.c.types.record(*id).members.iter().flatten().enumerate();
                let mut members =
                    members.map(|(index, member)| (self.survey.members.contains(&(*id, index)), member.ty));
                members.any(|(outlined, member)| outlined || self.has_objects_inside(member))
            }
            Type::Array(element, _) => self.survey.arrays.contains(&ty) || self.has_objects_inside(*element),
            _ => false,
        }
    }

    fn overlaid(&self, slot: Slot) -> Option<Overlaid> {
        self.layouts.overlaid.get(&slot).cloned()
    }

    /// A leaf of a union as a leaf by itself.
    fn bare(place: &Place, slot: Slot, kind: Kind) -> Place {
        Place::of_part(place.object, Rc::new(Tree::Leaf(slot, kind)), place.ty)
    }

    /// The value of a leaf of a union. Nothing else must have been written there.
    pub(super) fn load_shared(&mut self, place: &Place, slot: Slot, kind: Kind, span: Span) -> Value {
        if let Some(overlaid) = self.overlaid(slot).filter(|overlaid| !overlaid.others.is_empty()) {
            let stale = Translator::bare(place, overlaid.stale, STALE);
            if let Value::Scalar(stale) = self.load(stale, None, span) {
                let otherwise = self.unless(Condition::Scalar(stale).negated(), span);
                let here = std::mem::replace(&mut self.body.at, otherwise);
                self.unsupported("a part of a union that was written as another one", span);
                self.body.at = here;
            }
        }
        self.load(Translator::bare(place, slot, kind), None, span)
    }

    /// A leaf of a union gets a value.
    pub(super) fn store_shared(&mut self, place: &Place, slot: Slot, kind: Kind, value: Value, span: Span) {
        let is_zero = matches!(value, Value::Null | Value::Scalar(Expr::Constant(0, _)));
        self.store(&Translator::bare(place, slot, kind), value, span);
        let Some(overlaid) = self.overlaid(slot).filter(|overlaid| !overlaid.others.is_empty()) else { return };
        self.mark_stale(place, overlaid.stale, false, span);
        for other in overlaid.others {
            let is_kept = is_zero && other.is_inside;
            // A pointer that is overwritten does not lead anywhere any more.
            let value = match other.kind {
                kind if is_kept => Some(self.zero(kind)),
                Kind::Pointer(_) => Some(Value::Nothing),
                _ => None,
            };
            if let Some(value) = value {
                self.store(&Translator::bare(place, other.slot, other.kind), value, span);
            }
            self.mark_stale(place, other.stale, !is_kept, span);
        }
    }

    fn mark_stale(&mut self, place: &Place, stale: Slot, is_stale: bool, span: Span) {
        let value = Operand::Scalar(Expr::Constant(is_stale.into(), Scalar::Bool));
        match (stale, place.object) {
            (Slot::Variable(to), _) => self.set(to, value, span),
            (Slot::Field(field), Some(object)) => self.emit(Statement::Store { object, field, value }, span),
            (Slot::Field(_), None) => {}
        }
    }

    /// All slots of a union, each as a leaf by itself.
    pub(super) fn raw_leaves(&self, place: &Place) -> Vec<Place> {
        let Tree::Union(_, raw) = &*place.tree else { return Vec::new() };
        raw.iter().map(|(slot, kind)| Translator::bare(place, *slot, *kind)).collect()
    }

    /// Copies a union, whatever was written to it last.
    pub(super) fn copy_union(&mut self, to: &Place, from: &Place, span: Span) {
        for (to, from) in self.raw_leaves(to).iter().zip(self.raw_leaves(from)) {
            let mark = self.mark();
            let value = self.load(from, None, span);
            self.store(to, value, span);
            self.release(mark, span);
        }
    }

    /// Sets all of a union to zero.
    pub(super) fn clear_union(&mut self, place: &Place, span: Span) {
        for leaf in self.raw_leaves(place) {
            let Some(kind) = leaf.kind() else { continue };
            let zero = self.zero(kind);
            self.store(&leaf, zero, span);
        }
    }
}

/// A member of a union: its leaves are shared with the other members.
fn shared(tree: Rc<Tree>) -> Rc<Tree> {
    match &*tree {
        Tree::Leaf(slot, kind) => Rc::new(Tree::Shared(*slot, *kind)),
        Tree::Parts(parts) => Rc::new(Tree::Parts(parts.iter().cloned().map(shared).collect())),
        _ => tree,
    }
}
