//! Classes of pointers that may be equal, with what is known of each. For example, after `q = p; free(q);` the class of
//! `p` and `q` is one that is freed.

use crate::typed::DeclarationId;
use crate::types::RecordId;
use std::collections::{BTreeMap, BTreeSet};

/// A member of a struct.
pub(super) type Field = (RecordId, usize);

/// What a function does with one parameter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Fate {
    /// The object is freed.
    pub freed: bool,
    /// It points to a pointer, and the object of that one is freed.
    pub target_freed: bool,
    /// So is what hangs below it: the parameter goes on to other objects, or the function calls itself.
    pub deep: bool,
    /// A pointer to it stays in memory.
    pub kept: bool,
    /// The members in which it stays.
    pub kept_in: BTreeSet<Field>,
    /// It is compared with NULL.
    pub tested: bool,
    /// What it points to is read.
    pub read: bool,
    /// What it points to is written.
    pub written: bool,
    /// All of what it points to is written.
    pub overwritten: bool,
    /// The members of what it points to that are written.
    pub written_in: BTreeSet<Field>,
    /// Elements after the one that it points to are used.
    pub indexed: bool,
    /// It points to a pointer, to which the function gives an object that it has made.
    pub gives_fresh: bool,
}

/// Identifies a class, until it is [unified](Classes::unify) with another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Class(usize);

/// What is known of the pointers of a class.
#[derive(Clone, Default, Debug)]
pub(super) struct Value {
    /// One was allocated here.
    pub fresh: bool,
    /// One was loaded from memory.
    pub loaded: bool,
    pub freed: bool,
    pub deep: bool,
    /// One stays in memory.
    pub kept: bool,
    /// The members in which they stay.
    pub kept_in: BTreeSet<Field>,
    pub tested: bool,
    pub read: bool,
    pub written: bool,
    pub overwritten: bool,
    pub written_in: BTreeSet<Field>,
    pub indexed: bool,
    /// The members from which they were loaded.
    members: BTreeSet<Field>,
    /// The pointers to pointers through which they were loaded.
    through: BTreeSet<Class>,
}

/// All classes of a function.
#[derive(Default)]
pub(super) struct Classes {
    /// By class: the class that it has become, and its values if it is still itself.
    parents: Vec<usize>,
    values: Vec<Value>,
    variables: BTreeMap<DeclarationId, Class>,
    /// Pointers to variables.
    addresses: BTreeMap<DeclarationId, Class>,
    parameters: BTreeSet<DeclarationId>,
    returned: Option<Class>,
    /// Which class is stored into objects of which other, and in which member.
    stores: Vec<(Class, Class, Option<Field>)>,
    /// Pointers to links of objects, with the objects.
    links: Vec<(Class, Class)>,
}

impl Classes {
    fn new_class(&mut self, value: Value) -> Class {
        self.parents.push(self.parents.len());
        self.values.push(value);
        Class(self.parents.len() - 1)
    }

    fn root(&mut self, class: Class) -> Class {
        let mut at = class.0;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        Class(at)
    }

    pub fn parameter(&mut self, id: DeclarationId) {
        self.parameters.insert(id);
        self.variable(id);
    }

    pub fn variable(&mut self, id: DeclarationId) -> Class {
        if let Some(class) = self.variables.get(&id) {
            return *class;
        }
        let class = self.new_class(Value::default());
        self.variables.insert(id, class);
        class
    }

    /// The class of a variable, as it is now.
    pub fn of(&mut self, id: DeclarationId) -> Class {
        let class = self.variable(id);
        self.root(class)
    }

    /// The class of pointers to a variable.
    pub fn address(&mut self, id: DeclarationId) -> Class {
        if let Some(class) = self.addresses.get(&id) {
            return *class;
        }
        let class = self.new_class(Value::default());
        self.addresses.insert(id, class);
        class
    }

    /// A new class of pointers to a link of an object.
    pub fn inside(&mut self, object: Class) -> Class {
        let class = self.new_class(Value::default());
        self.links.push((class, object));
        class
    }

    /// A function has put a new object where a pointer leads: into a variable, if it is one to a variable.
    pub fn give_fresh(&mut self, address: Class) {
        let found = self.addresses.iter().find(|(_, class)| **class == address).map(|(id, _)| *id);
        if let Some(variable) = found {
            let class = self.variable(variable);
            self.mark(class, |value| value.fresh = true);
        } else {
            let made = self.new_class(Value { fresh: true, ..Value::default() });
            self.store(made, address, None);
        }
    }

    /// The class of results.
    pub fn returned(&mut self) -> Class {
        let class = match self.returned {
            Some(class) => class,
            None => self.new_class(Value::default()),
        };
        self.returned = Some(class);
        self.root(class)
    }

    /// A new class of pointers from memory.
    pub fn loaded(&mut self) -> Class {
        self.new_class(Value { loaded: true, ..Value::default() })
    }

    /// The same, for pointers that were in a member of an object, or in all of it.
    pub fn loaded_through(&mut self, object: Option<Class>, field: Option<Field>) -> Class {
        let through = object.filter(|_| field.is_none());
        let (members, through) = (field.into_iter().collect(), through.into_iter().collect());
        self.new_class(Value { loaded: true, members, through, ..Value::default() })
    }

    pub fn value(&mut self, class: Class) -> &Value {
        let root = self.root(class);
        &self.values[root.0]
    }

    pub fn mark(&mut self, class: Class, change: impl FnOnce(&mut Value)) {
        let root = self.root(class);
        change(&mut self.values[root.0]);
    }

    pub fn unify(&mut self, a: Class, b: Class) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let other = std::mem::take(&mut self.values[b.0]);
        self.parents[b.0] = a.0;
        let value = &mut self.values[a.0];
        value.fresh |= other.fresh;
        value.loaded |= other.loaded;
        value.freed |= other.freed;
        value.deep |= other.deep;
        value.kept |= other.kept;
        value.tested |= other.tested;
        value.read |= other.read;
        value.written |= other.written;
        value.overwritten |= other.overwritten;
        value.written_in.extend(other.written_in);
        value.indexed |= other.indexed;
        value.kept_in.extend(other.kept_in);
        value.members.extend(other.members);
        value.through.extend(other.through);
    }

    pub fn store(&mut self, value: Class, object: Class, field: Option<Field>) {
        self.stores.push((value, object, field));
    }

    /// Does a pointer of the class stay in memory: in a global variable, or in objects of another class?
    pub fn is_kept(&mut self, class: Class) -> bool {
        let class = self.root(class);
        let stores = self.stores.clone();
        let mut kept = self.values[class.0].kept;
        for (value, object, field) in stores {
            let (value, object) = (self.root(value), self.root(object));
            // `*out = new` gives an object to the caller, if nothing was there before.
            let is_given = field.is_none() && !self.values[object.0].read && self.is_parameter(object);
            kept |= value == class && object != class && !is_given;
        }
        kept
    }

    fn is_parameter(&mut self, class: Class) -> bool {
        let parameters: Vec<DeclarationId> = self.parameters.iter().copied().collect();
        parameters.into_iter().any(|id| self.of(id) == class)
    }

    /// What happens to a parameter.
    pub fn fate(&mut self, id: DeclarationId) -> Fate {
        let class = self.of(id);
        let kept = self.is_kept(class);
        let gives_fresh = self.stores.clone().into_iter().any(|(value, object, field)| {
            field.is_none() && self.root(object) == class && self.value(value).fresh && !self.is_kept(value)
        });
        let mut kept_in = self.value(class).kept_in.clone();
        for (value, object, field) in self.stores.clone() {
            let is_other = self.root(value) == class && self.root(object) != class;
            kept_in.extend(field.filter(|_| is_other));
        }
        let freed_values: Vec<Value> = self.values.iter().filter(|value| value.freed).cloned().collect();
        let mut through = freed_values.iter().flat_map(|value| &value.through);
        let target_freed = through.any(|pointer| self.root(*pointer) == class);
        let written_in = self.value(class).written_in.clone();
        let Value { freed, deep, loaded, tested, mut read, mut written, overwritten, indexed, .. } = *self.value(class);
        for (link, object) in self.links.clone() {
            if self.root(object) == class {
                read |= self.value(link).read;
                written |= self.value(link).written;
            }
        }
        let deep = deep || freed && loaded;
        let gives_fresh = gives_fresh && !read;
        Fate {
            freed,
            target_freed,
            deep,
            kept,
            kept_in,
            tested,
            read,
            written,
            overwritten,
            written_in,
            indexed,
            gives_fresh,
        }
    }

    /// The members of which the objects that they point to are freed.
    pub fn owning(&mut self) -> Vec<Field> {
        let roots = (0..self.parents.len()).filter(|index| self.parents[*index] == *index);
        roots.filter(|root| self.values[*root].freed).flat_map(|root| self.values[root].members.clone()).collect()
    }
}
