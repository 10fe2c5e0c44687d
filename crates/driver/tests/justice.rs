//! Justice properties of word-level systems: random small systems against a search of their graphs.
//!
//! Evidence is written, read and checked once more, and what the system's circuit says is compared.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::convert::{Target, convert};
use alphorn_driver::report::Outcome;
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Decision, Limits, Opened, decide, open_bytes};
use alphorn_testkit::Rng;
use alphorn_testkit::words::justice::{is_violated, random_text};

/// How many systems are tried.
const SYSTEMS: u64 = 400;

fn decided(opened: &Opened) -> Vec<Decision> {
    let limits = Limits { ticks: 50_000, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let result = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    result.expect("there are properties")
}

#[test]
fn justice_of_words_is_what_the_graph_says() {
    let mut rng = Rng::new(7);
    let (mut safe, mut violated, mut unknown) = (0, 0, 0);
    for number in 0..SYSTEMS {
        let text = random_text(&mut rng);
        let opened = open_bytes("random.btor2", text.clone().into_bytes(), None);
        let Some(AnyProblem::Words(words)) = &opened.problem else {
            panic!("{text}\n{:?}", opened.diagnostics)
        };
        let expected: Vec<Outcome> = (0..words.justice.len())
            .map(|index| match is_violated(words, index) {
                true => Outcome::Unsafe,
                false => Outcome::Safe,
            })
            .collect();
        for (decision, expected) in decided(&opened).iter().zip(&expected) {
            let verdict = decision.answer.verdict;
            match verdict {
                Outcome::Safe => safe += 1,
                Outcome::Unsafe => violated += 1,
                Outcome::Unknown => unknown += 1,
            }
            assert!(verdict == Outcome::Unknown || verdict == *expected, "{number}\n{text}");
            let Some(evidence) = &decision.evidence else { continue };
            assert_eq!(evidence.property(), Some(decision.answer.property.clone()));
            let written = evidence.text(&opened);
            let read = certify(&opened, written.as_bytes());
            assert!(matches!(read[..], [Certified::Accepted(_)]), "{read:?}\n{text}\n{written}");
        }
        let converted = convert(&opened, Target::AigerText, None).expect("it is made of bits");
        let circuit = open_bytes("random.aag", converted.bytes, None);
        for (decision, expected) in decided(&circuit).iter().zip(&expected) {
            let verdict = decision.answer.verdict;
            assert!(verdict == Outcome::Unknown || verdict == *expected, "{number}\n{text}");
        }
    }
    assert!(safe >= 20 && violated >= 20, "{safe} safe, {violated} violated");
    assert!(unknown * 20 <= safe + violated, "{unknown} unknown, {safe} safe, {violated} violated");
}

/// What cannot be written out in bits is left open, with the reason.
#[test]
fn justice_over_a_large_memory_is_unknown() {
    let text = "1 sort bitvec 1\n2 sort bitvec 20\n3 sort array 2 1\n4 state 3 memory\n5 input 2 at\n\
                6 read 1 4 5\n7 next 3 4 4\n8 justice 1 6\n";
    let opened = open_bytes("large.btor2", text.as_bytes().to_vec(), None);
    let decisions = decided(&opened);
    assert_eq!(decisions[0].answer.verdict, Outcome::Unknown);
    let detail = &decisions[0].answer.detail;
    assert!(detail.contains("too large to expand into bits"), "{detail}");
}
