//! SMT-LIB 2. For example, `E(v) x(v)` becomes `(exists ((?v Individual)) (and (ac ?v) (x ?v)))`.

use super::{Problem, Term};
use std::fmt::Write;
use trifold_logic::{Formula, Var, Vocabulary};

/// Closed formulas as a script that ends with `(check-sat)`.
pub fn smtlib(formulas: &[Formula], vocabulary: &Vocabulary) -> String {
    let problem = Problem::new(formulas, vocabulary);
    let mut text = String::from("(set-logic UF)\n(declare-sort Individual 0)\n");
    for (name, arity) in &problem.symbols {
        let arguments = vec!["Individual"; *arity].join(" ");
        let _ = writeln!(text, "(declare-fun {} ({arguments}) Bool)", symbol(name));
    }
    for axiom in &problem.axioms {
        text.push_str("(assert ");
        write(axiom, &mut text);
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n");
    text
}

/// A name between bars may contain anything but bars and backslashes.
fn symbol(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let reserved =
        ["let", "and", "or", "not", "exists", "forall", "true", "false", "as", "par", "distinct", "ite", "xor"];
    if simple && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !reserved.contains(&name) {
        return name.to_string();
    }
    format!("|{}|", name.replace(['|', '\\'], "/"))
}

/// Variables are kept apart from predicates, which they would hide.
fn variable(v: &Var) -> String {
    let name = format!("?{}", v.name());
    if v.name().chars().all(|c| c.is_ascii_alphanumeric() || c == '_') { name } else { format!("|{name}|") }
}

fn write(term: &Term, text: &mut String) {
    let mut applied = |operator: &str, parts: &[Term], neutral: &str| match parts {
        [] => text.push_str(neutral),
        [only] => write(only, text),
        parts => {
            let _ = write!(text, "({operator}");
            for part in parts {
                text.push(' ');
                write(part, text);
            }
            text.push(')');
        }
    };
    match term {
        Term::And(parts) => applied("and", parts, "true"),
        Term::Or(parts) => applied("or", parts, "false"),
        Term::Value(value) => {
            let _ = write!(text, "{value}");
        }
        Term::Atom(name, arguments) if arguments.is_empty() => text.push_str(&symbol(name)),
        Term::Atom(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(variable).collect();
            let _ = write!(text, "({} {})", symbol(name), arguments.join(" "));
        }
        Term::Equal(v, w) => {
            let _ = write!(text, "(= {} {})", variable(v), variable(w));
        }
        Term::Not(inner) => {
            text.push_str("(not ");
            write(inner, text);
            text.push(')');
        }
        Term::Exists(v, body) | Term::Forall(v, body) => {
            let quantifier = if matches!(term, Term::Exists(..)) { "exists" } else { "forall" };
            let _ = write!(text, "({quantifier} (({} Individual)) ", variable(v));
            write(body, text);
            text.push(')');
        }
    }
}
