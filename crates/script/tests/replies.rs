//! Replies to scripts, with a solver that says what the test tells it to: right and wrong answers,
//! with and without evidence.

use alphorn_front::evidence::read_refutation;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_script::kernel::{Found, Kernel, Settings};
use alphorn_script::{Deciders, Ending, NoEngines, Request, Said, Summary, run_with};
use alphorn_term::eval::Table;
use alphorn_term::{Model, Store, TermId, Value};

/// What the solver will say.
#[derive(Clone, Default)]
struct Plan {
    found: Option<Found>,
    /// Values of the constants, by name.
    values: Vec<(&'static str, i64)>,
    /// Whether the refutation uses the last two formulas, which contradict.
    proves: bool,
}

#[derive(Default)]
struct Puppet {
    plan: Plan,
    assertions: Vec<TermId>,
    levels: Vec<usize>,
    assumptions: Vec<TermId>,
}

impl Kernel for Puppet {
    fn assert(&mut self, store: &mut Store, formula: TermId) {
        assert!(!store.has_quantifier(formula));
        self.assertions.push(formula);
    }
    fn push(&mut self) {
        self.levels.push(self.assertions.len());
    }
    fn pop(&mut self) {
        let length = self.levels.pop().expect("there is a level");
        self.assertions.truncate(length);
    }
    fn check(&mut self, _: &mut Store, assumptions: &[TermId]) -> Found {
        self.assumptions = assumptions.to_vec();
        self.plan.found.unwrap_or(Found::Unknown)
    }
    fn model(&self, store: &Store) -> Model {
        let mut model = Model::new();
        for func in store.funcs() {
            let name = store.name(store.func(func).name);
            if let Some((_, value)) = self.plan.values.iter().find(|(known, _)| *known == name) {
                let value = match store.func(func).result {
                    alphorn_term::SortId::BOOL => Value::Bool(*value != 0),
                    _ => Value::Int((*value).into()),
                };
                model.funcs.insert(func, Table::constant(value));
            }
        }
        model
    }
    fn failed(&self) -> Vec<TermId> {
        self.assumptions.clone()
    }
    fn core(&self) -> Vec<usize> {
        (0..self.assertions.len()).collect()
    }
    fn refutation(&self, store: &mut Store) -> Option<Proof> {
        if !self.plan.proves {
            return None;
        }
        let all: Vec<TermId> = self.assertions.iter().chain(&self.assumptions).copied().collect();
        let step = |number: usize| ProofStep {
            clause: vec![Literal::of(store, all[number])],
            rule: Rule::Assert(number),
        };
        let hints = vec![StepId(1), StepId(2)];
        let steps = vec![
            step(0),
            step(all.len() - 2),
            step(all.len() - 1),
            ProofStep { clause: Vec::new(), rule: Rule::Rup(hints) },
        ];
        Some(Proof { steps })
    }
    fn reason(&self) -> String {
        "out of puppets".to_owned()
    }
    fn statistics(&self) -> Vec<(&'static str, u64)> {
        vec![("conflicts", 3), ("kept clauses", 4)]
    }
}

fn run(text: &str, request: &Request, plan: &Plan) -> (Vec<String>, Summary) {
    let mut said = Vec::new();
    let make = |_: &Settings| Puppet { plan: plan.clone(), ..Puppet::default() };
    let deciders = Deciders { solver: &make, horn: &NoEngines };
    let summary = run_with(&text.as_bytes().into(), request, &deciders, |word| match word {
        Said::Reply(text) => said.push(text),
        Said::Refused(reason) => said.push(format!("refused: {reason}")),
        Said::Asked | Said::Noticed(_) => {}
    });
    (said, summary)
}

#[track_caller]
fn check(text: &str, plan: &Plan, expected: &[&str], ending: Ending) {
    let (said, summary) = run(text, &Request::default(), plan);
    assert_eq!(said, expected, "{text}");
    assert_eq!(summary.ending(), ending, "{text}");
}

fn sat(values: &[(&'static str, i64)]) -> Plan {
    Plan { found: Some(Found::Sat), values: values.to_vec(), proves: false }
}

fn unsat(proves: bool) -> Plan {
    Plan { found: Some(Found::Unsat), values: Vec::new(), proves }
}

const CONTRADICTION: &str = "(set-option :produce-unsat-cores true)
(set-option :produce-proofs true)
(declare-const a Bool)(declare-const b Bool)
(assert (! b :named free))(assert (! a :named yes))(assert (! (not a) :named no))(check-sat)";

#[test]
fn models_values_and_assignments_are_told_in_the_words_of_the_script() {
    let text = "(declare-sort U 0)(declare-const x Int)(declare-fun f (Int Bool) Int)
(declare-const u U)(declare-const |odd name| Bool)
(assert (! (> x 2) :named big))(check-sat)(get-model)
(get-value (x (+ x\n1) u (f 1 true) (div x 0)))(get-assignment)(get-assertions)";
    let model = "(
  (define-fun x () Int 3)
  (define-fun f ((x!1 Int) (x!2 Bool)) Int 0)
  (define-fun u () U (as @U_0 U))
  (define-fun |odd name| () Bool false)
)";
    let values = "((x 3)\n ((+ x 1) 4)\n (u (as @U_0 U))\n ((f 1 true) 0)\n ((div x 0) 0))";
    let assertions = "((! (> x 2) :named big))";
    let expected = ["sat", model, values, "((big true))", assertions];
    check(text, &sat(&[("x", 3)]), &expected, Ending::Done);
}

#[test]
fn wrong_models_are_refused() {
    let text = "(declare-const x Int)(assert (> x 2))(check-sat)(get-model)
(get-info :reason-unknown)";
    let expected = [
        "refused: the model makes (> x 2) false",
        "unknown",
        "(error \"line 1 column 49: there is no model: the last answer was unknown\")",
        "(:reason-unknown \"the answer was refused: the model makes (> x 2) false\")",
    ];
    check(text, &sat(&[("x", 2)]), &expected, Ending::Refused);
    let assuming = "(declare-const x Int)(check-sat-assuming ((> x 2)))";
    check(assuming, &sat(&[("x", 3)]), &["sat"], Ending::Done);
    let expected = ["refused: the model makes (> x 2) false", "unknown"];
    check(assuming, &sat(&[("x", 1)]), &expected, Ending::Refused);
}

#[test]
fn refutations_are_replayed() {
    check(CONTRADICTION, &unsat(true), &["unsat"], Ending::Done);
    check(CONTRADICTION, &unsat(false), &["unknown"], Ending::Undecided);
    let consistent = "(declare-const a Bool)(assert a)(assert a)(check-sat)";
    let (said, summary) = run(consistent, &Request::default(), &unsat(true));
    assert!(said[0].starts_with("refused: step 3 (rup)"), "{said:?}");
    assert_eq!((said[1].as_str(), summary.ending()), ("unknown", Ending::Refused));
}

#[test]
fn unchecked_answers_are_given_as_found() {
    let request = Request { check: false, ..Request::default() };
    let consistent = "(declare-const a Bool)(assert a)(assert a)(check-sat)(get-unsat-assumptions)";
    let (said, summary) = run(consistent, &request, &unsat(false));
    let error = "(error \"line 1 column 54: the last question had no assumptions\")";
    assert_eq!(said, ["unsat", error]);
    assert_eq!(summary.ending(), Ending::Wrong);
    let (said, _) = run("(declare-const a Bool)(assert a)(check-sat)", &request, &sat(&[]));
    assert_eq!(said, ["sat"]);
}

#[test]
fn cores_come_from_the_proof() {
    let text = format!("{CONTRADICTION}(get-unsat-core)");
    check(&text, &unsat(true), &["unsat", "(yes no)"], Ending::Done);
    let assuming = "(declare-const a Bool)(declare-const b Bool)(assert b)(assert a)
(check-sat-assuming (b (not a) (not a)))(get-unsat-assumptions)";
    // The solver's last two formulas are equal: no contradiction.
    let (said, _) = run(assuming, &Request::default(), &unsat(true));
    assert!(said[0].starts_with("refused"), "{said:?}");
    let assuming = "(declare-const a Bool)(declare-const b Bool)(assert b)
(check-sat-assuming (b a (not a)))(get-unsat-assumptions)";
    check(assuming, &unsat(true), &["unsat", "(a (not a))"], Ending::Done);
    let off = "(declare-const a Bool)(assert a)(assert (not a))(check-sat)(get-unsat-core)";
    let error = "(error \"line 1 column 60: say (set-option :produce-unsat-cores true) before the first \
                 assertion\")";
    check(off, &unsat(true), &["unsat", error], Ending::Wrong);
}

#[test]
fn proofs_read_back_and_are_accepted() {
    let text = format!("{CONTRADICTION}(get-proof)");
    let (said, _) = run(&text, &Request::default(), &unsat(true));
    let (script, _) = alphorn_front::smtlib::general::read(text.as_bytes());
    let script = script.expect("the script is read");
    let formulas: Vec<TermId> = script
        .commands
        .iter()
        .filter_map(|(command, _)| match command {
            alphorn_front::smtlib::general::Command::Assert { formula, .. } => Some(formula.term),
            _ => None,
        })
        .collect();
    let (proof, diagnostics) = read_refutation(script.store, said[1].as_bytes());
    let (store, mut proof) = proof.unwrap_or_else(|| panic!("{}\n{diagnostics:?}", said[1]));
    assert_eq!(alphorn_check::proof::refute(&store, &formulas, &proof), Ok(()));
    proof.steps.remove(1);
    assert!(alphorn_check::proof::refute(&store, &formulas, &proof).is_err());
}

#[test]
fn quantified_formulas_are_evaluated_or_instantiated() {
    let finite = "(declare-const a Bool)(assert (forall ((b Bool)) (or a b (not b))))(check-sat)";
    check(finite, &sat(&[]), &["sat"], Ending::Done);
    let infinite = "(declare-const x Int)(assert (forall ((y Int)) (> y x)))(check-sat)";
    check(infinite, &sat(&[]), &["unsat"], Ending::Done);
    let false_there = "(declare-const a Bool)(assert (forall ((b Bool)) (= a b)))(check-sat)";
    check(false_there, &sat(&[]), &["unsat"], Ending::Done);
    let rising = "(declare-fun f (Int) Int)(assert (forall ((y Int)) (> (f y) y)))(check-sat)";
    check(rising, &sat(&[]), &["sat"], Ending::Done);
    let opaque =
        "(declare-fun f (Real) Real)(assert (forall ((y Real)) (> (f y) (* y y))))(check-sat)
(get-info :reason-unknown)";
    let reason = "(:reason-unknown \"answers about these quantifiers cannot be checked\")";
    check(opaque, &sat(&[]), &["unknown", reason], Ending::Undecided);
    let text = "(set-option :produce-proofs true)(set-option :produce-unsat-cores true)
(declare-const a Bool)(assert (! (forall ((y Int)) (> y 3)) :named all))
(assert (! a :named yes))(assert (! (not a) :named no))(check-sat)(get-unsat-core)(get-proof)";
    let (said, _) = run(text, &Request::default(), &unsat(true));
    assert_eq!(said[..2], ["unsat", "(yes no)"]);
    assert!(said[2].contains("(assert 2)") && !said[2].contains("(assert 0)"), "{}", said[2]);
    let others = format!("{CONTRADICTION}(assert (exists ((y Int)) (> y y)))(check-sat)");
    check(&others, &unsat(true), &["unsat", "unsat"], Ending::Done);
}

#[test]
fn popping_a_level_takes_its_assertions_and_the_answer_with_it() {
    let text = "(declare-const x Int)(assert (> x 0))(push 2)(declare-const y Int)
(assert (> y x))(check-sat)(get-info :assertion-stack-levels)(pop 1)(get-assertions)
(check-sat)(get-model)(pop 1)(get-model)";
    let expected = [
        "refused: the model makes (> y x) false",
        "unknown",
        "(:assertion-stack-levels 2)",
        "((> x 0))",
        "sat",
        "(\n  (define-fun x () Int 1)\n)",
        "(error \"line 3 column 30: there is no model: nothing was asked since the assertions changed\")",
    ];
    check(text, &sat(&[("x", 1), ("y", 1)]), &expected, Ending::Refused);
}

#[test]
fn options_logics_and_information_are_replied_to_or_unsupported() {
    let text = "(set-option :print-success true)(set-option :frob 3)(set-logic QF_LIA)
(set-logic QF_LIA)(get-option :print-success)(get-option :frob)(get-option :random-seed)
(set-info :status sat)(get-info :status)(get-info :frob)(get-info :name)(assert true)
(set-option :produce-proofs true)(echo \"a \"\"b\"\"\")(simplify (+ 1 2))(get-info :error-behavior)
(get-info :all-statistics)(reset)(get-option :print-success)(set-logic FROB)(exit)";
    let expected = [
        "success",
        "unsupported",
        "success",
        "(error \"line 2 column 1: the logic is set already\")",
        "true",
        "unsupported",
        "0",
        "success",
        "(:status sat)",
        "unsupported",
        "(:name \"Alphorn\")",
        "success",
        "(error \"line 4 column 1: :produce-proofs must be set before the first assertion\")",
        "\"a \"\"b\"\"\"",
        "3",
        "(:error-behavior continued-execution)",
        "(:conflicts 3\n :kept-clauses 4)",
        "false",
        "unsupported",
    ];
    check(text, &Plan::default(), &expected, Ending::Wrong);
    let text = "(set-option :regular-output-channel \"stdout\")
(set-option :regular-output-channel \"out.txt\")(check-sat)(get-info :reason-unknown)";
    let expected = ["unsupported", "unknown", "(:reason-unknown \"out of puppets\")"];
    check(text, &Plan::default(), &expected, Ending::Undecided);
}

#[test]
fn a_command_out_of_place_is_an_error_that_names_the_place() {
    let text = "(get-model)\n(get-value (1))\n(get-proof)(get-unsat-assumptions)\n\
(get-info :reason-unknown)\n(get-interpolants a a)";
    let text = format!("(assert (! true :named a))\n{text}");
    let (said, summary) = run(&text, &Request::default(), &Plan::default());
    assert_eq!(summary.errors, 6);
    let places = [
        "line 2 column 1: ",
        "line 3 column 1: ",
        "line 4 column 1: ",
        "line 4 column 12: ",
        "line 5 column 1: ",
        "line 6 column 1: ",
    ];
    for (reply, place) in said.iter().zip(places) {
        assert!(reply.starts_with(&format!("(error \"{place}")), "{reply}");
    }
}

/// The solver calls everything contradictory, so every interpolant comes out as false.
#[test]
fn wrong_interpolants_are_refused() {
    let text =
        format!("(set-option :produce-interpolants true){CONTRADICTION}(get-interpolants yes no)");
    let (said, summary) = run(&text, &Request::default(), &unsat(true));
    assert_eq!(said[0], "unsat");
    assert!(said[1].starts_with("refused: interpolant 1: step"), "{said:?}");
    assert!(said[2].contains("the interpolants were refused"), "{said:?}");
    assert_eq!(summary.ending(), Ending::Refused);
    let unchecked = Request { check: false, ..Request::default() };
    let (said, _) = run(&text, &unchecked, &unsat(true));
    assert_eq!(said, ["unsat", "(false)"]);
}
