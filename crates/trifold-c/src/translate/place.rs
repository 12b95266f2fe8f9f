//! Places: objects of C, or parts of them. For example, `p->link` is the part `link` of the object that `p` points to.

use super::layout::{Kind, Slot, Tree};
use crate::types::TypeId;
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::VarId;

/// An object of C, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Points to the object whose fields the leaves are; none if they are variables.
    pub(super) object: Option<VarId>,
    pub(super) tree: Rc<Tree>,
    /// Is it the whole object that `object` points to?
    pub(super) whole: bool,
    pub ty: TypeId,
}

impl Place {
    pub fn of_variables(tree: Rc<Tree>, ty: TypeId) -> Place {
        Place { object: None, tree, whole: false, ty }
    }

    pub fn of_variable(variable: VarId, kind: Kind, ty: TypeId) -> Place {
        Place::of_variables(Rc::new(Tree::Leaf(Slot::Variable(variable), kind)), ty)
    }

    /// The whole object that a variable points to.
    pub fn of_object(pointer: VarId, tree: Rc<Tree>, ty: TypeId) -> Place {
        Place { object: Some(pointer), tree, whole: true, ty }
    }

    /// A part of what an object or variables are.
    pub fn of_part(object: Option<VarId>, tree: Rc<Tree>, ty: TypeId) -> Place {
        Place { object, tree, whole: false, ty }
    }

    /// The bytes of numbers that are not told apart.
    pub fn bytes(&self) -> Option<Bytes> {
        match &*self.tree {
            Tree::Data(slot, offset) => Some(Bytes { slot: *slot, object: self.object, offset: offset.clone() }),
            _ => None,
        }
    }

    /// The same further on, among numbers that are not told apart.
    pub fn moved(&self, further: impl Fn(ir::Expr) -> ir::Expr) -> Place {
        let tree = match &*self.tree {
            Tree::Data(slot, offset) => Tree::Data(*slot, further(offset.clone())),
            Tree::Number(slot, kind, offset) => Tree::Number(*slot, *kind, offset.clone().map(further)),
            _ => return self.clone(),
        };
        Place { tree: Rc::new(tree), ..self.clone() }
    }

    /// The variable that it is, if it is just one.
    pub fn variable(&self) -> Option<VarId> {
        match *self.tree {
            Tree::Leaf(Slot::Variable(variable), _) => Some(variable),
            _ => None,
        }
    }

    /// The variable that points to it, if it is an object.
    pub fn pointer(&self) -> Option<VarId> {
        self.object.filter(|_| self.whole)
    }

    /// The kind of value that it stores, if it is a leaf.
    pub fn kind(&self) -> Option<Kind> {
        match *self.tree {
            Tree::Leaf(_, kind) | Tree::Shared(_, kind) => Some(kind),
            _ => None,
        }
    }

    /// Is nothing known of its content?
    pub fn is_opaque(&self) -> bool {
        matches!(*self.tree, Tree::Opaque(_))
    }

    /// All variables that it consists of.
    pub fn variables(&self) -> Vec<VarId> {
        fn collect(tree: &Tree, found: &mut Vec<VarId>) {
            match tree {
                Tree::Leaf(Slot::Variable(variable), _) => found.push(*variable),
                Tree::Parts(parts) => parts.iter().for_each(|part| collect(part, found)),
                Tree::Union(_, raw) => found.extend(raw.iter().filter_map(|(slot, _)| match slot {
                    Slot::Variable(variable) => Some(*variable),
                    Slot::Field(_) => None,
                })),
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(&self.tree, &mut found);
        found
    }

    /// A place in code that is not reached.
    pub fn nowhere(ty: TypeId) -> Place {
        Place::of_variables(Rc::new(Tree::Opaque("nothing".to_string())), ty)
    }
}

/// A block of memory and the byte in it where something begins.
#[derive(Clone)]
pub(super) struct Bytes {
    pub slot: Slot,
    pub object: Option<VarId>,
    pub offset: ir::Expr,
}
