//! Instructions that do not end a block.

use super::Translator;
use super::value::{Sym, U32, U64, constant};
use crate::class::{Constant, Kind, Op};
use crate::dispatch::split;
use crate::frames::class_at;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Expr, Operand, Scalar, Statement, Type, VarId};

impl<'t> Translator<'t> {
    pub(super) fn step(&mut self, op: &'t Op) {
        match op {
            Op::Nop => {}
            Op::Const(constant) => self.constant(constant),
            Op::Load(kind, _) => self.load(*kind),
            Op::Store(..) => self.store(),
            Op::Increment(_, by) => self.increment(*by),
            Op::ArrayLoad(element) => self.array_load(*element),
            Op::ArrayStore(element) => self.array_store(*element),
            Op::ArrayLength => self.array_length(),
            Op::Pop => drop(self.stack.pop()),
            Op::Pop2 => self.discard(2),
            Op::Dup => self.duplicate(1, 0),
            Op::DupX1 => self.duplicate(1, 1),
            Op::DupX2 => self.duplicate(1, 2),
            Op::Dup2 => self.duplicate(2, 0),
            Op::Dup2X1 => self.duplicate(2, 1),
            Op::Dup2X2 => self.duplicate(2, 2),
            Op::Swap => {
                let count = self.stack.len();
                if count >= 2 {
                    self.stack.swap(count - 1, count - 2);
                }
            }
            Op::Binary(op, kind) => self.binary(*op, *kind),
            Op::Negate(kind) => self.negate(*kind),
            Op::Convert(from, to) => self.convert(*from, *to),
            Op::Narrow(element) => self.narrow(*element),
            Op::CompareLong => self.compare(Kind::Long, 0),
            Op::CompareFloat(kind, unordered) => self.compare(*kind, *unordered),
            Op::GetStatic(field) => self.get_static(field),
            Op::PutStatic(field) => self.put_static(field),
            Op::GetField(field) => self.get_field(field),
            Op::PutField(field) => self.put_field(field),
            Op::Invoke(kind, method) => self.invoke(*kind, method),
            Op::InvokeDynamic(site) => self.invoke_dynamic(site),
            Op::New(class) => self.new_object(class),
            Op::NewArray(class) => self.new_array(class),
            Op::MultiNewArray(class, dimensions) => self.new_arrays(class, *dimensions),
            Op::CheckCast(class) => self.check_cast(class),
            Op::InstanceOf(class) => self.instance_of(class),
            Op::Monitor => {
                // There is one thread; the object must be there.
                let object = self.pop();
                self.check_object(&object);
            }
            Op::If(..) | Op::IfInt(..) | Op::IfRef(..) | Op::IfNull(..) | Op::Goto(_) | Op::Switch(..) => {}
            Op::Return(_) | Op::Throw => {}
        }
    }

    /// Something that is not analysed; code after it is not reached.
    pub(super) fn unsupported(&mut self, text: impl Into<String>) {
        let span = self.span();
        self.end(Statement::Unsupported { text: text.into() }, span);
    }

    fn constant(&mut self, value: &Constant) {
        let sym = match value {
            Constant::Null => Sym::Null,
            Constant::Int(value) => Sym::int(*value),
            Constant::Long(value) => Sym::Number(constant((*value).into(), super::value::I64)),
            Constant::Float(bits) => Sym::Number(constant((*bits).into(), U32)),
            Constant::Double(bits) => Sym::Number(constant((*bits).into(), U64)),
            Constant::Text(units) => Sym::Text(units.clone()),
            Constant::Class(_) => Sym::Opaque("a class"),
            Constant::Other(what) => Sym::Opaque(what),
        };
        self.push(sym);
    }

    fn local(&self) -> Option<VarId> {
        let web = self.flow().webs.of(self.instruction)?;
        Some(self.variables[web])
    }

    fn load(&mut self, kind: Kind) {
        let sym = match (self.local(), kind) {
            (Some(variable), Kind::Ref) => Sym::Pointer { variable, is_object: self.is_this(variable) },
            (Some(variable), _) => Sym::Number(Expr::Variable(variable)),
            (None, Kind::Ref) => Sym::Null,
            (None, _) => Sym::int(0),
        };
        self.push(sym);
    }

    /// Is it the receiver of the method?
    fn is_this(&self, variable: VarId) -> bool {
        let is_static = self.body.is_none_or(|body| body.method().is_static());
        let webs = &self.flow().webs;
        let this = webs.parameters.get(&0).filter(|_| !is_static);
        this.is_some_and(|web| !webs.all[*web].is_assigned && self.variables[*web] == variable)
    }

    fn store(&mut self) {
        let (value, span) = (self.pop(), self.span());
        let Some(variable) = self.local() else { return };
        if matches!(value, Sym::Pointer { variable: from, .. } if from == variable) {
            return;
        }
        let value = self.operand(value, self.ir[variable].ty);
        if !self.redirect(&value, variable) {
            self.save(|_, changed| changed == variable);
            self.set(variable, value, span);
        }
    }

    fn increment(&mut self, by: i32) {
        let span = self.span();
        let Some(variable) = self.local() else { return };
        self.save(|_, changed| changed == variable);
        let (op, by) = if by < 0 { (BinaryOp::Subtract, -by) } else { (BinaryOp::Add, by) };
        let value = Expr::binary(op, Expr::Variable(variable), Expr::int(by));
        self.set(variable, Operand::Scalar(value), span);
    }

    fn compare(&mut self, kind: Kind, unordered: i32) {
        let (right, left) = (self.pop_number(), self.pop_number());
        self.push(Sym::Order { kind, left, right, unordered });
    }

    fn discard(&mut self, words: usize) {
        let entries = self.entries(words, 0);
        self.stack.truncate(self.stack.len().saturating_sub(entries));
    }

    /// How many entries so many words are, below so many others.
    fn entries(&self, words: usize, below: usize) -> usize {
        let Some(frame) = &self.flow().frames[self.instruction] else { return 0 };
        let mut frame = frame.clone();
        frame.stack.truncate(frame.stack.len().saturating_sub(below));
        frame.entries(words).unwrap_or(0)
    }

    fn duplicate(&mut self, words: usize, below: usize) {
        let copied = self.entries(words, 0);
        let skipped = if below == 0 { 0 } else { self.entries(below, copied) };
        let top = self.stack.split_off(self.stack.len().saturating_sub(copied));
        let between = self.stack.split_off(self.stack.len().saturating_sub(skipped));
        self.stack.extend(top.iter().cloned().chain(between).chain(top.iter().cloned()));
    }

    /// The class of a value on the stack as frames know it.
    pub(super) fn static_class(&self, depth: usize) -> Option<&'t str> {
        let frame = self.flow().frames[self.instruction].as_ref()?;
        class_at(frame, depth)
    }

    fn check_cast(&mut self, class: &str) {
        let Some(from) = self.static_class(0) else { return };
        let (yes, no) = split(self.reach, from, class);
        let sym = self.pop();
        if no.is_empty() || matches!(sym, Sym::Null | Sym::Text(_) | Sym::Opaque(_)) {
            return self.cast(sym, class);
        }
        let Some(variable) = self.pointer(&sym) else { return self.push(Sym::Null) };
        let yes: Vec<String> = yes.into_iter().map(str::to_string).collect();
        let (wrong, right) = (self.node(), self.node());
        let span = self.span();
        self.if_null(variable, right, span);
        self.if_class(variable, from, &yes, right, wrong);
        self.at = wrong;
        self.throw_new("java/lang/ClassCastException", "the object may be of another class");
        self.at = right;
        self.cast(sym, class);
    }

    /// The value as one of a class that it is known to be of.
    fn cast(&mut self, sym: Sym, class: &str) {
        let ty = self.pointer_type(class);
        match sym {
            Sym::Pointer { variable, is_object } if self.ir[variable].ty != ty && ty != Type::Pointer(None) => {
                let variable = self.exactly(variable, ty);
                self.push(Sym::Pointer { variable, is_object });
            }
            sym => self.push(sym),
        }
    }

    fn instance_of(&mut self, class: &str) {
        let from = self.static_class(0);
        let sym = self.pop();
        let span = self.span();
        let truth = |value: i128| Sym::Number(Expr::Constant(value, Scalar::Bool));
        let Some(from) = from else { return self.push(truth(0)) };
        let (yes, no) = split(self.reach, from, class);
        let yes: Vec<String> = yes.into_iter().map(str::to_string).collect();
        let known = match &sym {
            Sym::Null => Some(false),
            Sym::Text(_) | Sym::Opaque(_) => Some(no.is_empty()),
            _ if yes.is_empty() => Some(false),
            Sym::Pointer { is_object: true, .. } if no.is_empty() => Some(true),
            _ => None,
        };
        if let Some(known) = known {
            return self.push(truth(known.into()));
        }
        let (Some(variable), all) = (self.pointer(&sym), no.is_empty()) else { return self.push(truth(0)) };
        let result = self.temporary(Type::Scalar(Scalar::Bool));
        let (is, is_not, end) = (self.node(), self.node(), self.node());
        self.if_null(variable, is_not, span);
        match all {
            true => self.jump(is, span),
            false => self.if_class(variable, from, &yes, is, is_not),
        }
        for (node, value) in [(is, 1), (is_not, 0)] {
            self.at = node;
            self.set(result, Operand::Scalar(Expr::Constant(value, Scalar::Bool)), span);
            self.jump(end, span);
        }
        self.at = end;
        self.push(Sym::Number(Expr::Variable(result)));
    }

    /// The variable of a reference; it is not null for sure.
    pub(super) fn pointer(&mut self, sym: &Sym) -> Option<VarId> {
        match self.operand(sym.clone(), Type::Pointer(None)) {
            Operand::Pointer(variable) => Some(variable),
            _ => None,
        }
    }

    /// Goes elsewhere if a reference is null, and goes on here if it is not.
    pub(super) fn if_null(&mut self, variable: VarId, null: ir::NodeId, span: trifold_source::Span) {
        let object = self.node();
        let condition = Condition::Pointers { left: Operand::Pointer(variable), right: Operand::Null, equal: true };
        self.fork(condition, null, object, span);
        self.at = object;
    }

    /// Goes to one node if an object is of one of these classes, and to another if not. What it may be of at all is
    /// known.
    pub(super) fn if_class(&mut self, variable: VarId, of: &str, classes: &[String], yes: ir::NodeId, no: ir::NodeId) {
        let span = self.span();
        let all: Vec<String> = self.reach.below(of).into_iter().map(str::to_string).collect();
        let others = all.iter().any(|class| !classes.contains(class));
        let tag = classes.first().and_then(|class| self.tag(class));
        match tag {
            _ if classes.is_empty() => self.jump(no, span),
            _ if !others => self.jump(yes, span),
            None => {
                // Nothing tells them apart; groups are made so that this does not happen.
                self.unsupported("a test of a class");
            }
            Some(field) => {
                let structure = Type::Pointer(Some(self.ir[field].structure));
                let object = self.exactly(variable, structure);
                let number = self.temporary(Type::Scalar(Scalar::I32));
                self.emit(Statement::Load { to: number, object, field }, span);
                let condition = self.is_one_of(number, classes);
                self.fork(Condition::Scalar(condition), yes, no, span);
            }
        }
    }

    /// Is a number that of one of these classes?
    pub(super) fn is_one_of(&self, number: VarId, classes: &[String]) -> Expr {
        let is = |class: &String| {
            Expr::binary(BinaryOp::Equal, Expr::Variable(number), constant(self.class_number(class), Scalar::I32))
        };
        let tests = classes.iter().map(is);
        let any = tests.reduce(|left, right| Expr::binary(BinaryOp::Or, left, right));
        any.unwrap_or(Expr::Constant(0, Scalar::Bool))
    }
}
