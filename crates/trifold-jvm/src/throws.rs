//! Exceptions: which ones may leave a method, because somebody who called it may catch them.
//!
//! An exception that nobody catches ends the program where it is thrown, and is found there. So methods need to tell
//! their callers of exceptions only if a handler is around a call. For example, in a program without `try` no method
//! does.

use crate::class::{Arithmetic, Kind, Op};
use crate::classes::MethodId;
use crate::dispatch::{callees, virtual_calls};
use crate::frames::class_at;
use crate::models::model_throws;
use crate::reach::{Body, Reach};
use std::collections::{BTreeMap, BTreeSet};

/// The classes that handlers catch; nothing stands for all.
type Caught = BTreeSet<Option<String>>;

pub(crate) struct Throws {
    /// The handlers around calls of a method.
    above: BTreeMap<MethodId, Caught>,
    /// The classes of exceptions that may leave a method.
    leaving: BTreeMap<MethodId, BTreeSet<String>>,
}

pub(crate) fn may_catch(reach: &Reach<'_, '_>, caught: Option<&str>, class: &str) -> bool {
    caught.is_none_or(|caught| reach.classes.is_subclass(class, caught))
}

impl Throws {
    pub fn of(reach: &Reach<'_, '_>) -> Throws {
        let mut calls: Vec<(MethodId, usize, Vec<MethodId>)> = Vec::new();
        for (id, body) in &reach.bodies {
            for at in 0..body.code().map_or(0, |code| code.instructions.len()) {
                let callees = callees(reach, body, at);
                if !callees.is_empty() {
                    calls.push((id.clone(), at, callees));
                }
            }
        }
        let mut throws = Throws { above: BTreeMap::new(), leaving: BTreeMap::new() };
        while throws.spread_handlers(reach, &calls) {}
        while throws.spread_exceptions(reach, &calls) {}
        throws
    }

    /// Handlers around a call are around everything that the callee calls, too.
    fn spread_handlers(&mut self, reach: &Reach<'_, '_>, calls: &[(MethodId, usize, Vec<MethodId>)]) -> bool {
        let mut changed = false;
        for (caller, at, callees) in calls {
            let mut around = self.above.get(caller).cloned().unwrap_or_default();
            let code = reach.bodies[caller].code();
            around.extend(code.iter().flat_map(|code| code.handlers_at(*at)).map(|handler| handler.catches.clone()));
            for callee in callees {
                let known = self.above.entry(callee.clone()).or_default();
                let count = known.len();
                known.extend(around.iter().cloned());
                changed |= known.len() > count;
            }
        }
        changed
    }

    fn spread_exceptions(&mut self, reach: &Reach<'_, '_>, calls: &[(MethodId, usize, Vec<MethodId>)]) -> bool {
        let mut changed = false;
        for (id, body) in &reach.bodies {
            if self.above.get(id).is_none_or(|above| above.is_empty()) {
                continue;
            }
            for at in 0..body.code().map_or(0, |code| code.instructions.len()) {
                changed |= self.throw(reach, body, at, &thrown(reach, body, at));
            }
        }
        for (caller, at, callees) in calls {
            let classes: BTreeSet<String> = callees.iter().flat_map(|callee| self.leaving(callee)).collect();
            changed |= self.throw(reach, &reach.bodies[caller], *at, &classes);
        }
        changed
    }

    /// Exceptions are thrown by an instruction.
    fn throw(&mut self, reach: &Reach<'_, '_>, body: &Body, at: usize, classes: &BTreeSet<String>) -> bool {
        let id = body.id();
        let mut changed = false;
        for class in classes {
            let is_handled = body
                .code()
                .is_some_and(|code| code.handlers_at(at).any(|h| may_catch(reach, h.catches.as_deref(), class)));
            if !is_handled && self.is_caught_above(reach, &id, class) {
                changed |= self.leaving.entry(id.clone()).or_default().insert(class.clone());
            }
        }
        changed
    }

    /// May a caller of a method catch an exception of a class?
    pub fn is_caught_above(&self, reach: &Reach<'_, '_>, method: &MethodId, class: &str) -> bool {
        self.above
            .get(method)
            .is_some_and(|above| above.iter().any(|caught| may_catch(reach, caught.as_deref(), class)))
    }

    /// The classes of exceptions that a method may tell its callers of.
    pub fn leaving(&self, method: &MethodId) -> BTreeSet<String> {
        self.leaving.get(method).cloned().unwrap_or_default()
    }
}

/// The exceptions that an instruction may throw by itself.
fn thrown(reach: &Reach<'_, '_>, body: &Body, at: usize) -> BTreeSet<String> {
    const NULL: &str = "java/lang/NullPointerException";
    const INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
    let (Some(code), Ok(flow)) = (body.code(), &body.flow) else { return BTreeSet::new() };
    let Some(frame) = &flow.frames[at] else { return BTreeSet::new() };
    let implicit: &[&str] = match &code.instructions[at].op {
        Op::GetField(_) | Op::PutField(_) | Op::ArrayLength | Op::Monitor | Op::InvokeDynamic(_) => &[NULL],
        Op::ArrayLoad(_) => &[NULL, INDEX],
        Op::ArrayStore(_) => &[NULL, INDEX, "java/lang/ArrayStoreException"],
        Op::NewArray(_) | Op::MultiNewArray(..) => &["java/lang/NegativeArraySizeException"],
        Op::CheckCast(_) => &["java/lang/ClassCastException"],
        Op::Binary(Arithmetic::Divide | Arithmetic::Remainder, Kind::Int | Kind::Long) => {
            &["java/lang/ArithmeticException"]
        }
        Op::Throw => {
            let class = class_at(frame, 0).unwrap_or(NULL);
            let below = reach.below(class).into_iter().chain([NULL]);
            return below.map(str::to_string).filter(|class| reach.made.contains(class)).collect();
        }
        Op::Invoke(_, method) => {
            let mut classes = vec![NULL];
            let mut reached: Vec<MethodId> = virtual_calls(reach, body, at)
                .iter()
                .flat_map(|(class, called)| crate::dispatch::targets(reach, class, called))
                .map(|(target, _)| target)
                .collect();
            reached.extend(reach.classes.resolve_method(&method.class, &method.name, &method.descriptor));
            for target in reached {
                let (class, position) = reach.classes.method(&target);
                let method = &class.methods[position];
                classes.extend(model_throws(&class.name, &method.name, &method.descriptor));
            }
            return classes.into_iter().map(str::to_string).filter(|class| reach.made.contains(class)).collect();
        }
        _ => &[],
    };
    implicit.iter().map(|class| class.to_string()).filter(|class| reach.made.contains(class)).collect()
}
