//! Statements of random programs about values.

use super::{TYPES, Writer};

impl Writer {
    /// A statement.
    pub fn statement(&mut self, depth: usize) {
        let inner = depth.saturating_sub(1);
        // Outside of `main` only numbers are known.
        let simple = if self.calls { 15 } else { 7 };
        match self.random.below(if depth == 0 { simple } else { simple + 8 }) {
            0..=2 => {
                let (_, name) = self.random.one_of(&TYPES);
                let value = self.number(3);
                self.line(&format!("$note_{name}({value});"));
            }
            3..=4 => {
                let (place, value) = (self.place(), self.pure(|this| this.number(3)));
                let operator = self.random.one_of(&["=", "+=", "-=", "*=", "=", "&=", "|="]);
                self.line(&format!("{place} {operator} {value};"));
            }
            5 => {
                let (ty, _) = self.random.one_of(&TYPES);
                self.declare(ty);
            }
            6 => self.jump(),
            7..=8 if self.calls => self.whole(),
            9..=10 if self.calls => self.memory(),
            11 if self.calls => self.floating(),
            12 if self.calls => self.pointers(),
            13..=14 if self.calls => self.text(),
            number => match (number - 7) % 8 {
                0..=2 => self.branch(inner),
                3..=4 => self.repeat(inner),
                5 => self.switch(inner),
                6 => self.backwards(inner),
                _ => self.block("", |this| this.some(inner)),
            },
        }
    }

    fn some(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    /// Structs by value.
    fn whole(&mut self) {
        let (first, second) = (self.pure(|this| this.number(1)), self.pure(|this| this.number(1)));
        let text = match self.random.below(12) {
            0 => "pair = other;".to_string(),
            1 => format!("pair = (struct $pair){{ .b = {first}, .a = {second} }};"),
            2 => format!("other = $swap(pair, {first});"),
            3 => "all = more;".to_string(),
            4 => "more = $whole(all);".to_string(),
            5 => "all.pairs[0] = pair, pair = all.pairs[1];".to_string(),
            6 => format!("bits = (struct $bits){{ {first}, {second}, .tail = 4 }};"),
            7 => "all.bits = bits;".to_string(),
            8 => format!("to = {first} & 1 ? &all : &more;"),
            9 => "*to = $ga;".to_string(),
            10 => format!("pair = {first} > {second} ? other : all.pair;"),
            _ => {
                let name = self.fresh("local");
                let (third, list) = (self.pure(|this| this.number(1)), self.fresh("list"));
                self.line(&format!(
                    "struct $all {name} = {{ {{ {first} }}, .array = {{ [1] = {second}, {third} }}, .link = &all }};"
                ));
                self.line(&format!("long {list}[3] = {{ [1] = {third} }};"));
                self.line(&format!(
                    "$note_int({name}.pair.a + {name}.array[2] + {name}.bits.y + {name}.link->array[0]);"
                ));
                format!("$note_long({name}.array[1] + {name}.pairs[1].b + {list}[1] + {list}[2]);")
            }
        };
        self.line(&text);
    }

    /// Bytes: unions, and functions that copy.
    fn memory(&mut self) {
        let (first, second) = (self.pure(|this| this.number(1)), self.pure(|this| this.number(1)));
        let at = self.random.below(8);
        // What is copied to a part of an array is not analysed, so that there is little of it.
        let bound = if self.random.once_in(20) { 11 } else { 9 };
        let text = match self.random.below(bound) {
            0 => format!("mixed.i = {first};"),
            1 => format!("mixed.bytes[{at}] = {second};"),
            2 => "$note_long(mixed.l);".to_string(),
            3 => format!("$note_int(mixed.bytes[{at}] + mixed.words[{at} / 2]);"),
            4 => "memcpy(&pair, &other, sizeof pair);".to_string(),
            5 => "memset(&all, 0, sizeof all);".to_string(),
            6 => "memset(raw, 255, 3);".to_string(),
            7 => "memcpy(&all, &more, sizeof all);".to_string(),
            8 => format!("raw[{first} & 3] += {second};"),
            9 => "memset(numbers, 0, sizeof numbers);".to_string(),
            _ => "memcpy(numbers, all.array, 2 * sizeof(int));".to_string(),
        };
        self.line(&text);
    }

    fn floating(&mut self) {
        let value = self.float(2);
        let other = self.float(1);
        let place = self.place();
        let text = match self.random.below(7) {
            0 => format!("d = {value};"),
            1 => format!("f = {value};"),
            2 => format!("$note_double({value});"),
            3 => format!("$note_float({value});"),
            4 => format!("$note_int({value} < {other});"),
            5 => format!("if ({value} > -1000 && {value} < 1000) {place} = (int)({value});"),
            _ => format!("e = $scale({value}, {place} & 15);"),
        };
        self.line(&text);
    }

    fn pointers(&mut self) {
        let first = self.pure(|this| this.number(1));
        // Pointers do not walk along arrays in what is analysed.
        let bound = if self.random.once_in(20) { 9 } else { 6 };
        let text = match self.random.below(bound) {
            0 => format!("pi = &numbers[{first} & 3];"),
            1 => "pi = &all.array[0];".to_string(),
            2 => format!("*pi = {first}; $note_int(numbers[0] + numbers[1] * 2 + numbers[2] * 3 + all.array[0] * 4);"),
            3 => format!("call = {first} & 1 ? $f0 : $table[1];"),
            4 => format!("$note_int(call == $f0); $note_int(pi == &numbers[{first} & 3]);"),
            5 => format!("*(pi = &numbers[2]) = {first};"),
            6 => "pi = numbers; *pi++ = 5; *pi += 2;".to_string(),
            7 => "pi = numbers + 2; $note_int(pi[-1] + *pi + pi[1]);".to_string(),
            _ => "$note_long(&numbers[3] - &numbers[1]);".to_string(),
        };
        self.line(&text);
    }

    fn text(&mut self) {
        let (at, first) = (self.random.below(9), self.pure(|this| this.number(1)));
        let text = match self.random.below(7) {
            0 => "$text = \"\";".to_string(),
            1 => "$text = \"two\";".to_string(),
            2 => "$note_ulong(strlen($text));".to_string(),
            3 => "$note_int(strcmp($text, \"two\") == 0);".to_string(),
            4 => "$note_char(*$text);".to_string(),
            5 => format!("$word[{at} % 8]++; $note_char($word[{first} & 7]);"),
            _ => "$note_int(sizeof(\"abc\" \"de\"));".to_string(),
        };
        self.line(&text);
    }

    fn jump(&mut self) {
        let condition = self.number(1);
        let jump = match self.random.below(4) {
            0 if self.loops > 0 => "break;".to_string(),
            1 if self.loops > self.switches => "continue;".to_string(),
            2 if !self.calls => format!("return {};", self.result),
            _ => return,
        };
        self.line(&format!("if ({condition}) {jump}"));
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.number(2);
        let known = self.places.len();
        self.line(&format!("if ({condition}) {{"));
        self.some(depth);
        self.places.truncate(known);
        if self.random.once_in(2) {
            self.line("} else {");
            self.some(depth);
            self.places.truncate(known);
        }
        self.line("}");
    }

    fn repeat(&mut self, depth: usize) {
        let condition = self.number(1);
        self.loops += 1;
        match self.random.below(3) {
            0 => self.block(&format!("while ($burn() && {condition})"), |this| this.some(depth)),
            1 => {
                let name = self.fresh("k");
                let step = self.random.one_of(&["X++", "++X", "X += 2", "X--"]).replace('X', &name);
                let ty = self.random.one_of(&["int", "signed char", "unsigned", "long"]);
                let head = format!("for ({ty} {name} = 0; $burn() && {name} < 3; {step})");
                self.block(&head, |this| {
                    this.line(&format!("$note_int({name});"));
                    this.some(depth);
                });
            }
            _ => {
                let known = self.places.len();
                self.line("do {");
                self.some(depth);
                self.places.truncate(known);
                self.line(&format!("}} while ($burn() && {condition});"));
            }
        }
        self.loops -= 1;
    }

    /// A switch with ranges, labels in the middle, and cases that fall through.
    fn switch(&mut self, depth: usize) {
        let value = self.number(2);
        self.loops += 1;
        self.switches += 1;
        self.line(&format!("switch ({value}) {{"));
        let known = self.places.len();
        for label in ["case 0: ;", "case 1: case 5: ;", "case -1: ;", "case 100 ... 127: ;", "default: ;", "case 2: ;"]
        {
            if self.random.once_in(4) {
                continue;
            }
            self.line(label);
            self.line("{");
            self.some(depth);
            self.places.truncate(known);
            self.line("}");
            if self.random.once_in(2) {
                self.line("break;");
            }
        }
        self.line("}");
        self.switches -= 1;
        self.loops -= 1;
    }

    /// Jumps back and forth by name.
    fn backwards(&mut self, depth: usize) {
        let (again, out) = (self.fresh("again"), self.fresh("out"));
        let (first, second) = (self.number(1), self.number(1));
        let loops = std::mem::take(&mut self.loops);
        let switches = std::mem::take(&mut self.switches);
        self.line(&format!("{again}: ;"));
        self.block("", |this| {
            this.some(depth);
            this.line(&format!("if ({first}) goto {out};"));
            this.some(depth);
            this.line(&format!("if ($burn() && {second}) goto {again};"));
        });
        self.line(&format!("{out}: ;"));
        (self.loops, self.switches) = (loops, switches);
    }
}
