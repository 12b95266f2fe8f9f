//! PNG: the drawings of [`svg`](crate::svg) as pixels, for readers that show no SVG.
//!
//! What is drawn is the SVG itself, element by element, with the very style sheet that it carries, so that the two
//! cannot differ. Only what our drawings consist of is understood: groups that are shifted, rectangles, paths,
//! polygons, discs and lines of text. Text is set in a font that is part of the program, because equal arguments must
//! give equal bytes on every machine.
//!
//! ```text
//!  SVG ──► style: colours and lines ──► shape, font: paths ──► tiny-skia: pixels and PNG
//! ```
//!
//! All of it is there with the feature `png` only.

#[cfg(feature = "png")]
mod font;
#[cfg(feature = "png")]
mod paint;
#[cfg(feature = "png")]
mod shape;
#[cfg(feature = "png")]
mod style;

#[cfg(feature = "png")]
pub(crate) use paint::draw;

/// Why there is no PNG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPng {
    /// The drawing has too many pixels.
    TooLarge,
    /// The crate was built without the feature `png`.
    NotBuilt,
}

impl NoPng {
    /// Why no drawing at all can become a PNG, if that is so.
    pub fn always() -> Option<NoPng> {
        (!cfg!(feature = "png")).then_some(NoPng::NotBuilt)
    }
}

impl std::fmt::Display for NoPng {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoPng::TooLarge => write!(f, "the drawing is too large for PNG; SVG has no such limit"),
            NoPng::NotBuilt => write!(f, "this build cannot draw PNG, only SVG: it lacks the feature `png`"),
        }
    }
}

/// Without the feature there is nothing to draw with.
#[cfg(not(feature = "png"))]
pub(crate) fn draw(_svg: &str, _sheet: &str) -> Result<Vec<u8>, NoPng> {
    Err(NoPng::NotBuilt)
}

#[cfg(all(test, not(feature = "png")))]
mod tests {
    use super::*;
    use crate::{Picture, SheetOptions};

    #[test]
    fn without_the_feature_it_says_so() {
        let drawn = crate::svg::png(&[Picture::titled("a")], &SheetOptions::default());
        assert_eq!((drawn, NoPng::always()), (Err(NoPng::NotBuilt), Some(NoPng::NotBuilt)));
        assert!(NoPng::NotBuilt.to_string().contains("the feature `png`"));
    }
}
