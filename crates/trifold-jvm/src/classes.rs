//! The classes of a program and of its library: read when they are first asked for, and looked things up in as the Java
//! machine does. For example, the method that an object of a class has for `toString` may be declared far above it.

use crate::class::{ClassFile, Field, Method, access};
use crate::descriptor::{FieldType, element_type};
use crate::read::read_class;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) const OBJECT: &str = "java/lang/Object";
pub(crate) const STRING: &str = "java/lang/String";
pub(crate) const THROWABLE: &str = "java/lang/Throwable";
/// The class of everything that a client leaves open: numbers and texts.
pub(crate) const ANY: &str = "$Any";

/// Where class files come from: directories, archives, the image of a JDK, or memory.
pub trait ClassPath {
    /// The bytes of a class, `java/util/List`, if there is such a class.
    fn bytes(&self, name: &str) -> Option<Vec<u8>>;

    /// Does a class belong to the program, although it may be in another file?
    fn is_of_program(&self, name: &str) -> bool;
}

impl ClassPath for BTreeMap<String, Vec<u8>> {
    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.get(name).cloned()
    }

    fn is_of_program(&self, name: &str) -> bool {
        self.contains_key(name)
    }
}

/// A method: its class and its position there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MethodId {
    pub class: String,
    pub position: usize,
}

/// All classes.
pub(crate) struct Classes<'p> {
    path: &'p dyn ClassPath,
    known: RefCell<BTreeMap<String, Option<Rc<ClassFile>>>>,
    /// What has been asked before.
    subclasses: RefCell<BTreeMap<String, BTreeMap<String, bool>>>,
    interfaces: RefCell<BTreeMap<String, Rc<BTreeSet<String>>>>,
    /// Classes that cannot be read, and why.
    pub refused: RefCell<BTreeMap<String, String>>,
}

impl<'p> Classes<'p> {
    pub fn new(path: &'p dyn ClassPath) -> Classes<'p> {
        let (known, refused) = (RefCell::default(), RefCell::default());
        Classes { path, known, subclasses: RefCell::default(), interfaces: RefCell::default(), refused }
    }

    /// The class with a name. Classes of arrays are none of these.
    pub fn get(&self, name: &str) -> Option<Rc<ClassFile>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let read = self.path.bytes(name).and_then(|bytes| match read_class(&bytes) {
            Ok(class) if class.name == name => Some(Rc::new(class)),
            Ok(class) => {
                let why = format!("it contains the class `{}`", class.name);
                self.refused.borrow_mut().insert(name.to_string(), why);
                None
            }
            Err(why) => {
                self.refused.borrow_mut().insert(name.to_string(), why);
                None
            }
        });
        self.known.borrow_mut().insert(name.to_string(), read.clone());
        read
    }

    /// Does a class belong to the program, although it may be in another file?
    pub fn is_of_program(&self, name: &str) -> bool {
        self.path.is_of_program(name)
    }

    /// Adds a class that no file has.
    pub fn add(&self, class: ClassFile) {
        self.known.borrow_mut().insert(class.name.clone(), Some(Rc::new(class)));
    }

    /// A class and those above it, up to `Object`. A circle is cut.
    pub fn lineage(&self, name: &str) -> Vec<Rc<ClassFile>> {
        let (mut lineage, mut seen) = (Vec::new(), BTreeSet::new());
        let mut next = Some(name.to_string());
        while let Some(class) = next.filter(|name| seen.insert(name.clone())).and_then(|name| self.get(&name)) {
            next = class.superclass.clone();
            lineage.push(class);
        }
        lineage
    }

    /// All interfaces of a class, with those above them.
    pub fn interfaces(&self, name: &str) -> Rc<BTreeSet<String>> {
        if let Some(known) = self.interfaces.borrow().get(name) {
            return known.clone();
        }
        let found = Rc::new(self.find_interfaces(name));
        self.interfaces.borrow_mut().insert(name.to_string(), found.clone());
        found
    }

    fn find_interfaces(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open: Vec<String> = self.lineage(name).iter().flat_map(|class| class.interfaces.clone()).collect();
        while let Some(interface) = open.pop() {
            if let Some(class) = self.get(&interface).filter(|_| !found.contains(&interface)) {
                open.extend(class.interfaces.iter().cloned());
            }
            found.insert(interface);
        }
        found
    }

    /// Is everything known that stands above a class?
    pub fn is_complete(&self, name: &str) -> bool {
        if let Some(element) = element_type(name) {
            return element.class().is_none_or(|class| self.is_complete(class));
        }
        let ends = self.lineage(name).last().is_some_and(|top| top.name == OBJECT && top.superclass.is_none());
        ends && self.interfaces(name).iter().all(|interface| self.get(interface).is_some())
    }

    pub fn is_interface(&self, name: &str) -> bool {
        self.get(name).is_some_and(|class| class.is_interface())
    }

    /// Is every object of a class one of another?
    pub fn is_subclass(&self, class: &str, of: &str) -> bool {
        if class == of || of == OBJECT {
            return true;
        }
        match (element_type(class), element_type(of)) {
            (Some(FieldType::Ref(element)), Some(FieldType::Ref(of))) => return self.is_subclass(&element, &of),
            (Some(_), None) => return of == "java/lang/Cloneable" || of == "java/io/Serializable",
            (_, Some(_)) => return false,
            (None, None) => {}
        }
        if let Some(known) = self.subclasses.borrow().get(class).and_then(|known| known.get(of)) {
            return *known;
        }
        let is_below = self.lineage(class).iter().any(|above| above.name == of) || self.interfaces(class).contains(of);
        let mut subclasses = self.subclasses.borrow_mut();
        subclasses.entry(class.to_string()).or_default().insert(of.to_string(), is_below);
        is_below
    }

    /// The closest class that two classes are below of; of interfaces, only one of the two.
    pub fn join(&self, left: &str, right: &str) -> String {
        if self.is_subclass(left, right) {
            return right.to_string();
        }
        if self.is_subclass(right, left) {
            return left.to_string();
        }
        let above = self.lineage(left).into_iter().find(|above| self.is_subclass(right, &above.name));
        above.filter(|above| !above.is_interface()).map_or(OBJECT.to_string(), |above| above.name.clone())
    }

    pub fn method(&self, id: &MethodId) -> (Rc<ClassFile>, usize) {
        let class = self.get(&id.class).expect("methods are found in classes");
        (class, id.position)
    }

    /// The field that a name means in a class.
    pub fn resolve_field(&self, class: &str, name: &str, descriptor: &str) -> Option<(Rc<ClassFile>, usize)> {
        let is_it = |field: &Field| field.name == name && field.descriptor == descriptor;
        let find = |class: &Rc<ClassFile>| class.fields.iter().position(is_it).map(|at| (class.clone(), at));
        for above in self.lineage(class) {
            let mut open: Vec<Rc<ClassFile>> = vec![above];
            let mut seen = BTreeSet::new();
            while let Some(class) = open.pop() {
                if let Some(found) = find(&class) {
                    return Some(found);
                }
                let interfaces = class.interfaces.iter().filter(|name| seen.insert((*name).clone()));
                open.extend(interfaces.filter_map(|name| self.get(name)));
            }
        }
        None
    }

    /// The method that a name means in a class.
    pub fn resolve_method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let class = if class.starts_with('[') { OBJECT } else { class };
        let own = self.lineage(class).into_iter().find_map(|above| declared(&above, name, descriptor));
        own.or_else(|| self.default_method(class, name, descriptor, true))
    }

    /// The method of the interfaces of a class that no other one overrides; one that has code comes first.
    fn default_method(&self, class: &str, name: &str, descriptor: &str, with_abstract: bool) -> Option<MethodId> {
        let interfaces = self.interfaces(class);
        let candidates = interfaces.iter().filter_map(|interface| self.get(interface)).filter_map(|interface| {
            let id = declared(&interface, name, descriptor)?;
            let method = &interface.methods[id.position];
            (!method.is_private() && !method.is_static()).then_some(id)
        });
        let candidates: Vec<MethodId> = candidates.collect();
        let is_overridden = |id: &MethodId| {
            candidates.iter().any(|other| other.class != id.class && self.is_subclass(&other.class, &id.class))
        };
        let specific: Vec<&MethodId> = candidates.iter().filter(|id| !is_overridden(id)).collect();
        let has_code = |id: &&&MethodId| {
            let (class, at) = self.method(id);
            !class.methods[at].is_abstract()
        };
        let with_code: Vec<&&MethodId> = specific.iter().filter(has_code).collect();
        match (&with_code[..], with_abstract) {
            ([only], _) => Some((**only).clone()),
            ([], true) | ([_, ..], true) => specific.first().map(|id| (*id).clone()),
            _ => None,
        }
    }

    /// The method that an object of a class has for one that is called. Nothing if it has none with code.
    pub fn select(&self, class: &str, called: &MethodId) -> Option<MethodId> {
        let (declaring, at) = self.method(called);
        let method = &declaring.methods[at];
        if method.is_private() {
            return Some(called.clone());
        }
        let class = if class.starts_with('[') { OBJECT } else { class };
        for above in self.lineage(class) {
            let Some(id) = declared(&above, &method.name, &method.descriptor) else { continue };
            let own = &above.methods[id.position];
            let is_it = id == *called || !own.is_static() && !own.is_private() && overrides(&above, &declaring, method);
            if is_it {
                return (!own.is_abstract()).then_some(id);
            }
        }
        self.default_method(class, &method.name, &method.descriptor, false)
    }
}

fn declared(class: &ClassFile, name: &str, descriptor: &str) -> Option<MethodId> {
    let position = class.methods.iter().position(|m| m.name == name && m.descriptor == descriptor)?;
    Some(MethodId { class: class.name.clone(), position })
}

/// Is a method visible in a class, so that one of the same name there overrides it?
fn overrides(class: &ClassFile, declaring: &ClassFile, method: &Method) -> bool {
    const PUBLIC_OR_PROTECTED: u16 = 0x0001 | 0x0004;
    let package = |name: &str| name.rsplit_once('/').map(|(package, _)| package.to_string());
    method.access & (PUBLIC_OR_PROTECTED | access::PRIVATE) != 0 && !method.is_private()
        || package(&class.name) == package(&declaring.name)
}
