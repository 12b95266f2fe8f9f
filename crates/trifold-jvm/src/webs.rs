//! Webs: which uses of a slot of local variables belong together, as one variable of the program.
//!
//! The Java machine has numbered slots, which compilers use for one variable after the other. All definitions that
//! reach one use belong to one web. For example, `{ int i = 0; … } { List l = x; … }` may use the same slot, and
//! becomes two variables. The debug table gives webs their names, and nothing else depends on it.

use crate::class::{Code, Op};
use crate::classes::Classes;
use crate::frames::{Frame, Slot};
use std::collections::BTreeMap;

/// A variable of a method.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    pub slot: u16,
    /// What is stored in it.
    pub ty: Slot,
    pub name: Option<String>,
    /// Does the parameter in its slot belong to it?
    pub is_parameter: bool,
    /// Is there anything but the parameter that defines it?
    pub is_assigned: bool,
}

/// The webs of a method.
#[derive(Debug, Default)]
pub(crate) struct Webs {
    pub all: Vec<Web>,
    /// The web that an instruction reads or writes.
    at: BTreeMap<usize, usize>,
    /// The webs of parameters, by slot.
    pub parameters: BTreeMap<u16, usize>,
}

impl Webs {
    /// The web that a load, store or increment is about.
    pub fn of(&self, at: usize) -> Option<usize> {
        self.at.get(&at).copied()
    }
}

/// A definition: where it is, and the slot. The parameters come first.
struct Definition {
    at: Option<usize>,
    slot: u16,
}

pub(crate) fn webs(code: &Code, frames: &[Option<Frame>], parameters: &[(u16, Slot)], classes: &Classes<'_>) -> Webs {
    let mut definitions: Vec<Definition> =
        parameters.iter().map(|(slot, _)| Definition { at: None, slot: *slot }).collect();
    let mut defined_at: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, instruction) in code.instructions.iter().enumerate() {
        if let (Op::Store(_, slot) | Op::Increment(slot, _), Some(_)) = (&instruction.op, &frames[at]) {
            defined_at.insert(at, definitions.len());
            definitions.push(Definition { at: Some(at), slot: *slot });
        }
    }
    let reaching = reaching(code, frames, &definitions, &defined_at, parameters.len());
    let mut union = Union((0..definitions.len()).collect());
    for (at, instruction) in code.instructions.iter().enumerate() {
        let (Op::Load(_, slot) | Op::Increment(slot, _), Some(reaching)) = (&instruction.op, &reaching[at]) else {
            continue;
        };
        let mut of_slot = reaching.iter().copied().filter(|definition| definitions[*definition].slot == *slot);
        let own = defined_at.get(&at).copied();
        let Some(first) = own.or_else(|| of_slot.next()) else { continue };
        of_slot.for_each(|other| union.join(first, other));
    }
    join_named(code, frames, &definitions, &mut union);
    collect(code, frames, parameters, &definitions, &defined_at, &reaching, &mut union, classes)
}

/// Definitions of one variable of the debug table belong together, for readers. They are of one slot, so that this is
/// what the machine does, too.
fn join_named(code: &Code, frames: &[Option<Frame>], definitions: &[Definition], union: &mut Union) {
    let mut first: BTreeMap<(u16, usize, Option<crate::class::Kind>), usize> = BTreeMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        let at = definition.at.map_or(0, |at| at + 1);
        let Some(local) = code.local(definition.slot, at) else { continue };
        let kind = match definition.at {
            Some(at) => stored(&code.instructions[at].op, frames[at].as_ref()).kind(),
            None => crate::descriptor::FieldType::parse(&local.descriptor).map(|ty| ty.kind()),
        };
        let known = *first.entry((definition.slot, local.start, kind)).or_insert(index);
        union.join(known, index);
    }
}

/// The definitions that reach each instruction.
fn reaching(
    code: &Code,
    frames: &[Option<Frame>],
    definitions: &[Definition],
    defined_at: &BTreeMap<usize, usize>,
    parameters: usize,
) -> Vec<Option<Vec<usize>>> {
    let mut before: Vec<Option<Vec<usize>>> = vec![None; code.instructions.len()];
    if before.is_empty() {
        return before;
    }
    before[0] = Some((0..parameters).collect());
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let Some(mut set) = before[at].clone() else { continue };
        for handler in code.handlers_at(at) {
            merge(&mut before, &mut open, handler.handler, &set);
        }
        if let Some(own) = defined_at.get(&at) {
            set.retain(|other| definitions[*other].slot != definitions[*own].slot);
            set.push(*own);
            set.sort();
        }
        let (jumps, falls_through) = code.instructions[at].op.successors();
        let next = falls_through.then_some(at + 1).filter(|next| *next < frames.len());
        for to in jumps.into_iter().chain(next) {
            merge(&mut before, &mut open, to, &set);
        }
    }
    before
}

fn merge(before: &mut [Option<Vec<usize>>], open: &mut Vec<usize>, to: usize, set: &[usize]) {
    match &mut before[to] {
        Some(known) => {
            let count = known.len();
            known.extend(set);
            known.sort();
            known.dedup();
            if known.len() > count {
                open.push(to);
            }
        }
        unknown => {
            *unknown = Some(set.to_vec());
            open.push(to);
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn collect(
    code: &Code,
    frames: &[Option<Frame>],
    parameters: &[(u16, Slot)],
    definitions: &[Definition],
    defined_at: &BTreeMap<usize, usize>,
    reaching: &[Option<Vec<usize>>],
    union: &mut Union,
    classes: &Classes<'_>,
) -> Webs {
    let mut webs = Webs::default();
    let mut number: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        let root = union.root(index);
        let ty = match definition.at {
            None => parameters[index].1.clone(),
            Some(at) => stored(&code.instructions[at].op, frames[at].as_ref()),
        };
        // The range of a variable begins after the instruction that stores its first value.
        let name = code.local(definition.slot, definition.at.map_or(0, |at| at + 1));
        let is_boolean = name.map(|local| local.descriptor == "Z");
        let ty = if ty == Slot::Bit && is_boolean == Some(false) { Slot::Int } else { ty };
        let web = *number.entry(root).or_insert_with(|| {
            let (slot, ty) = (definition.slot, ty.clone());
            webs.all.push(Web { slot, ty, name: None, is_parameter: false, is_assigned: false });
            webs.all.len() - 1
        });
        let known = &mut webs.all[web];
        known.ty = known.ty.join(&ty, classes);
        known.name = known.name.take().or_else(|| name.map(|local| local.name.clone()));
        known.is_parameter |= definition.at.is_none();
        known.is_assigned |= definition.at.is_some();
        match definition.at {
            None => drop(webs.parameters.insert(definition.slot, web)),
            Some(at) => drop(webs.at.insert(at, web)),
        }
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        let (Op::Load(_, slot), Some(reaching)) = (&instruction.op, &reaching[at]) else { continue };
        if defined_at.contains_key(&at) {
            continue;
        }
        let definition = reaching.iter().find(|definition| definitions[**definition].slot == *slot);
        if let Some(web) = definition.map(|definition| number[&union.root(*definition)]) {
            webs.at.insert(at, web);
            let name = code.local(*slot, at).map(|local| local.name.clone());
            webs.all[web].name = webs.all[web].name.take().or(name);
        }
    }
    webs
}

/// The type of what is stored.
fn stored(op: &Op, frame: Option<&Frame>) -> Slot {
    match op {
        Op::Store(..) => frame.and_then(|frame| frame.stack.last().cloned()).unwrap_or(Slot::Top),
        _ => Slot::Int,
    }
}

struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, of: usize) -> usize {
        let mut at = of;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = low;
    }
}
