//! Matching: which terms for the bound variables make a trigger equal to terms that are there.
//!
//! Goals are worked off one by one: an application is tried on all cases of its function, or on those
//! in the class of a term; a variable is given the term, or compared if it has one. Sums wait until
//! the rest is done and are then solved for the variable that is left. A read of an array that
//! mentions no bound variable is tried at all indices of arrays of its sort, whether or not it is
//! read there already: reads over writes are what connects them.
//!
//! What is there, and what is equal, is for a `Ground` to say: the assignment of a search, or facts that
//! somebody else has closed under equality.
//!
//! After Detlefs, Nelson, Saxe, Simplify (JACM 2005); the sums and the indices are ours, the latter
//! after Bradley, Manna, Sipma, What's decidable about arrays? (VMCAI 2006).

use std::hash::Hash;
use std::rc::Rc;

use alphorn_term::{Op, Rat, SortId, Store, TermId};
use rustc_hash::FxHashSet;

use super::trigger::Pattern;
use crate::linear::Linear;

/// How often it is asked whether the search is to end.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// The terms that patterns are matched with: which are there, and which are equal.
pub trait Ground {
    /// What terms are: equal ones are the same.
    type Key: Clone + PartialEq;

    /// Where the terms are.
    fn store(&self) -> &Store;

    /// What a term is; nothing if it is not there.
    fn key(&self, term: TermId) -> Option<Self::Key>;

    /// The applications of an operator that are there, those to equal arguments once or more often.
    fn applications(&self, op: Op) -> Rc<[TermId]>;

    /// The applications of an operator that are equal to a term.
    fn equal(&self, term: TermId, op: Op) -> Vec<TermId>;

    /// The terms at which arrays of a sort are tried, where that is more than they are read at.
    fn indices(&self, _sort: SortId) -> Option<&[TermId]> {
        None
    }

    /// The value of a sum and what that is, where sums are solved for variables; otherwise they are
    /// matched as they are written.
    fn number(&self, _sum: &Linear) -> Option<(Rat, Self::Key)> {
        None
    }

    /// Whether sums are solved for variables.
    const SOLVES_SUMS: bool = false;

    /// Whether the search is to end.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// What a bound variable is given.
#[derive(Clone, Debug)]
pub(super) struct Binding<K> {
    /// What that is; without meaning for what is determined.
    pub(super) key: K,
    pub(super) chosen: Chosen,
}

/// A term that may have to be made.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// A term that is there.
    Term(TermId),
    /// A sum of such terms, and the term that it was found with, if there is one: a number that is mentioned
    /// nowhere is as far away as that.
    Sum(Linear, Option<TermId>),
    /// What the other variables determine.
    Determined,
}

#[derive(Clone, Copy)]
enum Goal {
    /// The pattern is some term.
    Somewhere(TermId),
    /// The pattern is this term.
    At(TermId, TermId),
}

/// A search for instances of one quantified body.
struct Matcher<'a, G: Ground> {
    ground: &'a G,
    pattern: &'a Pattern,
    bindings: Vec<Option<Binding<G::Key>>>,
    /// The cases that a trigger of one application is to be matched with, if not all.
    cases: Option<&'a [TermId]>,
    visit: &'a mut dyn FnMut(Vec<Binding<G::Key>>),
    limits: Reach,
    /// Whether some were left out.
    is_cut: bool,
}

/// How far matching goes.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// How many matches there may be.
    pub most: usize,
    /// Steps that may be made.
    pub steps: u64,
}

/// How a search ended.
pub(super) struct Matched {
    /// Whether some matches were left out.
    pub(super) is_cut: bool,
    /// The steps that were made.
    pub(super) steps: u64,
}

/// The terms for some variables with which the terms of a trigger are all there, once for each choice of
/// what they are, as far as the limits go.
pub fn instances<G: Ground<Key: Eq + Hash>>(
    ground: &G,
    vars: &[TermId],
    trigger: &[TermId],
    limits: Reach,
) -> Vec<Vec<TermId>> {
    let pattern = Pattern::plain(ground.store(), vars, trigger);
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let open = vec![None; vars.len()];
    matches(ground, &pattern, trigger, open, limits, None, &mut |bindings| {
        let mut terms = Vec::with_capacity(bindings.len());
        let mut keys = Vec::with_capacity(bindings.len());
        for binding in bindings {
            let Chosen::Term(term) = binding.chosen else { return };
            terms.push(term);
            keys.push(binding.key);
        }
        if seen.insert(keys) {
            found.push(terms);
        }
    });
    found
}

/// Shows the substitutions that match a trigger, as far as the limits go, where some variables may be
/// given already. They are shown one by one because there may be millions, few of which anybody wants to
/// keep.
pub(super) fn matches<G: Ground>(
    ground: &G,
    pattern: &Pattern,
    trigger: &[TermId],
    bindings: Vec<Option<Binding<G::Key>>>,
    limits: Reach,
    cases: Option<&[TermId]>,
    visit: &mut dyn FnMut(Vec<Binding<G::Key>>),
) -> Matched {
    let mut matcher = Matcher { ground, pattern, bindings, cases, visit, limits, is_cut: false };
    let goals = trigger.iter().rev().map(|term| Goal::Somewhere(*term)).collect();
    matcher.work(goals, Vec::new());
    Matched { is_cut: matcher.is_cut, steps: limits.steps - matcher.limits.steps }
}

impl<G: Ground> Matcher<'_, G> {
    fn work(&mut self, mut goals: Vec<Goal>, mut sums: Vec<(TermId, TermId)>) {
        if self.limits.most == 0 || self.limits.steps == 0 {
            self.is_cut = true;
            return;
        }
        self.limits.steps -= 1;
        if self.limits.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.ground.is_interrupted() {
            self.limits.steps = 0;
        }
        let saved = self.bindings.clone();
        while let Some(goal) = goals.pop() {
            match goal {
                Goal::Somewhere(pattern) => {
                    self.try_everywhere(pattern, &goals, &sums);
                    self.bindings = saved;
                    return;
                }
                Goal::At(pattern, term) if !self.pattern.is_open(pattern) => {
                    let keys = (self.ground.key(pattern), self.ground.key(term));
                    if keys.0.is_none() || keys.0 != keys.1 {
                        self.bindings = saved;
                        return;
                    }
                }
                Goal::At(pattern, term) => match self.ground.store().op(pattern) {
                    Op::Var(_) => {
                        if !self.bind(pattern, term) {
                            self.bindings = saved;
                            return;
                        }
                    }
                    op if G::SOLVES_SUMS && is_sum(op) => sums.push((pattern, term)),
                    op => {
                        self.try_class(op, pattern, term, &goals, &sums);
                        self.bindings = saved;
                        return;
                    }
                },
            }
        }
        if self.solve(sums)
            && let Some(found) = self.bindings.iter().cloned().collect::<Option<Vec<_>>>()
        {
            self.limits.most -= 1;
            (self.visit)(found);
        }
        self.bindings = saved;
    }

    fn try_args(
        &mut self,
        pattern: TermId,
        term: TermId,
        goals: &[Goal],
        sums: &[(TermId, TermId)],
    ) {
        let store = self.ground.store();
        let pairs = store.args(pattern).iter().zip(store.args(term)).rev();
        let mut goals = goals.to_vec();
        goals.extend(pairs.map(|(pattern, term)| Goal::At(*pattern, *term)));
        self.work(goals, sums.to_vec());
    }

    fn try_everywhere(&mut self, pattern: TermId, goals: &[Goal], sums: &[(TermId, TermId)]) {
        let (ground, store) = (self.ground, self.ground.store());
        let (op, args) = (store.op(pattern), store.args(pattern));
        if op == Op::Select
            && !self.pattern.is_open(args[0])
            && let Some(indices) = ground.indices(store.sort(args[0]))
        {
            for &index in indices {
                let mut goals = goals.to_vec();
                goals.push(Goal::At(args[1], index));
                self.work(goals, sums.to_vec());
            }
            return;
        }
        let known;
        let cases = match self.cases {
            Some(cases) => cases,
            None => {
                known = ground.applications(op);
                &known
            }
        };
        for &term in cases {
            if store.sort(term) == store.sort(pattern) {
                self.try_args(pattern, term, goals, sums);
            }
        }
    }

    fn try_class(
        &mut self,
        op: Op,
        pattern: TermId,
        term: TermId,
        goals: &[Goal],
        sums: &[(TermId, TermId)],
    ) {
        for member in self.ground.equal(term, op) {
            self.try_args(pattern, member, goals, sums);
        }
    }

    fn bind(&mut self, var: TermId, term: TermId) -> bool {
        let Some(place) = self.pattern.place(var) else { return false };
        let Some(key) = self.ground.key(term) else { return false };
        match &self.bindings[place] {
            Some(binding) => binding.key == key,
            None => {
                self.bindings[place] = Some(Binding { key, chosen: Chosen::Term(term) });
                true
            }
        }
    }

    /// Solves sums for variables until none is left; whether that could be done.
    fn solve(&mut self, mut sums: Vec<(TermId, TermId)>) -> bool {
        while !sums.is_empty() {
            let before = sums.len();
            let mut is_consistent = true;
            sums.retain(|(pattern, term)| match self.solve_one(*pattern, *term) {
                Some(holds) => {
                    is_consistent &= holds;
                    false
                }
                None => true,
            });
            if !is_consistent || sums.len() == before {
                return false;
            }
        }
        true
    }

    /// Makes a sum equal to a term; nothing if more than one of its variables is open.
    fn solve_one(&mut self, pattern: TermId, term: TermId) -> Option<bool> {
        let store = self.ground.store();
        let mut rest = Linear::of(store, term);
        let mut open = None;
        let sum = Linear::of(store, pattern);
        rest.constant = &rest.constant - &sum.constant;
        for (atom, factor) in &sum.terms {
            let Some(place) = self.pattern.place(*atom) else {
                if self.pattern.is_open(*atom) {
                    return Some(false);
                }
                rest.add_scaled(&Linear::atom(*atom), &-factor.clone());
                continue;
            };
            match &self.bindings[place] {
                Some(Binding { chosen: Chosen::Determined, .. }) => return Some(false),
                None if open.is_some() => return None,
                None => open = Some((place, factor.clone())),
                Some(Binding { chosen: Chosen::Term(term), .. }) => {
                    rest.add_scaled(&Linear::of(store, *term), &-factor.clone());
                }
                Some(Binding { chosen: Chosen::Sum(sum, _), .. }) => {
                    rest.add_scaled(sum, &-factor.clone());
                }
            }
        }
        let Some((place, factor)) = open else {
            return Some(self.ground.number(&rest).is_some_and(|(value, _)| value.is_zero()));
        };
        let is_int = store.sort(self.pattern.vars[place]) == SortId::INT;
        if is_int && factor.abs() != Rat::ONE {
            return Some(false);
        }
        rest.scale(&factor.recip()?);
        let Some((_, key)) = self.ground.number(&rest) else { return Some(false) };
        let is_whole = rest.constant.is_integer() && rest.is_over_integers(store);
        if is_int && !is_whole {
            return Some(false);
        }
        self.bindings[place] = Some(Binding { key, chosen: Chosen::Sum(rest, Some(term)) });
        Some(true)
    }
}

/// Whether a pattern is to be solved for a variable.
fn is_sum(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::ToReal)
}
