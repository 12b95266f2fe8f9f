//! The classes of a file: which classes extend which, their fields and methods, and the meaning of type names.
//!
//! # Classes become structs
//!
//! Classes that extend each other, and those that implement the same interface, become one struct, with the fields of
//! all of them: a reference of any of their types can point to an object of each other. If they are several, a field
//! says of which class an object is. For example, `class B extends A` makes one struct of `A` and `B`, and its field
//! for the class is one of the two.

use crate::ast::{Class, ClassKind, Expr, ExprKind, Field, Member, Method, TypeParameter, TypeRef, TypeRefKind};
use crate::types::{ClassId, LibraryId, Type};
use std::collections::BTreeMap;

/// Classes of the library whose objects hold no references to objects that are analysed.
const LIBRARY: [&str; 16] = [
    "String",
    "Integer",
    "Long",
    "Short",
    "Byte",
    "Character",
    "Boolean",
    "Float",
    "Double",
    "Number",
    "Random",
    "Scanner",
    "StringBuilder",
    "StringBuffer",
    "Void",
    "CharSequence",
];

/// Classes of the library that a class can extend without getting fields or methods that matter.
const HARMLESS_SUPERCLASSES: [&str; 8] = [
    "Object",
    "Exception",
    "RuntimeException",
    "Error",
    "Throwable",
    "IllegalArgumentException",
    "IllegalStateException",
    "NullPointerException",
];

pub(crate) struct ClassInfo<'a> {
    /// With the classes around it.
    pub name: String,
    pub ast: &'a Class,
    pub outer: Option<ClassId>,
    pub superclass: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    /// A class of the library that it extends, and that does more than exist.
    pub strange_superclass: Option<String>,
    /// Those with the same number become one struct.
    pub component: usize,
}

impl<'a> ClassInfo<'a> {
    pub fn fields(&self) -> impl Iterator<Item = &'a Field> + use<'a> {
        self.ast.members.iter().filter_map(|member| match member {
            Member::Field(field) => Some(field),
            _ => None,
        })
    }

    /// Methods and constructors, with their numbers.
    pub fn methods(&self) -> impl Iterator<Item = (usize, &'a Method)> + use<'a> {
        self.ast.members.iter().enumerate().filter_map(|(number, member)| match member {
            Member::Method(method) => Some((number, method)),
            _ => None,
        })
    }

    pub fn is_instantiable(&self) -> bool {
        self.ast.kind == ClassKind::Class && !self.ast.is_abstract
    }
}

/// A class of the library.
pub(crate) struct LibraryClass {
    pub name: String,
    /// Of an array.
    pub element: Option<Type>,
}

pub(crate) struct Classes<'a> {
    pub all: Vec<ClassInfo<'a>>,
    pub library: Vec<LibraryClass>,
    by_name: BTreeMap<String, ClassId>,
}

impl<'a> Classes<'a> {
    pub fn new(files: &'a [Class]) -> Classes<'a> {
        let mut classes = Classes { all: Vec::new(), library: Vec::new(), by_name: BTreeMap::new() };
        files.iter().for_each(|class| classes.declare(class, None));
        for id in classes.ids() {
            classes.inherit(id);
        }
        classes.break_circles();
        classes.connect();
        classes
    }

    pub fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.all.len()).map(ClassId)
    }

    fn declare(&mut self, class: &'a Class, outer: Option<ClassId>) {
        let name = match outer {
            Some(outer) => format!("{}.{}", self[outer].name, class.name.text),
            None => class.name.text.to_string(),
        };
        let id = ClassId(self.all.len());
        // The first of several with the same name counts.
        self.by_name.entry(name.clone()).or_insert(id);
        self.all.push(ClassInfo {
            name,
            ast: class,
            outer,
            superclass: None,
            interfaces: Vec::new(),
            strange_superclass: None,
            component: id.0,
        });
        for member in &class.members {
            if let Member::Class(inner) = member {
                self.declare(inner, Some(id));
            }
        }
    }

    fn inherit(&mut self, id: ClassId) {
        let ast = self[id].ast;
        for (parent, extends) in
            ast.extends.iter().map(|ty| (ty, true)).chain(ast.implements.iter().map(|ty| (ty, false)))
        {
            let resolved = self.named(parent, Some(id));
            let info = &mut self.all[id.0];
            match resolved {
                Some(class) if extends && ast.kind == ClassKind::Class => info.superclass = Some(class),
                Some(class) => info.interfaces.push(class),
                None if extends && ast.kind == ClassKind::Class => {
                    let TypeRefKind::Named(names) = &parent.kind else { continue };
                    let name = names.last().map_or("", |name| &name.text);
                    info.strange_superclass = (!HARMLESS_SUPERCLASSES.contains(&name)).then(|| name.to_string());
                }
                None => {}
            }
        }
    }

    /// A class that extends itself in the end, which no compiler accepts, extends nothing.
    fn break_circles(&mut self) {
        for id in self.ids() {
            let mut open = self.parents(id);
            let mut seen = Vec::new();
            while let Some(parent) = open.pop() {
                if parent == id {
                    self.all[id.0].superclass = None;
                    self.all[id.0].interfaces.clear();
                    break;
                }
                if !seen.contains(&parent) {
                    seen.push(parent);
                    open.extend(self.parents(parent));
                }
            }
        }
    }

    fn connect(&mut self) {
        for id in self.ids() {
            for parent in self.parents(id) {
                let (from, to) = (self[id].component, self[parent].component);
                let both = (from.min(to), from.max(to));
                self.all.iter_mut().filter(|c| c.component == both.1).for_each(|c| c.component = both.0);
            }
        }
    }

    /// The classes and interfaces that a class itself extends and implements.
    pub fn parents(&self, id: ClassId) -> Vec<ClassId> {
        self[id].superclass.into_iter().chain(self[id].interfaces.iter().copied()).collect()
    }

    pub fn is_subclass(&self, id: ClassId, of: ClassId) -> bool {
        id == of || self.parents(id).into_iter().any(|parent| self.is_subclass(parent, of))
    }

    /// The class and its superclasses, then all interfaces, those that extend others before them.
    pub fn lineage(&self, id: ClassId) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = std::iter::successors(Some(id), |id| self[*id].superclass).collect();
        let classes = found.len();
        let mut next = 0;
        while let Some(class) = found.get(next).copied() {
            for interface in &self[class].interfaces {
                if !found.contains(interface) {
                    found.push(*interface);
                }
            }
            next += 1;
        }
        // The more an interface extends, the further it is from those that nothing is above.
        let above = |id: &ClassId| self.ids().filter(|other| self.is_subclass(*id, *other)).count();
        found[classes..].sort_by_key(|id| std::cmp::Reverse(above(id)));
        found
    }

    /// The class around a class, the one around that, and so on, with the class itself first.
    pub fn around(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(id), |id| self[*id].outer)
    }

    /// The class of the file that a type names, seen from inside of a class.
    fn named(&self, ty: &TypeRef, from: Option<ClassId>) -> Option<ClassId> {
        let TypeRefKind::Named(names) = &ty.kind else { return None };
        let texts: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        self.class_named(&texts, from)
    }

    /// The class with a qualified name, seen from inside of a class.
    pub fn class_named(&self, names: &[&str], from: Option<ClassId>) -> Option<ClassId> {
        let path = names.join(".");
        let around = from.into_iter().flat_map(|from| self.around(from).collect::<Vec<_>>());
        let scopes = around.flat_map(|class| self.lineage(class));
        let inner = scopes.map(|scope| format!("{}.{path}", self[scope].name));
        let own = from
            .into_iter()
            .flat_map(|from| self.around(from))
            .find(|class| names.len() == 1 && &*self[*class].ast.name.text == names[0]);
        let found = inner.chain([path.clone()]).find_map(|name| self.by_name.get(&name).copied());
        // After the names of packages stands that of a class.
        found.or(own).or_else(|| names.len().checked_sub(2).and_then(|_| self.class_named(&names[1..], from)))
    }

    /// The meaning of a type inside of a class and a method.
    pub fn resolve(&mut self, ty: &TypeRef, class: ClassId, parameters: &[TypeParameter]) -> Type {
        self.resolve_within(ty, class, parameters, 0)
    }

    fn resolve_within(&mut self, ty: &TypeRef, class: ClassId, parameters: &[TypeParameter], depth: u8) -> Type {
        match &ty.kind {
            TypeRefKind::Primitive(name) => Type::primitive(name),
            TypeRefKind::Array(element) => {
                let element = self.resolve_within(element, class, parameters, depth);
                let name = format!("{}[]", self.show(element));
                self.library(&name, Some(element))
            }
            TypeRefKind::Named(names) => {
                let texts: Vec<&str> = names.iter().map(|name| &*name.text).collect();
                if let [name] = texts[..] {
                    let own = self.around(class).collect::<Vec<_>>();
                    let outer = own.iter().flat_map(|class| &self[*class].ast.type_parameters);
                    if let Some(variable) = parameters.iter().chain(outer).find(|p| &*p.name.text == name) {
                        // A variable that is bounded by itself, in the end, is not bounded.
                        return match &variable.bound {
                            Some(bound) if depth < 10 => {
                                self.resolve_within(&bound.clone(), class, parameters, depth + 1)
                            }
                            _ => Type::Object,
                        };
                    }
                }
                match self.class_named(&texts, Some(class)) {
                    Some(found) if matches!(self[found].ast.kind, ClassKind::Other(_)) => Type::Object,
                    Some(found) => Type::Class(found),
                    None => match texts.last() {
                        Some(name) if LIBRARY.contains(name) => self.library(name, None),
                        _ => Type::Object,
                    },
                }
            }
        }
    }

    /// Is this the name of a type variable there?
    pub fn is_variable(&self, ty: &TypeRef, class: ClassId, parameters: &[TypeParameter]) -> bool {
        let TypeRefKind::Named(names) = &ty.kind else { return false };
        let [name] = &names[..] else { return false };
        let outer = self.around(class).flat_map(|class| &self[class].ast.type_parameters);
        parameters.iter().chain(outer).any(|parameter| parameter.name.text == name.text)
    }

    pub fn library(&mut self, name: &str, element: Option<Type>) -> Type {
        let known = self.library.iter().position(|class| class.name == name);
        let position = known.unwrap_or_else(|| {
            self.library.push(LibraryClass { name: name.to_string(), element });
            self.library.len() - 1
        });
        Type::Library(LibraryId(position))
    }

    pub fn is_library_class(name: &str) -> bool {
        LIBRARY.contains(&name)
    }

    pub fn show(&self, ty: Type) -> String {
        match ty {
            Type::Class(id) => self[id].name.clone(),
            Type::Library(id) => self.library[id.0].name.clone(),
            Type::Object => "Object".to_string(),
            _ => format!("{ty:?}").to_lowercase(),
        }
    }

    /// Can a value be assigned without a cast? Nothing is known about classes that are not in the file.
    pub fn assignable(&self, from: Type, to: Type) -> bool {
        match (from, to) {
            (Type::Null, to) => to.is_reference(),
            (Type::Object, to) => to.is_reference(),
            (from, Type::Object) => from != Type::Void,
            (Type::Class(from), Type::Class(to)) => self.is_subclass(from, to),
            (Type::Library(_), Type::Library(_)) => from == to,
            (from, to) => from.widens_to(to),
        }
    }
}

impl<'a> std::ops::Index<ClassId> for Classes<'a> {
    type Output = ClassInfo<'a>;

    fn index(&self, id: ClassId) -> &ClassInfo<'a> {
        &self.all[id.0]
    }
}

/// Is it the value that a field has from the beginning?
pub(crate) fn is_default(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Null | ExprKind::Bool(false) | ExprKind::Integer { value: 0, .. })
}
