//! Clauses that were given to the search, as steps.
//!
//! An assertion stands as it is; the definition of a connective is a tautology; the defining property
//! of an operator is an axiom, from which, where it is an equation, the bounds follow that the search
//! was given; a lemma is proved by its theory. Literals are then exchanged for those that
//! represent them.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_sat::Lit;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};

use super::Writer;
use crate::encode::Leaf;
use crate::euf;
use crate::linear::Linear;
use crate::product::Signs;
use crate::words;

impl Writer<'_> {
    /// A step for a given clause: `clause` is what represents `lits`.
    pub(crate) fn leaf(&mut self, lits: &[Lit], clause: Vec<Literal>) -> Option<StepId> {
        let mut key = lits.to_vec();
        key.sort_unstable();
        key.dedup();
        let leaf = self.smt.encoder.leaves.as_ref()?.get(&key).cloned();
        if leaf.is_none()
            && let Some(step) = self.definition(&key, &clause)
        {
            return Some(step);
        }
        match leaf.unwrap_or(Leaf::Theory) {
            Leaf::Truth => None,
            Leaf::Assertion(number) => {
                let term = self.smt.assertions.get(number)?.term;
                let step = self.assert(number, term);
                self.represent(step, &[Literal::of(self.store, term)], &clause)
            }
            Leaf::Tautology(terms) => {
                let step = self.push(terms.clone(), Rule::Tautology);
                self.represent(step, &terms, &clause)
            }
            Leaf::Trichotomy(equation) => self.trichotomy(equation, clause),
            Leaf::Conditional(term) => self.conditional(term, clause),
            Leaf::Arithmetic(term) => self.axiom(term, clause),
            Leaf::Product(signs) => self.product(&signs, &clause),
            Leaf::Instance(terms, values) => {
                let step = self.push(stated(&terms), Rule::Instantiate(values));
                self.represent(step, &terms, &clause)
            }
            Leaf::Witness(terms, witnesses) => {
                let step = self.push(stated(&terms), Rule::Skolem(witnesses));
                self.represent(step, &terms, &clause)
            }
            Leaf::Bits => Some(self.bits(&clause)),
            Leaf::Array(path) => self.array_path(&path, &clause),
            Leaf::Axiom(terms, rule) => {
                let step = self.push(terms.clone(), rule);
                self.represent(step, &terms, &clause)
            }
            Leaf::Theory => self.lemma(&key, clause),
        }
    }

    /// An equation holds, or one of its sides is smaller.
    fn trichotomy(&mut self, equation: TermId, clause: Vec<Literal>) -> Option<StepId> {
        let (left, right) = (self.store.args(equation)[0], self.store.args(equation)[1]);
        let below = self.store.mk(Op::Lt, &[left, right]);
        let above = self.store.mk(Op::Lt, &[right, left]);
        let of = |store: &Store, term| Literal::of(store, term);
        let mut terms = vec![of(self.store, equation)];
        for literal in [of(self.store, below), of(self.store, above)] {
            if literal.atom != TermId::FALSE {
                terms.push(literal);
            }
        }
        let step = self.push(terms.clone(), Rule::Trichotomy);
        self.represent(step, &terms, &clause)
    }

    /// What a conditional comes to, in the terms that it has.
    fn conditional(&mut self, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
        let args = self.store.args(term).to_vec();
        let condition = Literal::of(self.store, args[0]);
        let is_number = self.store.sort(term).is_arithmetic();
        for (condition, branch) in [(!condition, args[1]), (condition, args[2])] {
            let conclusions = match is_number {
                true => [[term, branch], [branch, term]].map(|args| self.store.mk(Op::Le, &args)),
                false => [self.store.eq(term, branch); 2],
            };
            for conclusion in conclusions {
                let terms = [condition, Literal::of(self.store, conclusion)];
                let before = self.steps.len();
                let step = self.push(terms.to_vec(), Rule::Conditional(term));
                if let Some(step) = self.represent(step, &terms, &clause) {
                    return Some(step);
                }
                self.steps.truncate(before);
            }
        }
        None
    }

    /// The sign of a product.
    fn product(&mut self, signs: &Signs, clause: &[Literal]) -> Option<StepId> {
        let is_real = signs.factors.iter().any(|(linear, _)| {
            let is_whole = linear.constant.is_integer()
                && linear.terms.iter().all(|(_, value)| value.is_integer());
            !is_whole || !linear.is_over_integers(self.store)
        });
        let sort = if is_real { SortId::REAL } else { SortId::INT };
        let op = if signs.is_strict { Op::Lt } else { Op::Le };
        let zero = self.store.number(sort, &Int::ZERO);
        let mut terms = Vec::new();
        let mut factors = Vec::new();
        for (linear, sign) in &signs.factors {
            let factor = linear.to_term(self.store, sort);
            let args = if sign.is_positive() { [zero, factor] } else { [factor, zero] };
            let atom = self.store.mk(op, &args);
            terms.push(!Literal::of(self.store, atom));
            factors.push(factor);
        }
        let &[left, right] = &factors[..] else { return None };
        let whole = multiplied(self.store, &signs.factors, sort);
        let is_positive = signs.factors[0].1 == signs.factors[1].1;
        let args = if is_positive { [zero, whole] } else { [whole, zero] };
        let atom = self.store.mk(op, &args);
        terms.push(Literal::of(self.store, atom));
        let step = self.push(terms.clone(), Rule::Product([left, right]));
        self.represent(step, &terms, clause)
    }

    /// A defining property of a term, or a bound that follows from one that is an equation.
    fn axiom(&mut self, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
        for equation in self.equations(term) {
            let equation = Literal::of(self.store, equation);
            for (place, literal) in clause.iter().enumerate() {
                let Some(step) = self.linear(&[!equation, *literal]) else { continue };
                let mut axiom = clause.clone();
                axiom[place] = equation;
                let axiom = self.push(axiom, Rule::Arithmetic(term));
                return Some(self.rup(clause, vec![axiom, step]));
            }
        }
        Some(self.push(clause, Rule::Arithmetic(term)))
    }

    /// The equations that are defining properties of a term.
    fn equations(&mut self, term: TermId) -> Vec<TermId> {
        let store = &mut *self.store;
        let args = store.args(term).to_vec();
        match store.op(term) {
            Op::IntDiv | Op::Mod => {
                let (quotient, remainder) = (store.mk(Op::IntDiv, &args), store.mk(Op::Mod, &args));
                let product = store.mk(Op::Mul, &[args[1], quotient]);
                let sum = store.mk(Op::Add, &[product, remainder]);
                vec![store.eq(args[0], sum)]
            }
            Op::UbvToInt | Op::SbvToInt | Op::IntToBv(_) => {
                let sides = words::conversion(store, term);
                sides.map(|[left, right]| store.eq(left, right)).into_iter().collect()
            }
            Op::RealDiv => {
                let product = store.mk(Op::Mul, &[args[1], term]);
                vec![store.eq(args[0], product)]
            }
            Op::Abs => {
                let minus = store.int(-1);
                let opposite = store.mk(Op::Mul, &[minus, args[0]]);
                vec![store.eq(term, args[0]), store.eq(term, opposite)]
            }
            _ => Vec::new(),
        }
    }

    /// A lemma of a theory.
    fn lemma(&mut self, key: &[Lit], clause: Vec<Literal>) -> Option<StepId> {
        let certificates = self.smt.search.theory().certificates.as_ref();
        if let Some(certificate) = certificates.and_then(|kept| kept.get(key)) {
            let certificate = certificate.clone();
            let mut places = rustc_hash::FxHashMap::default();
            for lit in key {
                let literal = self.literal(*lit)?;
                let place = clause.iter().position(|other| *other == literal);
                places.insert((!*lit).code(), place);
            }
            let used = |lit: &Lit| certificate.hypotheses.iter().any(|h| h.tag == (!*lit).code());
            let implied = key.iter().find(|lit| !used(lit));
            let implied = implied.and_then(|lit| places[&(!*lit).code()]);
            let place = |tag: u32| places.get(&tag).copied().flatten();
            if let Some(step) = self.linear_kept(&clause, &certificate, place, implied) {
                return Some(step);
            }
        }
        if let Some(step) = self.linear(&clause) {
            return Some(step);
        }
        // An equation of numbers that its bounds imply.
        let equation = clause.iter().copied().find(|literal| {
            let is_equation = self.store.op(literal.atom) == Op::Eq && !literal.negated;
            is_equation && self.store.sort(self.store.args(literal.atom)[0]).is_arithmetic()
        });
        if let Some(equation) = equation {
            let before = self.steps.len();
            if let Some(step) = self.trichotomy(equation.atom, clause.clone()) {
                return Some(step);
            }
            self.steps.truncate(before);
        }
        euf::prove_clause(self.store, &clause, &mut self.steps)
    }
}

/// The product of two polynomials, multiplied out, as a term.
fn multiplied(store: &mut Store, factors: &[(Linear, Rat); 2], sort: SortId) -> TermId {
    let [(left, _), (right, _)] = factors;
    let mut whole = Linear::default();
    whole.add_scaled(right, &left.constant);
    whole.add_scaled(left, &right.constant);
    whole.constant = &left.constant * &right.constant;
    for (a, factor) in &left.terms {
        for (b, other) in &right.terms {
            let is_mixed = store.sort(*a) != store.sort(*b);
            let [a, b] = [*a, *b].map(|atom| match is_mixed && store.sort(atom) == SortId::INT {
                true => store.mk(Op::ToReal, &[atom]),
                false => atom,
            });
            let product = store.mk(Op::Mul, &[a, b]);
            whole.add_scaled(&Linear::of(store, product), &(factor * other));
        }
    }
    whole.to_term(store, sort)
}

/// A clause without literals that are false by themselves.
pub(crate) fn stated(clause: &[Literal]) -> Vec<Literal> {
    let is_false = |literal: &&Literal| match literal.atom {
        TermId::TRUE => literal.negated,
        TermId::FALSE => !literal.negated,
        _ => false,
    };
    clause.iter().filter(|literal| !is_false(literal)).copied().collect()
}
