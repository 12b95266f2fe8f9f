//! Random Java programs that note what they compute.
//!
//! A program is a main class and classes beside it, which extend each other:
//!
//! ```text
//! p1          main, static fields and methods, note for each type
//! p1I         an interface with a default method
//! p1A, p1B, … classes with fields, initializers, constructors and methods that override each other
//! ```
//!
//! Loops and recursion burn fuel, so programs end. Most programs go wrong in no way, some dereference null.

use crate::differential::random::Random;

/// The types of numbers, the least general one first.
pub const NUMBERS: [&str; 5] = ["byte", "short", "char", "int", "long"];

/// The names of classes, after the prefix.
pub const CLASSES: [&str; 4] = ["A", "B", "C", "D"];

/// A class of a program.
pub struct Class {
    /// The class that it extends.
    pub parent: Option<usize>,
    /// Has it a field of its own that hides one of its parent?
    pub hides: bool,
}

/// A variable that statements can name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: String,
}

/// A program that is being written.
pub struct Writer {
    /// What decides.
    pub random: Random,
    /// The prefix of the names of classes.
    pub prefix: String,
    /// The lines so far.
    pub text: String,
    indent: usize,
    /// The variables that are known here, the innermost last.
    pub scope: Vec<Variable>,
    /// The numbers of variables and labels so far.
    pub names: usize,
    /// The labels of the loops around, the innermost last.
    pub loops: Vec<String>,
    /// The type of the method's result, if it has one.
    pub result: Option<&'static str>,
    /// The class that is being written, unless it is the main class.
    pub class: Option<usize>,
    /// Is there a `this`?
    pub has_this: bool,
    /// The classes of the program.
    pub classes: Vec<Class>,
    /// May expressions call what the program defines, and make objects?
    pub calls: bool,
}

/// A program whose classes have names that begin with `prefix`.
pub fn program(random: Random, prefix: &str) -> String {
    let mut writer = Writer {
        random,
        prefix: prefix.to_string(),
        text: String::new(),
        indent: 0,
        scope: Vec::new(),
        names: 0,
        loops: Vec::new(),
        result: None,
        class: None,
        has_this: false,
        classes: Vec::new(),
        calls: true,
    };
    writer.choose_classes();
    writer.main_class();
    writer.interface();
    for class in 0..writer.classes.len() {
        writer.class(class);
    }
    writer.text
}

impl Writer {
    /// Writes a line.
    pub fn line(&mut self, text: &str) {
        if text.starts_with('}') {
            self.indent -= 1;
        }
        self.text += &format!("{}{text}\n", "    ".repeat(self.indent));
        if text.ends_with('{') {
            self.indent += 1;
        }
    }

    /// Writes a block after its first line. Variables of the block are not known after it.
    pub fn block(&mut self, head: &str, body: impl FnOnce(&mut Writer)) {
        self.line(&format!("{head} {{"));
        let known = self.scope.len();
        body(self);
        self.scope.truncate(known);
        self.line("}");
    }

    /// A new name.
    pub fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// The type of a class of the program.
    pub fn class_name(&self, class: usize) -> String {
        format!("{}{}", self.prefix, CLASSES[class])
    }

    fn main_class(&mut self) {
        let prefix = self.prefix.clone();
        self.block(&format!("class {prefix}"), |this| {
            this.line("static int fuel = 60;");
            this.line("static int si = 3, sj = -7;");
            this.line("static long sl = 1L << 40;");
            this.line("static short ss = -2;");
            this.line("static byte sb = 127;");
            this.line("static char sc = 'x';");
            this.line("static boolean sz;");
            this.line("static final int FIXED = 100;");
            this.line("static final char LETTER = 'q';");
            let a = this.class_name(0);
            this.line(&format!("static {a} sa;"));
            if this.random.once_in(3) {
                this.line("static { si = 8; }");
                this.line("static int late = say(si) + sj++;");
                this.line("static { note(late); sj = late; }");
            }
            this.line("static boolean burn() { return fuel-- > 0; }");
            for ty in NUMBERS.iter().chain(&["boolean"]) {
                let shown = match *ty {
                    "char" => "(int) value",
                    "boolean" => "(value ? 1 : 0)",
                    _ => "value",
                };
                this.line(&format!("static void note({ty} value) {{ System.out.println(\"{ty} \" + {shown}); }}"));
            }
            for ty in NUMBERS.iter().chain(&["boolean"]) {
                this.line(&format!("static {ty} say({ty} value) {{ note(value); return value; }}"));
            }
            this.line(&format!("static {a} tell({a} value, int mark) {{ note(mark); return value; }}"));
            this.static_methods();
            this.block("public static void main()", |this| {
                this.result = None;
                this.locals();
                for _ in 0..6 + this.random.below(8) {
                    this.statement(3);
                }
                for name in ["si", "sj", "sl", "ss", "sb", "sc", "sz"] {
                    this.line(&format!("note({name});"));
                }
            });
        });
    }

    /// The static fields of the main class, by type.
    pub fn statics(&self) -> Vec<Variable> {
        let a = self.class_name(0);
        let known = [
            ("si", "int"),
            ("sj", "int"),
            ("sl", "long"),
            ("ss", "short"),
            ("sb", "byte"),
            ("sc", "char"),
            ("sz", "boolean"),
            ("sa", a.as_str()),
        ];
        let full = |name: &str| format!("{}.{name}", self.prefix);
        known.iter().map(|(name, ty)| Variable { name: full(name), ty: ty.to_string() }).collect()
    }

    fn static_methods(&mut self) {
        let a = self.class_name(0);
        for (result, name, parameters) in [
            ("int", "fi", "int a, int b"),
            ("long", "fl", "long a, short b"),
            ("int", "fo", "int a, long b"),
            ("int", "fo", "long a, int b"),
            ("int", "fo", "Object a, Object b"),
            ("boolean", "fz", "boolean a, char b"),
        ] {
            self.block(&format!("static {result} {name}({parameters})"), |this| {
                this.parameters(parameters);
                this.result = Some(result);
                this.line(&format!("if (!burn()) {{ return {}; }}", if result == "boolean" { "true" } else { "1" }));
                for _ in 0..1 + this.random.below(3) {
                    this.statement(1);
                }
                this.return_statement(result);
            });
        }
        self.block(&format!("static {a} fa({a} x, int b)"), |this| {
            this.parameters(&format!("{a} x, int b"));
            this.result = Some("reference");
            this.line("if (!burn()) { return x; }");
            for _ in 0..1 + this.random.below(2) {
                this.statement(1);
            }
            let value = this.reference(2);
            this.line(&format!("return {value};"));
        });
    }

    /// Makes parameters known.
    pub fn parameters(&mut self, list: &str) {
        for parameter in list.split(", ") {
            let Some((ty, name)) = parameter.split_once(' ') else { continue };
            self.scope.push(Variable { name: name.to_string(), ty: ty.to_string() });
        }
    }

    /// Declares variables at the beginning of `main`.
    fn locals(&mut self) {
        for ty in ["int", "long", "short", "byte", "char", "boolean"] {
            self.declare(ty);
        }
        self.declare_reference();
        self.declare_reference();
    }
}
