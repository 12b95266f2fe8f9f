//! How objects are laid out: the parts of a struct and the cells in them.
//!
//! A heap program gives every struct inside a struct an object of its own. Objects that are allocated and freed
//! together are one *block* here: its parts, the outermost first, and the cells of all parts in one row. Embedded
//! fields are no cells; they are addresses of parts. For example, `struct item { int d; struct head link; }` with
//! `struct head { struct head *next; }` has two parts, the item and its `link`, and the cells `d` and `link.next`.

use trifold_ir::{FieldId, Program, StructId, Type};

/// A part of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its struct.
    pub structure: StructId,
    /// The part around it, and the field that it is there; none for the block as a whole.
    pub of: Option<(usize, FieldId)>,
}

/// A cell of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The part that it belongs to.
    pub part: usize,
    /// The field that it is there.
    pub field: FieldId,
    /// The type of its value.
    pub ty: Type,
}

/// The parts and cells of the blocks of a struct.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The block as a whole, then its embedded parts.
    pub parts: Vec<Part>,
    /// The cells of all parts.
    pub cells: Vec<Cell>,
}

impl Layout {
    fn of(program: &Program, structure: StructId) -> Layout {
        let mut layout = Layout { parts: vec![Part { structure, of: None }], cells: Vec::new() };
        let mut next = 0;
        while let Some(part) = layout.parts.get(next).cloned() {
            for field in &program[part.structure].fields {
                let ty = program[*field].ty;
                match ty.target().filter(|_| program[*field].embedded) {
                    Some(structure) => layout.parts.push(Part { structure, of: Some((next, *field)) }),
                    None => layout.cells.push(Cell { part: next, field: *field, ty }),
                }
            }
            next += 1;
        }
        layout
    }

    /// The part that an embedded field of a part is.
    pub fn part(&self, of: usize, field: FieldId) -> Option<usize> {
        self.parts.iter().position(|part| part.of == Some((of, field)))
    }

    /// The cell of a field of a part.
    pub fn cell(&self, part: usize, field: FieldId) -> Option<usize> {
        self.cells.iter().position(|cell| (cell.part, cell.field) == (part, field))
    }
}

/// The layouts of all structs of a program, by [`StructId`].
#[derive(Clone, Debug)]
pub struct Layouts(Vec<Layout>);

impl Layouts {
    /// Lays out all structs.
    pub fn new(program: &Program) -> Layouts {
        Layouts(program.struct_ids().map(|id| Layout::of(program, id)).collect())
    }
}

impl std::ops::Index<StructId> for Layouts {
    type Output = Layout;

    fn index(&self, structure: StructId) -> &Layout {
        &self.0[structure.index()]
    }
}
