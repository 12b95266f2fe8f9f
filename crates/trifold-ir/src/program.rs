//! Programs: structs, variables and procedures, and how they are put together.

use crate::contract::Contract;
use crate::ids::{FieldId, NodeId, ProcId, StructId, VarId};
use crate::operand::Expr;
use crate::scalar::Scalar;
use crate::statement::Statement;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use trifold_source::Span;

/// A program. It starts with the call of its `entry`, when every global variable is null or zero.
///
/// Spans lead into the `SourceMap` that the front end hands out together with the program.
///
/// A front end whose language has initialised globals makes a procedure that initialises them and calls `main`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// By [`StructId`].
    pub structs: Vec<Struct>,
    /// The fields of all structs, by [`FieldId`].
    pub fields: Vec<Field>,
    /// The globals and the variables of all procedures, by [`VarId`].
    pub variables: Vec<Variable>,
    /// By [`ProcId`].
    pub procedures: Vec<Procedure>,
    /// Where execution starts; a library has none.
    pub entry: Option<ProcId>,
    /// The procedures that stand for others with contracts. They are not part of a program's text.
    pub contracts: BTreeMap<ProcId, Contract>,
}

/// The type of a variable or field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A pointer to objects of a struct; with `None` to objects of any struct, and then it cannot be dereferenced.
    Pointer(Option<StructId>),
    /// A number or a truth value.
    Scalar(Scalar),
}

impl Type {
    /// Is it a pointer?
    pub fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    /// The struct that it points to, if that is known.
    pub fn target(self) -> Option<StructId> {
        match self {
            Type::Pointer(target) => target,
            Type::Scalar(_) => None,
        }
    }

    /// May a value of type `from` be assigned to this one? Pointers to anything convert both ways.
    pub fn accepts(self, from: Type) -> bool {
        self == from || matches!((self, from), (Type::Pointer(a), Type::Pointer(b)) if a.is_none() || b.is_none())
    }
}

/// A kind of objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struct {
    /// A name that no other struct has.
    pub name: String,
    /// Its fields, in the order of declaration.
    pub fields: Vec<FieldId>,
    /// The declaration.
    pub span: Span,
}

/// A field of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// A name that no other field of the struct has.
    pub name: String,
    /// The struct.
    pub structure: StructId,
    /// The position among the fields of the struct.
    pub position: usize,
    /// The type.
    pub ty: Type,
    /// Is it an immutable pointer to a part of the object? The part is an object that is allocated and freed together
    /// with its container. It cannot be freed alone. [`Statement::Owner`] leads back to the container.
    ///
    /// The container and its first part have the same address in C, but are different objects here. To free an object
    /// of the heap by a pointer to its first part, which C allows, is not analysed.
    pub embedded: bool,
    /// The declaration.
    pub span: Span,
}

/// Where a variable is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Everywhere, for ever.
    Global,
    /// In a call of a procedure, as a parameter.
    Parameter(ProcId),
    /// In a call of a procedure.
    Local(ProcId),
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// A name that is unique among the globals and the variables of its procedure.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// Where it is known.
    pub scope: Scope,
    /// The declaration.
    pub span: Span,
}

/// A procedure: a control-flow graph with one entry and one exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// A name that no other procedure has.
    pub name: String,
    /// The parameters, which get the values of the arguments.
    pub parameters: Vec<VarId>,
    /// The other variables. They are uninitialised at first.
    pub locals: Vec<VarId>,
    /// The local whose value at the exit is the result of the call.
    pub result: Option<VarId>,
    /// The program points, by [`NodeId`].
    pub nodes: Vec<Node>,
    /// The statements.
    pub edges: Vec<Edge>,
    /// Where a call starts.
    pub entry: NodeId,
    /// Where a call ends: edges to the exit carry [`Statement::Return`], or do not fall through.
    pub exit: NodeId,
    /// The definition.
    pub span: Span,
}

/// A program point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// A name from the source, if it has one.
    pub label: Option<String>,
    /// Do the iterations of a loop begin here?
    pub loop_head: bool,
}

/// A statement on its way from one program point to another.
///
/// When several edges leave a node, any of them may be taken; [`Statement::Assume`] says under which conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Before the statement.
    pub from: NodeId,
    /// After it.
    pub to: NodeId,
    /// Its statement.
    pub statement: Statement,
    /// Where it comes from.
    pub span: Span,
}

impl Program {
    /// Can a statement lose a reference to an object? A call loses none before it returns.
    pub fn may_lose_reference(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Free { .. } | Statement::EndLife { .. } | Statement::Return => true,
            Statement::Store { field, .. } => self[*field].ty.is_pointer(),
            Statement::Call { .. } => false,
            _ => statement.assigned().is_some_and(|to| self[to].ty.is_pointer()),
        }
    }

    /// Adds a struct without fields.
    pub fn add_struct(&mut self, name: &str, span: Span) -> StructId {
        self.structs.push(Struct { name: name.to_string(), fields: Vec::new(), span });
        StructId::from_index(self.structs.len() - 1)
    }

    /// Adds a field to a struct, after those it has.
    pub fn add_field(&mut self, structure: StructId, name: &str, ty: Type, embedded: bool, span: Span) -> FieldId {
        let id = FieldId::from_index(self.fields.len());
        let position = self[structure].fields.len();
        self[structure].fields.push(id);
        self.fields.push(Field { name: name.to_string(), structure, position, ty, embedded, span });
        id
    }

    /// Adds a procedure without variables, whose nodes are just its entry and its exit.
    pub fn add_procedure(&mut self, name: &str, span: Span) -> ProcId {
        self.procedures.push(Procedure {
            name: name.to_string(),
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            nodes: vec![Node::default(), Node::default()],
            edges: Vec::new(),
            entry: NodeId(0),
            exit: NodeId(1),
            span,
        });
        ProcId::from_index(self.procedures.len() - 1)
    }

    /// Adds a variable; a parameter comes after the parameters the procedure has.
    pub fn add_variable(&mut self, name: &str, ty: Type, scope: Scope, span: Span) -> VarId {
        let id = VarId::from_index(self.variables.len());
        self.variables.push(Variable { name: name.to_string(), ty, scope, span });
        match scope {
            Scope::Global => {}
            Scope::Parameter(procedure) => self[procedure].parameters.push(id),
            Scope::Local(procedure) => self[procedure].locals.push(id),
        }
        id
    }

    /// The global variables.
    pub fn globals(&self) -> impl Iterator<Item = VarId> {
        let globals = self.variables.iter().enumerate().filter(|(_, variable)| variable.scope == Scope::Global);
        globals.map(|(index, _)| VarId::from_index(index))
    }

    /// The numbers of all structs.
    pub fn struct_ids(&self) -> impl Iterator<Item = StructId> + use<> {
        (0..self.structs.len()).map(StructId::from_index)
    }

    /// The numbers of all procedures.
    pub fn procedure_ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procedures.len()).map(ProcId::from_index)
    }

    /// The struct with a name.
    pub fn struct_named(&self, name: &str) -> Option<StructId> {
        self.struct_ids().find(|id| self[*id].name == name)
    }

    /// The field of a struct with a name.
    pub fn field_named(&self, structure: StructId, name: &str) -> Option<FieldId> {
        self[structure].fields.iter().copied().find(|field| self[*field].name == name)
    }

    /// The structs of the embedded fields of a struct.
    pub fn parts(&self, structure: &Struct) -> Vec<StructId> {
        let embedded = structure.fields.iter().map(|field| &self[*field]).filter(|field| field.embedded);
        embedded.filter_map(|field| field.ty.target()).collect()
    }

    /// The procedure with a name.
    pub fn procedure_named(&self, name: &str) -> Option<ProcId> {
        self.procedure_ids().find(|id| self[*id].name == name)
    }

    /// The variable with a name that is known in a procedure.
    pub fn variable_named(&self, procedure: ProcId, name: &str) -> Option<VarId> {
        self[procedure].variables().chain(self.globals()).find(|variable| self[*variable].name == name)
    }

    /// The type of an expression, taking for granted that operands agree.
    pub fn scalar_of(&self, expr: &Expr) -> Option<Scalar> {
        match expr {
            Expr::Constant(_, scalar) | Expr::Convert(scalar, _) => Some(*scalar),
            Expr::Unary(_, operand) => self.scalar_of(operand),
            Expr::Binary(op, left, _) => self.scalar_of(left).map(|operands| op.result(operands)),
            Expr::Variable(variable) => match self.variables.get(variable.index())?.ty {
                Type::Scalar(scalar) => Some(scalar),
                Type::Pointer(_) => None,
            },
        }
    }
}

impl Procedure {
    /// Parameters and locals.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        self.parameters.iter().chain(&self.locals).copied()
    }

    /// The numbers of all nodes.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// Adds a node.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::from_index(self.nodes.len() - 1)
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId, statement: Statement, span: Span) {
        self.edges.push(Edge { from, to, statement, span });
    }

    /// The edges that leave each node, by index.
    pub fn edges_from(&self) -> Vec<Vec<usize>> {
        let mut leaving = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            leaving[edge.from.index()].push(index);
        }
        leaving
    }
}

macro_rules! index {
    ($($id:ident => $table:ident: $item:ty;)*) => {$(
        impl Index<$id> for Program {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$table[id.index()]
            }
        }

        impl IndexMut<$id> for Program {
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.$table[id.index()]
            }
        }
    )*};
}

index! {
    StructId => structs: Struct;
    FieldId => fields: Field;
    VarId => variables: Variable;
    ProcId => procedures: Procedure;
}
