//! The effects of statements on graphs [ChangRN07 §4.1].
//!
//! A statement looks at the block that a variable points to, which is [made explicit](Transfer::resolve) first; its
//! update is strong, because regions share nothing. For example, `x->next = null` on `α.node_list()`, where `x` is α,
//! gives `α ↦ node{next: null} * β.node_list()`, and a fault, because `x` may be null. A fault ends the path, as in the
//! interpreter. A statement that is not understood is a finding, too, not analysed; the memory that it may change
//! becomes [⊤](crate::graph::top).

use crate::checker::definition::Wild;
use crate::graph::pointer_equality::compare;
use crate::graph::scalars::anything;
use crate::graph::shape_graph::{Block, Kind, NULL, ShapeGraph, Site, Symbol};
use crate::graph::top::unknown;
use crate::layout::{Cell, Layouts};
use crate::link_roles::FieldRoles;
use trifold_ir::{
    Condition, FieldId, FindingKind, Operand, Program, Region, Statement, StructId, Type, VarId, show_condition,
};
use trifold_work::listen;

/// Something that may go wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FindingKind,
    /// The message.
    pub text: String,
    /// Does the analysis go on after a statement that is not analysed, with [⊤](crate::Top) for the unknown part?
    pub goes_on: bool,
}

impl Fault {
    /// Something that is not analysed, after which the analysis goes on.
    pub(crate) fn given_up(text: String) -> Fault {
        Fault { kind: FindingKind::NotAnalysed, text, goes_on: true }
    }
}

/// The effects of a statement.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The graphs after it.
    pub graphs: Vec<ShapeGraph>,
    /// The faults that may happen.
    pub faults: Vec<Fault>,
}

impl Effects {
    fn fault(&mut self, kind: FindingKind, text: String) {
        let goes_on = kind != FindingKind::NotAnalysed;
        self.faults.push(Fault { kind, text, goes_on });
    }

    fn given_up(&mut self, text: String) {
        self.faults.push(Fault::given_up(text));
    }
}

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A part of a block.
    Block(usize, usize),
    /// In ⊤.
    Top,
    /// It is not known where.
    Anywhere,
}

/// Splits of one graph by one statement; more are given up.
const MAX_SPLITS: usize = 200;

/// The statements of a program.
#[derive(Clone, Copy)]
pub struct Transfer<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its layouts.
    pub layouts: &'p Layouts,
    /// The roles of its fields.
    pub roles: &'p FieldRoles,
}

impl Transfer<'_> {
    /// The effects of a statement that is neither a call nor a return.
    pub fn statement(&self, mut graph: ShapeGraph, statement: &Statement) -> Effects {
        let mut effects = Effects::default();
        match statement {
            Statement::Skip => effects.graphs.push(graph),
            Statement::Set { to, value } => {
                let value = self.operand(&mut graph, value, self.program[*to].ty);
                graph.write(self.program, *to, value);
                effects.graphs.push(graph);
            }
            Statement::Nondet { to, range, meaning: _ } => {
                let kind = range.map_or_else(|| anything(self.program[*to].ty), Kind::Scalar);
                let value = graph.fresh(kind);
                graph.write(self.program, *to, value);
                effects.graphs.push(graph);
            }
            Statement::Load { to, object, field } => self.load(graph, *to, *object, *field, &mut effects),
            Statement::Store { object, field, value } => self.store(graph, *object, *field, value, &mut effects),
            Statement::Owner { to, part, field } => self.owner(graph, *to, *part, *field, &mut effects),
            Statement::Allocate { to, structure, region, zeroed, may_fail } => {
                if *may_fail {
                    let mut failed = graph.clone();
                    failed.write(self.program, *to, NULL);
                    effects.graphs.push(failed);
                }
                let address = self.allocate(&mut graph, *structure, *region, *zeroed);
                graph.write(self.program, *to, address);
                effects.graphs.push(graph);
            }
            Statement::Free { pointer } => self.free(graph, *pointer, &mut effects),
            Statement::EndLife { object } => self.end_life(graph, *object, &mut effects),
            Statement::Assume(condition) => {
                let holds = self.holds(graph, condition, &mut effects);
                effects.graphs.extend(holds.into_iter().filter(|(_, truth)| *truth != Some(false)).map(|(g, _)| g));
            }
            Statement::Assert(condition) => {
                for (graph, truth) in self.holds(graph, condition, &mut effects) {
                    if truth != Some(true) {
                        let text = format!("`{}` may not hold", show_condition(self.program, condition));
                        effects.fault(FindingKind::Assertion, text);
                    }
                    if truth != Some(false) {
                        effects.graphs.push(graph);
                    }
                }
            }
            Statement::Error { kind, text } => effects.fault(*kind, text.clone()),
            Statement::Stop => {}
            Statement::UnknownCall { to, name, arguments } => {
                effects.given_up(format!("nothing is known about `{name}`"));
                let passed: Vec<Symbol> = arguments
                    .iter()
                    .filter(|argument| matches!(argument, Operand::Pointer(_)))
                    .map(|argument| self.operand(&mut graph, argument, Type::Pointer(None)))
                    .collect();
                graph.call_unknown(&passed, self.program, self.layouts, self.roles);
                if let Some(to) = to {
                    let value = graph.fresh(unknown(self.program[*to].ty));
                    graph.write(self.program, *to, value);
                }
                effects.graphs.push(graph);
            }
            Statement::Unsupported { text } => effects.fault(FindingKind::NotAnalysed, text.clone()),
            Statement::Call { .. } | Statement::Return => unreachable!("calls and returns lead to other procedures"),
        }
        effects.faults.sort();
        effects.faults.dedup();
        effects
    }

    /// The value of an operand that something of this type gets.
    pub fn operand(&self, graph: &mut ShapeGraph, operand: &Operand, ty: Type) -> Symbol {
        match operand {
            Operand::Null => NULL,
            Operand::Pointer(variable) => graph.read(self.program, *variable),
            Operand::Scalar(expr) => graph.expression(self.program, expr),
            Operand::Uninitialised => graph.fresh(uninitialised(ty)),
        }
    }

    /// Unfolds until the value of a variable is a part of a block, or certainly no address in a region.
    fn resolve(&self, graph: ShapeGraph, variable: VarId, effects: &mut Effects) -> Vec<ShapeGraph> {
        let (mut open, mut done) = (vec![graph], Vec::new());
        for _ in 0..MAX_SPLITS {
            listen();
            let Some(mut graph) = open.pop() else { return done };
            let symbol = graph.read(self.program, variable);
            let edge = match graph.site(symbol) {
                None | Some(Site::Block(..)) => {
                    done.push(graph);
                    continue;
                }
                Some(Site::Source(edge)) => {
                    open.extend(graph.unfold_first(edge, self.layouts));
                    edge
                }
                Some(Site::Last(edge, param)) => {
                    open.extend(graph.unfold_last(edge, param, self.layouts));
                    edge
                }
            };
            if graph.edges[edge].min == 0 {
                open.extend(graph.unfold_empty(edge));
            }
        }
        let name = &self.program[variable].name;
        effects.given_up(format!("there are too many cases of what `{name}` points to"));
        for mut graph in open {
            let symbol = graph.read(self.program, variable);
            graph.give_up(&[symbol], self.layouts, self.roles);
            done.push(graph);
        }
        done
    }

    /// The graphs in which a variable points to a living object, and where that is; its other values are faults.
    fn dereference(&self, graph: ShapeGraph, variable: VarId, effects: &mut Effects) -> Vec<(ShapeGraph, Place)> {
        let name = &self.program[variable].name;
        let mut alive = Vec::new();
        for mut graph in self.resolve(graph, variable, effects) {
            let symbol = graph.read(self.program, variable);
            if let Some((block, part)) = graph.block(symbol) {
                alive.push((graph, Place::Block(block, part)));
                continue;
            }
            let faults: &[(Wild, FindingKind, &str)] = &[
                (Wild::NULL, FindingKind::NullDereference, "be null"),
                (Wild::UNINITIALISED, FindingKind::UninitialisedPointer, "have no value"),
                (Wild::FREED, FindingKind::UseAfterFree, "point to a freed object"),
                (Wild::FREED_PART, FindingKind::UseAfterFree, "point to a freed object"),
                (Wild::DEAD, FindingKind::DanglingStackPointer, "point to a variable that is no more"),
            ];
            match graph.kind(symbol) {
                Kind::Null => effects.fault(FindingKind::NullDereference, format!("`{name}` may be null")),
                Kind::Wild(wild) => {
                    for (_, kind, what) in faults.iter().filter(|(one, ..)| wild.has(*one)) {
                        effects.fault(*kind, format!("`{name}` may {what}"));
                    }
                    // That something may be wrong in ⊤ is not said again.
                    if wild.has(Wild::TOP) {
                        graph.kinds[symbol.index()] = Kind::Wild(Wild::TOP);
                        alive.push((graph, Place::Top));
                    }
                }
                Kind::Outside(..) => {
                    effects.fault(FindingKind::InvalidDereference, format!("`{name}` may point to no object"));
                }
                Kind::Pointer | Kind::Scalar(_) => {
                    effects.given_up(format!("too little is known about where `{name}` points"));
                    alive.push((graph, Place::Anywhere));
                }
            }
        }
        alive
    }

    /// As above, where the object must have a field.
    fn object_with(
        &self,
        graph: ShapeGraph,
        variable: VarId,
        field: FieldId,
        effects: &mut Effects,
    ) -> Vec<(ShapeGraph, Place)> {
        let mut alive = self.dereference(graph, variable, effects);
        for (graph, place) in &mut alive {
            let Place::Block(block, part) = *place else { continue };
            let found = self.layouts[graph.blocks[block].structure].parts[part].structure;
            let expected = self.program[field].structure;
            if found != expected {
                let (found, expected) = (&self.program[found].name, &self.program[expected].name);
                effects.given_up(format!("an object of `{found}` may be used as one of `{expected}`"));
                let object = graph.blocks[block].parts[part];
                graph.give_up(&[object], self.layouts, self.roles);
                *place = Place::Top;
            }
        }
        alive
    }

    fn load(&self, mut graph: ShapeGraph, to: VarId, object: VarId, field: FieldId, effects: &mut Effects) {
        let symbol = graph.read(self.program, object);
        if let Kind::Outside(part, of) = graph.kind(symbol)
            && of == field
        {
            graph.write(self.program, to, part);
            return effects.graphs.push(graph);
        }
        for (mut graph, place) in self.object_with(graph, object, field, effects) {
            let value = match place {
                Place::Block(block, part) => {
                    let (layout, known) = (&self.layouts[graph.blocks[block].structure], &graph.blocks[block]);
                    let embedded = || layout.part(part, field).map(|inner| known.parts[inner]);
                    let value = layout.cell(part, field).map(|cell| known.cells[cell]).or_else(embedded);
                    value.expect("a field is a cell or a part")
                }
                Place::Top => graph.fresh(unknown(self.program[to].ty)),
                Place::Anywhere => graph.fresh(anything(self.program[to].ty)),
            };
            graph.write(self.program, to, value);
            effects.graphs.push(graph);
        }
    }

    fn store(&self, graph: ShapeGraph, object: VarId, field: FieldId, value: &Operand, effects: &mut Effects) {
        for (mut graph, place) in self.object_with(graph, object, field, effects) {
            let value = match self.roles.is_unread(field) {
                true => graph.fresh(anything(self.program[field].ty)),
                false => self.operand(&mut graph, value, self.program[field].ty),
            };
            match place {
                Place::Block(block, part) => {
                    let cell = self.layouts[graph.blocks[block].structure].cell(part, field);
                    graph.blocks[block].cells[cell.expect("embedded fields are not stored to")] = value;
                }
                Place::Top if self.roles.is_unread(field) => {}
                Place::Top => graph.give_up(&[value], self.layouts, self.roles),
                Place::Anywhere => graph.give_up_all(),
            }
            effects.graphs.push(graph);
        }
    }

    fn owner(&self, mut graph: ShapeGraph, to: VarId, part: VarId, field: FieldId, effects: &mut Effects) {
        let symbol = graph.read(self.program, part);
        if let Kind::Outside(..) = graph.kind(symbol) {
            effects.given_up("the owner of something that is no object".to_string());
            graph.give_up(&[symbol], self.layouts, self.roles);
        }
        for (mut graph, place) in self.dereference(graph, part, effects) {
            let owner = match place {
                Place::Block(block, number) => {
                    let known = &graph.blocks[block];
                    match self.layouts[known.structure].parts[number].of {
                        Some((owner, of)) if of == field => known.parts[owner],
                        _ => graph.outside(known.parts[number], field),
                    }
                }
                Place::Top => graph.fresh(Kind::Wild(Wild::TOP)),
                Place::Anywhere => graph.fresh(Kind::Pointer),
            };
            graph.write(self.program, to, owner);
            effects.graphs.push(graph);
        }
    }

    fn allocate(&self, graph: &mut ShapeGraph, structure: StructId, region: Region, zeroed: bool) -> Symbol {
        let layout = &self.layouts[structure];
        let parts: Vec<Symbol> = layout.parts.iter().map(|_| graph.fresh(Kind::Pointer)).collect();
        let first = |cell: &Cell| match cell.ty {
            ty if self.roles.is_unread(cell.field) => anything(ty),
            Type::Pointer(_) if zeroed => Kind::Null,
            Type::Scalar(_) if zeroed => Kind::Scalar((0, 0)),
            ty => uninitialised(ty),
        };
        let cells = layout.cells.iter().map(|cell| graph.fresh(first(cell))).collect();
        let (address, depth) = (parts[0], if region == Region::Stack { graph.frames.len() } else { 0 });
        graph.blocks.push(Block { parts, cells, structure, region, depth });
        address
    }

    fn free(&self, graph: ShapeGraph, pointer: VarId, effects: &mut Effects) {
        let name = &self.program[pointer].name;
        let invalid = |what: &str| (FindingKind::InvalidFree, format!("`{name}` may point to {what}"));
        let no_value = || (FindingKind::UninitialisedPointer, format!("`{name}` may have no value"));
        for mut graph in self.resolve(graph, pointer, effects) {
            let symbol = graph.read(self.program, pointer);
            let mut faults = Vec::new();
            match (graph.block(symbol), graph.kind(symbol)) {
                (Some((block, part)), _) => {
                    let (structure, region) = (graph.blocks[block].structure, graph.blocks[block].region);
                    let of = self.layouts[structure].parts[part].of;
                    match (of, region) {
                        (Some((_, field)), Region::Heap) if self.program[field].position == 0 => {
                            effects.given_up(format!("`{name}` may point to the first part of an object"));
                            graph.give_up(&[symbol], self.layouts, self.roles);
                            effects.graphs.push(graph);
                        }
                        (Some(_), _) => faults.push(invalid("a part of an object")),
                        (None, Region::Stack) => faults.push(invalid("a local variable")),
                        (None, Region::Static) => faults.push(invalid("a global variable")),
                        (None, Region::Heap) => {
                            graph.kill(block);
                            effects.graphs.push(graph);
                        }
                    }
                }
                (None, Kind::Null) => effects.graphs.push(graph),
                (None, Kind::Wild(wild)) => {
                    if wild.has(Wild::TOP) || wild.has(Wild::NULL) && graph.merge(symbol, NULL).is_ok() {
                        effects.graphs.push(graph);
                    }
                    if wild.has(Wild::UNINITIALISED) {
                        faults.push(no_value());
                    }
                    if wild.has(Wild::DEAD) {
                        faults.push(invalid("a local variable"));
                    }
                    if wild.has(Wild::FREED_PART) {
                        faults.push(invalid("a part of an object"));
                    }
                    if wild.has(Wild::FREED) {
                        faults.push((FindingKind::DoubleFree, format!("`{name}` may point to a freed object")));
                    }
                }
                (None, Kind::Outside(..)) => faults.push(invalid("no object")),
                (None, Kind::Pointer | Kind::Scalar(_)) => {
                    effects.given_up(format!("too little is known about where `{name}` points"));
                    graph.give_up_all();
                    effects.graphs.push(graph);
                }
            }
            faults.into_iter().for_each(|(kind, text)| effects.fault(kind, text));
        }
    }

    fn end_life(&self, graph: ShapeGraph, object: VarId, effects: &mut Effects) {
        for mut graph in self.resolve(graph, object, effects) {
            let symbol = graph.read(self.program, object);
            let depth = graph.frames.len();
            match (graph.block(symbol), graph.kind(symbol)) {
                (Some((block, 0)), _)
                    if graph.blocks[block].region == Region::Stack && graph.blocks[block].depth == depth =>
                {
                    graph.kill(block);
                    effects.graphs.push(graph);
                }
                (None, Kind::Null | Kind::Outside(..)) => effects.graphs.push(graph),
                (None, Kind::Wild(wild)) if wild.without(Wild(Wild::NULL.0 | Wild::UNINITIALISED.0)).is_none() => {
                    effects.graphs.push(graph);
                }
                (None, Kind::Wild(wild)) if wild.has(Wild::TOP) => effects.graphs.push(graph),
                _ => {
                    let name = &self.program[object].name;
                    effects.given_up(format!("`{name}` may not point to a variable of this procedure"));
                    graph.give_up(&[symbol], self.layouts, self.roles);
                    effects.graphs.push(graph);
                }
            }
        }
    }

    /// The graphs in which a condition is true, false or open.
    fn holds(
        &self,
        mut graph: ShapeGraph,
        condition: &Condition,
        effects: &mut Effects,
    ) -> Vec<(ShapeGraph, Option<bool>)> {
        match condition {
            Condition::Scalar(expr) => {
                // Values that are read get symbols before the graph is split.
                expr.for_each_variable(&mut |variable| {
                    graph.read(self.program, variable);
                });
                let cases =
                    |truth: bool| graph.cases(self.program, expr, truth).into_iter().map(move |g| (g, Some(truth)));
                cases(true).chain(cases(false)).collect()
            }
            Condition::Pointers { left, right, equal } => {
                let pointer = Type::Pointer(None);
                let operands =
                    |graph: &mut ShapeGraph| (self.operand(graph, left, pointer), self.operand(graph, right, pointer));
                let mut compared = Vec::new();
                // Whether an operand has a value is known when it is known which edges are empty.
                for (mut graph, same) in compare(graph, &operands, self.layouts) {
                    if self.have_values(&mut graph, &operands, condition, effects) {
                        compared.push((graph, same.map(|same| same == *equal)));
                    }
                }
                compared
            }
        }
    }
}

impl Transfer<'_> {
    /// Reports operands that may have no value, and assumes that they have one, if they can.
    fn have_values(
        &self,
        graph: &mut ShapeGraph,
        operands: &dyn Fn(&mut ShapeGraph) -> (Symbol, Symbol),
        condition: &Condition,
        effects: &mut Effects,
    ) -> bool {
        let (left, right) = operands(graph);
        for symbol in [left, right] {
            let Kind::Wild(wild) = graph.kind(symbol) else { continue };
            if !wild.has(Wild::UNINITIALISED) {
                continue;
            }
            let text = format!("`{}` may compare a pointer without a value", show_condition(self.program, condition));
            effects.fault(FindingKind::UninitialisedPointer, text);
            match wild.without(Wild::UNINITIALISED) {
                Some(rest) => graph.kinds[symbol.index()] = Kind::Wild(rest),
                None => return false,
            }
        }
        true
    }
}

/// The knowledge about a value of this type before it is assigned. A number without value has some value.
pub fn uninitialised(ty: Type) -> Kind {
    match ty {
        Type::Pointer(_) => Kind::Wild(Wild::UNINITIALISED),
        ty => anything(ty),
    }
}

impl ShapeGraph {
    /// The end of a block: pointers to it lead nowhere.
    pub fn kill(&mut self, number: usize) {
        let block = self.blocks.remove(number);
        for (part, symbol) in block.parts.iter().enumerate() {
            let wild = match (block.region, part) {
                (Region::Heap, 0) => Wild::FREED,
                (Region::Heap, _) => Wild::FREED_PART,
                _ => Wild::DEAD,
            };
            self.kinds[symbol.index()] = Kind::Wild(wild);
        }
    }

    /// The place where a container would begin if the object were its part.
    fn outside(&mut self, part: Symbol, field: FieldId) -> Symbol {
        let kind = Kind::Outside(part, field);
        let known = self.kinds.iter().position(|known| *known == kind);
        known.map_or_else(|| self.fresh(kind), |index| Symbol(index as u32))
    }
}
