//! Evidence that asks for more than problem and evidence justify is refused before the work is done.
//!
//! Each text here once took gigabytes or did not end. What is asserted is the reason of the refusal,
//! and never a time: a rule that forgets to count makes its test run out of memory.

use alphorn_check::{Refusal, circuit, horn, words};
use alphorn_front::{aiger, btor2, evidence, smtlib};
use alphorn_problem::{Horn, Verdict};

const TOO_MUCH: &str = "takes more work than the sizes of problem and evidence allow";

const CLAUSES: &str = "(set-logic HORN)(declare-fun P (Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (P x))))
    (assert (forall ((x Int)) (=> (and (P x) (> x 10)) false)))(check-sat)";

const ARRAYS: &str = "(set-logic HORN)(declare-fun P (Int (Array Int Int)) Bool)
    (assert (forall ((x Int) (a (Array Int Int))) (=> (= x x) (P x a))))
    (assert (forall ((x Int) (a (Array Int Int))) (=> (and (P x a) (> x 5)) false)))(check-sat)";

const SYSTEM: &str = "1 sort bitvec 2\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 next 1 2 2
6 sort bitvec 1\n7 ones 1\n8 eq 6 2 7\n9 bad 8\n";

fn clauses(text: &str) -> Horn {
    smtlib::read(text.as_bytes()).0.expect("the clauses are read").horn
}

/// Why evidence is not accepted: what the reader says, or the checker.
fn reason(horn: &Horn, text: &str) -> String {
    let (verdicts, found) = evidence::read_horn(text.as_bytes(), horn);
    let Some(verdicts) = verdicts.filter(|_| found.is_clean()) else {
        return found.list[0].message.clone();
    };
    let judge = |verdict| match verdict {
        Verdict::Safe(model) => horn::check_model(horn, &model).map(|_| ()),
        Verdict::Unsafe(derivation) => horn::check_derivation(horn, &derivation),
    };
    let judged: Option<Result<(), Refusal>> = verdicts.into_iter().map(judge).next();
    judged.expect("there is one piece").expect_err("it is refused").to_string()
}

/// A model whose proof of the first clause has these lines.
fn proof(lines: &str) -> String {
    format!("(define-fun P ((x Int)) Bool true)\n(set-info :alphorn-proof (clause 0 {lines}))")
}

#[track_caller]
fn is_too_much(lines: &str) {
    let reason = reason(&clauses(CLAUSES), &proof(lines));
    assert!(reason.contains(TOO_MUCH), "{reason}");
}

#[test]
fn the_bits_of_a_wide_word_are_not_added_up() {
    is_too_much(
        "(var w (_ BitVec 16777216)) (atom 0 (= (ubv_to_int w) 0))
         (step 0 (cl @0) (arithmetic (ubv_to_int w)))",
    );
}

#[test]
fn a_wide_modulus_is_not_written_down() {
    is_too_much(
        "(var x Int) (var w (_ BitVec 16777216)) (atom 0 (= ((_ int_to_bv 16777216) x) w))
         (step 0 (cl @0 (not @0)) (tautology))
         (step 1 (cl @0) (arithmetic ((_ int_to_bv 16777216) x)))",
    );
}

#[test]
fn the_gates_of_a_wide_shift_are_not_made() {
    is_too_much(
        "(var w (_ BitVec 16777216)) (atom 0 (bvult (bvshl w (bvnot w)) w))
         (step 0 (cl @0) (bits))",
    );
    // Neither those of a product that is narrow but repeated.
    let product = "(bvmul (bvmul (bvmul w w) (bvmul w (bvnot w))) (bvmul (bvneg w) w))";
    is_too_much(&format!(
        "(var w (_ BitVec 1024)) (atom 0 (bvult {product} w)) (step 0 (cl @0) (bits))"
    ));
}

#[test]
fn coefficients_that_grow_line_by_line_are_counted() {
    let multiplier = "9".repeat(600);
    let lines: String = (0..1500).map(|line| format!(" (combine (m {line}))")).collect();
    is_too_much(&format!(
        "(var x Int) (term m {multiplier}) (atom 0 (<= x 0))
         (step 0 (cl @0) (linear (hypothesis 0){lines}))"
    ));
}

#[test]
fn a_long_number_is_not_copied_for_each_mention() {
    let multiplier = "9".repeat(60_000);
    let lines: String = (0..2000).map(|line| format!(" (combine (m {line}))")).collect();
    let text = proof(&format!(
        "(var x Int) (term m {multiplier}) (atom 0 (<= x 0))
         (step 0 (cl @0) (linear (hypothesis 0){lines}))"
    ));
    let reason = reason(&clauses(CLAUSES), &text);
    assert!(reason.contains("take more memory than the length of the text allows"), "{reason}");
}

#[test]
fn long_rows_are_counted_atom_by_atom() {
    let atoms: String = (2..2000).map(|at| format!(" (mod x {at})")).collect();
    let lines: String = (0..4000).map(|line| format!(" (combine (1.0 {line}) (1.0 0))")).collect();
    is_too_much(&format!(
        "(var x Int) (atom 0 (<= (+ x{atoms}) 0))
         (step 0 (cl @0) (linear (hypothesis 0){lines}))"
    ));
}

#[test]
fn values_that_square_are_not_evaluated() {
    let writes: String = (1..70).map(|at| format!(" {at} 3)")).collect();
    let opens = "(store ".repeat(69);
    let start = format!("(select {opens}((as const (Array Int Int)) 3){writes} 0)");
    let squares = "(let ((y (* y y))) ".repeat(60);
    let text = format!(
        "(derivation (step 0 (clause 0) (values (let ((y {start})) {squares}y{}) \
         ((as const (Array Int Int)) 0)) (premises)))",
        ")".repeat(61)
    );
    let reason = reason(&clauses(ARRAYS), &text);
    assert!(reason.contains("a value may become too large"), "{reason}");
}

#[test]
fn literals_that_square_are_not_put_together() {
    let squares = "(let ((y (* y y))) ".repeat(60);
    let term = format!("(let ((y 3)) {squares}y{})", ")".repeat(61));
    let text = proof(&format!("(var x Int) (atom 0 (<= x {term})) (step 0 (cl @0) (evaluate))"));
    let reason = reason(&clauses(CLAUSES), &text);
    assert!(reason.contains("take more memory than the length of the text allows"), "{reason}");
}

/// A formula about `s` that doubles with each level once its binders are entered.
fn doubling(levels: usize) -> String {
    let level = "(let ((q (and (forall ((|s'| (_ BitVec 2))) (or q (= s |s'|))) \
        (exists ((|s'| (_ BitVec 2))) (and q (bvule s |s'|)))))) ";
    let (open, close) = (level.repeat(levels), ")".repeat(levels + 1));
    format!("(let ((q (bvult s #b01))) {open}q{close}")
}

#[test]
fn substitution_under_binders_that_double_is_not_done() {
    let system = btor2::read(SYSTEM.as_bytes()).0.expect("the system is read");
    let text = format!("(certificate (property 0) (formula {}))", doubling(40));
    let (verdicts, _) = evidence::read_words(text.as_bytes(), &system);
    let Some(Verdict::Safe(certificate)) = verdicts.and_then(|mut all| all.pop()) else {
        panic!("it is a certificate")
    };
    let refusal = words::check_certificate(&system, &certificate).unwrap_err().to_string();
    assert!(refusal.contains(TOO_MUCH), "{refusal}");
}

#[test]
fn an_instance_under_binders_that_double_is_not_made() {
    let level =
        "(let ((q (and (forall ((z Int)) (or q (= x z))) (exists ((z Int)) (and q (< x z)))))) ";
    let body = format!("(let ((q (< x 0))) {}q{}", level.repeat(40), ")".repeat(41));
    is_too_much(&format!(
        "(var z Int) (atom 0 (forall ((x Int)) {body})) (atom 1 (< z 0))
         (step 0 (cl (not @0) @1) (instantiate z))"
    ));
}

#[test]
fn many_variables_of_many_values_are_not_listed() {
    let vars: String = (0..400).map(|at| format!(" (v{at} (_ BitVec 16))")).collect();
    let model = format!("(define-fun P ((x Int)) Bool (forall ({vars}) (or (= x 0) (= v0 v1))))");
    let reason = reason(&clauses(CLAUSES), &model);
    let expected = [TOO_MUCH, "quantifier ranges over too many values"];
    assert!(expected.iter().any(|expected| reason.contains(expected)), "{reason}");
}

#[test]
fn unrollings_are_counted_before_they_are_written_down() {
    let text = "aag 3 1 1 0 1 1\n2\n4 6\n6\n6 2 4\n";
    let circuit = aiger::read(text.as_bytes()).0.expect("the circuit is read");
    let proofs = "obligation\n".repeat(3001);
    let text = format!(
        "alphorn-certificate 1\nproperty 0\ninvariant k-induction 3000 simple-path\n{proofs}obligation\nend\n"
    );
    let (verdicts, found) = evidence::read_circuit(text.as_bytes(), &circuit);
    assert!(found.is_clean(), "{:?}", found.list);
    let Some(Verdict::Safe(certificate)) = verdicts.and_then(|mut all| all.pop()) else {
        panic!("it is a certificate")
    };
    // The first obligation already has no proof; the count comes before.
    let meter = alphorn_check::work::of_certificate(&circuit, &certificate);
    assert!(circuit::check_certificate_within(&circuit, &certificate, &meter).is_err());
    assert!(!meter.is_exhausted());
    let small = alphorn_term::Meter::new(10);
    let refusal = circuit::check_certificate_within(&circuit, &certificate, &small).unwrap_err();
    assert!(refusal.to_string().contains(TOO_MUCH), "{refusal}");
}

/// A system with two states whose sort is an array `depth` levels deep, by index or by element.
fn nested(depth: usize, by_index: bool) -> String {
    let mut text = String::from("1 sort bitvec 1\n");
    for level in 2..depth + 2 {
        let index = if by_index { level - 1 } else { 1 };
        text += &format!("{level} sort array {index} {}\n", level - 1);
    }
    let (last, next) = (depth + 1, depth + 2);
    text += &format!("{next} state {last} a\n{} state {last} b\n", next + 1);
    text + &format!("{} eq 1 {next} {}\n{} bad {}\n", next + 2, next + 1, next + 3, next + 2)
}

#[test]
fn nested_array_sorts_cost_a_pass_and_not_a_doubling() {
    let text = "alphorn-certificate 1\nproperty 0\nfollow 0 1\ninvariant clauses\n\
        obligation\nobligation\nobligation\nend\n";
    for by_index in [false, true] {
        let system = btor2::read(nested(60, by_index).as_bytes()).0.expect("the system is read");
        let (verdicts, found) = evidence::read_words(text.as_bytes(), &system);
        let reason = match verdicts.and_then(|mut all| all.pop()) {
            Some(Verdict::Safe(proof)) => {
                words::check_certificate(&system, &proof).unwrap_err().to_string()
            }
            _ => found.list[0].message.clone(),
        };
        let expected = if by_index { "are not made of bits" } else { "not the empty clause" };
        assert!(reason.contains(expected), "{reason}");
        assert!(reason.len() < 1 << 14, "the message has {} bytes", reason.len());
    }
}
