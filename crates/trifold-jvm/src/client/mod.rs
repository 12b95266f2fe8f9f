//! The most general client of classes without a `main`: it makes objects and calls their methods in any order, with any
//! arguments, as one thread can. What is proved of the client holds for every such use.
//!
//! The client is a class of its own, of the same instructions as others, so that initialisation, dispatch and
//! exceptions are what they are everywhere. For a class `Stack` it has the methods
//!
//! ```text
//! some Stack()             s = new Stack(); while (any) { s.push(any) | s.pop() | … } return s;
//! client of Stack()        some Stack()
//! client of Stack, push()  some Stack().push(any)
//! ```
//!
//! # Assumptions
//!
//! - Arguments are not null, and arrays are of the class that is declared. An object is passed to another one when it
//!   has been used by itself, and neither used nor passed after that.
//! - Elements and implementations of interfaces that are passed have methods with any result, which change nothing.
//! - After an exception that a method throws on purpose, the object is not used any more.
//! - Fields that other packages may set are final, or else objects of the class are not made.
//!
//! | room | what it decides |
//! | --- | --- |
//! | `interface` | of which classes objects are made, and what can be done with them |
//! | `write` | the methods of the client |
//! | `any` | elements, and implementations of interfaces |
//! | `assemble` | instructions |

mod any;
mod assemble;
mod interface;
mod write;

use crate::class::{ClassFile, access};
use crate::classes::{Classes, MethodId, OBJECT};
use interface::Interface;
use std::collections::BTreeMap;
use std::rc::Rc;
use write::Writer;

/// The class of clients.
pub(crate) const CLIENT: &str = "$Client";

/// The client of a class.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    /// The class.
    pub about: String,
    /// The position of the method that uses it.
    pub method: usize,
    /// The operations, each with the position of a method that calls it at last.
    pub thens: BTreeMap<MethodId, usize>,
    /// Do objects that meet in a call not meet in any other way?
    pub apart: bool,
}

/// Adds the class of clients, if there is something to do for them.
pub(crate) fn add_client(classes: &Classes<'_>, files: &[Rc<ClassFile>]) -> Vec<Start> {
    let interface = Interface::of(classes, files);
    classes.add(any::any_class());
    classes.add(any::element_class());
    let (methods, starts) = Writer::new(&interface).clients();
    interface.implemented().into_iter().for_each(|class| classes.add(class));
    classes.add(ClassFile {
        name: CLIENT.to_string(),
        superclass: Some(OBJECT.to_string()),
        interfaces: Vec::new(),
        access: access::FINAL | access::SYNTHETIC,
        fields: vec![write::kept_field()],
        methods,
        source: None,
        nested: None,
    });
    starts
}
