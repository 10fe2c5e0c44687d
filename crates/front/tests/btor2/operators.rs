//! Every operator against arithmetic on machine numbers, and corner cases against a table.

use super::{output_program, outputs, read};
use alphorn_term::{Bv, Value};

/// What an operator does, in terms of machine numbers; `None` if it takes other arguments.
fn expected(operator: &str, width: u32, a: u64, b: u64) -> Option<u64> {
    let modulus = 1i128 << width;
    let (u, v) = (a as i128, b as i128);
    let signed = |x: i128| if x >= modulus / 2 { x - modulus } else { x };
    let (s, t) = (signed(u), signed(v));
    let wrap = |x: i128| x.rem_euclid(modulus) as u64;
    let fits_signed = |x: i128| (-modulus / 2..modulus / 2).contains(&x);
    let fits_unsigned = |x: i128| (0..modulus).contains(&x);
    let bit = |b: bool| Some(u64::from(b));
    let ones = wrap(-1);
    let bits = |x: u64| (0..width).map(|i| x >> i & 1).collect::<Vec<u64>>();
    let number = |bits: Vec<u64>| bits.iter().enumerate().map(|(i, b)| b << i).sum::<u64>();
    Some(match operator {
        "eq" => return bit(a == b),
        "neq" => return bit(a != b),
        "sgt" => return bit(s > t),
        "ugt" => return bit(u > v),
        "sgte" => return bit(s >= t),
        "ugte" => return bit(u >= v),
        "slt" => return bit(s < t),
        "ult" => return bit(u < v),
        "slte" => return bit(s <= t),
        "ulte" => return bit(u <= v),
        "saddo" => return bit(!fits_signed(s + t)),
        "uaddo" => return bit(!fits_unsigned(u + v)),
        "ssubo" => return bit(!fits_signed(s - t)),
        "usubo" => return bit(!fits_unsigned(u - v)),
        "smulo" => return bit(!fits_signed(s * t)),
        "umulo" => return bit(!fits_unsigned(u * v)),
        "sdivo" => return bit(t != 0 && !fits_signed(s / t)),
        "udivo" => return bit(false),
        "iff" if width == 1 => return bit(a == b),
        "implies" if width == 1 => return bit(a <= b),
        "iff" | "implies" => return None,
        "and" => a & b,
        "nand" => !(a & b) & ones,
        "nor" => !(a | b) & ones,
        "or" => a | b,
        "xnor" => !(a ^ b) & ones,
        "xor" => a ^ b,
        "rol" | "ror" => {
            let mut bits = bits(a);
            for _ in 0..b {
                if operator == "rol" { bits.rotate_right(1) } else { bits.rotate_left(1) }
            }
            number(bits)
        }
        "sll" if b >= u64::from(width) => 0,
        "sll" => wrap(u << b),
        "srl" if b >= u64::from(width) => 0,
        "srl" => a >> b,
        "sra" => wrap(s >> b.min(u64::from(width))),
        "add" => wrap(u + v),
        "sub" => wrap(u - v),
        "mul" => wrap(u * v),
        "udiv" if b == 0 => ones,
        "udiv" => a / b,
        "urem" if b == 0 => a,
        "urem" => a % b,
        "sdiv" if b == 0 => {
            if s < 0 {
                1
            } else {
                ones
            }
        }
        "sdiv" => wrap(s / t),
        "srem" | "smod" if b == 0 => a,
        "srem" => wrap(s % t),
        // The result has the divisor's sign.
        "smod" => wrap(s - t * (s as f64 / t as f64).floor() as i128),
        "concat" => a << width | b,
        _ => panic!("{operator}"),
    })
}

const BINARY: &[&str] = &[
    "iff", "implies", "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte",
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul",
    "sdiv", "udiv", "smod", "srem", "urem", "sub", "saddo", "uaddo", "sdivo", "udivo", "smulo",
    "umulo", "ssubo", "usubo", "concat",
];

fn is_predicate(operator: &str) -> bool {
    let names = ["iff", "implies", "eq", "neq"];
    names.contains(&operator)
        || operator.ends_with('o') && operator.len() > 4
        || ["sgt", "ugt", "slt", "ult"].iter().any(|stem| operator.starts_with(stem))
}

/// The sort line of an operator's result: sort 1 is a bit, 2 the operands' and 3 twice as wide.
fn result_sort(operator: &str) -> u32 {
    match operator {
        "concat" => 3,
        _ if is_predicate(operator) => 1,
        _ => 2,
    }
}

fn word(width: u32, value: u64) -> Value {
    Value::Bv(Bv::from_u64(width, value))
}

#[test]
fn binary_operators_on_all_words_of_up_to_five_bits() {
    for width in 1..=5 {
        let operators = || BINARY.iter().filter(|op| expected(op, width, 0, 0).is_some());
        let mut text =
            format!("1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {}\n", 2 * width);
        text.push_str("4 input 2\n5 input 2\n");
        for (index, operator) in operators().enumerate() {
            let (id, sort) = (10 + 2 * index, result_sort(operator));
            text.push_str(&format!("{id} {operator} {sort} 4 5\n{} output {id}\n", id + 1));
        }
        let words = read(&text);
        let mut program = output_program(&words);
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            let found = outputs(&words, &mut program, &[word(width, a), word(width, b)]);
            for (operator, found) in operators().zip(found) {
                let result = [1, width, 2 * width][result_sort(operator) as usize - 1];
                let value = expected(operator, width, a, b).unwrap();
                assert_eq!(found, word(result, value), "{a} {operator} {b}, {width} bits");
            }
        }
    }
}

#[test]
fn binary_operators_on_constants_fold_to_the_same() {
    for width in [1, 2, 3, 5, 8] {
        let top = (1u64 << width) - 1;
        let corners = [0, 1, top / 2, top / 2 + 1, top, width.into()];
        for (a, b) in corners.iter().flat_map(|a| corners.iter().map(move |b| (*a & top, *b & top)))
        {
            let mut text =
                format!("1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {}\n", 2 * width);
            text.push_str(&format!("4 constd 2 {a}\n5 constd 2 {b}\n"));
            let operators = || BINARY.iter().filter(|op| expected(op, width, 0, 0).is_some());
            for (index, operator) in operators().enumerate() {
                let (id, sort) = (10 + 2 * index, result_sort(operator));
                text.push_str(&format!("{id} {operator} {sort} 4 5\n{} output {id}\n", id + 1));
            }
            let words = read(&text);
            for (operator, output) in operators().zip(&words.outputs) {
                let value = words.terms.literal_value(output.term).expect("constants fold");
                let result = [1, width, 2 * width][result_sort(operator) as usize - 1];
                let expected = expected(operator, width, a, b).unwrap();
                assert_eq!(value, word(result, expected), "{a} {operator} {b}, {width} bits");
            }
        }
    }
}

#[test]
fn unary_and_indexed_operators_on_all_words_of_up_to_six_bits() {
    for width in 1u32..=6 {
        let top = (1u64 << width) - 1;
        let (high, low) = (width - 1, (width - 1) / 2);
        let text = format!(
            "1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {}\n4 sort bitvec {}\n5 input 2\n\
             10 not 2 5\n11 inc 2 5\n12 dec 2 5\n13 neg 2 5\n14 redand 1 5\n15 redor 1 5\n\
             16 redxor 1 5\n17 sext 3 5 3\n18 uext 3 5 3\n19 slice 4 5 {high} {low}\n20 not 2 -5\n\
             21 uext 2 5 0\n22 slice 2 5 {high} 0\n23 slice 1 5 {high} {high}\n{}",
            width + 3,
            high - low + 1,
            (10..=23).map(|id| format!("{} output {id}\n", id + 20)).collect::<String>(),
        );
        let words = read(&text);
        let mut program = output_program(&words);
        for a in 0..=top {
            let sign = a >> high;
            let expected = [
                (width, !a & top),
                (width, (a + 1) & top),
                (width, a.wrapping_sub(1) & top),
                (width, a.wrapping_neg() & top),
                (1, u64::from(a == top)),
                (1, u64::from(a != 0)),
                (1, u64::from(a.count_ones() % 2)),
                (width + 3, if sign == 1 { a | 7 << width } else { a }),
                (width + 3, a),
                (high - low + 1, a >> low),
                (width, a),
                (width, a),
                (width, a),
                (1, sign),
            ];
            let found = outputs(&words, &mut program, &[word(width, a)]);
            for (place, (found, (width, value))) in found.iter().zip(expected).enumerate() {
                assert_eq!(*found, word(width, value), "line {} on {a}", 10 + place);
            }
        }
    }
}

/// Operator, width, arguments, result.
const CORNERS: &[(&str, u32, &str, &str, &str)] = &[
    ("udiv", 8, "7", "0", "255"),
    ("urem", 8, "7", "0", "7"),
    ("sdiv", 8, "7", "0", "-1"),
    ("sdiv", 8, "-7", "0", "1"),
    ("sdiv", 8, "-128", "-1", "-128"),
    ("srem", 8, "-7", "0", "-7"),
    ("srem", 8, "-7", "2", "-1"),
    ("smod", 8, "-7", "2", "1"),
    ("smod", 8, "7", "-2", "-1"),
    ("smod", 8, "-7", "0", "-7"),
    ("sll", 8, "1", "8", "0"),
    ("srl", 8, "255", "200", "0"),
    ("sra", 8, "-128", "200", "-1"),
    ("sra", 8, "127", "200", "0"),
    ("rol", 5, "17", "1", "3"),
    ("rol", 5, "17", "5", "17"),
    ("rol", 5, "17", "31", "3"),
    ("ror", 5, "17", "1", "24"),
    ("ror", 5, "17", "6", "24"),
    ("mul", 8, "16", "16", "0"),
    ("sub", 8, "0", "1", "255"),
];

#[test]
fn corner_cases_of_wide_enough_words() {
    for (operator, width, a, b, result) in CORNERS {
        let text = format!(
            "1 sort bitvec {width}\n2 constd 1 {a}\n3 constd 1 {b}\n4 {operator} 1 2 3\n\
             5 constd 1 {result}\n6 sort bitvec 1\n7 eq 6 4 5\n8 bad 7\n"
        );
        assert_eq!(read(&text).bads[0].term, alphorn_term::TermId::TRUE, "{a} {operator} {b}");
    }
}

#[test]
fn wide_words() {
    let text = "1 sort bitvec 600\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 redxor 2 3\n6 rol 1 3 4\n\
                7 ror 1 6 4\n8 eq 2 3 7\n9 output 5\n10 output 8\n11 consth 1 f00000000000000000000000001\n\
                12 redxor 2 11\n13 output 12\n";
    let words = read(text);
    assert!(words.terms.dag_size(&[words.outputs[0].term]) < 60, "redxor is a shallow tree");
    let mut program = output_program(&words);
    let bits = Bv::ones(599).concat(&Bv::from_u64(1, 0));
    for by in [0u64, 1, 599, 600, 601, u64::MAX] {
        let by = Bv::from_u64(600, by);
        let found = outputs(&words, &mut program, &[Value::Bv(bits.clone()), Value::Bv(by)]);
        assert_eq!(found, [word(1, 1), word(1, 1), word(1, 1)]);
    }
}
