//! Statements of random programs.

use super::generate::{NUMBERS, Variable, Writer};

impl Writer {
    /// A function of the main class that notes a value.
    fn note(&self) -> String {
        if self.class.is_some() { format!("{}.note", self.prefix) } else { "note".to_string() }
    }

    /// The test that loops make, so that they end.
    fn burn(&self) -> String {
        if self.class.is_some() { format!("{}.burn()", self.prefix) } else { "burn()".to_string() }
    }

    /// Declares a variable of a type.
    pub fn declare(&mut self, ty: &str) {
        let name = self.fresh("v");
        let value = self.of_type(ty, 2);
        self.line(&format!("{ty} {name} = {value};"));
        self.scope.push(Variable { name, ty: ty.to_string() });
    }

    /// Declares a variable for objects.
    pub fn declare_reference(&mut self) {
        let (ty, name, value) = (self.class_name(0), self.fresh("r"), self.reference(2));
        self.line(&format!("{ty} {name} = {value};"));
        self.scope.push(Variable { name, ty });
    }

    /// Ends a method.
    pub fn return_statement(&mut self, result: &str) {
        let value = self.of_type(result, 2);
        self.line(&format!("return {value};"));
    }

    /// A statement.
    pub fn statement(&mut self, depth: usize) {
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 14 } else { 24 }) {
            0..=2 => {
                let value = self.number(3);
                self.line(&format!("{}({value});", self.note()));
            }
            3 => {
                let value = self.truth(2);
                self.line(&format!("{}({value});", self.note()));
            }
            4..=5 => self.assignment(),
            6 => {
                let ty = self.random.one_of(&NUMBERS);
                self.declare(ty);
            }
            7 => self.declare_reference(),
            8 => {
                let (object, value) = (self.present(), self.reference(2));
                self.line(&format!("({object}).next = {value};").replace("(this)", "this"));
            }
            9 => {
                let a = self.class_name(0);
                let (place, value) = (self.places(|ty| ty == a), self.reference(3));
                let place = self.random.one_of(&place);
                self.line(&format!("{place} = {value};"));
            }
            10 => self.content(),
            11 => self.jump(),
            12 => self.rare(),
            13..=17 => self.branch(inner),
            18..=21 => self.repeat(inner),
            22 => self.walk(),
            _ => self.block("", |this| this.some(inner)),
        }
    }

    fn some(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    fn assignment(&mut self) {
        let place = self.number_place();
        let value = self.number(3);
        match self.random.below(4) {
            0 => {
                let places = self.places(|ty| ty == "boolean");
                let (place, value) = (self.random.one_of(&places), self.truth(2));
                self.line(&format!("{place} = {value};"));
            }
            1 => {
                let operator = self.random.one_of(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>="]);
                self.line(&format!("{place} {operator} (int) ({value});"));
            }
            2 => {
                let places = self.places(|ty| NUMBERS.contains(&ty));
                let place = self.random.one_of(&places);
                let operator = self.random.one_of(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>="]);
                self.line(&format!("{place} {operator} {value};"));
            }
            _ => {
                let ty = self.random.one_of(&NUMBERS);
                let places = self.places(|of| of == ty);
                let value = self.of_type(ty, 2);
                let place = self.random.one_of(&places);
                self.line(&format!("{place} = {value};"));
            }
        }
    }

    /// Arrays, strings and boxes.
    fn content(&mut self) {
        let note = self.note();
        match self.random.below(6) {
            0..=1 => {
                let ty = self.random.one_of(&NUMBERS);
                let (name, index, other) = (self.fresh("array"), self.of_type("int", 1), self.of_type("int", 1));
                self.line(&format!("{ty}[] {name} = new {ty}[4];"));
                let value = self.number(2);
                self.line(&format!("{name}[{index} & 3] = ({ty}) ({value});"));
                let (value, place) = (self.number(2), self.number_place());
                self.line(&format!("{name}[{place}++ > 0 ? 1 : {other} & 3] += {value};"));
                self.line(&format!("{note}({name}[0]);"));
                self.line(&format!("{note}({name}[{index} & 3]++ + {name}[1]);"));
                self.line(&format!("{note}({name}.length);"));
                if self.random.once_in(12) {
                    let value = self.of_type(ty, 2);
                    self.line(&format!("{name}[{index}] = {value};"));
                }
            }
            2..=3 => {
                let (name, other) = (self.fresh("text"), self.fresh("text"));
                let values = ["\"\"", "\"a\"", "\"ab\"", "\"ab\\u00e9\"", "null"];
                let (first, second) = (self.random.one_of(&values), self.random.one_of(&values[..4]));
                self.line(&format!("String {name} = {first};"));
                self.line(&format!("String {other} = {second};"));
                self.line(&format!("{note}({other}.equals({name}));"));
                self.line(&format!("{note}({other}.length() + ({name} == null ? -1 : {name}.length()));"));
                self.line(&format!("{note}({other}.isEmpty());"));
            }
            _ => {
                let (name, other) = (self.fresh("box"), self.fresh("box"));
                let (ty, inside) = self.random.one_of(&[("Integer", "int"), ("Long", "long"), ("Character", "char")]);
                let (first, second) = (self.of_type(inside, 2), self.of_type(inside, 1));
                self.line(&format!("{ty} {name} = {first};"));
                self.line(&format!("{ty} {other} = {second};"));
                let (value, condition) = (self.number(1), self.truth(1));
                self.line(&format!("{name}++;"));
                self.line(&format!("{note}({name} + {other});"));
                self.line(&format!("{note}({name}-- + {name});"));
                if inside != "char" {
                    self.line(&format!("{name} += ({inside}) ({value});"));
                }
                self.line(&format!("{note}({condition} ? {name} : {other});"));
                self.line(&format!("{note}({condition} ? {name} : ({inside}) 3);"));
                self.line(&format!("{note}({name}.equals({other}));"));
                self.line(&format!("{note}({name} < {other} ? {name} : {other});"));
                if self.random.once_in(6) {
                    self.line(&format!("{other} = null;"));
                    self.line(&format!("{note}({name} - {other});"));
                }
            }
        }
    }

    fn jump(&mut self) {
        let condition = self.truth(1);
        let jump = match (self.loops.is_empty(), self.random.below(6)) {
            (false, 0..=1) => "break;".to_string(),
            (false, 2) => "continue;".to_string(),
            (false, 3) => format!("break {};", self.random.one_of(&self.loops.clone())),
            (false, 4) => format!("continue {};", self.random.one_of(&self.loops.clone())),
            (_, at) => match (self.result, at) {
                (Some("boolean"), _) => "return sz;".replace("sz", &format!("{}.sz", self.prefix)),
                (Some("reference"), _) => "return null;".to_string(),
                (Some(ty), _) => {
                    let value = self.of_type(ty, 1);
                    format!("return {value};")
                }
                (None, 5) if self.random.once_in(8) => "throw new IllegalStateException();".to_string(),
                (None, _) => return,
            },
        };
        self.line(&format!("if ({condition}) {{ {jump} }}"));
    }

    /// What is not analysed, or goes wrong: seldom.
    fn rare(&mut self) {
        let note = self.note();
        let a = self.class_name(0);
        match self.random.below(40) {
            0 => {
                let value = self.number(2);
                self.block("try", |this| this.line(&format!("{note}({value});")));
                self.block("catch (RuntimeException e)", |this| this.line(&format!("{note}(-77);")));
            }
            1 => {
                let value = self.of_type("int", 2);
                self.line(&format!("switch ({value}) {{"));
                self.line(&format!("case 1: {note}(1);"));
                self.line(&format!("case 2: {note}(2); break;"));
                self.line(&format!("default: {note}(3);"));
                self.line("}");
            }
            2..=3 => {
                let condition = self.truth(2);
                self.line(&format!("assert {condition};"));
            }
            4..=5 => {
                let places = self.places(|ty| ty == a);
                let (place, class) = (self.random.one_of(&places), self.random.below(self.classes.len()));
                self.line(&format!("{place} = ({}) {place};", self.class_name(class)));
            }
            6 => {
                let places = self.places(|ty| ty == a);
                let place = self.random.one_of(&places);
                self.line(&format!("{note}({place}.i);"));
            }
            _ => {
                let place = self.number_place();
                self.line(&format!("{place}++;"));
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.truth(2);
        let known = self.scope.len();
        self.line(&format!("if ({condition}) {{"));
        self.some(depth);
        self.scope.truncate(known);
        if self.random.once_in(2) {
            self.line("} else {");
            self.some(depth);
            self.scope.truncate(known);
        }
        self.line("}");
    }

    fn repeat(&mut self, depth: usize) {
        let (label, burn, condition) = (self.fresh("loop"), self.burn(), self.truth(1));
        self.line(&format!("{label}:"));
        self.loops.push(label);
        match self.random.below(3) {
            0 => self.block(&format!("while ({burn} && {condition})"), |this| this.some(depth)),
            1 => {
                let name = self.fresh("k");
                let step = self.random.one_of(&["X++", "++X", "X += 1", "X--"]).replace('X', &name);
                let head = format!("for (int {name} = 0; {burn} && {name} < 3 && {name} > -3; {step})");
                let known = self.scope.len();
                self.scope.push(Variable { name, ty: "int".to_string() });
                self.block(&head, |this| this.some(depth));
                self.scope.truncate(known);
            }
            _ => {
                let known = self.scope.len();
                self.line("do {");
                self.some(depth);
                self.scope.truncate(known);
                self.line(&format!("}} while ({burn} && {condition});"));
            }
        }
        self.loops.pop();
    }

    /// A walk along a list, which may be circular.
    fn walk(&mut self) {
        let (a, name, start) = (self.class_name(0), self.fresh("w"), self.reference(1));
        let (burn, note) = (self.burn(), self.note());
        self.block(&format!("for ({a} {name} = {start}; {name} != null && {burn}; {name} = {name}.next)"), |this| {
            this.line(&format!("{note}({name}.i);"));
            if this.random.once_in(2) {
                let step = this.random.below(9);
                this.line(&format!("{name}.i += {step};"));
            }
        });
    }
}
