//! Roads: a view is made once for all engines that go behind it, and each engine's finding comes back.

use alphorn_check::accept::accept;
use alphorn_cross::engines::{
    BITS_BMC, BITS_IC3, BITS_IMC, BITS_SIM, BITS_WATCH, IDEAL_WATCH, INT_PDR,
};
use alphorn_engine::{Card, Ctx, Ended, Entry, Event, Note, Portfolio, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Finding, Horn, Verdict};
use alphorn_testkit::read;
use std::sync::Arc;
use std::time::Duration;

const COUNTER: &str = "(set-logic HORN) (declare-fun p ((_ BitVec 8)) Bool)
    (assert (p #x00))
    (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvult x #x64)) (p (bvadd x #x01)))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvugt x #x64)) false)))";

/// How often a remark begins so, and the names of those whose finding was proved and checked; in
/// rounds if there are no threads.
fn run(entries: &[Entry<Horn>], threads: usize, begin: &str) -> (usize, Vec<&'static str>) {
    let horn = Arc::new(read::horn(COUNTER));
    let portfolio = Portfolio {
        entries,
        threads,
        in_rounds: threads == 0,
        ticks: 50_000_000,
        bound: None,
        seed: 1,
        stopper: Stopper::new(),
        share: Stopper::new(),
        grace: Duration::from_secs(60),
        exchange: Arc::default(),
    };
    let original = Arc::clone(&horn);
    // Nobody wins, so that all come to an end; what each found is checked all the same.
    let judge = move |_: &Horn, finding: Finding<Horn>, ctx: &mut Ctx<'_>| -> Result<(), Ended> {
        let verdict = conclude(&original, finding, ctx).map_err(Ended::Stopped)?;
        assert!(matches!(verdict, Verdict::Safe(_)));
        accept(&*original, (), verdict).expect("the evidence is accepted");
        Err(Ended::Refused("checked".to_owned()))
    };
    let mut count = 0;
    let mut listen = |note: Note| {
        if let Event::Remark(text) = note.event {
            count += usize::from(text.starts_with(begin));
        }
    };
    let (_, attempts) = portfolio.run(horn, Arc::new(judge), &mut listen);
    let is_checked = |ended: &Ended| *ended == Ended::Refused("checked".to_owned());
    let checked = attempts.iter().filter(|attempt| is_checked(&attempt.ended));
    let mut names: Vec<&'static str> = checked.map(|attempt| attempt.engine).collect();
    names.sort_unstable();
    (count, names)
}

#[test]
fn engines_behind_one_view_share_it() {
    let entries = [&BITS_IC3, &BITS_IMC, &BITS_BMC, &BITS_SIM].map(|card| Entry::share(card, 1));
    for threads in [1, 4] {
        let (made, proved) = run(&entries[..2], threads, "bits: ");
        assert_eq!((made, &proved[..]), (1, &["bits-ic3", "bits-imc"][..]), "{threads} threads");
    }
}

#[test]
fn engines_behind_different_views_find_the_same() {
    let entries = [&BITS_IC3, &INT_PDR].map(|card| Entry::share(card, 1));
    let (_, proved) = run(&entries, 1, "bits: ");
    assert_eq!(proved, ["bits-ic3", "int-pdr"]);
}

/// An odd number grows and stays odd. As an integer it stays positive, which as a word it need not.
const GROWS: &str = "(set-logic HORN) (declare-fun p ((_ BitVec 8)) Bool)
    (assert (p #x01))
    (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
        (=> (and (p x) (or (= y (bvadd x #x02)) (= y (bvadd x #x04)))) (p y))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvult x #x01)) false)))";

/// The inputs and latches of the circuit that an engine makes of the system and decides.
fn circuit_behind(card: &Card<Horn>) -> Vec<String> {
    let horn = read::horn(GROWS);
    let mut remarks = Vec::new();
    let mut sink = |event| {
        if let Event::Remark(text) = event {
            remarks.push(text);
        }
    };
    let mut ctx = Ctx::new(50_000_000, Stopper::new(), 1, &mut sink);
    let finding = (card.build)().run(&horn, &mut ctx).expect("it is decided");
    let verdict = conclude(&horn, finding, &mut ctx).expect("it is proved");
    assert!(matches!(verdict, Verdict::Safe(_)));
    accept(&horn, (), verdict).expect("the evidence is accepted");
    let made = remarks.into_iter().filter(|text| text.starts_with("bits: "));
    made.map(|text| text.rsplit_once(',').expect("gates come last").0.to_owned()).collect()
}

/// What a disjunction says a variable is needs no input once there is a clause for each part of it.
#[test]
fn engines_with_comparisons_see_clauses_by_cases() {
    let by_cases = circuit_behind(&BITS_WATCH);
    assert_eq!(by_cases.len(), 1);
    assert_eq!(circuit_behind(&IDEAL_WATCH), by_cases);
}

const BELOW: &str = "(set-logic HORN) (declare-fun p ((_ BitVec 24) (_ BitVec 24)) Bool)
    (assert (p #x000000 #x000000))
    (assert (forall ((x (_ BitVec 24)) (y (_ BitVec 24)))
        (=> (and (p x y) (bvult x y)) (p (bvadd x #x000001) y))))
    (assert (forall ((x (_ BitVec 24)) (y (_ BitVec 24)))
        (=> (and (p x y) (bvult y #xf00000)) (p x (bvadd y #x000001)))))
    (assert (forall ((x (_ BitVec 24)) (y (_ BitVec 24))) (=> (and (p x y) (bvult y x)) false)))";

/// A comparison bit by bit is as long as its words are wide, and takes as long to prove.
#[test]
fn what_is_said_of_comparisons_comes_back_without_bits() {
    let horn = read::horn(BELOW);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(50_000_000, Stopper::new(), 1, &mut sink);
    let finding = (BITS_WATCH.build)().run(&horn, &mut ctx).expect("it is decided");
    let Finding::Holds(claim) = &finding else { panic!("the system has a model") };
    let text = claim.terms.show(claim.preds[0].body).to_string();
    assert!(text.contains("bvul") && !text.contains("extract"), "{text}");
    let verdict = conclude(&horn, finding, &mut ctx).expect("it is proved");
    accept(&horn, (), verdict).expect("the evidence is accepted");
}
