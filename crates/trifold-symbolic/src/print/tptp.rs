//! TPTP, as first-order formulas (`fof`). For example, `E(v) x(v)` becomes `(?[V_v]: (ac(V_v) & x(V_v)))`.

use super::{Problem, Term};
use std::fmt::Write;
use trifold_logic::{Formula, Var, Vocabulary};

/// Closed formulas as axioms, which a prover finds satisfiable or not.
pub fn tptp(formulas: &[Formula], vocabulary: &Vocabulary) -> String {
    let problem = Problem::new(formulas, vocabulary);
    let mut text = String::new();
    for (number, axiom) in problem.axioms.iter().enumerate() {
        let _ = write!(text, "fof(f{}, axiom, ", number + 1);
        write(axiom, &mut text);
        text.push_str(").\n");
    }
    text
}

/// A name in quotes may contain anything that prints, quotes and backslashes with a backslash before them.
fn symbol(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if simple && name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return name.to_string();
    }
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Variables start with a capital letter. A character that may not be in them is written as its number, so that they
/// stay different.
fn variable(v: &Var) -> String {
    let mut name = String::from("V_");
    for c in v.name().chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else {
            let _ = write!(name, "_{}_", c as u32);
        }
    }
    name
}

fn write(term: &Term, text: &mut String) {
    let mut chain = |operator: &str, parts: &[Term], neutral: &str| match parts {
        [] => text.push_str(neutral),
        [only] => write(only, text),
        [first, rest @ ..] => {
            text.push('(');
            write(first, text);
            for part in rest {
                text.push_str(operator);
                write(part, text);
            }
            text.push(')');
        }
    };
    match term {
        Term::And(parts) => chain(" & ", parts, "$true"),
        Term::Or(parts) => chain(" | ", parts, "$false"),
        Term::Value(value) => {
            let _ = write!(text, "${value}");
        }
        Term::Atom(name, arguments) if arguments.is_empty() => text.push_str(&symbol(name)),
        Term::Atom(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(variable).collect();
            let _ = write!(text, "{}({})", symbol(name), arguments.join(","));
        }
        Term::Equal(v, w) => {
            let _ = write!(text, "({} = {})", variable(v), variable(w));
        }
        Term::Not(inner) => {
            text.push('~');
            write(inner, text);
        }
        Term::Exists(v, body) | Term::Forall(v, body) => {
            let quantifier = if matches!(term, Term::Exists(..)) { '?' } else { '!' };
            let _ = write!(text, "({quantifier}[{}]: ", variable(v));
            write(body, text);
            text.push(')');
        }
    }
}
