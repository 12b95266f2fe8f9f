//! Blur: canonical abstraction [LevAmi00 §3.2.5, C.7] and abstraction expressions [Reineke05 §4].
//!
//! Individuals that the abstraction does not tell apart become one. By the first rule two individuals are told apart
//! when some abstraction predicate has different values on them; by the second rule (`--blur definite`) only when it is
//! 1 on one and 0 on the other. The result is bounded, and its individuals are sorted by their canonical names, so that
//! equal means isomorphic. For example, the list 1 → 2 → 3, to whose first element `x` points, becomes 1 and a summary
//! of 2 and 3, which `x` does not tell apart.
//!
//! Blurring changes no name: the values of which a name consists are the same on all individuals that become one, so
//! their join is that value. A value of a binary predicate that is joined over a class of individuals is the join of
//! the values for the parts of that class.

use trifold_logic::{PredicateId, Vocabulary};
use trifold_structure::{Individual, Names, Structure};

/// When do individuals stay apart?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlurRule {
    /// They differ in the value of an abstraction predicate.
    #[default]
    Different,
    /// They differ in a definite value of an abstraction predicate: 0 against 1.
    Definite,
}

/// The predicates that tell individuals apart [Reineke05 Definition 1].
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// `{u1, …, un}`: values of unary predicates.
    Unary(Vec<PredicateId>),
    /// `e & f`: either expression tells them apart.
    Both(Box<[Expression; 2]>),
    /// `e |> {b1, …, bn}`: the expression does, or the values of binary predicates towards a class of the expression.
    Refined(Box<Expression>, Vec<PredicateId>),
}

impl Expression {
    /// The one of canonical abstraction: all predicates that are declared to be abstraction predicates.
    pub fn canonical(vocabulary: &Vocabulary) -> Expression {
        Expression::Unary(abstraction_predicates(vocabulary, 1))
    }

    /// The names of the individuals.
    fn names(&self, structure: &Structure) -> Names {
        match self {
            Expression::Unary(predicates) => Names::new(structure, predicates),
            Expression::Both(parts) => {
                let [left, right] = parts.each_ref().map(|part| part.names(structure));
                left.both(&right)
            }
            Expression::Refined(inner, predicates) => inner.names(structure).refined(structure, predicates),
        }
    }
}

fn abstraction_predicates(vocabulary: &Vocabulary, arity: usize) -> Vec<PredicateId> {
    vocabulary.iter().filter(|(_, p)| p.abstraction && p.arity == arity).map(|(id, _)| id).collect()
}

/// The abstraction of an analysis, or of one of its locations.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The predicates that tell individuals apart.
    expression: Expression,
    /// Nullary predicates that tell structures apart.
    pub nullary: Vec<PredicateId>,
    rule: BlurRule,
}

impl Abstraction {
    /// Canonical abstraction, as the declarations ask for it.
    pub fn new(vocabulary: &Vocabulary, rule: BlurRule) -> Abstraction {
        Abstraction {
            expression: Expression::canonical(vocabulary),
            nullary: abstraction_predicates(vocabulary, 0),
            rule,
        }
    }

    /// The abstraction by an expression. The second rule of blur is not defined for binary predicates; individuals that
    /// differ in them stay apart.
    pub fn by(expression: Expression, vocabulary: &Vocabulary, rule: BlurRule) -> Abstraction {
        let rule = if matches!(expression, Expression::Unary(_)) { rule } else { BlurRule::Different };
        Abstraction { expression, nullary: abstraction_predicates(vocabulary, 0), rule }
    }

    /// The bounded structure: canonical names are distinct and ascend.
    pub fn blur(&self, structure: &Structure) -> Structure {
        match self.rule {
            BlurRule::Different => self.merge_equal(structure),
            BlurRule::Definite => self.merge_compatible(structure),
        }
    }

    /// The canonical names of the individuals.
    pub fn names(&self, structure: &Structure) -> Names {
        self.expression.names(structure)
    }

    /// Do the individuals of blurred structures have the same names?
    pub(crate) fn same_names(&self, left: &Structure, right: &Structure) -> bool {
        left.size() == right.size()
            && match &self.expression {
                // Individuals are sorted by name, so equal rows mean equal names.
                Expression::Unary(predicates) => left.rows_of(predicates).eq(right.rows_of(predicates)),
                expression => expression.names(left) == expression.names(right),
            }
    }

    /// Numbers that are the same for blurred structures with the same names.
    pub(crate) fn name_words(&self, structure: &Structure, mut each: impl FnMut(u64)) {
        match &self.expression {
            Expression::Unary(predicates) => {
                structure.rows_of(predicates).flatten().flatten().for_each(|word| each(*word));
            }
            expression => expression.names(structure).words().iter().for_each(|word| each(*word)),
        }
    }

    fn merge_equal(&self, structure: &Structure) -> Structure {
        let names = self.names(structure);
        if structure.universe().is_sorted_by(|u, v| names.of(*u) < names.of(*v)) {
            return structure.clone();
        }
        let order = names.ascending();
        let classes: Vec<&[Individual]> = order.chunk_by(|u, v| names.of(*u) == names.of(*v)).collect();
        if classes.len() < order.len() {
            return structure.quotient(&classes.iter().map(|class| class.to_vec()).collect::<Vec<_>>());
        }
        structure.select(&order)
    }

    /// Merging makes values vaguer, which can make more individuals compatible: repeat until all are apart.
    fn merge_compatible(&self, structure: &Structure) -> Structure {
        let mut current = self.merge_equal(structure);
        loop {
            let names = self.names(&current);
            let classes = compatible_classes(&current, &names);
            if classes.len() == current.size() {
                return current;
            }
            current = self.merge_equal(&current.quotient(&classes));
        }
    }
}

/// The finest partition in which compatible individuals are together.
fn compatible_classes(structure: &Structure, names: &Names) -> Vec<Vec<Individual>> {
    let mut classes: Vec<Vec<Individual>> = Vec::new();
    for u in structure.universe() {
        let (mut joined, apart): (Vec<_>, Vec<_>) =
            classes.into_iter().partition(|class| class.iter().any(|v| names.compatible(u, *v)));
        joined.push(vec![u]);
        classes = apart;
        let mut merged = joined.concat();
        merged.sort_unstable();
        classes.push(merged);
    }
    classes.sort();
    classes
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_logic::Kleene;
    use trifold_structure::embedding;
    use trifold_structure::testing::{structure, vocabulary};

    fn predicates(arity: usize) -> impl Strategy<Value = Vec<PredicateId>> {
        let vocabulary = vocabulary();
        let declared = vocabulary.iter().skip(Vocabulary::BUILT_IN);
        let all: Vec<PredicateId> = declared.filter(|(_, p)| p.arity == arity).map(|(id, _)| id).collect();
        prop::sample::subsequence(all.clone(), 0..=all.len())
    }

    fn expression() -> impl Strategy<Value = Expression> {
        predicates(1).prop_map(Expression::Unary).prop_recursive(3, 8, 2, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(e, f)| Expression::Both(Box::new([e, f]))),
                (inner, predicates(2)).prop_map(|(e, predicates)| Expression::Refined(Box::new(e), predicates)),
            ]
        })
    }

    pub fn abstraction() -> impl Strategy<Value = Abstraction> {
        let rules = prop_oneof![Just(BlurRule::Different), Just(BlurRule::Definite)];
        prop_oneof![
            rules.prop_map(|rule| Abstraction::new(&vocabulary(), rule)),
            expression().prop_map(|e| Abstraction::by(e, &vocabulary(), BlurRule::Different)),
        ]
    }

    /// Definition 2 of \[Reineke05\], word for word.
    fn same(expression: &Expression, s: &Structure, x: Individual, y: Individual) -> bool {
        match expression {
            Expression::Unary(predicates) => predicates.iter().all(|u| s.unary(*u, x) == s.unary(*u, y)),
            Expression::Both(parts) => parts.iter().all(|part| same(part, s, x, y)),
            Expression::Refined(inner, predicates) => {
                let joined = |b: PredicateId, x: Individual, z: Individual| {
                    let class = s.universe().filter(|w| same(inner, s, *w, z));
                    class.map(|w| s.binary(b, x, w)).reduce(Kleene::info_join)
                };
                same(inner, s, x, y)
                    && predicates.iter().all(|b| s.universe().all(|z| joined(*b, x, z) == joined(*b, y, z)))
            }
        }
    }

    proptest! {
        #[test]
        fn blur_is_idempotent_and_loses_no_store(s in structure(&vocabulary(), 0..=5), abstraction in abstraction()) {
            let blurred = abstraction.blur(&s);
            prop_assert!(embedding(&s, &blurred).is_some());
            prop_assert_eq!(abstraction.blur(&blurred), blurred.clone());
            let names = abstraction.names(&blurred);
            for u in blurred.universe() {
                for v in blurred.universe().filter(|v| *v != u) {
                    prop_assert!(names.of(u) != names.of(v));
                    prop_assert!(abstraction.rule == BlurRule::Different || !names.compatible(u, v));
                }
            }
        }

        #[test]
        fn names_tell_apart_what_the_definition_tells_apart(s in structure(&vocabulary(), 0..=4), e in expression()) {
            let names = e.names(&s);
            for (u, v) in s.universe().flat_map(|u| s.universe().map(move |v| (u, v))) {
                prop_assert_eq!(names.of(u) == names.of(v), same(&e, &s, u, v));
            }
        }

        #[test]
        fn isomorphic_structures_blur_to_the_same(
            s in structure(&vocabulary(), 1..=5),
            shift in 0..5usize,
            e in expression(),
        ) {
            let abstraction = Abstraction::by(e, &vocabulary(), BlurRule::Different);
            let order: Vec<usize> = s.universe().map(|u| (u + shift) % s.size()).collect();
            prop_assert_eq!(abstraction.blur(&s), abstraction.blur(&s.select(&order)));
        }
    }
}
