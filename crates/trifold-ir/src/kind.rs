//! Kinds of findings, and verdicts.

use std::fmt;

/// The verdict on a program, on a function, or on one kind of finding. The greater, the worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// Nothing can go wrong.
    Proved,
    /// Nothing can go wrong where preconditions hold that are known.
    Needs,
    /// No analysed state comes to it, so nothing is known about it.
    NotReached,
    /// Nothing was found, but not everything was analysed.
    NotAnalysed,
    /// Something may go wrong.
    MayFail,
    /// There is a run in which something goes wrong.
    Bug,
}

impl Verdict {
    /// The name in reports for programs.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Needs => "needs",
            Verdict::NotReached => "not-reached",
            Verdict::NotAnalysed => "not-analysed",
            Verdict::MayFail => "may-fail",
            Verdict::Bug => "bug",
        }
    }
}

/// A kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// Null is dereferenced.
    NullDereference,
    /// An object on the heap is used after it was freed.
    UseAfterFree,
    /// An object is freed for the second time.
    DoubleFree,
    /// Something is freed that is no object of the heap: a stack or static object, or a part of an object.
    InvalidFree,
    /// The last reference to an object of the heap is lost.
    Leak,
    /// A pointer is dereferenced, compared or freed before it was set.
    UninitialisedPointer,
    /// An object on the stack is used after its life.
    DanglingStackPointer,
    /// A pointer is dereferenced that points outside any object: the owner of something that is no part.
    InvalidDereference,
    /// An exception that nobody catches ends the program, and it is one that the machine throws by itself.
    UncaughtException,
    /// An assertion fails, or a place is reached that the program declares an error.
    Assertion,
    /// A call whose local heap is entered past its parameters \[RinetzkySY05\].
    Cutpoint,
    /// Something that is outside what heap programs express. Nothing is known about how execution goes on.
    NotAnalysed,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [FindingKind; 12] = [
        FindingKind::NullDereference,
        FindingKind::UseAfterFree,
        FindingKind::DoubleFree,
        FindingKind::InvalidFree,
        FindingKind::Leak,
        FindingKind::UninitialisedPointer,
        FindingKind::DanglingStackPointer,
        FindingKind::InvalidDereference,
        FindingKind::UncaughtException,
        FindingKind::Assertion,
        FindingKind::Cutpoint,
        FindingKind::NotAnalysed,
    ];

    /// Where one of these is found, execution is not analysed any further.
    pub const UNSEEN: [FindingKind; 2] = [FindingKind::NotAnalysed, FindingKind::Cutpoint];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::NullDereference => "null-dereference",
            FindingKind::UseAfterFree => "use-after-free",
            FindingKind::DoubleFree => "double-free",
            FindingKind::InvalidFree => "invalid-free",
            FindingKind::Leak => "leak",
            FindingKind::UninitialisedPointer => "uninitialised-pointer",
            FindingKind::DanglingStackPointer => "dangling-stack-pointer",
            FindingKind::InvalidDereference => "invalid-dereference",
            FindingKind::UncaughtException => "uncaught-exception",
            FindingKind::Assertion => "assertion",
            FindingKind::Cutpoint => "cutpoint",
            FindingKind::NotAnalysed => "not-analysed",
        }
    }

    /// The kind with a name.
    pub fn from_name(name: &str) -> Option<FindingKind> {
        FindingKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
