//! Damaged evidence: never a panic, and nothing accepted that is not true.
//!
//! The problems are small and their answers known by construction, so a verdict that is accepted
//! and is not the known one is a fault of the checker or of a reader.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::flow::{Asked, Said, TemporalWish};
use alphorn_driver::open::open_asking;
use alphorn_driver::program::Wishes;
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Limits, Opened, decide, open_bytes};
use alphorn_front::evidence::print_circuit;
use alphorn_problem::Verdict;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Property};
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::prove;
use alphorn_testkit::damage::damage;
use std::path::Path;

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn open(name: &str) -> Opened {
    let bytes = std::fs::read(path(name)).expect("the problem is there");
    let opened = open_bytes(name, bytes, None);
    assert!(opened.problem.is_some(), "{name}: {:?}", opened.diagnostics.list);
    opened
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path("crates/driver/tests/evidence/accept").join(name)).expect("a file")
}

/// Whether the claim is that all is well, and about which property.
fn claim(evidence: &AnyEvidence) -> (bool, Property) {
    match evidence {
        AnyEvidence::Horn(checked) => {
            (matches!(checked.verdict(), Verdict::Safe(_)), Property::Bad(0))
        }
        AnyEvidence::Circuit(checked) => match checked.verdict() {
            Verdict::Safe(certificate) => (true, Property::Bad(certificate.property)),
            Verdict::Unsafe(trace) => (false, trace.property),
        },
        AnyEvidence::Words(checked) => match checked.verdict() {
            Verdict::Safe(certificate) => (true, Property::Bad(certificate.property)),
            Verdict::Unsafe(trace) => (false, trace.property),
        },
        AnyEvidence::C(_, checked) => {
            (matches!(checked.verdict(), Verdict::Safe(_)), Property::Bad(0))
        }
        AnyEvidence::Flow(checked) => {
            (matches!(checked.verdict(), Verdict::Safe(_)), Property::Bad(0))
        }
        AnyEvidence::Temporal(checked) => {
            (matches!(checked.verdict(), Verdict::Safe(_)), Property::Bad(0))
        }
        AnyEvidence::Game(checked) => {
            (matches!(checked.verdict(), Verdict::Safe(_)), Property::Bad(0))
        }
    }
}

/// Damages each text `rounds` times and judges it; `safe` has the known answer per property.
#[track_caller]
fn check(opened: &Opened, texts: &[String], safe: &[bool], rounds: usize) {
    let mut rng = Rng::new(77);
    let mut refused = 0;
    for text in texts {
        let whole = certify(opened, text.as_bytes());
        let fine = whole.iter().all(|certified| matches!(certified, Certified::Accepted(_)));
        assert!(fine, "{}: {whole:?}\n{text}", opened.file);
        for _ in 0..rounds {
            let mut bytes = text.as_bytes().to_vec();
            damage(&mut rng, &mut bytes);
            for certified in certify(opened, &bytes) {
                match certified {
                    Certified::Accepted(evidence) => {
                        let (claims_safe, property) = claim(&evidence);
                        let Property::Bad(index) = property else { panic!("no such property") };
                        let shown = bytes.escape_ascii();
                        assert_eq!(safe[index], claims_safe, "{}: {shown}", opened.file);
                    }
                    // Without proofs nothing is claimed.
                    Certified::Refused(_) | Certified::Unproved(_) => refused += 1,
                    Certified::Answered(answered) => panic!("no formula was asked: {answered}"),
                    Certified::Unreadable(_) => {}
                }
            }
        }
    }
    assert!(refused > rounds * texts.len() / 50, "only {refused} of {rounds} rounds were refused");
}

#[test]
fn damaged_models_never_show_the_contrary() {
    let opened = open("corpus/horn/shape/infinite_counter.smt2");
    check(&opened, &[text("infinite_counter.model")], &[true], 4000);
}

/// Evidence that is right for a safe problem says nothing about these: a problem, its evidence, and what
/// is written in another way in both, so that the problem is unsafe.
const UNSAFE: &[(&str, &str, &str, &str)] = &[
    (COUNTER, "infinite_counter.model", "(+ x 2)", "(+ x 1)"),
    (COUNTER, "infinite_counter.model", "(= x 0)", "(= x 1)"),
    (COUNTER, "infinite_counter.model", "(mod x 2) 0", "x 4"),
    ("corpus/horn/arrays/init.smt2", "array_init.model", "(store a i 0)", "(store a i 1)"),
    (
        "corpus/horn/data/append_length.smt2",
        "append_length.model",
        "(length nil 0)",
        "(length nil 1)",
    ),
    ("corpus/horn/functions/positive_steps.smt2", "positive_steps.model", "(> (step", "(< (step"),
    ("crates/driver/tests/evidence/problems/memory.btor2", "memory.certificate", "zero", "one"),
];
const COUNTER: &str = "corpus/horn/shape/infinite_counter.smt2";

#[test]
fn no_damage_makes_a_model_fit_an_unsafe_system() {
    let mut rng = Rng::new(78);
    for &(problem, evidence, old, new) in UNSAFE {
        let safe = std::fs::read_to_string(path(problem)).expect("the problem is there");
        let unsafe_one = safe.replace(old, new);
        assert_ne!(safe, unsafe_one, "{problem}");
        let opened = open_bytes(problem, unsafe_one.into_bytes(), None);
        assert!(opened.problem.is_some(), "{problem}");
        let model = text(evidence).replace(old, new);
        for _ in 0..1500 {
            let mut bytes = model.clone().into_bytes();
            damage(&mut rng, &mut bytes);
            for certified in certify(&opened, &bytes) {
                let wrong = matches!(certified, Certified::Accepted(_));
                assert!(!wrong, "{problem}: {old} {new}: {}", bytes.escape_ascii());
            }
        }
    }
}

#[test]
fn models_with_quantifiers_functions_and_folds() {
    for (problem, evidence) in UNSAFE[3..].iter().map(|case| (case.0, case.1)) {
        check(&open(problem), &[text(evidence)], &[true], 1000);
    }
}

/// A program that counts, and its property.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  if (n < 0 || n > 1000) return 0;
  while (x < n) { x++; y += 2; }
  if (y CONDITION) reach_error();
  return 0;
}
";

/// The program with its evidence.
fn program(condition: &str) -> (Opened, String) {
    let text = PROGRAM.replace("CONDITION", condition);
    let opened = open_bytes("program.c", text.into_bytes(), None);
    let mut config = Config::default();
    config.limits.ticks = 400_000_000;
    let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    let decision = decisions.expect("it can be run").remove(0);
    let text = decision.evidence.expect("there is a verdict").text(&opened);
    (opened, text)
}

#[test]
fn proofs_and_runs_of_programs() {
    let (safe, proof) = program("!= 2 * n");
    check(&safe, std::slice::from_ref(&proof), &[true], 1500);
    let (violated, run) = program("== 200");
    check(&violated, &[run], &[false], 3000);
    // The proof of one program says nothing about the other, whatever is done to it.
    let mut rng = Rng::new(79);
    for _ in 0..1000 {
        let mut bytes = proof.clone().into_bytes();
        damage(&mut rng, &mut bytes);
        for certified in certify(&violated, &bytes) {
            assert!(!matches!(certified, Certified::Accepted(_)), "{}", bytes.escape_ascii());
        }
    }
}

/// A loop in T2's language that counts down by a step, and what is asked about it, with the evidence.
fn flow(step: &str, asked: Asked) -> (Opened, String) {
    let text =
        "START: i; FROM: i; y := 0; TO: l; FROM: l; assume(x > 0); x := x - STEP; y := 1; TO: l;";
    let wishes = Wishes { asked, ..Wishes::default() };
    let opened = open_asking("flow.t2", text.replace("STEP", step).into_bytes(), None, &wishes);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics.list);
    let mut config = Config::default();
    config.limits.ticks = 100_000_000;
    let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    let decision = decisions.expect("it can be run").remove(0);
    let text = decision.evidence.expect("there is a verdict").text(&opened);
    (opened, text)
}

#[test]
fn damaged_ranks_recurrences_and_labels_never_show_the_contrary() {
    let (ends, ranks) = flow("1", Asked::Termination);
    check(&ends, std::slice::from_ref(&ranks), &[true], 2000);
    let (goes_on, recurrence) = flow("0", Asked::Termination);
    check(&goes_on, std::slice::from_ref(&recurrence), &[false], 2000);
    for (opened, text) in [(&ends, &recurrence), (&goes_on, &ranks)] {
        let mut rng = Rng::new(80);
        for _ in 0..1000 {
            let mut bytes = text.clone().into_bytes();
            damage(&mut rng, &mut bytes);
            for certified in certify(opened, &bytes) {
                assert!(!matches!(certified, Certified::Accepted(_)), "{}", bytes.escape_ascii());
            }
        }
    }
    let formula = |formula: &str| {
        let said = Said { formula: formula.to_owned(), fairness: None };
        Asked::Temporal(TemporalWish { said, ends: None })
    };
    let (opened, labels) = flow("1", formula("AG (x <= 0 || AF (y == 1 || x <= 0))"));
    check(&opened, &[labels], &[true], 2000);
    let (opened, labels) = flow("1", formula("AG (y == 0)"));
    check(&opened, &[labels], &[false], 2000);
}

#[test]
fn damaged_derivations_never_show_the_contrary() {
    let opened = open("corpus/horn/finite/lists.smt2");
    check(&opened, &[text("lists.derivation")], &[false], 4000);
    let opened = open("corpus/horn/arrays/init_too_short.smt2");
    check(&opened, &[text("array_too_short.derivation")], &[false], 2000);
    let opened = open("corpus/horn/data/longer.smt2");
    check(&opened, &[text("longer.derivation")], &[false], 2000);
}

#[test]
fn damaged_certificates_of_circuits_never_show_the_contrary() {
    let opened = open("crates/driver/tests/evidence/problems/ring.aag");
    let Some(AnyProblem::Circuit(circuit)) = &opened.problem else { panic!("a circuit") };
    let aig = "aag 3 2 0 1 1\n2\n4\n7\n6 4 2\n";
    let aig = alphorn_front::aiger::read(aig.as_bytes()).0.expect("a sound circuit");
    let clause = vec![!circuit.latch(0), !circuit.latch(1)];
    let invariants = [
        Invariant::Clauses(vec![clause.clone()]),
        Invariant::Aig(Box::new(aig)),
        Invariant::induction(2, false),
        Invariant::induction(2, true),
        Invariant::KInductive { k: 1, simple_path: false, lemmas: vec![clause] },
    ];
    let mut texts = vec![text("ring.certificate")];
    for invariant in invariants {
        let built = Obligations::new(circuit, 0, &invariant).expect("a well-formed invariant");
        let proof = |index| {
            let obligation = built.build(index).expect("a small obligation");
            prove::refutation(obligation.cnf.clauses()).expect("the obligation holds")
        };
        let obligations = (0..built.count()).map(proof).collect();
        let certificate = Certificate { property: 0, invariant, obligations };
        texts.push(print_circuit(circuit, &Verdict::Safe(certificate)));
    }
    check(&opened, &texts, &[true, false], 3000);
}

#[test]
fn damaged_certificates_of_words_never_show_the_contrary() {
    let opened = open("crates/driver/tests/evidence/problems/hold.btor2");
    let names = ["hold.certificate", "hold_rows.certificate", "hold_more_rows.certificate"];
    check(&opened, &names.map(text), &[true, false], 3000);
}

/// Proofs about the bits of a word-level system, from the engines that find them.
#[test]
fn damaged_certificates_of_bits_never_show_the_contrary() {
    let opened = open("crates/driver/tests/evidence/problems/hold.btor2");
    let evidence = |engine: &str| {
        let config = Config {
            engines: vec![engine.to_owned()],
            property: Some(0),
            limits: Limits { ticks: 100_000, ..Limits::default() },
            ..Config::default()
        };
        let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
        let evidence = decisions.expect("the engine exists").remove(0).evidence;
        let text = evidence.expect("it is decided").text(&opened);
        assert!(text.starts_with("alphorn-certificate"), "{text}");
        text
    };
    check(&opened, &["ic3", "kind", "explicit"].map(evidence), &[true, false], 3000);
}

/// A game of the corpus, with the evidence of who wins it.
fn game(name: &str) -> (Opened, String) {
    let bytes = std::fs::read(path("corpus/games").join(name)).expect("the game is there");
    let wishes = Wishes { asked: Asked::Synthesis, ..Wishes::default() };
    let opened = open_asking(name, bytes, None, &wishes);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics.list);
    let mut config = Config::default();
    config.limits.ticks = 100_000_000;
    let decisions = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    let decision = decisions.expect("it can be run").remove(0);
    let text = decision.evidence.expect("there is a winner").text(&opened);
    (opened, text)
}

#[test]
fn damaged_strategies_never_win_for_who_loses() {
    for (name, is_realizable) in
        [("arbiter.aag", true), ("constrained.aag", true), ("hasty.aag", false)]
    {
        let (opened, text) = game(name);
        check(&opened, &[text], &[is_realizable], 2000);
    }
}
