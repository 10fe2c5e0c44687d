//! What transforms cost: terms made, and work on systems whose parts are shared or many.
//!
//! A walk along every path of a formula, or through all clauses for each predicate, is not seen on small
//! files. Here formulas have more paths than could ever be walked, and systems have thousands of clauses;
//! a transform that does not come to an end within the time is told to stop, and that fails the test.

use crate::read;
use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Ctx, Limit, Stopper};
use alphorn_horn::{Simplified, TRANSFORMS, conclude, simplify, simplify_with};
use alphorn_problem::Horn;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many times as many terms as were read a transform may make, after the first so many.
const MAX_GROWTH: usize = 10;
const ALWAYS_ALLOWED: usize = 1_000;
/// What the clauses that `ranges` may leave have besides: some ten terms each.
const RANGES_ALLOWED: usize = 10_000;

/// Far more than is needed on a busy machine, far less than a walk along every path takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A flag that is raised when patience is at an end.
fn patient() -> Stopper {
    let stopper = Stopper::new();
    let flag = stopper.clone();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        flag.stop(Limit::Time);
    });
    stopper
}

/// The Horn systems of the corpus that are read without complaint.
fn corpus() -> Vec<(String, Horn)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/horn")];
    let (mut files, mut found): (Vec<PathBuf>, _) = (Vec::new(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus is there").flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "smt2")) {
        let text = std::fs::read(path).expect("the file is there");
        let (script, diagnostics) = alphorn_front::smtlib::read(&text);
        if let (Some(script), true) = (script, diagnostics.is_clean()) {
            found.push((path.display().to_string(), script.horn));
        }
    }
    assert!(found.len() > 20, "{}", found.len());
    found
}

/// A step in which each of `depth` formulas is used four times by the next: 4^depth paths.
fn shared(depth: usize) -> Horn {
    read(&shared_text(depth))
}

/// The same, with an array that is written in each step.
fn shared_with_array(depth: usize) -> Horn {
    let text = shared_text(depth)
        .replace("p (Int Bool Bool) Bool", "p (Int Bool Bool (Array Int Int)) Bool")
        .replace("(p 0 false true)", "(p 0 false true ((as const (Array Int Int)) 0))")
        .replace("(d Bool)", "(d Bool) (m (Array Int Int))")
        .replace("(p x a b)\n", "(p x a b m)\n")
        .replace("(p y c d)", "(p y c d (store m 3 (+ 1 (select m 3))))")
        .replace(
            "((x Int) (a Bool) (b Bool)) (=>",
            "((x Int) (a Bool) (b Bool) (m (Array Int Int))) (=>",
        )
        .replace("(and (p x a b) (<", "(and (p x a b m) (<");
    read(&text)
}

fn shared_text(depth: usize) -> String {
    let mut text = String::from("(set-logic HORN)\n(declare-fun p (Int Bool Bool) Bool)\n");
    text.push_str("(assert (p 0 false true))\n(assert (forall ((x Int) (a Bool) (b Bool) (y Int) (c Bool) (d Bool)) (=> (and (p x a b)\n");
    text.push_str("(let ((f0 (or (= y x) a)) (g0 (or (= y (+ x 1)) b)))\n");
    for at in 0..depth {
        let next = at + 1;
        let _ = writeln!(
            text,
            "(let ((f{next} (or (and f{at} (< y {next})) (and g{at} (> x {at}) c))) \
             (g{next} (and (or g{at} (= y {at}) d) (or f{at} (not c) (< x {next})))))"
        );
    }
    let _ = write!(text, "(and f{depth} g{depth}){}", ")".repeat(depth + 1));
    text.push_str(") (p y c d))))\n");
    text.push_str("(assert (forall ((x Int) (a Bool) (b Bool)) (=> (and (p x a b) (< x (- 5))) false)))\n(check-sat)\n");
    text
}

/// A chain of predicates, each with one clause that needs the one before.
fn chain(length: usize) -> Horn {
    let mut text = String::from("(set-logic HORN)\n");
    for at in 0..length {
        let _ = writeln!(text, "(declare-fun P{at} (Int Int) Bool)");
    }
    text.push_str("(assert (forall ((x Int)) (=> (> x 0) (P0 x x))))\n");
    for at in 1..length {
        let (before, guard) = (at - 1, at % 7);
        let _ = writeln!(
            text,
            "(assert (forall ((x Int) (y Int)) \
             (=> (and (P{before} x y) (> x {guard})) (P{at} (+ x 1) (+ y 1)))))"
        );
    }
    let last = length - 1;
    let _ = writeln!(
        text,
        "(assert (forall ((x Int) (y Int)) (=> (and (P{last} x y) (not (= x y))) false)))\n(check-sat)"
    );
    read(&text)
}

/// Each transform alone: it comes to an end, and makes few terms.
#[track_caller]
fn stays_small(name: &str, horn: &Horn) {
    for card in TRANSFORMS {
        let (stopper, mut sink) = (patient(), |_| ());
        let mut ctx = Ctx::new(u64::MAX, stopper.clone(), 1, &mut sink);
        let Simplified { horn: changed, .. } =
            simplify_with(horn, &[card], &mut ctx).expect("no limit");
        assert_eq!(stopper.reason(), None, "{} on {name}", card.name);
        let (before, after) = (horn.terms.len(), changed.terms.len());
        // A clause for each choice of numbers is the point of `ranges`, which has a limit of its own.
        let more = if card.name == "ranges" { RANGES_ALLOWED } else { 0 };
        let most = MAX_GROWTH * before + ALWAYS_ALLOWED + more;
        assert!(after <= most, "{} on {name}: {before} terms became {after}", card.name);
    }
}

#[test]
fn each_transform_alone_makes_few_terms_of_the_corpus() {
    for (name, horn) in corpus() {
        stays_small(&name, &horn);
    }
}

#[test]
fn each_transform_alone_looks_at_a_shared_part_once() {
    stays_small("formulas shared 60 deep", &shared(60));
    stays_small("formulas shared 60 deep beside an array", &shared_with_array(60));
}

#[test]
fn each_transform_alone_is_done_with_thousands_of_clauses() {
    stays_small("a chain of 1500 predicates", &chain(1_500));
}

#[test]
fn a_long_chain_is_simplified_decided_and_carried_back() {
    let horn = chain(3_000);
    let (stopper, mut sink) = (patient(), |_| ());
    let mut ctx = Ctx::new(u64::MAX, stopper.clone(), 1, &mut sink);
    let small = simplify(&horn, &[], &mut ctx).expect("no limit");
    let vacuous = HORN_ENGINES.iter().find(|card| card.name == "vacuous").expect("registered");
    let finding = (vacuous.build)().run(&small.horn, &mut ctx).expect("nothing reaches the query");
    let finding = small.back.finding(finding, &mut ctx).expect("it is carried back");
    let verdict = conclude(&horn, finding, &mut ctx).expect("it is a model");
    assert!(alphorn_check::accept::accept(&horn, (), verdict).is_ok());
    assert_eq!(stopper.reason(), None);
}

#[test]
fn a_transform_that_needs_too_much_is_left_out_and_the_others_are_not() {
    let horn = chain(50);
    let mut remarks = Vec::new();
    let mut sink = |event| {
        if let alphorn_engine::Event::Remark(text) = event {
            remarks.push(text);
        }
    };
    // Enough for the first transforms, which count clauses, and not for the solver.
    let mut ctx = Ctx::new(900, Stopper::new(), 1, &mut sink);
    let small = simplify(&horn, &[], &mut ctx).expect("what was done is kept");
    assert!(small.origins.len() == small.horn.clauses.len());
    assert!(remarks.iter().any(|text| text.contains("left out")), "{remarks:?}");
    assert!(remarks.iter().any(|text| text.ends_with("clauses")), "{remarks:?}");
}
