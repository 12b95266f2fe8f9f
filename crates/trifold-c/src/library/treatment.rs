//! How calls of known functions are translated: what follows from their rows.

use super::row::{Returned, Role, Row, Size, Special};
use trifold_ir::Region;

/// What the translation does with a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Treatment {
    Special(Special),
    /// Computes the arguments, and ends.
    Stop,
    Allocate(Allocation),
    /// Frees an argument.
    Free(usize),
    /// Any value, or one from the first to the second.
    Choose(Option<(i128, i128)>),
    /// Writes so much text to an argument, and reads the others.
    WriteText(usize, Size),
    /// Takes an argument for the result, and computes the others.
    Same(usize),
    /// Computes the arguments, and reads what of them is text or a stream. The result may be anything.
    ReadText,
}

/// What is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Allocation {
    pub size: Size,
    pub zeroed: bool,
    pub region: Region,
    pub may_fail: bool,
}

impl Row {
    /// The first that fits, from what says most to what says least.
    pub fn treatment(&self) -> Treatment {
        if let Some(special) = self.special {
            return Treatment::Special(special);
        }
        if let Some(freed) = self.parameters.iter().position(|parameter| parameter.role == Role::Freed) {
            return Treatment::Free(freed);
        }
        if let Some((target, size)) = self.written() {
            return Treatment::WriteText(target, size);
        }
        match self.result {
            Returned::Never => Treatment::Stop,
            Returned::Fresh { size, zeroed, region, may_fail } => {
                Treatment::Allocate(Allocation { size, zeroed, region, may_fail })
            }
            Returned::Input(range) => Treatment::Choose(range),
            Returned::SameAs(argument) => Treatment::Same(argument),
            Returned::Nothing | Returned::Number | Returned::Real | Returned::Unknown => Treatment::ReadText,
        }
    }

    /// Which argument is written, and how much of it.
    pub fn written(&self) -> Option<(usize, Size)> {
        let mut parameters = self.parameters.iter().enumerate();
        parameters.find_map(|(index, parameter)| match parameter.role {
            Role::Written(size) => Some((index, size)),
            _ => None,
        })
    }

    /// What a call allocates.
    pub fn allocation(&self) -> Option<Allocation> {
        match self.treatment() {
            Treatment::Allocate(allocation) => Some(allocation),
            _ => None,
        }
    }

    /// Does it get text by pointers, which it does not keep?
    pub fn takes_text(&self) -> bool {
        match self.treatment() {
            Treatment::ReadText | Treatment::WriteText(..) | Treatment::Special(Special::Fill) => true,
            Treatment::Allocate(allocation) => allocation.size.arguments().is_none(),
            _ => false,
        }
    }

    /// Does it change objects that arguments lead to? What is not analysed need not be asked, because nothing
    /// comes after it.
    pub fn changes_memory(&self) -> bool {
        let changes =
            |role| matches!(role, Role::Freed | Role::Resized | Role::Closed | Role::Written(_) | Role::Scanned);
        let mut parameters = self.parameters.iter().chain(&self.rest);
        !matches!(self.special, Some(Special::Unsupported(_))) && parameters.any(|parameter| changes(parameter.role))
    }

    /// Where the format is that it prints by.
    pub fn print_format(&self) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.role == Role::PrintFormat)
    }

    /// Does it get further arguments as a list?
    pub fn takes_list(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.role == Role::ArgumentList)
    }
}

impl Size {
    /// The arguments that say how much, if they alone do.
    pub fn arguments(self) -> Option<Vec<usize>> {
        match self {
            Size::Argument(size) => Some(vec![size]),
            Size::Product(count, size) => Some(vec![count, size]),
            Size::OfText(_) | Size::OfTextAtMost(..) | Size::Object => None,
        }
    }
}
