//! Bit-fields: their promotions, in all expressions that have their type, and what is stored in them.

use crate::{Piece, Random, compare, seeds};
use trifold_examples::tools::c_compiler;

const PIECES: usize = 400;

const FIELDS: [&str; 12] = [
    "unsigned f : 3",
    "int f : 3",
    "unsigned f : 31",
    "int f : 31",
    "unsigned f : 32",
    "int f : 32",
    "_Bool f : 1",
    "unsigned short f : 9",
    "signed char f : 5",
    "long f : 7",
    "unsigned long f : 32",
    "long f : 32",
];
const WIDE: [&str; 4] = ["unsigned long f : 33", "long f : 40", "unsigned long long f : 63", "long f : 64"];

/// An expression that has the type of a bit-field.
fn field(random: &mut Random) -> String {
    match random.below(9) {
        0 => "s.f++".to_string(),
        1 => "(--s.f)".to_string(),
        2 => format!("(s.f = {})", number(random)),
        3 => format!("(s.f += {})", number(random)),
        4 => "(0, s.f)".to_string(),
        5 => "({ s.f; })".to_string(),
        6 => "(s.f -= 1)".to_string(),
        _ => "s.f".to_string(),
    }
}

fn number(random: &mut Random) -> &'static str {
    random.one_of(&["0", "1", "-1", "2", "7", "100", "255", "0x7fffffff", "0xffffffffu", "1L"])
}

fn piece(random: &mut Random) -> Piece {
    let member = if random.below(5) == 0 { random.one_of(&WIDE) } else { random.one_of(&FIELDS) };
    let declarations = format!("struct {{ char before; {member}; int after; }} s = {{ 0, {}, 5 }};", number(random));
    let value = field(random);
    let statement = match random.below(8) {
        0 => format!("r = {value} {} {};", random.one_of(&["<", ">", "==", "<=", "!="]), number(random)),
        1 => format!("r = (unsigned long)({value} {} {});", random.one_of(&["+", "-", "*", "&", "|"]), number(random)),
        2 => format!("r = (unsigned long)({value} {} {});", random.one_of(&["<<", ">>"]), random.below(8)),
        3 => format!("r = (unsigned long)({}{value});", random.one_of(&["-", "~", "!", "+"])),
        4 => format!("r = (unsigned long)(s.after ? {value} : {});", number(random)),
        5 => format!("r = sizeof({}{value});", random.one_of(&["+", "-", "~"])),
        6 => format!("switch ({value}) {{ case -1: r = 1; break; case 1: r = 2; break; case 7: r = 3; }}"),
        _ => format!("long t = {value}; r = (unsigned long)t;"),
    };
    let statements = format!("{statement} r = r * 31 + (unsigned long)s.f; r = r * 31 + s.before + s.after;");
    Piece { declarations, statements }
}

#[test]
fn fields_have_the_values_of_compiled_ones() {
    let Some(compiler) = c_compiler() else { return };
    for seed in seeds() {
        let mut random = Random::new(seed);
        let pieces: Vec<Piece> = (0..PIECES).map(|_| piece(&mut random)).collect();
        let compared = compare(compiler, "", &pieces);
        assert!(compared * 10 > PIECES * 8, "only {compared}");
    }
}
