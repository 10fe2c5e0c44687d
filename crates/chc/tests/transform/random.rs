//! Random systems and random choices of transforms: the verdict stays, and evidence is accepted.
//!
//! Numbers are bounded, so the engine decides all systems. Some arguments are constants, some are
//! copies of others, some are never looked at, and some predicates are not recursive or not needed.

use crate::{accepted, cards, carried, decided, finding, read, transformed};
use alphorn_chc::{TRANSFORMS, TransformCard};
use alphorn_engine::Rng;
use alphorn_problem::Finding;

struct Generator {
    rng: Rng,
    is_linear: bool,
}

/// The predicates: names and sorts of arguments.
const PREDS: &[(&str, &[&str])] = &[
    ("p", &["Int", "Int"]),
    ("q", &["Int", "Bool"]),
    ("r", &["Int", "Int", "Real", "Bool"]),
    ("s", &[]),
    ("t", &["Int"]),
];

impl Generator {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.below(items.len() as u64) as usize]
    }

    fn number(&mut self) -> String {
        let base = self.pick(&["x", "y", "z", "0", "1", "2"]);
        match self.rng.below(6) {
            0 => format!("(+ {base} 1)"),
            1 => format!("(- {base} y)"),
            2 => format!("(ite b {base} 3)"),
            _ => base.to_owned(),
        }
    }

    fn real(&mut self) -> String {
        self.pick(&["u", "u", "v", "0.5", "(/ u 2.0)", "(+ u 1.0)"]).to_owned()
    }

    fn formula(&mut self) -> String {
        let (left, right) = (self.number(), self.number());
        match self.rng.below(11) {
            0 => "b".to_owned(),
            1 => "(not b)".to_owned(),
            2 => format!("(< {left} {right})"),
            3 => format!("(or (<= {left} {right}) b)"),
            4 => format!("(distinct {left} {right})"),
            5 => format!("(= b (<= {left} {right}))"),
            6 => format!("(= u {})", self.real()),
            7 => format!("(or (and (= w {left}) (< w y) (= z w)) (and (= w {right}) b))"),
            8 => format!("(or (and (= v {}) (<= v u) d) (and c (not d)))", self.real()),
            _ => format!("(= {left} {right})"),
        }
    }

    fn atom(&mut self, is_head: bool) -> String {
        let (name, sorts) = PREDS[self.rng.below(PREDS.len() as u64) as usize];
        if sorts.is_empty() {
            return name.to_owned();
        }
        let plain = if is_head { 2 } else { 4 };
        let args: Vec<String> = sorts
            .iter()
            .map(|&sort| match sort {
                "Int" if self.rng.below(5) < plain => self.pick(&["x", "y", "z"]).to_owned(),
                "Int" => self.pick(&["x", "1", "2", "(+ x 1)", "(- z 1)"]).to_owned(),
                "Real" => self.real(),
                _ => self.pick(&["b", "c", "c", "true", "(not b)"]).to_owned(),
            })
            .collect();
        format!("({name} {})", args.join(" "))
    }

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = Vec::new();
        for var in ["x", "y", "z"] {
            body.push(format!("(<= 0 {var} 2)"));
        }
        body.push("(<= 0.0 u 1.0)".to_owned());
        for _ in 0..self.rng.below(3) {
            body.push(self.formula());
        }
        for _ in 0..atoms {
            let atom = self.atom(false);
            body.push(match self.rng.below(6) {
                0 => format!("(or {atom} {})", self.formula()),
                1 => format!("(or (and {atom} {}) {})", self.formula(), self.atom(false)),
                _ => atom,
            });
        }
        let head = if is_query { "false".to_owned() } else { self.atom(true) };
        let vars = "(x Int) (y Int) (z Int) (u Real) (v Real) (w Int) (b Bool) (c Bool)
                    (d Bool)";
        format!("(assert (forall ({vars}) (=> (and {}) {head})))\n", body.join(" "))
    }

    fn system(&mut self) -> String {
        let mut text = "(set-logic HORN)\n".to_owned();
        for (name, sorts) in PREDS {
            text.push_str(&format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" ")));
        }
        for _ in 0..1 + self.rng.below(3) {
            text.push_str(&self.clause(0, false));
        }
        let most = if self.is_linear { 1 } else { 2 };
        for _ in 0..2 + self.rng.below(5) {
            let atoms = 1 + self.rng.below(most);
            text.push_str(&self.clause(atoms, false));
        }
        for _ in 0..1 + self.rng.below(2) {
            let atoms = 1 + self.rng.below(most);
            text.push_str(&self.clause(atoms, true));
        }
        text
    }

    fn cards(&mut self) -> Vec<&'static TransformCard> {
        let all = self.rng.below(3) == 0;
        TRANSFORMS.iter().filter(|_| all || self.rng.below(2) == 0).collect()
    }
}

/// Compares verdicts about random systems with and without these transforms, or random ones if none
/// are named.
fn compare(seed: u64, count: usize, is_linear: bool, names: &[&str]) {
    let mut generator = Generator { rng: Rng::new(seed), is_linear };
    let (mut safe, mut unsafe_) = (0, 0);
    for number in 0..count {
        let text = generator.system();
        let horn = read(&text);
        let cards = if names.is_empty() { generator.cards() } else { cards(names) };
        let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
        let expected = matches!(finding(&horn), Finding::Holds(_));
        let (changed, back) = transformed(&horn, &cards);
        let found = decided(&changed).map_err(|stop| format!("{stop:?}"));
        assert!(found.is_ok(), "{found:?}: system {number} with {names:?}: {text}");
        let found = found.unwrap();
        let is_safe = matches!(found, Finding::Holds(_));
        assert_eq!(is_safe, expected, "system {number} with {names:?}: {text}");
        let carried = carried(&horn, &back, found).map_err(|stop| format!("{stop:?}"));
        let outcome = carried.and_then(|verdict| accepted(&horn, &verdict));
        let word = if expected { "safe" } else { "unsafe" };
        assert_eq!(outcome, Ok(word), "system {number} with {names:?}: {text}");
        if expected { safe += 1 } else { unsafe_ += 1 }
    }
    assert!(safe * 5 >= count && unsafe_ * 5 >= count, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn linear_systems_keep_their_verdicts() {
    compare(1, 150, true, &[]);
}

#[test]
fn nonlinear_systems_keep_their_verdicts() {
    compare(2, 150, false, &[]);
}

#[test]
fn bounds_change_no_verdicts() {
    compare(3, 60, true, &["intervals"]);
    compare(4, 60, false, &["octagons"]);
    compare(5, 60, true, &["needed-octagons"]);
    compare(6, 60, false, &["octagons", "needed-intervals"]);
}
