//! Long dialogues: what is no longer in force costs nothing, and recursive definitions have models.

use alphorn_problem::evidence::proof::Proof;
use alphorn_script::kernel::{Found, Kernel, Own, Settings};
use alphorn_script::{Deciders, NoEngines, Request, Said, run, run_with};
use alphorn_term::{Model, Store, TermId};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// Our solver, with a list of how large it was at each question.
struct Watched {
    own: Own,
    sizes: Rc<RefCell<Vec<usize>>>,
}

impl Kernel for Watched {
    fn assert(&mut self, store: &mut Store, formula: TermId) {
        self.own.assert(store, formula);
    }
    fn limit(&mut self, settings: &Settings) {
        self.own.limit(settings);
    }
    fn push(&mut self) {
        self.own.push();
    }
    fn pop(&mut self) {
        self.own.pop();
    }
    fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Found {
        let found = self.own.check(store, assumptions);
        self.sizes.borrow_mut().push(self.own.size());
        found
    }
    fn model(&self, store: &Store) -> Model {
        self.own.model(store)
    }
    fn failed(&self) -> Vec<TermId> {
        self.own.failed()
    }
    fn core(&self) -> Vec<usize> {
        self.own.core()
    }
    fn refutation(&self, store: &mut Store) -> Option<Proof> {
        self.own.refutation(store)
    }
    fn reason(&self) -> String {
        self.own.reason()
    }
    fn size(&self) -> usize {
        self.own.size()
    }
    fn statistics(&self) -> Vec<(&'static str, u64)> {
        self.own.statistics()
    }
}

/// The replies to a script, and how large the solver without quantifiers was at each question.
fn watch(text: &str) -> (Vec<String>, Vec<usize>) {
    let sizes: Rc<RefCell<Vec<usize>>> = Rc::default();
    let make = |settings: &Settings| Watched { own: Own::new(settings), sizes: Rc::clone(&sizes) };
    let mut replies = Vec::new();
    let deciders = Deciders { solver: &make, horn: &NoEngines };
    run_with(&text.as_bytes().into(), &Request::default(), &deciders, |said| match said {
        Said::Reply(reply) => replies.push(reply),
        Said::Refused(reason) => panic!("{reason}"),
        Said::Asked | Said::Noticed(_) => {}
    });
    (replies, sizes.take())
}

fn replies(text: &str) -> Vec<String> {
    let mut replies = Vec::new();
    run(&text.as_bytes().into(), &Request::default(), &NoEngines, |said| match said {
        Said::Reply(reply) => replies.push(reply),
        Said::Refused(reason) => panic!("{text}\n{reason}"),
        Said::Asked | Said::Noticed(_) => {}
    });
    replies
}

#[test]
fn a_solver_does_not_grow_with_levels_that_have_ended() {
    const QUESTIONS: usize = 600;
    let mut text = String::from("(declare-fun f (Int) Int)(assert (> (f 0) 3))(push 1)(push 1)");
    for number in 0..QUESTIONS {
        let (even, odd) = (2 * number, 2 * number + 1);
        write!(
            text,
            "(push 1)(assert (or (> (f {even}) {odd}) (< (f {odd}) {even})))
             (assert (distinct (f {even}) (f {odd})))(check-sat)(pop 1)
             (check-sat-assuming ((< (f 0) {})))",
            if number % 2 == 0 { 4 } else { number + 4 }
        )
        .expect("a string takes everything");
    }
    text.push_str("(pop 2)(assert (< (f 0) 4))(check-sat)(get-info :all-statistics)");
    let (replies, sizes) = watch(&text);
    assert_eq!(sizes.len(), 2 * QUESTIONS + 1);
    let expected = (0..QUESTIONS).flat_map(|n| ["sat", if n % 2 == 0 { "unsat" } else { "sat" }]);
    assert!(replies.iter().zip(expected).all(|(reply, expected)| reply == expected));
    assert_eq!(replies[2 * QUESTIONS], "unsat");
    let largest = sizes.iter().max().copied().unwrap_or_default();
    assert!(largest < 1000, "{largest}");
    // What was dropped has counted as well.
    let solves = replies[2 * QUESTIONS + 1].lines().find_map(|line| line.strip_prefix("(:solves "));
    let solves: usize = solves.expect("the count is there").parse().expect("it is a number");
    assert!(solves > 2 * QUESTIONS, "{solves}");
}

#[test]
fn what_could_not_be_evaluated_is_not_asked_of_the_solver_without_quantifiers() {
    let axiom = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))";
    let (said, sizes) = watch(&format!("{axiom}(assert (< (f 3) 3))(check-sat)"));
    assert_eq!((said, sizes.len()), (vec!["unsat".to_owned()], 0));
    // Over truth values it can be, and where the axiom is no longer in force.
    let few = "(declare-fun p (Bool) Bool)(assert (forall ((x Bool)) (p x)))";
    let (said, sizes) = watch(&format!("{few}(assert (not (p true)))(check-sat)"));
    assert_eq!((said, sizes.len()), (vec!["unsat".to_owned()], 1));
    let (said, sizes) = watch(&format!("(push 1){axiom}(check-sat)(pop 1)(check-sat)"));
    assert_eq!((said[1].as_str(), sizes.len()), ("sat", 1));
}

const LENGTH: &str = "(declare-datatype List ((nil) (cons (head Int) (tail List))))
(define-fun-rec len ((l List)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tail l)))))";
const SUM: &str = "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))";

#[test]
fn functions_whose_recursion_ends_have_models() {
    let text = format!("{LENGTH}(declare-const l List)(assert (= (len l) 3))(check-sat)");
    assert_eq!(replies(&format!("{text}(get-value ((len l) (len (cons 1 l))))"))[0], "sat");
    let values = &replies(&format!("{text}(get-value ((len l) (len (cons 1 l))))"))[1];
    assert_eq!(values, "(((len l) 3)\n ((len (cons 1 l)) 4))");
    let text = format!("{SUM}(assert (= (sum 4) 10))(check-sat)(get-value ((sum 10) (sum (- 3))))");
    assert_eq!(replies(&text), ["sat", "(((sum 10) 55)\n ((sum (- 3)) 0))"]);
    let text = format!("{SUM}(declare-const n Int)(assert (> (sum n) 7))(check-sat)");
    assert_eq!(replies(&text), ["sat"]);
    // A definition that calls another, and one with a match.
    let text = "(declare-datatype List ((nil) (cons (head Int) (tail List))))
(define-fun-rec len ((l List)) Int (match l ((nil 0) ((cons h t) (+ 1 (len t))))))
(define-fun-rec all ((l List)) Bool
  (match l ((nil true) ((cons h t) (and (> h (len t)) (all t))))))
(declare-const l List)(assert (all l))(assert (= (len l) 2))(check-sat)";
    assert_eq!(replies(text), ["sat"]);
}

#[test]
fn what_contradicts_a_definition_is_refuted() {
    let text = format!("{SUM}(assert (= (sum 4) 11))(check-sat)");
    assert_eq!(replies(&text), ["unsat"]);
    let text = format!("{LENGTH}(assert (= (len (cons 1 nil)) 2))(check-sat)");
    assert_eq!(replies(&text), ["unsat"]);
}

#[test]
fn recursion_without_an_end_never_has_a_model() {
    for definition in [
        "(define-fun-rec f ((x Int)) Int (+ (f x) 1))",
        "(define-fun-rec f ((x Int)) Int (ite (= x 3) 0 (+ (f x) 1)))",
        "(define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (+ 1 (f x))))",
        "(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((+ (g x) 1) (f x)))",
    ] {
        for fact in ["", "(assert (> (f 3) 0))", "(assert (= (f 0) 0))"] {
            let said = replies(&format!("{definition}{fact}(check-sat)"));
            assert_ne!(said[0], "sat", "{definition}{fact}");
        }
    }
}
