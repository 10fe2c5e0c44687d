//! Random systems over small numbers and truth values, as text.
//!
//! All variables are between 0 and 3, so that arguments are of finitely many values and forward
//! derivation decides most systems. What may vary is a [`Kind`]: how many atoms a body has, whether atoms
//! stand below disjunctions, what the arguments of heads may be.

use crate::Rng;

/// What random systems are like.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The most atoms of a body.
    pub atoms: u64,
    /// Whether atoms may stand below disjunctions.
    pub is_generalized: bool,
    /// Whether arguments of heads may be sums and cases.
    pub has_terms: bool,
    /// The most queries.
    pub queries: u64,
}

impl Kind {
    /// Systems with at most one atom in a body.
    pub const LINEAR: Kind = Kind { atoms: 1, is_generalized: true, has_terms: false, queries: 1 };
    /// Systems that are linear and conjunctive, with terms in heads.
    pub const STEPS: Kind = Kind { atoms: 1, is_generalized: false, has_terms: true, queries: 2 };
    /// Systems with up to two atoms in a body.
    pub const TREES: Kind = Kind { atoms: 2, is_generalized: true, has_terms: false, queries: 2 };
}

/// Makes systems of one kind.
pub struct Generator {
    rng: Rng,
    kind: Kind,
}

impl Generator {
    /// The systems of a kind for a seed.
    pub fn new(kind: Kind, seed: u64) -> Generator {
        Generator { rng: Rng::new(seed), kind }
    }

    fn number(&mut self) -> String {
        let base = self.rng.pick(&["x", "y", "0", "1", "2"]);
        match self.rng.below(5) {
            0 => format!("(+ {base} 1)"),
            1 => format!("(- {base} 1)"),
            2 => format!("(- {base} y)"),
            3 => format!("(ite b {base} 3)"),
            _ => base.to_owned(),
        }
    }

    fn formula(&mut self) -> String {
        let (left, right) = (self.number(), self.number());
        match self.rng.below(6) {
            0 => "b".to_owned(),
            1 => "(not b)".to_owned(),
            2 => format!("(< {left} {right})"),
            3 => format!("(or (<= {left} {right}) b)"),
            4 => format!("(distinct {left} {right})"),
            _ => format!("(= {left} {right})"),
        }
    }

    fn atom(&mut self) -> String {
        let (first, second) = (self.rng.pick(&["x", "y", "2"]), self.rng.pick(&["x", "y", "b"]));
        match second {
            "b" => format!("(q {first} b)"),
            _ => format!("(p {first} {second})"),
        }
    }

    fn head(&mut self) -> String {
        if !self.kind.has_terms {
            return self.atom();
        }
        let number = self.number();
        match self.rng.below(3) {
            0 => format!("(q {number} (not b))"),
            1 => format!("(p {number} y)"),
            _ => format!("(p x {number})"),
        }
    }

    /// An atom, or a disjunction that needs at most one at a time.
    fn need(&mut self) -> String {
        let atom = self.atom();
        match self.rng.below(if self.kind.is_generalized { 4 } else { 1 }) {
            1 => format!("(or {atom} {})", self.formula()),
            2 => format!("(or {atom} (and {} {}))", self.atom(), self.formula()),
            _ => atom,
        }
    }

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3)".to_owned(), "(<= 0 y 3)".to_owned(), self.formula()];
        for _ in 0..atoms {
            body.push(self.need());
        }
        let head = if is_query { "false".to_owned() } else { self.head() };
        let body = body.join(" ");
        format!("(assert (forall ((x Int) (y Int) (b Bool)) (=> (and {body}) {head})))\n")
    }

    /// The next system.
    pub fn system(&mut self) -> String {
        let mut text = "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n\
                        (declare-fun q (Int Bool) Bool)\n"
            .to_owned();
        text += &self.clause(0, false);
        for _ in 0..1 + self.rng.below(4) {
            let atoms = 1 + self.rng.below(self.kind.atoms);
            text += &self.clause(atoms, false);
        }
        for _ in 0..1 + self.rng.below(self.kind.queries) {
            let atoms = 1 + self.rng.below(self.kind.atoms);
            text += &self.clause(atoms, true);
        }
        text
    }
}
