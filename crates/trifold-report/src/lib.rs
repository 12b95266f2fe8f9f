//! How Trifold shows results: logical structures and control-flow graphs as drawings.
//!
//! The crate owns its *view types* ([`Picture`], [`Cfg`]): plain data about the picture, not about its origin. The
//! engine's structures are converted into them by the caller, so the abstract domains never learn how they are drawn.
//!
//! ```text
//!  Picture ──► scene ──► layout ──► svg ──► png   a sheet of structures
//!     │                     ▲
//!     └──────► dot          │                     the same, for Graphviz
//!  Cfg ─────────────────────┴────► svg, png, dot  control-flow graphs
//!  Page ──► pictures, laid out, and a program ──► one HTML file to explore
//! ```
//!
//! Everything here is a pure function: no input or output, no clock, no hash map order. Equal
//! arguments give equal bytes.
//!
//! ```
//! use trifold_report::{sheet, Picture, SheetOptions, Value};
//!
//! // All lists of two or more elements that x points to [LevAmi00, Figure 4].
//! let mut lists = Picture::titled("S4");
//! let head = lists.individual(["r[n,x]"]);
//! let rest = lists.summary(["r[n,x]"]);
//! lists.point("x", head, true);
//! lists.link(head, rest, "n", Value::Unknown);
//! lists.link(rest, rest, "n", Value::Unknown);
//!
//! let svg = sheet(&[lists], &SheetOptions::default());
//! assert!(svg.starts_with("<svg"));
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cfg;
pub mod dot;
mod drawing;
pub mod layout;
pub mod page;
pub mod picture;
mod png;
mod scene;
pub mod svg;
mod text;
pub mod words;

pub use cfg::{Cfg, CfgEdge, Location};
pub use dot::DotOptions;
pub use drawing::DrawingFormat;
pub use layout::Direction;
pub use page::Page;
pub use picture::{NullaryMark, Picture, PictureEdge, PictureNode, PointerBox, Value};
pub use png::NoPng;
pub use svg::{SheetOptions, Theme, escape_xml, sheet};
