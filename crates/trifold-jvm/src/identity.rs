//! Which boxes are compared by their identity. Small numbers have one box each, which matters only to a program that
//! asks whether two references are the same: `Integer a = 1, b = 1; a == b`. All others need not look for it.
//!
//! # Soundness
//! Only the comparison of two references tells boxes of one number apart: hash codes of boxes are those of their
//! numbers, and locks have no effect. A comparison can be one of boxes if both of its types can be; a type that is an
//! interface can be any, since the machine checks classes only.

use crate::class::Op;
use crate::classes::{Classes, OBJECT};
use crate::frames::class_at;
use crate::models::BOXES;
use crate::reach::{Body, Reach};
use std::collections::BTreeSet;

/// The classes of boxes of which two may be compared in methods that may run.
pub(crate) fn compared_boxes(reach: &Reach<'_, '_>) -> BTreeSet<&'static str> {
    let mut compared = BTreeSet::new();
    for body in reach.bodies.values().filter(|body| !is_of_objects(body)) {
        let (Ok(flow), Some(code)) = (&body.flow, body.code()) else { continue };
        let frames = code.instructions.iter().zip(&flow.frames);
        for frame in frames.filter(|(each, _)| matches!(each.op, Op::IfRef(..))).filter_map(|(_, frame)| frame.as_ref())
        {
            let is_compared =
                |class: &str| [0, 1].into_iter().all(|depth| may_be(reach.classes, class_at(frame, depth), class));
            compared.extend(BOXES.iter().map(|(class, _)| *class).filter(|class| is_compared(class)));
        }
    }
    compared
}

/// `Object.equals`, which boxes override.
fn is_of_objects(body: &Body) -> bool {
    body.class.name == OBJECT && body.method().name == "equals"
}

/// Can a reference of a type, of null alone if absent, lead to a box?
fn may_be(classes: &Classes<'_>, ty: Option<&str>, class: &str) -> bool {
    let is_open = |ty: &str| !ty.starts_with('[') && classes.get(ty).is_none_or(|file| file.is_interface());
    ty.is_some_and(|ty| classes.is_subclass(class, ty) || is_open(ty))
}
