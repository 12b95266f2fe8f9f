//! The examples in Java, so that many of them can be compiled together and their choices be repeated. The class of
//! `main` gets the name of the program, for example `p17`, and methods that note values; what an example takes from its
//! arguments is a choice.

use crate::differential::tokens::tokens;

/// The notes that an example can make.
const NOTES: &str = r#"
    static void note(boolean value) { System.out.println("boolean " + (value ? 1 : 0)); }
    static void note(int value) { System.out.println("int " + value); }
    static void note(long value) { System.out.println("long " + value); }
    static void show(boolean value) { note(value); }
    static void show(int value) { note(value); }
    static void show(long value) { note(value); }
    static void show(Object value) { note(value != null); }
"#;

/// A program of the examples by another name.
pub fn adapt(original: &str, name: &str) -> String {
    const HEAD: &str = "public class ";
    let main = original.split_once(HEAD).and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or_default();
    let renamed = tokens(original).into_iter().map(|token| if token.text == main { name } else { token.text });
    let text = renamed.collect::<String>().replace("String[] args", "");
    let text = text.replace("args.length", "new java.util.Random().nextInt(5)").replace("import java.util.Random;", "");
    let text = text.replace("new Random()", "new java.util.Random()");
    text.replacen(&format!("{HEAD}{name} {{"), &format!("{HEAD}{name} {{{NOTES}"), 1)
}
