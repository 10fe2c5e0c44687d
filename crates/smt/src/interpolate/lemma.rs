//! Partial interpolants of lemmas of theories.
//!
//! At a cut, the negated literals of a lemma are split by their labels: those labelled `a` are
//! ours, all others are theirs. Labels grow from a cut to the one around it, and siblings have no
//! `a` in common, so our literals at a cut are those of the cuts inside and some more. For trees to
//! be inductive, the interpolants of the cuts inside and these some more must imply the cut's own.
//!
//! - Bounds: sums (`farkas`). Where interpolants are to be weak and no cut has siblings, the
//!   negation of what the others contribute.
//! - Bounds and equations of one polynomial: our literals as they are.
//! - The rest, *step by step*: with the interpolants of the cuts inside for their literals, and
//!   those of other cuts that are done for theirs, one cut is an interpolation problem of two
//!   conjunctions. A side that says nothing of its own is the solution or its negation; else
//!   equality solves it by colouring its proof, arithmetic by projection.
//!
//! Under assignments the cuts of a lemma have nothing to do with each other, as each has its own part of the
//! lemma: each is asked for directly or as two conjunctions, and one that cannot be done leaves the others.
//!
//! Cuts come children first. Once a cut of a lemma is done step by step, so are the later ones,
//! because their problems must be contradictory together with its interpolant.

use std::cell::RefCell;
use std::collections::BTreeSet;

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::interpolate::{Label, Lemma, LemmaInterpolator};
use alphorn_sat::{ClauseId, Lit};
use alphorn_term::{Op, SortId, Store, TermId};

use super::InterpolationOptions;
use super::Strength;
use super::decompose::decompose;
use super::farkas::{Derivation, formula};
use super::graph::Graph;
use super::problem::{Problem, Symbols};
use super::refutation::{self, Outcome};
use super::sequential::project;
use crate::euf;
use crate::linear::Linear;
use crate::project::constraint::{Constraint, Relation};
use crate::smt::Smt;

/// What is known of the lemma whose cuts are being asked for.
struct Current {
    id: ClauseId,
    clause: Vec<Literal>,
    derivation: Option<Derivation>,
    /// The polynomial that all literals are about, and what their negations say of it.
    single: Option<Vec<Constraint>>,
    is_step_by_step: bool,
    /// By cut which literals are ours.
    ours: Vec<Vec<bool>>,
    /// By cut the interpolant.
    done: Vec<TermId>,
}

/// Interpolates the lemmas of one proof.
pub(super) struct Lemmas<'a> {
    pub(super) smt: &'a Smt,
    pub(super) store: &'a mut Store,
    pub(super) problem: &'a Problem,
    pub(super) options: &'a InterpolationOptions,
    /// The literal of terms for each variable of the search that the proof has.
    pub(super) literals: &'a [Option<Literal>],
    pub(super) graph: &'a RefCell<Graph>,
    pub(super) symbols: Symbols,
    /// Finds models for projection.
    models: Option<Smt>,
    current: Option<Current>,
    /// Whether some lemma could not be done.
    pub(super) has_failed: bool,
    /// Under assignments: the cuts at which some lemma could not be done.
    pub(super) failed: BTreeSet<u32>,
}

impl<'a> Lemmas<'a> {
    pub(super) fn new(
        smt: &'a Smt,
        store: &'a mut Store,
        problem: &'a Problem,
        options: &'a InterpolationOptions,
        literals: &'a [Option<Literal>],
        graph: &'a RefCell<Graph>,
    ) -> Lemmas<'a> {
        Lemmas {
            smt,
            store,
            problem,
            options,
            literals,
            graph,
            symbols: Symbols::default(),
            models: None,
            current: None,
            has_failed: false,
            failed: BTreeSet::new(),
        }
    }

    /// Reads a lemma; nothing if a literal has no term.
    fn read(&self, id: ClauseId, lits: &[Lit]) -> Option<Current> {
        let literal = |lit: &Lit| {
            let literal = self.literals.get(lit.var().index()).copied().flatten()?;
            Some(if lit.is_negated() { !literal } else { literal })
        };
        let clause = lits.iter().map(literal).collect::<Option<Vec<_>>>()?;
        let derivation = Derivation::of(self.smt, self.store, lits, &clause);
        let single = match derivation {
            Some(_) => None,
            None => about_one_polynomial(self.store, &clause),
        };
        Some(Current {
            id,
            clause,
            derivation,
            single,
            is_step_by_step: false,
            ours: Vec::new(),
            done: Vec::new(),
        })
    }

    /// The interpolant at the next cut.
    fn next(&mut self, current: &mut Current, cut: u32, ours: &[bool]) -> Option<TermId> {
        if !ours.contains(&true) {
            return Some(TermId::TRUE);
        }
        if !ours.contains(&false) {
            return Some(TermId::FALSE);
        }
        if !current.is_step_by_step {
            if let Some(found) = self.directly(current, cut, ours) {
                return Some(found);
            }
            current.is_step_by_step = true;
        }
        self.step_by_step(current, cut, ours)
    }

    fn directly(&mut self, current: &Current, cut: u32, ours: &[bool]) -> Option<TermId> {
        let Lemmas { store, problem, symbols, options, .. } = self;
        if let Some(constraints) = &current.single {
            let mut terms = Vec::new();
            for (constraint, _) in constraints.iter().zip(ours).filter(|(_, ours)| **ours) {
                terms.push(constraint.clone().literal(store));
            }
            return Some(store.and(&terms));
        }
        let derivation = current.derivation.as_ref()?;
        let is_dual = options.strength == Strength::Weak && problem.is_chain();
        let mut is_shared = |term: TermId| {
            let symbols = symbols.of(store, term);
            symbols.iter().all(|symbol| problem.is_shared(cut, *symbol))
        };
        let is_ours = |index: usize| ours[index] != is_dual;
        let mut parts = derivation.contribution(store, &is_ours, &mut is_shared)?;
        if options.decompose
            && problem.len() == 2
            && let Some(multipliers) = derivation.multipliers()
        {
            let hypotheses = derivation.hypotheses.iter().cloned().zip(multipliers).enumerate();
            let summands: Vec<_> = hypotheses
                .filter(|(index, (_, factor))| is_ours(*index) && !factor.is_zero())
                .map(|(_, summand)| summand)
                .collect();
            parts = decompose(&summands, &mut is_shared).unwrap_or(parts);
        }
        let terms: Vec<TermId> = parts.iter().map(|part| formula(store, part)).collect();
        let conjunction = store.and(&terms);
        Some(if is_dual { store.not(conjunction) } else { conjunction })
    }

    /// The interpolant of what is inside the cut and of what is outside, given what is done.
    fn step_by_step(&mut self, current: &Current, cut: u32, ours: &[bool]) -> Option<TermId> {
        let problem = self.problem;
        let mut is_covered = vec![false; ours.len()];
        let mut cover = |other: u32| {
            for (covered, ours) in is_covered.iter_mut().zip(&current.ours[other as usize]) {
                *covered |= *ours;
            }
            current.done[other as usize]
        };
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        if !problem.is_assuming() {
            inside.extend(problem.children(cut).map(&mut cover));
            outside.extend(problem.open_before(cut).map(&mut cover));
        }
        let mut sides = [inside, outside].map(|done| Part { done, literals: Vec::new() });
        for (place, literal) in current.clause.iter().enumerate() {
            if !is_covered[place] {
                sides[usize::from(!ours[place])].literals.push(!*literal);
            }
        }
        if let Some(found) = self.by_equality(cut, &sides) {
            return Some(found);
        }
        let Lemmas { store, problem, options, models, symbols, .. } = self;
        let [inside, outside] = sides.map(|part| part.formula(store));
        let is_shared = |symbol| problem.is_shared(cut, symbol);
        let mut is_sayable = |term| symbols.of(store, term).iter().all(|symbol| is_shared(*symbol));
        if is_sayable(inside) {
            return Some(inside);
        }
        if is_sayable(outside) {
            return Some(store.not(outside));
        }
        if problem.is_assuming() {
            return None;
        }
        // Projection knows little of functions, a proof of this cut alone does.
        if current.derivation.is_none() && problem.len() > 2 {
            let pair = Problem::sequence(store, &[inside, outside]);
            if let Outcome::Interpolants(found) =
                refutation::interpolate(store, &pair, options, options.seed)
            {
                return Some(found[0]);
            }
        }
        let models = models.get_or_insert_with(|| options.solver(false, options.seed));
        project(store, inside, outside, &is_shared, models, options)
    }

    /// An interpolant of conjunctions that equality alone refutes.
    fn by_equality(&mut self, cut: u32, sides: &[Part; 2]) -> Option<TermId> {
        let Lemmas { store, problem, symbols, .. } = self;
        let mut clause = Vec::new();
        for (part, side) in sides.iter().zip([euf::Side::A, euf::Side::B]) {
            let literals = part.literals.iter().copied().chain(part.literals_done(store)?);
            clause.extend(literals.map(|literal| (!literal, side)));
        }
        let symbols = RefCell::new(symbols);
        let all = |store: &Store, term, holds: &dyn Fn(crate::project::Symbol) -> bool| {
            symbols.borrow_mut().of(store, term).iter().all(|symbol| holds(*symbol))
        };
        let is_a = |store: &Store, term| all(store, term, &|s| problem.occurs_inside(cut, s));
        let is_b = |store: &Store, term| all(store, term, &|s| problem.occurs_outside(cut, s));
        euf::interpolate(store, &clause, &is_a, &is_b)
    }
}

impl LemmaInterpolator for Lemmas<'_> {
    fn interpolate(&mut self, lemma: &Lemma<'_>, aig: &mut Aig) -> Edge {
        if self.has_failed || self.failed.contains(&lemma.cut) {
            return Edge::TRUE;
        }
        let mut current = match self.current.take() {
            Some(current) if current.id == lemma.id && !self.problem.is_assuming() => Some(current),
            _ => self.read(lemma.id, lemma.literals),
        };
        let ours: Vec<bool> = lemma.labels.iter().map(|label| *label == Label::A).collect();
        let found = current.as_mut().and_then(|current| self.next(current, lemma.cut, &ours));
        let (Some(mut current), Some(term)) = (current, found) else {
            match self.problem.is_assuming() {
                true => _ = self.failed.insert(lemma.cut),
                false => self.has_failed = true,
            }
            return Edge::TRUE;
        };
        current.ours.push(ours);
        current.done.push(term);
        self.current = Some(current);
        self.graph.borrow_mut().edge(aig, self.store, term)
    }
}

/// What is on a side of a cut.
struct Part {
    /// The interpolants of cuts.
    done: Vec<TermId>,
    /// The negated literals of the lemma that are in none of these.
    literals: Vec<Literal>,
}

impl Part {
    fn formula(&self, store: &mut Store) -> TermId {
        let mut terms = self.done.clone();
        terms.extend(self.literals.iter().map(|literal| term_of(store, *literal)));
        store.and(&terms)
    }

    /// The interpolants, if they are conjunctions of equations and applications.
    fn literals_done(&self, store: &Store) -> Option<Vec<Literal>> {
        let mut literals = Vec::new();
        for &term in &self.done {
            let conjuncts = match store.op(term) {
                Op::And => store.args(term),
                Op::True => &[],
                _ => &[term],
            };
            literals.extend(conjuncts.iter().map(|term| Literal::of(store, *term)));
        }
        let is_plain = |literal: &Literal| match store.op(literal.atom) {
            Op::Eq => store.sort(store.args(literal.atom)[0]) != SortId::BOOL,
            op => matches!(op, Op::Var(_) | Op::Apply(_)),
        };
        literals.iter().all(is_plain).then_some(literals)
    }
}

/// The term of a literal.
fn term_of(store: &mut Store, literal: Literal) -> TermId {
    if literal.negated { store.not(literal.atom) } else { literal.atom }
}

/// What the negated literals of a clause say, if all compare one polynomial with numbers.
fn about_one_polynomial(store: &Store, clause: &[Literal]) -> Option<Vec<Constraint>> {
    let mut found: Vec<Constraint> = Vec::new();
    for literal in clause {
        let args = store.args(literal.atom);
        let (left, right) = (*args.first()?, *args.get(1)?);
        if !store.sort(left).is_arithmetic() {
            return None;
        }
        let relation = match store.op(literal.atom) {
            Op::Le => Relation::AtMost,
            Op::Lt => Relation::Below,
            Op::Eq => Relation::Equal,
            _ => return None,
        };
        let constraint = Constraint::new(Linear::difference(store, left, right), relation);
        found.push(if literal.negated { constraint } else { constraint.negated() });
    }
    let shape = |constraint: &Constraint| {
        let mut form = constraint.form.clone();
        form.constant = alphorn_term::Rat::ZERO;
        form.scale(&form.primitive_factor());
        form
    };
    let first = shape(found.first()?);
    let is_same = |constraint: &Constraint| {
        let other = shape(constraint);
        let mut opposite = other.clone();
        opposite.scale(&alphorn_term::Rat::MINUS_ONE);
        other == first || opposite == first
    };
    found.iter().all(is_same).then_some(found)
}
