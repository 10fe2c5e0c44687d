//! Damaged files: never a panic, and what is accepted is well-sorted and prints stably.

use super::{assert_well_sorted, read};
use alphorn_front::btor2;
use alphorn_testkit::Rng;
use alphorn_testkit::words::text;

const SEEDS: &[&str] = &[
    "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 zero 2\n5 state 3 mem\n6 init 3 5 4\n\
     7 input 1 at\n8 input 2 value\n9 write 3 5 7 8\n10 sort bitvec 1\n11 input 10 on\n\
     12 ite 3 11 9 5\n13 next 3 5 12\n14 read 2 5 7\n15 output 14\n16 eq 10 5 9\n17 bad -16\n",
    "1 sort bitvec 5\n2 input 1\n3 input 1\n4 rol 1 2 3\n5 redxor 6 4\n6 sort bitvec 1\n7 redxor 6 4\n\
     8 slice 6 4 3 3\n9 bad 8 b ; x\n10 constraint 7\n11 justice 2 7 8\n12 fair -7\n13 constd 1 -3\n\
     14 consth 1 1f\n15 const 1 01010\n16 sext 1 3 0\n17 state 1 s\n18 next 1 17 13\n19 init 1 17 14\n",
];

const PIECES: &[&str] = &[
    "0",
    "1",
    "-",
    "-1",
    "9",
    "99999999999999999999",
    " ",
    "\n",
    ";",
    "sort",
    "bitvec",
    "array",
    "state",
    "init",
    "next",
    "input",
    "ite",
    "read",
    "write",
    "rol",
    "slice",
    "sext",
    "const",
    "justice",
    "bad",
    "16777216",
    "\u{e9}",
    "\0",
    "\t",
    "\r\n",
];

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let length = rng.below(6).min(bytes.len() - at);
        match rng.below(4) {
            0 => drop(bytes.drain(at..at + length)),
            1 => {
                let piece = rng.pick(PIECES).bytes();
                bytes.splice(at..at + length, piece);
            }
            2 => {
                let copy = bytes[at..at + length].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ if at < bytes.len() => bytes[at] = rng.pick(b"0123456789 \n-;abz\xff"),
            _ => {}
        }
        if bytes.is_empty() {
            return;
        }
    }
}

#[test]
fn damaged_systems_are_read_without_panic() {
    let mut rng = Rng::new(2024);
    let mut texts: Vec<String> = SEEDS.iter().map(|seed| (*seed).to_owned()).collect();
    texts.extend((0..8).map(|_| text::system(&mut rng, 20)));
    let mut accepted = 0;
    for round in 0..6000 {
        let mut bytes = texts[round % texts.len()].clone().into_bytes();
        mutate(&mut rng, &mut bytes);
        let (words, diagnostics) = btor2::read(&bytes);
        assert_eq!(words.is_some(), diagnostics.is_clean());
        for diagnostic in &diagnostics.list {
            assert!(diagnostic.span.start <= diagnostic.span.end);
            assert!(diagnostic.span.end as usize <= bytes.len());
        }
        let Some(words) = words else { continue };
        accepted += 1;
        assert_well_sorted(&words);
        let printed = btor2::print(&words).unwrap();
        assert_eq!(btor2::print(&read(&printed)).unwrap(), printed);
    }
    assert!(accepted > 150, "only {accepted} damaged files are still systems");
}

#[test]
fn damaged_witnesses_are_read_without_panic() {
    let words = read(SEEDS[0]);
    let witness = "sat\nb0\n#0\n0 [00] 11111111 mem#0\n0 [*] 00000001\n@0\n0 01 at@0\n1 11110000\n2 1\n\
                   #1\n@1\n0 11\n@2\n.\n";
    let mut rng = Rng::new(99);
    let mut accepted = 0;
    for _ in 0..3000 {
        let mut bytes = witness.as_bytes().to_vec();
        mutate(&mut rng, &mut bytes);
        let (traces, diagnostics) = btor2::read_witness(&bytes, &words);
        assert_eq!(traces.is_some(), diagnostics.is_clean());
        for trace in traces.into_iter().flatten() {
            accepted += 1;
            let text = btor2::write_witness(&trace, &words);
            let again = btor2::read_witness(text.as_bytes(), &words).0.unwrap();
            assert_eq!(btor2::write_witness(&again[0], &words), text);
        }
    }
    assert!(accepted > 100);
}
