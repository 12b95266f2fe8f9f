//! Predicates in words: those whose definitions say something that has a common name, independent of the predicates'
//! names. For example, `E(u) x(u) & n*(u,v)` is "reachable from x along n".

use trifold_logic::{Predicate, Vocabulary};

/// The words of a unary predicate for an individual for which it holds, and for one for which it does not, where that
/// is worth a word.
pub fn phrases(predicate: &Predicate, vocabulary: &Vocabulary) -> Option<(String, Option<String>)> {
    let definition = predicate.definition.as_ref().filter(|_| predicate.arity == 1)?;
    let text = definition.formula.show(vocabulary).to_string();
    let (shape, names) = shape(&text, definition.parameters.first()?.name());
    let name = |index: usize| names.get(index).map_or("", String::as_str);
    match shape.as_str() {
        "E(a) P(a) & Q*(a,v)" => Some((format!("reachable from {} along {}", name(0), name(1)), None)),
        "E(a,b) P(a,v) & P(b,v) & a != b" | "E(a,b) a != b & P(a,v) & P(b,v)" => {
            Some((format!("shared: {} leads to it from several objects", name(0)), Some("not shared".to_string())))
        }
        "P+(v,v)" | "E(a) P(v,a) & P*(a,v)" => {
            Some((format!("on a cycle of {}", name(0)), Some("on no cycle".to_string())))
        }
        "E(a) P(v,a)" => Some((format!("with a successor along {}", name(0)), None)),
        _ => None,
    }
}

/// A formula with other names: its parameter is v, bound variables are a, b, c, predicates are P, Q, R, each in the
/// order of their appearance.
fn shape(text: &str, parameter: &str) -> (String, Vec<String>) {
    let (mut variables, mut predicates): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut shape = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_part_of_name(first) {
            shape.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let word = &rest[..word_length(rest)];
        rest = &rest[word.len()..];
        // A predicate has arguments, perhaps after the mark of a closure; a quantifier has variables.
        let is_applied = rest.trim_start_matches(['*', '+']).starts_with('(');
        match word {
            "E" | "A" if is_applied => shape += word,
            _ if is_applied => shape.push(letter('P', word, &mut predicates)),
            _ if word == parameter => shape.push('v'),
            _ => shape.push(letter('a', word, &mut variables)),
        }
    }
    (shape, predicates)
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_.$'".contains(c)
}

/// The length of a name with the brackets that follow it.
fn word_length(text: &str) -> usize {
    let length = text.find(|c| !is_part_of_name(c)).unwrap_or(text.len());
    match text[length..].starts_with('[') {
        true => text[length..].find(']').map_or(length, |end| length + end + 1),
        false => length,
    }
}

fn letter(first: char, word: &str, known: &mut Vec<String>) -> char {
    let number = known.iter().position(|one| one == word).unwrap_or_else(|| {
        known.push(word.to_string());
        known.len() - 1
    });
    char::from_u32(u32::from(first) + number as u32).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn names_do_not_matter() {
        let (shape, names) = shape("E(w) table(w) & next[a,b]*(w,u)", "u");
        assert_eq!(shape, "E(a) P(a) & Q*(a,v)");
        assert_eq!(names, ["table", "next[a,b]"]);
    }
}
