//! Links that nobody reads: pointers to the root that every node of a tree has, `prev` of a list that is walked forwards only.
//!
//! Whatever is stored in them, a program goes on in the same way, and more can only be lost: so a program without leaks in which null is
//! stored instead stands for the one that is meant. Then nothing has to be tracked of these links, and variables that
//! are read only to be stored there are not live.

use crate::families::Families;
use crate::holdings::Holdings;
use crate::links::{LinkId, Links};
use crate::targets::Slot;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, VarId};

/// The links of pointers that the procedures store to but never load.
pub(crate) fn unread_links(
    program: &Program,
    procedures: &[ProcId],
    holdings: &Holdings,
    links: &Links,
) -> BTreeSet<LinkId> {
    // Of a function about which nothing is known it is not known either what it reads.
    if statements(program, procedures).any(|statement| matches!(statement, Statement::UnknownCall { .. })) {
        return BTreeSet::new();
    }
    let used = links.pointers(program).filter(|(_, link)| !link.holding.targets.is_empty());
    let mut unread: BTreeSet<LinkId> = used.map(|(id, _)| id).collect();
    let accessed = |x: VarId, field: FieldId| accessed(program, holdings, links, x, field);
    for statement in statements(program, procedures) {
        if let Statement::Load { object, field, .. } = statement {
            unread = &unread - &accessed(*object, *field);
        }
    }
    // A store is left out for all links that it may be to, or for none.
    loop {
        let before = unread.len();
        for statement in statements(program, procedures) {
            if let Statement::Store { object, field, .. } = statement {
                let all = accessed(*object, *field);
                if !all.is_subset(&unread) {
                    unread = &unread - &all;
                }
            }
        }
        if unread.len() == before {
            return unread;
        }
    }
}

/// Of these links, those that lead to objects which others hold, so that even leaks are found where they are.
pub(crate) fn observing(unread: &BTreeSet<LinkId>, families: &Families) -> BTreeSet<LinkId> {
    unread.iter().copied().filter(|link| families.observers.contains(link)).collect()
}

/// Stores null in these links, of all procedures.
pub(crate) fn leave_out(
    program: &mut Program,
    procedures: &[ProcId],
    holdings: &Holdings,
    links: &Links,
    unread: &BTreeSet<LinkId>,
) {
    for procedure in procedures {
        for number in 0..program[*procedure].edges.len() {
            let Statement::Store { object, field, .. } = program[*procedure].edges[number].statement else { continue };
            let all = accessed(program, holdings, links, object, field);
            if !all.is_empty()
                && all.is_subset(unread)
                && let Statement::Store { value, .. } = &mut program[*procedure].edges[number].statement
            {
                *value = Operand::Null;
            }
        }
    }
}

/// The slots of links.
pub(crate) fn slots_of(links: &Links, chosen: &BTreeSet<LinkId>) -> BTreeSet<Slot> {
    chosen.iter().flat_map(|link| links[*link].slots.iter().cloned()).collect()
}

/// The links that a field of what a variable points to can be.
fn accessed(program: &Program, holdings: &Holdings, links: &Links, x: VarId, field: FieldId) -> BTreeSet<LinkId> {
    let slots = holdings.variable(x).targets.iter().filter_map(|target| target.slot(program, field));
    slots.filter_map(|slot| links.of_slot(&slot)).collect()
}

fn statements<'p>(program: &'p Program, procedures: &'p [ProcId]) -> impl Iterator<Item = &'p Statement> {
    procedures.iter().flat_map(|procedure| &program[*procedure].edges).map(|edge| &edge.statement)
}
