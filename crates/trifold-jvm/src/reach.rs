//! Which methods may run, and of which classes objects may be made: rapid type analysis.
//!
//! It starts at the entry, and looks at the instructions of each method that is found. A call of a virtual method leads
//! to those that classes have of which objects are made. Classes are initialised where the Java machine does it. The
//! classes of the library are read as far as they are needed.
//!
//! # Soundness
//!
//! A method that is not found does not run, apart from calls that are not analysed; these end the analysis where they
//! stand. Whatever the machine throws by itself counts as made if a handler may catch it.

use crate::class::{ClassFile, Code, Constant, Invoke, MemberRef, Method, Op, access};
use crate::classes::{Classes, MethodId, OBJECT, STRING, THROWABLE};
use crate::descriptor::{argument_count, element_type};
use crate::frames::{Frame, Known, Slot, frames, receiver_class};
use crate::models::{Model, is_modelled, is_opaque, model};
use crate::refined::Refined;
use crate::synthetic::lambda;
use crate::webs::{Webs, webs};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The exceptions that the machine throws by itself.
pub(crate) const IMPLICIT: [&str; 7] = [
    "java/lang/NullPointerException",
    "java/lang/ClassCastException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/StringIndexOutOfBoundsException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
    "java/lang/ArithmeticException",
];

/// Methods of the library past this many, or called so deep from the program, are not analysed.
const MOST_METHODS: usize = 500;
const DEEPEST: usize = 12;

/// A method that may run.
pub(crate) struct Body {
    pub class: Rc<ClassFile>,
    pub position: usize,
    /// Its frames and variables, or why it is not analysed.
    pub flow: Result<Flow, String>,
}

pub(crate) struct Flow {
    pub frames: Vec<Option<Frame>>,
    pub webs: Webs,
}

impl Body {
    pub fn method(&self) -> &Method {
        &self.class.methods[self.position]
    }

    pub fn code(&self) -> Option<&Code> {
        self.method().code.as_ref().ok()?.as_ref()
    }

    pub fn id(&self) -> MethodId {
        MethodId { class: self.class.name.clone(), position: self.position }
    }
}

/// A call site of a virtual method: the class that is named there, and the method that it means.
pub(crate) type Site = (String, MethodId);

/// What may run.
pub(crate) struct Reach<'c, 'p> {
    pub classes: &'c Classes<'p>,
    pub bodies: BTreeMap<MethodId, Body>,
    /// The order in which methods were found.
    pub order: Vec<MethodId>,
    /// The classes of which there are objects.
    pub made: BTreeSet<String>,
    sites: BTreeSet<Site>,
    pub initialised: BTreeSet<String>,
    /// The classes of lambdas, by method and instruction.
    pub lambdas: BTreeMap<(MethodId, usize), String>,
    /// Methods to be looked at, and how deep in the library they are.
    open: Vec<(MethodId, usize)>,
    /// How deep the method is that is looked at.
    depth: usize,
    /// The fields that are read, by class and name.
    pub read: BTreeSet<(String, String)>,
    /// The classes that are checked.
    own: BTreeSet<String>,
    library_methods: usize,
    /// Is there a generator of random numbers that starts from a seed?
    pub has_seeds: bool,
    /// Are methods called by a client, for which exceptions that are thrown on purpose are no failures?
    pub has_client: bool,
    /// What is known of classes beyond types.
    pub refined: Refined,
    /// Are elements of arrays of references read?
    pub reads_elements: bool,
}

impl<'c, 'p> Reach<'c, 'p> {
    pub fn new(classes: &'c Classes<'p>, own: BTreeSet<String>, refined: Refined) -> Reach<'c, 'p> {
        Reach {
            classes,
            bodies: BTreeMap::new(),
            order: Vec::new(),
            made: BTreeSet::new(),
            sites: BTreeSet::new(),
            initialised: BTreeSet::new(),
            lambdas: BTreeMap::new(),
            open: Vec::new(),
            depth: 0,
            read: BTreeSet::new(),
            own,
            library_methods: 0,
            has_seeds: false,
            has_client: false,
            refined,
            reads_elements: false,
        }
    }

    /// The classes that are checked.
    pub fn own(&self) -> impl Iterator<Item = &String> {
        self.own.iter()
    }

    /// A method that may run.
    pub fn add(&mut self, id: MethodId) {
        if self.bodies.contains_key(&id) {
            return;
        }
        let (class, position) = self.classes.method(&id);
        let is_own = self.own.contains(&class.name) || class.access & access::SYNTHETIC != 0;
        let depth = if is_own { 0 } else { self.depth + 1 };
        self.library_methods += usize::from(!is_own);
        let flow = match (self.library_methods <= MOST_METHODS, depth <= DEEPEST) {
            (true, true) => self.flow(&class, position),
            (false, _) => Err("the program calls too many methods of the library".to_string()),
            (_, false) => Err("the program calls it too deep in the library".to_string()),
        };
        self.order.push(id.clone());
        self.open.push((id.clone(), depth));
        self.bodies.insert(id, Body { class, position, flow });
    }

    fn flow(&self, class: &Rc<ClassFile>, position: usize) -> Result<Flow, String> {
        let method = &class.methods[position];
        if !self.own.contains(&class.name) && is_opaque(&class.name, &method.name) {
            return Err("a method of the library that has no model".to_string());
        }
        let code = match &method.code {
            Ok(Some(code)) => code,
            Ok(None) if method.access & access::NATIVE != 0 => return Err("a native method".to_string()),
            Ok(None) => return Err("a method without code".to_string()),
            Err(why) => return Err(why.clone()),
        };
        let id = MethodId { class: class.name.clone(), position };
        let known = Known {
            parameter: &|number| self.refined.parameters.get(&(id.clone(), number)).cloned(),
            value: &|at| self.refined.values.get(&(id.clone(), at)).cloned(),
        };
        let frames = frames(code, &class.name, method.is_static(), &method.signature, self.classes, &known)?;
        let mut parameters = Vec::new();
        let mut slot = 0;
        if !method.is_static() {
            parameters.push((0, Slot::Ref(class.name.as_str().into())));
            slot += 1;
        }
        for (number, parameter) in method.signature.parameters.iter().enumerate() {
            parameters.push((slot, Slot::known(parameter, (known.parameter)(number))));
            slot += if parameter.kind().is_wide() { 2 } else { 1 };
        }
        let webs = webs(code, &frames, &parameters, self.classes);
        Ok(Flow { frames, webs })
    }

    /// Looks at all methods that may run.
    pub fn close(&mut self) {
        while let Some((id, depth)) = self.open.pop() {
            trifold_work::listen();
            self.depth = depth;
            let body = &self.bodies[&id];
            let Ok(flow) = &body.flow else { continue };
            let class = body.class.clone();
            let reached: Vec<bool> = flow.frames.iter().map(Option::is_some).collect();
            let Ok(Some(code)) = &class.methods[id.position].code else { continue };
            for handler in &code.handlers {
                self.caught(handler.catches.as_deref());
            }
            for (at, instruction) in code.instructions.iter().enumerate() {
                if reached[at] {
                    self.instruction(&id, at, &instruction.op);
                }
            }
        }
    }

    /// A handler may catch what the machine throws.
    fn caught(&mut self, class: Option<&str>) {
        for thrown in IMPLICIT {
            if class.is_none_or(|class| self.classes.is_subclass(thrown, class)) && self.classes.is_complete(thrown) {
                self.make(thrown);
            }
        }
    }

    /// There may be objects of a class.
    pub fn make(&mut self, class: &str) {
        if !self.made.insert(class.to_string()) {
            return;
        }
        for (named, called) in self.sites.clone() {
            if self.classes.is_subclass(class, &named) {
                self.dispatch(class, &called);
            }
        }
    }

    fn dispatch(&mut self, class: &str, called: &MethodId) {
        if let Some(target) = self.classes.select(class, called) {
            self.call(target);
        }
    }

    /// A call of a method: it is analysed unless it has a model.
    fn call(&mut self, target: MethodId) {
        let (class, at) = self.classes.method(&target);
        let method = &class.methods[at];
        match model(&class.name, &method.name, &method.descriptor) {
            None => self.add(target),
            Some(model) => self.modelled(&class.name, &method.name, model, &method.descriptor),
        }
        // Numbers from a seed, or from a given text, are no input.
        self.has_seeds |= matches!(
            (&*class.name, &*method.descriptor),
            ("java/util/Random", "(J)V") | ("java/util/Scanner", "(Ljava/lang/String;)V")
        );
    }

    /// What a model makes and calls.
    fn modelled(&mut self, class: &str, name: &str, model: Model, descriptor: &str) {
        if let Some(thrown) = crate::models::model_throws(class, name, descriptor) {
            self.make_thrown(thrown);
        }
        if descriptor.ends_with(")Ljava/lang/String;") {
            self.make(STRING);
        }
        match model {
            Model::Show | Model::Append | Model::ShowStatic => {
                self.object_call(OBJECT, "toString", "()Ljava/lang/String;")
            }
            Model::ThrownText => self.object_call(THROWABLE, "getLocalizedMessage", "()Ljava/lang/String;"),
            Model::Thrown if descriptor.starts_with("(Ljava/lang/Throwable;") => {
                self.object_call(OBJECT, "toString", "()Ljava/lang/String;");
                self.make(STRING);
            }
            Model::ObjectText => self.object_call(OBJECT, "hashCode", "()I"),
            Model::Box => self.make(class),
            _ => {}
        }
    }

    fn make_thrown(&mut self, class: &str) {
        if self.classes.is_complete(class) {
            self.make(class);
        }
    }

    /// The class of the receiver of a call, as the frame knows it.
    fn receiver(&self, id: &MethodId, at: usize, method: &MemberRef) -> String {
        let frame = self.bodies[id].flow.as_ref().ok().and_then(|flow| flow.frames[at].as_ref());
        let count = argument_count(&method.descriptor);
        frame.map_or(method.class.clone(), |frame| receiver_class(self.classes, frame, count, method))
    }

    /// A call of a method of `Object` or `Throwable`.
    fn object_call(&mut self, class: &str, name: &str, descriptor: &str) {
        let called = self.classes.resolve_method(class, name, descriptor);
        called.into_iter().for_each(|called| self.virtual_call(class, called));
    }

    fn virtual_call(&mut self, class: &str, called: MethodId) {
        if self.sites.insert((class.to_string(), called.clone())) {
            for made in self.made.clone() {
                if self.classes.is_subclass(&made, class) {
                    self.dispatch(&made, &called);
                }
            }
        }
    }

    fn instruction(&mut self, id: &MethodId, at: usize, op: &Op) {
        match op {
            Op::New(class) if self.classes.is_complete(class) => {
                self.use_class(class);
                self.make(class);
            }
            Op::NewArray(class) if self.classes.is_complete(class) => self.make(class),
            Op::MultiNewArray(class, dimensions) if self.classes.is_complete(class) => {
                (0..usize::from(*dimensions)).for_each(|depth| self.make(&class[depth..]));
            }
            Op::ArrayLoad(crate::class::Element::Ref) => self.reads_elements = true,
            Op::Const(Constant::Text(_)) => self.make(STRING),
            Op::Const(Constant::Class(_)) => self.make("java/lang/Class"),
            Op::GetField(field) => {
                let found = self.classes.resolve_field(&field.class, &field.name, &field.descriptor);
                self.read.extend(found.map(|(class, _)| (class.name.clone(), field.name.clone())));
            }
            Op::GetStatic(field) | Op::PutStatic(field) => {
                let found = self.classes.resolve_field(&field.class, &field.name, &field.descriptor);
                if let Some((class, _)) = found {
                    self.use_class(&class.name.clone());
                }
            }
            Op::Invoke(kind, method) => {
                let found = self.classes.resolve_method(&method.class, &method.name, &method.descriptor);
                let Some(target) = found else { return };
                match kind {
                    Invoke::Virtual => {
                        let class = self.receiver(id, at, method);
                        self.virtual_call(&class, target.clone());
                        let (declaring, position) = self.classes.method(&target);
                        let is_private = declaring.methods[position].is_private();
                        let has_model = model(&declaring.name, &method.name, &method.descriptor).is_some();
                        if is_private || has_model {
                            self.call(target);
                        }
                    }
                    Invoke::Special => self.call(target),
                    Invoke::Static => {
                        self.use_class(&target.class.clone());
                        self.call(target);
                    }
                }
            }
            Op::InvokeDynamic(site) => self.dynamic(id, at, site),
            _ => {}
        }
    }

    fn dynamic(&mut self, id: &MethodId, at: usize, site: &crate::class::Dynamic) {
        let name = format!("{}$$Lambda${}${at}", id.class, id.position);
        if let Some(class) = lambda(site, &name) {
            self.classes.add(class);
            self.lambdas.insert((id.clone(), at), name.clone());
            self.make(&name);
        } else if site.bootstrap.0 == "java/lang/invoke/StringConcatFactory" {
            self.make(STRING);
            self.object_call(OBJECT, "toString", "()Ljava/lang/String;");
        }
    }

    /// A class is used for the first time.
    pub fn use_class(&mut self, class: &str) {
        if is_modelled(class) || !self.initialised.insert(class.to_string()) {
            return;
        }
        for above in self.initialised_with(class) {
            self.initialised.insert(above.name.clone());
            if let Some(position) = initializer(&above) {
                self.add(MethodId { class: above.name.clone(), position });
            }
        }
    }

    /// The classes that are initialised with a class, in their order: those above it, and itself.
    pub fn initialised_with(&self, class: &str) -> Vec<Rc<ClassFile>> {
        let Some(this) = self.classes.get(class).filter(|_| !is_modelled(class)) else { return Vec::new() };
        if this.is_interface() {
            return vec![this];
        }
        let mut order: Vec<Rc<ClassFile>> = Vec::new();
        for above in self.classes.lineage(class).into_iter().rev() {
            for interface in self.classes.interfaces(&above.name).iter() {
                let Some(interface) = self.classes.get(interface) else { continue };
                let has_defaults = interface.methods.iter().any(|m| !m.is_static() && !m.is_abstract());
                if has_defaults && !order.iter().any(|known| known.name == interface.name) {
                    order.push(interface);
                }
            }
            order.push(above);
        }
        order.retain(|class| !is_modelled(&class.name));
        order
    }

    /// The classes of objects that a reference of a static type may lead to.
    pub fn below(&self, class: &str) -> Vec<&str> {
        self.made.iter().map(String::as_str).filter(|made| self.classes.is_subclass(made, class)).collect()
    }
}

/// The position of a static initialiser that does more than to ask whether assertions are checked.
pub(crate) fn initializer(class: &ClassFile) -> Option<usize> {
    if is_modelled(&class.name) {
        return None;
    }
    let position = class.methods.iter().position(|method| method.name == "<clinit>" && method.is_static())?;
    let Ok(Some(code)) = &class.methods[position].code else { return Some(position) };
    let ops: Vec<&Op> = code.instructions.iter().map(|instruction| &instruction.op).collect();
    let is_idle = matches!(
        &ops[..],
        [Op::Const(Constant::Class(_)), Op::Invoke(_, asked), Op::If(..), Op::Const(_), Op::Goto(_), Op::Const(_),
            Op::PutStatic(field), Op::Return(None)]
            if asked.name == "desiredAssertionStatus" && is_assertion_flag(field)
    );
    (!is_idle).then_some(position)
}

/// Is it the field by which compilers switch off assertions?
pub(crate) fn is_assertion_flag(field: &crate::class::MemberRef) -> bool {
    field.name == "$assertionsDisabled" && field.descriptor == "Z"
}

/// Is a class one of arrays of references?
pub(crate) fn is_reference_array(class: &str) -> bool {
    element_type(class).is_some_and(|element| element.class().is_some())
}
