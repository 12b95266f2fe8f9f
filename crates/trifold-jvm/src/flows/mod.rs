//! Which classes of objects come where: into fields, parameters, results, elements of arrays and onto the stack.
//!
//! A field of type `Object` mostly has objects of one class. For example, the elements of a list of `Integer` are in
//! nodes with a field `Object item`; that its `equals` is the one of `Integer` tells them apart from everything else.
//! This is variable type analysis: values flow along assignments, calls and returns, and calls go where the classes of
//! the receiver lead. It does not depend on the order of statements, only on which instruction uses the result of which
//! other one.
//!
//! # Soundness
//!
//! Values of which nothing is known (caught exceptions, results of models, arguments that callers make up) are of any
//! class of which there are objects, as far as their types allow. The receiver of a method is any object below its
//! class. An object is in a set only if it is also below the type that the class file has for that place.

mod walk;

use crate::class::MemberRef;
use crate::classes::{MethodId, OBJECT, STRING};
use crate::descriptor::{FieldType, element_type};
use crate::models::{Model, boxed, is_modelled, model};
use crate::reach::Reach;
use crate::refined::Refined;
use std::collections::{BTreeMap, BTreeSet};
use walk::Walk;

/// A place that references come to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Anything.
    Any,
    /// An object of a class that is made.
    New(String),
    /// A field, static or not, by the class that declares it, its name and its descriptor.
    Field(String, String, String),
    /// A parameter, by its number; the receiver is none.
    Parameter(MethodId, usize),
    Result(MethodId),
    /// The elements of all arrays.
    Elements,
    /// What an instruction computes.
    Value(MethodId, usize),
    /// A local variable, by its web.
    Local(MethodId, usize),
    /// The receiver of a call.
    Receiver(MethodId, usize),
}

/// A call whose targets depend on the receiver.
struct Call {
    called: MethodId,
    /// By the parameters of the method.
    arguments: Vec<Vec<usize>>,
    result: Option<usize>,
    /// Targets that are known.
    known: BTreeSet<MethodId>,
}

/// The classes of objects at places.
#[derive(Default)]
pub(crate) struct Flows {
    numbers: BTreeMap<Place, usize>,
    /// The names of classes, by their numbers.
    names: Vec<String>,
    /// The classes at each place, by number.
    classes: Vec<BTreeSet<usize>>,
    /// Only objects below this class come to a place.
    bounds: Vec<Option<String>>,
    /// Where values flow on.
    edges: Vec<BTreeSet<usize>>,
    /// Calls on the receiver at a place.
    calls: BTreeMap<usize, Call>,
    open: Vec<usize>,
}

impl Flows {
    /// Lets everything flow, from an entry if there is one. Callers may make up arguments of these methods.
    pub fn of(reach: &Reach<'_, '_>, entry: Option<&MethodId>, made_up: &[MethodId]) -> Flows {
        let mut flows = Flows::default();
        flows.place(Place::Any, None);
        flows.names = reach.made.iter().cloned().collect();
        flows.classes[0] = (0..flows.names.len()).collect();
        flows.open.push(0);
        if let Some(entry) = entry {
            flows.arguments(reach, entry);
        }
        for id in made_up {
            flows.make_up(reach, id);
        }
        for id in &reach.order {
            Walk::new(&mut flows, reach, &reach.bodies[id]).walk();
        }
        flows.settle(reach);
        flows
    }

    /// The classes of places, where they are more special than types.
    pub fn refined(&self, reach: &Reach<'_, '_>) -> Refined {
        let mut refined = Refined::default();
        for (place, number) in &self.numbers {
            let Some(class) = self.class(reach, *number) else { continue };
            match place.clone() {
                Place::Value(id, at) => _ = refined.values.insert((id, at), class),
                Place::Parameter(id, number) => _ = refined.parameters.insert((id, number), class),
                Place::Result(id) => _ = refined.results.insert(id, class),
                Place::Field(declaring, name, descriptor) => {
                    refined.fields.insert((declaring, name, descriptor), class);
                }
                Place::Elements => refined.elements = Some(class),
                Place::Any | Place::New(_) | Place::Local(..) | Place::Receiver(..) => {}
            }
        }
        refined
    }

    /// The closest class above all classes at a place.
    fn class(&self, reach: &Reach<'_, '_>, number: usize) -> Option<String> {
        let mut classes = self.classes[number].iter().map(|class| &self.names[*class]);
        let first = classes.next()?.clone();
        let joined = classes.fold(first, |joined, class| reach.classes.join(&joined, class));
        let bound = self.bounds[number].as_deref().unwrap_or(OBJECT);
        (joined != bound && reach.classes.is_subclass(&joined, bound)).then_some(joined)
    }

    /// The arguments of the command line.
    fn arguments(&mut self, reach: &Reach<'_, '_>, entry: &MethodId) {
        let (class, position) = reach.classes.method(entry);
        for (number, parameter) in class.methods[position].signature.parameters.iter().enumerate() {
            let Some(array) = parameter.class() else { continue };
            let to = self.place(Place::Parameter(entry.clone(), number), Some(array));
            let (from, text, elements) = (self.made(array), self.made(STRING), self.elements());
            self.edge(from, to);
            self.edge(text, elements);
        }
    }

    fn place(&mut self, place: Place, bound: Option<&str>) -> usize {
        if let Some(known) = self.numbers.get(&place) {
            return *known;
        }
        let number = self.classes.len();
        self.numbers.insert(place, number);
        self.classes.push(BTreeSet::new());
        self.bounds.push(bound.filter(|bound| *bound != OBJECT).map(str::to_string));
        self.edges.push(BTreeSet::new());
        number
    }

    /// An object that is made.
    fn made(&mut self, class: &str) -> usize {
        let number = self.place(Place::New(class.to_string()), None);
        let known = self.names.iter().position(|name| name == class);
        let class = known.unwrap_or_else(|| {
            self.names.push(class.to_string());
            self.names.len() - 1
        });
        if self.classes[number].insert(class) {
            self.open.push(number);
        }
        number
    }

    fn edge(&mut self, from: usize, to: usize) {
        if from != to && self.edges[from].insert(to) && !self.classes[from].is_empty() {
            self.open.push(from);
        }
    }

    /// Arguments of a method are made up of what their types allow, and so is all that they lead to.
    fn make_up(&mut self, reach: &Reach<'_, '_>, id: &MethodId) {
        let (class, position) = reach.classes.method(id);
        let method = &class.methods[position];
        let mut open: Vec<String> = Vec::new();
        if !method.is_static() {
            open.push(class.name.clone());
        }
        for (number, parameter) in method.signature.parameters.iter().enumerate() {
            let Some(class) = parameter.class() else { continue };
            let place = self.place(Place::Parameter(id.clone(), number), Some(class));
            self.edge(0, place);
            open.push(class.to_string());
        }
        let mut seen = BTreeSet::new();
        while let Some(class) = open.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            if let Some(element) = element_type(&class) {
                let elements = self.elements();
                self.edge(0, elements);
                open.extend(element.class().map(str::to_string));
                continue;
            }
            for below in reach.below(&class) {
                for above in reach.classes.lineage(below) {
                    for field in above.fields.iter().filter(|field| !field.is_static()) {
                        let Some(ty) = FieldType::parse(&field.descriptor) else { continue };
                        let Some(bound) = ty.class() else { continue };
                        let key = Place::Field(above.name.clone(), field.name.clone(), field.descriptor.clone());
                        let place = self.place(key, Some(bound));
                        self.edge(0, place);
                        open.push(bound.to_string());
                    }
                }
            }
        }
    }

    fn elements(&mut self) -> usize {
        self.place(Place::Elements, None)
    }

    /// A field; of classes whose fields models set, anything is in it.
    fn field_place(&mut self, reach: &Reach<'_, '_>, field: &MemberRef) -> usize {
        let found = reach.classes.resolve_field(&field.class, &field.name, &field.descriptor);
        let class = found.as_ref().map_or(field.class.clone(), |(class, _)| class.name.clone());
        let ty = FieldType::parse(&field.descriptor);
        let is_open = is_modelled(&class) || reach.classes.get(&class).is_none();
        let is_text = found.is_some_and(|(class, position)| class.fields[position].constant.is_some());
        let place = Place::Field(class, field.name.clone(), field.descriptor.clone());
        let place = self.place(place, ty.as_ref().and_then(FieldType::class));
        if is_open {
            self.edge(0, place);
        }
        if is_text && ty.as_ref().and_then(FieldType::class) == Some(STRING) {
            let text = self.made(STRING);
            self.edge(text, place);
        }
        place
    }

    fn settle(&mut self, reach: &Reach<'_, '_>) {
        while let Some(from) = self.open.pop() {
            trifold_work::listen();
            let classes = self.classes[from].clone();
            for to in self.edges[from].clone() {
                let fits = |class: &usize| {
                    self.bounds[to].as_ref().is_none_or(|bound| reach.classes.is_subclass(&self.names[*class], bound))
                };
                let count = self.classes[to].len();
                let new: Vec<usize> = classes.difference(&self.classes[to]).copied().filter(fits).collect();
                self.classes[to].extend(new);
                if self.classes[to].len() > count {
                    self.open.push(to);
                }
            }
            if self.calls.contains_key(&from) {
                self.dispatch(reach, from, &classes);
            }
        }
    }

    /// The classes of a receiver lead to methods.
    fn dispatch(&mut self, reach: &Reach<'_, '_>, receiver: usize, classes: &BTreeSet<usize>) {
        let Some(mut call) = self.calls.remove(&receiver) else { return };
        for class in classes {
            let class = self.names[*class].clone();
            if let Some(target) = reach.classes.select(&class, &call.called)
                && call.known.insert(target.clone())
            {
                self.connect(reach, &target, &call.arguments, call.result);
            }
        }
        self.calls.insert(receiver, call);
    }

    /// Arguments flow into parameters, and results back.
    fn connect(&mut self, reach: &Reach<'_, '_>, target: &MethodId, arguments: &[Vec<usize>], result: Option<usize>) {
        let (class, position) = reach.classes.method(target);
        let method = &class.methods[position];
        if let Some(model) = model(&class.name, &method.name, &method.descriptor) {
            // What a model keeps of its arguments is in fields that have anything; the array of `clone` is one of any.
            if let Some(result) = result {
                let result_class = method.signature.result.as_ref().and_then(FieldType::class);
                let is_known = |class: &str| class == STRING || boxed(class).is_some();
                if model == Model::CopyOf {
                    arguments.iter().take(1).flatten().for_each(|from| self.edge(*from, result));
                    return;
                }
                let from = match result_class {
                    Some(class) if is_known(class) && model != Model::Receiver => self.made(class),
                    _ => 0,
                };
                self.edge(from, result);
            }
            return;
        }
        if !reach.bodies.contains_key(target) {
            if let Some(result) = result {
                self.edge(0, result);
            }
            return;
        }
        for (number, (parameter, values)) in method.signature.parameters.iter().zip(arguments).enumerate() {
            let Some(bound) = parameter.class() else { continue };
            let to = self.place(Place::Parameter(target.clone(), number), Some(bound));
            values.iter().for_each(|from| self.edge(*from, to));
        }
        if let (Some(result), Some(bound)) = (result, method.signature.result.as_ref().and_then(FieldType::class)) {
            let from = self.place(Place::Result(target.clone()), Some(bound));
            self.edge(from, result);
        }
    }
}
