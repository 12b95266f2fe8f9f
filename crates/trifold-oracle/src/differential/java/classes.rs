//! Classes of random programs: fields that hide each other, initializers, constructors that call each other, methods
//! that override.

use super::generate::{CLASSES, Class, NUMBERS, Variable, Writer};

impl Writer {
    /// Decides which classes there are.
    pub fn choose_classes(&mut self) {
        self.classes.push(Class { parent: None, hides: false });
        for class in 1..2 + self.random.below(CLASSES.len() - 1) {
            let parent = Some(self.random.below(class));
            let hides = self.random.once_in(3);
            self.classes.push(Class { parent, hides });
        }
    }

    /// The interface that the first class implements.
    pub fn interface(&mut self) {
        let prefix = self.prefix.clone();
        self.block(&format!("interface {prefix}I"), |this| {
            this.line("int K = 5 * 3 - 1;");
            this.line("int pick(int x);");
            this.block("default int twice(int x)", |this| {
                this.scope.push(Variable { name: "x".to_string(), ty: "int".to_string() });
                this.calls = false;
                this.class = Some(0);
                let value = this.number(2);
                this.class = None;
                this.calls = true;
                this.line(&format!("return pick((int) ({value})) + pick(x + K);"));
            });
        });
    }

    /// Writes a class.
    pub fn class(&mut self, class: usize) {
        let (name, prefix) = (self.class_name(class), self.prefix.clone());
        let head = match self.classes[class].parent {
            Some(parent) => format!("class {name} extends {}", self.class_name(parent)),
            None => format!("class {name} implements {prefix}I"),
        };
        (self.class, self.has_this) = (Some(class), true);
        self.result = None;
        self.scope.clear();
        self.block(&head, |this| {
            // What runs for each object makes no others, or there would be no end of it.
            this.calls = false;
            this.fields(class);
            this.constructors(class);
            this.calls = true;
            this.methods(class);
        });
        (self.class, self.has_this) = (None, false);
    }

    fn fields(&mut self, class: usize) {
        let a = self.class_name(0);
        if self.random.once_in(3) {
            // What is set before its own initializer runs.
            let own = CLASSES[class].to_lowercase();
            self.line(&format!("{{ set_{own} = 7; }}"));
            let value = self.random.one_of(&["", " = 0", " = 2"]);
            self.line(&format!("int set_{own}{value};"));
            self.line(&format!("{{ {}.note(set_{own}); }}", self.prefix));
        }
        if self.classes[class].parent.is_none() {
            self.line(&format!("{a} next;"));
            self.line("int i = 4;");
            self.line("static int first = 6 * 7;");
            self.line("static short second;");
            self.line("static { second = (short) (first << 12); }");
            self.line("int peek() { return i; }");
            for (name, ty) in [("l", "long"), ("s", "short"), ("b", "byte"), ("c", "char"), ("z", "boolean")] {
                self.field(name, ty);
            }
            self.line("Integer box;");
            self.line("static int made;");
        } else if self.classes[class].hides {
            let ty = self.random.one_of(&["int", "long", "short"]);
            self.field("i", ty);
        }
        if self.classes[class].parent.is_some() && self.random.once_in(2) {
            // The compiler knows the value of a constant, even before it is set.
            let own = CLASSES[class].to_lowercase();
            let (modifier, value) = (self.random.one_of(&["final ", ""]), self.random.below(50));
            self.line(&format!("{modifier}int fixed_{own} = {value};"));
            self.line(&format!("int peek() {{ return fixed_{own} + super.peek(); }}"));
        }
        if self.random.once_in(2) {
            let own = CLASSES[class].to_lowercase();
            let ty = self.random.one_of(&NUMBERS);
            self.field(&format!("own_{own}"), ty);
        }
        if self.random.once_in(2) {
            self.block("", |this| {
                for _ in 0..1 + this.random.below(2) {
                    this.statement(1);
                }
            });
        }
    }

    fn field(&mut self, name: &str, ty: &str) {
        let value = match self.random.below(3) {
            0 => String::new(),
            _ => format!(" = {}", self.of_type(ty, 2)),
        };
        self.line(&format!("{ty} {name}{value};"));
    }

    fn constructors(&mut self, class: usize) {
        let name = self.class_name(class);
        let parent = self.classes[class].parent;
        self.block(&format!("{name}(int x)"), |this| {
            if parent.is_some() {
                this.scope.push(Variable { name: "x".to_string(), ty: "int".to_string() });
                let value = this.before_this(2);
                this.line(&format!("super({value});"));
                this.scope.pop();
            }
            this.scope.push(Variable { name: "x".to_string(), ty: "int".to_string() });
            this.line(&format!("{}.made++;", this.class_name(0)));
            if this.random.once_in(2) {
                this.line(&format!("{}.note(peek());", this.prefix));
            }
            for _ in 0..this.random.below(3) {
                this.statement(1);
            }
        });
        self.block(&format!("{name}()"), |this| {
            match parent {
                Some(_) if this.random.once_in(2) => {}
                _ => {
                    let value = this.before_this(1);
                    this.line(&format!("this({value});"));
                }
            }
            for _ in 0..this.random.below(2) {
                this.statement(1);
            }
        });
    }

    /// An argument of the constructor that is called first: there is no `this` yet.
    fn before_this(&mut self, depth: usize) -> String {
        self.has_this = false;
        let value = self.of_type("int", depth);
        self.has_this = true;
        value
    }

    fn methods(&mut self, class: usize) {
        let is_first = self.classes[class].parent.is_none();
        for (result, name, parameter) in [
            ("int", "pick", "int x"),
            ("long", "mix", "long x"),
            ("int", "over", "int x"),
            ("int", "over", "char x"),
            ("short", "tiny", "short x"),
        ] {
            if !is_first && self.random.once_in(2) {
                continue;
            }
            let annotation = if is_first { "" } else { "@Override " };
            self.block(&format!("{annotation}public {result} {name}({parameter})"), |this| {
                this.parameters(parameter);
                this.result = Some(result);
                this.line(&format!("if (!{}.burn()) {{ return 2; }}", this.prefix));
                if !is_first && this.random.once_in(2) {
                    this.line(&format!("{}.note(super.{name}(x));", this.prefix));
                }
                for _ in 0..1 + this.random.below(2) {
                    this.statement(1);
                }
                this.return_statement(result);
            });
        }
    }
}
