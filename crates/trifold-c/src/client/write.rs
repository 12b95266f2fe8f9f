//! The text of a client.
//!
//! For a type of objects there are up to three functions: `some_queue` makes an object and calls operations on it in
//! any
//! order, `end_queue` ends one, `entry_of_list` chooses one that it leads to. The client makes an object and ends it.
//! Where an operation takes two objects, `some_queue` calls itself for the other one: so that is any object, too.

use super::arguments::{Arguments, Call, Here, element_function, end_function, object_function};
use super::interface::{Begin, Handle, Interface, Operation, object};
use super::spelling::{Needed, declared, number_type, result_type, spell, variable_of};
use crate::types::{RecordId, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The start of a client.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Start {
    /// The type of objects that it is about, as a name for one.
    pub about: String,
    /// The function, which takes no arguments.
    pub function: String,
    /// Its text.
    pub text: String,
    /// For each operation, a function that uses the interface and then calls this operation once; for one that begins
    /// an iterator or the like, all its uses follow.
    pub thens: BTreeMap<String, String>,
    /// The text of all of them.
    pub then_text: String,
}

/// The texts of all functions of a client.
pub(super) struct Writer<'a, 'p> {
    interface: &'a Interface<'p>,
    needed: Needed,
    /// The operations that are called.
    pub called: BTreeSet<usize>,
    /// Why others are not.
    pub refused: BTreeMap<usize, String>,
    bodies: String,
    prototypes: String,
    written: BTreeSet<RecordId>,
}

impl<'a, 'p> Writer<'a, 'p> {
    pub fn new(interface: &'a Interface<'p>) -> Writer<'a, 'p> {
        Writer {
            interface,
            needed: Needed::default(),
            called: BTreeSet::new(),
            refused: BTreeMap::new(),
            bodies: String::new(),
            prototypes: String::new(),
            written: BTreeSet::new(),
        }
    }

    /// The text of a client for each of these types.
    pub fn clients(&mut self, handles: &[&Handle]) -> (String, Vec<Start>) {
        self.needed.objects.extend(handles.iter().map(|handle| handle.record));
        while let Some(record) = self.needed.objects.iter().find(|record| !self.written.contains(record)).copied() {
            self.written.insert(record);
            let handle = self.interface.handle(record).expect("objects that are needed can be made");
            self.some(handle);
            self.end(handle);
        }
        self.elements();
        let starts: Vec<Start> = handles.iter().map(|handle| self.start(handle)).collect();
        let bodies: Vec<&str> = starts.iter().map(|start| start.text.as_str()).collect();
        let text = [&self.definitions(), &self.prototypes, "\n", &self.bodies, &bodies.join("\n")].concat();
        (text, starts)
    }

    /// Do objects that meet in a call, or in an iterator, not meet in any other way?
    pub fn keeps_apart(&self) -> bool {
        self.needed.apart || self.interface.has_state
    }

    /// Functions and data that calls refer to.
    fn definitions(&self) -> String {
        let mut text = String::new();
        let mut numbers = self.needed.numbers.clone();
        numbers.extend(["uchar", "bool"]);
        for name in numbers {
            let _ = writeln!(text, "{} __VERIFIER_nondet_{name}(void);", number_type(name));
        }
        text += "\n";
        if self.needed.data {
            text += "static void *any_data(void)\n{\n    static struct { char nothing; } datum;\n    return __VERIFIER_nondet_bool() ? &datum : NULL;\n}\n\n";
        }
        if self.needed.owned_data {
            text += "static void *owned_data(void)\n{\n    int *datum = malloc(sizeof(int));\n    if (datum)\n        *datum = 0;\n    return datum;\n}\n\n";
        }
        if self.needed.text {
            text += "static char *any_text(void)\n{\n    return __VERIFIER_nondet_bool() ? \"text\" : \"\";\n}\n\n";
        }
        if self.needed.owned_text {
            text += "static char *owned_text(void)\n{\n    char *text = malloc(2);\n    if (text) {\n        text[0] = 't';\n        text[1] = 0;\n    }\n    return text;\n}\n\n";
        }
        self.needed.stubs.iter().for_each(|stub| text += &(stub.text.clone() + "\n"));
        text
    }

    fn here<'h>(&self, handle: &Handle, pointer: &'h str) -> Here<'h> {
        let may_be_null = handle.starts.contains(&Begin::Null);
        let (record, is_variable) = (handle.record, !handle.by_value);
        Here { record, pointer, is_variable, may_be_null, container: None }
    }

    /// `some_queue`: makes an object and works on it.
    fn some(&mut self, handle: &Handle) {
        let interface = self.interface;
        let (ty, name) = (spell(interface.program, handle.record), variable_of(interface.program, handle.record));
        let here = self.here(handle, &name);
        let head = match handle.by_value {
            true => format!("static void {}({ty} *{name})", object_function(interface, handle.record)),
            false => format!("static {ty} *{}(void)", object_function(interface, handle.record)),
        };
        let _ = writeln!(self.prototypes, "{head};");
        let mut text = format!("{head}\n{{\n");
        let begin = self.begin(handle, here);
        // An object that begins in one way is declared with it.
        let is_simple = begin.lines().count() == 1 && begin.starts_with(&format!("{name} = "));
        let begin = match (handle.by_value, is_simple) {
            (true, _) => begin,
            (false, true) => format!("{ty} *{begin}"),
            (false, false) => format!("{ty} *{name} = NULL;\n{begin}"),
        };
        text += &indented(&begin, 1);
        let cases = self.cases(handle, here);
        let goes_on = if here.may_be_null || handle.by_value { String::new() } else { format!("{name} && ") };
        if !cases.is_empty() {
            let _ = writeln!(text, "    while ({goes_on}{CHOICE} % 8) {{");
            text += &indented(&switch(&cases), 2);
            text += "    }\n";
        }
        if !handle.by_value {
            let _ = writeln!(text, "    return {name};");
        }
        self.bodies += &(text + "}\n\n");
    }

    /// Statements by which an object begins.
    fn begin(&mut self, handle: &Handle, here: Here<'_>) -> String {
        let mut ways = Vec::new();
        for start in &handle.starts {
            ways.extend(self.way(handle, *start, here));
        }
        if ways.len() == 1 { ways[0].clone() } else { switch(&ways) }
    }

    fn way(&mut self, handle: &Handle, start: Begin, here: Here<'_>) -> Option<String> {
        let pointer = here.pointer;
        let reference = format!("&{pointer}");
        let (index, given) = match start {
            Begin::Null => return Some(format!("{pointer} = NULL;\n")),
            Begin::Zero => {
                let ty = spell(self.interface.program, handle.record);
                return Some(format!("*{pointer} = ({ty}){{0}};\n"));
            }
            Begin::Returned(index) => (index, None),
            Begin::Given(index, at) => (index, Some((at, reference.as_str()))),
            Begin::Initialised(index, at) => (index, Some((at, pointer))),
        };
        let operation = &self.interface.operations[index];
        // Nothing is there yet that an argument could be.
        let nothing = Here { record: RecordId(u32::MAX), ..here };
        let here = here.container.copied().unwrap_or(nothing);
        let call = self.call(index, here, given, false, false)?;
        Some(match start {
            Begin::Returned(_) => statement(operation, &call, &format!("{pointer} = ")),
            _ => statement(operation, &call, ""),
        })
    }

    /// The arguments of an operation. Those that cannot be made are remembered.
    fn call(
        &mut self,
        index: usize,
        here: Here<'_>,
        given: Option<(usize, &str)>,
        null_callbacks: bool,
        elements: bool,
    ) -> Option<Call> {
        let arguments = Arguments { interface: self.interface, here, null_callbacks, elements };
        match arguments.of(&self.interface.operations[index], given, &mut self.needed) {
            Ok(call) => {
                self.called.insert(index);
                Some(call)
            }
            Err(why) => {
                self.refused.insert(index, why);
                None
            }
        }
    }

    /// All that can be done with an object.
    fn cases(&mut self, handle: &Handle, here: Here<'_>) -> Vec<String> {
        let mut cases = Vec::new();
        for index in &handle.operations {
            let operation = &self.interface.operations[*index];
            let has_optional = operation.parameters.iter().any(|parameter| {
                let is_pointer = |ty| matches!(self.interface.program.types.get(ty), Type::Function(_));
                let points = match self.interface.program.types.get(parameter.ty) {
                    Type::Pointer(to) => is_pointer(*to),
                    _ => false,
                };
                points && parameter.fate.tested
            });
            for null_callbacks in if has_optional { vec![false, true] } else { vec![false] } {
                if let Some(call) = self.call(*index, here, None, null_callbacks, true) {
                    let is_made = call.before.iter().any(|line| line.contains("some_"));
                    let case = self.operate(operation, call, here);
                    // In a run, objects that need others must not go on for ever.
                    cases.push(match is_made {
                        true => format!("if ({CHOICE} % 16 == 0) {{\n{}}}\n", indented(&case, 1)),
                        false => case,
                    });
                }
            }
        }
        let views: Vec<&Handle> = match handle.container {
            None => self.interface.handles.iter().filter(|view| view.container == Some(handle.record)).collect(),
            Some(_) => Vec::new(),
        };
        for view in views {
            cases.extend(self.view(view, here));
        }
        cases
    }

    /// A call of an operation, with what is to be done with its result.
    fn operate(&self, operation: &Operation<'_>, mut call: Call, here: Here<'_>) -> String {
        let interface = self.interface;
        let is_update = |position: usize| {
            interface.is_update(operation, position)
                && operation.parameters[position].object.is_some_and(|o| o.record == here.record)
        };
        if (0..operation.parameters.len()).any(is_update) && here.is_variable {
            return statement(operation, &call, &format!("{} = ", here.pointer));
        }
        let made = object(interface.program, operation.result);
        if operation.facts.result.fresh || interface.detaches(operation) {
            if let Some(made) =
                made.filter(|made| interface.handle(made.record).is_some_and(|h| !h.by_value && !h.ends.is_empty()))
            {
                let ty = spell(interface.program, made.record);
                call.before.push(format!("{ty} *made = NULL;"));
                call.after.insert(0, format!("{}(made);", end_function(interface, made.record)));
                return statement(operation, &call, "made = ");
            }
            if made.is_none() && operation.facts.result.fresh {
                let ty = result_type(interface.program, operation.result);
                call.before.push(format!("{} = NULL;", declared(&ty, "made")));
                call.after.insert(0, "free(made);".to_string());
                return statement(operation, &call, "made = ");
            }
        }
        statement(operation, &call, "")
    }

    /// A view of an object is used up before anything else is done with the object.
    fn view(&mut self, view: &Handle, container: Here<'_>) -> Option<String> {
        self.needed.apart = true;
        let interface = self.interface;
        let (ty, name) = (spell(interface.program, view.record), variable_of(interface.program, view.record));
        let pointer = if view.by_value { format!("&{name}") } else { name.clone() };
        let here = Here {
            record: view.record,
            pointer: &pointer,
            is_variable: !view.by_value,
            may_be_null: false,
            container: Some(&container),
        };
        let declared = if view.by_value { format!("{ty} {name};\n") } else { format!("{ty} *{name} = NULL;\n") };
        let begin = view.starts.iter().filter_map(|start| self.way(view, *start, here)).collect::<Vec<_>>();
        if begin.is_empty() {
            return None;
        }
        let begin = if begin.len() == 1 { begin[0].clone() } else { switch(&begin) };
        let cases = self.cases(view, here);
        let goes_on = if view.by_value { String::new() } else { format!("{name} && ") };
        let mut text = format!("{declared}{begin}");
        if !cases.is_empty() {
            let _ = write!(text, "while ({goes_on}{CHOICE} % 8) {{\n{}}}\n", indented(&switch(&cases), 1));
        }
        let ends: Vec<String> = self.ends(view, here);
        if !ends.is_empty() {
            let _ = write!(text, "if ({name}) {{\n{}}}\n", indented(&either(&ends), 1));
        }
        Some(format!("{{\n{}}}\n", indented(&text, 1)))
    }

    /// Statements that end an object: one of them is enough.
    fn ends(&mut self, handle: &Handle, here: Here<'_>) -> Vec<String> {
        let mut ways = Vec::new();
        for index in &handle.ends {
            if let Some(call) = self.call(*index, here, None, false, false) {
                ways.push(statement(&self.interface.operations[*index], &call, ""));
            }
        }
        ways
    }

    /// `end_queue`. If the module has no such operation, a variable keeps the object, so that it is not lost.
    fn end(&mut self, handle: &Handle) {
        let interface = self.interface;
        let (ty, name) = (spell(interface.program, handle.record), variable_of(interface.program, handle.record));
        let head = format!("static void {}({ty} *{name})", end_function(interface, handle.record));
        let here = self.here(handle, &name);
        let ways = self.ends(handle, here);
        let body = match (&ways[..], handle.by_value) {
            ([], true) => format!("static {ty} kept;\nkept = *{name};\n"),
            ([], false) => format!("static {ty} *kept;\nkept = {name};\n"),
            (ways, true) => either(ways),
            (ways, false) => format!("if ({name}) {{\n{}}}\n", indented(&either(ways), 1)),
        };
        let _ = writeln!(self.prototypes, "{head};");
        let _ = write!(self.bodies, "{head}\n{{\n{}}}\n\n", indented(&body, 1));
    }

    /// Functions that choose an object which another leads to.
    fn elements(&mut self) {
        let mut done = BTreeSet::new();
        while let Some(pair) = self.needed.elements.iter().find(|pair| !done.contains(*pair)).copied() {
            done.insert(pair);
            let (from, to) = pair;
            let interface = self.interface;
            let handle = interface.handle(from).expect("elements belong to objects of the interface");
            let (ty, name) = (spell(interface.program, from), variable_of(interface.program, from));
            let head = format!(
                "static {} *{}({ty} *{name})",
                spell(interface.program, to),
                element_function(interface, from, to)
            );
            let here = self.here(handle, &name);
            let mut ways = Vec::new();
            for index in handle.operations.clone() {
                let operation = &interface.operations[index];
                let found = object(interface.program, operation.result);
                if !interface.is_source(operation) || found.is_none_or(|found| found.record != to) {
                    continue;
                }
                if let Some(call) = self.call(index, here, None, false, false) {
                    ways.push(statement(operation, &call, "found = "));
                }
            }
            // The first one need not be looked for.
            ways.push(String::new());
            let first = if from == to { name.clone() } else { "NULL".to_string() };
            let _ = writeln!(self.prototypes, "{head};");
            let _ = write!(
                self.bodies,
                "{head}\n{{\n    {} *found = {first};\n{}    return found;\n}}\n\n",
                spell(interface.program, to),
                indented(&switch(&ways), 1)
            );
        }
    }

    /// The client itself, and clients that call one operation once, at last.
    fn start(&mut self, handle: &Handle) -> Start {
        let interface = self.interface;
        let (ty, object) = (spell(interface.program, handle.record), variable_of(interface.program, handle.record));
        let (make, end) = (object_function(interface, handle.record), end_function(interface, handle.record));
        let function = |name: &str, last: &str| {
            let (make, end) = match (handle.by_value, last) {
                (true, _) => (format!("{ty} {object};\n{make}(&{object});\n"), format!("{end}(&{object});\n")),
                (false, "") => (String::new(), format!("{end}({make}());\n")),
                (false, _) => (format!("{ty} *{object} = {make}();\n"), format!("{end}({object});\n")),
            };
            let once = make + last + &end;
            let text = match (interface.has_state, last) {
                (false, _) => once,
                (true, "") => format!("while ({CHOICE} % 8) {{\n{}}}\n", indented(&once, 1)),
                (true, _) => format!("{}();\n{once}", client_function(&object)),
            };
            format!("void {name}(void)\n{{\n{}}}\n", indented(&text, 1))
        };
        let name = client_function(&object);
        let pointer = if handle.by_value { format!("&{object}") } else { object.clone() };
        let here = self.here(handle, &pointer);
        let mut thens = BTreeMap::new();
        let mut then_text = String::new();
        for index in &handle.operations {
            let operation = &interface.operations[*index];
            let Some(call) = self.call(*index, here, None, false, true) else { continue };
            let mut last = self.operate(operation, call, here);
            if !here.may_be_null && !handle.by_value {
                last = format!("if ({object}) {{\n{}}}\n", indented(&last, 1));
            }
            let then = format!("{name}_then_{}", operation.name);
            then_text += &function(&then, &last);
            thens.insert(operation.name.to_string(), then);
        }
        for view in interface.handles.iter().filter(|view| view.container == Some(handle.record)) {
            let [Begin::Returned(index) | Begin::Given(index, _) | Begin::Initialised(index, _)] = view.starts[..]
            else {
                continue;
            };
            let Some(last) = self.view(view, here) else { continue };
            let operation = interface.operations[index].name;
            let then = format!("{name}_then_{operation}");
            then_text += &function(&then, &last);
            thens.insert(operation.to_string(), then);
        }
        Start { about: object.clone(), text: function(&name, ""), function: name, thens, then_text }
    }
}

/// The function that uses objects of a type.
fn client_function(object: &str) -> String {
    format!("client_of_{object}")
}

/// A call as a statement, with all around it.
fn statement(operation: &Operation<'_>, call: &Call, assigned: &str) -> String {
    let Call { before, guards, arguments, after } = call;
    let called = format!("{assigned}{}({});\n", operation.name, arguments.join(", "));
    let called = match &guards[..] {
        [] => called,
        guards => format!("if ({})\n    {called}", guards.join(" && ")),
    };
    if before.is_empty() && after.is_empty() {
        return called;
    }
    let lines = before.iter().map(|line| format!("{line}\n"));
    let after = after.iter().map(|line| format!("{line}\n"));
    let body: String = lines.chain([called]).chain(after).collect();
    format!("{{\n{}}}\n", indented(&body, 1))
}

/// A number that decides how the client goes on. In a run, most numbers lead on.
const CHOICE: &str = "__VERIFIER_nondet_uchar()";

/// Any one of several statements, or none.
fn switch(ways: &[String]) -> String {
    if ways.is_empty() {
        return String::new();
    }
    let mut text = format!("switch ({CHOICE} % {}) {{\n", ways.len().max(2));
    for (number, way) in ways.iter().enumerate() {
        let _ = write!(text, "case {number}:\n{}    break;\n", indented(way, 1));
    }
    text + "}\n"
}

/// Any one of several statements.
fn either(ways: &[String]) -> String {
    let [first @ .., last] = ways else { return String::new() };
    let parts = first.iter().map(|way| format!("if (__VERIFIER_nondet_bool()) {{\n{}}} else {{\n", indented(way, 1)));
    let opened: String = parts.collect();
    let last = if first.is_empty() { last.clone() } else { indented(last, 1) };
    opened + &last + &"}\n".repeat(first.len())
}

fn indented(text: &str, depth: usize) -> String {
    let shift =
        |line: &str| if line.is_empty() { "\n".to_string() } else { format!("{}{line}\n", "    ".repeat(depth)) };
    text.lines().map(shift).collect()
}
