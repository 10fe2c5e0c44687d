//! What the reader says about wrong lines: the code, the place, and that it goes on.

use super::read;
use alphorn_front::{Code, Severity, btor2};

const START: &str = "1 sort bitvec 8\n2 sort bitvec 1\n3 sort array 2 1\n4 input 1 a\n5 input 2 b\n\
                     6 state 1 s\n7 state 3 m\n8 state 1 t\n";

/// A line, the code of what is wrong with it, the text it points at, and a part of the message or
/// the hint.
const TABLE: &[(&str, Code, &str, &str)] = &[
    ("x sort bitvec 8", Code::BtorNumber, "x", "starts with its number"),
    ("0 sort bitvec 8", Code::BtorNumber, "0", "starts with its number"),
    ("-9 sort bitvec 8", Code::BtorNumber, "-9", "starts with its number"),
    ("9", Code::BtorLine, "", "operator is missing"),
    ("9 addd 1 4 4", Code::BtorOperator, "addd", "did you mean `add`?"),
    ("9 SLICE 1 4 7 0", Code::BtorOperator, "SLICE", "did you mean `slice`?"),
    ("9 bvaddition 1 4 4", Code::BtorOperator, "bvaddition", "not an operator"),
    ("6 add 1 4 4", Code::BtorReference, "6", "second time"),
    ("9 sort", Code::BtorLine, "", "`bitvec` or `array` is missing"),
    ("9 sort bv 8", Code::BtorSort, "bv", "a `bitvec` or an `array`"),
    ("9 sort bitvec", Code::BtorLine, "", "a width is missing"),
    ("9 sort bitvec 0", Code::BtorNumber, "0", "from 1 to"),
    ("9 sort bitvec 99999999999", Code::BtorNumber, "99999999999", "from 1 to"),
    (
        "9 sort bitvec 99999999999999999999999",
        Code::BtorNumber,
        "99999999999999999999999",
        "from 1",
    ),
    ("9 sort bitvec 16777217", Code::BtorNumber, "16777217", "from 1 to 16777216"),
    ("9 sort bitvec eight", Code::BtorNumber, "eight", "a width is expected"),
    ("9 sort array 1", Code::BtorLine, "", "a sort is missing"),
    ("9 sort array 1 4", Code::BtorReference, "4", "not a sort"),
    ("9 sort array 1 77", Code::BtorReference, "77", "not defined"),
    ("9 input", Code::BtorLine, "", "a sort is missing"),
    ("9 input four", Code::BtorNumber, "four", "a sort's number"),
    ("9 input 4", Code::BtorReference, "4", "not a sort"),
    ("9 input 1 x y", Code::BtorLine, "y", "goes on"),
    ("9 add 1 4", Code::BtorLine, "", "an argument is missing"),
    ("9 add 1 4 four", Code::BtorNumber, "four", "number of a line"),
    ("9 add 1 4 99", Code::BtorReference, "99", "not defined before"),
    ("9 add 1 4 9", Code::BtorReference, "9", "not defined before"),
    ("9 add 1 4 1", Code::BtorReference, "1", "has no value"),
    ("9 add 1 4 5", Code::BtorSort, "5", "wants a bitvec 8 as before here, not a bitvec 1"),
    ("9 add 1 4 7", Code::BtorSort, "7", "wants a bitvec here"),
    ("9 add 2 4 4", Code::BtorSort, "2", "gives a bitvec 8 here, not a bitvec 1"),
    ("9 add 3 4 4", Code::BtorSort, "3", "not an array from bitvec 1 to bitvec 8"),
    ("9 add 4 4 4", Code::BtorReference, "4", "not a sort"),
    ("9 eq 2 4 7", Code::BtorSort, "7", "as before"),
    ("9 eq 1 4 4", Code::BtorSort, "1", "gives a bitvec 1"),
    ("9 ult 2 7 7", Code::BtorSort, "7", "wants a bitvec"),
    ("9 iff 2 4 4", Code::BtorSort, "4", "wants a bitvec 1"),
    ("9 implies 2 5 4", Code::BtorSort, "4", "wants a bitvec 1"),
    ("9 not 1 7", Code::BtorSort, "7", "wants a bitvec"),
    ("9 not 1 -7", Code::BtorSort, "-7", "cannot be negated"),
    ("9 redor 1 4", Code::BtorSort, "1", "gives a bitvec 1"),
    ("9 ite 1 4 4 4", Code::BtorSort, "4", "wants a bitvec 1"),
    ("9 ite 1 5 4 5", Code::BtorSort, "5", "as before"),
    ("9 read 1 4 5", Code::BtorSort, "4", "wants an array"),
    ("9 read 1 7 4", Code::BtorSort, "4", "wants a bitvec 1"),
    ("9 write 3 7 5 5", Code::BtorSort, "5", "wants a bitvec 8"),
    ("9 write 1 7 5 4", Code::BtorSort, "1", "gives an array"),
    ("9 concat 1 4 7", Code::BtorSort, "7", "wants a bitvec"),
    ("9 concat 1 4 4", Code::BtorSort, "1", "gives a bitvec 16"),
    ("9 slice 2 4 8 8", Code::BtorNumber, "8", "has no bit 8"),
    ("9 slice 2 4 3 4", Code::BtorNumber, "4", "above the highest"),
    ("9 slice 2 4 3", Code::BtorLine, "", "the lowest bit is missing"),
    ("9 slice 2 7 3 3", Code::BtorSort, "7", "wants a bitvec"),
    ("9 slice 2 4 3 2", Code::BtorSort, "2", "gives a bitvec 2"),
    ("9 uext 1 4", Code::BtorLine, "", "the number of bits to add is missing"),
    ("9 uext 1 4 1", Code::BtorSort, "1", "gives a bitvec 9"),
    ("9 sext 1 4 16777216", Code::BtorNumber, "16777216", "at most 16777208"),
    ("9 const 1 0101", Code::BtorNumber, "0101", "4 digits for a bitvec 8"),
    ("9 const 1 01010102", Code::BtorNumber, "01010102", "binary digits"),
    ("9 const 1", Code::BtorLine, "", "the digits are missing"),
    ("9 const 3 0", Code::BtorSort, "3", "gives a bitvec"),
    ("9 constd 1 256", Code::BtorNumber, "256", "does not fit"),
    ("9 constd 1 -129", Code::BtorNumber, "-129", "does not fit"),
    ("9 constd 1 1e5", Code::BtorNumber, "1e5", "decimal digits"),
    ("9 constd 1 -", Code::BtorNumber, "-", "decimal digits"),
    (
        "9 constd 1 99999999999999999999999999999",
        Code::BtorNumber,
        "99999999999999999999999999999",
        "fit",
    ),
    ("9 consth 1 1ff", Code::BtorNumber, "1ff", "does not fit"),
    ("9 consth 1 fg", Code::BtorNumber, "fg", "hexadecimal"),
    ("9 consth 1 -f", Code::BtorNumber, "-f", "hexadecimal"),
    ("9 zero 3", Code::BtorSort, "3", "gives a bitvec"),
    ("9 init 1 4 4", Code::BtorState, "4", "is none"),
    ("9 next 1 -6 4", Code::BtorState, "-6", "is none"),
    ("9 next 2 6 4", Code::BtorSort, "2", "the state has sort a bitvec 8"),
    ("9 next 1 6 5", Code::BtorSort, "5", "but its value a bitvec 1"),
    ("9 next 3 7 4", Code::BtorSort, "4", "but its value a bitvec 8"),
    ("9 init 3 7 5", Code::BtorSort, "5", "but its value a bitvec 1"),
    ("9 init 1 8 4", Code::BtorState, "4", "depends on input 4"),
    ("9 init 1 6 8", Code::BtorState, "8", "not declared before its own"),
    ("9 init 1 6 6", Code::BtorState, "6", "not declared before its own"),
    ("9 bad 4", Code::BtorSort, "4", "`bad` wants a bitvec 1, not a bitvec 8"),
    ("9 constraint 7", Code::BtorSort, "7", "`constraint` wants"),
    ("9 fair 6", Code::BtorSort, "6", "`fair` wants"),
    ("9 bad", Code::BtorLine, "", "an argument is missing"),
    ("9 justice 0", Code::BtorNumber, "0", "at least one"),
    ("9 justice 2 5", Code::BtorLine, "", "an argument is missing"),
    ("9 justice 18446744073709551615 5", Code::BtorLine, "", "an argument is missing"),
    ("9 justice 1 6", Code::BtorSort, "6", "`justice` wants"),
];

#[test]
fn each_mistake_is_reported_once_and_in_its_place() {
    read(START);
    for (line, code, place, words) in TABLE {
        // A correct line after the wrong one must not be blamed.
        let text = format!("{START}{line}\n100 bad 5\n");
        let (problem, diagnostics) = btor2::read(text.as_bytes());
        assert!(problem.is_none(), "{line}");
        let [diagnostic] = &diagnostics.list[..] else { panic!("{line}: {diagnostics:?}") };
        assert_eq!((diagnostic.code, diagnostic.severity), (*code, Severity::Error), "{line}");
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        assert_eq!(&text[start..end], *place, "{line}: {diagnostic:?}");
        assert!(
            (START.len()..=START.len() + line.len()).contains(&start),
            "{line}: {diagnostic:?}"
        );
        let said = format!("{} {}", diagnostic.message, diagnostic.hint.as_deref().unwrap_or(""));
        assert!(said.contains(words), "{line}: {said}");
    }
}

#[test]
fn states_have_one_init_and_one_next() {
    for name in ["init", "next"] {
        let text = format!("{START}9 zero 1\n10 {name} 1 6 9\n11 {name} 1 6 9\n12 {name} 1 8 9\n");
        let (_, diagnostics) = btor2::read(text.as_bytes());
        let [diagnostic] = &diagnostics.list[..] else { panic!("{diagnostics:?}") };
        assert_eq!(diagnostic.code, Code::BtorState);
        assert!(diagnostic.message.contains("a second"));
    }
}

#[test]
fn lines_that_build_on_a_wrong_one_are_not_blamed() {
    let text =
        format!("{START}9 ad 1 4 4\n10 add 1 9 4\n11 bad 10\n12 sort bitvec 0\n13 input 12\n");
    let (_, diagnostics) = btor2::read(text.as_bytes());
    let codes: Vec<Code> = diagnostics.list.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::BtorOperator, Code::BtorNumber]);
}

#[test]
fn numbers_of_lines_grow() {
    let text = "1 sort bitvec 1\n5 input 1\n3 input 1\n6 and 1 3 5\n7 bad 6\n";
    let (_, diagnostics) = btor2::read(text.as_bytes());
    let [diagnostic] = &diagnostics.list[..] else { panic!("{diagnostics:?}") };
    assert_eq!(diagnostic.code, Code::BtorReference);
    assert!(diagnostic.message.contains("after line 5"));
}

#[test]
fn a_binary_file_gives_a_bounded_list() {
    let bytes: Vec<u8> =
        (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let (problem, diagnostics) = btor2::read(&bytes);
    assert!(problem.is_none());
    assert_eq!(diagnostics.list.len(), alphorn_front::diag::MAX_DIAGNOSTICS);
    assert_eq!(btor2::read(b"").1.list[0].code, Code::FileEmpty);
}

#[test]
fn short_files_cannot_ask_for_much_memory() {
    let mut text = String::from("1 sort bitvec 16777216\n2 ones 1\n");
    for id in 3..2000 {
        text.push_str(&format!("{id} dec 1 {}\n", id - 1));
    }
    let (problem, diagnostics) = btor2::read(text.as_bytes());
    assert!(problem.is_none());
    assert!(diagnostics.list.iter().any(|d| d.code == Code::FileTooLarge));
    let mut text = String::from("1 sort bitvec 1\n");
    for id in 2..100_000 {
        text.push_str(&format!("{id} sort array 1 {}\n", id - 1));
    }
    assert_eq!(btor2::read(text.as_bytes()).1.list[0].severity, Severity::Unsupported);
    let concat = "1 sort bitvec 16777216\n2 input 1\n3 concat 1 2 2\n";
    assert_eq!(btor2::read(concat.as_bytes()).1.list[0].code, Code::BtorNumber);
}
