//! What can be seen of a run: the values that the program notes, in their order, and how it ends.
//!
//! A program notes a value by a call of a function whose name begins with `note`. The compiled program prints a line
//! such as `int 5`; the interpreter is watched as it enters the function. So the order of side effects is compared,
//! too, and the type that an overloaded function was chosen for.

use trifold_ir::FindingKind;

/// How a run ended, as far as both sides can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Well, or by an exception or a call that ends the program without being an error that Trifold looks for.
    Ended,
    /// With an error that Trifold looks for.
    Failed(FindingKind),
    /// With a division by zero.
    DivisionByZero,
    /// The machine asked for more choices than the interpreter made.
    Exhausted,
    /// It was given up or is not analysed from here on: what was noted is the beginning of a run.
    Cut(String),
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The type and the value that was noted, `int 5`. Where the interpreter does not compute the value, `int ?`.
    pub notes: Vec<String>,
    /// How it ended.
    pub ending: Ending,
}

/// How the run of the interpreter compares with that of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Each note and the ending are the same.
    Same,
    /// All that there is agrees, but something is not known, for this reason.
    Partial(String),
    /// They differ.
    Differs(String),
}

/// Stands for a value that the interpreter does not compute.
pub const ANY: &str = "?";
/// Stands for every float that is no number.
pub const NAN: &str = "nan";

impl Trace {
    /// Compares the run of the interpreter with that of the machine.
    pub fn compare(&self, machine: &Trace) -> Comparison {
        for (index, (ours, theirs)) in self.notes.iter().zip(&machine.notes).enumerate() {
            if !is_same(ours, theirs) {
                return Comparison::Differs(format!("note {index} is {ours}, the machine's is {theirs}"));
            }
        }
        let counts = (self.notes.len(), machine.notes.len());
        match (&self.ending, &machine.ending) {
            (Ending::Cut(reason), _) if counts.0 <= counts.1 => Comparison::Partial(reason.clone()),
            // The machine was stopped: what was noted before agrees.
            (_, Ending::Cut(reason)) => Comparison::Partial(format!("machine: {reason}")),
            (ours, theirs) if ours != theirs || counts.0 != counts.1 => Comparison::Differs(format!(
                "{ours:?} after {} notes, the machine ends with {theirs:?} after {}",
                counts.0, counts.1
            )),
            _ if self.notes.iter().any(|note| note.ends_with(ANY)) => Comparison::Partial("a value".to_string()),
            _ => Comparison::Same,
        }
    }
}

fn is_same(ours: &str, theirs: &str) -> bool {
    match (ours.split_once(' '), theirs.split_once(' ')) {
        (Some((ty, ANY)), Some((of, _))) => ty == of,
        _ => ours == theirs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(notes: &[&str], ending: Ending) -> Trace {
        Trace { notes: notes.iter().map(|note| note.to_string()).collect(), ending }
    }

    #[test]
    fn values_their_number_and_the_ending_count() {
        let ours = trace(&["int 1", "long 2"], Ending::Ended);
        let same = |theirs: &Trace| ours.compare(theirs) == Comparison::Same;
        assert!(same(&ours));
        assert!(!same(&trace(&["int 1", "int 2"], Ending::Ended)));
        assert!(!same(&trace(&["int 1"], Ending::Ended)));
        assert!(!same(&trace(&["int 1", "long 2", "int 3"], Ending::Ended)));
        assert!(!same(&trace(&["int 1", "long 2"], Ending::DivisionByZero)));
    }

    #[test]
    fn what_is_cut_must_be_a_beginning() {
        let cut = |notes: &[&str]| trace(notes, Ending::Cut("a reason".to_string()));
        let whole = trace(&["int 1", "int 2"], Ending::Ended);
        assert!(matches!(cut(&["int 1"]).compare(&whole), Comparison::Partial(_)));
        assert!(matches!(cut(&["int ?"]).compare(&whole), Comparison::Partial(_)));
        assert!(matches!(cut(&["int 2"]).compare(&whole), Comparison::Differs(_)));
        assert!(matches!(cut(&["int 1", "int 2", "int 3"]).compare(&whole), Comparison::Differs(_)));
        assert!(matches!(whole.compare(&cut(&["int 1"])), Comparison::Partial(_)));
    }
}
