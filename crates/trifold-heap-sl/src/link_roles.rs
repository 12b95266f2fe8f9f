//! The roles of fields and variables for shape graphs: which checkers are tried, and which fields matter. For example,
//! `next` leads on, so a list along it is tried; a field that is only written does not matter.
//!
//! # Soundness
//! Roles only suggest checkers. A field counts as unread only if no statement reads it, so its value changes no run.

use crate::checker::define::{Definition, Definitions};
use crate::checker::definition::Checker;
use crate::grain::Numbers;
use crate::layout::Layouts;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;
use trifold_ir::{FieldId, Operand, ProcId, Procedure, Program, Statement, StructId};
use trifold_passes::link_roles::LinkRoles;
use trifold_passes::number_roles::NumberRoles;
use trifold_passes::unread::unread_fields;

/// The shape that elements with several links are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LinkedShape {
    /// Elements of trees.
    #[default]
    Trees,
    /// Elements of lists, which use one of the links; something else hangs below the others.
    Lists,
}

/// The roles of fields and variables. As [`LinkRoles`] it says where fields lead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FieldRoles {
    /// The shape of elements with several links.
    pub shapes: LinkedShape,
    /// Are there elements with several links?
    pub several_links: bool,
    /// Flags, counters and constants.
    pub numbers: NumberRoles,
    /// What becomes of numbers in memory.
    pub data: Numbers,
    links: LinkRoles,
    /// Fields that no statement reads.
    unread: BTreeSet<FieldId>,
    /// The structs with fields that statements read or set.
    used: BTreeSet<StructId>,
    /// The checkers that the program gives.
    given: Vec<Arc<Checker>>,
}

impl Deref for FieldRoles {
    type Target = LinkRoles;

    fn deref(&self) -> &LinkRoles {
        &self.links
    }
}

impl FieldRoles {
    /// The roles that names and the statements of these procedures show.
    pub fn of(program: &Program, layouts: &Layouts, procedures: &[ProcId], shapes: LinkedShape) -> FieldRoles {
        let links = LinkRoles::of(program, procedures);
        let several_links = program.struct_ids().any(|structure| {
            let cells = layouts[structure].cells.iter().filter(|cell| cell.ty.target() == Some(structure));
            cells.filter(|cell| links.leads_on(cell.field)).count() > 1
        });
        // A caller that relies on a contract may read any field.
        let has_contracts = !program.contracts.is_empty();
        let unread = if has_contracts { BTreeSet::new() } else { unread_fields(program, procedures) };
        let numbers = NumberRoles::of(program, procedures);
        let data = Numbers::default();
        let statements = procedures.iter().flat_map(|procedure| &program[*procedure].edges).map(|edge| &edge.statement);
        let fields = statements.filter_map(|statement| match statement {
            Statement::Load { field, .. } | Statement::Store { field, .. } => Some(*field),
            _ => None,
        });
        let used = fields.map(|field| program[field].structure).collect();
        FieldRoles { shapes, several_links, numbers, data, links, unread, used, given: Vec::new() }
    }

    /// With the checkers that the program gives.
    pub fn with_given(mut self, definitions: &Definitions) -> FieldRoles {
        let given = definitions.known.values().filter_map(|definition| match definition {
            Definition::Inductive(inductive) => Some(inductive.checker.clone()),
            Definition::Plain(..) => None,
        });
        self.given.extend(given);
        self
    }

    /// The checkers that the program gives.
    pub fn given(&self) -> &[Arc<Checker>] {
        &self.given
    }

    /// Does the program give a checker?
    pub fn is_given(&self, checker: &Arc<Checker>) -> bool {
        self.given.contains(checker)
    }

    /// Does no statement read a field, so that its value does not matter?
    pub fn is_unread(&self, field: FieldId) -> bool {
        self.unread.contains(&field)
    }

    /// Is it only where they are that matters of objects of a struct? Data that a container holds for others is an
    /// example.
    pub fn is_opaque(&self, structure: StructId) -> bool {
        !self.used.contains(&structure)
    }

    /// A procedure that stores nothing to fields that no statement reads.
    pub fn without_unread(&self, procedure: &Procedure) -> Procedure {
        let mut procedure = procedure.clone();
        for edge in &mut procedure.edges {
            if let Statement::Store { field, value, .. } = &mut edge.statement
                && self.is_unread(*field)
            {
                *value = Operand::Uninitialised;
            }
        }
        procedure
    }
}
