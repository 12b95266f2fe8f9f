//! Pictures of structures.

use crate::direction::direction;
use trifold_logic::{Kleene, Predicate, PredicateId, Vocabulary};
use trifold_report::{Picture, PictureNode, Value};
use trifold_structure::{Plane, Structure, bits};

/// The picture of a structure: the values that the declarations display.
pub fn picture(structure: &Structure, vocabulary: &Vocabulary, title: &str, show_names: bool) -> Picture {
    let picture = Picture::titled(title);
    draw(picture, structure, vocabulary, show_names, &|_| true)
}

/// The picture of a heap: variables, objects and fields, but nothing that is defined by them, nor unknown facts about
/// the state as a whole.
pub fn heap(structure: &Structure, vocabulary: &Vocabulary) -> Picture {
    let is_core = |predicate: &Predicate| predicate.definition.is_none();
    let mut picture = draw(Picture::default(), structure, vocabulary, false, &is_core);
    picture.nullary.retain(|mark| mark.value != Value::Unknown);
    picture
}

fn draw(
    mut picture: Picture,
    structure: &Structure,
    vocabulary: &Vocabulary,
    show_names: bool,
    is_shown: &dyn Fn(&Predicate) -> bool,
) -> Picture {
    let declared = || vocabulary.iter().skip(Vocabulary::BUILT_IN).filter(|(_, predicate)| is_shown(predicate));
    for (p, predicate) in declared().filter(|(_, predicate)| predicate.arity == 0) {
        let value = structure.nullary(p);
        if predicate.display.shows(value) {
            picture.mark(predicate.name.as_ref(), shown(value));
        }
    }
    for u in structure.universe() {
        picture.add(PictureNode {
            name: structure.names().get(u).filter(|_| show_names).map(|name| name.to_string()),
            labels: declared().filter_map(|(p, _)| label(structure, vocabulary, p, u)).collect(),
            summary: structure.is_summary(u),
            maybe_active: !structure.is_active(u),
        });
    }
    for (p, predicate) in declared() {
        match predicate.arity {
            1 if predicate.pointer => point(&mut picture, structure, p, &predicate.name),
            2 => link(&mut picture, structure, p, vocabulary),
            _ => {}
        }
    }
    picture.direction = direction(structure, vocabulary);
    picture
}

fn shown(value: Kleene) -> Value {
    match value {
        Kleene::False => Value::False,
        Kleene::Unknown => Value::Unknown,
        Kleene::True => Value::True,
    }
}

/// A unary predicate inside a node: `p`, `p=1/2` or `p=0`.
fn label(structure: &Structure, vocabulary: &Vocabulary, p: PredicateId, u: usize) -> Option<String> {
    let predicate = &vocabulary[p];
    if predicate.arity != 1 || predicate.pointer {
        return None;
    }
    let value = structure.unary(p, u);
    predicate.display.shows(value).then(|| match value {
        Kleene::True => predicate.name.to_string(),
        value => format!("{}={value}", predicate.name),
    })
}

fn point(picture: &mut Picture, structure: &Structure, p: PredicateId, name: &str) {
    for u in structure.universe() {
        match structure.unary(p, u) {
            Kleene::False => {}
            value => picture.point(name, u, value == Kleene::True),
        }
    }
}

fn link(picture: &mut Picture, structure: &Structure, p: PredicateId, vocabulary: &Vocabulary) {
    let predicate = &vocabulary[p];
    let mut show = |u, v| {
        let value = structure.binary(p, u, v);
        if predicate.display.shows(value) {
            picture.link(u, v, predicate.name.as_ref(), shown(value));
        }
    };
    for u in structure.universe() {
        if predicate.display.shows(Kleene::False) {
            structure.universe().for_each(|v| show(u, v));
        } else {
            bits(structure.matrix_row(p, Plane::May, u)).for_each(|v| show(u, v));
        }
    }
}
