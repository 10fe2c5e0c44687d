//! Linear systems as transition systems: explored by brute force, and the evidence carried back.

use alphorn_check::words::{check_certificate, check_trace};
use alphorn_cross::engines::{IDEAL_PDR, INT_PDR};
use alphorn_cross::horn_to_words;
use alphorn_engine::{Card, Ctx, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::evidence::words::{
    ClaimedInvariant, Rows, WordCertificate, WordClaim, WordInvariant,
};
use alphorn_problem::{Finding, Horn, Verdict};
use alphorn_term::{SortId, Store};
use alphorn_testkit::horn::finite::{Generator, is_safe_by_brute_force};
use alphorn_testkit::horn::judge::judge;
use alphorn_testkit::words::oracle::explore;

/// How many rows of values brute force may look at in one step.
const MAX_ROWS: usize = 1 << 12;

#[test]
fn evidence_about_transition_systems_comes_back() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 5_000..5_200 {
        let horn = Generator::new(seed, true).system();
        let (words, back) = horn_to_words(&horn).expect("the system is linear and over words");
        assert!(words.terms.extends(&horn.terms), "seed {seed}");
        let Some(explored) = explore(&words, MAX_ROWS) else { continue };
        let verdict = explored.verdict(&words);
        let checked = match &verdict {
            Verdict::Safe(certificate) => check_certificate(&words, certificate),
            Verdict::Unsafe(trace) => check_trace(&words, trace),
        };
        checked.expect("the exploration is right");
        let finding = match verdict {
            Verdict::Safe(WordCertificate {
                property,
                invariant: WordInvariant::States(Rows { vars, states }),
            }) => {
                let invariant = ClaimedInvariant::States(Rows { vars, states });
                Finding::Holds(WordClaim { property, invariant })
            }
            Verdict::Safe(_) => panic!("states are listed"),
            Verdict::Unsafe(trace) => Finding::Fails(trace),
        };
        let mut sink = |_| ();
        let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
        let finding = back.finding(finding, &mut ctx).expect("what was found comes back");
        let verdict = conclude(&horn, finding, &mut ctx).expect("it is proved");
        let line = judge(&horn, &verdict);
        let expected = is_safe_by_brute_force(&horn);
        assert_eq!(line == "safe", expected, "seed {seed}: {line}");
        if expected { safe += 1 } else { unsafe_ += 1 }
    }
    assert!(safe > 20 && unsafe_ > 20, "{safe} safe and {unsafe_} unsafe systems");
}

#[test]
fn other_sorts_are_named() {
    let mut horn = Horn::new(Store::new());
    horn.declare_pred("p", &[SortId::BOOL, SortId::INT]);
    let error = horn_to_words(&horn).map(|_| ()).unwrap_err();
    assert_eq!(error, "the sort Int is neither Bool, words nor arrays");
}

#[test]
fn two_facts_at_once_are_refused() {
    let refused = (0..20).filter(|&seed| {
        let horn = Generator::new(seed, false).system();
        assert_eq!(horn_to_words(&horn).is_ok(), horn.is_linear());
        !horn.is_linear()
    });
    assert!(refused.count() > 5);
}

/// What reading words as integers says about a random system, proved or evaluated over words.
fn by_integers(horn: &Horn, road: &Card<Horn>) -> Option<String> {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(200_000, Stopper::new(), 1, &mut sink);
    let finding = (road.build)().run(horn, &mut ctx).ok()?;
    let verdict = conclude(horn, finding, &mut ctx).ok()?;
    Some(judge(horn, &verdict))
}

#[test]
fn words_read_as_integers_are_decided_as_they_are() {
    let mut exact = 0;
    for seed in 7_000..7_080 {
        let horn = Generator::new(seed, seed % 2 == 0).system();
        let expected = if is_safe_by_brute_force(&horn) { "safe" } else { "unsafe" };
        for road in [&INT_PDR, &IDEAL_PDR] {
            let Some(line) = by_integers(&horn, road) else { continue };
            assert!(line.starts_with(expected), "seed {seed}: {line}, not {expected}");
            exact += usize::from(road.name == INT_PDR.name);
        }
    }
    assert!(exact > 50, "{exact} systems are decided");
}
