//! Reproducers: programs that show a bug to anyone who has a compiler.
//!
//! A bug is a run of the interpreter, and what the run [chose](Account) is known. A reproducer is a *driver* around the
//! program as it is written: it hands out the same choices in the same order, makes the heap that a function without
//! callers is called with, and calls it. The compiler with its sanitizers, or the Java machine, then says
//! [what goes wrong](crate::reproducer::judge), and so judges Trifold, too.
//!
//! For example, if `p` is null after `if (rand()) p = 0;`, the driver defines `rand`, which returns 1.
//!
//! # Soundness
//!
//! A driver that asks for more than the run chose, or for something else, says that it left the run, and shows nothing.
//! What cannot be told to a compiler is refused with the reason.

mod c;
mod c_heap;
mod c_library;
mod c_number;
mod java;

use crate::check::Checked;
use crate::confirm::Account;
use crate::options::Language;
use crate::report::Reported;
use crate::reproducer::{Reproduced, Reproducer};
use crate::source::Translated;
use trifold_ir::{FindingKind, Incident, MadeChoice, Statement};

/// How drivers are compiled, and where.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The directory of the drivers.
    pub directory: String,
    /// The C compiler, with its first arguments.
    pub compiler: Vec<String>,
    /// Flags for the C preprocessor: macros, directories of headers.
    pub flags: Vec<String>,
    /// C: are `long` and pointers of 32 bits?
    pub is_32_bit: bool,
}

/// Text that all files of reproducers begin with, after the sign that begins a comment: by it they are known to be
/// ours.
pub const MARK: &str = "Made by `trifold check --reproduce`";

/// Makes a reproducer for every bug of a check, each with a name that `name` gives, or says why there is none.
pub fn reproduce(checked: &mut Checked, setting: &Setting, name: &mut dyn FnMut() -> String) {
    let Checked { translated, report, .. } = checked;
    let of_functions = report.functions.iter_mut().flat_map(|function| &mut function.findings);
    for finding in of_functions.chain(&mut report.elsewhere) {
        if let Some(witness) = &finding.witness {
            let account = witness.account.as_ref().ok_or("there was no time left to tell the run".to_string());
            let task = |account| Task { translated, finding, incident: &witness.incident, account, setting };
            let reproducer = account.and_then(|account| task(account).make(&name()));
            finding.reproduced =
                Some(reproducer.map(|reproducer| Reproduced { reproducer, judgement: None, is_kept: true }));
        }
    }
}

/// A bug for which there is to be a driver.
struct Task<'a> {
    translated: &'a Translated,
    finding: &'a Reported,
    incident: &'a Incident,
    account: &'a Account,
    setting: &'a Setting,
}

impl Task<'_> {
    fn make(&self, name: &str) -> Result<Reproducer, String> {
        if self.is_contract() {
            return Err("a contract is broken, which is a comment that no compiler reads".to_string());
        }
        if self.translated.files.len() != 1 {
            return Err("it takes several files, and drivers are made for programs of one file".to_string());
        }
        match self.translated.language {
            Language::C => c::reproducer(self, name),
            Language::Java => java::reproducer(self, name),
        }
    }

    /// The choices that the driver has to repeat: those after the call of the function.
    fn made(&self) -> impl Iterator<Item = &MadeChoice> {
        let first = self.account.call.as_ref().map_or(0, |call| call.visit);
        self.account.made.iter().filter(move |choice| choice.visit >= first)
    }

    /// Is it a contract that does not hold: that of the procedure itself, or of one that it calls?
    fn is_contract(&self) -> bool {
        let program = &self.translated.program;
        let Incident { kind, point, edge, .. } = self.incident;
        let is_called = match program.procedures.get(point.procedure.index()).map(|p| &p.edges[*edge].statement) {
            Some(Statement::Call { targets, .. }) => {
                targets.iter().any(|target| program.contracts.contains_key(target))
            }
            _ => false,
        };
        *kind == FindingKind::Assertion && (is_called || program.contracts.contains_key(&point.procedure))
    }

    /// The bug in a line.
    fn headline(&self) -> String {
        let Reported { kind, path, line, message, .. } = self.finding;
        format!("{kind} at {path}:{line}: {message}")
    }
}
