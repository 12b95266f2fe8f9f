//! The PNG format: a picture of three bytes per pixel, compressed.
//!
//! A drawing repeats itself: bytes that stood before, in their row or in one above, are not written again. The codes
//! are the fixed ones of DEFLATE. For example, a row like the one above it is one code: "as many bytes as a row has,
//! one row back".

use super::canvas::{Canvas, Colour};

/// How far back something that is repeated may stand, and how long it may be.
const WINDOW: usize = 1 << 15;
const LONGEST: usize = 258;
const SHORTEST: usize = 3;

/// The picture as a file.
pub fn png(canvas: &Canvas) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend((canvas.width as u32).to_be_bytes());
    header.extend((canvas.height as u32).to_be_bytes());
    // Eight bits for each of three colours, the usual compression and filters, no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &compressed(&rows(canvas)));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// The rows, each after the number of the filter that leaves it as it is.
fn rows(canvas: &Canvas) -> Vec<u8> {
    let row = |row: &[Colour]| [&[0], row.as_flattened()].concat();
    canvas.pixels.chunks(canvas.width).flat_map(row).collect()
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(content);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

fn crc(bytes: &[u8]) -> u32 {
    let table: Vec<u32> =
        (0..256_u32).map(|n| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })).collect();
    !bytes.iter().fold(!0_u32, |sum, byte| table[((sum ^ u32::from(*byte)) & 255) as usize] ^ (sum >> 8))
}

fn adler(bytes: &[u8]) -> u32 {
    let step = |(a, b): (u32, u32), byte: &u8| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    };
    let (a, b) = bytes.iter().fold((1, 0), step);
    b << 16 | a
}

/// One block of DEFLATE with the frame of zlib.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x78, 0x01], held: 0, count: 0 };
    // The last block, with fixed codes.
    bits.push(0b011, 3);
    // Where the next three bytes stood last. A place too far back, or with other bytes after all, is of no use.
    let mut seen = vec![usize::MAX; 1 << 15];
    let mut at = 0;
    while at < bytes.len() {
        let (start, hash) = (at, hash(&bytes[at..]));
        let before = std::mem::replace(&mut seen[hash], at);
        let distance = at.checked_sub(before).filter(|distance| (1..=WINDOW).contains(distance));
        let length = distance.map_or(0, |distance| {
            let pairs = bytes[at..].iter().zip(&bytes[at - distance..]).take(LONGEST);
            pairs.take_while(|(new, old)| new == old).count()
        });
        match distance {
            Some(distance) if length >= SHORTEST => {
                bits.repeat(length as u32, distance as u32);
                at += length;
            }
            _ => {
                bits.symbol(u32::from(bytes[at]));
                at += 1;
            }
        }
        // Within a long run every place is as good as its start.
        for place in start + 1..at.min(start + 16) {
            seen[self::hash(&bytes[place..])] = place;
        }
    }
    bits.symbol(256);
    bits.push(0, 7);
    let mut compressed = bits.bytes;
    compressed.extend(adler(bytes).to_be_bytes());
    compressed
}

fn hash(bytes: &[u8]) -> usize {
    let next = bytes.iter().take(SHORTEST).fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
    (next.wrapping_mul(0x9e37_79b1) >> 17) as usize
}

/// Bits, the first of a byte being its lowest one.
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// A byte, the end (256), or a class of lengths, by its fixed code. Codes begin with their highest bit.
    fn symbol(&mut self, symbol: u32) {
        let (code, length) = match symbol {
            0..144 => (0x30 + symbol, 8),
            144..256 => (0x190 + symbol - 144, 9),
            256..280 => (symbol - 256, 7),
            _ => (0xc0 + symbol - 280, 8),
        };
        self.push(code.reverse_bits() >> (32 - length), length);
    }

    /// A repetition of bytes that stood so far back: from 3 to 258 bytes, from 1 to 32768 bytes back.
    fn repeat(&mut self, length: u32, distance: u32) {
        let past = length - 3;
        match length {
            3..=10 => self.symbol(254 + length),
            258 => self.symbol(285),
            _ => {
                let more = past.ilog2() - 2;
                self.symbol(261 + 4 * more + (past >> more & 3));
                self.push(past & ((1 << more) - 1), more);
            }
        }
        let past = distance - 1;
        let (code, more) =
            if past < 4 { (past, 0) } else { (2 * past.ilog2() + (past >> (past.ilog2() - 1) & 1), past.ilog2() - 1) };
        self.push(code.reverse_bits() >> 27, 5);
        self.push(past & ((1 << more) - 1), more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn runs_have_the_codes_of_the_standard() {
        // Nine zeros: a zero (8 bits), a run of eight (7 + 5 bits), the end (7 bits).
        let stream = compressed(&[0; 9]);
        assert_eq!(stream[..2], [0x78, 0x01]);
        let bits: String = stream[2..stream.len() - 4]
            .iter()
            .flat_map(|byte| (0..8).map(move |i| byte >> i & 1))
            .fold(String::new(), |text, bit| text + &bit.to_string());
        assert!(bits.starts_with(&["110", "00110000", "0000110", "00000", "0000000"].concat()), "{bits}");
    }

    #[test]
    fn a_picture_of_nothing_is_small() {
        assert!(png(&Canvas::new(1000, 1000)).len() < 30_000);
    }
}
