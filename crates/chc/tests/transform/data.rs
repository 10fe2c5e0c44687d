//! Records, enumerations and variants: what they become, and evidence about the values again.

use crate::{accepted, cards, carried, finding, read, transformed};
use alphorn_problem::Horn;
use alphorn_term::Sort;

const ALL: &[&str] = &["records", "enumerations", "variants"];

/// Whether a system has arguments or variables of datatypes, or arrays of them.
fn has_data(horn: &Horn) -> bool {
    let vars = horn.clauses.iter().flat_map(|clause| &clause.vars);
    let vars = vars.map(|&var| horn.terms.sort(var));
    let args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred)).copied();
    let mut sorts: Vec<_> = vars.chain(args).collect();
    while let Some(sort) = sorts.pop() {
        match horn.terms.sort_of(sort) {
            Sort::Data(_) => return true,
            Sort::Array(index, element) => sorts.extend([*index, *element]),
            _ => {}
        }
    }
    false
}

/// Lays out a text with a query put in, compares the number of all arguments, and has the evidence
/// judged: first for a safe query, then for an unsafe one.
#[track_caller]
fn check(names: &[&str], text: &str, arguments: usize, safe: &str, unsafe_: &str) {
    for (query, expected) in [(safe, "safe"), (unsafe_, "unsafe")] {
        let horn = read(&text.replace("QUERY", query));
        assert!(has_data(&horn));
        let (changed, back) = transformed(&horn, &cards(names));
        assert!(!has_data(&changed));
        let found = changed.pred_ids().map(|pred| changed.pred_args(pred).len()).sum::<usize>();
        assert_eq!(found, arguments, "arguments");
        let verdict = carried(&horn, &back, finding(&changed)).unwrap();
        assert_eq!(accepted(&horn, &verdict), Ok(expected), "{query}");
    }
}

#[test]
fn records_of_records() {
    let text = "(set-logic HORN)
        (declare-datatypes ((point 0)) (((point (x Int) (y Int)))))
        (declare-datatypes ((unit 0)) (((unit))))
        (declare-datatypes ((frame 0)) (((frame (low point) (nothing unit) (high point)))))
        (declare-fun p (frame) Bool)
        (assert (p (frame (point 0 0) unit (point 1 1))))
        (assert (forall ((f frame) (q point))
          (=> (and (p f) (< (x q) 9) (= q (high f)) (distinct (low f) q))
              (p (frame (low f) unit (point (+ (x q) 1) (y q)))))))
        (assert (forall ((f frame) (g frame)) (=> (and (p f) (= f g) QUERY) false)))";
    check(&["records"], text, 4, "(> (x (high g)) 9)", "(= (high g) (point 9 1))");
}

#[test]
fn parametric_records() {
    let text = "(set-logic HORN)
        (declare-datatypes ((pair 2)) ((par (A B) ((pair (first A) (second B))))))
        (declare-fun p ((pair Int (pair Bool Int))) Bool)
        (assert (p (pair 0 (pair true 0))))
        (assert (forall ((q (pair Int (pair Bool Int))) (b Bool))
          (=> (and (p q) (= b (not (first (second q)))))
              (p (pair (+ (first q) (ite b 1 2)) (pair b (+ (second (second q)) 2)))))))
        (assert (forall ((q (pair Int (pair Bool Int)))) (=> (and (p q) QUERY) false)))";
    check(&["records"], text, 3, "(> (first q) (second (second q)))", "(= (first q) 3)");
}

#[test]
fn enumerations_are_numbers_in_bounds() {
    let text = "(set-logic HORN)
        (declare-datatypes ((light 0)) (((red) (green) (amber))))
        (declare-datatypes ((switch 0)) (((off) (on))))
        (declare-fun p (light switch Int) Bool)
        (assert (forall ((l light)) (=> (distinct l green amber) (p l off 0))))
        (assert (forall ((l light) (s switch) (n Int)) (=> (and (p l s n) (= l red)) (p green on n))))
        (assert (forall ((s switch) (n Int)) (=> (p green s n) (p amber s (+ n 1)))))
        (assert (forall ((s switch) (n Int)) (=> (p amber s n) (p red (ite (= s on) off on) n))))
        (assert (forall ((l light) (s switch) (n Int)) (=> (and (p l s n) QUERY) false)))";
    let safe = "(not (= l red)) (not (= l green)) (not (= l amber))";
    check(&["enumerations"], text, 3, safe, "((_ is amber) l) (= n 2)");
    check(&["enumerations"], text, 3, "((_ is on) s) (= l red)", "(= s off) (= n 1)");
}

#[test]
fn variants_share_slots() {
    let text = "(set-logic HORN)
        (declare-datatypes ((shape 0))
          (((circle (radius Int)) (box (width Int) (height Int)) (empty) (flag (up Bool)))))
        (declare-fun p (shape Int) Bool)
        (assert (p empty 0))
        (assert (forall ((s shape) (n Int)) (=> (and (p s n) (= s empty)) (p (circle 1) n))))
        (assert (forall ((s shape) (n Int))
          (=> (and (p s n) ((_ is circle) s)) (p (box (radius s) (+ (radius s) 1)) (+ n 1)))))
        (assert (forall ((s shape) (n Int))
          (=> (and (p s n) ((_ is box) s)) (p (flag (< (width s) (height s))) n))))
        (assert (forall ((s shape) (n Int)) (=> (and (p s n) ((_ is flag) s) (up s)) (p empty n))))
        (assert (forall ((s shape) (t shape) (n Int)) (=> (and (p s n) QUERY) false)))";
    // A tag, two numbers and a truth value, besides the number.
    check(ALL, text, 5, "(= s (flag false))", "(= n 2) (= s t) ((_ is box) t)");
    check(ALL, text, 5, "(= s (circle 2))", "(= s (box 1 2))");
}

/// A selector on another constructor may be anything: nothing follows from it, and nothing is derived
/// by it.
#[test]
fn fields_of_other_constructors_are_open() {
    let text = "(set-logic HORN)
        (declare-datatypes ((option 0)) (((none) (some (value Int)))))
        (declare-fun p (option) Bool)
        (assert (p none))
        (assert (forall ((o option) (n Int)) (=> (and (p o) (= n 3)) (p (some n)))))
        (assert (forall ((o option)) (=> (and (p o) QUERY) false)))";
    check(ALL, text, 2, "((_ is some) o) (not (= (value o) 3))", "(= (value o) 3) ((_ is some) o)");
    let horn = read(&text.replace("QUERY", "(= (value o) 0)"));
    let (changed, back) = transformed(&horn, &cards(ALL));
    let finding = finding(&changed);
    assert!(matches!(finding, alphorn_problem::Finding::Fails(_)));
    assert!(carried(&horn, &back, finding).is_err(), "it depends on what (value none) is");
}

#[test]
fn arrays_of_records() {
    let text = "(set-logic HORN)
        (declare-datatypes ((cell 0)) (((cell (used Bool) (count Int)))))
        (declare-fun p ((Array Int cell) Int) Bool)
        (assert (forall ((k Int)) (p ((as const (Array Int cell)) (cell false 0)) k)))
        (assert (forall ((a (Array Int cell)) (b (Array Int cell)) (k Int) (i Int))
          (=> (and (p a k) (= b (store a i (cell true (+ (count (select a i)) 1))))) (p b k))))
        (assert (forall ((a (Array Int cell)) (k Int)) (=> (and (p a k) QUERY) false)))";
    let safe = "(not (used (select a k))) (> (count (select a k)) 0)";
    check(ALL, text, 3, safe, "(= (select a 5) (cell true 2))");
}

/// Arrays that are indexed by records become arrays of arrays, and come back as values.
#[test]
fn arrays_indexed_by_records() {
    let text = "(set-logic HORN)
        (declare-datatypes ((point 0)) (((point (x Int) (y Int)))))
        (declare-fun p ((Array point Int) point) Bool)
        (assert (forall ((k point)) (p ((as const (Array point Int)) 0) k)))
        (assert (forall ((a (Array point Int)) (k point) (i point))
          (=> (and (p a k) (< (x i) (y i))) (p (store a i (+ (select a i) 1)) k))))
        (assert (forall ((a (Array point Int)) (k point)) (=> (and (p a k) QUERY) false)))";
    let safe = "(< (select a k) 0)";
    check(ALL, text, 3, safe, "(= (select a (point 1 2)) 1) (= (select a (point 0 2)) 1)");
}

/// The columns of arrays of arrays and of choices, with equations of whole arrays.
#[test]
fn columns_of_choices() {
    let text = "(set-logic HORN)
        (declare-datatypes ((node 0)) (((node (key Int) (next Int)))))
        (declare-datatypes ((object 0)) (((number (get Int)) (a_node (of node)) (nothing))))
        (declare-datatypes ((heap 0)) (((heap (size Int) (cells (Array Int (Array Int object)))))))
        (declare-fun p (heap heap) Bool)
        (assert (forall ((h heap) (a (Array Int object)))
          (=> (and (= a ((as const (Array Int object)) nothing))
                   (= h (heap 0 ((as const (Array Int (Array Int object))) a)))) (p h h))))
        (assert (forall ((h heap) (g heap) (o object) (n node))
          (=> (and (p h g) (= (cells h) (cells g)) (= o (a_node n)) (= (key n) 4))
              (p (heap 1 (store (cells h) 1 (store (select (cells h) 1) 2 o))) g))))
        (assert (forall ((h heap) (g heap) (o object))
          (=> (and (p h g) (= o (select (select (cells h) 1) 2)) QUERY) false)))";
    let safe = "((_ is number) o)";
    check(ALL, text, 8, safe, "((_ is a_node) o) (= (key (of o)) 4)");
}

/// What is switched off stays as it is.
#[test]
fn each_kind_alone() {
    let text = "(set-logic HORN)
        (declare-datatypes ((light 0)) (((red) (green) (amber))))
        (declare-datatypes ((option 0)) (((none) (some (value light)))))
        (declare-datatypes ((pair 0)) (((pair (first light) (second option)))))
        (declare-fun p (pair light option) Bool)
        (assert (p (pair red none) green (some amber)))
        (assert (forall ((q pair) (l light) (o option)) (=> (and (p q l o) (= l red)) false)))";
    let horn = read(text);
    let sorts = |names: &[&str]| {
        let (changed, _) = transformed(&horn, &cards(names));
        let args = changed.pred_ids().flat_map(|pred| changed.pred_args(pred).to_vec());
        args.map(|sort| changed.terms.show_sort(sort).to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sorts(&["records"]), "light option light option");
    assert_eq!(sorts(&["enumerations"]), "pair Int option");
    assert_eq!(sorts(&["records", "enumerations"]), "Int option Int option");
    assert_eq!(sorts(ALL), "Int Bool Int Int Bool Int");
    assert_eq!(sorts(&["normal-form"]), "pair light option");
}

/// Recursive datatypes are left alone, with everything that contains them.
#[test]
fn recursive_datatypes_stay() {
    let text = "(set-logic HORN)
        (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
        (declare-datatypes ((pair 0)) (((pair (first Int) (second list)))))
        (declare-fun p (pair) Bool)
        (assert (p (pair 0 nil)))
        (assert (forall ((q pair)) (=> (and (p q) (= (first q) 1)) false)))";
    let horn = read(text);
    let (changed, _) = transformed(&horn, &cards(ALL));
    assert!(has_data(&changed));
    assert_eq!(changed.clauses.len(), horn.clauses.len());
}
