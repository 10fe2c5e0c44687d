//! Assertions and rules as Horn clauses: each case is an assertion and the clauses it comes to.

use alphorn_front::Code;
use alphorn_front::smtlib::read;
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_testkit::same::{check_round_trip, read_sound};

const PREDICATES: &str = "(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(declare-fun R (Int Int) Bool)
(declare-fun N () Bool)
(declare-fun B (Bool) Bool)
(declare-fun f (Int) Int)
";

/// A clause in one line: `x y. body -> head`.
fn show(horn: &mut Horn, clause: usize) -> String {
    let head = horn.head_term(ClauseId(clause as u32));
    let clause = &horn.clauses[clause];
    let vars: Vec<&str> = clause.vars.iter().filter_map(|&v| horn.terms.var_name(v)).collect();
    let name = clause.name.as_ref().map_or(String::new(), |name| format!("[{name}] "));
    let (body, head) = (horn.terms.show(clause.body), horn.terms.show(head));
    format!("{name}{}. {body} -> {head}", vars.join(" "))
}

#[track_caller]
fn check_script(script: &str, expected: &[&str]) {
    let mut horn = read_sound(script.as_bytes()).horn;
    let found: Vec<String> = (0..horn.clauses.len()).map(|n| show(&mut horn, n)).collect();
    assert_eq!(found, expected, "{script}");
    check_round_trip(&horn, script);
}

#[track_caller]
fn check(assertion: &str, expected: &[&str]) {
    check_script(&format!("{PREDICATES}(assert {assertion})\n(check-sat)"), expected);
}

/// The assertion is refused as not Horn, and the complaint points at `place`.
#[track_caller]
fn refuse(assertion: &str, place: &str) {
    let script = format!("{PREDICATES}(assert {assertion})\n(check-sat)");
    let (problem, diagnostics) = read(script.as_bytes());
    assert!(problem.is_none(), "{assertion}");
    let [diagnostic] = diagnostics.list.as_slice() else { panic!("{:?}", diagnostics.list) };
    assert_eq!(diagnostic.code, Code::SmtNotHorn, "{assertion}");
    let span = diagnostic.span;
    assert_eq!(&script[span.start as usize..span.end as usize], place, "{diagnostic:?}");
}

#[test]
fn usual_forms() {
    check("(forall ((x Int)) (=> (= x 0) (P x)))", &["x. (= x 0) -> (P x)"]);
    check(
        "(forall ((x Int)) (=> (and (P x) (> x 1)) (Q (+ x 1))))",
        &["x. (and (P x) (< 1 x)) -> (Q (+ x 1))"],
    );
    check(
        "(forall ((x Int)) (=> (and (P x) (< x 0)) false))",
        &["x. (and (P x) (< x 0)) -> false"],
    );
    check("(forall ((x Int)) (not (and (P x) (< x 0))))", &["x. (and (P x) (< x 0)) -> false"]);
    check("(not (exists ((x Int)) (and (P x) (< x 0))))", &["x. (and (P x) (< x 0)) -> false"]);
    check("(forall ((x Int)) (P x))", &["x. true -> (P x)"]);
    check("N", &[". true -> N"]);
    check("(not N)", &[". N -> false"]);
    check("(=> N false)", &[". N -> false"]);
    check("(! N :named start)", &["[start] . true -> N"]);
    check("(forall ((x Int)) (! (P x) :named start))", &["[start] x. true -> (P x)"]);
}

#[test]
fn quantifiers_outside() {
    check("(forall ((x Int)) (forall ((y Int)) (=> (P x) (R x y))))", &["x y. (P x) -> (R x y)"]);
    check("(forall ((x Int)) (=> (P x) (forall ((y Int)) (R x y))))", &["x y. (P x) -> (R x y)"]);
    // Variables that do not occur are kept, even in clauses without any.
    check("(forall ((x Int) (unused Bool)) (P x))", &["x unused. true -> (P x)"]);
    check("(forall ((x Int)) N)", &["x. true -> N"]);
    // The inner variable is another one, although it has the same name.
    check("(forall ((x Int)) (=> (P x) (forall ((x Int)) (Q x))))", &["x x!1. (P x) -> (Q x!1)"]);
    check(
        "(forall ((x Int)) (let ((y x)) (forall ((x Int)) (R x y))))",
        &["x x!1. true -> (R x!1 x)"],
    );
    check("(forall ((x Int)) (=> (P x) (forall ((x Bool)) (B x))))", &["x x!1. (P x) -> (B x!1)"]);
    // A variable that is named like a function is another one, too.
    check("(forall ((P Int)) (Q P))", &["P!1. true -> (Q P!1)"]);
}

#[test]
fn curried_and_disjunctive_forms() {
    check("(forall ((x Int)) (=> (P x) (=> (> x 0) (Q x))))", &["x. (and (P x) (< 0 x)) -> (Q x)"]);
    check("(forall ((x Int)) (=> (P x) (> x 0) (Q x)))", &["x. (and (P x) (< 0 x)) -> (Q x)"]);
    check(
        "(forall ((x Int)) (or (not (P x)) (<= x 0) (Q x)))",
        &["x. (and (P x) (not (<= x 0))) -> (Q x)"],
    );
    // A constraint in the head moves to the body.
    check(
        "(forall ((x Int)) (=> (P x) (or (Q x) (> x 0))))",
        &["x. (and (P x) (not (< 0 x))) -> (Q x)"],
    );
    check("(forall ((x Int)) (=> (P x) (> x 0)))", &["x. (and (P x) (not (< 0 x))) -> false"]);
    check(
        "(forall ((x Int)) (let ((y (+ x 1))) (=> (P y) (Q y))))",
        &["x. (P (+ x 1)) -> (Q (+ x 1))"],
    );
}

#[test]
fn splitting() {
    check(
        "(and N (forall ((x Int)) (P x)) (not (P 0)))",
        &[". true -> N", "x. true -> (P x)", ". (P 0) -> false"],
    );
    check(
        "(! (forall ((x Int)) (=> (> x 0) (and (P x) (Q x)))) :named c)",
        &["[c.1] x. (< 0 x) -> (P x)", "[c.2] x. (< 0 x) -> (Q x)"],
    );
    check("(forall ((x Int)) (= (P x) (Q x)))", &["x. (P x) -> (Q x)", "x. (Q x) -> (P x)"]);
    check(
        "(forall ((x Int)) (= (P x) (> x 0)))",
        &["x. (and (P x) (not (< 0 x))) -> false", "x. (< 0 x) -> (P x)"],
    );
    check(
        "(forall ((x Int)) (xor (P x) (> x 0)))",
        &["x. (and (P x) (< 0 x)) -> false", "x. (not (< 0 x)) -> (P x)"],
    );
    check(
        "(forall ((x Int)) (ite (> x 0) (P x) (Q x)))",
        &["x. (< 0 x) -> (P x)", "x. (not (< 0 x)) -> (Q x)"],
    );
    check(
        "(forall ((x Int)) (=> (P x) (ite (> x 0) (Q x) (< x 5))))",
        &["x. (and (P x) (< 0 x)) -> (Q x)", "x. (and (P x) (not (< 0 x)) (not (< x 5))) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (= (P x) (> x 3)) false))",
        &["x. (and (P x) (< 3 x)) -> false", "x. (not (< 3 x)) -> (P x)"],
    );
}

#[test]
fn generalized_bodies() {
    check(
        "(forall ((x Int)) (=> (or (P x) (and (Q x) (> x 0))) N))",
        &["x. (or (P x) (and (Q x) (< 0 x))) -> N"],
    );
    check(
        "(forall ((x Int)) (=> (not (or (not (P x)) (and (not (Q x)) (> x 0)))) N))",
        &["x. (and (P x) (or (Q x) (not (< 0 x)))) -> N"],
    );
    check(
        "(forall ((x Int)) (=> (ite (> x 0) (P x) (Q x)) N))",
        &["x. (let ((a!1 (< 0 x))) (or (and a!1 (P x)) (and (not a!1) (Q x)))) -> N"],
    );
    // Existential quantifiers in bodies become variables; names are kept apart.
    check("(=> (exists ((y Int)) (P y)) N)", &["y. (P y) -> N"]);
    check(
        "(=> (and (exists ((y Int)) (P y)) (exists ((y Int)) (Q y))) N)",
        &["y y!1. (and (P y) (Q y!1)) -> N"],
    );
    check(
        "(forall ((x Int)) (=> (or (P x) (exists ((y Int)) (R x y))) N))",
        &["x y. (or (P x) (R x y)) -> N"],
    );
    check("(=> (not (forall ((y Int)) (not (P y)))) N)", &["y. (P y) -> N"]);
    // A universal constraint stays as it is.
    check(
        "(forall ((x Int)) (=> (and (P x) (forall ((y Int)) (< x (* y y)))) N))",
        &["x. (and (P x) (forall ((y Int)) (< x (* y y)))) -> N"],
    );
}

#[test]
fn without_predicates() {
    check("true", &[]);
    check("false", &[". true -> false"]);
    check("(forall ((x Int)) (> x 0))", &["x. (not (< 0 x)) -> false"]);
    check("(= (f 0) 1)", &[". (not (= (f 0) 1)) -> false"]);
    check(
        "(and (= (f 0) 1) (= (f 1) 2))",
        &[". (not (= (f 0) 1)) -> false", ". (not (= (f 1) 2)) -> false"],
    );
    check("(exists ((x Int)) (= (f x) 1))", &[". (not (exists ((x Int)) (= (f x) 1))) -> false"]);
    check("(forall ((x Int)) (=> (P (f x)) (Q x)))", &["x. (P (f x)) -> (Q x)"]);
}

#[test]
fn refused() {
    refuse("(forall ((x Int)) (=> (> x 0) (or (P x) (Q x))))", "(Q x)");
    refuse("(forall ((x Int)) (=> (not (P x)) (Q x)))", "(Q x)");
    refuse("(forall ((x Int)) (=> (P x) (exists ((y Int)) (R x y))))", "(R x y)");
    let inner = "(forall ((y Int)) (exists ((z Int)) (R z y)))";
    refuse(&format!("(forall ((x Int)) (=> {inner} (P x)))"), "(R z y)");
    refuse("(B N)", "N");
    refuse("(forall ((x Int)) (B (P x)))", "(P x)");
    refuse("(forall ((x Int)) (P (ite (Q x) 1 2)))", "(Q x)");
    refuse("(forall ((x Int)) (=> (= x (ite (Q x) 1 2)) N))", "(Q x)");
    refuse("(exists ((x Int)) (P x))", "(P x)");
    refuse("(forall ((x Int)) (xor (P x) (Q x)))", "(Q x)");
}

#[test]
fn definitions_are_expanded() {
    check_script(
        "(declare-fun P (Int) Bool)
         (define-fun twice ((n Int)) Int (+ n n))
         (define-const one Int 1)
         (define-fun start ((n Int)) Bool (exists ((m Int)) (and (P m) (= n (twice m)))))
         (define-sort Row (X) (Array Int X))
         (assert (forall ((m Int)) (=> (start m) (P (twice one)))))
         (assert (forall ((a (Row Bool))) (=> (select a 0) (P 0))))
         (check-sat)",
        &["m m!1. (and (P m!1) (= m (* 2 m!1))) -> (P 2)", "a. (select a 0) -> (P 0)"],
    );
    // The bound variable of the definition has the name, but not the sort, of the argument.
    check_script(
        "(declare-fun P (Int Bool) Bool)
         (define-fun some ((n Int)) Bool (exists ((y Bool)) (P n y)))
         (assert (forall ((y Int)) (=> (some y) false)))
         (check-sat)",
        &["y y!1. (P y y!1) -> false"],
    );
    check_script(
        "(declare-fun P (Int) Bool)
         (define-fun all ((n Int)) Bool (forall ((y Bool)) (or y (> n 0))))
         (assert (forall ((y Int)) (=> (and (P y) (all y)) false)))
         (check-sat)",
        &["y. (and (P y) (forall ((y!1 Bool)) (or y!1 (< 0 y)))) -> false"],
    );
    // A function declared after a variable of the same name was used.
    check_script(
        "(declare-fun P (Int) Bool)
         (assert (forall ((x Int)) (P x)))
         (declare-fun x (Int) Bool)
         (assert (forall ((y Int)) (x y)))
         (check-sat)",
        &["x!1. true -> (P x!1)", "y. true -> (x y)"],
    );
    // A named term can be used as a symbol.
    check_script(
        "(declare-fun P (Int) Bool)
         (assert (P (! (+ 1 2) :named three)))
         (assert (=> (P (+ three 1)) false))
         (check-sat)",
        &[". true -> (P 3)", ". (P 4) -> false"],
    );
}

#[test]
fn datatypes_that_share_names() {
    check_script(
        "(declare-datatypes ((A 0) (B 0)) (((none) (some (value Int))) ((none) (some (value Bool)))))
         (declare-fun P (A B) Bool)
         (assert (P (as none A) (as none B)))
         (assert (P (some 1) (some true)))
         (assert (forall ((a A) (b B)) (=> (and (P a b) (> (value a) 0) (value b) ((_ is some) b))
           (P ((as some A) 2) b))))
         (check-sat)",
        &[
            ". true -> (P (as none A) (as none B))",
            ". true -> (P ((as some A) 1) ((as some B) true))",
            "a b. (and (P a b) (< 0 (value a)) (value b) ((_ is some) b)) -> (P ((as some A) 2) b)",
        ],
    );
}

/// As Solidity's checker writes them; the text that is written again has them in order.
#[test]
fn datatypes_may_be_declared_after_their_first_use() {
    check_script(
        "(set-logic HORN)
         (declare-datatypes ((Outer 0) (Wrap 0)) (((outer (a (Array Int Inner)) (n Int))) ((wrap (o Outer) (l Last)))))
         (declare-fun P (Wrap) Bool)
         (declare-datatypes ((Inner 0)) (((inner (i Int) (l Last)))))
         (declare-datatype Last ((last) (more (rest Last))))
         (assert (forall ((w Wrap)) (=> (= (i (select (a (o w)) (n (o w)))) 1) (P w))))
         (check-sat)",
        &["w. (let ((a!1 (o w))) (= (i (select (a a!1) (n a!1))) 1)) -> (P w)"],
    );
}

#[test]
fn instances_of_datatypes() {
    // Two instances of one family, one inside the other, and a group that uses the family.
    check_script(
        "(declare-datatype List (par (X) ((nil) (cons (head X) (tail (List X)) (length Int)))))
         (declare-datatypes ((T 0) (P 2)) (((leaf) (node (sub (List T)) (pair (P Int T))))
           (par (A B) ((mk (fst A) (snd B) (more (List (P A B))))))))
         (declare-fun R ((List Int) (List (List Bool)) T) Bool)
         (assert (forall ((l (List Int)) (t T)) (R (cons 1 l 2) (as nil (List (List Bool))) t)))
         (assert (forall ((p (P Int T))) (R (as nil (List Int)) (as nil (List (List Bool)))
           (node (as nil (List T)) (mk (fst p) leaf (more p))))))
         (check-sat)",
        &[
            "l t. true -> (R ((as cons (List Int)) 1 l 2) (as nil (List (List Bool))) t)",
            "p. true -> (R (as nil (List Int)) (as nil (List (List Bool))) \
             (node (as nil (List T)) ((as mk (P Int T)) (fst p) leaf (more p))))",
        ],
    );
}

#[test]
fn levels() {
    check_script(
        "(declare-fun P (Int) Bool)
         (push 1)
         (declare-fun Q (Int) Bool)
         (declare-datatype T ((c (s Int))))
         (assert (Q 0))
         (pop 1)
         (declare-fun Q (Bool) Bool)
         (declare-datatype T ((d (s Bool))))
         (assert (Q (s (d true))))
         (push)
         (assert (P 1))
         (check-sat)
         (pop)",
        &[". true -> (Q true)", ". true -> (P 1)"],
    );
    check_script(
        "(set-option :global-declarations true)
         (push 1)
         (declare-fun P (Int) Bool)
         (assert (P 1))
         (pop 1)
         (assert (P 2))
         (check-sat)",
        &[". true -> (P 2)"],
    );
}

#[test]
fn fixedpoint_dialect() {
    check_script(
        "(declare-rel inv (Int Int))
         (declare-rel fail ())
         (declare-var x Int)
         (declare-var y Int)
         (rule (inv 0 0))
         (rule (=> (and (inv x y) (< x 10)) (inv (+ x 1) y)) step)
         (rule (=> (and (inv x y) (> x 10)) fail))
         (query fail :print-certificate true)",
        &[
            ". true -> (inv 0 0)",
            "[step] x y. (and (inv x y) (< x 10)) -> (inv (+ x 1) y)",
            "x y. (and (inv x y) (< 10 x)) -> fail",
            ". fail -> false",
        ],
    );
    check_script(
        "(declare-rel p (Int))
         (declare-var x Int)
         (rule (forall ((z Int)) (=> (= z 1) (p z))))
         (query p)",
        &["z. (= z 1) -> (p z)", "x!1. (p x!1) -> false"],
    );
    // The name of a rule is no symbol; the name of an assertion is.
    check_script(
        "(declare-rel p (Int))
         (rule (p 1) p)
         (rule (p 2) p)
         (query p)",
        &["[p'] . true -> (p 1)", "[p''] . true -> (p 2)", "x!1. (p x!1) -> false"],
    );
}

/// A query asks about the rules before it, and leaves nothing behind for the next one.
#[test]
fn every_query_is_a_question_of_its_own() {
    let script = read_sound(
        b"(declare-rel p (Int))
          (declare-var x Int)
          (rule (p 0))
          (query p)
          (query (and (p x) (> x 5)))
          (rule (=> (p x) (p (+ x 1))))
          (query (exists ((z Int)) (and (p z) (> z 5))))
          (get-info :reason-unknown)",
    );
    let questions: Vec<Vec<String>> = std::iter::once(script.horn)
        .chain(script.more)
        .map(|mut horn| (0..horn.clauses.len()).map(|n| show(&mut horn, n)).collect())
        .collect();
    let (fact, step) = (". true -> (p 0)", "x. (p x) -> (p (+ x 1))");
    let expected: [&[&str]; 3] = [
        &[fact, "x!1. (p x!1) -> false"],
        &[fact, "x. (and (p x) (< 5 x)) -> false"],
        &[fact, step, "z. (and (p z) (< 5 z)) -> false"],
    ];
    assert_eq!(questions, expected);
    assert_eq!(script.requests.len(), 1);
    assert_eq!(script.requests[0].0, 3);
}

#[test]
fn dialects_turn_the_promise_round() {
    let horn = read_sound(b"(set-info :status sat)\n(check-sat)");
    assert_eq!(horn.promises_safe(), Some(true));
    let fixedpoint = read_sound(b"(set-info :status sat)(declare-rel p ())(rule p)(query p)");
    assert_eq!(fixedpoint.promises_safe(), Some(false));
    let unknown = read_sound(b"(set-info :status unknown)\n(check-sat)");
    assert_eq!(unknown.promises_safe(), None);
}
