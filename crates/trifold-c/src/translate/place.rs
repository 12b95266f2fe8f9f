//! Places: objects of C and their parts. For example, `p->link.next` is the part `link.next` of the object that `p`
//! points to, and a struct whose address is not taken is a place of variables.

use super::layout::{Kind, Slot, Tree};
use crate::types::TypeId;
use std::rc::Rc;
use trifold_ir::VarId;

/// An object of C, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Points to the object whose fields the leaves are; none if they are variables.
    pub object: Option<VarId>,
    pub tree: Rc<Tree>,
    /// Is it the whole object that `object` points to?
    pub whole: bool,
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
            Tree::Leaf(_, kind) => Some(kind),
            _ => None,
        }
    }

    /// Is nothing known of its content?
    pub fn is_opaque(&self) -> bool {
        matches!(*self.tree, Tree::Opaque(_) | Tree::Data(_) | Tree::Number(..))
    }

    /// All variables that it consists of.
    pub fn variables(&self) -> Vec<VarId> {
        fn collect(tree: &Tree, found: &mut Vec<VarId>) {
            match tree {
                Tree::Leaf(Slot::Variable(variable), _) => found.push(*variable),
                Tree::Parts(parts) => parts.iter().for_each(|part| collect(part, found)),
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
