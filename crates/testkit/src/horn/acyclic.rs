//! Random systems without recursion over integers, reals and truth values, of a given shape.

use crate::Rng;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{FuncId, Op, SortId, Store, TermId};

/// What systems look like.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Predicates are used by one atom only.
    pub body_disjoint: bool,
    /// Predicates have one clause only.
    pub head_disjoint: bool,
    /// Bodies have at most this many atoms.
    pub atoms: u64,
    /// Atoms may stand below disjunctions.
    pub disjunctions: bool,
    /// Constraints may have a background function.
    pub functions: bool,
}

struct Generator {
    rng: Rng,
    style: Style,
    horn: Horn,
    /// Predicates that may still be used in bodies.
    free: Vec<PredId>,
    function: FuncId,
}

impl Style {
    /// Systems of any shape, without functions.
    pub const GENERAL: Style = Style {
        body_disjoint: false,
        head_disjoint: false,
        atoms: 3,
        disjunctions: true,
        functions: false,
    };
}

/// The system of a style for a seed.
pub fn system(seed: u64, style: Style) -> Horn {
    Generator::system(seed, style)
}

impl Generator {
    fn system(seed: u64, style: Style) -> Horn {
        let mut store = Store::new();
        let function = store.declare("f", &[SortId::INT], SortId::INT);
        let rng = Rng::new(seed);
        let mut generator =
            Generator { rng, style, horn: Horn::new(store), free: Vec::new(), function };
        let count = 2 + generator.rng.below(4);
        for number in 0..count {
            let arity = generator.rng.below(3);
            let sorts = [SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL];
            let args: Vec<SortId> = (0..arity).map(|_| generator.rng.pick(&sorts)).collect();
            let pred = generator.horn.declare_pred(&format!("p{number}"), &args);
            let clauses = if style.head_disjoint { 1 } else { generator.rng.below(4) };
            for _ in 0..clauses {
                generator.clause(Some(pred));
            }
            generator.free.push(pred);
        }
        for _ in 0..1 + generator.rng.below(2) {
            generator.clause(None);
        }
        generator.horn
    }

    fn clause(&mut self, pred: Option<PredId>) {
        let sorts = [SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL];
        let vars: Vec<TermId> = ["a", "b", "c", "d", "e"]
            .iter()
            .zip(sorts.iter().chain(&[SortId::INT]))
            .map(|(name, &sort)| self.horn.terms.var(name, sort))
            .collect();
        let mut parts = Vec::new();
        for _ in 0..self.rng.below(self.style.atoms + 1) {
            parts.extend(self.atom(&vars));
        }
        if self.style.disjunctions && parts.len() > 1 && self.rng.below(2) == 0 {
            let constraint = self.constraint(&vars);
            parts[0] = self.horn.terms.and(&[parts[0], constraint]);
            parts = vec![self.horn.terms.or(&parts)];
        }
        for _ in 0..self.rng.below(4) {
            let part = self.constraint(&vars);
            parts.push(part);
        }
        let body = self.horn.terms.and(&parts);
        let head = match pred {
            Some(pred) => Head::Atom(pred, self.args(pred, &vars)),
            None => Head::False,
        };
        self.horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    }

    fn atom(&mut self, vars: &[TermId]) -> Option<TermId> {
        if self.free.is_empty() {
            return None;
        }
        let place = self.rng.below(self.free.len());
        let pred = match self.style.body_disjoint {
            true => self.free.remove(place),
            false => self.free[place],
        };
        let args = self.args(pred, vars);
        let func = self.horn.pred(pred).func;
        Some(self.horn.terms.mk(Op::Apply(func), &args))
    }

    fn args(&mut self, pred: PredId, vars: &[TermId]) -> Vec<TermId> {
        let sorts = self.horn.pred_args(pred).to_vec();
        sorts.into_iter().map(|sort| self.term(vars, sort)).collect()
    }

    fn term(&mut self, vars: &[TermId], sort: SortId) -> TermId {
        let fits: Vec<TermId> =
            vars.iter().copied().filter(|&var| self.horn.terms.sort(var) == sort).collect();
        let var = self.rng.pick(&fits);
        if sort == SortId::BOOL {
            return if self.rng.below(3) == 0 { self.horn.terms.not(var) } else { var };
        }
        let number = self.rng.below(7) as i64 - 3;
        let number = self.horn.terms.number(sort, &number.into());
        match self.rng.below(6) {
            0 => number,
            1 => self.horn.terms.add(&[var, number]),
            2 => {
                let other = self.rng.pick(&fits);
                self.horn.terms.sub(var, other)
            }
            3 if self.style.functions && sort == SortId::INT => {
                self.horn.terms.mk(Op::Apply(self.function), &[var])
            }
            _ => var,
        }
    }

    fn constraint(&mut self, vars: &[TermId]) -> TermId {
        let sort = self.rng.pick(&[SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL]);
        let (left, right) = (self.term(vars, sort), self.term(vars, sort));
        if sort == SortId::BOOL {
            return self.horn.terms.or(&[left, right]);
        }
        match self.rng.below(4) {
            0 => self.horn.terms.eq(left, right),
            1 => self.horn.terms.lt(left, right),
            2 => {
                let below = self.horn.terms.lt(left, right);
                let other = self.constraint(vars);
                self.horn.terms.or(&[below, other])
            }
            _ => self.horn.terms.le(left, right),
        }
    }
}
