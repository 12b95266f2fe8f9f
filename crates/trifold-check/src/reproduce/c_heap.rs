//! The heap, in C, that a function without callers is called with: object by object, as the run has it.
//!
//! For example, a list of two nodes:
//!
//! ```c
//! static void trifold_make(void)
//! {
//!     __typeof__(struct node) *object_0 = __builtin_malloc(sizeof *object_0);
//!     __typeof__(struct node) *object_1 = __builtin_malloc(sizeof *object_1);
//!     object_0->next = object_1;
//!     object_1->next = 0;
//!     trifold_arguments[0] = object_0;
//! }
//! ```

use super::Task;
use super::c_number::number;
use crate::confirm::Call;
use crate::source::{Function, Translated};
use std::collections::BTreeSet;
use std::fmt::Write;
use trifold_ir::{Asked, FieldId, ObjectId, Program, Scalar, State, Status, Type, Value};

pub(super) struct Heap<'a> {
    task: &'a Task<'a>,
    program: &'a Program,
    function: &'a Function,
    call: &'a Call,
    state: &'a State,
}

impl<'a> Heap<'a> {
    pub fn new(task: &'a Task<'a>, function: &'a Function, call: &'a Call) -> Heap<'a> {
        Heap { task, program: &task.translated.program, function, call, state: &call.state }
    }

    /// The text that makes the heap, and the arguments of the call.
    pub fn arguments(&self) -> Result<(String, Vec<String>), String> {
        let parameters = &self.program[self.call.procedure].parameters;
        let (mut kept, mut arguments) = (Vec::new(), Vec::new());
        for (index, parameter) in parameters.iter().enumerate() {
            let value = self.settled(self.state.value(*parameter), Asked::Variable(*parameter));
            let name = &self.program[*parameter].name;
            if name.contains(['.', '$']) {
                return Err(format!("the argument `{name}` is a part of a struct that is passed by value"));
            }
            arguments.push(match value {
                Value::Object(object) => {
                    kept.push((kept.len(), self.pointer(object)?));
                    format!("trifold_arguments[{}]", kept.len() - 1)
                }
                Value::Null => "0".to_string(),
                Value::Scalar(value) => self.scalar_argument(index, value)?,
                Value::Uninitialised => "0".to_string(),
                Value::Outside { .. } | Value::Inexact(..) => {
                    return Err(format!("the argument `{name}` has no value that C can name"));
                }
            });
        }
        Ok((self.made(&kept)?, arguments))
    }

    /// A number, which may be the bits of a float; the number of a function has no meaning for others.
    fn scalar_argument(&self, index: usize, value: i128) -> Result<String, String> {
        let parameter = self.program[self.call.procedure].parameters[index];
        let is_plain = |scalar: Scalar| value == 0 || !is_ambiguous(scalar);
        if matches!(self.program[parameter].ty, Type::Scalar(scalar) if is_plain(scalar)) {
            return Ok(number(value));
        }
        match self.function.parameters.get(index).map(String::as_str) {
            Some("double") => Ok(format!("trifold_double({})", number(value))),
            Some("float") => Ok(format!("trifold_float({})", number(value))),
            Some(ty) if ty.ends_with("long") || ty.ends_with("long long") => Ok(number(value)),
            _ => Err(format!("the argument `{}` is no integer", self.program[parameter].name)),
        }
    }

    fn made(&self, kept: &[(usize, String)]) -> Result<String, String> {
        let objects = self.objects();
        let mut text = String::new();
        let _ = writeln!(text, "static void *trifold_arguments[{}];\n", kept.len() + 1);
        let _ = writeln!(text, "static void trifold_make(void)\n{{");
        for object in &objects {
            let ty = self.type_name(*object)?;
            let name = root_name(*object);
            let _ = writeln!(text, "    __typeof__({ty}) *{name} = __builtin_malloc(sizeof *{name});");
        }
        for object in objects {
            self.set_fields(object, &mut text)?;
        }
        for (index, pointer) in kept {
            let _ = writeln!(text, "    trifold_arguments[{index}] = {pointer};");
        }
        Ok(text + "}\n\n")
    }

    /// The objects that arguments lead to, without those that are parts of others.
    fn objects(&self) -> Vec<ObjectId> {
        let parameters = &self.program[self.call.procedure].parameters;
        let mut open: Vec<ObjectId> = parameters.iter().filter_map(|p| self.state.value(*p).referent()).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                let object = self.state.object(id);
                open.extend(object.fields.iter().filter_map(|value| value.referent()));
                open.extend(object.part_of.map(|(container, _)| container));
            }
        }
        reached.into_iter().filter(|object| self.state.object(*object).part_of.is_none()).collect()
    }

    fn type_name(&self, object: ObjectId) -> Result<String, String> {
        let object = self.state.object(object);
        if object.status != Status::Alive {
            return Err("an argument leads to an object that is no more".to_string());
        }
        let Translated { types, program, .. } = self.task.translated;
        let ty = types.get(object.structure.index()).and_then(|ty| ty.name.clone());
        ty.ok_or_else(|| format!("the type `{}` has no name in C", program[object.structure].name))
    }

    /// Gives the fields of an object and of its parts their values.
    fn set_fields(&self, id: ObjectId, text: &mut String) -> Result<(), String> {
        let object = self.state.object(id);
        for (field, value) in self.program[object.structure].fields.iter().zip(&object.fields) {
            if self.program[*field].embedded {
                if let Some(part) = value.referent() {
                    self.set_fields(part, text)?;
                }
                continue;
            }
            let Some(place) = self.place(id, *field)? else {
                self.refuse_hidden(*field, self.settled(*value, Asked::Field(id, *field)))?;
                continue;
            };
            let value = match self.settled(*value, Asked::Field(id, *field)) {
                Value::Uninitialised => continue,
                Value::Null => "0".to_string(),
                Value::Object(object) => self.pointer(object)?,
                Value::Scalar(value) => self.field_value(&place, *field, value),
                Value::Outside { .. } | Value::Inexact(..) => {
                    return Err(format!("the field `{}` has no value that C can name", self.program[*field].name));
                }
            };
            let _ = writeln!(text, "    {place} = {value};");
        }
        Ok(())
    }

    fn field_value(&self, place: &str, field: FieldId, value: i128) -> String {
        match self.program[field].ty {
            Type::Scalar(scalar) if is_ambiguous(scalar) && value != 0 => {
                format!("TRIFOLD_BITS({place}, {})", number(value))
            }
            _ => number(value),
        }
    }

    /// Things that only Trifold knows of an object are those of a usual one.
    fn refuse_hidden(&self, field: FieldId, value: Value) -> Result<(), String> {
        match value {
            Value::Uninitialised | Value::Scalar(0) => Ok(()),
            _ => Err(format!("`{}` is no field in C", self.program[field].name)),
        }
    }

    /// A pointer to an object, or to a part of one.
    fn pointer(&self, id: ObjectId) -> Result<String, String> {
        match self.state.object(id).part_of {
            None => Ok(root_name(id)),
            Some((container, field)) => match self.place(container, field)? {
                Some(place) => Ok(format!("&{place}")),
                None => Err(format!("`{}` is no field in C", self.program[field].name)),
            },
        }
    }

    /// A field of an object as C names it, if it does.
    fn place(&self, id: ObjectId, field: FieldId) -> Result<Option<String>, String> {
        let structure = self.state.object(id).structure;
        let is_record = self.task.translated.types.get(structure.index()).is_some_and(|ty| ty.is_record);
        let name = &self.program[field].name;
        if !is_record {
            // A cell has one value, and perhaps things that only Trifold knows.
            let pointer = self.pointer(id)?;
            return Ok((self.program[field].position == 0 && name == "value").then(|| format!("*({pointer})")));
        }
        let Some(member) = member(name) else { return Ok(None) };
        Ok(Some(match self.state.object(id).part_of {
            None => format!("{}->{member}", root_name(id)),
            Some(_) => format!("({})->{member}", self.pointer(id)?),
        }))
    }

    /// The value, or that which the run settled on when it was read.
    fn settled(&self, value: Value, asked: Asked) -> Value {
        let made = || self.task.account.made.iter().find(|choice| choice.asked == asked);
        match value {
            Value::Uninitialised => made().map_or(value, |choice| Value::Scalar(choice.value)),
            value => value,
        }
    }
}

/// May a number of this type be the bits of a float, or the number of a function?
fn is_ambiguous(scalar: Scalar) -> bool {
    scalar == Scalar::Int { signed: false, bits: 64 }
}

fn root_name(object: ObjectId) -> String {
    format!("object_{}", object.0)
}

/// A member of a struct: `a.b.2` is `a.b[2]`.
fn member(name: &str) -> Option<String> {
    let is_index = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let mut text = String::new();
    for part in name.split('.') {
        match is_index(part) {
            true => text += &format!("[{part}]"),
            false if text.is_empty() => text += part,
            false => text += &format!(".{part}"),
        }
    }
    let is_named = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    (!text.starts_with('[') && text.chars().all(is_named)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_in_c() {
        assert_eq!(member("next").as_deref(), Some("next"));
        assert_eq!(member("a.b.2.c").as_deref(), Some("a.b[2].c"));
        assert_eq!(member("x$2"), None);
        assert_eq!(member("2"), None);
    }
}
