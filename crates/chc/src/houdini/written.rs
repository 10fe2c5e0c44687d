//! Guesses at invariants that are written in the clauses.
//!
//! What clauses say of the arguments of a predicate may hold of all its facts: comparisons, and their
//! negations; the negation of what a query adds; numbers that stay on one side of a constant of the
//! text, zero among them; numbers in an order; truth values that stay. Signs are the most useful of
//! these where numbers are multiplied, as the sign of a product is that of its factors.
//!
//! The guesses depend on the clauses alone, and come in an order that does.

use super::search::Guesses;
use crate::settings::{
    HOUDINI_MAX_COMPARED, HOUDINI_MAX_CONSTANTS, HOUDINI_MAX_GUESSES, HOUDINI_MAX_STRICT,
};
use alphorn_horn::transform::{System, conjuncts, head_args};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Bv, Op, Rat, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// Guesses about all predicates of a system; if wanted, also that integers are less than others.
pub(super) fn guesses(system: &System, store: &mut Store, is_strict: bool) -> Guesses {
    let preds = || (0..system.preds.len() as u32).map(PredId);
    let params: Vec<Vec<TermId>> = preds().map(|pred| system.params(store, pred)).collect();
    let mut all = Collection {
        of: vec![Vec::new(); params.len()],
        seen: vec![FxHashSet::default(); params.len()],
        most: HOUDINI_MAX_GUESSES.size(),
    };
    for clause in &system.clauses {
        all.of_clause(system, store, clause, &params);
    }
    let (numbers, words) = constants(system, store);
    for pred in preds() {
        all.bounds(store, pred, &params[pred.index()], &numbers, &words);
        all.orders(store, pred, &params[pred.index()]);
    }
    if is_strict {
        all.most += HOUDINI_MAX_STRICT.size();
        preds().for_each(|pred| all.strict_orders(store, pred, &params[pred.index()]));
    }
    Guesses { params, of: all.of }
}

struct Collection {
    of: Vec<Vec<TermId>>,
    seen: Vec<FxHashSet<TermId>>,
    /// The most guesses about one predicate.
    most: usize,
}

impl Collection {
    fn add(&mut self, store: &Store, pred: PredId, guess: TermId) {
        let at = pred.index();
        if !store.is_literal(guess) && self.of[at].len() < self.most && self.seen[at].insert(guess)
        {
            self.of[at].push(guess);
        }
    }

    /// What a clause says of the arguments of its atoms that are variables.
    fn of_clause(
        &mut self,
        system: &System,
        store: &mut Store,
        clause: &Clause,
        params: &[Vec<TermId>],
    ) {
        let mut places: Vec<(PredId, Vec<TermId>)> = Vec::new();
        for atom in system.atoms(store, clause.body) {
            if let Some(pred) = system.atom(store, atom) {
                places.push((pred, store.args(atom).to_vec()));
            }
        }
        if let Head::Atom(pred, args) = &clause.head {
            places.push((*pred, args.clone()));
        }
        let parts = conjuncts(store, clause.body);
        let constraints: Vec<TermId> =
            parts.into_iter().filter(|&part| !store.has_apply(part)).collect();
        let mut roots = constraints.clone();
        roots.extend(head_args(clause));
        let texts = store.subterms(&roots);
        let atoms: Vec<TermId> = texts.into_iter().filter(|&t| is_atom(store, t)).collect();
        for (pred, args) in places {
            let mut map = Substitution::default();
            for (&arg, &param) in args.iter().zip(&params[pred.index()]) {
                if matches!(store.op(arg), Op::Var(_)) {
                    map.entry(arg).or_insert(param);
                }
            }
            let is_about = |store: &Store, term: TermId| {
                let vars = store.free_vars(&[term]);
                !vars.is_empty() && vars.iter().all(|var| map.contains_key(var))
            };
            if clause.head == Head::False {
                let about = constraints.iter().copied().filter(|&part| is_about(store, part));
                let mut negations = Vec::new();
                for part in about.collect::<Vec<_>>() {
                    let part = store.substitute(part, &map);
                    negations.push(negation(store, part));
                }
                let guess = store.or(&negations);
                self.add(store, pred, guess);
            }
            for &atom in &atoms {
                if !is_about(store, atom) {
                    continue;
                }
                let guess = store.substitute(atom, &map);
                self.add(store, pred, guess);
                let opposite = negation(store, guess);
                self.add(store, pred, opposite);
            }
        }
    }

    /// Arguments on one side of a constant.
    fn bounds(
        &mut self,
        store: &mut Store,
        pred: PredId,
        params: &[TermId],
        numbers: &[Rat],
        words: &[TermId],
    ) {
        for &param in params {
            let sort = store.sort(param);
            if sort == SortId::BOOL {
                self.add(store, pred, param);
                let opposite = store.not(param);
                self.add(store, pred, opposite);
            } else if sort.is_arithmetic() {
                for number in numbers {
                    let constant = match sort {
                        SortId::INT if !number.is_integer() => continue,
                        SortId::INT => store.int(number.floor()),
                        _ => store.real(number.clone()),
                    };
                    let (below, above) = (store.le(param, constant), store.ge(param, constant));
                    self.add(store, pred, above);
                    self.add(store, pred, below);
                }
            } else {
                for &word in words {
                    if store.sort(word) != sort {
                        continue;
                    }
                    let below = store.mk(Op::BvUle, &[param, word]);
                    let above = store.mk(Op::BvUle, &[word, param]);
                    self.add(store, pred, below);
                    self.add(store, pred, above);
                }
            }
        }
    }

    /// Integers one of which is always less: what a procedure returns and what it was called with, for example.
    fn strict_orders(&mut self, store: &mut Store, pred: PredId, params: &[TermId]) {
        let is_integer = |&param: &TermId| store.sort(param) == SortId::INT;
        let params: Vec<TermId> = params.iter().copied().filter(is_integer).collect();
        if params.len() > HOUDINI_MAX_COMPARED.size() {
            return;
        }
        for (at, &left) in params.iter().enumerate() {
            for &right in &params[at + 1..] {
                let (below, above) = (store.lt(left, right), store.lt(right, left));
                self.add(store, pred, below);
                self.add(store, pred, above);
            }
        }
    }

    /// Arguments that are equal, or in an order.
    fn orders(&mut self, store: &mut Store, pred: PredId, params: &[TermId]) {
        if params.len() > HOUDINI_MAX_COMPARED.size() {
            return;
        }
        for (at, &left) in params.iter().enumerate() {
            for &right in &params[at + 1..] {
                let sort = store.sort(left);
                if store.sort(right) != sort {
                    continue;
                }
                let equation = store.eq(left, right);
                self.add(store, pred, equation);
                if sort.is_arithmetic() {
                    let (below, above) = (store.le(left, right), store.ge(left, right));
                    self.add(store, pred, below);
                    self.add(store, pred, above);
                } else if store.width_of(sort).is_some() {
                    let below = store.mk(Op::BvUle, &[left, right]);
                    let above = store.mk(Op::BvUle, &[right, left]);
                    self.add(store, pred, below);
                    self.add(store, pred, above);
                }
            }
        }
    }
}

/// Whether a term is a comparison.
fn is_atom(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::Le | Op::Lt | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => true,
        Op::Eq => store.sort(store.args(term)[0]) != SortId::BOOL,
        _ => false,
    }
}

/// The negation of a formula; of a bit it is said what it is, not what it is not.
fn negation(store: &mut Store, formula: TermId) -> TermId {
    if store.op(formula) == Op::Eq {
        let (left, right) = (store.args(formula)[0], store.args(formula)[1]);
        for (side, other) in [(left, right), (right, left)] {
            if let Some(bit) = store.bv_value(side).filter(|bit| bit.width() == 1) {
                let bit = store.bv(Bv::from_bool(bit.is_zero()));
                return store.eq(other, bit);
            }
        }
    }
    store.not(formula)
}

/// Numbers and words of the text; of the numbers the smallest, and zero.
fn constants(system: &System, store: &Store) -> (Vec<Rat>, Vec<TermId>) {
    let of = |clause: &Clause| [&[clause.body], head_args(clause)].concat();
    let roots: Vec<TermId> = system.clauses.iter().flat_map(of).collect();
    let (mut numbers, mut words) = (vec![Rat::ZERO], Vec::new());
    for term in store.subterms(&roots) {
        numbers.extend(store.number_value(term));
        if store.bv_value(term).is_some() {
            words.push(term);
        }
    }
    numbers.sort_by_key(|number| (number.abs(), number.is_negative()));
    numbers.dedup();
    numbers.truncate(HOUDINI_MAX_CONSTANTS.size());
    words.truncate(HOUDINI_MAX_CONSTANTS.size());
    (numbers, words)
}
