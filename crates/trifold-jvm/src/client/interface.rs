//! What classes offer: of which of them objects can be made, how, and which methods can be called.
//!
//! For example, `class Stack { Stack() … public void push(T x) … private Node top; }` offers `push`, and the class of
//! its nodes offers nothing if it is private.

use super::any::{ELEMENT, implementation, implementation_name};
use super::assemble::{is_element, is_simple};
use crate::class::{ClassFile, Field, Method, access};
use crate::classes::{Classes, MethodId};
use crate::descriptor::{FieldType, element_type};
use crate::models::boxed;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const PUBLIC: u16 = 0x0001;
const ENUM: u16 = 0x4000;

/// How an object begins.
#[derive(Debug, Clone)]
pub(super) enum Begin {
    /// A constructor, or a static method.
    Method(MethodId),
    /// A constant of an enum: the position of the field.
    Constant(usize),
}

/// A class of which objects can be made.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    pub class: Rc<ClassFile>,
    /// None for a class of static methods only.
    pub begins: Vec<Begin>,
    pub operations: Vec<MethodId>,
}

/// How an argument is made.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    /// Any value.
    Simple,
    /// A box of any value.
    Boxed(char),
    Element,
    /// An array of such elements.
    Array(FieldType),
    /// An object of one of these classes.
    Objects(Vec<String>),
    /// An object of a class that implements an interface in any way.
    Implementation(String),
}

pub(super) struct Interface<'c, 'p> {
    pub classes: &'c Classes<'p>,
    own: BTreeSet<String>,
    pub handles: BTreeMap<String, Handle>,
}

impl<'c, 'p> Interface<'c, 'p> {
    pub fn of(classes: &'c Classes<'p>, files: &[Rc<ClassFile>]) -> Interface<'c, 'p> {
        let own = files.iter().map(|class| class.name.clone()).collect();
        let mut interface = Interface { classes, own, handles: BTreeMap::new() };
        let mut candidates: Vec<Handle> = files.iter().filter_map(|class| interface.candidate(class)).collect();
        candidates.extend(interface.others(&candidates));
        // A class whose constructors need objects of another one can be made if that can.
        loop {
            let before = interface.handles.len();
            for candidate in &candidates {
                let mut handle = candidate.clone();
                handle.begins.retain(|begin| interface.can_begin(begin));
                let is_static = candidate.begins.is_empty();
                if is_static || !handle.begins.is_empty() {
                    interface.handles.insert(handle.class.name.clone(), handle);
                }
            }
            if interface.handles.len() == before {
                break;
            }
        }
        let handles = interface.handles.clone();
        for (name, handle) in handles {
            let callable = |id: &MethodId| interface.arguments(&interface.method(id)).is_some();
            let operations = handle.operations.iter().filter(|id| callable(id)).cloned().collect();
            interface.handles.insert(name, Handle { operations, ..handle });
        }
        interface
    }

    /// Classes of the program in other files, whose objects are arguments; they are only made.
    fn others(&self, candidates: &[Handle]) -> Vec<Handle> {
        let mut open: Vec<MethodId> = candidates.iter().flat_map(methods_of).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(id) = open.pop() {
            for ty in self.method(&id).signature.parameters {
                let Some(name) = ty.class().map(str::to_string) else { continue };
                let is_other = !self.own.contains(&name) && self.classes.is_of_program(&name);
                let Some(class) = self.classes.get(&name).filter(|_| is_other && seen.insert(name.clone())) else {
                    continue;
                };
                if let Some(handle) = self.candidate(&class).filter(|handle| !handle.begins.is_empty()) {
                    let handle = Handle { operations: Vec::new(), ..handle };
                    open.extend(methods_of(&handle));
                    found.push(handle);
                }
            }
        }
        found
    }

    pub fn method(&self, id: &MethodId) -> Method {
        let (class, position) = self.classes.method(id);
        let Method { name, descriptor, signature, access, .. } = &class.methods[position];
        let (name, descriptor, signature) = (name.clone(), descriptor.clone(), signature.clone());
        Method { name, descriptor, signature, access: *access, code: Ok(None) }
    }

    fn is_ours(&self, class: &str) -> bool {
        self.own.contains(class) || self.classes.is_of_program(class)
    }

    fn can_begin(&self, begin: &Begin) -> bool {
        match begin {
            Begin::Method(id) => self.arguments(&self.method(id)).is_some(),
            Begin::Constant(_) => true,
        }
    }

    /// A class that others can use.
    fn candidate(&self, class: &Rc<ClassFile>) -> Option<Handle> {
        let is_hidden =
            class.nested.as_ref().is_some_and(|nested| nested.access & access::PRIVATE != 0 || !nested.is_member);
        if is_hidden || class.is_interface() || !self.classes.is_complete(&class.name) {
            return None;
        }
        let (begins, operations) = (self.begins(class), self.operations(class));
        let is_data = !operations.iter().any(|id| !self.method(id).is_static());
        let is_open = begins.is_empty() || class.is_abstract() || self.has_open_fields(class, is_data);
        match is_open {
            false => Some(Handle { class: class.clone(), begins, operations }),
            // Static methods need no object.
            true => {
                let is_static = |id: &MethodId| self.method(id).is_static();
                let operations: Vec<MethodId> = operations.into_iter().filter(is_static).collect();
                (!operations.is_empty()).then(|| Handle { class: class.clone(), begins: Vec::new(), operations })
            }
        }
    }

    /// Are there references that others may set: that are public, or of a class without methods, not private?
    fn has_open_fields(&self, class: &ClassFile, is_data: bool) -> bool {
        let lineage = self.classes.lineage(&class.name);
        let fields = lineage.iter().filter(|above| self.is_ours(&above.name)).flat_map(|above| &above.fields);
        let is_open = |access: u16| {
            let others_may = if is_data { access & access::PRIVATE == 0 } else { access & PUBLIC != 0 };
            others_may && access & (access::FINAL | access::STATIC | access::SYNTHETIC) == 0
        };
        fields.into_iter().any(|field| is_open(field.access) && field.descriptor.starts_with(['L', '[']))
    }

    fn begins(&self, class: &Rc<ClassFile>) -> Vec<Begin> {
        let name = &class.name;
        if class.access & ENUM != 0 {
            let is_constant =
                |at: &usize| class.fields[*at].is_static() && class.fields[*at].descriptor == format!("L{name};");
            return (0..class.fields.len()).filter(is_constant).map(Begin::Constant).collect();
        }
        let open = |at: &usize| {
            let method = &class.methods[*at];
            !method.is_private() && method.access & access::SYNTHETIC == 0
        };
        let id = |position: usize| MethodId { class: name.clone(), position };
        let positions = || (0..class.methods.len()).filter(open);
        let constructors: Vec<usize> = positions().filter(|at| class.methods[*at].name == "<init>").collect();
        if !constructors.is_empty() {
            return constructors.into_iter().map(id).map(Begin::Method).collect();
        }
        let makes = |at: &usize| {
            let method = &class.methods[*at];
            method.is_static() && method.signature.result.as_ref().and_then(FieldType::class) == Some(name)
        };
        positions().filter(makes).map(id).map(Begin::Method).collect()
    }

    /// The methods of a class and of those of the program above it. If none is public, all that are not private.
    fn operations(&self, class: &Rc<ClassFile>) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        let mut names = BTreeSet::new();
        for above in self.classes.lineage(&class.name).into_iter().filter(|above| self.is_ours(&above.name)) {
            for (position, method) in above.methods.iter().enumerate() {
                let is_written = !method.name.starts_with('<') && method.access & access::SYNTHETIC == 0;
                let is_callable = is_written && !method.is_abstract() && !method.is_private();
                let is_own = !method.is_static() || above.name == class.name;
                let is_main = method.name == "main" && method.is_static();
                let is_enum = class.access & ENUM != 0 && ["values", "valueOf"].contains(&&*method.name);
                if is_callable
                    && is_own
                    && !is_main
                    && !is_enum
                    && names.insert((method.name.clone(), method.descriptor.clone()))
                {
                    found.push(MethodId { class: above.name.clone(), position });
                }
            }
        }
        let is_public = |id: &MethodId| self.method(id).access & PUBLIC != 0;
        let public: Vec<MethodId> = found.iter().filter(|id| is_public(id)).cloned().collect();
        if public.is_empty() { found } else { public }
    }

    /// How the arguments of a method are made.
    pub fn arguments(&self, method: &Method) -> Option<Vec<Argument>> {
        method.signature.parameters.iter().map(|ty| self.argument(ty)).collect()
    }

    pub fn argument(&self, ty: &FieldType) -> Option<Argument> {
        if is_simple(ty) {
            return Some(Argument::Simple);
        }
        let class = ty.class()?;
        if let Some(element) = element_type(class) {
            self.argument(&element)?;
            return Some(Argument::Array(element));
        }
        if let Some(letter) = boxed(class) {
            return Some(Argument::Boxed(letter));
        }
        if is_element(class) {
            return Some(Argument::Element);
        }
        let below = self.handles.values().filter(|handle| !handle.begins.is_empty());
        let below = below.map(|handle| handle.class.name.clone()).filter(|name| self.classes.is_subclass(name, class));
        let below: Vec<String> = below.collect();
        match below.is_empty() {
            false => Some(Argument::Objects(below)),
            true => implementation(self.classes, class).map(|_| Argument::Implementation(class.to_string())),
        }
    }

    /// Are objects passed to others, which are used for nothing else afterwards? Or do objects that are made later
    /// find something in static fields?
    pub fn keeps_apart(&self, handle: &Handle) -> bool {
        let is_enum = |class: &String| self.classes.get(class).is_some_and(|class| class.access & ENUM != 0);
        let is_object = |ty: &FieldType| match self.argument(ty) {
            Some(Argument::Objects(classes)) => !classes.iter().all(is_enum),
            Some(Argument::Array(_)) => true,
            _ => false,
        };
        methods_of(handle).iter().flat_map(|id| self.method(id).signature.parameters).any(|ty| is_object(&ty))
            || self.has_state()
    }

    /// Is something kept in static fields?
    pub fn has_state(&self) -> bool {
        let is_kept = |class: Rc<ClassFile>| {
            let is_object = |ty: &str| ty.starts_with(['L', '[']) && ty != "Ljava/lang/String;";
            let is_constant = |field: &Field| field.access & access::FINAL != 0 && !is_object(&field.descriptor);
            let mut fields = class.fields.iter().filter(|field| field.access & access::SYNTHETIC == 0);
            class.access & ENUM == 0 && fields.any(|field| field.is_static() && !is_constant(field))
        };
        self.own.iter().filter_map(|name| self.classes.get(name)).any(is_kept)
    }

    /// The classes that implement interfaces in any way, for all arguments.
    pub fn implemented(&self) -> Vec<ClassFile> {
        let all = self.handles.values().flat_map(methods_of);
        let mut types: Vec<FieldType> = all.flat_map(|id| self.method(&id).signature.parameters).collect();
        let mut interfaces = BTreeSet::new();
        while let Some(ty) = types.pop() {
            match self.argument(&ty) {
                Some(Argument::Implementation(interface)) => _ = interfaces.insert(interface),
                Some(Argument::Array(element)) => types.push(element),
                _ => {}
            }
        }
        interfaces.iter().filter_map(|interface| implementation(self.classes, interface)).collect()
    }

    /// What can be done with an object that a method returns: its class, and the methods.
    pub fn returned(&self, result: &FieldType) -> Option<(String, Vec<MethodId>)> {
        let class =
            result.class().filter(|class| !is_simple(result) && boxed(class).is_none() && !is_element(class))?;
        if let Some(handle) = self.handles.get(class) {
            let is_own = |id: &&MethodId| !self.method(id).is_static();
            return Some((class.to_string(), handle.operations.iter().filter(is_own).cloned().collect()));
        }
        let interface = self.classes.get(class).filter(|class| class.is_interface())?;
        let is_used = self.own.iter().any(|own| self.classes.is_subclass(own, class));
        let callable = |position: &usize| {
            let method = &interface.methods[*position];
            method.is_abstract() && self.arguments(method).is_some()
        };
        let id = |position| MethodId { class: class.to_string(), position };
        is_used.then(|| (class.to_string(), (0..interface.methods.len()).filter(callable).map(id).collect()))
    }
}

/// The methods that a class begins with, and its operations.
fn methods_of(handle: &Handle) -> Vec<MethodId> {
    let begins = handle.begins.iter().filter_map(|begin| if let Begin::Method(id) = begin { Some(id) } else { None });
    begins.chain(&handle.operations).cloned().collect()
}

/// The name of the class of an implementation or an element.
pub(super) fn made_class(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Element => Some(ELEMENT.to_string()),
        Argument::Implementation(interface) => Some(implementation_name(interface)),
        _ => None,
    }
}
