//! Fronts of parameters and explanations, as users ask for them.

#![allow(clippy::unwrap_used)]

use alphorn_testkit::corpus::root;
use alphorn_testkit::folder::empty as folder;
use std::path::Path;
use std::process::Command;

fn alphorn(at: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let output = command.current_dir(at).args(args).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const SENSORS: &str = "corpus/aiger/parameters/sensors.aag";
const COSTS: &str = "corpus/aiger/parameters/sensors.cost";
const SCAN: &str = "corpus/aiger/parameters/scan.aag";

#[test]
fn a_front_is_found_and_its_evidence_accepted_for_its_model_alone() {
    let evidence = folder("front").join("sensors.front");
    let evidence = evidence.to_str().unwrap();
    let asked = ["pareto", SENSORS, "--params", "param_*", "--cost", COSTS, "--evidence", evidence];
    let (code, text) = alphorn(&root(), &asked);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("point (5, 1) with param_u1\n"), "{text}");
    assert!(text.contains("point (2, 6) with param_u2 param_u3\n"), "{text}");
    assert!(text.contains("FRONT  2 points, the property is monotone"), "{text}");
    let (code, text) = alphorn(&root(), &["check", SENSORS, evidence]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("cost1 = 5 param_u1 + 1 param_u2 + 1 param_u3"), "{text}");
    assert!(!text.contains("assuming"), "{text}");
    let (code, _) = alphorn(&root(), &["check", SENSORS, evidence, "--property", "0"]);
    assert_eq!(code, Some(0));
    let (code, text) = alphorn(&root(), &["check", "corpus/aiger/basic/hold.aag", evidence]);
    assert_eq!(code, Some(4), "{text}");
    let (code, text) = alphorn(&root(), &["check", SENSORS, evidence, "--cost", COSTS]);
    assert_eq!(code, Some(0), "{text}");
    let others = folder("other-costs").join("other.cost");
    std::fs::write(&others, "price = 5 param_u1 + 2 param_u2 + 1 param_u3\n").unwrap();
    let asked = ["check", SENSORS, evidence, "--cost", others.to_str().unwrap()];
    let (code, text) = alphorn(&root(), &asked);
    assert_eq!(code, Some(6), "{text}");
    assert!(text.contains("another list of costs"), "{text}");
    let told = std::fs::read_to_string(evidence).unwrap().replace("cost 0 5 1 1", "cost 0 1 1 1");
    std::fs::write(evidence, told).unwrap();
    let (code, text) = alphorn(&root(), &["check", SENSORS, evidence]);
    assert_eq!(code, Some(6), "{text}");
}

#[test]
fn what_is_asserted_is_said_with_the_answer_and_with_the_evidence() {
    let evidence = folder("asserted").join("sensors.front");
    let evidence = evidence.to_str().unwrap();
    let asked = ["pareto", SENSORS, "--cost", COSTS, "--monotone", "--evidence", evidence];
    let (code, text) = alphorn(&root(), &asked);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("assuming that the property is monotone"), "{text}");
    let (code, text) = alphorn(&root(), &["check", SENSORS, evidence]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("assuming that the property is monotone"), "{text}");
}

#[test]
fn words_have_parameters_bit_by_bit() {
    let folder = folder("front-words");
    let evidence = folder.join("budget.front");
    let evidence = evidence.to_str().unwrap();
    let (file, costs) =
        ("corpus/btor2/parameters/budget.btor2", "corpus/btor2/parameters/budget.cost");
    let (code, text) = alphorn(&root(), &["pareto", file, "--cost", costs, "--evidence", evidence]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("FRONT"), "{text}");
    let (code, text) = alphorn(&root(), &["check", file, evidence]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn wrong_questions_about_parameters_end_with_4_and_a_place() {
    let folder = folder("front-wrong");
    let cases = [
        ("c = 5 param_q\n", "param_*", "there is no parameter `param_q`", "wrong.cost:1:7"),
        ("c = -1 param_u1\n", "param_*", "a cost is not negative", "wrong.cost:1:5"),
        ("c = 1.5 param_u1\n", "param_*", "not a whole number", "wrong.cost:1:5"),
        ("c = param_u1\nc = param_u2\n", "param_*", "two costs called `c`", "wrong.cost:2:1"),
        ("\n", "param_*", "the file has no cost", "wrong.cost"),
        ("c = param_u1\n", "nothing*", "no latch is called `nothing*`", "sensors.aag"),
        ("c = bad\n", "bad", "`bad` is no parameter: it does not start with anything", "sensors"),
    ];
    for (costs, params, message, place) in cases {
        let path = folder.join("wrong.cost");
        std::fs::write(&path, costs).unwrap();
        let path = path.to_str().unwrap();
        let asked = ["pareto", SENSORS, "--params", params, "--cost", path];
        let (code, text) = alphorn(&root(), &asked);
        assert_eq!(code, Some(4), "{costs}: {text}");
        assert!(text.contains(message) && text.contains(place), "{costs}: {text}");
    }
    let asked = ["pareto", "corpus/aiger/basic/hold.aag", "--cost", COSTS];
    let (code, text) = alphorn(&root(), &asked);
    assert_eq!(code, Some(4), "{text}");
    let horn = "corpus/horn/shape/infinite_counter.smt2";
    let (code, text) = alphorn(&root(), &["pareto", horn, "--cost", COSTS]);
    assert_eq!(code, Some(5), "{text}");
    let (code, text) = alphorn(&root(), &["pareto", SENSORS, "--cost", COSTS, "--evidence", COSTS]);
    assert_eq!(code, Some(3), "an input is not overwritten: {text}");
}

#[test]
fn a_counterexample_of_a_circuit_is_explained_as_text_as_an_object_and_on_a_page() {
    let folder = folder("explain");
    let run = folder.join("run.cex");
    let run = run.to_str().unwrap();
    let (code, _) = alphorn(&root(), &[SENSORS, "--evidence", run]);
    assert_eq!(code, Some(1));
    let (code, text) = alphorn(&root(), &["explain", SENSORS, run]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("latch param_u1 = 1 instead of 0"), "{text}");
    assert!(text.contains("no other does, by a refutation of"), "{text}");
    let (code, text) = alphorn(&root(), &["explain", SENSORS, run, "--only", "inputs"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no change of inputs avoids the violation"), "{text}");
    let page = folder.join("page");
    let asked = ["explain", SENSORS, run, "--json", "--out", page.to_str().unwrap()];
    let (code, text) = alphorn(&root(), &asked);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\"kind\":\"explanation\""), "{text}");
    let page = std::fs::read_to_string(page.join("report.html")).unwrap();
    assert!(page.contains("What would have avoided it"), "the page has a section");
    assert!(page.contains("latch param_u1 = 1 instead of 0"), "the page lists the sets");
}

#[test]
fn words_and_derivations_are_explained() {
    let folder = folder("explain-other");
    let run = folder.join("run.cex");
    let run = run.to_str().unwrap();
    let file = "corpus/btor2/basic/counter.btor2";
    let (code, _) = alphorn(&root(), &[file, "--evidence", run]);
    assert_eq!(code, Some(1));
    let (code, text) = alphorn(&root(), &["explain", file, run]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("state count = #b"), "{text}");
    let horn = folder.join("choice.smt2");
    let text = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
        (assert (forall ((x Int) (k Int)) (=> (and (>= k 0) (= x (* 2 k))) (p x))))\n\
        (assert (forall ((x Int)) (=> (and (p x) (> x 10) (< x 13)) false)))\n(check-sat)\n";
    std::fs::write(&horn, text).unwrap();
    let horn = horn.to_str().unwrap();
    let (code, _) = alphorn(&root(), &[horn, "--evidence", run]);
    assert_eq!(code, Some(1));
    let (code, text) = alphorn(&root(), &["explain", horn, run]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("1 of 1 choices matter"), "{text}");
    assert!(text.contains("choice k = anything else instead of 6"), "{text}");
}

#[test]
fn an_observation_is_explained_by_the_latches_that_were_at_fault() {
    let observed = "corpus/aiger/parameters/scan.json";
    let (code, text) = alphorn(&root(), &["explain", SCAN, observed]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("latch first = 0 instead of 1"), "{text}");
    assert!(text.contains("every latch was tried"), "{text}");
    let (code, text) = alphorn(&root(), &["explain", SCAN, observed, "--glitches"]);
    assert_eq!(code, Some(0), "{text}");
    let folder = folder("observation");
    let path = folder.join("wrong.json");
    let cases = [
        ("{ \"inputs\": [", "this is no JSON"),
        ("{}", "`inputs` is missing"),
        ("{ \"inputs\": [\"1\"] }", "row 0 of the inputs should have 2 bits"),
        ("{ \"inputs\": [\"11\"], \"flipped_at\": 0 }", "`observed` is missing"),
        (
            "{ \"inputs\": [\"11\"], \"flipped_at\": 0, \"observed\": { \"output\": \"q\", \"time\": 0 } }",
            "no output `q`",
        ),
        (
            "{ \"inputs\": [\"11\"], \"flipped_at\": 0, \"observed\": { \"output\": \"scan\", \"time\": 3 } }",
            "the run has 1 steps",
        ),
    ];
    for (observation, message) in cases {
        std::fs::write(&path, observation).unwrap();
        let (code, text) = alphorn(&root(), &["explain", SCAN, path.to_str().unwrap()]);
        assert_eq!(code, Some(4), "{text}");
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn explanations_have_evidence_that_is_checked_and_refused_if_it_is_changed() {
    let folder = folder("explained");
    let [run, why, other] = ["run.cex", "why.txt", "other.txt"].map(|name| folder.join(name));
    let [run, why, other] = [&run, &why, &other].map(|path| path.to_str().unwrap());
    let horn = folder.join("choice.smt2");
    let text = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
        (assert (forall ((x Int) (k Int)) (=> (and (>= k 0) (= x (* 2 k))) (p x))))\n\
        (assert (forall ((x Int)) (=> (and (p x) (> x 10) (< x 13)) false)))\n(check-sat)\n";
    std::fs::write(&horn, text).unwrap();
    // The file, and something in its evidence that is changed.
    let cases = [
        (SENSORS, "avoids 1:5\n", ""),
        (SENSORS, "others 1\n", "others 2\n"),
        (SENSORS, "avoids 0:2", "avoids 0:3"),
        ("corpus/btor2/basic/counter.btor2", "others 1\n", "others any\n"),
        (horn.to_str().unwrap(), "(change 0 1)", "(change 0 1 6)"),
        (horn.to_str().unwrap(), "(values 12 6)", "(values 14 7)"),
    ];
    for (file, from, to) in cases {
        let (code, _) = alphorn(&root(), &[file, "--evidence", run]);
        assert_eq!(code, Some(1));
        let (code, text) = alphorn(&root(), &["explain", file, run, "--evidence", why]);
        assert_eq!(code, Some(0), "{text}");
        let (code, text) = alphorn(&root(), &["check", file, why]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("evidence accepted: EXPLAINED"), "{text}");
        let evidence = std::fs::read_to_string(why).unwrap();
        assert!(evidence.contains(from), "{evidence}");
        std::fs::write(other, evidence.replacen(from, to, 1)).unwrap();
        let (code, text) = alphorn(&root(), &["check", file, other]);
        assert_eq!(code, Some(6), "{from} {to}: {text}");
        let (code, text) = alphorn(&root(), &["check", file, why, "--export", other]);
        assert_eq!(code, Some(3), "{text}");
    }
    let (code, text) = alphorn(
        &root(),
        &["explain", SCAN, "corpus/aiger/parameters/scan.json", "--evidence", why],
    );
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("no evidence to write"), "{text}");
    // The model is not overwritten.
    let (code, text) =
        alphorn(&root(), &["explain", horn.to_str().unwrap(), run, "--evidence", run]);
    assert_eq!(code, Some(3), "{text}");
}

#[test]
fn what_shows_no_violation_is_not_explained() {
    let folder = folder("explain-not");
    let path = folder.join("proof.txt");
    let path = path.to_str().unwrap();
    let file = "corpus/aiger/basic/hold.aag";
    let (code, _) = alphorn(&root(), &[file, "--evidence", path]);
    assert_eq!(code, Some(0));
    let (code, text) = alphorn(&root(), &["explain", file, path]);
    assert_eq!(code, Some(5), "{text}");
    assert!(text.contains("nothing to explain"), "{text}");
    std::fs::write(path, "1\nb0\n0000\n0\n.\n").unwrap();
    let (code, text) = alphorn(&root(), &["explain", SENSORS, path]);
    assert_eq!(code, Some(6), "{text}");
}
