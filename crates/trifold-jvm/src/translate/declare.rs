//! Structs, fields, global variables and procedures. For example, the class `List` with a method `add` becomes the
//! struct `List` and the procedure `List.add`.

use super::Translator;
use super::value::{I64, U32, U64};
use crate::class::{ClassFile, Method};
use crate::classes::{MethodId, OBJECT};
use crate::descriptor::{FieldType, element_type, readable};
use crate::frames::Slot;
use crate::models::{boxed, has_text};
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{FieldId, ProcId, Scalar, Scope, StructId, Type, VarId};

/// The field of texts that has their characters, and the one of arrays that has their elements.
pub(super) const CONTENT: &str = "content";

/// A class as people write it, with the classes around it.
pub(crate) fn class_name(class: &str) -> String {
    readable(class).replace('$', ".")
}

/// A method as people write it; if there are several of one name, with the types of its parameters. Classes of the
/// program go without their package.
pub(crate) fn method_name(class: &ClassFile, position: usize) -> String {
    let method = &class.methods[position];
    let is_platform = class.name.starts_with("java/") || class.name.starts_with("jdk/");
    let full = class_name(if is_platform { &class.name } else { class.name.rsplit('/').next().unwrap_or_default() });
    let name = match method.name.as_str() {
        "<init>" => full.rsplit('.').next().unwrap_or(&full).to_string(),
        name => name.to_string(),
    };
    let short = |ty: &FieldType| match ty {
        FieldType::Ref(class) => {
            let name = class_name(class);
            name.rsplit('.').next().unwrap_or(&name).to_string()
        }
        number => format!("{number:?}").to_lowercase(),
    };
    let is_overloaded = class.methods.iter().filter(|other| other.name == method.name).count() > 1;
    let types: Vec<String> = method.signature.parameters.iter().map(short).collect();
    if is_overloaded { format!("{full}.{name}({})", types.join(", ")) } else { format!("{full}.{name}") }
}

impl<'t> Translator<'t> {
    /// Declares the classes of the program, with all of their fields, and all methods that may run.
    pub(super) fn declare(&mut self) {
        let own: Vec<&String> = self.reach.made.iter().filter(|class| self.places.is_own(class)).collect();
        for class in own {
            for above in self.reach.classes.lineage(class).into_iter().rev() {
                if self.places.is_own(&above.name) {
                    self.declare_fields(&above);
                }
            }
        }
        for id in &self.reach.order {
            let body = &self.reach.bodies[id];
            let procedure = self.declare_procedure(&body.class, body.position);
            self.procedures.insert(id.clone(), procedure);
        }
    }

    fn declare_fields(&mut self, class: &Rc<ClassFile>) {
        self.structure(&class.name);
        for position in 0..class.fields.len() {
            if !class.fields[position].is_static() {
                self.field(class, position);
            }
        }
    }

    /// The struct of the objects of a class.
    pub(super) fn structure(&mut self, class: &str) -> StructId {
        let group = self.groups.group(self.reach, class);
        if let Some(known) = self.structs.get(&group) {
            return *known;
        }
        let span = self.places.class(self.reach.classes.get(&group).as_deref());
        let name = self.unique(&class_name(&group), |ir, name| ir.struct_named(name).is_some());
        let structure = self.ir.add_struct(&name, span);
        if self.groups.is_tested(&group) {
            let field = self.ir.add_field(structure, "$class", Type::Scalar(Scalar::I32), false, span);
            self.tags.insert(group.clone(), field);
        }
        self.structs.insert(group, structure);
        structure
    }

    /// The field that says of which class an object is, if there is one.
    pub(super) fn tag(&mut self, class: &str) -> Option<FieldId> {
        self.structure(class);
        self.tags.get(&self.groups.group(self.reach, class)).copied()
    }

    pub(super) fn unique(&self, name: &str, is_taken: impl Fn(&ir::Program, &str) -> bool) -> String {
        let (mut unique, mut number) = (name.to_string(), 1);
        while is_taken(&self.ir, &unique) {
            number += 1;
            unique = format!("{name}${number}");
        }
        unique
    }

    /// A field of objects.
    pub(super) fn field(&mut self, class: &Rc<ClassFile>, position: usize) -> FieldId {
        let field = &class.fields[position];
        let ty = self.declared_type(class, position);
        self.own_field(&class.name, &field.name, &field.descriptor, ty)
    }

    /// The type of a field, as far as it is known what comes there.
    fn declared_type(&mut self, class: &Rc<ClassFile>, position: usize) -> Type {
        let field = &class.fields[position];
        let key = (class.name.clone(), field.name.clone(), field.descriptor.clone());
        let ty = FieldType::parse(&field.descriptor).unwrap_or(FieldType::Int);
        self.known_type(&ty, self.reach.refined.fields.get(&key))
    }

    /// A type, or that of a class that is more special.
    fn known_type(&mut self, ty: &FieldType, class: Option<&String>) -> Type {
        match class {
            Some(class) => self.pointer_type(class),
            None => self.field_type(ty),
        }
    }

    /// A field with a name, which a file declares or a model needs.
    pub(super) fn own_field(&mut self, class: &str, name: &str, descriptor: &str, ty: Type) -> FieldId {
        let key = (class.to_string(), name.to_string(), descriptor.to_string());
        if let Some(known) = self.fields.get(&key) {
            return *known;
        }
        let structure = self.structure(class);
        let taken = self.ir.field_named(structure, name).is_some();
        let long = if taken { format!("{}.{name}", class_name(class)) } else { name.to_string() };
        let long = self.unique(&long, |ir, name| ir.field_named(structure, name).is_some());
        let span = self.ir[structure].span;
        let field = self.ir.add_field(structure, &long, ty, false, span);
        self.fields.insert(key, field);
        field
    }

    /// The characters of a text.
    pub(super) fn text_field(&mut self) -> FieldId {
        debug_assert!(has_text(crate::classes::STRING));
        self.own_field(crate::classes::STRING, CONTENT, "", Type::Scalar(U64))
    }

    /// The number in a box.
    pub(super) fn box_field(&mut self, class: &str) -> FieldId {
        let inside = boxed(class).and_then(|letter| FieldType::parse(&letter.to_string()));
        let ty = self.field_type(&inside.unwrap_or(FieldType::Int));
        let descriptor = boxed(class).map_or(String::new(), String::from);
        self.own_field(class, "value", &descriptor, ty)
    }

    /// A static field.
    pub(super) fn static_variable(&mut self, class: &Rc<ClassFile>, position: usize) -> VarId {
        let field = &class.fields[position];
        let key = (class.name.clone(), field.name.clone(), field.descriptor.clone());
        if let Some(known) = self.statics.get(&key) {
            return *known;
        }
        let ty = self.declared_type(class, position);
        let variable = self.global(&format!("{}.{}", class_name(&class.name), field.name), ty);
        self.statics.insert(key, variable);
        variable
    }

    /// A new global variable.
    pub(super) fn global(&mut self, name: &str, ty: Type) -> VarId {
        let name = self.unique(name, |ir, name| ir.globals().any(|global| ir[global].name == name));
        let span = self.places.nowhere();
        self.ir.add_variable(&name, ty, Scope::Global, span)
    }

    /// The type of pointers to objects of a class, or of one below it.
    pub(super) fn pointer_type(&mut self, class: &str) -> Type {
        let mut groups: Vec<String> =
            self.reach.below(class).into_iter().map(|made| self.groups.group(self.reach, made)).collect();
        groups.sort();
        groups.dedup();
        match &groups[..] {
            [only] => Type::Pointer(Some(self.structure(&only.clone()))),
            [] if class != OBJECT && !self.reach.classes.is_interface(class) && self.is_known(class) => {
                Type::Pointer(Some(self.structure(class)))
            }
            _ => Type::Pointer(None),
        }
    }

    fn is_known(&self, class: &str) -> bool {
        class.starts_with('[') || self.reach.classes.get(class).is_some()
    }

    pub(super) fn field_type(&mut self, ty: &FieldType) -> Type {
        let int = |signed, bits| Type::Scalar(Scalar::Int { signed, bits });
        match ty {
            FieldType::Boolean => Type::Scalar(Scalar::Bool),
            FieldType::Byte => int(true, 8),
            FieldType::Short => int(true, 16),
            FieldType::Char => int(false, 16),
            FieldType::Int => int(true, 32),
            FieldType::Long => Type::Scalar(I64),
            FieldType::Float => Type::Scalar(U32),
            FieldType::Double => Type::Scalar(U64),
            FieldType::Ref(class) => self.pointer_type(class),
        }
    }

    /// The type of a variable of the stack or of a web.
    pub(super) fn slot_type(&mut self, slot: &Slot) -> Type {
        match slot {
            Slot::Bit | Slot::Bool => Type::Scalar(Scalar::Bool),
            Slot::Int | Slot::Top => Type::Scalar(Scalar::I32),
            Slot::Long => Type::Scalar(I64),
            Slot::Float => Type::Scalar(U32),
            Slot::Double => Type::Scalar(U64),
            Slot::Null => Type::Pointer(None),
            Slot::Ref(class) => self.pointer_type(class),
        }
    }

    /// The type of elements of arrays of references.
    pub(super) fn element_pointer(&mut self) -> Type {
        if let Some(class) = &self.reach.refined.elements {
            return self.pointer_type(class);
        }
        let elements = self.reach.made.iter().filter_map(|class| element_type(class)?.class().map(str::to_string));
        let elements: Vec<String> = elements.collect();
        let mut types: Vec<Type> = elements.iter().map(|element| self.pointer_type(element)).collect();
        types.sort();
        types.dedup();
        if let [only] = types[..] { only } else { Type::Pointer(None) }
    }

    fn declare_procedure(&mut self, class: &Rc<ClassFile>, position: usize) -> ProcId {
        let method: &Method = &class.methods[position];
        let name = method_name(class, position);
        let name = self.unique(&name, |ir, name| ir.procedure_named(name).is_some());
        let span = self.places.method(class, position);
        let procedure = self.ir.add_procedure(&name, span);
        let mut slot = 0;
        if !method.is_static() {
            let ty = self.pointer_type(&class.name);
            self.ir.add_variable("this", ty, Scope::Parameter(procedure), span);
            slot += 1;
        }
        let id = MethodId { class: class.name.clone(), position };
        for (number, parameter) in method.signature.parameters.iter().enumerate() {
            let ty = self.known_type(parameter, self.reach.refined.parameters.get(&(id.clone(), number)));
            let local = method.code.as_ref().ok().and_then(|code| code.as_ref()?.local(slot, 0));
            let name = local.map_or(format!("$p{slot}"), |local| local.name.clone());
            let name = self.local_name(procedure, &name);
            self.ir.add_variable(&name, ty, Scope::Parameter(procedure), span);
            slot += if parameter.kind().is_wide() { 2 } else { 1 };
        }
        if let Some(result) = &method.signature.result {
            let ty = self.known_type(result, self.reach.refined.results.get(&id));
            let result = self.ir.add_variable("$result", ty, Scope::Local(procedure), span);
            self.ir[procedure].result = Some(result);
        }
        procedure
    }

    /// A name that no other variable of a procedure, and no global one, has.
    pub(super) fn local_name(&self, procedure: ProcId, name: &str) -> String {
        self.unique(name, |ir, name| ir.variable_named(procedure, name).is_some())
    }

    /// The number of a class in the field that says which one an object is of.
    pub(super) fn class_number(&self, class: &str) -> i128 {
        self.numbers.get(class).copied().unwrap_or(-1)
    }

    /// The procedure of a method.
    pub(super) fn procedure_of(&self, id: &MethodId) -> Option<ProcId> {
        self.procedures.get(id).copied()
    }
}
