//! Statements and expressions of random programs about types.

use super::Writer;
use super::types::{NUMBERS, Part, Type, declared};

const LITERALS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "15",
    "63",
    "100",
    "127",
    "128",
    "200",
    "255",
    "-129",
    "32768",
    "65535",
    "70000",
    "0x7fffffff",
    "3000000000u",
    "-5000000000L",
    "0x8000000000000001ul",
    "'\\377'",
];

impl Writer {
    pub(super) fn literal(&mut self) -> String {
        self.random.one_of(&LITERALS).to_string()
    }

    /// A number that can be read.
    fn place(&mut self) -> Part {
        self.random.one_of(&self.numbers.clone())
    }

    /// A number, of any type, without effects.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.numbers.is_empty() {
            return match self.numbers.is_empty() || self.random.once_in(3) {
                true => self.literal(),
                false => self.place().path,
            };
        }
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(14) {
            0..=3 => format!("({left} {} {right})", self.random.one_of(&["+", "-", "*", "&", "|", "^"])),
            4..=5 => format!("({left} {} {right})", self.random.one_of(&["<", ">", "<=", ">=", "==", "!="])),
            6 => format!("({left} {} (({right} & 15) + 1))", self.random.one_of(&["/", "%"])),
            7 => format!("({left} {} ({right} & 7))", self.random.one_of(&["<<", ">>"])),
            8 => format!("({}({left}))", self.random.one_of(&["-", "~", "!", "+"])),
            9 => format!("(({})({left}))", self.random.one_of(&NUMBERS).0),
            10 => format!("({} ? {left} : {right})", self.number(0)),
            11 => format!("({left} {} {right})", self.random.one_of(&["&&", "||"])),
            12 => format!("(sizeof({left} + 0) + sizeof(1 ? {left} : {right}))"),
            _ => format!("({left}, {right})"),
        }
    }

    /// A change of a number.
    pub(super) fn change(&mut self) {
        let (Part { path, .. }, value) = (self.place(), self.number(2));
        let text = match self.random.below(8) {
            0..=2 => format!("{path} = {value};"),
            3..=4 => format!("{path} {} {value};", self.random.one_of(&["+=", "-=", "*=", "&=", "|=", "^="])),
            5 => format!("{path} {} ({value} & 7);", self.random.one_of(&["<<=", ">>="])),
            6 => format!("$note_long({});", self.random.one_of(&["X++", "++X", "X--", "--X"]).replace('X', &path)),
            _ => {
                let (other, value) = (self.place().path, self.literal());
                format!("$note_long({other} = {path} = {value});")
            }
        };
        self.line(&text);
    }

    /// A statement of `main`.
    pub(super) fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 12 } else { 16 }) {
            0..=3 => self.change(),
            4..=6 => self.whole(),
            7 => self.size(),
            8 => self.bytes(),
            9..=11 => self.other(),
            12 => {
                let condition = self.number(2);
                self.line(&format!("if ({condition}) {{"));
                self.statement(depth - 1);
                self.line("} else {");
                self.statement(depth - 1);
                self.line("}");
            }
            13 => {
                let (name, condition) = (self.fresh("k"), self.number(1));
                self.line(&format!("for (signed char {name} = 0; {name} < 3 && ({condition}, 1); {name}++) {{"));
                self.statement(depth - 1);
                self.line("}");
            }
            14 => self.switch(depth - 1),
            _ => {
                let (name, condition) = (self.fresh("again"), self.number(1));
                self.line(&format!("{name}: ;\ndo {{"));
                self.statement(depth - 1);
                self.line(&format!("}} while ($burn() && {condition} > 5);"));
                self.line(&format!("if ($burn() && {condition} == 3) goto {name};"));
            }
        }
    }

    /// Structs as a whole, and parts of what functions return.
    fn whole(&mut self) {
        let wholes = self.wholes.clone();
        let Part { path, ty } = self.random.one_of(&wholes);
        let Type::Record(record) = ty else { return };
        let same = |part: &&Part| matches!(part.ty, Type::Record(other) if other == record);
        let others: Vec<&Part> = wholes.iter().filter(same).collect();
        let (other, n) = (self.random.one_of(&others).path.clone(), self.random.below(4));
        let (literal, condition) = (self.initializer(record, false), self.number(1));
        let last = self.records.len() - 1;
        let text = match self.random.below(10) {
            0 => format!("{path} = {other};"),
            1 => format!("{path} = (struct $r{record}){literal};"),
            2 => format!("{path} = $h{record}({other}, {n});"),
            3 => format!("{path} = {condition} ? {other} : $g{record};"),
            4 => format!("{path} = $h{record}((struct $r{record}){literal}, {n});"),
            5 => {
                let name = self.fresh("w");
                let quality = self.random.one_of(&["", "const ", "volatile "]);
                self.line(&format!("{quality}struct $r{record} {name} = {literal};"));
                format!("{path} = {name};")
            }
            6 => format!("p = {condition} ? &x : &y;\n*p = $table[{n} & 1](*p, {n});"),
            7 => format!("p = &y;\nx = *p, y = $table[{n} & 1](x, 2);"),
            8 => format!("p = &(struct $r{last}){};\ny = *p;\np = &x;", self.initializer(last, false)),
            _ => {
                let member = self.random.one_of(&self.records[record].members.clone());
                match member {
                    (name, Type::Number { note, .. }) => format!("$note_{note}($f{record}({other}, {n}).{name});"),
                    (name, ty @ Type::Record(_)) => {
                        let declared = declared(&ty, &self.fresh("l"));
                        format!("{declared} = $f{record}({other}, {n}).{name};")
                    }
                    _ => format!("{path} = $f{record}({other}, {n});"),
                }
            }
        };
        self.line(&text);
    }

    /// Sizes, alignments and offsets.
    fn size(&mut self) {
        let record = self.random.below(self.records.len());
        let (name, ty) = self.random.one_of(&self.records[record].members.clone());
        let text = match ty {
            Type::Number { width: Some(_), .. } => format!("sizeof(struct $r{record}) + sizeof(+x, 1)"),
            _ if self.random.once_in(2) => format!("__builtin_offsetof(struct $r{record}, {name})"),
            _ => format!("sizeof(((struct $r{record} *)0)->{name})"),
        };
        let text = text.replace("+x, 1", &format!("+{}", self.place().path));
        self.line(&format!("$note_ulong({text} * 100 + _Alignof(struct $r{record}));"));
    }

    /// The bytes of a union, and copies of bytes.
    fn bytes(&mut self) {
        let (value, at) = (self.number(1), self.random.below(8));
        let text = match self.random.below(9) {
            0 => format!("u.c[{at}] = {value};"),
            1 => format!("u.t[{at} & 3] += {value};"),
            2 => format!("u.b = {value};"),
            3 => format!("u.s = {value};"),
            4 => format!("$note_int(u.c[{at}] + u.t[{at} / 2]);"),
            5 => "$note_int(u.b * 3 + u.s);".to_string(),
            6 => "memcpy(&x, &y, sizeof x);".to_string(),
            7 => "memset(&y, 0, sizeof y);".to_string(),
            _ => format!("u.all ^= (unsigned long){value};"),
        };
        self.line(&text);
    }

    fn other(&mut self) {
        let (value, at) = (self.number(1), self.random.below(3));
        // Pointers do not walk along arrays in what is analysed, nor are characters of texts without names.
        let bound = if self.random.once_in(40) { 13 } else { 9 };
        let text = match self.random.below(bound) {
            0 => "$note_int($count());".to_string(),
            1 => format!("$note_long($deep({at}, {value}));"),
            2 => format!("text[{at}] = {value}; $note_ulong(sizeof text + sizeof \"x\\0y\");"),
            3 => format!("to = &list[{value} & 3]; *to = {at}; $note_int(list[0] + list[3]);"),
            4 => "v++; $note_int(v);".to_string(),
            5 => format!("$note_int(({value}, text[{at}], (signed char)200));"),
            6 => format!("$note_int((enum $e){value} == $big);"),
            7 => format!("{{ static short kept = {at} + 5; kept *= 3; $note_short(kept); }}"),
            8 => format!("$note_long(_Generic({value}, int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5));"),
            9 => format!("$note_char(\"a\\377c\"[{value} & 3]);"),
            10 => "to = list; *to++ = 9; $note_int(*to);".to_string(),
            11 => format!("to = list + {at}; $note_int(to[1] + *(to + 1)); $note_long(to - list);"),
            _ => "$note_int(&list[1] < &list[2]);".to_string(),
        };
        self.line(&text);
    }

    /// A switch over any number, with cases that fall through.
    fn switch(&mut self, depth: usize) {
        let value = self.number(1);
        self.line(&format!("switch ({value}) {{"));
        for label in ["case -1: ;", "case 0: ;", "case 1 ... 6: ;", "default: ;", "case 255: ;", "case 3000000000u: ;"]
        {
            self.line(label);
            self.line("{");
            self.statement(depth);
            self.line("}");
            if self.random.once_in(2) {
                self.line("break;");
            }
        }
        self.line("}");
    }
}
