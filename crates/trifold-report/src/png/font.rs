//! A font of strokes: every letter is some lines, drawn with a round pen.
//!
//! A letter is written as text: each word is one stroke, each two characters are a point, `~` stands before points that
//! only bend the line. The columns of the grid are 0 to 8, from left to right. Its rows go from 0, the end of long
//! stems, through 3, where letters stand, and `b`, the height of small letters, to `e`, that of capitals.

use crate::layout::Point;

/// The width of a letter with the space around it, by the size of the font.
pub const ADVANCE: f64 = 0.6;
/// The place of the first column, and the distance of columns and of rows.
const GRID: (f64, f64, f64) = (0.095, 0.0512, 0.0635);
/// The row where letters stand.
const BASE: f64 = 3.0;
/// By how much a dot is higher than the pen.
const DOT: f64 = -0.03;
/// A bend becomes so many straight pieces.
const PIECES: usize = 6;

/// The width of the pen.
pub fn weight(bold: bool) -> f64 {
    if bold { 0.125 } else { 0.086 }
}

/// The strokes of a letter of size 1 that stands on the origin; a frame if it is not known.
pub fn glyph(c: char) -> Vec<Vec<Point>> {
    let known = GLYPHS.iter().find(|(letter, _)| *letter == c);
    known.map_or(UNKNOWN, |(_, strokes)| strokes).split_whitespace().map(stroke).collect()
}

fn stroke(text: &str) -> Vec<Point> {
    let place = |c: char| f64::from(c.to_digit(36).unwrap_or_default());
    let mut points: Vec<Point> = Vec::new();
    let mut bend: Option<Point> = None;
    let mut letters = text.chars();
    while let Some(first) = letters.next() {
        let bends = first == '~';
        let column = if bends { letters.next() } else { Some(first) };
        let (Some(column), Some(row)) = (column, letters.next()) else { break };
        let end = Point { x: GRID.0 + place(column) * GRID.1, y: (BASE - place(row)) * GRID.2 };
        match (bends, bend.take(), points.last().copied()) {
            (true, _, _) => bend = Some(end),
            (false, Some(by), Some(start)) => points.extend((1..=PIECES).map(|step| {
                let t = step as f64 / PIECES as f64;
                let mix = |a: f64, b: f64, c: f64| a * (1.0 - t).powi(2) + 2.0 * b * t * (1.0 - t) + c * t * t;
                Point { x: mix(start.x, by.x, end.x), y: mix(start.y, by.y, end.y) }
            })),
            _ => points.push(end),
        }
    }
    // A dot is a little larger than the pen.
    if let [dot] = points[..] {
        points.push(dot.shifted(0.0, DOT));
    }
    points
}

const UNKNOWN: &str = "1e7e73131e";

const GLYPHS: &[(char, &str)] = &[
    (' ', ""),
    ('\u{a0}', ""),
    ('A', "034e83 1777"),
    ('B', "0e5e~8e8b~895909 59~8986~835303030e"),
    ('C', "8c~7e4e~0e0a07~0343~7385"),
    ('D', "030e3e~8e8a87~833303"),
    ('E', "8e0e0383 0969"),
    ('F', "8e0e03 0969"),
    ('G', "8c~7e4e~0e0a07~0343~73858858"),
    ('H', "030e 838e 0989"),
    ('I', "1e7e 1373 434e"),
    ('J', "3e7e77~7343~0306"),
    ('K', "030e 8e07 2983"),
    ('L', "0e0383"),
    ('M', "030e478e83"),
    ('N', "030e838e"),
    ('O', "4e~0e0a07~0343~83878a~8e4e"),
    ('P', "030e5e~8e8b~885808"),
    ('Q', "4e~0e0a07~0343~83878a~8e4e 5782"),
    ('R', "030e5e~8e8b~885808 4883"),
    ('S', "8c~7e4e~0e0b~0949~8986~8343~1305"),
    ('T', "0e8e 434e"),
    ('U', "0e07~0343~83878e"),
    ('V', "0e438e"),
    ('W', "0e234a638e"),
    ('X', "0e83 8e03"),
    ('Y', "0e488e 4843"),
    ('Z', "0e8e0383"),
    ('a', "1a~2b4b~7b7873 7848~0805~0333~6376"),
    ('b', "0e03 09~1b4b~8b8886~8343~1305"),
    ('c', "79~6b4b~0b0806~0343~6375"),
    ('d', "8e83 89~7b4b~0b0806~0343~7385"),
    ('e', "078788~8b4b~0b0806~0343~7385"),
    ('f', "7e6e~3e3b33 0b7b"),
    ('g', "8b83~8040~1001 89~7b4b~0b0806~0343~7385"),
    ('h', "0e03 08~1b4b~8b8883"),
    ('i', "1b4b43 1373 4e"),
    ('j', "2b5b52~503010 5e"),
    ('k', "0e03 7b06 2783"),
    ('l', "1e4e46~4373"),
    ('m', "030b 09~0b2b~4b4943 49~4b6b~8b8983"),
    ('n', "030b 08~1b4b~8b8883"),
    ('o', "4b~0b0806~0343~838688~8b4b"),
    ('p', "000b 09~1b4b~8b8886~8343~1305"),
    ('q', "808b 89~7b4b~0b0806~0343~7385"),
    ('r', "131b 18~2b5b~7b7a"),
    ('s', "7a~6b4b~1b19~1747~7785~7343~1304"),
    ('t', "3e36~336373 0b7b"),
    ('u', "0b06~0343~7386 8b83"),
    ('v', "0b438b"),
    ('w', "0b2349638b"),
    ('x', "0b83 8b03"),
    ('y', "0b43 8b31~2010"),
    ('z', "0b8b0383"),
    ('0', "4e~0e0a07~0343~83878a~8e4e 266b"),
    ('1', "1c4e43 1373"),
    ('2', "0c~1e4e~8e8b~890383"),
    ('3', "0d~1e4e~8e8b~8949 3949~8986~8343~1304"),
    ('4', "636e0686"),
    ('5', "7e1e1a~2b4b~8b87~8343~1304"),
    ('6', "7d~6e4e~0e0907~0343~8386~8a4a~1a07"),
    ('7', "0e8e33"),
    ('8', "49~0906~0343~8386~8949~191b~1e4e~7e7b~7949"),
    ('9', "14~2343~83888a~8e4e~0e0b~0747~778a"),
    ('!', "4e47 43"),
    ('"', "2e2b 6e6b"),
    ('#', "133e 537e 0b8b 0686"),
    ('$', "8c~7d4d~0d0b~0949~8986~8444~1405 424f"),
    ('%', "038e 2e~0e0c~0a2a~4a4c~4e2e 67~4745~4363~8385~8767"),
    ('&', "831b~0e3e~6e6c~6a18~0705~0333~7388"),
    ('\'', "4e4b"),
    ('(', "6f~2c28~2461"),
    (')', "2f~6c68~6421"),
    ('*', "4d47 1c78 7c18"),
    ('+', "4c44 0888"),
    (',', "4431"),
    ('-', "1878"),
    ('.', "43"),
    ('/', "028f"),
    (':', "43 4a"),
    (';', "4431 4a"),
    ('<', "7c0874"),
    ('=', "0a8a 0686"),
    ('>', "1c8814"),
    ('?', "1c~1e4e~7e7b~794846 43"),
    ('@', "74~6343~03070a~0e4e~8e8a88~8676~6668 6b68 69~6b4b~2b2928~2646~6668"),
    ('[', "6f2f2161"),
    ('\\', "0f82"),
    (']', "2f6f6121"),
    ('^', "0b4e8b"),
    ('_', "0181"),
    ('`', "2e4c"),
    ('{', "7f~4f4c4b~4828~484543~4171"),
    ('|', "4f41"),
    ('}', "1f~4f4c4b~4868~484543~4111"),
    ('~', "07~0a2a~3a48~5666~8689"),
    ('→', "0888 5b8855"),
    ('←', "8808 3b0835"),
    ('…', "13 43 73"),
    ('·', "48"),
    ('×', "1b75 7b15"),
    ('–', "0888"),
    ('’', "4e3b"),
    ('≠', "0a8a 0686 133d"),
    ('≤', "8d0a87 0484"),
    ('≥', "0d8a07 0484"),
    ('¬', "098985"),
    ('∧', "034b83"),
    ('∨', "0b438b"),
    ('½', "0e0a 038e 48~6a88~8644 44 4484"),
    ('ä', "1a~2b4b~7b7873 7848~0805~0333~6376 2e 6e"),
    ('ö', "4b~0b0806~0343~838688~8b4b 2e 6e"),
    ('ü', "0b06~0343~7386 8b83 2e 6e"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_of_ascii_has_strokes_of_its_own_within_its_room() {
        let mut seen: Vec<Vec<Vec<Point>>> = Vec::new();
        for c in ('!'..='~').chain(['→', '…']) {
            let strokes = glyph(c);
            assert!(!strokes.is_empty() && strokes != glyph('\u{1}') && !seen.contains(&strokes), "{c}");
            for point in strokes.iter().flatten() {
                assert!((0.0..=ADVANCE).contains(&point.x) && (-0.8..=0.25).contains(&point.y), "{c}: {point:?}");
            }
            seen.push(strokes);
        }
        assert!(glyph(' ').is_empty());
    }
}
