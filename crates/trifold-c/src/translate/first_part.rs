//! `free` of a pointer to the first part of an object.
//!
//! C allows it, because the part has the address of the whole. Here they are different objects, so that a heap program would
//! call it an error. Where such a pointer may be freed, that is not analysed.

use super::Translator;
use std::collections::BTreeSet;
use trifold_ir::{Region, Statement, StructId};

impl Translator<'_> {
    /// To be called when all procedures are there, because it depends on which structs are allocated on the heap.
    pub(super) fn mark_frees_of_first_parts(&mut self) {
        let parts = self.first_parts_on_heap();
        if parts.is_empty() {
            return;
        }
        let types = &self.c.types;
        let is_made_void = |part: &StructId| {
            let ty = self.type_of_struct(*part);
            self.survey.made_void.iter().any(|made| types.compatible(*made, ty, false))
        };
        let by_void = parts.iter().any(is_made_void);
        let variables = &self.ir.variables;
        for procedure in &mut self.ir.procedures {
            for edge in &mut procedure.edges {
                let Statement::Free { pointer } = edge.statement else { continue };
                let target = variables[pointer.index()].ty.target();
                if target.map_or(by_void, |target| parts.contains(&target)) {
                    let text = "`free` of what may be the first member of a struct".to_string();
                    edge.statement = Statement::Unsupported { text };
                }
            }
        }
    }

    /// The structs of parts that objects of the heap begin with.
    fn first_parts_on_heap(&self) -> BTreeSet<StructId> {
        let edges = self.ir.procedures.iter().flat_map(|procedure| &procedure.edges);
        let allocated = edges.filter_map(|edge| match edge.statement {
            Statement::Allocate { structure, region: Region::Heap, .. } => Some(structure),
            _ => None,
        });
        let mut found = BTreeSet::new();
        for mut structure in allocated {
            while let Some(part) = self.first_part(structure)
                && found.insert(part)
            {
                structure = part;
            }
        }
        found
    }

    fn first_part(&self, structure: StructId) -> Option<StructId> {
        let first = &self.ir[*self.ir[structure].fields.first()?];
        first.ty.target().filter(|_| first.embedded)
    }
}
