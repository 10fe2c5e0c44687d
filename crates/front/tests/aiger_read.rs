//! AIGER files small enough to read: what the circuit is, or what is wrong and where.
//! Two helpers touch the API; the tests are data.

use alphorn_front::aiger;
use alphorn_front::diag::{Diagnostic, Diagnostics, MAX_DIAGNOSTICS};
use alphorn_problem::circuit::Lit;

/// One line per diagnostic: code, the bytes it points at, message and hint.
fn shown(bytes: &[u8], diagnostics: &Diagnostics) -> String {
    let line = |d: &Diagnostic| {
        let (start, end) = (d.span.start as usize, d.span.end as usize);
        let text = bytes[start..end].escape_ascii();
        let hint = d.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{} {start} `{text}`: {}{hint}\n", d.code.code(), d.message)
    };
    diagnostics.list.iter().map(line).collect()
}

/// Reads `file` and expects the diagnostics `expected`, and a circuit unless one is an error.
#[track_caller]
fn check(file: impl AsRef<[u8]>, expected: &str) {
    let bytes = file.as_ref();
    let (circuit, diagnostics) = aiger::read(bytes);
    assert_eq!(shown(bytes, &diagnostics), expected);
    assert_eq!(circuit.is_some(), diagnostics.is_clean());
    if let Some(circuit) = circuit {
        assert_eq!(circuit.validate(), Ok(()));
    }
}

/// Reads `file` without complaint and expects it, written as text, to be `expected`; the binary
/// form must say the same.
#[track_caller]
fn check_reads(file: impl AsRef<[u8]>, expected: &str) {
    let bytes = file.as_ref();
    let (circuit, diagnostics) = aiger::read(bytes);
    assert_eq!(shown(bytes, &diagnostics), "");
    let circuit = circuit.expect("a circuit, since nothing was wrong");
    assert_eq!(circuit.validate(), Ok(()));
    assert_eq!(aiger::write_ascii(&circuit), expected);
    let binary = aiger::write_binary(&circuit);
    assert_eq!(aiger::read(&binary).0.as_ref(), Some(&circuit));
    assert_eq!(aiger::read(expected.as_bytes()).0.as_ref(), Some(&circuit));
}

#[test]
fn the_smallest_files() {
    check_reads("aag 0 0 0 0 0\n", "aag 0 0 0 0 0\n");
    check_reads("aig 0 0 0 0 0\n", "aag 0 0 0 0 0\n");
    check_reads("aag 0 0 0 2 0\n0\n1\n", "aag 0 0 0 2 0\n0\n1\n");
    check_reads("aag 1 1 0 1 0\n2\n3\n", "aag 1 1 0 1 0\n2\n3\n");
    check_reads("aag 1 1 0 1 0\n2\n3", "aag 1 1 0 1 0\n2\n3\n");
}

#[test]
fn all_sections() {
    let file = "aag 5 1 2 1 2 1 2 2 1\n2\n4 6\n6 2\n10\n8\n3\n4\n1\n2\n6\n4\n5\n7\n8 4 2\n10 9 7\n";
    check_reads(file, file);
    check_reads(
        b"aig 5 1 2 1 2 1 2 2 1\n6\n2\n10\n8\n3\n4\n1\n2\n6\n4\n5\n7\n\x04\x02\x01\x02",
        file,
    );
}

#[test]
fn the_example_of_the_report() {
    check_reads(
        "aag 5 1 1 0 3 1 1\n2\n4 10 0\n4\n3\n6 5 3\n8 4 2\n10 9 7\n",
        "aag 5 1 1 0 3 1 1\n2\n4 10\n4\n3\n6 5 3\n8 4 2\n10 9 7\n",
    );
}

#[test]
fn zeros_at_the_end_of_the_header_are_left_out() {
    check_reads("aag 1 1 0 1 0 0 0 0 0\n2\n2\n", "aag 1 1 0 1 0\n2\n2\n");
    check_reads("aig 1 1 0 0 0 1 0\n2\n", "aag 1 1 0 0 0 1\n2\n2\n");
    check_reads("aig 1 1 0 0 0 0 0 0 1\n2\n", "aag 1 1 0 0 0 0 0 0 1\n2\n2\n");
}

#[test]
fn an_empty_justice_property() {
    check_reads("aag 0 0 0 0 0 0 0 2\n0\n1\n1\n", "aag 0 0 0 0 0 0 0 2\n0\n1\n1\n");
}

#[test]
fn resets() {
    // 0, 1, either, and a function of the first latch and an input.
    let file = "aag 6 1 4 0 1\n2\n4 4\n6 6 1\n8 8 8\n10 10 13\n12 8 2\n";
    check_reads(file, file);
    let (circuit, _) = aiger::read(file.as_bytes());
    let circuit = circuit.expect("a sound file");
    let resets: Vec<_> = circuit.latches.iter().map(|latch| latch.reset).collect();
    assert_eq!(resets, [Lit(0), Lit(1), Lit(8), Lit(13)]);
    assert!(circuit.is_uninitialised(2));
}

#[test]
fn free_numbers_become_canonical() {
    // The input is 14, the latch 2, and the gates stand in the wrong order.
    check_reads(
        "aag 9 1 1 1 2\n14\n2 10 2\n11\n10 3 6\n6 14 2\n",
        "aag 4 1 1 1 2\n2\n4 8 4\n9\n6 4 2\n8 6 5\n",
    );
    // Numbers far beyond the size of the file.
    check_reads(
        "aag 2000000000 1 0 1 1\n4000000000\n3999999998\n3999999998 4000000000 1\n",
        "aag 2 1 0 1 1\n2\n4\n4 2 1\n",
    );
}

#[test]
fn canonical_numbers_stay_whatever_the_order_of_lines() {
    check_reads(
        "aag 5 2 0 1 3\n2\n4\n10\n10 9 7\n8 5 3\n6 4 2\n",
        "aag 5 2 0 1 3\n2\n4\n10\n6 4 2\n8 5 3\n10 9 7\n",
    );
}

#[test]
fn gates_move_only_where_they_must() {
    // 6 needs 10; 8 needs nothing and stays behind 6.
    check_reads(
        "aag 5 2 0 1 3\n2\n4\n6\n6 10 2\n8 4 2\n10 4 3\n",
        "aag 5 2 0 1 3\n2\n4\n8\n6 4 3\n8 6 2\n10 4 2\n",
    );
}

#[test]
fn blanks_and_carriage_returns() {
    check_reads(
        "aag  2 1\t1 0 0 1 \r\n2\r\n4  2 \r\n4\r\ni0 a b\r\nc\r\nx\r\n",
        "aag 2 1 1 0 0 1\n2\n4 2\n4\ni0 a b\nc\nx\r\n",
    );
}

#[test]
fn symbols_and_comments() {
    let file = "aag 2 1 1 1 0 1 1 1 1\n2\n4 2\n4\n4\n2\n1\n4\n3\n\
                b0 bad\nc0 assumed\ni0 in put\nl0 \nj0 \u{e4}\nf0 fair\no0 out\n\
                c\nfirst line\n\nno end";
    check_reads(file, file);
    let (circuit, _) = aiger::read(file.as_bytes());
    let circuit = circuit.expect("a sound file");
    assert_eq!(circuit.symbols.name(b'i', 0), Some("in put"));
    assert_eq!(circuit.symbols.name(b'l', 0), Some(""));
    assert_eq!(circuit.comments, b"first line\n\nno end");
}

#[test]
fn binary_comments_survive() {
    let file = b"aig 0 0 0 0 0\nc\n\xff\x00\n\r";
    let (circuit, diagnostics) = aiger::read(file);
    assert_eq!(shown(file, &diagnostics), "");
    assert_eq!(aiger::write_binary(&circuit.expect("a sound file")), file);
}

#[test]
fn differences_of_many_bytes() {
    // 70000 inputs; the gate is the conjunction of the last and the first.
    check_reads_binary(b"aig 70001 70000 0 1 1\n140002\n\x02\xde\xc5\x08", 140_000, 2);
    check_reads_binary(b"aig 2147483647 2147483646 0 0 1\n\xfc\xff\xff\xff\x0f\x00", 2, 2);
}

#[track_caller]
fn check_reads_binary(file: &[u8], left: u32, right: u32) {
    let (circuit, diagnostics) = aiger::read(file);
    assert_eq!(shown(file, &diagnostics), "");
    let circuit = circuit.expect("a sound file");
    assert_eq!(circuit.validate(), Ok(()));
    assert_eq!((circuit.ands[0].left, circuit.ands[0].right), (Lit(left), Lit(right)));
    assert_eq!(aiger::write_binary(&circuit), file);
}

#[test]
fn headers() {
    check("", "F002 0 ``: the file is empty\n");
    check(
        "p cnf 1 1\n",
        "A001 0 `p c`: an AIGER file starts with `aag` (text) or `aig` (binary)\n",
    );
    check("aa", "A001 0 `aa`: an AIGER file starts with `aag` (text) or `aig` (binary)\n");

    check(
        b"\x1f\x8b\x08",
        "A001 0 `\\x1f\\x8b\\x08`: an AIGER file starts with `aag` (text) or `aig` (binary) (this one is compressed; unpack it with gunzip first)\n",
    );
    check(
        "\u{feff}aag 0 0 0 0 0\n",
        "A001 0 `\\xef\\xbb\\xbf`: an AIGER file starts with `aag` (text) or `aig` (binary) (this one starts with a byte order mark; remove it)\n",
    );
    check(
        "aag\n",
        "A001 3 ``: the largest variable is missing in the header (the numbers are: largest variable, inputs, latches, outputs, gates, and optionally bad states, constraints, justice, fairness)\n",
    );
    check(
        "aag 1 2 3\n",
        "A001 9 ``: the number of outputs is missing in the header (the numbers are: largest variable, inputs, latches, outputs, gates, and optionally bad states, constraints, justice, fairness)\n",
    );
    check("aag 1 x 0 0 0\n", "A001 6 `x`: the number of inputs is `x`, which is not a number\n");
    check("aag 1 -1 0 0 0\n", "A001 6 `-1`: the number of inputs is `-1`, which is not a number\n");
    check(
        "aag 2147483648 0 0 0 0\n",
        "A001 4 `2147483648`: the largest variable is 2147483648, more than 2147483647\n",
    );
    check(
        "aag 1 99999999999999999999999 0 0 0\n",
        "A001 6 `99999999999999999999999`: the number of inputs is 99999999999999999999…, more than 2147483647\n",
    );
    check(
        "aag 1 1 1 0 0\n2\n4 4\n",
        "A001 4 `1`: the largest variable must be at least 2, the sum of inputs, latches and gates\n",
    );
    check(
        "aig 3 1 1 0 0\n4\n",
        "A001 4 `3`: the largest variable must be 2, the sum of inputs, latches and gates\n",
    );
    check("aag 0 0 0 0 0 0 0 0 0 0\n", "A001 22 `0`: the header has more than nine numbers\n");
    check(
        "aig 0 0 0 0 0\r\n",
        "A001 13 `\\r`: the header of a binary file ends with a carriage return (was the file copied as text? Binary files must be copied as they are)\n",
    );
    check("aig 2147483647 2147483647 0 0 0\n", "");
}

#[test]
fn promises_the_file_cannot_keep() {
    check(
        "aag 2147483647 0 0 0 2147483647\n",
        "A002 21 `2147483647`: the header promises at least 12884901882 bytes, and 0 follow it (was the file cut off while copying?)\n",
    );
    check(
        "aig 2147483647 0 0 0 2147483647\n\x01",
        "A002 21 `2147483647`: the header promises at least 4294967294 bytes, and 1 follow it (was the file cut off while copying?)\n",
    );
    check(
        "aig 2147483647 0 2147483647 0 0\n0\n",
        "A002 17 `2147483647`: the header promises at least 4294967294 bytes, and 2 follow it (was the file cut off while copying?)\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 0 2147483647\n0\n",
        "A002 20 `2147483647`: the header promises at least 4294967294 bytes, and 2 follow it (was the file cut off while copying?)\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 1\n4000000000\n0\n",
        "A002 20 `4000000000`: justice properties 0 to 0 take at least 8000000000 bytes, and 2 follow (was the file cut off while copying?)\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 2\n1\n18446744073709551615\n0\n",
        "A002 22 `18446744073709551615`: justice properties 0 to 1 take at least 18446744073709551615 bytes, and 2 follow (was the file cut off while copying?)\n",
    );
}

#[test]
fn files_that_end_early() {
    check(
        "aag 1 1 0 1 0\n2      \n",
        "A002 22 ``: the file ends before output 0 (of 1, counted from 0) (was it cut off while copying?)\n",
    );
    check(
        "aag 2 1 1 0 0\n2              \n",
        "A002 30 ``: the file ends before latch 0 (of 1, counted from 0) (was it cut off while copying?)\n",
    );
    check(
        "aag 3 2 0 0 1\n2\n4      \n",
        "A002 24 ``: the file ends before gate 0 (of 1, counted from 0) (was it cut off while copying?)\n",
    );
    check(
        "aig 3 2 0 1 1\n6\n\x02",
        "A002 17 ``: the file ends in its gates, after 0 of 1 (the file has 1 bytes of gates; was it cut off while copying?)\n",
    );
    check(
        b"aig 4 2 0 0 2\n\x02\x02\x85\x83",
        "A002 18 ``: the file ends in its gates, after 1 of 2 (the file has 4 bytes of gates; was it cut off while copying?)\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 3\n2\n   \n",
        "A003 25 ``: the size of justice property 1 is missing\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 2\n2\n0\n0   \n",
        "A002 29 ``: the file ends before justice literal 1 (of 2, counted from 0) (was it cut off while copying?)\n",
    );
}

#[test]
fn several_errors_in_one_run() {
    check(
        "aag 2 1 1 2 0\n2\n4 zwei 9\n-1\n7\n",
        "A003 18 `zwei`: latch 0: `zwei` is not a number\n\
         A004 23 `9`: latch 0: the header's first number allows literals up to 5, not 9\n\
         A003 25 `-1`: output 0: `-1` is not a number\n\
         A004 28 `7`: output 1: the header's first number allows literals up to 5, not 7\n",
    );
    check(
        "aag 3 1 1 1 0\n2\n4 6\n7\n",
        "A004 18 `6`: literal 6 is used, but nothing defines 6 (a literal is defined by an input, a latch or a gate)\n\
         A004 20 `7`: literal 7 is used, but nothing defines 6 (a literal is defined by an input, a latch or a gate)\n",
    );
}

#[test]
fn no_more_messages_than_one_can_read() {
    let file = format!("aag 1 1 0 100 0\n2\n{}", "x\n".repeat(100));
    assert_eq!(aiger::read(file.as_bytes()).1.list.len(), MAX_DIAGNOSTICS);
    let file = format!("aag 1 0 0 100 0\n{}", "2\n".repeat(100));
    assert_eq!(aiger::read(file.as_bytes()).1.list.len(), MAX_DIAGNOSTICS);
    // Many warnings do not hide an error.
    let file = format!("aag 0 0 0 0 0\n{}x", "\n".repeat(100));
    let (circuit, diagnostics) = aiger::read(file.as_bytes());
    assert!(circuit.is_none() && !diagnostics.is_clean());
}

#[test]
fn lines_of_the_wrong_form() {
    check(
        "aag 1 1 0 0 0\n2 3\n",
        "A009 16 `3`: the line of input 0 goes on after its end (the line of input 0 holds at most 1 literal)\n",
    );
    check("aag 2 1 1 0 0\n2\n4\n\n\n", "A003 17 ``: the line of latch 0 has 1 literal, not 2\n");
    check("aag 3 2 0 0 1\n2\n4\n6 4  \n", "A003 23 ``: the line of gate 0 has 2 literals, not 3\n");
    check("aag 1 1 0 0 0\n\n2\n", "A003 14 ``: the line of input 0 is empty\n");
    check(
        "aag 3 2 0 0 1\n2\n4\n\x03\x01 2 4\n",
        "A003 18 `\\x03\\x01`: gate 0: `\\x03\\x01` is not a number (a file with binary gates starts with `aig`)\n",
    );
    check(
        "aag 1 0 1 0 0\n2 2 2 2\n",
        "A009 20 `2`: the line of latch 0 goes on after its end (the line of latch 0 holds at most 3 literals)\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 1\nx\n0\n",
        "A003 20 `x`: the size of justice property 0 is `x`, not a number\n",
    );
    check(
        "aag 0 0 0 0 0 0 0 1\n0 0\n",
        "A009 22 `0`: the line of justice property 0 goes on after its size\n",
    );
}

#[test]
fn definitions() {
    check(
        "aag 2 1 1 0 0\n3\n0 0\n",
        "A004 14 `3`: literal 3 cannot be the name of an input (inputs, latches and gates are named by even numbers from 2 on)\n\
         A004 16 `0`: literal 0 cannot be the name of a latch (inputs, latches and gates are named by even numbers from 2 on)\n",
    );
    check(
        "aag 2 2 0 0 0\n2\n2\n",
        "A005 16 `2`: literal 2 is defined a second time, as an input (it is defined in line 2 already)\n",
    );
    check(
        "aag 3 1 1 0 1\n2\n2 0\n2 1 1\n",
        "A005 16 `2`: literal 2 is defined a second time, as a latch (it is defined in line 2 already)\n\
         A005 20 `2`: literal 2 is defined a second time, as a gate (it is defined in line 2 already)\n",
    );
    check(
        "aag 3 1 0 0 2\n2\n4 2 2\n4 3 3\n",
        "A005 22 `4`: literal 4 is defined a second time, as a gate (it is defined in line 3 already)\n",
    );
}

#[test]
fn cycles() {
    check("aag 2 1 0 0 1\n2\n4 4 2\n", "A006 16 `4`: a gate depends on itself: 4 uses 4\n");
    check(
        "aag 4 1 0 0 3\n2\n4 2 6\n6 9 2\n8 5 2\n",
        "A006 16 `4`: a gate depends on itself: 4 uses 6 uses 8 uses 4\n",
    );
    check("aig 2 1 0 0 1\n\x00\x02", "A006 14 `\\x00`: gate 4 is its own fan-in\n");
    check(
        "aag 1 0 1 0 0\n2 2 3\n",
        "A006 18 `3`: the reset of latch 0 depends on itself (a latch that may start with either value has its own literal as reset)\n",
    );
    check(
        "aig 2 0 2 0 0\n0 4\n0 2\n",
        "A006 16 `4`: the reset of latch 0 depends on itself (the latches on the cycle are l0, l1)\n",
    );
    check(
        "aag 4 1 2 0 1\n2\n4 0 8\n6 0 4\n8 7 2\n",
        "A006 20 `8`: the reset of latch 0 depends on itself (the latches on the cycle are l0, l1)\n",
    );
}

#[test]
fn differences_out_of_range() {
    check("aig 2 1 0 0 1\n\x05\x00", "A004 14 `\\x05`: gate 4: its left fan-in is 5 below it\n");
    check(
        "aig 2 1 0 0 1\n\x02\x03",
        "A004 15 `\\x03`: gate 4: its right fan-in is 3 below the left, 2\n",
    );
    check(
        b"aig 2 1 0 0 1\n\xff\xff\xff\xff\x1f\x03",
        "A003 14 `\\xff\\xff\\xff\\xff\\x1f`: gate 0: a difference of literals exceeds 32 bits\n",
    );
    check(
        b"aig 2 1 0 0 1\n\x80\x80\x80\x80\x80\x80\x00\x03",
        "A003 14 `\\x80\\x80\\x80\\x80\\x80`: gate 0: a difference of literals exceeds 32 bits\n",
    );
    check(
        "aig 2 1 0 0 1\n4 2 2\n",
        "A004 14 `4`: gate 4: its left fan-in is 52 below it (the gates look like text; a text file starts with `aag`)\n",
    );
    check(
        "aig 3 1 0 0 2\n\u{fffd}\u{fffd}\u{fffd}",
        "A003 14 `\\xef\\xbf\\xbd\\xef\\xbf`: gate 0: a difference of literals exceeds 32 bits (the file was once converted as if it were UTF-8 text)\n",
    );
}

#[test]
fn symbol_tables() {
    check(
        "aag 1 1 0 0 0\n2\ni1 x\ni0\nix y\ni0 fine\n",
        "A007 16 `i1`: i1 is named, and the number of inputs is 1\n\
         A007 21 `i0`: `i0` is not a line of the symbol table (symbols look like `i0 name`)\n\
         A007 24 `ix y`: `ix y` is not a line of the symbol table (symbols look like `i0 name`)\n",
    );
    check(
        "aag 1 1 0 0 0\n2\ni0 a\ni0 b\n",
        "A007 21 `i0 b`: i0 has a name already (the first name counts)\n",
    );
    check(
        "aag 1 1 0 0 0\n2\nc0 x\n",
        "A007 16 `c0`: c0 is named, and the number of invariant constraints is 0 (the comment section starts with a line that is just `c`)\n",
    );
    check(
        "aag 1 1 0 0 0\n2\nc hello\nworld\n",
        "A007 16 `c`: the comment does not start on a line of its own (the comment section starts with a line that is just `c`)\n",
    );
    check(
        "aag 1 1 0 0 0\n2\n\ni0 x\n",
        "A009 16 ``: an empty line after the gates has no meaning\n",
    );
    check(
        "aag 1 1 0 0 0\n2\ni0 x\nzzz\n",
        "A007 21 `zzz`: `zzz` is not a line of the symbol table\n",
    );
    check(
        b"aag 1 1 0 0 0\n2\ni0 \xe4\n",
        "A007 19 `\\xe4`: the name of i0 is not UTF-8 and is kept in part\n",
    );
}

#[test]
fn what_stands_after_the_gates() {
    check(
        "aag 1 1 0 0 0\n2\n4 2 2\n",
        "A009 16 `4 2 2`: `4 2 2` stands after the last of the 0 gates, and is no symbol (does the fifth number of the header count all gates?)\n",
    );
    check(
        "aig 1 1 0 0 0\n2\n",
        "A009 14 `2`: `2` stands after the last of the 0 gates, and is no symbol (the rest of the file is text; a text file starts with `aag`)\n",
    );
    check(
        b"aig 1 1 0 0 0\n\x02\x02",
        "A009 14 `\\x02\\x02`: `\\x02\\x02` stands after the last of the 0 gates, and is no symbol\n",
    );
}
