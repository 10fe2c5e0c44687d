//! A number that fits no index is an error, and not the number that is left of it in 32 bits: 2^32 would be 0,
//! and 2^32 + 1 would be 1, where addresses have 32 bits and it was cut off.

use alphorn_front::{aiger, btor2, evidence};
use alphorn_problem::Circuit;

const CIRCUIT: &str = "aag 1 0 1 0 0 1\n2 3\n2\n";

fn circuit() -> Circuit {
    aiger::read(CIRCUIT.as_bytes()).0.expect("a sound file")
}

/// Numbers that are 0 or 1 when 32 bits of them are left, or 64.
const WIDE: [&str; 4] =
    ["4294967296", "4294967297", "18446744073709551616", "18446744073709551617"];

#[test]
fn properties_of_witnesses() {
    assert!(aiger::read_witness(b"0\nb0\n.\n", &circuit()).1.is_clean());
    for number in WIDE {
        let (read, diagnostics) =
            aiger::read_witness(format!("0\nb{number}\n.\n").as_bytes(), &circuit());
        assert!(read.is_none() && !diagnostics.is_clean(), "{number}");
    }
}

#[test]
fn literals_and_counts_of_circuits() {
    for number in WIDE {
        for text in [
            CIRCUIT.replace("2 3\n2", &format!("2 {number}\n2")),
            CIRCUIT.replace("2 3\n2", &format!("2 3\n{number}")),
            CIRCUIT.replace("aag 1 0 1", &format!("aag 1 0 {number}")),
            format!("{CIRCUIT}l{number} name\n"),
        ] {
            let (read, diagnostics) = aiger::read(text.as_bytes());
            assert!(read.is_none() || !diagnostics.is_clean(), "{text}");
        }
    }
}

#[test]
fn latches_of_certificates() {
    let said = |latch: &str| {
        let text =
            format!("alphorn-certificate 1\nproperty 0\ninvariant clauses\n{latch} 0\nend\n");
        let (read, diagnostics) = evidence::read_circuit(text.as_bytes(), &circuit());
        let words: Vec<String> = diagnostics.list.into_iter().map(|one| one.message).collect();
        (read.is_some(), words.join("; "))
    };
    assert!(!said("1").1.contains("latch"), "{:?}", said("1"));
    for number in WIDE {
        for literal in [number.to_owned(), format!("-{number}")] {
            let (is_read, words) = said(&literal);
            assert!(
                !is_read && words.contains(if number.len() > 18 { "numbers" } else { "no latch" }),
                "{words}"
            );
        }
    }
}

#[test]
fn bits_and_widths_of_words() {
    let file = |width: &str, high: &str, by: &str| {
        format!(
            "1 sort bitvec 2\n2 sort bitvec {width}\n3 state 1\n4 slice 2 3 {high} 0\n5 uext 1 3 {by}\n6 bad 4\n"
        )
    };
    assert!(btor2::read(file("1", "0", "0").as_bytes()).1.is_clean());
    for number in WIDE {
        for text in [file(number, "0", "0"), file("1", number, "0"), file("1", "0", number)] {
            let (read, diagnostics) = btor2::read(text.as_bytes());
            assert!(read.is_none() || !diagnostics.is_clean(), "{text}");
        }
    }
}
