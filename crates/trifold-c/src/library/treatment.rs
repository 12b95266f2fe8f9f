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
    /// Computes the arguments, and reads what of them is text. The result may be anything.
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
        let mut parameters = self.parameters.iter().enumerate();
        let changed = parameters.find_map(|(index, parameter)| match parameter.role {
            Role::Freed => Some(Treatment::Free(index)),
            Role::Written(size) => Some(Treatment::WriteText(index, size)),
            _ => None,
        });
        match (self.result, changed) {
            (Returned::Never, _) => Treatment::Stop,
            (Returned::Fresh { size, zeroed, region, may_fail }, _) => {
                Treatment::Allocate(Allocation { size, zeroed, region, may_fail })
            }
            (Returned::Input(range), _) => Treatment::Choose(range),
            (_, Some(changed)) => changed,
            (Returned::SameAs(argument), None) => Treatment::Same(argument),
            (Returned::Nothing | Returned::Number | Returned::Real | Returned::Unknown, None) => Treatment::ReadText,
        }
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

    /// Does it change objects that arguments lead to? What is not analysed need not be asked: nothing comes behind it.
    pub fn changes_memory(&self) -> bool {
        let changes = |role| matches!(role, Role::Freed | Role::Resized | Role::Written(_) | Role::Scanned);
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
