//! The predicates that states are told apart by.
//!
//! The first ones are the truth values of the state and the comparisons that describe initial and bad
//! states; refinement adds others. Those of steps are left to refinement: there are many, and most
//! are not needed. Inequalities of numbers have one form, `sum <= number` or `sum < number` with
//! coprime integers in front of the variables, the first of them positive, and nothing strict over
//! the integers: so an inequality and its negation are one predicate. Equations are one, too, since
//! numbers often stand for names.
//!
//! How often a predicate was in a lemma lately is its activity, by which literals are ordered.

use super::cubes::{Cube, Literal};
use crate::settings::TS_IC3_DECAY;
use crate::ts::System;
use alphorn_smt::Linear;
use alphorn_term::eval::Program;
use alphorn_term::{Int, Model, Op, Rat, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Scores above this are scaled down.
const MAX_SCORE: f64 = 1e100;

/// A predicate, and how it is said.
struct Predicate {
    /// Of the state, true and false.
    here: [TermId; 2],
    /// Of the next state, true and false.
    next: [TermId; 2],
    /// The state variables that it mentions.
    variables: Vec<TermId>,
    score: f64,
}

/// All predicates.
pub(super) struct Predicates {
    all: Vec<Predicate>,
    numbers: FxHashMap<TermId, usize>,
    state: Vec<TermId>,
    next: Vec<TermId>,
    /// Evaluates all of them.
    program: Option<Program>,
    bump: f64,
}

impl Predicates {
    /// The predicates that the system's formulas suggest.
    pub(super) fn new(store: &mut Store, system: &System) -> Predicates {
        let mut predicates = Predicates {
            all: Vec::new(),
            numbers: FxHashMap::default(),
            state: system.state.clone(),
            next: system.next.clone(),
            program: None,
            bump: 1.0,
        };
        for &variable in &system.state {
            if store.sort(variable) == SortId::BOOL {
                predicates.add(store, variable);
            }
        }
        for formula in [system.bad, system.init] {
            for candidate in predicates.candidates(store, &[formula]) {
                predicates.add(store, candidate);
            }
        }
        predicates
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// The comparisons in formulas that are of the state alone and are no predicates yet.
    pub(super) fn candidates(&self, store: &mut Store, formulas: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for atom in atoms(store, formulas, &self.state) {
            let comparison = comparison(store, atom);
            if !found.contains(&comparison) && !self.is_known(store, comparison) {
                found.push(comparison);
            }
        }
        found
    }

    fn is_known(&self, store: &mut Store, formula: TermId) -> bool {
        let negation = store.not(formula);
        formula == TermId::TRUE
            || formula == TermId::FALSE
            || [formula, negation].iter().any(|term| self.numbers.contains_key(term))
    }

    /// All predicates, as formulas over the state.
    pub(super) fn formulas(&self) -> impl Iterator<Item = TermId> {
        self.all.iter().map(|predicate| predicate.here[0])
    }

    /// Adds a predicate, unless it is there.
    pub(super) fn add(&mut self, store: &mut Store, formula: TermId) {
        if self.is_known(store, formula) {
            return;
        }
        let negation = store.not(formula);
        let next = store.rename(formula, &self.state, &self.next);
        let next = [next, store.not(next)];
        self.numbers.insert(formula, self.all.len());
        let variables = store.free_vars(&[formula]);
        self.all.push(Predicate { here: [formula, negation], next, variables, score: 0.0 });
        self.program = None;
    }

    /// A literal of the state.
    pub(super) fn here(&self, literal: Literal) -> TermId {
        self.all[literal.predicate()].here[usize::from(!literal.is_positive())]
    }

    /// A literal of the next state.
    pub(super) fn next(&self, literal: Literal) -> TermId {
        self.all[literal.predicate()].next[usize::from(!literal.is_positive())]
    }

    /// That a state is not in a cube.
    pub(super) fn clause(&self, store: &mut Store, cube: &Cube) -> TermId {
        let literals: Vec<TermId> =
            cube.literals().iter().map(|literal| self.opposite(*literal)).collect();
        store.or(&literals)
    }

    fn opposite(&self, literal: Literal) -> TermId {
        self.all[literal.predicate()].here[usize::from(literal.is_positive())]
    }

    /// The predicates' values in a state: of all, or of those that mention one of the variables.
    pub(super) fn cube_of(
        &mut self,
        store: &Store,
        state: &[Value],
        relevant: Option<&FxHashSet<TermId>>,
    ) -> Cube {
        let program = self.program.get_or_insert_with(|| {
            let terms: Vec<TermId> = self.all.iter().map(|predicate| predicate.here[0]).collect();
            Program::new(store, &self.state, &terms)
        });
        program.run(store, state, &Model::new());
        let is_relevant = |predicate: &Predicate| {
            relevant.is_none_or(|set| predicate.variables.iter().any(|var| set.contains(var)))
        };
        let mut literals = Vec::new();
        for (number, predicate) in self.all.iter().enumerate() {
            if let Ok(value) = program.holds(number)
                && is_relevant(predicate)
            {
                literals.push(Literal::new(number, value));
            }
        }
        Cube::new(literals)
    }

    /// Notes that a lemma has the cube's literals.
    pub(super) fn bump(&mut self, cube: &Cube) {
        self.bump /= TS_IC3_DECAY.percent();
        for literal in cube.literals() {
            self.all[literal.predicate()].score += self.bump;
        }
        if self.bump > MAX_SCORE {
            self.all.iter_mut().for_each(|predicate| predicate.score /= MAX_SCORE);
            self.bump /= MAX_SCORE;
        }
    }

    /// The literals of a cube, the most active first.
    pub(super) fn by_activity(&self, cube: &Cube) -> Vec<Literal> {
        let mut literals = cube.literals().to_vec();
        let score = |literal: &Literal| self.all[literal.predicate()].score;
        literals.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
        literals
    }
}

/// The atoms in formulas that mention variables of the list and no others, and no conditionals.
fn atoms(store: &Store, formulas: &[TermId], variables: &[TermId]) -> Vec<TermId> {
    let allowed: FxHashSet<TermId> = variables.iter().copied().collect();
    // Whether a term is free of other variables and of conditionals.
    let mut is_pure: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut found = Vec::new();
    for term in store.subterms(formulas) {
        let op = store.op(term);
        let pure = match op {
            Op::Ite | Op::Forall | Op::Exists => false,
            Op::Var(_) => allowed.contains(&term),
            _ => store.args(term).iter().all(|arg| is_pure.get(arg) == Some(&true)),
        };
        is_pure.insert(term, pure);
        if pure && store.sort(term) == SortId::BOOL && is_atom(store, term) {
            found.push(term);
        }
    }
    found
}

/// Whether a truth-valued term is no constant and no connective.
fn is_atom(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Ite => false,
        Op::Eq => store.sort(store.args(term)[0]) != SortId::BOOL,
        _ => true,
    }
}

/// What an inequality compares, in one form; other atoms as they are.
fn comparison(store: &mut Store, atom: TermId) -> TermId {
    let &[left, right] = store.args(atom) else { return atom };
    if !store.sort(left).is_arithmetic() {
        return atom;
    }
    match store.op(atom) {
        Op::Le => inequality(store, Linear::difference(store, left, right), false),
        Op::Lt => inequality(store, Linear::difference(store, left, right), true),
        _ => atom,
    }
}

/// That a polynomial is not positive, or negative; or the negation of that.
fn inequality(store: &mut Store, mut form: Linear, mut is_strict: bool) -> TermId {
    let Some((_, first)) = form.terms.first() else { return TermId::TRUE };
    if first.is_negative() {
        form = form.negated();
        is_strict = !is_strict;
    }
    form.scale(&form.primitive_factor());
    let mut sort = SortId::REAL;
    if form.is_over_integers(store) {
        sort = SortId::INT;
        let constant = &form.constant;
        let bound = if is_strict { &constant.floor() + &Int::ONE } else { constant.ceil() };
        form.constant = Rat::from(bound);
        is_strict = false;
    }
    let right = Linear::constant(-&form.constant).to_term(store, sort);
    form.constant = Rat::ZERO;
    let left = form.to_term(store, sort);
    if is_strict { store.lt(left, right) } else { store.le(left, right) }
}
