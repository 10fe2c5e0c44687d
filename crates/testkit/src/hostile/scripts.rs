//! Pieces of evidence for answers that are false, about scripts and about formulas of clauses.
//!
//! Models are about a script that has none, and proofs about one that has a model; likewise for
//! clauses. The script has no model because an order without an end needs infinitely many elements and
//! there are two: whoever takes a sort as finite in one formula and as infinite in another would accept.

mod plain;

use super::clauses;
use super::draw::Draw;
use super::pieces::{FAMILIES as OTHERS, RULES, lrat, noise, proof};
pub use plain::number;
use plain::{assignment, binary, drat};
use std::fmt::Write;

/// What a piece is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A script whose formulas contradict each other.
    ScriptUnsat,
    /// A script whose formulas do not.
    ScriptSat,
    /// Clauses without a model.
    ClausesUnsat,
    /// Clauses with one.
    ClausesSat,
}

/// Constants that are there to depend on each other.
pub const CHAINED: usize = 200;

/// A script with all sorts and no model.
pub fn script_unsat() -> String {
    let mut text = String::from(
        "(set-logic ALL)
(declare-sort U 0)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-datatypes ((T 0)) (((leaf) (node (left T) (right T)))))
(declare-fun f (Int) Int)
(declare-fun g (U) U)
(declare-fun h (T) T)
(declare-fun p (U U) Bool)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun r () Real)
(declare-fun u () U)
(declare-fun v () U)
(declare-fun t () T)
(declare-fun s () T)
(declare-fun a () (Array Int Int))
(declare-fun m () (Array U (Array U Bool)))
(declare-fun n () (Array T T))
(declare-fun w () (_ BitVec 8))
(assert (forall ((e U)) (exists ((d U)) (and (p e d) (not (= e d))))))
(assert (forall ((c U) (d U) (e U)) (=> (and (p c d) (p d e)) (p c e))))
(assert (forall ((e U)) (not (p e e))))
(assert (forall ((e U)) (or (= e u) (= e v))))
(assert (forall ((e U) (b Bool)) (= (select m e) (store (select m (g e)) u b))))
(assert (= (h (node t s)) (node s (h t))))
(assert (= n (store (store n t s) s (select n (h t)))))
(assert (forall ((e U)) (=> (= (h t) s) (= (g e) e))))
(assert (= (f (* x x y)) (f (+ (f x) (f y)))))
(assert (< r (* r r r)))
(assert (= a (store a (f x) (select a y))))
(assert (forall ((z (_ BitVec 8))) (bvule (bvmul z w) (bvudiv w z))))
",
    );
    for index in 0..CHAINED {
        let _ = writeln!(text, "(declare-fun c{index} () Int)");
    }
    let all: Vec<String> = (0..CHAINED).map(|index| format!("c{index}")).collect();
    let _ = writeln!(text, "(assert (< 0 {}))\n(check-sat)", all.join(" "));
    text
}

/// A script with all sorts and a model.
pub const SCRIPT_SAT: &str = "(set-logic ALL)
(declare-sort U 0)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun f (Int) Int)
(declare-fun g (U) U)
(declare-fun k () Int)
(assert (forall ((e U)) (= (g e) e)))
(assert (forall ((z Int)) (<= z (f z))))
(assert (< k (f k)))
(check-sat)
";

/// Clauses without a model: two variables in all four ways, beside others.
pub const CLAUSES_UNSAT: &str = "p cnf 6 6\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n3 4 5 0\n-5 6 0\n";

/// Clauses with one.
pub const CLAUSES_SAT: &str = "p cnf 6 6\n1 2 0\n-1 3 0\n-2 3 0\n-3 4 5 0\n-4 6 0\n-5 6 0\n";

/// The families, by name.
pub const FAMILIES: &[&str] = &[
    "script-values",
    "script-universe",
    "script-table",
    "script-shared",
    "script-chain",
    "script-proof",
    "script-noise",
    "clauses-model",
    "clauses-lrat",
    "clauses-lrat-binary",
    "clauses-drat",
    "clauses-drat-binary",
    "clauses-resolved",
    "clauses-deleted",
    "clauses-idle",
];

/// A piece of a family: what it is about, and its bytes.
pub fn piece(family: &str, draw: &mut Draw) -> (About, Vec<u8>) {
    let script = |text: String| (About::ScriptUnsat, text.into_bytes());
    match family {
        "script-values" => script(values(draw)),
        "script-universe" => script(universe(draw)),
        "script-table" => script(tables(draw)),
        "script-shared" => script(shared(draw)),
        "script-chain" => script(chain(draw)),
        "script-proof" => {
            let rule = *draw.pick(&OTHERS[..RULES]);
            let text = format!("unsat\n(proof\n{})\n", proof(rule, draw, true));
            (About::ScriptSat, text.into_bytes())
        }
        "script-noise" => script(noise(draw)),
        "clauses-model" => (About::ClausesUnsat, assignment(draw).into_bytes()),
        "clauses-lrat" => {
            let mut text = String::new();
            for _ in 0..draw.size(200) {
                lrat(draw, &mut text);
            }
            (About::ClausesSat, text.into_bytes())
        }
        "clauses-lrat-binary" => (About::ClausesSat, binary(draw, true)),
        "clauses-resolved" => (About::ClausesSat, clauses::resolved(draw)),
        "clauses-deleted" => (About::ClausesSat, clauses::deleted(draw)),
        "clauses-idle" => (About::ClausesSat, clauses::idle(draw)),
        "clauses-drat-binary" => (About::ClausesSat, binary(draw, false)),
        _ => (About::ClausesSat, drat(draw).into_bytes()),
    }
}

/// One definition of a constant.
fn constant(text: &mut String, name: &str, sort: &str, value: &str) {
    let _ = writeln!(text, "(define-fun {name} () {sort} {value})");
}

fn values(draw: &mut Draw) -> String {
    let mut text = String::from("sat\n(\n");
    draw.fix_width(8);
    let (x, r, a, w) = (draw.int(), draw.real(), draw.array(), draw.word());
    for (name, sort, value) in
        [("x", "Int", x), ("r", "Real", r), ("a", "(Array Int Int)", a), ("w", "(_ BitVec 8)", w)]
    {
        let value = draw.ground(&value);
        constant(&mut text, name, sort, &value);
    }
    let y = draw.numeral();
    constant(&mut text, "y", "Int", &y);
    let body = draw.int();
    let body = draw.ground(&body).replacen("(y 2)", "(y z)", 1);
    let _ = writeln!(text, "(define-fun f ((z Int)) Int {body})");
    let formula = draw.formula();
    let formula = draw.ground(&formula);
    let _ = writeln!(text, "(define-fun p ((c U) (d U)) Bool {formula})");
    text + ")\n"
}

fn universe(draw: &mut Draw) -> String {
    let mut text = String::from("(model\n");
    let count = draw.size(6_000);
    let name = |at: u64| format!("U!val!{at}");
    for at in 0..count {
        let _ = writeln!(text, "(declare-fun {} () U)", name(at));
    }
    if draw.chance(2) {
        let all: Vec<String> = (0..count).map(|at| format!("(= e {})", name(at))).collect();
        let _ = writeln!(text, "(forall ((e U)) (or {}))", all.join(" "));
    }
    for constant_name in ["u", "v"] {
        let value = match draw.chance(9) {
            true => format!("(as @far{} U)", draw.below(99)),
            false => name(draw.below(count)),
        };
        constant(&mut text, constant_name, "U", &value);
    }
    let relation = match draw.below(6) {
        0 => "true".to_owned(),
        1 => "(not (= c d))".to_owned(),
        2 => format!("(forall ((e U) (k U)) (or (= e k) (= c {})))", name(draw.below(count))),
        3 => {
            draw.doubled("(= c d)", "(forall ((e U)) (or q (exists ((d U)) (and q (= e d)))))", 12)
        }
        _ => {
            let pair = |draw: &mut Draw| {
                format!("(and (= c {}) (= d {}))", name(draw.below(count)), name(draw.below(count)))
            };
            let pairs: Vec<String> = (0..draw.size(2_000)).map(|_| pair(draw)).collect();
            format!("(or false {})", pairs.join(" "))
        }
    };
    let _ = writeln!(text, "(define-fun p ((c U) (d U)) Bool {relation})");
    let mut next = "e".to_owned();
    for _ in 0..draw.size(900) {
        next =
            format!("(ite (= e {}) {} {next})", name(draw.below(count)), name(draw.below(count)));
    }
    let _ = writeln!(text, "(define-fun g ((e U)) U {next})");
    let mut inner = "((as const (Array U Bool)) false)".to_owned();
    for _ in 0..draw.size(300) {
        inner = format!("(store {inner} {} {})", name(draw.below(count)), draw.chance(2));
    }
    let mut outer = format!("((as const (Array U (Array U Bool))) {inner})");
    for _ in 0..draw.size(60) {
        outer = format!("(store {outer} {} {inner})", name(draw.below(count)));
    }
    if draw.chance(2) {
        constant(&mut text, "m", "(Array U (Array U Bool))", &outer);
    }
    text + ")\n"
}

fn tables(draw: &mut Draw) -> String {
    let mut text = String::from("(\n");
    let mut body = draw.numeral();
    for case in 0..draw.size(1_200) {
        let (key, value) = match draw.chance(30) {
            true => (draw.numeral(), draw.numeral()),
            false => (case.to_string(), draw.below(9).to_string()),
        };
        body = format!("(ite (= z {key}) {value} {body})");
    }
    let _ = writeln!(text, "(define-fun f ((z Int)) Int {body})");
    let key = draw.doubled("leaf", "(node q q)", 24);
    let mut body = "leaf".to_owned();
    for case in 0..draw.size(60) {
        let value = match draw.below(3) {
            0 => key.clone(),
            1 => draw.nested("(node leaf ", "leaf", ")", 300),
            _ => "k".to_owned(),
        };
        let at =
            format!("{}{key}{}", "(node leaf ".repeat(case as usize), ")".repeat(case as usize));
        body = format!("(ite (= k {at}) {value} {body})");
    }
    let _ = writeln!(text, "(define-fun h ((k T)) T {body})");
    let t = draw.doubled("leaf", "(node q q)", 24);
    constant(&mut text, "t", "T", &t);
    text + ")\n"
}

fn shared(draw: &mut Draw) -> String {
    let mut text = String::from("(\n");
    for name in ["t", "s"] {
        let start = *draw.pick(&["leaf", "leaf", "(node leaf leaf)"]);
        let step = *draw.pick(&["(node q q)", "(node q q)", "(node q leaf)", "(node (left q) q)"]);
        let value = draw.doubled(start, step, 60);
        constant(&mut text, name, "T", &value);
    }
    let body = match draw.below(4) {
        0 => "(node k k)".to_owned(),
        1 => draw.doubled("k", "(node q q)", 40),
        2 => draw.doubled("k", "(left (node q (right q)))", 80),
        _ => "k".to_owned(),
    };
    let _ = writeln!(text, "(define-fun h ((k T)) T {body})");
    let tree = draw.doubled("leaf", "(node q q)", 30);
    let step = "(store q (node (select q leaf) (select q t0)) (node t0 (select q t0)))";
    let stores = draw.doubled("((as const (Array T T)) t0)", step, 60);
    constant(&mut text, "n", "(Array T T)", &format!("(let ((t0 {tree})) {stores})"));
    text + ")\n"
}

/// Definitions that need those after them.
fn chain(draw: &mut Draw) -> String {
    let mut text = String::from("(\n");
    let count = CHAINED.min(1 + draw.size(CHAINED as u64 * 2) as usize);
    let is_reversed = draw.chance(2);
    let step = *draw.pick(&["(+ q 1)", "(* q q)", "(+ q q q)", "(f q)", "(- q)"]);
    for index in 0..count {
        let at = if is_reversed { count - 1 - index } else { index };
        let value = match (at + 1 < count, draw.chance(300)) {
            (true, false) => step.replace('q', &format!("c{}", at + 1)),
            _ => draw.numeral(),
        };
        constant(&mut text, &format!("c{at}"), "Int", &value);
    }
    let body = *draw.pick(&["(+ z 1)", "(* z z)", "(f z)", "(ite (= z c0) 1 z)"]);
    let _ = writeln!(text, "(define-fun f ((z Int)) Int {body})");
    text + ")\n"
}
