//! Which methods a call may reach, and which classes a test tells apart, seen from the classes of which objects are
//! made. For example, `s.area()` with objects of `Circle` and `Square` has two targets, and `(Circle) s` is a test.

use crate::class::{Invoke, Op};
use crate::classes::{MethodId, OBJECT, THROWABLE};
use crate::descriptor::argument_count;
use crate::frames::{class_at, receiver_class};
use crate::models::{Model, model};
use crate::reach::{Body, Reach, initializer};
use std::collections::BTreeMap;

/// The methods that a call on objects of a class may reach, each with the classes that lead there.
pub(crate) fn targets<'r>(reach: &'r Reach<'_, '_>, class: &str, called: &MethodId) -> Vec<(MethodId, Vec<&'r str>)> {
    let mut found: BTreeMap<MethodId, Vec<&str>> = BTreeMap::new();
    for made in reach.below(class) {
        if let Some(target) = reach.classes.select(made, called) {
            found.entry(target).or_default().push(made);
        }
    }
    found.into_iter().collect()
}

/// The classes below one that are below another, too, and those that are not.
pub(crate) fn split<'r>(reach: &'r Reach<'_, '_>, class: &str, by: &str) -> (Vec<&'r str>, Vec<&'r str>) {
    reach.below(class).into_iter().partition(|made| reach.classes.is_subclass(made, by))
}

/// A virtual call that an instruction makes, by itself or because of a model: the class of the receiver, and the
/// method.
pub(crate) fn virtual_calls(reach: &Reach<'_, '_>, body: &Body, at: usize) -> Vec<(String, MethodId)> {
    let (Some(code), Ok(flow)) = (body.code(), &body.flow) else { return Vec::new() };
    let Some(frame) = &flow.frames[at] else { return Vec::new() };
    let mut calls = Vec::new();
    match &code.instructions[at].op {
        Op::Invoke(kind, method) => {
            let count = argument_count(&method.descriptor);
            let Some(called) = reach.classes.resolve_method(&method.class, &method.name, &method.descriptor) else {
                return calls;
            };
            let mut reached = vec![called.clone()];
            if *kind == Invoke::Virtual {
                let class = receiver_class(reach.classes, frame, count, method);
                reached = targets(reach, &class, &called).into_iter().map(|(target, _)| target).collect();
                calls.push((class, called));
            }
            for target in reached {
                let (class, position) = reach.classes.method(&target);
                let method = &class.methods[position];
                let receiver = class_at(frame, count).unwrap_or(OBJECT);
                let last = class_at(frame, 0).filter(|_| count > 0);
                calls.extend(match model(&class.name, &method.name, &method.descriptor) {
                    Some(Model::Show | Model::Append | Model::ShowStatic) => last.and_then(|last| shown(reach, last)),
                    Some(Model::ObjectText) => object_method(reach, receiver, "hashCode", "()I"),
                    Some(Model::ThrownText) => message(reach, receiver),
                    Some(Model::Thrown) => last.and_then(|last| shown(reach, last)),
                    _ => None,
                });
            }
        }
        Op::InvokeDynamic(site) if site.bootstrap.0 == "java/lang/invoke/StringConcatFactory" => {
            for depth in 0..argument_count(&site.descriptor) {
                calls.extend(class_at(frame, depth).and_then(|class| shown(reach, class)));
            }
        }
        _ => {}
    }
    let mut nested = Vec::new();
    for (class, called) in &calls {
        for (target, _) in targets(reach, class, called) {
            let (declaring, position) = reach.classes.method(&target);
            let method = &declaring.methods[position];
            match model(&declaring.name, &method.name, &method.descriptor) {
                Some(Model::ObjectText) => nested.extend(object_method(reach, class, "hashCode", "()I")),
                Some(Model::ThrownText) => nested.extend(message(reach, THROWABLE)),
                _ => {}
            }
        }
    }
    calls.extend(nested);
    calls
}

/// The call of `toString` for an object.
pub(crate) fn shown(reach: &Reach<'_, '_>, class: &str) -> Option<(String, MethodId)> {
    object_method(reach, class, "toString", "()Ljava/lang/String;")
}

/// The call of `getLocalizedMessage` for an exception.
pub(crate) fn message(reach: &Reach<'_, '_>, class: &str) -> Option<(String, MethodId)> {
    let called = reach.classes.resolve_method(THROWABLE, "getLocalizedMessage", "()Ljava/lang/String;")?;
    Some((class.to_string(), called))
}

pub(crate) fn object_method(
    reach: &Reach<'_, '_>,
    class: &str,
    name: &str,
    descriptor: &str,
) -> Option<(String, MethodId)> {
    Some((class.to_string(), reach.classes.resolve_method(OBJECT, name, descriptor)?))
}

/// The methods that may run while an instruction does, those that initialise classes included.
pub(crate) fn callees(reach: &Reach<'_, '_>, body: &Body, at: usize) -> Vec<MethodId> {
    let Some(code) = body.code() else { return Vec::new() };
    let mut found = Vec::new();
    for (class, called) in virtual_calls(reach, body, at) {
        found.extend(targets(reach, &class, &called).into_iter().map(|(target, _)| target));
    }
    let op = &code.instructions[at].op;
    if let Op::Invoke(Invoke::Special | Invoke::Static, method) = op {
        found.extend(reach.classes.resolve_method(&method.class, &method.name, &method.descriptor));
    }
    for class in initialises(reach, op) {
        let class_file = reach.classes.get(&class);
        found.extend(class_file.and_then(|c| Some(MethodId { class: class.clone(), position: initializer(&c)? })));
    }
    found.retain(|target| reach.bodies.contains_key(target));
    found
}

/// The classes that an instruction initialises, in their order, as far as they have something to do.
pub(crate) fn initialises(reach: &Reach<'_, '_>, op: &Op) -> Vec<String> {
    let class = match op {
        Op::New(class) => Some(class.clone()),
        Op::GetStatic(field) | Op::PutStatic(field) => {
            let found = reach.classes.resolve_field(&field.class, &field.name, &field.descriptor);
            found.map(|(class, _)| class.name.clone())
        }
        Op::Invoke(Invoke::Static, method) => {
            let found = reach.classes.resolve_method(&method.class, &method.name, &method.descriptor);
            found.map(|target| target.class)
        }
        _ => None,
    };
    let all = class.map_or(Vec::new(), |class| reach.initialised_with(&class));
    all.into_iter().filter(|class| initializer(class).is_some()).map(|class| class.name.clone()).collect()
}

/// Sets of classes that must be told apart while the program runs.
pub(crate) fn tests(reach: &Reach<'_, '_>, body: &Body, at: usize) -> Vec<Vec<String>> {
    let (Some(code), Ok(flow)) = (body.code(), &body.flow) else { return Vec::new() };
    let Some(frame) = &flow.frames[at] else { return Vec::new() };
    let mut tests: Vec<Vec<&str>> = Vec::new();
    match &code.instructions[at].op {
        Op::CheckCast(by) | Op::InstanceOf(by) => {
            tests.extend(class_at(frame, 0).and_then(|class| told_apart(reach, class, by)));
        }
        Op::Invoke(Invoke::Virtual, method) if method.name == "getClass" && method.descriptor.starts_with("()") => {
            tests.extend(class_at(frame, 0).map(|class| reach.below(class)));
        }
        Op::Throw => {
            for by in code.handlers.iter().filter_map(|handler| handler.catches.as_deref()) {
                tests.extend(class_at(frame, 0).and_then(|class| told_apart(reach, class, by)));
            }
        }
        Op::ArrayStore(crate::class::Element::Ref) => {
            if let (Some(value), Some(array)) = (class_at(frame, 0), class_at(frame, 2)) {
                for element in store_checks(reach, array, value) {
                    tests.extend(told_apart(reach, value, &element));
                    tests.push(reach.below(array));
                }
            }
        }
        _ => {}
    }
    for (class, called) in virtual_calls(reach, body, at) {
        let targets = targets(reach, &class, &called);
        for (target, _) in &targets {
            if let Some(argument) = class_at(frame, 0).filter(|_| is_equality(reach, target)) {
                tests.extend(told_apart(reach, argument, &target.class));
            }
        }
        if targets.len() > 1 {
            tests.push(reach.below(&class));
        }
    }
    tests.into_iter().map(|classes| classes.into_iter().map(str::to_string).collect()).collect()
}

/// The classes below one, if some of them are below another and some are not.
fn told_apart<'r>(reach: &'r Reach<'_, '_>, class: &str, by: &str) -> Option<Vec<&'r str>> {
    let (yes, no) = split(reach, class, by);
    (!yes.is_empty() && !no.is_empty()).then(|| reach.below(class))
}

/// Is it a model of `equals` that asks for the class of its argument?
fn is_equality(reach: &Reach<'_, '_>, target: &MethodId) -> bool {
    let (class, position) = reach.classes.method(target);
    let method = &class.methods[position];
    matches!(model(&class.name, &method.name, &method.descriptor), Some(Model::TextEquals | Model::BoxEquals))
}

/// The classes of elements that must be asked for before a value is stored: those of arrays that may be meant, which do
/// not take all values of that type.
pub(crate) fn store_checks(reach: &Reach<'_, '_>, array: &str, value: &str) -> Vec<String> {
    let mut found = Vec::new();
    for made in reach.below(array) {
        let Some(element) = crate::descriptor::element_type(made) else { continue };
        let Some(element) = element.class() else { continue };
        if !split(reach, value, element).1.is_empty() {
            found.push(element.to_string());
        }
    }
    found
}
