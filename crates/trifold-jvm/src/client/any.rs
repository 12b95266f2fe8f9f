//! Classes that stand for what a client passes: elements of which nothing is known, and implementations of interfaces.
//!
//! For example, an element of a list of `T` has `equals`, `hashCode` and `compareTo` with any result, and a
//! `Comparator` compares as it likes. They change nothing; that is an assumption about callers.

use super::assemble::{Assembler, is_element, is_simple};
use crate::class::{ClassFile, Invoke, Method, Op, access};
use crate::classes::{ANY, Classes, MethodId, OBJECT};
use crate::descriptor::{FieldType, MethodDescriptor};
use crate::synthetic::type_text;

/// The class of elements.
pub(crate) const ELEMENT: &str = "$Element";

const PUBLIC: u16 = 0x0001;

/// The class of open values. Its methods have models.
pub(super) fn any_class() -> ClassFile {
    let values = ["Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/String;"];
    let values = values.map(|ty| ("value", format!("(){ty}")));
    let others = [("below", "(I)I".to_string()), ("stop", "()V".to_string())];
    let native = |(name, descriptor): (&str, String)| Method {
        name: name.to_string(),
        signature: MethodDescriptor::parse(&descriptor).unwrap_or_default(),
        descriptor,
        access: PUBLIC | access::STATIC | access::NATIVE,
        code: Ok(None),
    };
    class(ANY, Vec::new(), values.into_iter().chain(others).map(native).collect())
}

/// The class of elements: `equals`, `hashCode`, `compareTo` and `toString` have any result.
pub(super) fn element_class() -> ClassFile {
    let methods = [
        ("equals", "(Ljava/lang/Object;)Z"),
        ("hashCode", "()I"),
        ("compareTo", "(Ljava/lang/Object;)I"),
        ("toString", "()Ljava/lang/String;"),
    ];
    let methods = methods.iter().filter_map(|(name, descriptor)| method(name, descriptor)).collect();
    class(ELEMENT, vec!["java/lang/Comparable".to_string()], methods)
}

/// The name of the class that implements an interface in any way.
pub(super) fn implementation_name(interface: &str) -> String {
    format!("$Any {interface}")
}

/// A class that implements an interface in any way, if all of its methods have results that can be any.
pub(super) fn implementation(classes: &Classes<'_>, interface: &str) -> Option<ClassFile> {
    let declaring = classes.get(interface).filter(|class| class.is_interface() && classes.is_complete(interface))?;
    let mut methods: Vec<Method> = Vec::new();
    let above = classes.interfaces(interface);
    let all = above.iter().filter_map(|name| classes.get(name)).chain([declaring]);
    for (class, position) in all.flat_map(|class| (0..class.methods.len()).map(move |at| (class.clone(), at))) {
        let declared = &class.methods[position];
        let id = MethodId { class: class.name.clone(), position };
        let is_open = declared.is_abstract()
            && classes.resolve_method(interface, &declared.name, &declared.descriptor) == Some(id);
        let of_object = classes.resolve_method(OBJECT, &declared.name, &declared.descriptor).is_some();
        if is_open
            && !of_object
            && !methods.iter().any(|m| m.name == declared.name && m.descriptor == declared.descriptor)
        {
            methods.push(method(&declared.name, &declared.descriptor)?);
        }
    }
    Some(class(&implementation_name(interface), vec![interface.to_string()], methods))
}

fn class(name: &str, interfaces: Vec<String>, mut methods: Vec<Method>) -> ClassFile {
    let mut constructor = Assembler::default();
    constructor.load(0);
    constructor.invoke(Invoke::Special, OBJECT, "<init>", "()V");
    constructor.push(Op::Return(None));
    methods.push(Method {
        name: "<init>".to_string(),
        descriptor: "()V".to_string(),
        signature: MethodDescriptor::default(),
        access: PUBLIC | access::SYNTHETIC,
        code: Ok(Some(constructor.code(1))),
    });
    ClassFile {
        name: name.to_string(),
        superclass: Some(OBJECT.to_string()),
        interfaces,
        access: access::FINAL | access::SYNTHETIC,
        fields: Vec::new(),
        methods,
        source: None,
        nested: None,
    }
}

/// A method that changes nothing and returns any value of its type.
fn method(name: &str, descriptor: &str) -> Option<Method> {
    let signature = MethodDescriptor::parse(descriptor)?;
    let mut code = Assembler::default();
    match &signature.result {
        None => {}
        Some(ty) if is_simple(ty) => code.any(ty),
        Some(ty) if ty.class().is_some_and(is_element) => {
            code.push(Op::New(ELEMENT.to_string()));
            code.push(Op::Dup);
            code.invoke(Invoke::Special, ELEMENT, "<init>", "()V");
        }
        Some(_) => return None,
    }
    code.push(Op::Return(signature.result.as_ref().map(FieldType::kind)));
    let words: u16 = signature.parameters.iter().map(|ty| if ty.kind().is_wide() { 2 } else { 1 }).sum();
    debug_assert!(signature.parameters.iter().all(|ty| !type_text(ty).is_empty()));
    Some(Method {
        name: name.to_string(),
        descriptor: descriptor.to_string(),
        signature,
        access: PUBLIC | access::SYNTHETIC,
        code: Ok(Some(code.code(words + 1))),
    })
}
