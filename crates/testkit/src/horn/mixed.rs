//! Random systems over integers, reals and truth values, as text: food for transforms.
//!
//! Numbers are bounded, so that engines decide all systems. Some arguments are constants, some are copies of
//! others, some are never looked at, and some predicates are not recursive or not needed.

use crate::Rng;

/// Makes systems, linear ones or others.
pub struct Generator {
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
    /// The systems for a seed; the bodies of linear ones have one atom at most.
    pub fn new(seed: u64, is_linear: bool) -> Generator {
        Generator { rng: Rng::new(seed), is_linear }
    }

    fn number(&mut self) -> String {
        let base = self.rng.pick(&["x", "y", "z", "0", "1", "2"]);
        match self.rng.below(6) {
            0 => format!("(+ {base} 1)"),
            1 => format!("(- {base} y)"),
            2 => format!("(ite b {base} 3)"),
            _ => base.to_owned(),
        }
    }

    fn real(&mut self) -> String {
        self.rng.pick(&["u", "u", "v", "0.5", "(/ u 2.0)", "(+ u 1.0)"]).to_owned()
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
        let (name, sorts) = self.rng.pick(PREDS);
        if sorts.is_empty() {
            return name.to_owned();
        }
        let plain = if is_head { 2 } else { 4 };
        let args: Vec<String> = sorts
            .iter()
            .map(|&sort| match sort {
                "Int" if self.rng.below(5) < plain => self.rng.pick(&["x", "y", "z"]).to_owned(),
                "Int" => self.rng.pick(&["x", "1", "2", "(+ x 1)", "(- z 1)"]).to_owned(),
                "Real" => self.real(),
                _ => self.rng.pick(&["b", "c", "c", "true", "(not b)"]).to_owned(),
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

    /// The next system.
    pub fn system(&mut self) -> String {
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
}
