//! Damaged AIGER files: reading never panics, and ends with a valid circuit or with an error.

use alphorn_front::aiger;
use alphorn_front::diag::Diagnostics;
use alphorn_testkit::Rng;

/// Damages `bytes` once: flips, deletes, inserts, repeats, cuts off or swaps.
fn mutate(bytes: &mut Vec<u8>, random: &mut Rng) {
    const LIKELY: &[u8] = b"0123456789 \n\n\rcilobjf\x00\x01\x02\x7f\x80\xff";
    if bytes.is_empty() {
        return bytes.push(b'a');
    }
    let at = random.below(bytes.len());
    let other = random.below(bytes.len());
    match random.below(7) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.pick(LIKELY),
        2 => bytes.insert(at, random.pick(LIKELY)),
        3 => drop(bytes.remove(at)),
        4 => bytes.truncate(at),
        5 => bytes.swap(at, other),
        _ => {
            let piece = bytes[at.min(other)..at.max(other)].to_vec();
            drop(bytes.splice(at..at, piece));
        }
    }
}

/// Whether everything that is said points into a file of `size` bytes.
fn is_inside(diagnostics: &Diagnostics, size: usize) -> bool {
    let spans = diagnostics.list.iter().map(|diagnostic| diagnostic.span);
    spans.into_iter().all(|span| span.start <= span.end && span.end as usize <= size)
}

/// Damages `file` in `rounds` ways, each up to four times over, and reads the result.
#[track_caller]
fn check(file: &[u8], seed: u64, rounds: usize) {
    assert!(aiger::read(file).0.is_some(), "the file is sound before it is damaged");
    let mut random = Rng::new(seed);
    let mut survived = 0;
    for _ in 0..rounds {
        let mut bytes = file.to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut bytes, &mut random);
        }
        let (circuit, diagnostics) = aiger::read(&bytes);
        let shown = bytes.escape_ascii();
        assert!(is_inside(&diagnostics, bytes.len()), "{shown}");
        let Some(circuit) = circuit else {
            assert!(!diagnostics.is_clean(), "refused without a reason: {shown}");
            continue;
        };
        assert!(diagnostics.is_clean(), "a circuit from a wrong file: {shown}");
        assert_eq!(circuit.validate(), Ok(()), "{shown}");
        let again = aiger::read(&aiger::write_binary(&circuit)).0;
        assert_eq!(again, Some(circuit), "{shown}");
        survived += 1;
    }
    // Damage that is always fatal, or never, would test only half of the reader.
    assert!((rounds / 50..rounds / 2).contains(&survived), "{survived} of {rounds} survived");
}

const ASCII: &str = "aag 6 2 2 1 2 1 1 2 1\n2\n4\n6 10 1\n8 7 12\n10\n11\n4\n2\n1\n8\n6\n5\n12\n\
                     10 8 2\n12 4 3\ni0 in\nl1 state\nb0 bad\nc0 assume\nc\ncomment\n";

#[test]
fn text() {
    check(ASCII.as_bytes(), 1, 40_000);
}

#[test]
fn text_in_free_order() {
    let file = "aag 40 2 1 1 3\n20\n6\n44 60 44\n13\n12 60 7\n60 80 20\n80 45 6\n";
    check(file.as_bytes(), 2, 40_000);
}

#[test]
fn binary() {
    let circuit = aiger::read(ASCII.as_bytes()).0.expect("a sound file");
    check(&aiger::write_binary(&circuit), 3, 40_000);
}

#[test]
fn binary_gates() {
    let mut file = b"aig 202 2 0 1 200\n404\n".to_vec();
    let mut random = Rng::new(5);
    for gate in 3..203 {
        let left = 2 * gate - 1 - random.below(2 * gate - 2);
        let right = random.below(left + 1);
        for mut value in [2 * gate - left, left - right] {
            while value >= 0x80 {
                file.push(value as u8 | 0x80);
                value >>= 7;
            }
            file.push(value as u8);
        }
    }
    check(&file, 4, 10_000);
}

#[test]
fn witnesses() {
    let circuit = aiger::read(ASCII.as_bytes()).0.expect("a sound file");
    let file = b"1\nb0j1\n1x\n00\nx1\n.\nc comment\n0\nj0\n.\n2\nb0\n.\n";
    assert!(aiger::read_witness(file, &circuit).0.is_some());
    let mut random = Rng::new(6);
    for _ in 0..40_000 {
        let mut bytes = file.to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut bytes, &mut random);
        }
        let (witnesses, diagnostics) = aiger::read_witness(&bytes, &circuit);
        let shown = bytes.escape_ascii();
        assert!(is_inside(&diagnostics, bytes.len()), "{shown}");
        assert_eq!(witnesses.is_some(), diagnostics.is_clean(), "{shown}");
        let Some(witnesses) = witnesses else { continue };
        assert!(!witnesses.is_empty(), "{shown}");
        let text: String = witnesses.iter().map(|w| aiger::write_answer(w, &circuit)).collect();
        assert_eq!(aiger::read_witness(text.as_bytes(), &circuit).0, Some(witnesses), "{shown}");
    }
}
