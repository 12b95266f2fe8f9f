//! Integer expressions: conversions, promotions, operators, and constants that are folded.

use crate::{Piece, Random, compare, seeds};
use trifold_examples::tools::c_compiler;

const PIECES: usize = 400;

const TYPES: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
    "enum e",
];

const LITERALS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536u",
    "2147483647",
    "4294967295u",
    "0x100000000",
    "'a'",
    "sizeof(int)",
];

/// An expression over the variables `v0` to `v3`, or a constant one.
pub fn expression(random: &mut Random, depth: u32, constant: bool) -> String {
    let leaf = |random: &mut Random| match constant || random.below(3) == 0 {
        true => random.one_of(&LITERALS).to_string(),
        false => format!("v{}", random.below(4)),
    };
    if depth == 0 {
        return leaf(random);
    }
    let inner = |random: &mut Random| expression(random, depth - 1, constant);
    match random.below(12) {
        0 => leaf(random),
        1 | 2 => format!("({})({})", random.one_of(&TYPES), inner(random)),
        3 => format!("({}({}))", random.one_of(&["-", "~", "!", "+"]), inner(random)),
        4 => format!("({} {} {})", inner(random), random.one_of(&["/", "%"]), random.one_of(&["3", "7u", "10"])),
        5 => format!("({} {} (({}) & 7))", inner(random), random.one_of(&["<<", ">>"]), inner(random)),
        6 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        7 | 8 => {
            let operator = random.one_of(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
            format!("({} {operator} {})", inner(random), inner(random))
        }
        _ => format!("({} {} {})", inner(random), random.one_of(&["+", "-", "*", "&", "|", "^"]), inner(random)),
    }
}

fn piece(random: &mut Random) -> Piece {
    let constant = random.below(4) == 0;
    let mut declarations = String::new();
    for variable in 0..4 {
        declarations += &format!("{} v{variable} = {};", random.one_of(&TYPES), random.one_of(&LITERALS));
    }
    let statements = match random.below(5) {
        _ if constant => {
            // Folded by the front end, and computed.
            let value = expression(random, 3, true);
            format!("enum {{ E = (int)({value}) }}; r = (unsigned long)({value}) * 3 + E;")
        }
        0 => {
            let operator = random.one_of(&["+=", "-=", "*=", "&=", "|=", "^=", "<<= 3 & ", ">>= 3 & "]);
            format!("r = (unsigned long)(v0 {operator} {});", expression(random, 2, false))
        }
        1 => {
            let change = random.one_of(&["v0++", "v0--", "++v0", "--v0"]);
            format!("r = (unsigned long)({change}); r = r * 31 + (unsigned long)v0;")
        }
        2 => {
            let (value, operator) = (expression(random, 2, false), random.one_of(&["<", ">", "=="]));
            format!("r = (v0 = {value}) {operator} v1; r = r * 31 + (unsigned long)v0;")
        }
        _ => format!("r = (unsigned long)({});", expression(random, 4, false)),
    };
    Piece { declarations, statements }
}

#[test]
fn expressions_have_the_values_of_compiled_ones() {
    let Some(compiler) = c_compiler() else { return };
    for seed in seeds() {
        let mut random = Random::new(seed);
        let pieces: Vec<Piece> = (0..PIECES).map(|_| piece(&mut random)).collect();
        let compared = compare(compiler, "enum e { FIRST = -3, SECOND = 5 };\n", &pieces);
        assert!(compared * 10 > PIECES * 9, "only {compared}");
    }
}
