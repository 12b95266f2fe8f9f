//! Random C programs that do much with pointers: lists and cycles of nodes, pointers to pointers, parts, structs by
//! value, calls and recursion, loops and jumps. Every program ends, because each round of a loop and each call takes
//! some of a limited fuel.

use crate::differential::random::Random;
use std::fmt::Write;

/// The beginning of these programs.
const PREAMBLE: &str = "struct $part { struct $node *link; int tag; };
struct $node { struct $node *next, *other; int value; unsigned char small; struct $part part; struct $part pair[2]; };
static struct $node *$global;
static struct $node *$ends[2];
static int $counter;
static void $tick(void) { if (--$fuel < 0) _Exit(0); }
static struct $node *$make(int value)
{
    struct $node *made = malloc(sizeof *made);
    struct $node empty = {0};
    *made = empty;
    made->value = value;
    made->part.tag = value + 1;
    return made;
}
static struct $node *$around(struct $part *part)
{
    return (struct $node *)((char *)part - __builtin_offsetof(struct $node, part));
}
";

/// A program.
pub fn program(random: Random) -> String {
    let mut generator = Generator { random, text: PREAMBLE.into(), functions: 0, loops: 0, is_pure: false };
    for number in 0..3 {
        generator.function(number);
    }
    generator.text += "int main(void)\n{\n";
    generator.body("$make(1)", "2", 9);
    generator.text += "    $note_int(p ? p->value : 0);\n    return 0;\n}\n";
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    /// How many functions can be called.
    functions: usize,
    /// Loops around the statement.
    loops: u32,
    is_pure: bool,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.random.one_of(choices)
    }

    /// `f0` returns a node, `f1` a number, `f2` a struct. They may call themselves.
    fn function(&mut self, number: usize) {
        let result = ["struct $node *", "int ", "struct $part "][number];
        let early = ["return a;", "return n;", "{ struct $part none = {a, n}; return none; }"][number];
        let end = ["return p;", "return i;", "return t->link ? *t : s.part;"][number];
        let _ = writeln!(self.text, "static {result}$f{number}(struct $node *a, int n, struct $node **out)\n{{");
        let _ = writeln!(self.text, "    $tick();\n    if (n <= 0)\n        {early}");
        self.functions = number + 1;
        self.body("a", "n", 6);
        if self.below(2) == 0 {
            let value = self.node(1);
            self.line(&format!("*out = {value};"));
        }
        let _ = writeln!(self.text, "    {end}\n}}");
    }

    fn body(&mut self, first: &str, number: &str, statements: usize) {
        self.line(&format!("struct $node *p = {first}, *q = $make(3), *r = 0, **pp = &r;"));
        self.line("struct $node s = {.value = 5};");
        self.line("struct $part *t = &q->part;");
        self.line(&format!("int i = {number}, j = 7, *pi = &j;"));
        self.line("unsigned u = 9;\n    _Bool b = 0;\n    s.part.link = q;");
        for _ in 0..statements {
            self.statement(3);
        }
    }

    /// A pointer variable.
    fn variable(&mut self) -> &'static str {
        self.one_of(&["p", "q", "r", "$global", "$ends[0]", "$ends[1]"])
    }

    /// Makes something that has no effects, so that it does not matter when it is evaluated.
    fn pure(&mut self, make: impl FnOnce(&mut Generator) -> String) -> String {
        let before = std::mem::replace(&mut self.is_pure, true);
        let made = make(self);
        self.is_pure = before;
        made
    }

    /// Picks one of several kinds of expressions: simple ones come first, those with effects last.
    fn kind(&mut self, depth: u32, simple: usize, pure: usize, all: usize) -> usize {
        self.below(if depth == 0 {
            simple
        } else if self.is_pure {
            pure
        } else {
            all
        })
    }

    /// A pointer to a node.
    fn node(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.kind(depth, 5, 11, 15) {
            0..=2 => self.variable().into(),
            3 => self.one_of(&["*pp", "t->link", "s.next", "s.part.link", "&s"]).into(),
            4 => "0".into(),
            5..=6 => {
                let node = self.variable();
                let member = self.one_of(&["next", "other", "part.link", "pair[1].link", "pair[i & 1].link"]);
                format!("({node} ? {node}->{member} : 0)")
            }
            7 => "(struct $node *)(void *)q".into(),
            8 => {
                let (condition, yes, no) = (self.condition(depth), self.node(depth), self.node(depth));
                format!("({condition} ? {yes} : {no})")
            }
            9 => format!("$ends[{} & 1]", self.pure(|this| this.number(depth))),
            10 if self.below(5) == 0 => "$around(t)".into(),
            10 => "t->link".into(),
            11 => format!("$make({})", self.number(depth)),
            12 => {
                let node = self.variable();
                format!("({node} = {})", self.pure(|this| this.node(depth)))
            }
            13 if self.functions > 0 => format!("$f0({})", self.arguments(depth)),
            _ => format!("($note_int(i), {})", self.variable()),
        }
    }

    fn arguments(&mut self, depth: u32) -> String {
        let (node, number) = (self.pure(|this| this.node(depth)), self.pure(|this| this.number(depth)));
        format!("{node}, {number} % 3, {}", self.slot(depth))
    }

    /// A pointer to a pointer.
    fn slot(&mut self, depth: u32) -> String {
        let node = self.one_of(&["p", "q", "r", "$global"]);
        let otherwise = self.one_of(&["&p", "&q", "&r", "&$global", "&$ends[1]", "pp", "&$ends[i & 1]"]);
        let member = self.one_of(&["next", "other", "part.link", "pair[0].link"]);
        if depth > 0 && self.below(2) == 0 {
            format!("({node} ? &{node}->{member} : {otherwise})")
        } else {
            otherwise.into()
        }
    }

    fn number(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        let operand = |this: &mut Generator| this.pure(|this| this.number(depth));
        match self.kind(depth, 6, 16, 22) {
            0..=1 => self.one_of(&["i", "j", "b", "$counter", "s.value", "*pi"]).into(),
            2 => self.one_of(&["0", "1", "2", "-1", "255", "(int)sizeof(struct $part)"]).into(),
            3 => {
                let numbers = ["(int)u", "t->tag", "s.small", "(signed char)i", "(unsigned short)j", "s.pair[1].tag"];
                self.one_of(&numbers).into()
            }
            4..=5 => {
                let node = self.variable();
                format!("({node} ? {node}->value : {})", self.below(9))
            }
            6..=9 => {
                let operator = self.one_of(&["+", "-", "*", "&", "|", "^", "<", "==", ">=", "!="]);
                format!("({} {operator} {})", operand(self), operand(self))
            }
            10 => format!("({} / (({} & 7) + 1))", operand(self), operand(self)),
            11 => format!("({} % (({} & 3) + 2))", operand(self), operand(self)),
            12 => format!("({} >> ({} & 7))", operand(self), operand(self)),
            13 => format!("{}({})", self.one_of(&["-", "~", "!"]), self.number(depth)),
            14 => format!("({} ? {} : {})", self.condition(depth), self.number(depth), self.number(depth)),
            15 => format!("({} {} {})", self.condition(depth), self.one_of(&["&&", "||"]), self.condition(depth)),
            16..=17 => {
                let place = self.one_of(&["i", "j", "s.value", "$counter"]);
                format!("({place} {} {})", self.one_of(&["=", "+=", "-=", "^="]), operand(self))
            }
            18 => self.one_of(&["i++", "--j", "$counter++", "++s.small", "(int)u--"]).into(),
            19..=20 if self.functions > 1 => format!("$f1({})", self.arguments(depth)),
            _ => "__VERIFIER_nondet_int()".into(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.below(8) {
            0..=1 => self.node(depth),
            2..=3 => {
                let (left, right) = (self.pure(|this| this.node(depth)), self.node(depth.min(1)));
                format!("{left} {} {right}", self.one_of(&["==", "!="]))
            }
            4 => format!("!{}", self.variable()),
            5 => {
                let node = self.variable();
                format!("({node} && {node}->value > {})", self.pure(|this| this.number(depth)))
            }
            6 => format!("pp {} {}", self.one_of(&["==", "!="]), self.slot(depth)),
            _ => self.number(depth),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn block(&mut self, depth: u32) {
        self.line("{");
        // In a loop the next round would have a variable of its own there, and the sanitizer does not tell the two
        // apart.
        if self.loops == 0 && self.below(8) == 0 {
            let value = self.variable();
            self.line(&format!("struct $node *w = {value}; pp = &w; *pp = q;"));
        }
        for _ in 0..1 + self.below(3) {
            self.statement(depth);
        }
        self.line("}");
    }

    /// Something that goes through a pointer; now and then it is not asked whether that is null.
    fn guarded(&mut self, node: &str, text: String) {
        if self.below(12) == 0 {
            self.line(&text);
        } else {
            self.line(&format!("if ({node}) {text}"));
        }
    }

    fn statement(&mut self, depth: u32) {
        let depth = depth.saturating_sub(1);
        match self.below(if depth == 0 { 16 } else { 24 }) {
            0..=2 => {
                let (node, value) = (self.variable(), self.node(3));
                self.line(&format!("{node} = {value};"));
            }
            3..=5 => {
                let member =
                    self.one_of(&["next", "other", "part.link", "pair[0].link", "pair[1].link", "pair[j & 1].link"]);
                let (node, value) = (self.variable(), self.pure(|this| this.node(2)));
                self.guarded(node, format!("{node}->{member} = {value};"));
            }
            6 => {
                let (node, value) = (self.variable(), self.number(2));
                let place = self.one_of(&["value", "small", "part.tag", "pair[1].tag"]);
                let operator = self.one_of(&["=", "+=", "="]);
                self.guarded(node, format!("{node}->{place} {operator} {value};"));
            }
            7..=8 => {
                let (place, value) = (self.one_of(&["i", "j", "u", "b", "$counter", "s.value", "*pi"]), self.number(3));
                self.line(&format!("{place} = {value};"));
            }
            9 => {
                let slot = self.slot(1);
                self.line(&format!("pp = {slot};"));
            }
            10 => {
                let value = self.node(2);
                self.line(&format!("*pp = {value};"));
            }
            11 => {
                let node = self.variable();
                let more = if self.below(6) == 0 { String::new() } else { format!(" {node} = 0;") };
                self.line(&format!("if ({node} != &s) {{ free({node});{more} }}"));
            }
            12 => {
                let node = self.variable();
                let text = self.one_of(&[
                    "t = &X->part;",
                    "s = *X;",
                    "*X = s;",
                    "pi = &X->value;",
                    "s.part = X->part;",
                    "X->pair[0] = X->part;",
                ]);
                self.guarded(node, text.replace('X', node));
            }
            13 => {
                let value = self.number(3);
                self.line(&format!("$note_int({value});"));
            }
            14 => {
                let arguments = self.arguments(2);
                let text = match self.below(self.functions + 1) {
                    1 => format!("q = $f0({arguments});"),
                    2 => format!("i = $f1({arguments});"),
                    3 => format!("s.part = $f2({arguments});"),
                    _ => format!("pi = {};", self.one_of(&["&i", "&j", "&$counter", "&s.value"])),
                };
                self.line(&text);
            }
            15 if self.loops > 0 => {
                let condition = self.condition(1);
                let jump = self.one_of(&["break;", "continue;"]);
                self.line(&format!("if ({condition}) {jump}"));
            }
            15 => self.line("u = u * 3 + 1;"),
            16..=18 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition})"));
                self.block(depth);
                if self.below(2) == 0 {
                    self.line("else");
                    self.block(depth);
                }
            }
            19..=21 => self.repeat(depth),
            22 => self.switch(depth),
            _ => self.block(depth),
        }
    }

    fn repeat(&mut self, depth: u32) {
        let condition = self.condition(2);
        self.loops += 1;
        match self.below(3) {
            0 => {
                self.line(&format!("while ($tick(), {condition})"));
                self.block(depth);
            }
            1 => {
                self.line(&format!("for (int k = 0; k < 3 && ({condition}); k++)"));
                self.block(depth);
            }
            _ => {
                self.line("do");
                self.block(depth);
                self.line(&format!("while ($tick(), {condition});"));
            }
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u32) {
        let value = self.number(2);
        let loops = std::mem::take(&mut self.loops);
        self.line(&format!("switch ({value}) {{"));
        for label in ["case 0:", "case 1: case 5:", "default:"] {
            self.line(label);
            self.block(depth);
            if self.below(2) == 0 {
                self.line("break;");
            }
        }
        self.line("}");
        self.loops = loops;
    }
}
