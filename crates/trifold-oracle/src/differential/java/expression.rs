//! Expressions of random programs. Operands are of any type that is a number; where one type is asked for there is a
//! cast. Many operands note their value on the way, so that the order of evaluation can be seen.

use super::generate::{NUMBERS, Writer};

const LITERALS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "31",
    "33",
    "127",
    "128",
    "-128",
    "255",
    "32767",
    "65536",
    "2147483647",
    "-2147483648",
    "1L",
    "-5L",
    "4294967296L",
    "9223372036854775807L",
    "'a'",
    "'\\uffff'",
];
const ARITHMETIC: [&str; 8] = ["+", "-", "*", "&", "|", "^", "+", "-"];
const SHIFTS: [&str; 3] = ["<<", ">>", ">>>"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

impl Writer {
    /// A function of the main class.
    fn outer(&self, name: &str) -> String {
        if self.class.is_some() { format!("{}.{name}", self.prefix) } else { name.to_string() }
    }

    /// The variables and fields of a type that can be assigned.
    pub fn places(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let known = self.scope.iter().chain(&self.statics()).cloned().collect::<Vec<_>>();
        let mut places: Vec<String> = known.into_iter().filter(|v| is_wanted(&v.ty)).map(|v| v.name).collect();
        if self.has_this {
            let fields = [("l", "long"), ("s", "short"), ("b", "byte"), ("c", "char"), ("z", "boolean")];
            places.extend(fields.iter().filter(|(_, ty)| is_wanted(ty)).map(|(name, _)| format!("this.{name}")));
            // A class below may hide the field by one of another type.
            if is_wanted("int") {
                places.push(format!("(({}) this).i", self.class_name(0)));
            }
        }
        places
    }

    /// A place for a number.
    pub fn number_place(&mut self) -> String {
        if self.random.once_in(4) && (self.calls || self.has_this) {
            let object = self.present();
            let field = self.random.one_of(&["i", "l", "s", "b", "c"]);
            return format!("{object}.{field}");
        }
        let mut places = self.places(|ty| NUMBERS.contains(&ty));
        if self.has_this {
            places.push("this.i".to_string());
        }
        self.random.one_of(&places)
    }

    /// An expression of exactly this type.
    pub fn of_type(&mut self, ty: &str, depth: usize) -> String {
        match ty {
            "boolean" => self.truth(depth),
            _ => format!("({ty}) ({})", self.number(depth)),
        }
    }

    /// A number of any type.
    pub fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(22) {
            0..=3 => {
                let (left, right) = (self.number(depth), self.number(depth));
                format!("({left} {} {right})", self.random.one_of(&ARITHMETIC))
            }
            4 => {
                let (left, right) = (self.number(depth), self.number(depth));
                format!("({left} {} {right})", self.random.one_of(&SHIFTS))
            }
            5 => {
                let (left, right) = (self.number(depth), self.number(depth));
                let divisor = if self.random.once_in(12) { right } else { format!("({right} | 1)") };
                format!("({left} {} {divisor})", self.random.one_of(&["/", "%"]))
            }
            6 => format!("({}{})", self.random.one_of(&["-", "~", "+"]), self.unary_operand(depth)),
            7 => {
                let ty = self.random.one_of(&NUMBERS);
                format!("(({ty}) {})", self.unary_operand(depth))
            }
            8 => {
                let (condition, yes, no) = (self.truth(depth), self.number(depth), self.number(depth));
                format!("({condition} ? {yes} : {no})")
            }
            9 => {
                let (place, value) = (self.number_place(), self.number(depth));
                let operator = self.random.one_of(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>="]);
                format!("({place} {operator} {value})")
            }
            10 => {
                let place = self.number_place();
                self.random.one_of(&["(X++)", "(X--)", "(++X)", "(--X)"]).replace('X', &place)
            }
            11 => {
                let places = self.places(|ty| ty == "int");
                let (place, value) = (self.random.one_of(&places), self.number(depth));
                format!("({place} = (int) ({value}))")
            }
            12..=14 => {
                let ty = self.random.one_of(&NUMBERS);
                let value = self.of_type(ty, depth);
                format!("{}({value})", self.outer("say"))
            }
            15..=17 if self.calls => self.call(depth),
            18 if self.calls || self.has_this => {
                format!("{}.{}", self.present(), self.random.one_of(&["i", "l", "s", "b", "c"]))
            }
            _ => self.leaf(),
        }
    }

    /// Minus and a literal must not become one.
    fn unary_operand(&mut self, depth: usize) -> String {
        format!("({})", self.number(depth))
    }

    fn leaf(&mut self) -> String {
        if self.random.once_in(3) {
            return self.random.one_of(&LITERALS).to_string();
        }
        if self.random.once_in(12) {
            let a = self.class_name(0);
            let known = [format!("{a}.first"), format!("{a}.second"), format!("{}.FIXED", self.prefix)];
            return self.random.one_of(&known);
        }
        let places = self.places(|ty| NUMBERS.contains(&ty));
        if places.is_empty() {
            return self.random.one_of(&LITERALS).to_string();
        }
        self.random.one_of(&places)
    }

    fn call(&mut self, depth: usize) -> String {
        let (int, long) = (self.of_type("int", depth), self.of_type("long", depth));
        let (short, char) = (self.of_type("short", depth), self.of_type("char", depth));
        match self.random.below(11) {
            0..=1 => format!("{}({int}, {})", self.outer("fi"), self.of_type("int", depth)),
            2 => format!("{}({long}, {short})", self.outer("fl")),
            3 => {
                let byte = self.of_type("byte", 0);
                let arguments = [
                    format!("{int}, {long}"),
                    format!("{long}, {int}"),
                    format!("{int}, (Object) null"),
                    format!("{byte}, {long}"),
                    format!("{long}, {char}"),
                ];
                format!("{}({})", self.outer("fo"), self.random.one_of(&arguments))
            }
            4..=5 => format!("{}.pick({int})", self.present()),
            6 => format!("{}.mix({int})", self.present()),
            7 => format!("{}.over({})", self.present(), self.random.one_of(&[int, char, short])),
            8 => format!("{}.tiny({short})", self.present()),
            9 => {
                let object = self.present();
                format!("(({}I) {object}).twice({int})", self.prefix)
            }
            _ => format!("{}.made", self.class_name(0)),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            let places = self.places(|ty| ty == "boolean");
            return self.random.one_of(&places);
        }
        let depth = depth - 1;
        match self.random.below(14) {
            0..=4 => {
                let (left, right) = (self.number(depth), self.number(depth));
                format!("({left} {} {right})", self.random.one_of(&COMPARISONS))
            }
            5..=6 => {
                let (left, right) = (self.truth(depth), self.truth(depth));
                format!("({left} {} {right})", self.random.one_of(&["&&", "||", "&", "|", "^", "==", "!="]))
            }
            7 => format!("(!{})", self.truth(depth)),
            8 => {
                let (left, right) = (self.reference(1), self.reference(1));
                format!("(({}) {left} {} {right})", self.class_name(0), self.random.one_of(&["==", "!="]))
            }
            9 => {
                let class = self.random.below(self.classes.len());
                format!("(({}) {} instanceof {})", self.class_name(0), self.reference(1), self.class_name(class))
            }
            10 => format!("({} {} null)", self.reference(1), self.random.one_of(&["==", "!="])),
            11 => {
                let places = self.places(|ty| ty == "boolean");
                let (place, value) = (self.random.one_of(&places), self.truth(depth));
                format!("({place} {} {value})", self.random.one_of(&["=", "|=", "&=", "^="]))
            }
            12 if self.calls => {
                let (truth, char) = (self.truth(depth), self.of_type("char", 0));
                format!("{}({truth}, {char})", self.outer("fz"))
            }
            _ => format!("{}({})", self.outer("say"), self.truth(depth)),
        }
    }

    /// A reference to an object of one of the classes, or null.
    pub fn reference(&mut self, depth: usize) -> String {
        let a = self.class_name(0);
        let known = self.places(|ty| ty == a);
        if depth == 0 || known.is_empty() {
            return if known.is_empty() { "null".to_string() } else { self.random.one_of(&known) };
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0..=2 if self.calls => self.creation(depth),
            3 => "null".to_string(),
            4 => format!("{}.next", self.present()),
            5 => {
                let (condition, yes, no) = (self.truth(1), self.reference(depth), self.reference(depth));
                format!("({condition} ? {yes} : ({a}) {no})")
            }
            6 => format!("{}({}, {})", self.outer("tell"), self.reference(depth), self.random.below(90)),
            7 if self.calls => format!("{}({}, {})", self.outer("fa"), self.reference(depth), self.of_type("int", 1)),
            8 => {
                let (place, value) = (self.random.one_of(&known), self.reference(depth));
                format!("({place} = {value})")
            }
            9 if self.has_this => "this".to_string(),
            10 if self.random.once_in(4) => {
                let class = self.random.below(self.classes.len());
                format!("(({}) {})", self.class_name(class), self.random.one_of(&known))
            }
            _ => self.random.one_of(&known),
        }
    }

    /// A new object.
    pub fn creation(&mut self, depth: usize) -> String {
        let class = self.random.below(self.classes.len());
        let argument = if self.random.once_in(3) { String::new() } else { self.of_type("int", depth) };
        format!("new {}({argument})", self.class_name(class))
    }

    /// A reference that is null only now and then.
    pub fn present(&mut self) -> String {
        let a = self.class_name(0);
        let known = self.places(|ty| ty == a);
        let otherwise = if self.has_this { "this".to_string() } else { format!("new {a}(1)") };
        if known.is_empty() || self.has_this && self.random.once_in(2) {
            return otherwise;
        }
        let place = self.random.one_of(&known);
        match self.random.below(40) {
            0 => place,
            1..=30 => format!("({place} == null ? {otherwise} : {place})"),
            _ => format!("({place} == null ? ({place} = {otherwise}) : {place})"),
        }
    }
}
