//! The scripts of the corpus: their questions answered as their headers say, every answer checked.

use alphorn_front::Severity;
use alphorn_script::{Ending, NoEngines, Request, Said, run};
use alphorn_testkit::formulas::pigeons::pigeons;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// The answers to the questions of a script.
fn answers(text: &str, request: &Request) -> Vec<String> {
    let mut answers = Vec::new();
    let mut is_asked = false;
    run(&text.as_bytes().into(), request, &NoEngines, |said| match said {
        Said::Asked => is_asked = true,
        Said::Reply(reply) if std::mem::take(&mut is_asked) => answers.push(reply),
        Said::Reply(_) => {}
        Said::Refused(reason) => panic!("{text}\n{reason}"),
        Said::Noticed(notice) => {
            let is_wrong = notice.diagnostic.severity != Severity::Warning;
            assert!(!is_wrong, "{text}\n{notice:?}");
        }
    });
    answers
}

#[test]
fn questions_are_answered_as_expected() {
    for path in files("smt").into_iter().chain(files("smt/replies")) {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        let header = |key| text.lines().find_map(|line| line.strip_prefix(key));
        let expected = header("; expect: ").expect("a header");
        let unchecked = header("; unchecked: ").unwrap_or(expected);
        let [expected, without]: [Vec<&str>; 2] =
            [expected, unchecked].map(|answers| answers.split(' ').collect());
        for seed in 0..3 {
            let request = Request { seed, ..Request::default() };
            assert_eq!(answers(&text, &request), expected, "{}", path.display());
        }
        let unchecked = Request { check: false, ..Request::default() };
        assert_eq!(answers(&text, &unchecked), without, "{}", path.display());
    }
}

#[test]
fn what_is_broken_in_a_script_is_an_error_in_its_place() {
    for path in files("smt/broken") {
        let bytes = std::fs::read(&path).expect("the file is there");
        let mut replies = Vec::new();
        let summary = run(&bytes.into(), &Request::default(), &NoEngines, |said| {
            if let Said::Reply(reply) = said {
                replies.push(reply);
            }
        });
        assert!(
            matches!(summary.ending(), Ending::Wrong | Ending::Unsupported),
            "{}",
            path.display()
        );
        let is_error = |reply: &String| reply.starts_with("(error \"line ");
        assert!(replies.iter().any(is_error), "{replies:?}");
    }
}

/// Levels and assumptions are ways to ask the same: every way gives the same answer.
#[test]
fn levels_and_assumptions_agree() {
    let declarations = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)";
    let formulas = ["(or p (< x y))", "(=> p (= x (+ y 1)))", "(> x 3)", "(<= y 3)", "(not p)"];
    for chosen in 0..1u32 << formulas.len() {
        let parts: Vec<&str> =
            (0..formulas.len()).filter(|n| chosen >> n & 1 == 1).map(|n| formulas[n]).collect();
        let asserted: String = parts.iter().map(|part| format!("(assert {part})")).collect();
        let pushed: String = parts.iter().map(|part| format!("(push)(assert {part})")).collect();
        let flat = answers(&format!("{declarations}{asserted}(check-sat)"), &Request::default());
        let assumed = format!("{declarations}(check-sat-assuming ({}))", parts.join(" "));
        let mixed = format!("{declarations}(push){asserted}(pop){pushed}(check-sat)");
        assert_eq!(answers(&assumed, &Request::default()), flat, "{parts:?}");
        assert_eq!(answers(&mixed, &Request::default()), flat, "{parts:?}");
    }
}

#[test]
fn the_conflict_limit_is_kept_for_each_question() {
    let text = pigeons(7);
    let few = Request { conflicts: Some(5), ..Request::default() };
    let easy = "(push)(assert false)(check-sat)(pop)";
    assert_eq!(answers(&format!("{text}(check-sat){easy}"), &few), ["unknown", "unsat"]);
    let limited = format!("(set-option :reproducible-resource-limit 5){text}(check-sat)");
    assert_eq!(answers(&limited, &Request::default()), ["unknown"]);
    assert_eq!(answers(&format!("{text}(check-sat)"), &Request::default()), ["unsat"]);
}

/// Scripts without a model over a declared sort `U` with constants `u` and `v`: each would have one if the
/// sort were finite for quantifiers and infinite for arrays, or if its universe missed an element.
const WITHOUT_A_MODEL: [&str; 13] = [
    // Constants that are arrays, and arrays as such.
    "(declare-const a (Array U Int)) (declare-const b (Array U Int)) (assert (= a ((as const (Array U Int)) 1)))
     (assert (= b (store ((as const (Array U Int)) 0) u 1))) (assert (distinct a b)) (assert (forall ((x U)) (= x u)))",
    "(assert (distinct ((as const (Array U Int)) 1) (store ((as const (Array U Int)) 0) u 1)))
     (assert (forall ((x U)) (= x u)))",
    "(assert (distinct u v)) (assert (forall ((x U)) (or (= x u) (= x v))))
     (assert (not (= ((as const (Array U Bool)) true) (store (store ((as const (Array U Bool)) false) u true) v true))))",
    "(assert (distinct u v)) (assert (forall ((x U)) (or (= x u) (= x v))))
     (assert (distinct (store ((as const (Array U Bool)) false) u true) (store ((as const (Array U Bool)) true) v false)))",
    "(declare-const s (Array U Bool)) (assert (select s u)) (assert (distinct s ((as const (Array U Bool)) true)))
     (assert (forall ((x U)) (= x u)))",
    "(declare-const s (Array U Bool)) (declare-const t (Array U Bool)) (assert (forall ((x U)) (= x u)))
     (assert (= s (store ((as const (Array U Bool)) false) u true))) (assert (= t ((as const (Array U Bool)) true)))
     (assert (not (= s t)))",
    // The only element is named by a quantifier.
    "(assert (distinct ((as const (Array U Int)) 1) (store ((as const (Array U Int)) 0) u 1)))
     (assert (exists ((z U)) (forall ((x U)) (= x z))))",
    "(declare-fun f (U) Int) (assert (distinct ((as const (Array U Int)) (f u)) (store ((as const (Array U Int)) 0) u 1)))
     (assert (= (f u) 1)) (assert (forall ((x U) (y U)) (=> (= (f x) (f y)) (= x y)))) (assert (forall ((x U)) (= (f x) 1)))",
    // Functions of arrays, and arrays indexed by arrays.
    "(declare-fun f ((Array U Int)) Int) (assert (forall ((x U)) (= x u)))
     (assert (distinct (f ((as const (Array U Int)) 1)) (f (store ((as const (Array U Int)) 0) u 1))))",
    "(declare-fun f ((Array U Bool)) Int) (assert (= (f ((as const (Array U Bool)) true)) 0))
     (assert (= (f (store ((as const (Array U Bool)) false) u true)) 1)) (assert (forall ((x U)) (= x u)))",
    "(declare-const a (Array (Array U Bool) Int)) (assert (= (select a ((as const (Array U Bool)) true)) 1))
     (assert (= (select a (store ((as const (Array U Bool)) false) u true)) 2)) (assert (forall ((x U)) (= x u)))",
    // What a selector gives on another constructor.
    "(declare-datatypes ((W 0)) (((wn) (wc (wu U))))) (assert (exists ((b Bool)) (distinct v (wu wn))))
     (assert (forall ((x U)) (= x v)))",
    "(declare-datatypes ((W 0)) (((wn) (wc (wu U))))) (assert (forall ((i Int)) (distinct v (wu wn))))
     (assert (forall ((x U)) (= x v)))",
];

#[test]
fn a_declared_sort_has_one_universe() {
    for formulas in WITHOUT_A_MODEL {
        let declarations =
            "(set-logic ALL) (declare-sort U 0) (declare-const u U) (declare-const v U)";
        let text = format!("{declarations} {formulas} (check-sat)");
        assert_ne!(answers(&text, &Request::default()), ["sat"], "{text}");
    }
}

#[test]
fn values_are_those_of_the_accepted_interpretation() {
    let text =
        "(set-logic ALL) (declare-sort U 0) (declare-const u U) (declare-const s (Array U Bool))
        (assert (forall ((x U)) (= x u))) (assert (select s u)) (check-sat)
        (get-value ((= s ((as const (Array U Bool)) true))))";
    let mut replies = Vec::new();
    run(&text.as_bytes().into(), &Request::default(), &NoEngines, |said| {
        if let Said::Reply(reply) = said {
            replies.push(reply);
        }
    });
    assert_eq!(replies[0], "sat");
    assert!(replies[1].ends_with(" true))"), "{replies:?}");
}

#[test]
fn what_is_not_understood_ends_with_its_level() {
    let text = "(set-logic ALL) (declare-const x Int) (push 1) (assert (is_int (/ (to_real (- 2)) 0.0))) (check-sat)
        (pop 1) (push 1) (assert (= x 1)) (check-sat) (pop 1)";
    let answers = answers(text, &Request::default());
    assert_eq!(answers[1], "sat", "{answers:?}");
}

/// Elements are numbers while instances are looked for, but not inside of values.
#[test]
fn elements_inside_of_datatypes_are_no_fault() {
    let text = "(set-logic ALL) (declare-sort U 0) (declare-datatypes ((W 0)) (((wn) (wc (wu U)))))
        (declare-const u U) (declare-const e W) (declare-const i Int) (declare-const n (Array U Int))
        (assert (forall ((x Int)) (distinct (select (store n u i) (wu e)) (+ (* 2 x) 1)))) (check-sat)";
    assert_ne!(answers(text, &Request::default()), ["unsat"]);
}

/// A term that is found by its value in a model need not have the sort of the bound variable.
#[test]
fn instances_have_the_sorts_of_their_variables() {
    let text = "(set-logic ALL)
        (declare-sort U 0)
        (declare-const u U)
        (declare-const v U)
        (declare-const w U)
        (declare-const p Bool)
        (declare-const m (Array U U))
        (declare-const i Int)
        (declare-const k (Array (Array U Bool) U))
        (declare-const s (Array U Bool))
        (declare-const t (Array U Bool))
        (declare-fun f (U) U)
        (declare-fun q (U) Bool)
        (assert (forall ((x1 (Array U U)) (x2 Int)) (=> (select t v) (distinct (+ (+ 2 1) 1) (+ (+ x2 1) 1) (+ (+ i
          1) 1)))))
        (assert (forall ((x0 U)) (= x0 v)))
        (assert (exists ((x3 U) (x4 (Array U U))) (forall ((x5 U) (x6 (Array U U))) (xor (xor (or (= i 1) (= (store
          (store k t x5) (store s x5 p) (select x6 x5)) (store k ((as const (Array U Bool)) p) (f w)))) (xor
          (select s w) (= s (store t x5 p)))) (or (and (<= 1 2) (= x4 (store (store x6 x3 v) (select k t) x3))) (=
          ((as const (Array U Bool)) (select s x5)) (store (store s x5 p) (select k t) p)))))))
        (assert (forall ((x7 (Array (Array U Bool) U))) (not (and (xor (distinct (ite p (f u) w) (ite p (f w) v))
          (distinct m ((as const (Array U U)) (select m u)))) (= (select (store m u v) u) u)))))
        (check-sat)";
    assert_eq!(answers(text, &Request::default()).len(), 1);
}
