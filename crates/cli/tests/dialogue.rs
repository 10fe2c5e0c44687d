//! `alphorn smt` in a pipe: whoever sends a command waits for its reply before sending the next.

use alphorn_testkit::formulas::pigeons::pigeons;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than any reply here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    fn with(args: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .arg("smt")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let input = child.stdin.take().expect("standard input is a pipe");
        let output = child.stdout.take().expect("standard output is a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk { child, input, lines }
    }

    fn send(&mut self, command: &str) {
        // In one piece: after `(exit)` nobody may be there to read the end of the line.
        self.input.write_all(format!("{command}\n").as_bytes()).expect("somebody listens");
        self.input.flush().expect("somebody listens");
    }

    /// Sends a command and waits for a line.
    fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.line().unwrap_or_else(|| panic!("no reply to {command}"))
    }

    fn line(&mut self) -> Option<String> {
        self.lines.recv_timeout(PATIENCE).ok()
    }

    #[track_caller]
    fn expect(&mut self, pairs: &[(&str, &str)]) {
        for (command, reply) in pairs {
            assert_eq!(self.ask(command), *reply, "{command}");
        }
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input);
        self.child.wait().expect("the binary ends").code()
    }
}

#[test]
fn every_command_is_answered_when_it_arrives() {
    let mut talk = Talk::with(&["-"]);
    talk.expect(&[
        ("(set-option :print-success true)", "success"),
        ("(set-option :diagnostic-output-channel \"stdout\")", "success"),
        ("(set-logic QF_LIA)", "success"),
        ("(declare-fun x () Int)", "success"),
        ("(define-sort N () Int)(declare-const y N)", "success"),
    ]);
    assert_eq!(talk.line().as_deref(), Some("success"));
    talk.expect(&[
        ("(assert (> x 3))", "success"),
        ("(check-sat)", "sat"),
        ("(get-value (x))", "((x 4))"),
        ("(push 1)", "success"),
        ("(assert (! (< x 2) :named small))", "success"),
        ("(check-sat)", "unsat"),
        ("(get-info :assertion-stack-levels)", "(:assertion-stack-levels 1)"),
        ("(pop 1)", "success"),
        ("(check-sat-assuming ((< x 3)\n (> y 1)))", "unsat"),
        ("(get-unsat-assumptions)", "((< x 3))"),
        ("(get-assertions)", "((> x 3))"),
        ("(get-info :error-behavior)", "(:error-behavior continued-execution)"),
        ("(get-option :print-success)", "true"),
        ("(reset-assertions)", "success"),
        ("(declare-fun x () Int)", "success"),
        ("(echo \"done\")", "\"done\""),
        ("(exit)", "success"),
    ]);
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn what_is_wrong_is_answered_in_its_place_and_changes_nothing() {
    let mut talk = Talk::with(&["-in"]);
    talk.expect(&[
        ("(set-option :print-success true)", "success"),
        ("(declare-const x Int)", "success"),
        ("(assert (> z 1))", "(error \"line 3 column 12: `z` is not declared\")"),
        ("(declare-const z Int junk)", "(error \"line 4 column 22: a closing parenthesis at the end of the command expected, but found `junk`\")"),
        ("(assert (> z 1))", "(error \"line 5 column 12: `z` is not declared\")"),
        ("(pop 1)", "(error \"line 6 column 2: there are only 0 levels to pop\")"),
        (")", "(error \"line 7 column 1: this parenthesis closes nothing\")"),
        ("what", "(error \"line 8 column 1: a command expected, but found `what`\")"),
        ("(get-model)", "(error \"line 9 column 1: there is no model: nothing was asked since the assertions changed\")"),
        ("(assert (= x 7))", "success"),
        ("(check-sat)", "sat"),
        ("(get-value (x))", "((x 7))"),
    ]);
    assert_eq!(talk.end(), Some(4));
}

/// What is right and not treated must not make others satisfiable.
#[test]
fn while_something_is_left_out_nothing_is_satisfiable() {
    let mut talk = Talk::with(&[]);
    talk.expect(&[
        ("(declare-const x Int)(check-sat)", "sat"),
        (
            "(push 1)(declare-const s String)",
            "(error \"line 2 column 26: there is no treatment of the sort `String`\")",
        ),
        ("(check-sat)", "unknown"),
        ("(get-info :reason-unknown)", "(:reason-unknown \"a part of the script is not treated\")"),
        ("(assert (> x x))(check-sat)", "unsat"),
        ("(pop 1)(check-sat)", "sat"),
    ]);
    assert_eq!(talk.end(), Some(5));
}

#[test]
fn a_question_has_its_own_time() {
    let mut talk = Talk::with(&["-smt2", "-in", "-t:1000"]);
    talk.send(&pigeons(13));
    let begun = Instant::now();
    talk.expect(&[
        ("(check-sat)", "unknown"),
        ("(get-info :reason-unknown)", "(:reason-unknown \"out of time\")"),
    ]);
    assert!(begun.elapsed() >= Duration::from_millis(990));
    talk.expect(&[
        ("(push)(assert (not s0_0))(assert s0_0)(check-sat)", "unsat"),
        ("(pop)(set-option :rlimit 1000)(check-sat)", "unknown"),
        ("(get-info :reason-unknown)", "(:reason-unknown \"out of conflicts\")"),
        ("(set-option :rlimit 0)(set-option :timeout 50)(check-sat)", "unknown"),
        ("(get-info :reason-unknown)", "(:reason-unknown \"out of time\")"),
    ]);
    assert_eq!(talk.end(), Some(2));
}

#[test]
fn options_of_other_solvers_work_or_are_refused() {
    let mut talk =
        Talk::with(&["--lang=smt2", "--incremental", "--produce-models", "-q", "-model"]);
    talk.expect(&[(
        "(set-option :smt.mbqi true)(declare-const b Bool)(assert b)(check-sat)",
        "sat",
    )]);
    let model: Vec<String> = (0..3).filter_map(|_| talk.line()).collect();
    assert_eq!(model, ["(", "  (define-fun b () Bool true)", ")"]);
    assert_eq!(talk.end(), Some(0));
    let mut talk =
        Talk::with(&["--print-success", "--produce-unsat-cores", "--tlimit-per=60000", "-"]);
    talk.expect(&[
        ("(assert (! false :named no))", "success"),
        ("(check-sat)", "unsat"),
        ("(get-unsat-core)", "(no)"),
        ("(reset)", "success"),
        ("(get-option :produce-unsat-cores)", "true"),
    ]);
    assert_eq!(talk.end(), Some(0));
    for args in
        [&["--lang=sygus2", "-"][..], &["-in", "file.smt2"], &["--option=:frob=1", "-"], &["-frob"]]
    {
        assert_eq!(Talk::with(args).end(), Some(3), "{args:?}");
    }
}

#[test]
fn the_limit_on_the_whole_ends_an_idle_dialogue() {
    let begun = Instant::now();
    let mut talk = Talk::with(&["-T:1", "-in"]);
    talk.expect(&[("(check-sat)", "sat")]);
    assert_eq!(talk.child.wait().expect("the binary ends").code(), Some(2));
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[test]
fn horn_clauses_are_decided_by_the_engines() {
    let mut talk = Talk::with(&["-"]);
    let counter = "(set-logic HORN)(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 1000000)) (p (+ x 1)))))";
    talk.send(counter);
    talk.expect(&[
        ("(assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)", "sat"),
        ("(push 1)(assert (forall ((x Int)) (=> (p x) (< x 5))))(check-sat)", "unsat"),
        ("(pop 1)(check-sat)", "sat"),
    ]);
    talk.send("(get-model)(echo \"end\")");
    let mut model = String::new();
    while let Some(line) = talk.line().filter(|line| line != "\"end\"") {
        model.push_str(&line);
    }
    assert!(model.starts_with('(') && model.contains("define-fun p"), "{model}");
    assert_eq!(talk.end(), Some(0));
    let mut talk = Talk::with(&["-"]);
    talk.send("(declare-rel p (Int))(declare-var x Int)(rule (=> (= x 0) (p x)))");
    talk.send("(rule (=> (and (p x) (< x 9)) (p (+ x 1))))(declare-rel bad ())");
    talk.send("(rule (=> (and (p x) (> x 9)) bad))");
    talk.expect(&[("(query bad)", "unsat")]);
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn recursive_functions_are_unfolded() {
    let mut talk = Talk::with(&["-"]);
    talk.send("(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))");
    talk.expect(&[("(push)(assert (distinct (sum 4) 10))(check-sat)", "unsat")]);
    talk.send("(pop)(push)(define-fun-rec up ((n Int)) Int (+ (up n) 1))");
    talk.expect(&[("(assert (= (up 0) 0))(check-sat)", "unsat")]);
    talk.send("(pop)(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))");
    talk.send("((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))");
    talk.expect(&[("(check-sat-assuming ((odd 6)))", "unsat"), ("(get-assertions)", "()")]);
    assert_eq!(talk.end(), Some(0));
}

/// Facts about axioms stay; a hundred questions in a row are each answered from what is there.
#[test]
fn axioms_stay_between_questions() {
    let mut talk = Talk::with(&["-"]);
    talk.send("(declare-fun f (Int) Int)");
    talk.send("(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))");
    for number in 0..100 {
        talk.send(&format!("(declare-const k{number} Int)(push)"));
        let question = format!("(assert (<= (f k{number}) k{number}))(check-sat)");
        assert_eq!(talk.ask(&question), "unsat");
        talk.send("(pop)");
    }
    talk.expect(&[("(push)(assert (forall ((x Int)) (< (f x) 3)))(check-sat)", "unsat")]);
    talk.expect(&[("(pop)(assert (= (f 1) 5))(check-sat-assuming ((= (f 2) 2)))", "unsat")]);
    assert_eq!(talk.end(), Some(0));
}
