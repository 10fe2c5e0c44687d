//! Pieces of evidence for verdicts that are false, a family for each rule and each kind of evidence.
//!
//! Nothing here began as good evidence: each piece is made to ask for as much as it can. Proofs are
//! about problems that are unsafe and runs about problems that are safe, so whatever is accepted is
//! a fault.

use super::draw::Draw;
use std::fmt::Write;

/// What a piece is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Horn clauses from which false follows.
    HornUnsafe,
    /// Horn clauses that have a model.
    HornSafe,
    /// A system over words with a reachable bad state.
    WordsUnsafe,
    /// A system over words without one.
    WordsSafe,
    /// A circuit with a reachable bad state and a violated justice property.
    CircuitUnsafe,
    /// A circuit without either.
    CircuitSafe,
    /// The circuit with a reachable bad state, by a witness circuit and proofs after it.
    Witness,
}

/// Horn clauses with all sorts; false follows in three steps.
pub const HORN_UNSAFE: &str = "(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun f (Int) Int)
(declare-fun P (Int) Bool)
(declare-fun Q (Int (Array Int Int) L (_ BitVec 8) Real) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int) (a (Array Int Int)) (l L) (w (_ BitVec 8)) (r Real)) (=> (P x) (Q x a l w r))))
(assert (forall ((x Int)) (=> (and (P x) (> x 2)) false)))
(check-sat)
";

/// Horn clauses with all sorts; no query can fire.
pub const HORN_SAFE: &str = "(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun P (Int) Bool)
(declare-fun Q (Int (Array Int Int) L (_ BitVec 8) Real) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int) (a (Array Int Int)) (l L) (w (_ BitVec 8)) (r Real)) (=> (P x) (Q x a l w r))))
(assert (forall ((x Int) (a (Array Int Int)) (l L) (w (_ BitVec 8)) (r Real)) (=> (and (Q x a l w r) (> x 2)) false)))
(check-sat)
";

/// A counter of eight bits beside a memory and a long word; it reaches 3 again and again.
pub const WORDS_UNSAFE: &str =
    "1 sort bitvec 8\n2 sort bitvec 1\n3 sort array 1 1\n4 sort bitvec 65536
5 zero 1\n6 one 1\n7 state 1 s\n8 state 3 m\n9 state 4 big\n10 input 1 i
11 init 1 7 5\n12 add 1 7 6\n13 next 1 7 12\n14 write 3 8 10 7\n15 next 3 8 14\n16 next 4 9 9
17 constd 1 3\n18 eq 2 7 17\n19 bad 18\n20 justice 1 18\n";

/// The same, but the counter stays where it is.
pub const WORDS_SAFE: &str =
    "1 sort bitvec 8\n2 sort bitvec 1\n3 sort array 1 1\n4 sort bitvec 65536
5 zero 1\n6 one 1\n7 state 1 s\n8 state 3 m\n9 state 4 big\n10 input 1 i
11 init 1 7 5\n13 next 1 7 7\n14 write 3 8 10 7\n15 next 3 8 14\n16 next 4 9 9
17 constd 1 3\n18 eq 2 7 17\n19 bad 18\n20 justice 1 18\n";

/// Two latches that count to three, with a justice property that a run violates.
pub const CIRCUIT_UNSAFE: &str =
    "aag 6 1 2 0 3 1 0 1 0\n2\n4 5\n6 9\n12\n1\n12\n8 4 6\n10 5 7\n12 4 6\n";

/// A latch that stays false, with a bad state and a justice property that need it.
pub const CIRCUIT_SAFE: &str = "aag 2 1 1 0 0 1 0 1 0\n2\n4 4\n4\n1\n4\n";

/// The families, by name.
pub const FAMILIES: &[&str] = &[
    "assert",
    "rup",
    "tautology",
    "farkas",
    "linear",
    "branch",
    "trichotomy",
    "arithmetic",
    "product",
    "transitivity",
    "congruence",
    "array",
    "conditional",
    "datatype",
    "bisimulation",
    "instantiate",
    "skolem",
    "bits",
    "evaluate",
    "ring",
    "model",
    "table",
    "choice",
    "fold",
    "law",
    "cases",
    "derivation",
    "refutation",
    "word-states",
    "word-formula",
    "word-bits",
    "word-justice",
    "word-run",
    "word-lasso",
    "states",
    "clauses",
    "aig",
    "induction",
    "justice",
    "lrat",
    "run",
    "witness",
    "noise",
];

/// How many of them are rules of proofs; these come first.
pub const RULES: usize = 20;

/// A piece of a family: what it is about, and its text.
pub fn piece(family: &str, draw: &mut Draw) -> (About, String) {
    match family {
        "model" | "table" | "choice" | "fold" | "law" => (About::HornUnsafe, model(family, draw)),
        "cases" => {
            let clause = draw.below(3);
            let text = format!(
                "{DEFINITIONS}(set-info :alphorn-proof (clause {clause}\n{}))\n",
                cases(draw)
            );
            (About::HornUnsafe, text)
        }
        "derivation" => (About::HornSafe, derivation(draw)),
        "refutation" => {
            let rule = *draw.pick(&FAMILIES[..RULES]);
            (About::HornSafe, format!("(proof\n{})", proof(rule, draw, true)))
        }
        "word-states" | "word-formula" | "word-bits" | "word-justice" => {
            (About::WordsUnsafe, words(family, draw))
        }
        "word-run" => (About::WordsSafe, word_run(draw)),
        "word-lasso" => (About::WordsSafe, word_lasso(draw)),
        "witness" => (About::Witness, witness(draw)),
        "states" | "clauses" | "aig" | "induction" | "justice" | "lrat" => {
            (About::CircuitUnsafe, certificate(family, draw))
        }
        "run" => (About::CircuitSafe, run(draw)),
        "noise" => {
            let about = [About::HornUnsafe, About::WordsUnsafe, About::CircuitUnsafe];
            (*draw.pick(&about), noise(draw))
        }
        rule => {
            let clause = draw.below(3);
            let mut text = String::from(DEFINITIONS);
            let _ = write!(
                text,
                "(set-info :alphorn-proof (clause {clause}\n{}))\n",
                proof(rule, draw, true)
            );
            (About::HornUnsafe, text)
        }
    }
}

const DEFINITIONS: &str = "(define-fun P ((x Int)) Bool true)
(define-fun Q ((x Int) (a (Array Int Int)) (l L) (w (_ BitVec 8)) (r Real)) Bool true)
";

/// The lines of a proof whose steps are mostly by one rule, where there are datatypes or not.
pub fn proof(rule: &str, draw: &mut Draw, has_data: bool) -> String {
    if rule == "ring" && draw.chance(4) {
        return same_products(draw);
    }
    let width = draw.choose_width();
    let data = if has_data { "(var l L)" } else { "(var l Int)" };
    let mut out = format!(
        "(var x Int)(var y Int)(var r Real)(var b Bool)(var a (Array Int Int)){data}\n(var w (_ BitVec {width}))\n"
    );
    let atoms = 1 + draw.below(5);
    for number in 0..atoms {
        let mut atom = shaped(rule, draw);
        if !has_data && ["cons", "tail", "nil", " l"].iter().any(|word| atom.contains(word)) {
            atom = format!("(bvult {} {})", "w", draw.nested("(bvadd w ", "w", ")", 400));
        }
        let _ = writeln!(out, "(atom {number} {atom})");
    }
    let steps = draw.size(60);
    for number in 0..steps {
        let _ = write!(out, "(step {number} (cl");
        for _ in 0..draw.below(5) {
            let atom = draw.below(atoms);
            let _ = match draw.chance(2) {
                true => write!(out, " @{atom}"),
                false => write!(out, " (not @{atom})"),
            };
        }
        let _ = writeln!(out, ") ({}))", by(rule, number, draw));
    }
    let last = if draw.chance(2) { "rup" } else { rule };
    let _ = writeln!(out, "(step {steps} (cl) ({}))", by(last, steps, draw));
    out
}

/// Cases whose equations double what they are about, each time they are put in.
fn cases(draw: &mut Draw) -> String {
    let mut out = String::new();
    let count = 1 + draw.below(3);
    for number in 0..count {
        let depth = 1 + draw.size(60);
        out.push_str("(case (var x Int)");
        for at in 0..=depth {
            let _ = write!(out, "(var y{at} Int)");
        }
        let term = |at: u64, draw: &mut Draw| match draw.below(5) {
            0 => format!("(+ y{at} y{at} 1)"),
            1 => format!("(* y{at} y{at})"),
            2 => format!("(* (+ y{at} x) (+ y{at} 1))"),
            3 => format!("(ite (< y{at} x) (+ y{at} 1) (* 3 y{at}))"),
            _ => format!("(* {} y{at})", "9".repeat(1 + at as usize)),
        };
        let terms: Vec<String> = (0..depth).map(|at| term(at, draw)).collect();
        let equations =
            terms.iter().enumerate().map(|(at, term)| format!("(= y{} {term})", at + 1));
        let equations: Vec<String> = equations.collect();
        let is_last = number + 1 == count && draw.chance(2);
        let condition =
            if is_last { "true".to_owned() } else { format!("(and true {})", equations.join(" ")) };
        let _ = writeln!(out, "(when {condition})");
        let one_round = draw.chance(2);
        let mut puts: Vec<String> =
            terms.iter().enumerate().map(|(at, term)| format!("(y{} {term})", at + 1)).collect();
        if draw.chance(4) {
            puts.reverse();
        }
        let separator = if one_round { " " } else { ") (put " };
        let _ = writeln!(out, "(put {})", puts.join(separator));
        let _ = writeln!(out, "{})", proof("rup", draw, true));
    }
    out
}

/// A formula that a rule has something to do with.
fn shaped(rule: &str, draw: &mut Draw) -> String {
    match rule {
        "farkas" | "linear" | "branch" | "trichotomy" | "product" | "arithmetic" => {
            match draw.below(5) {
                0 => format!("(= {} {})", draw.int(), draw.int()),
                1 => format!("(< {} {})", draw.real(), draw.real()),
                2 => {
                    let count = draw.size(150);
                    let summand = |at: u64| format!("(* {} (mod x {}))", at + 1, at + 2);
                    let sum = (0..count).map(summand).collect::<Vec<String>>().join(" ");
                    format!("(<= (+ x y {sum}) {})", draw.numeral())
                }
                _ => format!("(<= {} {})", draw.int(), draw.int()),
            }
        }
        "array" => {
            format!("(= (select (store {} x y) {}) {})", draw.array(), draw.int(), draw.int())
        }
        "datatype" | "bisimulation" => format!("(= {} {})", draw.data(), draw.data()),
        "bits" => format!("(bvult {} {})", draw.word(), draw.word()),
        "ring" => polynomials(draw),
        "instantiate" | "skolem" | "evaluate" | "tautology" => draw.formula(),
        _ => draw.atom(),
    }
}

/// An equation of words whose sides are large once multiplied out.
fn polynomials(draw: &mut Draw) -> String {
    let width = draw.width_of_word();
    let side = |draw: &mut Draw| {
        // Parts that a polynomial is not read into.
        let atom = |at: u64| format!("(bvudiv w (bvadd w (_ bv{at} {width})))");
        let atoms = 1 + draw.below(40);
        let sums: Vec<String> = (0..atoms).map(atom).collect();
        let sum = format!("(bvadd w {})", sums.join(" "));
        match draw.below(6) {
            0 => draw.doubled("w", "(bvmul q q)", 60),
            1 => draw.doubled(&sum, "(bvmul q (bvadd q w))", 6),
            2 => draw.doubled(&sum, "(bvadd q (bvmul q w))", 60),
            3 => {
                // A sum of one large part again and again.
                let many = vec!["q"; 2 + draw.size(3_000) as usize].join(" ");
                format!("(let ((q (bvmul {sum} {sum} {sum}))) (bvadd {many}))")
            }
            4 => {
                let product = draw.doubled(&sum, "(bvmul q w)", 300);
                format!("(bvshl {product} (_ bv1 {width}))")
            }
            _ => format!("(bvmul {sum} {sum})"),
        }
    };
    format!("(= {} {})", side(draw), side(draw))
}

/// A large equation of products that holds, shown again and again.
fn same_products(draw: &mut Draw) -> String {
    let width = *draw.pick(&[8, 8, 64, 65, 1_024]);
    let count = 1 + draw.below(32);
    let sum = |first: u64| {
        let atom = |at: u64| format!("(bvudiv w (bvadd w (_ bv{} {width})))", (first + at) % 256);
        format!("(bvadd {})", (0..=count).map(atom).collect::<Vec<String>>().join(" "))
    };
    let (a, b, c) = (sum(0), sum(60), sum(120));
    let mut out = format!("(var w (_ BitVec {width}))\n");
    let _ = writeln!(out, "(atom 0 (= (bvmul {a} (bvmul {b} {c})) (bvmul (bvmul {a} {b}) {c})))");
    let steps = draw.size(3_000);
    for step in 0..steps {
        let _ = writeln!(out, "(step {step} (cl @0) (ring))");
    }
    let _ = writeln!(out, "(step {steps} (cl) (rup 0))");
    out
}

/// A rule with its arguments.
fn by(rule: &str, steps: u64, draw: &mut Draw) -> String {
    let list = |draw: &mut Draw, most: u64, mut one: Box<dyn FnMut(&mut Draw) -> String>| {
        let count = draw.size(most);
        (0..count).map(|_| one(draw)).collect::<Vec<String>>().join(" ")
    };
    match rule {
        "assert" => format!("assert {}", draw.index(4)),
        "rup" => {
            let hints = list(draw, 40, Box::new(move |draw| draw.index(steps).to_string()));
            format!("rup {hints}")
        }
        "farkas" => format!("farkas {}", list(draw, 5, Box::new(|draw| draw.fraction()))),
        "linear" => {
            let mut lines = String::from("linear (hypothesis 0)");
            let count = draw.size(300);
            for line in 1..=count {
                let _ = match draw.below(6) {
                    0 => write!(lines, " (hypothesis {})", draw.index(3)),
                    1 => write!(lines, " (round {})", draw.below(line)),
                    2 => write!(lines, " (combine ({} {}))", draw.fraction(), draw.index(line)),
                    _ => {
                        let (one, other) = (draw.below(line), line - 1);
                        write!(lines, " (combine (3.0 {other}) (5.0 {one}))")
                    }
                };
            }
            lines
        }
        "arithmetic" => format!("arithmetic {}", draw.int()),
        "product" => format!("product {} {}", draw.int(), draw.int()),
        "array" => format!("array (select (store {} x y) {})", draw.array(), draw.int()),
        "conditional" => {
            format!("conditional (ite {} {} {})", draw.formula(), draw.int(), draw.int())
        }
        "bisimulation" => {
            format!("bisimulation {}", list(draw, 8, Box::new(|draw| draw.data())))
        }
        "instantiate" => format!("instantiate {}", list(draw, 3, Box::new(|draw| draw.int()))),
        "skolem" => format!(
            "skolem {}",
            list(draw, 3, Box::new(|draw| (*draw.pick(&["x", "y", "a"])).to_owned()))
        ),
        other => other.to_owned(),
    }
}

fn model(family: &str, draw: &mut Draw) -> String {
    let body = match draw.below(4) {
        0 => "true".to_owned(),
        1 => {
            let count = draw.size(200);
            let rows: Vec<String> = (0..count).map(|row| format!("(= x {row})")).collect();
            format!("(or false {})", rows.join(" "))
        }
        _ => {
            draw.choose_width();
            let formula = draw.formula();
            draw.closed(&formula, "x")
        }
    };
    let mut text = String::new();
    if family == "fold" || family == "law" {
        draw.fix_width(8);
        let value = draw.int();
        let value = format!(
            "(let ((x h) (y (len t)) (r 0.5) (b true) (l t) (w #x0f) \
             (a ((as const (Array Int Int)) 0))) {value})"
        );
        let _ = writeln!(
            text,
            "(define-funs-rec ((len ((l L)) Int)) ((match l ((nil {}) ((cons h t) {value})))))",
            draw.numeral()
        );
    }
    let _ = writeln!(text, "(define-fun P ((x Int)) Bool {body})");
    text.push_str(
        "(define-fun Q ((x Int) (a (Array Int Int)) (l L) (w (_ BitVec 8)) (r Real)) Bool true)\n",
    );
    match family {
        "table" => {
            let _ = write!(text, "(set-info :alphorn-function (f");
            for case in 0..draw.size(200) {
                let _ = write!(text, " (case ({case}) {})", draw.numeral());
            }
            let _ = writeln!(
                text,
                " (else {} {})))",
                draw.numeral(),
                draw.pick(&["", "steps", "(sum +)"])
            );
        }
        "choice" => {
            let which = *draw.pick(&["div", "mod", "select head L"]);
            let value = draw.int();
            let value = draw.ground(&value);
            let _ = writeln!(text, "(set-info :alphorn-choice ({which} (else {value})))");
        }
        "law" => {
            let mut laws = String::new();
            for _ in 0..draw.size(20) {
                let formula = draw.formula();
                let formula = draw.closed(&formula, "");
                let formula = format!("(or (= (len v) 0) {formula})");
                let _ = write!(
                    laws,
                    "(set-info :alphorn-law ({} (v L) {formula} (case () {}) (case ((h Int) (t L)) {})))",
                    draw.index(2),
                    proof("rup", draw, true),
                    proof("evaluate", draw, true)
                );
            }
            text.push_str(&laws);
        }
        _ => {}
    }
    text
}

fn derivation(draw: &mut Draw) -> String {
    let mut text = String::from("(derivation\n");
    let steps = draw.size(100);
    for step in 0..steps {
        let clause = draw.below(3);
        draw.choose_width();
        let int = draw.int();
        let int = draw.ground(&int);
        let values = match clause {
            0 => int,
            _ => {
                let array = draw.array();
                let (array, real) = (draw.ground(&array), draw.fraction());
                format!("{int} {array} {} #x0f {real}", draw.nested("(cons 1 ", "nil", ")", 1200))
            }
        };
        let _ = write!(text, "(step {step} (clause {clause}) (values {values}) (premises");
        for _ in 0..draw.below(4) {
            let _ = write!(text, " {}", draw.index(step));
        }
        text.push_str("))\n");
    }
    text + ")\n"
}

fn words(family: &str, draw: &mut Draw) -> String {
    match family {
        "word-states" => {
            let mut text = String::from("(certificate (property 0) (states (");
            let which = *draw.pick(&["0", "0 1", "2", "0 1 2", ""]);
            text.push_str(which);
            text.push(')');
            for _ in 0..draw.size(300) {
                text.push_str(" (");
                for state in which.split_whitespace() {
                    let _ = match state {
                        "0" => write!(text, " (_ bv{} 8)", draw.below(256)),
                        "1" => write!(
                            text,
                            " ((as const (Array (_ BitVec 8) (_ BitVec 8))) (_ bv{} 8))",
                            draw.below(256)
                        ),
                        _ => write!(text, " (_ bv{} 65536)", draw.below(9)),
                    };
                }
                text.push(')');
            }
            text + "))\n"
        }
        "word-formula" => {
            let formula = match draw.below(4) {
                0 => draw.doubled("(bvult s #x02)", "(and (forall ((|s'| (_ BitVec 8))) (or q (= s |s'|))) (exists ((|s'| (_ BitVec 8))) (and q (bvule s |s'|))))", 80),
                1 => draw.doubled("(= big big)", "(= (and q (bvult big (bvmul big big))) q)", 10),
                2 => draw.nested("(not (forall ((z (_ BitVec 8))) (or (= z s) ", "(= s #x00)", ")))", 300),
                _ => "(bvult s #x02)".to_owned(),
            };
            let mut text = format!("(certificate (property 0) (formula {formula})");
            for _ in 0..3 {
                let rule = *draw.pick(&["bits", "evaluate", "rup", "instantiate"]);
                let _ = write!(text, " (proof {})", proof(rule, draw, false));
            }
            text + ")\n"
        }
        _ => {
            let property = match (family, draw.chance(2)) {
                ("word-justice", true) => format!("justice 0 count {}", draw.index(70_000)),
                ("word-justice", false) => "justice 0 loop".to_owned(),
                _ => "property 0".to_owned(),
            };
            let mut text = format!("alphorn-certificate 1\n{property}\nfollow");
            for state in 0..3 {
                if draw.chance(2) {
                    let _ = write!(text, " {state}");
                }
            }
            text.push('\n');
            for _ in 0..draw.size(200) {
                let _ = writeln!(text, "cell #b{:08b}", draw.below(256));
            }
            let kind = draw.below(4);
            invariant(draw, kind, &mut text);
            text
        }
    }
}

fn word_run(draw: &mut Draw) -> String {
    let mut text = format!("sat\n{}\n", draw.pick(&["b0", "b0", "b0", "j0", "b99999999"]));
    let steps = draw.size(400);
    for step in 0..steps {
        let _ = writeln!(text, "#{step}");
        if draw.chance(2) {
            let _ = writeln!(text, "0 {:08b}", draw.below(256));
            let _ = writeln!(text, "1 [{:08b}] {:08b}", draw.below(256), draw.below(256));
        }
        let _ = writeln!(text, "@{step}\n0 {:08b}", draw.below(256));
    }
    text + ".\n"
}

/// A run that goes on for ever: nothing moves, or it seems to come back.
fn word_lasso(draw: &mut Draw) -> String {
    let mut text = String::from("sat\nj0\n");
    let steps = draw.size(3_000);
    let moves = draw.chance(2);
    for step in 0..steps {
        let at = if moves { [0, 3][(step % 2) as usize] } else { 0 };
        if step == 0 || draw.chance(4) {
            let _ = writeln!(text, "#{step}\n0 {at:08b}");
            for _ in 0..draw.below(4) {
                let _ = writeln!(text, "1 [{:08b}] {:08b}", draw.below(256), draw.below(256));
            }
            if draw.chance(20) {
                let _ = writeln!(text, "2 {}", "01".repeat(32_768));
            }
        }
        let _ = writeln!(text, "@{step}\n0 {:08b}", draw.below(256));
    }
    text + ".\n"
}

/// A witness circuit, and after a line of its own the proofs.
fn witness(draw: &mut Draw) -> String {
    let (inputs, latches, gates) = (1 + draw.below(3), draw.size(40), draw.size(400));
    let most = inputs + latches + gates;
    let bad = if draw.chance(2) { 0 } else { draw.below(2 * most + 2) };
    let constraints = draw.size(300) - 1;
    let mut text = format!("aag {most} {inputs} {latches} 0 {gates} 1 {constraints}\n");
    for input in 0..inputs {
        let _ = writeln!(text, "{}", 2 * (1 + input));
    }
    for latch in 0..latches {
        let own = 2 * (1 + inputs + latch);
        let reset = *draw.pick(&[0, 1, own, own, own.saturating_sub(2)]);
        let _ = writeln!(text, "{own} {} {reset}", draw.below(2 * most + 2));
    }
    let _ = writeln!(text, "{bad}");
    for _ in 0..constraints {
        let _ = writeln!(text, "{}", draw.below(2 * most + 2));
    }
    for gate in 0..gates {
        let own = 2 * (1 + inputs + latches + gate);
        let _ = writeln!(text, "{own} {} {}", own - 1 - draw.below(2), draw.below(own));
    }
    for _ in 0..draw.below(4) {
        let (kind, at) = (*draw.pick(&["i", "l"]), draw.below(3));
        let _ = writeln!(text, "{kind}{at} = {}", draw.index(8));
    }
    text.push_str("c\nproofs\n");
    for _ in 0..2 {
        text.push_str("obligation\n");
        lrat(draw, &mut text);
    }
    text
}

fn certificate(family: &str, draw: &mut Draw) -> String {
    let mut text = String::from("alphorn-certificate 1\n");
    let property = match family {
        "justice" => match draw.chance(2) {
            true => format!("justice 0 count {}", draw.index(70_000)),
            false => "justice 0 loop".to_owned(),
        },
        _ => format!("property {}", if draw.chance(9) { draw.index(3) } else { 0 }),
    };
    let _ = writeln!(text, "{property}");
    let kind = match family {
        "states" => 0,
        "clauses" | "lrat" => 1,
        "aig" => 2,
        "induction" => 3,
        _ => draw.below(4),
    };
    invariant(draw, kind, &mut text);
    text
}

/// An invariant of a circuit, with proofs, up to the end.
fn invariant(draw: &mut Draw, kind: u64, text: &mut String) {
    let mut proofs = 3;
    match kind {
        0 => {
            let (latches, rows) = *draw.pick(&[
                ("0", ["0", "1"]),
                ("0 1", ["01", "10"]),
                ("1", ["1", "0"]),
                ("", ["-", "-"]),
                ("9", ["0", "1"]),
            ]);
            let _ = writeln!(text, "invariant states {latches}");
            for _ in 0..draw.size(40) {
                let _ = writeln!(text, "{}", draw.pick(&rows));
            }
            proofs = 0;
        }
        1 => {
            text.push_str("invariant clauses\n");
            for _ in 0..draw.size(200) {
                let far = if draw.chance(400) { draw.index(3) } else { 0 };
                let _ = writeln!(text, "{} -{} 0", 1 + draw.below(2), 1 + draw.below(2) + far);
            }
        }
        2 => {
            text.push_str("invariant aig\n");
            let gates = draw.size(200);
            let _ = writeln!(text, "aag {} 2 0 1 {gates}\n2\n4\n{}", 2 + gates, 2 * (2 + gates));
            for gate in 0..gates {
                let own = 2 * (3 + gate);
                let _ =
                    writeln!(text, "{own} {} {}", own - 2 + draw.below(2), own - 4 + draw.below(2));
            }
            text.push_str("end\n");
        }
        _ => {
            proofs = draw.size(300);
            let claimed = match draw.chance(4) {
                true => *draw.pick(&[100_000_000, u64::MAX / 2, 65_536]),
                false => proofs.saturating_sub(1),
            };
            let path = if draw.chance(2) { " simple-path" } else { "" };
            let _ = writeln!(text, "invariant k-induction {claimed}{path}");
            if !path.is_empty() && draw.chance(2) {
                proofs += 1;
            }
        }
    }
    for _ in 0..proofs {
        text.push_str("obligation\n");
        lrat(draw, text);
    }
    text.push_str("end\n");
}

/// The lines of an LRAT proof.
pub fn lrat(draw: &mut Draw, text: &mut String) {
    let steps = draw.below(6);
    let first = 5 + draw.below(60);
    for step in 0..steps {
        let id = first + step;
        if draw.chance(6) {
            let _ = writeln!(text, "{id} d {} 0", draw.index(id).max(1));
            continue;
        }
        let _ = write!(text, "{id}");
        for _ in 0..draw.below(4) {
            let lit = 1 + draw.below(12);
            let _ = write!(text, " {}{lit}", if draw.chance(2) { "-" } else { "" });
        }
        text.push_str(" 0");
        for _ in 0..draw.size(60) {
            let hint = draw.index(id).max(1);
            let _ = write!(text, " {}{hint}", if draw.chance(4) { "-" } else { "" });
        }
        text.push_str(" 0\n");
    }
    if draw.chance(2) {
        let _ = writeln!(text, "{} 0 1 2 3 0", first + steps);
    }
}

fn run(draw: &mut Draw) -> String {
    let mut text = format!("1\n{}\n", draw.pick(&["b0", "b0", "j0", "j0", "b7"]));
    let _ = writeln!(text, "{}", draw.pick(&["0", "0", "0", "1", "x", "00"]));
    for _ in 0..draw.size(2_000) {
        let _ = writeln!(text, "{}", draw.pick(&["0", "1", "x"]));
    }
    text + ".\n"
}

/// Words of the formats in no order.
pub fn noise(draw: &mut Draw) -> String {
    const WORDS: &[&str] = &[
        "(",
        ")",
        "(",
        ")",
        "define-fun",
        "P",
        "Bool",
        "true",
        "set-info",
        ":alphorn-proof",
        "clause",
        "0",
        "step",
        "cl",
        "rup",
        "@0",
        "atom",
        "term",
        "var",
        "x",
        "Int",
        "(_ BitVec 16777216)",
        "certificate",
        "property",
        "formula",
        "states",
        "derivation",
        "values",
        "premises",
        "proof",
        "\n",
        "obligation",
        "invariant",
        "k-induction",
        "end",
        "alphorn-certificate 1\n",
        "sat",
        "b0",
        "#0",
        "@0",
        ".",
        "-1",
        "99999999999999999999",
        "let",
        "((q 3))",
        "forall",
        "((z Int))",
        "match",
        "|",
        "\"",
        ";",
        "#b",
        "_",
    ];
    let count = draw.size(300);
    (0..count).map(|_| *draw.pick(WORDS)).collect::<Vec<&str>>().join(" ")
}
