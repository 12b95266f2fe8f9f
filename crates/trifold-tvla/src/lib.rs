//! Runs as TVLA users write them: with TVLA's options, defaults and properties files, as options of `trifold analyze`.
//!
//! Words become [properties](Settings), because every option of TVLA is also a property there; properties become
//! arguments.
//!
//! ```
//! use trifold_tvla::Settings;
//! let mut settings = Settings::default();
//! settings.set("tvla.joinType", "rel");
//! let (arguments, warnings) = settings.arguments();
//! assert_eq!(arguments, ["--join=relational"]);
//! assert!(warnings.is_empty());
//! ```

mod options;
mod properties;
mod settings;

pub use options::{Invocation, read_properties};
pub use settings::Settings;
