//! Checks of programs in C and Java, as a library: from source text to a report. Nothing here reads a file, prints or
//! asks for the time; the surroundings of a check do so by a [`Host`].
//!
//! ```
//! use std::sync::Arc;
//! use trifold_check::{Alone, Options, Source, Verdict, check};
//!
//! let text = "
//!     struct node { struct node *next; };
//!     void *malloc(unsigned long size);
//!     int main(void) {
//!         struct node *list = 0;
//!         while (rand()) {
//!             struct node *one = malloc(sizeof *one);
//!             one->next = list;
//!             list = one;
//!         }
//!         return list->next == 0;
//!     }";
//! let options = Options { keep_shapes: true, ..Options::default() };
//! let checked = check(&Source::new("list.c", text), &options, &(Arc::new(Alone) as _)).expect("it is a C program");
//!
//! // The list may be empty, and its elements are lost in the end. There are runs that show both.
//! assert_eq!(checked.report.verdict, Verdict::Bug);
//! for (function, finding) in checked.report.findings() {
//!     println!("{}:{}: {} in {}", finding.path, finding.line, finding.message, function.name);
//!     if let Some(run) = &finding.witness {
//!         println!("  when the program chooses {:?}", run.choices);
//!     }
//! }
//! let kinds: Vec<&str> = checked.report.findings().map(|(_, finding)| finding.kind.name()).collect();
//! assert_eq!(kinds, ["leak", "null-dereference"]);
//!
//! // The shapes of the heap at all program points.
//! for (point, shapes) in checked.shapes() {
//!     for shape in shapes {
//!         println!("{point:?}:\n{}", shape.outline());
//!     }
//! }
//! assert!(checked.shapes().count() > 5);
//! ```
//!
//! # How it works
//!
//! | step | module |
//! | --- | --- |
//! | which files are linked to one program | [`programs`](mod@programs) |
//! | the texts become a heap program, once | [`source`](mod@source) |
//! | the entries from which it is analysed | [`plan`] |
//! | a module is analysed through clients, which leave out what is too hard | [`client`] |
//! | preconditions of functions that nothing calls | `needs` |
//! | domains take turns on an entry until one proves it | [`portfolio`](mod@portfolio) |
//! | runs of the interpreter confirm findings | [`confirm`](mod@confirm) |
//! | verdicts for the file and its functions | [`report`] |
//! | findings that do not count | [`suppress`] |
//! | programs that show bugs, and what real runs of them come to | [`reproduce`], [`reproducer`] |
//! | text, JSON, SARIF, JUnit XML, pages, drawings | [`text`], [`json`], [`sarif`], [`junit`], [`page`], [`drawings`] |

mod analysis;
mod assumed;
mod assumptions;
pub mod budget;
mod cause;
mod check;
pub mod client;
pub mod compile_commands;
pub mod configuration;
pub mod confirm;
pub mod domain;
pub mod drawings;
mod entry_report;
pub mod explain;
pub mod json;
pub mod junit;
mod needs;
mod options;
pub mod page;
pub mod pattern;
pub mod plan;
pub mod portfolio;
pub mod programs;
mod reach;
pub mod report;
pub mod reproduce;
pub mod reproducer;
pub mod runs;
pub mod sarif;
mod separation_logic;
mod shape;
pub mod source;
pub mod suppress;
pub mod task;
pub mod text;
mod three_valued;

pub use budget::{Allowance, Alone, Budget, Host, Progress, Round};
pub use check::{Checked, check};
pub use domain::{DomainName, Outcome};
pub use options::{Language, Options};
pub use report::{EntryReport, Manner, Report, Reported, one_line};
pub use separation_logic::SeparationLogic;
pub use shape::Shape;
pub use source::{ClientCode, Rejected, Source, Translated, Unit};
pub use three_valued::ThreeValued;
pub use trifold_c::Target;
pub use trifold_ir::{FindingKind, Verdict};
