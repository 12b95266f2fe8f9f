//! Arguments for a call: expressions of C, with what must be declared before, hold, and be done after the call.
//!
//! Numbers are any numbers, data is any data, callbacks are stubs that return anything. An object is the one that the
//! client works on, one that it leads to (an entry of a list), or another one made by the same interface.

use super::interface::{Interface, Object, Operation, Parameter};
use super::spelling::{Needed, Stub, any_number, any_of_enumeration, spell, variable_of};
use crate::types::{RecordId, Type, TypeId};

/// The object that a part of a client works on.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub record: RecordId,
    /// The expression of a pointer to it.
    pub pointer: &'a str,
    /// Is that a variable, of which the address can be passed?
    pub is_variable: bool,
    /// May it be NULL?
    pub may_be_null: bool,
    /// The object into which it leads, if it is a view.
    pub container: Option<&'a Here<'a>>,
}

/// A call with all that it needs.
#[derive(Default, Clone)]
pub(super) struct Call {
    /// Declarations.
    pub before: Vec<String>,
    /// Conditions.
    pub guards: Vec<String>,
    pub arguments: Vec<String>,
    pub after: Vec<String>,
}

/// Why there is no argument.
pub(super) type Refusal = String;

pub(super) struct Arguments<'a, 'p> {
    pub interface: &'a Interface<'p>,
    pub here: Here<'a>,
    /// Are callbacks NULL where that is looked for?
    pub null_callbacks: bool,
    /// May objects that are led to be looked for?
    pub elements: bool,
}

impl Arguments<'_, '_> {
    /// The arguments of an operation on the object. At a position that is left out, there is the address of a variable.
    pub fn of(
        &self,
        operation: &Operation<'_>,
        given: Option<(usize, &str)>,
        needed: &mut Needed,
    ) -> Result<Call, Refusal> {
        let mut call = Call::default();
        // A pointer to the variable of the object is the object; others are then elements of it.
        let is_head = |at: usize| {
            let object = operation.parameters[at].object;
            object.is_some_and(|object| object.record == self.here.record) && self.is_head(operation, at)
        };
        let mut is_first = !(0..operation.parameters.len()).any(is_head);
        for (position, parameter) in operation.parameters.iter().enumerate() {
            let argument = match given {
                Some((at, expression)) if at == position => expression.to_string(),
                _ => self.argument(operation, position, parameter, &mut is_first, &mut call, needed)?,
            };
            call.arguments.push(argument);
        }
        Ok(call)
    }

    fn argument(
        &self,
        operation: &Operation<'_>,
        position: usize,
        parameter: &Parameter,
        is_first: &mut bool,
        call: &mut Call,
        needed: &mut Needed,
    ) -> Result<String, Refusal> {
        if let Some(object) = parameter.object {
            return match object.depth {
                1 => self.object(operation, position, parameter, object.record, is_first, call, needed),
                _ => self.reference(operation, position, object.record, call),
            };
        }
        let program = self.interface.program;
        match program.types.get(parameter.ty) {
            Type::Pointer(to) => self.pointer(parameter, *to, call, needed),
            Type::Enum(id) => Ok(any_of_enumeration(program, *id, needed)),
            _ => any_number(program, parameter.ty, needed)
                .ok_or_else(|| format!("`{}` is a `{}`", parameter.name, program.show(parameter.ty))),
        }
    }

    /// The object itself, or that into which it leads.
    fn known(&self, record: RecordId) -> Option<&Here<'_>> {
        let mut here = Some(&self.here);
        while let Some(at) = here {
            if at.record == record {
                return Some(at);
            }
            here = at.container;
        }
        None
    }

    #[allow(clippy::too_many_arguments, reason = "one call, with all that is known of it")]
    fn object(
        &self,
        operation: &Operation<'_>,
        position: usize,
        parameter: &Parameter,
        record: RecordId,
        is_first: &mut bool,
        call: &mut Call,
        needed: &mut Needed,
    ) -> Result<String, Refusal> {
        let first = *is_first && record == self.here.record;
        *is_first &= !first;
        let interface = self.interface;
        let must_be_here = interface.is_update(operation, position) || parameter.fate.freed;
        if let Some(known) = self.known(record)
            && (first && must_be_here || record != self.here.record)
        {
            return Ok(self.pass(known, parameter, call));
        }
        let is_led_to = !interface.is_consumed(&parameter.fate) || !first && parameter.fate.freed;
        if self.elements && is_led_to && self.has_elements(record) {
            needed.apart = true;
            needed.elements.insert((self.here.record, record));
            let name = fresh_name(&variable_of(interface.program, record), "one", call);
            let chosen = format!("{}({})", element_function(interface, self.here.record, record), self.here.pointer);
            call.before.push(format!("{} *{name} = {chosen};", spell(interface.program, record)));
            if !parameter.fate.tested {
                call.guards.push(name.clone());
            }
            return Ok(name);
        }
        match self.known(record) {
            Some(known) if first => Ok(self.pass(known, parameter, call)),
            _ => self.another(parameter, record, call, needed),
        }
    }

    fn pass(&self, known: &Here<'_>, parameter: &Parameter, call: &mut Call) -> String {
        if known.may_be_null && !parameter.fate.tested {
            call.guards.push(known.pointer.to_string());
        }
        known.pointer.to_string()
    }

    /// Are there operations that find objects of a struct?
    fn has_elements(&self, record: RecordId) -> bool {
        let interface = self.interface;
        let Some(handle) = interface.handle(self.here.record) else { return false };
        let finds = |index: &usize| {
            let operation = &interface.operations[*index];
            let found = super::interface::object(interface.program, operation.result);
            interface.is_source(operation) && found.is_some_and(|object| object.record == record)
        };
        self.here.container.is_none() && handle.operations.iter().any(finds)
    }

    /// Another object of an interface, which is ended after the call unless it is given away.
    fn another(
        &self,
        parameter: &Parameter,
        record: RecordId,
        call: &mut Call,
        needed: &mut Needed,
    ) -> Result<String, Refusal> {
        let interface = self.interface;
        let shown = format!("struct {}", variable_of(interface.program, record));
        let Some(handle) = interface.handle(record).filter(|handle| handle.container.is_none()) else {
            return Err(format!("nothing here makes what `{}` points to ({shown})", parameter.name));
        };
        let is_lent = parameter.fate.kept && !interface.is_consumed(&parameter.fate);
        if is_lent {
            return Err(format!("what `{}` points to must live longer than the call", parameter.name));
        }
        needed.apart = true;
        needed.objects.insert(record);
        let (ty, name) =
            (spell(interface.program, record), fresh_name(&variable_of(interface.program, record), "other", call));
        let made = object_function(interface, record);
        if handle.by_value {
            call.before.push(format!("{ty} {name};"));
            call.before.push(format!("{made}(&{name});"));
        } else {
            call.before.push(format!("{ty} *{name} = {made}();"));
            if !parameter.fate.tested {
                call.guards.push(name.clone());
            }
        }
        if !interface.is_consumed(&parameter.fate) {
            let pointer = if handle.by_value { format!("&{name}") } else { name.clone() };
            call.after.push(format!("{}({pointer});", end_function(interface, record)));
        }
        Ok(if handle.by_value { format!("&{name}") } else { name })
    }

    /// Does a parameter point to the variable that holds the object? One that is only written may also be there for a
    /// result; but not if the operation changes an object of the same kind that it gets besides: `list_remove(&list,
    /// element)` writes the list only if it loses its first element.
    fn is_head(&self, operation: &Operation<'_>, position: usize) -> bool {
        let Parameter { fate, object, .. } = &operation.parameters[position];
        let Some(Object { record, depth: 2 }) = *object else { return false };
        let others = operation.parameters.iter().filter(|other| other.object == Some(Object { record, depth: 1 }));
        let changes = others.into_iter().any(|other| other.fate.freed || other.fate.written);
        let is_read = fate.read || !fate.written || !fate.gives_fresh && changes;
        is_read && !fate.indexed && self.known(record).is_some_and(|known| known.is_variable)
    }

    /// A pointer to a pointer to an object.
    fn reference(
        &self,
        operation: &Operation<'_>,
        position: usize,
        record: RecordId,
        call: &mut Call,
    ) -> Result<String, Refusal> {
        let program = self.interface.program;
        let parameter = &operation.parameters[position];
        if parameter.fate.indexed {
            return Err(format!("`{}` may be an array", parameter.name));
        }
        match self.known(record) {
            Some(known) if self.is_head(operation, position) => return Ok(format!("&{}", known.pointer)),
            _ if parameter.fate.read || !parameter.fate.written => {
                return Err(format!("`{}` points to a pointer", parameter.name));
            }
            _ => {}
        }
        let name = fresh_name(&variable_of(program, record), "out", call);
        call.before.push(format!("{} *{name} = NULL;", spell(program, record)));
        if parameter.fate.gives_fresh && self.interface.handle(record).is_some() {
            call.after.push(format!("{}({name});", end_function(self.interface, record)));
        }
        Ok(format!("&{name}"))
    }

    /// A pointer to something that is no object of the interface.
    fn pointer(
        &self,
        parameter: &Parameter,
        to: TypeId,
        call: &mut Call,
        needed: &mut Needed,
    ) -> Result<String, Refusal> {
        let program = self.interface.program;
        let Parameter { name, fate, .. } = parameter;
        let is_consumed = self.interface.is_consumed(fate);
        match program.types.get(to) {
            Type::Function(_) if self.null_callbacks && fate.tested => Ok("NULL".to_string()),
            Type::Function(function) => match Stub::of(program, function, name) {
                Some(stub) => {
                    needed.data |= stub.returns_data;
                    needed.numbers.extend(stub.number);
                    let name = stub.name.clone();
                    needed.stubs.insert(stub);
                    Ok(name)
                }
                None => Err(format!("`{name}` is a `{}`", program.show(parameter.ty))),
            },
            Type::Void if is_consumed => {
                needed.owned_data = true;
                Ok("owned_data()".to_string())
            }
            Type::Void if !fate.indexed && !fate.written => {
                needed.data = true;
                Ok("any_data()".to_string())
            }
            ty if super::spelling::is_character(ty) && !fate.written => {
                needed.text |= !is_consumed;
                needed.owned_text |= is_consumed;
                Ok(if is_consumed { "owned_text()" } else { "any_text()" }.to_string())
            }
            _ if fate.indexed => Err(format!("`{name}` may be an array")),
            Type::Pointer(inner) if *program.types.get(*inner) == Type::Void => {
                needed.data = true;
                self.variable(name, "void *", "any_data()", call)
            }
            _ => match any_number(program, to, needed) {
                Some(number) => {
                    let ty = program.show(to);
                    let ty = ty.trim_start_matches("const ").to_string();
                    self.variable(name, &format!("{ty} "), &number, call)
                }
                None => Err(format!("`{name}` is a `{}`", program.show(parameter.ty))),
            },
        }
    }

    /// The address of a variable with a value.
    fn variable(&self, name: &str, ty: &str, value: &str, call: &mut Call) -> Result<String, Refusal> {
        let name = fresh_name(name, "value", call);
        call.before.push(format!("{ty}{name} = {value};"));
        Ok(format!("&{name}"))
    }
}

/// A name for a variable of a call that no other of its variables has.
fn fresh_name(base: &str, word: &str, call: &Call) -> String {
    let first = format!("{word}_{base}");
    let is_taken = |name: &str| {
        call.before.iter().any(|line| line.contains(&format!("{name} =")) || line.contains(&format!("{name};")))
    };
    let mut name = first.clone();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{first}{number}");
        number += 1;
    }
    name
}

/// The function of the client that makes an object of a type.
pub(super) fn object_function(interface: &Interface<'_>, record: RecordId) -> String {
    format!("some_{}", variable_of(interface.program, record))
}

/// The function of the client that ends an object of a type.
pub(super) fn end_function(interface: &Interface<'_>, record: RecordId) -> String {
    format!("end_{}", variable_of(interface.program, record))
}

/// The function of the client that chooses an object which another leads to.
pub(super) fn element_function(interface: &Interface<'_>, from: RecordId, to: RecordId) -> String {
    let (from, to) = (variable_of(interface.program, from), variable_of(interface.program, to));
    if from == to { format!("one_of_{from}") } else { format!("{to}_of_{from}") }
}
