//! `alphorn check`: every kind of evidence that we write is accepted, and damaged is refused; and kinds
//! that others write.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What is changed so that the evidence is wrong: the first occurrence of a text.
enum Damage {
    Evidence(&'static str, &'static str),
    Problem(&'static str, &'static str),
}
use Damage::{Evidence, Problem};

/// Where the evidence comes from.
enum Source {
    /// The arguments that have it written; `FILE` and `EVIDENCE` stand for the files.
    Written(&'static [&'static str]),
    /// The arguments that have it printed.
    Printed(&'static [&'static str]),
    /// Another tool wrote it.
    Given(&'static str),
}
use Source::{Given, Printed, Written};

struct Case {
    name: &'static str,
    /// An example, or the name of a file and its text.
    problem: (&'static str, Option<&'static str>),
    source: Source,
    damage: Damage,
    /// Whether proofs have to be found.
    prove: bool,
    /// More arguments.
    more: &'static [&'static str],
}

const COUNTER: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 c\n5 init 1 4 3\n6 input 2 go\n\
    7 uext 1 6 2\n8 add 1 4 7\n9 next 1 4 8\n10 constd 1 2\n11 eq 2 4 10\n12 bad 11\n";
const MEMORY: &str = "1 sort bitvec 2\n2 sort bitvec 4\n3 sort array 1 2\n4 state 3 mem\n5 input 1 at\n\
    6 read 2 4 5\n7 ones 2\n8 sort bitvec 1\n9 eq 8 6 7\n10 next 3 4 4\n11 bad 9\n";
const FUNCTION: &str = "(set-logic HORN)\n(declare-fun f (Int) Int)\n(declare-fun P (Int) Bool)\n\
    (assert (forall ((x Int)) (=> (= x (f 0)) (P x))))\n\
    (assert (forall ((x Int)) (=> (P x) false)))\n(check-sat)\n";
const MODEL: &str = "p cnf 2 2\n1 2 0\n-1 0\n";
/// All clauses over two variables, and another that does not matter.
const CONTRADICTION: &str = "p cnf 3 5\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n1 2 3 0\n";
const SCRIPT: &str = "(set-option :produce-proofs true)\n(set-logic QF_UFLIA)\n\
    (declare-fun f (Int) Int)\n(declare-const x Int)\n(assert (> (f x) 3))\n\
    (assert (< (f (+ x 1)) 2))\n(check-sat)\n(get-model)\n";
const REFUTED: &str = "(set-option :produce-proofs true)\n(set-logic QF_UFLIA)\n\
    (declare-fun f (Int) Int)\n(declare-const x Int)\n(assert (> (f x) 3))\n\
    (assert (< (f x) 0))\n(check-sat)\n(get-proof)\n";
const SORT: &str = "(set-logic UF)\n(declare-sort U 0)\n(declare-const a U)\n(declare-const b U)\n\
    (declare-fun p (U) Bool)\n(assert (not (= a b)))\n(assert (forall ((x U)) (= (p x) (= x a))))\n\
    (check-sat)\n";

const CASES: &[Case] = &[
    Case {
        name: "model with proofs",
        problem: ("bounded_counter.smt2", None),
        source: Written(&["FILE", "--engine", "forward", "--evidence", "EVIDENCE"]),
        damage: Evidence("(= x 10)", "(= x 12)"),
        prove: false,
        more: &[],
    },
    Case {
        name: "model of Z3",
        problem: ("bounded_counter.smt2", None),
        source: Given(
            "sat\n(\n  (define-fun counter ((x!0 Int)) Bool\n    (not (>= x!0 11)))\n)\n",
        ),
        damage: Evidence("11", "9"),
        prove: true,
        more: &[],
    },
    Case {
        name: "model with let and quantifiers, as others print them",
        problem: ("bounded_counter.smt2", None),
        source: Given(
            "sat\n(define-fun counter ((A Int)) Bool (let ((a!1 (<= A 10))) (and a!1 (>= A 0) \
            (forall ((z Int)) (or (> z A) (<= z 10))))))\n",
        ),
        damage: Problem("(> x 10)", "(> x 9)"),
        prove: true,
        more: &[],
    },
    Case {
        name: "derivation of false",
        problem: ("midpoint.smt2", None),
        source: Written(&["FILE", "--engine", "forward", "--evidence", "EVIDENCE"]),
        damage: Evidence("(values #x80000000", "(values #x80000001"),
        prove: false,
        more: &[],
    },
    Case {
        name: "refutation of the clauses",
        problem: ("function.smt2", Some(FUNCTION)),
        source: Written(&["FILE", "--engine", "recursion-free", "--evidence", "EVIDENCE"]),
        damage: Evidence("(rup 1 3 4)", "(rup 1 2 4)"),
        prove: false,
        more: &[],
    },
    Case {
        name: "certificate of a circuit",
        problem: ("arbiter.aag", None),
        source: Written(&["FILE", "--engine", "ic3", "--evidence", "EVIDENCE"]),
        damage: Evidence("0 1 4 0", "0 1 5 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "witness circuit",
        problem: ("arbiter.aag", None),
        source: Written(&["FILE", "--engine", "ic3", "--evidence", "EVIDENCE.aag"]),
        damage: Evidence("l0 = 12", "l0 = 14"),
        prove: true,
        more: &[],
    },
    Case {
        name: "binary witness circuit",
        problem: ("arbiter.aag", None),
        source: Written(&["FILE", "--engine", "ic3", "--evidence", "EVIDENCE.aig"]),
        damage: Evidence("l0 = 12", "l0 = 14"),
        prove: true,
        more: &["--property", "0"],
    },
    Case {
        name: "AIGER witness",
        problem: ("lock.aag", None),
        source: Written(&["FILE", "--engine", "bmc", "--evidence", "EVIDENCE"]),
        damage: Evidence("011x", "000x"),
        prove: false,
        more: &[],
    },
    Case {
        name: "certificate about words",
        problem: ("traffic_light.btor2", None),
        source: Written(&["FILE", "--engine", "ic3", "--evidence", "EVIDENCE"]),
        damage: Evidence("invariant clauses\n-1 -2 0", "invariant clauses\n-1 2 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "BTOR2 witness",
        problem: ("counter.btor2", Some(COUNTER)),
        source: Written(&["FILE", "--engine", "bmc", "--evidence", "EVIDENCE"]),
        damage: Evidence("0 1 go@1", "0 0 go@1"),
        prove: false,
        more: &[],
    },
    Case {
        name: "BTOR2 witness with the elements of an array, as btormc writes it",
        problem: ("memory.btor2", Some(MEMORY)),
        source: Given("sat\nb0\n#0\n0 [10] 1111 mem@0\n@0\n0 10 at@0\n.\n"),
        damage: Evidence("[10] 1111", "[11] 1111"),
        prove: false,
        more: &[],
    },
    Case {
        name: "model of a formula",
        problem: ("model.cnf", Some(MODEL)),
        source: Printed(&["sat", "FILE"]),
        damage: Evidence("v -1 2", "v 1 2"),
        prove: false,
        more: &[],
    },
    Case {
        name: "model of a formula without letters",
        problem: ("model.cnf", Some(MODEL)),
        source: Given("2 -1\n"),
        damage: Evidence("2", "-2"),
        prove: false,
        more: &[],
    },
    Case {
        name: "LRAT",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Written(&["sat", "FILE", "--proof", "EVIDENCE"]),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "binary LRAT",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Written(&["sat", "FILE", "--proof", "EVIDENCE", "--proof-format", "lrat-binary"]),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "binary LRAT whose added clauses have plain numbers, as older solvers write it",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Given("a\u{6}\u{2}\0\u{2}\u{4}\0a\u{7}\0\u{c}\u{6}\u{8}\0"),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "DRAT",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Written(&["sat", "FILE", "--proof", "EVIDENCE", "--proof-format", "drat"]),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "binary DRAT",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Written(&["sat", "FILE", "--proof", "EVIDENCE", "--proof-format", "drat-binary"]),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "DRAT with a definition and deletions",
        problem: ("no.cnf", Some(CONTRADICTION)),
        source: Given("c by hand\n9 -1 -2 0\n-9 1 0\n-9 2 0\nd 1 2 3 0\n1 0\n0\n"),
        damage: Problem("\n-1 -2 0", "\n-1 -3 0"),
        prove: false,
        more: &[],
    },
    Case {
        name: "model of a script",
        problem: ("script.smt2", Some(SCRIPT)),
        source: Printed(&["smt", "FILE"]),
        damage: Problem("(> (f x) 3)", "(> (f x) 300)"),
        prove: false,
        more: &["--property", "0"],
    },
    Case {
        name: "model of a script with a function that is not given by cases",
        problem: ("script.smt2", Some(SCRIPT)),
        source: Given(
            "(model (define-fun x () Int 5)\n (define-fun f ((z Int)) Int (- 19 (* z 3))))",
        ),
        damage: Evidence("19", "18"),
        prove: false,
        more: &[],
    },
    Case {
        name: "proof of a script",
        problem: ("refuted.smt2", Some(REFUTED)),
        source: Printed(&["smt", "FILE"]),
        damage: Problem("(< (f x) 0)", "(< (f x) 9)"),
        prove: false,
        more: &[],
    },
    Case {
        name: "model of a declared sort, as Z3 writes it",
        problem: ("sort.smt2", Some(SORT)),
        source: Given(
            "sat\n(\n  ;; universe for U:\n  (declare-fun U!val!0 () U)\n  (declare-fun U!val!1 () U)\n\
             (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))\n\
             (define-fun a () U U!val!0)\n  (define-fun b () U U!val!1)\n\
             (define-fun p ((x!0 U)) Bool (ite (= x!0 U!val!0) true false))\n)\n",
        ),
        damage: Evidence("b () U U!val!1", "b () U U!val!0"),
        prove: true,
        more: &[],
    },
    Case {
        name: "model of a declared sort, as cvc5 writes it",
        problem: ("sort.smt2", Some(SORT)),
        source: Given(
            "sat\n(\n(define-fun a () U (as @U_1 U))\n(define-fun b () U (as @U_0 U))\n\
             (define-fun p (($x1 U)) Bool (= (as @U_1 U) $x1))\n)\n",
        ),
        damage: Evidence("b () U (as @U_0 U)", "b () U (as @U_1 U)"),
        prove: true,
        more: &[],
    },
];

fn run(args: &[&str]) -> (String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_alphorn")).args(args).output().expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (text + &said, output.status.code().expect("it ends by itself"))
}

/// The first occurrence of a text replaced in bytes.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let from = from.as_bytes();
    let at = bytes.windows(from.len()).position(|part| part == from);
    let at = at.unwrap_or_else(|| panic!("{:?} is not in it", String::from_utf8_lossy(from)));
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// Makes the problem and the evidence of a case; where they are.
fn made(case: &Case, folder: &Path) -> (String, String) {
    let (name, text) = case.problem;
    let problem = path(folder, name);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let bytes = text.map_or_else(
        || std::fs::read(example).expect("the example is there"),
        |text| text.as_bytes().to_vec(),
    );
    std::fs::write(&problem, bytes).expect("the folder is there");
    let mut evidence = path(folder, "evidence");
    let mut filled = |args: &[&str]| {
        let fill = |arg: &&str| match *arg {
            "FILE" => problem.clone(),
            "EVIDENCE" => evidence.clone(),
            arg if arg.starts_with("EVIDENCE.") => {
                evidence = path(folder, &arg.replace("EVIDENCE", "evidence"));
                evidence.clone()
            }
            arg => arg.to_owned(),
        };
        args.iter().map(fill).collect::<Vec<String>>()
    };
    match case.source {
        Written(args) => {
            let args = filled(args);
            run(&args.iter().map(String::as_str).collect::<Vec<&str>>());
        }
        Printed(args) => {
            let args = filled(args);
            let (text, _) = run(&args.iter().map(String::as_str).collect::<Vec<&str>>());
            std::fs::write(&evidence, text).expect("the folder is there");
        }
        Given(text) => std::fs::write(&evidence, text).expect("the folder is there"),
    }
    (problem, evidence)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("alphorn-check-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a place for temporary files");
    folder
}

#[test]
fn every_kind_of_evidence_is_accepted_and_refused_when_damaged() {
    let folder = folder("kinds");
    for case in CASES {
        let (problem, evidence) = made(case, &folder);
        let mut args = vec!["check", problem.as_str(), evidence.as_str()];
        args.extend(case.more);
        if case.prove {
            let (said, code) = run(&args);
            assert!(matches!(code, 0 | 2), "{} without --prove: {said}", case.name);
            assert!(code == 0 || said.contains("--prove"), "{}: {said}", case.name);
            args.push("--prove");
        }
        let (said, code) = run(&args);
        assert_eq!(code, 0, "{}: {said}", case.name);
        assert!(said.contains("evidence accepted"), "{}: {said}", case.name);
        let (file, from, to) = match case.damage {
            Evidence(from, to) => (&evidence, from, to),
            Problem(from, to) => (&problem, from, to),
        };
        let bytes = std::fs::read(file).expect("it was written");
        std::fs::write(file, replaced(&bytes, from, to)).expect("it can be written again");
        let (said, code) = run(&args);
        // Where definitions have quantifiers, that a clause fails is not known for sure.
        let is_known = !case.name.contains("quantifiers");
        assert_eq!(code, if is_known { 6 } else { 2 }, "{} damaged: {said}", case.name);
        assert!(!said.contains("accepted"), "{} damaged: {said}", case.name);
    }
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn claims_and_files_that_are_no_evidence_are_wrong_input() {
    let folder = folder("claims");
    let evidence = path(&folder, "evidence");
    for (problem, text, claim) in [
        ("no.cnf", CONTRADICTION, "s UNSATISFIABLE\n"),
        ("no.cnf", CONTRADICTION, "c nothing\n"),
        ("no.cnf", CONTRADICTION, "1 2\n-1 0 7"),
        ("no.cnf", CONTRADICTION, "hello\n"),
        ("model.cnf", MODEL, "s SATISFIABLE\n"),
        ("script.smt2", SCRIPT, "sat\n"),
        ("script.smt2", SCRIPT, "(model (define-fun y () Int 1) (define-fun g ((x Int)) Int 1))"),
        ("script.smt2", SCRIPT, "(model (define-fun x () Bool true))"),
        ("function.smt2", FUNCTION, "unsat\n"),
        ("counter.btor2", COUNTER, "unsat\n"),
    ] {
        let problem = path(&folder, problem);
        std::fs::write(&problem, text).expect("the folder is there");
        std::fs::write(&evidence, claim).expect("the folder is there");
        let (said, code) = run(&["check", &problem, &evidence]);
        assert_eq!(code, 4, "{problem} {claim:?}: {said}");
    }
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn the_question_of_a_script_is_chosen_and_json_says_what_became_of_it() {
    let folder = folder("question");
    let (problem, evidence) = (path(&folder, "several.smt2"), path(&folder, "evidence"));
    let script = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(push 1)\n\
        (assert (> x 7))\n(check-sat)\n(pop 1)\n(check-sat-assuming ((< x 5)))\n";
    std::fs::write(&problem, script).expect("the folder is there");
    std::fs::write(&evidence, "((define-fun x () Int 4))").expect("the folder is there");
    let ask = |more: &[&str]| {
        let args = [&["check", problem.as_str(), evidence.as_str()], more].concat();
        run(&args)
    };
    let (said, code) = ask(&[]);
    assert!(code == 3 && said.contains("3 questions"), "{said}");
    assert_eq!(ask(&["--property", "3"]).1, 3);
    for (position, expected) in [("0", 0), ("1", 6), ("2", 0)] {
        assert_eq!(ask(&["--property", position]).1, expected);
        let (said, _) = ask(&["--property", position, "--json"]);
        let accepted = format!("\"accepted\":{}", expected == 0);
        assert!(said.contains(&accepted) && said.contains("\"kind\":\"certified\""), "{said}");
    }
    let (said, _) = ask(&["--property", "1"]);
    assert!(said.contains("formula 1: the model makes it false"), "{said}");
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn the_solution_that_a_thesis_prints_for_a_crossing_is_refused_and_a_right_one_accepted() {
    let folder = folder("crossing");
    let file = folder.join("crossing.model");
    let states = "((c Int) (y Int) (x Int) (w Int) (g Int) (a Int) (b Int)) Bool";
    // Hojjat 2013, chapter 6: nobody walks unless the lamp is green. But it begins to blink while somebody does.
    let printed = "(not (and (= w 1) (not (= g 1))))";
    let right = "(and (<= y c) (= (= w 1) (= b 2)) (or (= w 0) (= w 1))
        (or (and (or (= a 0) (= a 1)) (= g 0)) (and (= a 2) (= g 1)) (and (= a 3) (= g 2)))
        (=> (= b 2) (and (<= (- c y) 2) (or (= a 2) (= a 3))))
        (=> (and (= a 3) (= b 2)) (>= x y)))";
    for (body, expected, says) in [(printed, 6, "its head is false"), (right, 0, "accepted")] {
        let text = format!("(define-fun L {states} true)\n(define-fun P {states} {body})\n");
        std::fs::write(&file, text).expect("the file can be written");
        let problem =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/horn/thesis/crossing.smt2");
        let (said, code) = run(&["check", problem, file.to_str().expect("a name"), "--prove"]);
        assert_eq!(code, expected, "{said}");
        assert!(said.contains(says), "{said}");
    }
}
