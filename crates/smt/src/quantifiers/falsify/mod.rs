//! Which terms for the bound variables make a body false: the search for conflicting instances.
//!
//! The body is to be false, and goals say what that takes: connectives become goals about their
//! parts, an equation that has to hold hands what is known of one side to the other, an application
//! that has to have a value is tried on the cases that have it, found by the value and by the arguments that
//! are known already. What can be told at once is told at once, so a choice that leads nowhere is
//! left before more is chosen. Cases where nothing helps are tried one by one: applications in a
//! disequality or an order, then connectives, then elements for variables that stand alone.
//!
//! Nothing is flattened and no term is made: a subterm is its own name, and only those have to be there
//! that the falsity rests on. In a *strict* search every literal has to follow from equality
//! and the truth values of the search, so what it finds is in conflict; otherwise it has to be false
//! in the assignment as it stands, which is what induces equations of terms that are there.
//!
//! After Reynolds, Tinelli, de Moura, Finding conflicting instances of quantified formulas in SMT
//! (FMCAD 2014), the procedures `falsify` and `match` of figure 3. We differ in the order of goals,
//! which is by what is known, and in sums, which are solved for a variable.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

use super::judge::{Seen, bound, value};
use super::matching::{Binding, Ground, Matched};
use super::trigger::Pattern;
use super::view::{Key, View};
use crate::theories::Table;

mod branch;
mod reduce;

/// The largest body that is looked at: calls nest as deeply as it does.
const MAX_BODY: usize = 2_000;
/// How often it is asked whether the search is to end.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// What has to be so.
#[derive(Clone)]
enum Goal {
    /// A formula has a truth value.
    Truth(TermId, bool),
    /// Two terms are equal, or different.
    Same(TermId, TermId, bool),
    /// The first number is at most the second, or below it.
    Order(TermId, TermId, bool),
    /// A term is what was seen of another, which is a subterm of the body if it is named.
    Is(TermId, Seen, Option<TermId>),
}

/// What becomes of a goal.
enum Outcome {
    Holds,
    Fails,
    Becomes(Vec<Goal>),
    Stays,
}

/// How a goal that stays is worked on, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Branch {
    /// An application has a value, in so many cases.
    Valued(usize, TermId),
    /// An application has some value, in so many cases.
    Anywhere(usize, TermId),
    /// A connective.
    Choice,
    /// A variable that nothing else determines.
    Guess(TermId),
}

struct Falsifier<'a, 'v> {
    view: &'a View<'v>,
    pattern: &'a Pattern,
    is_strict: bool,
    bindings: Vec<Option<Binding<Key>>>,
    /// What subterms are, with the bindings.
    seen: FxHashMap<TermId, Seen>,
    /// The subterms and variables that are known, in the order in which that came.
    trail: Vec<TermId>,
    steps: u64,
    is_cut: bool,
    is_done: bool,
    visit: &'a mut dyn FnMut(Vec<Binding<Key>>) -> Wish,
}

/// What somebody who has seen a substitution wants to see next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Another one.
    Any,
    /// Another one that is in conflict.
    Strict,
    /// None.
    Nothing,
}

/// Shows the substitutions that make a body false, until somebody has seen enough or so many steps are
/// made; `is_positive` says whether the body is to be true.
pub(super) fn falsify(
    view: &View<'_>,
    pattern: &Pattern,
    (is_positive, is_strict): (bool, bool),
    steps: u64,
    visit: &mut dyn FnMut(Vec<Binding<Key>>) -> Wish,
) -> Matched {
    if pattern.order.len() > MAX_BODY {
        return Matched { is_cut: false, steps: 0 };
    }
    let mut falsifier = Falsifier {
        view,
        pattern,
        is_strict,
        bindings: vec![None; pattern.vars.len()],
        seen: FxHashMap::default(),
        trail: Vec::new(),
        steps,
        is_cut: false,
        is_done: false,
        visit,
    };
    falsifier.work(vec![Goal::Truth(pattern.body, !is_positive)]);
    Matched { is_cut: falsifier.is_cut, steps: steps - falsifier.steps }
}

impl Falsifier<'_, '_> {
    fn store(&self) -> &Store {
        self.view.store
    }

    /// Works on goals until none is left, and takes back what it found out.
    fn work(&mut self, goals: Vec<Goal>) {
        if self.is_done {
            return;
        }
        let mark = self.trail.len();
        if let Some(open) = self.settle(goals) {
            self.branch(open);
        }
        for term in self.trail.drain(mark..) {
            self.seen.remove(&term);
            if let Some(place) = self.pattern.place(term) {
                self.bindings[place] = None;
            }
        }
    }

    /// Counts a goal that is looked at, since bodies can be large; false if there are to be no more.
    fn step(&mut self) -> bool {
        if self.steps == 0 {
            (self.is_cut, self.is_done) = (true, true);
            return false;
        }
        self.steps -= 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.view.is_interrupted() {
            self.steps = 0;
        }
        true
    }

    /// Does what can be done without a choice; the goals that are left, or nothing if one fails.
    fn settle(&mut self, goals: Vec<Goal>) -> Option<Vec<Goal>> {
        let mut goals = goals;
        loop {
            let (mut rest, known) = (Vec::with_capacity(goals.len()), self.trail.len());
            let mut is_changed = false;
            while let Some(goal) = goals.pop() {
                if !self.step() {
                    return None;
                }
                match self.reduce(&goal) {
                    Outcome::Fails => return None,
                    Outcome::Holds => {}
                    Outcome::Becomes(parts) => {
                        is_changed = true;
                        goals.extend(parts);
                    }
                    Outcome::Stays => rest.push(goal),
                }
            }
            rest.reverse();
            if !is_changed && self.trail.len() == known {
                return Some(rest);
            }
            goals = rest;
        }
    }

    /// What a term is with the bindings so far.
    fn see(&mut self, term: TermId) -> Option<Seen> {
        if let Some(seen) = self.seen.get(&term) {
            return Some(seen.clone());
        }
        let found = match self.pattern.place(term) {
            Some(place) => bound(self.view, self.bindings[place].as_ref()?),
            None => {
                if !matches!(self.store().op(term), Op::Forall | Op::Exists) {
                    let view = self.view;
                    for arg in view.store.args(term) {
                        self.see(*arg);
                    }
                }
                value(self.view, self.pattern, &self.seen, term)
            }
        }?;
        self.seen.insert(term, found.clone());
        self.trail.push(term);
        Some(found)
    }

    /// Whether a truth value is the one that is wanted, and certain enough.
    fn is_wanted(&self, seen: &Seen, wanted: bool) -> bool {
        seen.key == Key::Truth(wanted) && (seen.is_certain || !self.is_strict)
    }

    fn told(&self, seen: Option<Seen>, wanted: bool) -> Outcome {
        match seen.is_some_and(|seen| self.is_wanted(&seen, wanted)) {
            true => Outcome::Holds,
            false => Outcome::Fails,
        }
    }
}

/// Whether an operator is one of which the assignment has cases.
fn is_application(op: Op) -> bool {
    matches!(op, Op::Apply(_)) || Table::congruence(op).is_some()
}
