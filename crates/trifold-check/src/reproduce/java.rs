//! Drivers in Java: a class whose `main` calls the program.
//!
//! The program is compiled as it is. Random numbers are those of the run, because the driver brings its own
//! `java.util.Random`, with which the Java machine is patched. Objects are made without their constructors, and get the
//! fields that they have in the run.
//!
//! For example:
//!
//! ```java
//! public class List_1 {
//!     public static void main(String[] arguments) throws Throwable {
//!         System.setProperty("trifold.choices", "3,0");
//!         List.main(new String[2]);
//!     }
//! }
//! ```

use super::{MARK, Task};
use crate::confirm::Call;
use crate::options::Language;
use crate::reproducer::{Command, Reproducer};
use crate::source::Function;
use std::collections::BTreeSet;
use std::fmt::Write;
use trifold_ir::{Asked, MadeChoice, ObjectId, Program, Scalar, Type, Value};
use trifold_source::printable_line;

pub(super) fn reproducer(task: &Task<'_>, name: &str) -> Result<Reproducer, String> {
    let driver = Driver { task, program: &task.translated.program };
    let directory = &task.setting.directory;
    let classes = format!("{directory}/classes");
    let source = format!("{directory}/{name}.java");
    let path = &task.translated.files[0];
    let mut compile = vec![Command::new(["javac", "-nowarn", "-d", &classes, path, &source])];
    let mut run = vec!["java".to_string(), "-ea".to_string(), "-Xshare:auto".to_string()];
    let choices = driver.choices()?;
    let is_random = driver.source().contains("Random");
    if is_random {
        let (from, to) = (format!("{directory}/java.base"), format!("{directory}/patch"));
        let (patch, file) = (format!("java.base={from}"), format!("{from}/java/util/Random.java"));
        compile.insert(0, Command::new(["javac", "-nowarn", "--patch-module", &patch, "-d", &to, &file]));
        run.extend(["--patch-module".to_string(), format!("java.base={to}")]);
    }
    run.extend(["-cp".to_string(), classes, name.to_string()]);
    let run = Command::new(run);
    let commands: Vec<&Command> = compile.iter().chain([&run]).collect();
    let mut files = vec![(format!("{name}.java"), driver.text(name, &choices, &commands)?)];
    if is_random {
        files.push(("java.base/java/util/Random.java".to_string(), format!("// {MARK}.\n{RANDOM}")));
    }
    let (kind, language, checkers) = (task.finding.kind, Language::Java, Vec::new());
    Ok(Reproducer { kind, language, files, compile, run, checkers, is_shared: task.incident.is_shared })
}

struct Driver<'a> {
    task: &'a Task<'a>,
    program: &'a Program,
}

impl Driver<'_> {
    fn source(&self) -> &str {
        self.task.translated.sources.files().first().map_or("", |file| &file.text)
    }

    fn function_of(&self, choice: &MadeChoice) -> Option<&Function> {
        self.task.translated.functions.iter().find(|function| function.procedures.contains(&choice.procedure))
    }

    /// The source text of the statement that asks.
    fn asking(&self, choice: &MadeChoice) -> &str {
        let edge = choice.edge.map(|edge| &self.program[choice.procedure].edges[edge]);
        edge.map_or("", |edge| self.task.translated.sources.text(edge.span))
    }

    /// The random numbers, in order. A number that is not computed is one of them, too, if it is random.
    fn choices(&self) -> Result<Vec<i128>, String> {
        let mut choices = Vec::new();
        for choice in self.task.made().filter(|choice| self.function_of(choice).is_some()) {
            match choice.asked {
                Asked::Input if !self.is_random(choice) => {
                    return Err(format!("`{}` cannot be told what to return", printable_line(self.asking(choice))));
                }
                Asked::Input => choices.push(choice.value),
                Asked::NotComputed if self.is_random(choice) => choices.push(choice.value),
                Asked::NotComputed | Asked::Field(..) => {}
                Asked::Allocation | Asked::Variable(_) | Asked::Way(_) | Asked::Callee(_) | Asked::Outcome(_) => {
                    return Err("the run takes one of several ways by chance".to_string());
                }
            }
        }
        Ok(choices)
    }

    /// Is it a call of a generator of random numbers?
    fn is_random(&self, choice: &MadeChoice) -> bool {
        let methods = ["nextInt", "nextLong", "nextBoolean"];
        methods.iter().any(|method| self.asking(choice).contains(method)) && !self.source().contains("Scanner")
    }

    fn text(&self, name: &str, choices: &[i128], commands: &[&Command]) -> Result<String, String> {
        let mut text = format!("// {MARK}.\n//\n// {}\n//\n", printable_line(&self.task.headline()));
        for command in commands {
            let _ = writeln!(text, "//     {}", printable_line(&command.to_string()));
        }
        let choices: Vec<String> = choices.iter().map(i128::to_string).collect();
        let call = match &self.task.account.call {
            Some(call) => self.call(call)?,
            None => self.main()?,
        };
        let _ = writeln!(text, "\npublic class {name} {{");
        let _ = writeln!(text, "    public static void main(String[] none) throws Throwable {{");
        let _ = writeln!(text, "        System.setProperty(\"trifold.choices\", \"{}\");", choices.join(","));
        Ok(text + &call + "    }\n" + HELPERS + "}\n")
    }

    /// A call of `main`. What is chosen before it begins is the number of its arguments.
    fn main(&self) -> Result<String, String> {
        let is_count = |choice: &&MadeChoice| choice.asked == Asked::Input && self.function_of(choice).is_none();
        let count = self.task.made().find(is_count).map_or(0, |choice| choice.value);
        if count > 1_000_000 {
            return Err(format!("no machine gives {count} arguments"));
        }
        let is_main = |function: &&Function| function.name.ends_with(".main");
        let main = self.task.translated.functions.iter().find(is_main).ok_or("there is no `main`")?;
        let arguments = format!("        String[] arguments = new String[{count}];\n");
        Ok(format!(
            "{arguments}        java.util.Arrays.fill(arguments, \"\");\n{}",
            self.invocation(main, &["arguments".to_string()])?
        ))
    }

    fn invocation(&self, function: &Function, arguments: &[String]) -> Result<String, String> {
        let (class, method) = function.name.rsplit_once('.').ok_or("the method has no class")?;
        let is_same = |other: &&Function| other.name.split('$').next() == function.name.split('$').next();
        if method.contains(['$', '<']) || self.task.translated.functions.iter().filter(is_same).count() > 1 {
            return Err(format!("`{}` is one of several methods of this name", function.name));
        }
        let arguments = format!("new Object[] {{ {} }}", arguments.join(", "));
        Ok(format!("        call({}, \"{method}\", {arguments});\n", self.class(class)))
    }

    /// A class of the program.
    fn class(&self, name: &str) -> String {
        let mut words = self.source().lines().filter_map(|line| line.trim().strip_prefix("package "));
        let package =
            words.next().and_then(|line| line.split(';').next()).map(|package| format!("{}.", package.trim()));
        format!("Class.forName(\"{}{}\")", package.unwrap_or_default(), name.replace('.', "$"))
    }

    /// A call of a method that the program does not call.
    fn call(&self, call: &Call) -> Result<String, String> {
        let functions = &self.task.translated.functions;
        let function = functions.iter().find(|function| function.procedures.contains(&call.procedure));
        let function = function.ok_or("the method has no name")?;
        let parameters = &self.program[call.procedure].parameters;
        let values: Vec<Value> = parameters.iter().map(|parameter| call.state.value(*parameter)).collect();
        let mut text = String::new();
        let objects = reached(call, &values);
        for object in &objects {
            let structure = &self.program[call.state.object(*object).structure].name;
            if !self.is_class(structure) {
                return Err(format!("an argument leads to an object of `{structure}`"));
            }
            let _ = writeln!(text, "        Object object_{} = make({});", object.0, self.class(structure));
        }
        for object in &objects {
            self.set_fields(call, *object, &mut text)?;
        }
        let mut arguments = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            arguments.push(self.value(value, self.program[*parameter].ty)?);
        }
        Ok(text + &self.invocation(function, &arguments)?)
    }

    /// Is it a class of the program, and one by itself?
    fn is_class(&self, structure: &str) -> bool {
        let last = structure.rsplit('.').next().unwrap_or(structure);
        let fields = self.program.structs.iter().filter(|s| s.name == structure).flat_map(|s| &s.fields);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.source().contains(&format!("class {last}"))
            && fields.clone().all(|field| self.program[*field].name.chars().all(is_plain))
    }

    fn set_fields(&self, call: &Call, id: ObjectId, text: &mut String) -> Result<(), String> {
        let object = call.state.object(id);
        for (field, value) in self.program[object.structure].fields.iter().zip(&object.fields) {
            let asked = Asked::Field(id, *field);
            let settled = self.task.account.made.iter().find(|choice| choice.asked == asked);
            let value = match (value, settled) {
                (Value::Uninitialised, Some(choice)) => Value::Scalar(choice.value),
                (value, _) => *value,
            };
            if value != Value::Uninitialised {
                let value = self.value(value, self.program[*field].ty)?;
                let _ = writeln!(text, "        set(object_{}, \"{}\", {value});", id.0, self.program[*field].name);
            }
        }
        Ok(())
    }

    fn value(&self, value: Value, ty: Type) -> Result<String, String> {
        Ok(match (value, ty) {
            (Value::Null | Value::Uninitialised, Type::Pointer(_)) => "null".to_string(),
            (Value::Object(object), _) => format!("object_{}", object.0),
            (Value::Scalar(number), Type::Scalar(Scalar::Bool)) => (number != 0).to_string(),
            (Value::Uninitialised, Type::Scalar(Scalar::Bool)) => "false".to_string(),
            (Value::Scalar(number), Type::Scalar(Scalar::Int { bits, signed })) => match (bits, signed) {
                (64, true) => format!("{number}L"),
                (32, true) => number.to_string(),
                (16, true) => format!("(short) {number}"),
                (16, false) => format!("(char) {number}"),
                (8, true) => format!("(byte) {number}"),
                _ => return Err("an argument is no integer".to_string()),
            },
            (Value::Uninitialised, Type::Scalar(_)) => "0".to_string(),
            _ => return Err("an argument has no value that Java can name".to_string()),
        })
    }
}

/// The objects that values lead to.
fn reached(call: &Call, values: &[Value]) -> BTreeSet<ObjectId> {
    let mut open: Vec<ObjectId> = values.iter().filter_map(|value| value.referent()).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            open.extend(call.state.object(id).fields.iter().filter_map(|value| value.referent()));
        }
    }
    reached
}

/// What drivers need to call methods and to make objects, private ones included.
const HELPERS: &str = r#"
    /** Calls a method; the first argument is the object unless it is static. */
    static void call(Class<?> in, String name, Object[] arguments) throws Throwable {
        for (java.lang.reflect.Method method : in.getDeclaredMethods()) {
            if (method.getName().equals(name) && !method.isSynthetic()) {
                method.setAccessible(true);
                boolean isStatic = java.lang.reflect.Modifier.isStatic(method.getModifiers());
                Object object = isStatic ? null : arguments[0];
                Object[] others = isStatic ? arguments : java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
                try {
                    method.invoke(object, others);
                } catch (java.lang.reflect.InvocationTargetException failure) {
                    throw failure.getCause();
                }
                return;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** Makes an object without its constructor. */
    static Object make(Class<?> of) throws Throwable {
        java.lang.reflect.Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        return unsafe.getType().getMethod("allocateInstance", Class.class).invoke(unsafe.get(null), of);
    }

    static void set(Object object, String name, Object value) throws Throwable {
        java.lang.reflect.Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
"#;

/// A generator of random numbers that are those of a run.
const RANDOM: &str = r#"package java.util;

public class Random implements java.io.Serializable {
    private static String[] choices;
    private static int made;

    private static long choose() {
        if (choices == null) {
            String all = System.getProperty("trifold.choices", "");
            choices = all.isEmpty() ? new String[0] : all.split(",");
        }
        if (made == choices.length) {
            leave("it asks for more input");
        }
        return Long.parseLong(choices[made++]);
    }

    private static void leave(String why) {
        System.err.println("trifold: the run left the witness: " + why);
        Runtime.getRuntime().halt(125);
    }

    public Random() {
    }

    public Random(long seed) {
        leave("numbers from a seed are no input");
    }

    public void setSeed(long seed) {
        leave("numbers from a seed are no input");
    }

    protected int next(int bits) {
        return (int) choose() >>> (32 - bits);
    }

    public int nextInt() {
        return (int) choose();
    }

    public int nextInt(int bound) {
        return (int) Math.floorMod(choose(), (long) bound);
    }

    public long nextLong() {
        return choose();
    }

    public boolean nextBoolean() {
        return choose() != 0;
    }

    public double nextDouble() {
        return 0.5;
    }

    public float nextFloat() {
        return 0.5f;
    }

    public double nextGaussian() {
        return 0;
    }

    public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) 0);
    }
}
"#;
