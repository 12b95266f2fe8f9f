//! Expressions of random programs about values.

use super::{TYPES, Writer};

const LITERALS: [&str; 20] = [
    "0",
    "1",
    "2",
    "-1",
    "7",
    "31",
    "127",
    "128",
    "255",
    "-128",
    "32768",
    "65535",
    "2147483647",
    "3000000000u",
    "4294967296L",
    "0x7fffffffffffffffL",
    "18446744073709551615ul",
    "'a'",
    "'\\377'",
    "$blue",
];

impl Writer {
    /// Makes something that has no effects, so that it does not matter when it is evaluated.
    pub fn pure(&mut self, make: impl FnOnce(&mut Writer) -> String) -> String {
        let before = std::mem::replace(&mut self.is_pure, true);
        let made = make(self);
        self.is_pure = before;
        made
    }

    /// A number that can be assigned.
    pub fn place(&mut self) -> String {
        self.random.one_of(&self.places.clone())
    }

    fn leaf(&mut self) -> String {
        match self.random.below(3) {
            0 if !self.places.is_empty() => self.place(),
            1 if !self.places.is_empty() => self.place(),
            _ => self.random.one_of(&LITERALS).to_string(),
        }
    }

    /// A number of any type.
    pub fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        let bound = if self.is_pure || self.places.is_empty() { 15 } else { 26 };
        match self.random.below(bound) {
            0..=3 => {
                let operator = self.random.one_of(&["+", "-", "*", "&", "|", "^", "+"]);
                let (left, right) = self.operands(depth);
                format!("({left} {operator} {right})")
            }
            4 => {
                let operator = self.random.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                let (left, right) = self.operands(depth);
                format!("({left} {operator} {right})")
            }
            5 => {
                let operator = self.random.one_of(&["/", "%"]);
                let (left, right) = self.operands(depth);
                match self.random.once_in(15) {
                    true => format!("({left} {operator} {right})"),
                    false => format!("({left} {operator} (({right} & 7) + 1))"),
                }
            }
            6 => {
                let operator = self.random.one_of(&["<<", ">>"]);
                let (left, right) = self.operands(depth);
                format!("({left} {operator} ({right} & 7))")
            }
            7 => format!("({}({}))", self.random.one_of(&["-", "~", "!", "+"]), self.number(depth)),
            8..=9 => {
                let (ty, _) = self.random.one_of(&TYPES);
                format!("(({ty})({}))", self.number(depth))
            }
            10 => {
                let (condition, yes, no) = (self.number(depth), self.number(depth), self.number(depth));
                format!("({condition} ? {yes} : {no})")
            }
            11 => {
                let (left, right) = (self.number(depth), self.number(depth));
                format!("({left} {} {right})", self.random.one_of(&["&&", "||"]))
            }
            12 => {
                let of = self.random.one_of(&[
                    "struct $all",
                    "struct $bits",
                    "union $mixed",
                    "$gs",
                    "'a'",
                    "(char)1 + 1",
                    "$text",
                ]);
                format!("sizeof({of})")
            }
            13..=14 => self.leaf(),
            // From here on there are effects.
            15..=16 => {
                let (place, value) = (self.place(), self.pure(|this| this.number(depth)));
                let operator = self.random.one_of(&["=", "+=", "-=", "*=", "^=", "|=", "&=", "="]);
                format!("({place} {operator} {value})")
            }
            17..=18 => {
                let place = self.place();
                self.random.one_of(&["(X++)", "(X--)", "(++X)", "(--X)"]).replace('X', &place)
            }
            19..=20 => format!("$say({})", self.number(depth)),
            21 => {
                let (first, second) = (self.number(depth), self.number(depth));
                format!("({first}, {second})")
            }
            22..=23 if self.calls => self.call(depth),
            24 => {
                let (place, value) = (self.place(), self.pure(|this| this.number(depth)));
                let shift = self.random.one_of(&["<<=", ">>="]);
                format!("({place} {shift} ({value} & 7))")
            }
            _ => format!("({{ long x = {}; x & 255; }})", self.number(depth)),
        }
    }

    /// Two operands, of which one at most has effects. What it changes, the other must not read; then it is a literal.
    fn operands(&mut self, depth: usize) -> (String, String) {
        if self.is_pure || self.random.once_in(2) {
            return (self.pure(|this| this.number(depth)), self.pure(|this| this.number(depth)));
        }
        let effects = self.number(depth);
        let literal = self.random.one_of(&LITERALS).to_string();
        if self.random.once_in(2) { (effects, literal) } else { (literal, effects) }
    }

    /// A call of one of the functions. Arguments have no effects.
    fn call(&mut self, depth: usize) -> String {
        let (first, second) = (self.pure(|this| this.number(depth)), self.pure(|this| this.number(depth)));
        match self.random.below(8) {
            0 => format!("$f0({first}, {second})"),
            1 => format!("$table[{first} & 1](7, {second})"),
            2 => format!("call({first}, {second})"),
            3 => format!("$swap(pair, {first}).b"),
            4 => format!("$swap((struct $pair){{ {first}, {second} }}, 3).a"),
            5 => format!("$through(&numbers[{first} & 3], &all)"),
            6 => "$whole(all).array[1]".to_string(),
            _ => "(long)$scale(d, 3)".to_string(),
        }
    }

    /// A float.
    pub fn float(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.random.one_of(&["d", "e", "f", "1.5", "0.1", "2.0f", "-3.25", "1e3", "all.d"]).to_string();
        }
        let depth = depth - 1;
        match self.random.below(8) {
            0..=3 => {
                let (left, right) = (self.float(depth), self.float(depth));
                format!("({left} {} {right})", self.random.one_of(&["+", "-", "*", "/"]))
            }
            4 => format!("(float)({})", self.float(depth)),
            5 => format!("({} + (int)({} & 255))", self.float(depth), self.pure(|this| this.number(0))),
            6 => format!("(-({}))", self.float(depth)),
            _ => self.float(0),
        }
    }
}
