//! Random systems over small numbers and truth values with clauses of several atoms, as text.
//!
//! Some atoms stand below disjunctions, and three predicates call each other.

use crate::Rng;

/// Makes systems.
pub struct Generator {
    rng: Rng,
}

impl Generator {
    /// The systems for a seed.
    pub fn new(seed: u64) -> Generator {
        Generator { rng: Rng::new(seed) }
    }

    fn constraint(&mut self) -> String {
        let (left, right) = (self.rng.pick(&["x", "y", "z"]), self.rng.pick(&["x", "y", "0", "2"]));
        match self.rng.below(6) {
            0 => format!("(= z (+ {left} 1))"),
            1 => format!("(= (+ x y) (+ {left} {right}))"),
            2 => format!("(or b (< {left} {right}))"),
            3 => "(= b (< x y))".to_owned(),
            4 => format!("(distinct {left} {right})"),
            _ => format!("(<= {left} (ite b {right} y))"),
        }
    }

    fn atom(&mut self) -> String {
        let (first, second) =
            (self.rng.pick(&["x", "y", "z", "(+ x 1)"]), self.rng.pick(&["x", "z", "1"]));
        match self.rng.below(3) {
            0 => format!("(q {first} b)"),
            1 => format!("(r {first})"),
            _ => format!("(p {first} {second})"),
        }
    }

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3) (<= 0 y 2) (<= 0 z 3)".to_owned(), self.constraint()];
        for _ in 0..atoms {
            let (atom, other) = (self.atom(), self.atom());
            body.push(match self.rng.below(5) {
                0 => format!("(or {atom} (and {other} {}))", self.constraint()),
                _ => atom,
            });
        }
        let head = if is_query { "false".to_owned() } else { self.atom() };
        format!(
            "(assert (forall ((x Int) (y Int) (z Int) (b Bool)) (=> (and {}) {head})))",
            body.join(" ")
        )
    }

    /// The next system.
    pub fn system(&mut self) -> String {
        let mut text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
            (declare-fun q (Int Bool) Bool) (declare-fun r (Int) Bool)"
            .to_owned();
        for _ in 0..2 {
            text.push_str(&self.clause(0, false));
        }
        for _ in 0..2 + self.rng.below(4) {
            let atoms = 1 + self.rng.below(2);
            text.push_str(&self.clause(atoms, false));
        }
        for _ in 0..1 + self.rng.below(2) {
            let atoms = 1 + self.rng.below(2);
            text.push_str(&self.clause(atoms, true));
        }
        text
    }
}
