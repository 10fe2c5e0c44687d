//! Damaged texts of every kind: reading never panics, points into the text, and what is still
//! read is written and read as itself.

use alphorn_front::diag::{Diagnostics, Read};
use alphorn_front::evidence::{
    print_circuit, print_horn, print_words, read_circuit, read_horn, read_words,
};
use alphorn_front::{aiger, btor2, smtlib};
use alphorn_testkit::Rng;
use alphorn_testkit::damage::damage;

fn is_inside(diagnostics: &Diagnostics, size: usize) -> bool {
    let mut spans = diagnostics.list.iter().map(|diagnostic| diagnostic.span);
    spans.all(|span| span.start <= span.end && span.end as usize <= size)
}

/// Damages each text `rounds` times; `again` reads and prints, and gives the text if it was read.
#[track_caller]
fn check(texts: &[&str], rounds: usize, again: impl Fn(&[u8]) -> Read<String>) {
    let mut rng = Rng::new(2025);
    let mut survived = 0;
    for text in texts {
        assert!(again(text.as_bytes()).0.is_some(), "{:?}", again(text.as_bytes()).1);
        for _ in 0..rounds {
            let mut bytes = text.as_bytes().to_vec();
            damage(&mut rng, &mut bytes);
            let (printed, diagnostics) = again(&bytes);
            let shown = bytes.escape_ascii();
            assert!(is_inside(&diagnostics, bytes.len()), "{diagnostics:?} {shown}");
            assert_eq!(printed.is_some(), diagnostics.is_clean(), "{shown}");
            let Some(printed) = printed else { continue };
            survived += 1;
            let second = again(printed.as_bytes());
            assert_eq!(second.0.as_ref(), Some(&printed), "{:?} {shown}", second.1);
        }
    }
    let all = rounds * texts.len();
    assert!(survived > all / 100, "{survived} of {all} survived");
}

const HORN: &str = "(set-logic HORN)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-sort Thing 0)
(declare-fun f (Int Thing) Real)
(declare-fun P (Int (List Int) (Array Int Bool)) Bool)
(declare-fun Q () Bool)
(assert (forall ((x Int) (l (List Int)) (a (Array Int Bool)) (e Thing)) (=> (= x 0) (P x l a))))
(assert (forall ((x Int) (l (List Int)) (a (Array Int Bool)))
  (=> (and (P x l a) (exists ((k Int)) (> k x))) Q)))
(assert (=> Q false))";

const MODEL: &str = "(set-info :alphorn-element (e!1 Thing 0))
(set-info :alphorn-variable (x!7 Int \"and\"))
(define-fun P ((x Int) (l (List Int)) (a (Array Int Bool))) Bool
  (let ((a!1 (+ x 1))) (or (= a!1 3) (< a!1 (head l)) (forall ((x!7 Int)) (select a x!7)))))
(define-fun Q () Bool false)
(set-info :alphorn-function (f (case (1 e!1) (- (/ 1.0 2.0))) (else 0.0)))
(set-info :alphorn-choice (div (case ((- 1)) 2) (else 0)))
(set-info :alphorn-choice (select head (List Int) (else 5)))
(set-info :alphorn-proof (clause 1
  (var x Int)
  (var l (List Int))
  (term t!1 (+ x 2))
  (atom 0 (<= t!1 3))
  (atom 1 (exists ((k Int)) (= k t!1)))
  (step 0 (cl @0 (not @1)) (farkas 1.0 (- (/ 1.0 2.0))))
  (step 1 (cl) (rup 0 0))
  (step 2 (cl @1) (linear (hypothesis 0) (combine (1.0 0) (2.0 1)) (round 1)))
  (step 3 (cl @1) (arithmetic (mod x 2)))
  (step 4 (cl (not @1)) (instantiate x (head l)))
  (step 5 (cl) (assert 0))))
";

const DERIVATION: &str = "(derivation
  (element e!1 Thing 0)
  (step 0 (clause 0) (values 0 (cons 1 (as nil (List Int)))
    (store ((as const (Array Int Bool)) false) 3 true) e!1) (premises))
  (step 1 (clause 1) (values 0 (as nil (List Int)) ((as const (Array Int Bool)) true) 7)
    (premises 0))
  (step 2 (clause 2) (values) (premises 1)))
";

#[test]
fn horn_evidence() {
    let horn = smtlib::read(HORN.as_bytes()).0.expect("a sound file").horn;
    check(&[MODEL, DERIVATION], 6000, |bytes| {
        let (verdicts, diagnostics) = read_horn(bytes, &horn);
        (verdicts.map(|all| all.iter().map(|v| print_horn(&horn, v)).collect()), diagnostics)
    });
}

#[test]
fn circuit_evidence() {
    let text = "aag 5 1 2 0 2 2\n2\n4 8\n6 5 6\n10\n6\n8 4 2\n10 8 7\n";
    let circuit = aiger::read(text.as_bytes()).0.expect("a sound file");
    let texts = [
        "alphorn-certificate 1\nproperty 0\ninvariant states 0 1\n00\n01\nend\n1\nb1\n01\n1\n0\n.\n",
        "c\nalphorn-certificate 1\nproperty 0\ninvariant clauses\n1 -2 0\n0\nobligation\n5 1 -2 0 3 4 0\n\
         5 d 1 2 0\n6 0 5 -1 2 0\nobligation\n7 0 1 0\nend\n",
        "alphorn-certificate 1\nproperty 1\ninvariant aig\naag 3 2 0 1 1\n2\n4\n6\n6 4 2\nend\n\
         obligation\n9 0 1 2 0\nend\nalphorn-certificate 1\nproperty 0\n\
         invariant k-induction 3 simple-path\nend\n",
    ];
    check(&texts, 4000, |bytes| {
        let (verdicts, diagnostics) = read_circuit(bytes, &circuit);
        (verdicts.map(|all| all.iter().map(|v| print_circuit(&circuit, v)).collect()), diagnostics)
    });
}

#[test]
fn word_evidence() {
    let text = "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 zero 2\n5 state 3 mem\n\
                6 init 3 5 4\n7 input 1 at\n8 state 2 and\n9 write 3 5 7 8\n10 next 3 5 9\n\
                11 read 2 5 7\n12 redor 13 11\n13 sort bitvec 1\n14 redor 13 11\n15 bad 14\n";
    let text = text.replace("12 redor 13 11\n", "");
    let words = btor2::read(text.as_bytes()).0.expect("a sound file");
    let texts = [
        "(certificate (property 0)\n  (states (0 1)\n    (((as const (Array (_ BitVec 2) (_ BitVec 8))) \
         #x00) #x01)\n    ((store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00) #b01 #xff) #x7f)))\n\
         sat\nb0\n#0\n0 [00] 11111111 mem#0\n1 00000001\n@0\n0 01 at@0\n.\n",
        "(certificate (property 0)\n  (variable and!1 (_ BitVec 8) \"and\")\n  (formula (and (= and!1 \
         (select mem #b00)) (bvult and!1 #x10)))\n  (proof\n  (var mem (Array (_ BitVec 2) (_ BitVec 8)))\n  \
         (var |and'| (_ BitVec 8))\n  (atom 0 (= and!1 |and'|))\n  (step 0 (cl @0) (congruence))\n  \
         (step 1 (cl) (array (select (store mem #b00 #x01) #b01)))\n  )\n  (proof\n  ))\n",
    ];
    check(&texts, 5000, |bytes| {
        let (verdicts, diagnostics) = read_words(bytes, &words);
        (verdicts.map(|all| all.iter().map(|v| print_words(&words, v)).collect()), diagnostics)
    });
}
