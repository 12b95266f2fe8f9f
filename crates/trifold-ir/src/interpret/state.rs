//! States of a running program: objects, global variables, and the frames of the calls under way. For example, a call
//! of `f` by `main` is a state with two frames.

use crate::computation::Cause;
use crate::ids::{FieldId, NodeId, Point, ProcId, StructId, VarId};
use crate::program::{Program, Type};
use crate::statement::Region;
use std::collections::BTreeMap;

/// An object of a [`State`]; an index into [`State::objects`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a variable or field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// None yet, or none any more.
    Uninitialised,
    /// The null pointer.
    Null,
    /// A pointer to an object, which need not be alive.
    Object(ObjectId),
    /// A pointer to where a container would begin if the object were its part: see
    /// [`Statement::Owner`](crate::Statement::Owner).
    Outside {
        /// The object that is no part.
        part: ObjectId,
        /// The field that it would be.
        field: FieldId,
    },
    /// A number; a Boolean is 0 or 1.
    Scalar(i128),
    /// A number that stands for one that is not computed: in a real run it may be another one.
    Inexact(i128, Cause),
}

impl Value {
    /// The value of a variable of this type when it is zeroed.
    pub fn zero(ty: Type) -> Value {
        match ty {
            Type::Pointer(_) => Value::Null,
            Type::Scalar(_) => Value::Scalar(0),
        }
    }

    /// A number, and why it is not the one of a real run.
    pub(super) fn of_number(number: i128, cause: Option<Cause>) -> Value {
        cause.map_or(Value::Scalar(number), |cause| Value::Inexact(number, cause))
    }

    /// The number, exact or not.
    pub fn number(self) -> Option<i128> {
        match self {
            Value::Scalar(number) | Value::Inexact(number, _) => Some(number),
            Value::Uninitialised | Value::Null | Value::Object(_) | Value::Outside { .. } => None,
        }
    }

    /// The object that the value refers to, if any.
    pub fn referent(self) -> Option<ObjectId> {
        match self {
            Value::Object(object) | Value::Outside { part: object, .. } => Some(object),
            Value::Uninitialised | Value::Null | Value::Scalar(_) | Value::Inexact(..) => None,
        }
    }
}

/// Does an object live?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Yes.
    Alive,
    /// It was freed.
    Freed,
    /// It was on the stack, and died with its procedure or block.
    Dead,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Its struct.
    pub structure: StructId,
    /// Where it lives.
    pub region: Region,
    /// Does it live?
    pub status: Status,
    /// How many objects there were when it died. Later ones may have its address.
    pub died_at: Option<usize>,
    /// The values of its fields, in the order of the struct; none are initialised when it is not alive.
    pub fields: Vec<Value>,
    /// The container and the field of which it is a part.
    pub part_of: Option<(ObjectId, FieldId)>,
    /// Has it been reported as leaked?
    pub leaked: bool,
}

/// A call under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The procedure that was called.
    pub procedure: ProcId,
    /// Where it is; during a call, where it will go on.
    pub node: NodeId,
    /// The edge taken last, or the call that is under way.
    pub edge: Option<usize>,
    /// The values of parameters and locals.
    pub values: BTreeMap<VarId, Value>,
    /// The objects that die with it.
    pub owned: Vec<ObjectId>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// All objects ever allocated, by [`ObjectId`].
    pub objects: Vec<Object>,
    /// The values of the global variables.
    pub globals: BTreeMap<VarId, Value>,
    /// The calls under way, the current one last.
    pub frames: Vec<Frame>,
}

impl State {
    /// The state before the entry is called.
    pub(super) fn initial(program: &Program) -> State {
        let globals = program.globals().map(|global| (global, Value::zero(program[global].ty))).collect();
        State { globals, ..State::default() }
    }

    /// The current call.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a call is under way")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    /// Where the current call is.
    pub fn point(&self) -> Point {
        Point { procedure: self.frame().procedure, node: self.frame().node }
    }

    /// The value of a global, or of a variable of the current call.
    pub fn value(&self, variable: VarId) -> Value {
        let value = self.frame().values.get(&variable).or_else(|| self.globals.get(&variable));
        value.copied().unwrap_or(Value::Uninitialised)
    }

    pub(super) fn set(&mut self, variable: VarId, value: Value) {
        match self.globals.get_mut(&variable) {
            Some(global) => *global = value,
            None => drop(self.frame_mut().values.insert(variable, value)),
        }
    }

    /// An object.
    pub fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.index()]
    }

    pub(super) fn object_mut(&mut self, object: ObjectId) -> &mut Object {
        &mut self.objects[object.index()]
    }

    /// Ends the life of an object and its parts; the objects that its fields led to lose these references.
    pub(super) fn kill(&mut self, program: &Program, id: ObjectId, status: Status) {
        let mut open = vec![id];
        let count = self.objects.len();
        while let Some(id) = open.pop() {
            let object = self.object_mut(id);
            let fields = program[object.structure].fields.iter().zip(&object.fields);
            let parts = fields.filter(|(field, _)| program[**field].embedded);
            open.extend(parts.filter_map(|(_, value)| value.referent()));
            object.status = status;
            object.died_at = Some(count);
            object.fields.fill(Value::Uninitialised);
        }
    }

    /// May two pointers to different objects still be equal? The address of an object that is no more may be used
    /// again.
    pub(super) fn may_share_address(&self, left: Value, right: Value) -> bool {
        let (Value::Object(left), Value::Object(right)) = (left, right) else { return false };
        let replaces = |new: ObjectId, old: ObjectId| {
            let died_before = self.object(old).died_at.is_some_and(|count| count <= new.index());
            died_before && self.object(old).region == self.object(new).region
        };
        replaces(left, right) || replaces(right, left)
    }

    /// Which objects can be reached from the variables of any call, from globals, from living objects of the stack and
    /// of static memory, and from `more`? A part leads to its container, as `container_of` does.
    pub fn reachable(&self, more: &[Value]) -> Vec<bool> {
        self.reached(more, |region| region != Region::Heap)
    }

    /// Which objects can be reached from the variables of any call, from globals, and from living objects in these
    /// regions?
    pub fn reached_from(&self, roots: impl Fn(Region) -> bool) -> Vec<bool> {
        self.reached(&[], roots)
    }

    fn reached(&self, more: &[Value], roots: impl Fn(Region) -> bool) -> Vec<bool> {
        let variables = self.globals.values().chain(self.frames.iter().flat_map(|frame| frame.values.values()));
        let mut open: Vec<ObjectId> = variables.chain(more).filter_map(|value| value.referent()).collect();
        let rooted = |object: &Object| roots(object.region) && object.status == Status::Alive;
        open.extend((0..).map(ObjectId).zip(&self.objects).filter(|(_, object)| rooted(object)).map(|(id, _)| id));
        let mut reached = vec![false; self.objects.len()];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                let object = self.object(id);
                open.extend(object.fields.iter().filter_map(|value| value.referent()));
                open.extend(object.part_of.map(|(container, _)| container));
            }
        }
        reached
    }
}
