//! Results of most-precise operations as text: structures and formulas, with comments on how they came about. For
//! example, `// 2 structures, most precise; 17 queries` stands before two structures.

use trifold_logic::{Formula, Vocabulary};
use trifold_structure::Structure;
use trifold_symbolic::{Entailment, QueryCost, Undecided};
use trifold_tvp::write_structure;

/// The cost of an operation that was carried out.
#[derive(Debug)]
pub struct Answered {
    /// The queries to the solver.
    pub cost: QueryCost,
    /// The time.
    pub seconds: f64,
}

impl Answered {
    /// The structures that are the result.
    pub fn structures(&self, structures: &[Structure], vocabulary: &Vocabulary) -> String {
        let count = match structures.len() {
            1 => "1 structure".to_string(),
            number => format!("{number} structures"),
        };
        let precision = if self.cost.is_most_precise() { "most precise" } else { "perhaps not the most precise" };
        let mut text = format!("// {count}, {precision}; {}\n", self.shown());
        for structure in structures {
            text.push('\n');
            text += &write_structure(structure, vocabulary);
        }
        text
    }

    /// Whether structures represent nothing but what others do, and if not, a store that shows it.
    pub fn entailment(&self, result: &Entailment, vocabulary: &Vocabulary) -> String {
        let (verdict, store) = match result {
            Entailment::Holds => ("holds", None),
            Entailment::Fails(store) => ("does not hold", store.as_ref()),
            Entailment::Undecided(_) => ("undecided", None),
        };
        let mut text = format!("// {verdict}; {}\n", self.shown());
        if let Some(store) = store {
            text += "// a store of the first that is none of the second:\n";
            text += &write_structure(&store.structure, vocabulary);
        }
        text
    }

    /// Why queries were left undecided.
    pub fn warnings(&self, vocabulary: &Vocabulary) -> impl Iterator<Item = String> {
        self.cost.undecided.iter().map(|reason| {
            let why = match reason {
                Undecided::Universe { rule } => {
                    format!("for every individual it may ask for another one: {}", rule.show(vocabulary))
                }
                Undecided::Paths => "paths of unknown length matter".to_string(),
                Undecided::Conflicts => "the solver needed too many steps".to_string(),
                Undecided::External(message) => message.clone(),
                Undecided::Stopped => "time was up".to_string(),
            };
            format!("a query was left undecided: {why}")
        })
    }

    fn shown(&self) -> String {
        let queries = self.cost.queries;
        let noun = if queries == 1 { "query" } else { "queries" };
        format!("{queries} {noun}\n// time {:.3} s", self.seconds)
    }
}

/// The integrity rules, and for each structure the conjuncts of its formula, one to a line, in the syntax of TVP.
pub fn formulas_text(rules: &[Formula], each: &[Formula], vocabulary: &Vocabulary) -> String {
    let lines = |formulas: &[Formula], end: &str| -> String {
        let shown: Vec<String> = formulas.iter().map(|formula| format!("({})", formula.show(vocabulary))).collect();
        shown.join(end) + "\n"
    };
    let mut text = format!("// integrity rules\n{}", lines(rules, " &\n"));
    for (number, formula) in each.iter().enumerate() {
        let conjuncts: &[Formula] =
            if let Formula::And(parts) = formula { parts } else { std::slice::from_ref(formula) };
        text += &format!("\n// structure {}\n{}", number + 1, lines(conjuncts, " &\n"));
    }
    text
}
