//! Horn clauses in Prolog's syntax: what is read, what is said about mistakes, and what is written.

use alphorn_front::smtlib::print_horn;
use alphorn_front::{Code, Severity, prolog};
use alphorn_problem::Horn;
use alphorn_testkit::read;
use alphorn_testkit::reading::{clean, complains, damaged};

#[track_caller]
fn horn(text: &str) -> Horn {
    let horn = clean(prolog::read(text.as_bytes()), text);
    horn.validate().expect("what is read is valid");
    horn
}

/// The clauses are those of an SMT-LIB text, up to the names of the things.
#[track_caller]
fn same(text: &str, script: &str) {
    let expected = read::horn(&format!("(set-logic HORN)\n{script}\n(check-sat)"));
    assert_eq!(print_horn(&horn(text)), print_horn(&expected), "{text}");
}

/// The complaints: code, the text each points at, and a piece of what it says or hints.
#[track_caller]
fn complain(text: &str, expected: &[(Code, &str, &str)]) {
    complains(prolog::read(text.as_bytes()), text, expected);
}

#[test]
fn clauses_facts_and_queries_are_read() {
    same(
        "p(X) :- X = 0.\np(X1) :- p(X), X1 = X + 1, X < 10.\nfalse :- p(X), X > 10.",
        "(declare-fun p (Int) Bool)
         (assert (forall ((X Int)) (=> (= X 0) (p X))))
         (assert (forall ((X Int) (X1 Int)) (=> (and (p X) (= X1 (+ X 1)) (< X 10)) (p X1))))
         (assert (forall ((X Int)) (=> (and (p X) (> X 10)) false)))",
    );
    same(
        "p(0). false :- p(A), A =\\= 0.",
        "(declare-fun p (Int) Bool) (assert (p 0))
         (assert (forall ((A Int)) (=> (and (p A) (not (= A 0))) false)))",
    );
}

#[test]
fn the_dialects_of_armc_and_of_real_prolog_are_understood() {
    let script = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (or (= x 1) (and (not (< x y)) (<= y 2))) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) false)))";
    same("p(x,y) :- x = 1 ; \\+ x < y, y =< 2. false :- p(x,y).", script);
    same("p-[x,y] :- (x =:= 1 ; (\\+(x < y), y =< 2)). false-[] :- p-[x,y].", script);
    same("% a\np(x,y):-x is 1;\\+x<y,/* b */y=<2. // c\nfalse:-p(x,y).", script);
    for unequal in ["!=", "=\\=", "\\="] {
        same(
            &format!("false :- X {unequal} 2 * Y - 1, Y > -3 mod 2."),
            "(assert (forall ((X Int) (Y Int))
               (=> (and (not (= X (- (* 2 Y) 1))) (> Y (mod (- 3) 2))) false)))",
        );
    }
}

#[test]
fn an_underscore_is_a_new_variable_each_time() {
    let found = horn("p(A,B) :- A < B. false :- p(_,_).");
    assert_eq!(found.clauses[1].vars.len(), 2);
    let named = horn("p(A,B) :- A < B. false :- p(X,X).");
    assert_eq!(named.clauses[1].vars.len(), 1);
}

#[test]
fn a_name_is_a_relation_or_a_variable_by_its_place() {
    let found = horn("q :- true. p(q) :- q, q = 3. false :- p(q), \\+ q = 3.");
    assert_eq!(found.preds.len(), 2);
    assert_eq!(found.clauses[1].vars.len(), 1);
}

#[test]
fn one_name_with_two_arities_is_two_relations() {
    let found = horn("p(1). p(1,2). p. false :- p, p(X), p(X,Y).");
    let names: Vec<&str> = found.pred_ids().map(|pred| found.pred_name(pred)).collect();
    assert_eq!(names, ["p", "p/2", "p/0"]);
    let text = prolog::write(&found).unwrap();
    assert!(text.contains("p,") && text.contains("p(X)") && text.contains("p(X,Y)"), "{text}");
    assert_eq!(horn(&text).preds.len(), 3);
}

#[test]
fn mistakes_are_reported_at_their_place_and_reading_goes_on() {
    complain(
        "p(X) : X = 0.\np(X) :- X <= 3.\np(X) :- p(X = 1).\nq(X) :- X = 1.\n",
        &[
            (Code::PrologSyntax, ":", "no meaning"),
            (Code::PrologSyntax, "<=", "=<"),
            (Code::PrologKind, "=", "a number is needed"),
        ],
    );
    complain("false :- \\+ p(X).", &[(Code::PrologNotHorn, "\\+ p", "negated")]);
    complain("X < Y :- p(X,Y).", &[(Code::PrologNotHorn, "X < Y", "relation or false")]);
    complain("p(X) :- X.\nfalse :- 3, p(X).", &[(Code::PrologKind, "3", "literal")]);
    complain("false :- p(X), X < Y < 3.", &[(Code::PrologSyntax, "<", "parentheses")]);
    complain("false :- p(X", &[(Code::PrologSyntax, "", "text ends here")]);
    complain("false :- p(X)", &[(Code::PrologSyntax, "", "at the end of the clause")]);
    complain("/* p(X).", &[(Code::PrologSyntax, "/*", "does not end")]);
    complain("% nothing", &[(Code::FileEmpty, "", "no clauses")]);
    complain(":- p(X), X > 0.", &[(Code::PrologSyntax, ":-", "false :-")]);
}

#[test]
fn what_has_no_effect_is_a_warning() {
    let directive = ":- dynamic p/1.";
    let text = format!("{directive}\nfalse :- p(X).");
    complain(&text, &[(Code::PrologIgnored, directive, "no effect")]);
    complain("p(X) :- X > 1.", &[(Code::PrologNoQuery, "", "add a query")]);
    assert_eq!(prolog::read(b"p(1).").1.worst(), Some(Severity::Warning));
}

#[test]
fn depth_is_bounded_by_memory_alone() {
    let depth = 200_000;
    let text = format!("false :- {}X{} > 0.", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(horn(&text).clauses.len(), 1);
    let text = format!("false :- X > {}1.", "- ".repeat(depth));
    assert_eq!(horn(&text).clauses.len(), 1);
    assert!(prolog::read("(".repeat(depth).as_bytes()).0.is_none());
}

#[test]
fn what_is_written_reads_as_the_same_clauses() {
    let text = "p(X,Y) :- X = 0, Y = 1 ; X = 1, Y =< -2.\n\
                p(X1,Y) :- p(X,Y), q, X1 = X + 2 * Y - 3, \\+ (X = 1, Y = 2).\n\
                q :- 1 = 1. false :- p(X,Y), X / 2 > Y mod 3, X * Y = -4.";
    let first = prolog::write(&horn(text)).unwrap();
    let again = horn(&first);
    assert_eq!(prolog::write(&again).unwrap(), first);
    assert_eq!(print_horn(&again), print_horn(&horn(text)));
}

#[test]
fn values_that_prolog_has_no_words_for_are_written_out() {
    let system = read::horn(
        "(set-logic HORN)(declare-fun |a b| (Int) Bool)
         (assert (forall ((x Int)) (=> (|a b| (+ x 1)) (|a b| (ite (< x 0) (abs x) 0)))))
         (assert (forall ((x Int)) (=> (and (|a b| x) (distinct x 1 2)) false)))(check-sat)",
    );
    let text = prolog::write(&system).unwrap();
    let again = horn(&text);
    assert_eq!(again.clauses.len(), 2);
    assert!(text.contains("a_b(X)"), "{text}");
    assert_eq!(prolog::write(&again).unwrap(), text);
}

#[test]
fn what_is_not_about_integers_is_refused() {
    for script in [
        "(declare-fun p (Real) Bool)(assert (forall ((x Real)) (=> (p x) false)))",
        "(declare-fun p () Bool)(assert (forall ((x Bool)) (=> (and x p) false)))",
        "(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> (and (p x) (= (f x) 1)) false)))",
    ] {
        let system = read::horn(&format!("(set-logic HORN){script}(check-sat)"));
        let error = prolog::write(&system).unwrap_err();
        assert_eq!((error.code, error.severity), (Code::ConvertMeaningless, Severity::Unsupported));
    }
}

const PIECES: &[&str] = &[
    ":-",
    ".",
    ",",
    ";",
    "(",
    ")",
    "p",
    "X",
    "_",
    "false",
    "true",
    "-[",
    "]",
    "\\+",
    "=\\=",
    "=<",
    "mod",
    "is",
    "1",
    "-",
    "99999999999999999999",
    "%",
    "/*",
    "*/",
    "'",
    "\u{e9}",
    "\0",
];

#[test]
fn damaged_files_are_read_without_panic() {
    let seeds = [
        "p(X,Y) :- X = 0, Y =< -2 ; Y > 3.\np(X,X) :- p(X,Y), \\+(X = 1).\nfalse :- p(X,1), q.\nq.",
        "r-[A,B] :- A mod 2 =:= 1, B \\= 3.\n% c\nr(A) :- r(A,_).\nfalse-[] :- r-[A,B], r(A).",
    ];
    let accepted = damaged((7, 6000), (&seeds, PIECES), prolog::read, |found, _| {
        found.validate().unwrap();
        let text = prolog::write(&found).unwrap();
        assert_eq!(prolog::write(&prolog::read(text.as_bytes()).0.unwrap()).unwrap(), text);
    });
    assert!(accepted > 150, "only {accepted} damaged files are still systems");
}
