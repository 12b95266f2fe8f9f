//! Work: it is counted, and can be stopped in the middle.
//!
//! Everything that may take long tells in its inner loops how much it does: [`spend`]. The count does not depend on the
//! machine, its load or the number of threads, so a limit on work ends an analysis at the same place everywhere. A unit
//! is about the time of one word of a table, a nanosecond.
//!
//! Time and memory are other limits: whoever watches them rings a [`Bell`], and the work that hears it ends within
//! microseconds, wherever it is. It ends by unwinding, as a panic does but without its message, up to the [`limited`]
//! call that it is part of, so that loops need not pass on a reason to stop. Who catches that
//! [stops listening](stop_listening), to tell what is known so far. Loops whose work need not be counted [`listen`].
//!
//! ```
//! use trifold_work::{StopReason, limited, spend};
//! let endless = || loop {
//!     spend(10);
//! };
//! let (result, spent): (Result<(), StopReason>, u64) = limited(1_000_000, endless);
//! assert_eq!(result, Err(StopReason::WorkLimit));
//! assert!(spent >= 1_000_000);
//! ```

mod bell;
mod meter;
mod stop;

pub use bell::{Bell, current_bell, hearing, stop_listening};
pub use meter::{limited, listen, spend, spent};
pub use stop::StopReason;
