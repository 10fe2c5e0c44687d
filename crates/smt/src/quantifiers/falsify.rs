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

use std::rc::Rc;

use alphorn_term::{Op, Rat, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use super::judge::{Seen, bound, same, value};
use super::matching::{Binding, Chosen, Ground, Matched};
use super::trigger::Pattern;
use super::view::{Key, Place, View};
use crate::linear::Linear;
use crate::theories::Table;

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

    fn reduce(&mut self, goal: &Goal) -> Outcome {
        match goal {
            Goal::Truth(term, wanted) => self.reduce_truth(*term, *wanted),
            Goal::Same(left, right, is_same) => match (self.see(*left), self.see(*right)) {
                (Some(a), Some(b)) => self.told(same(self.view, &a, &b), *is_same),
                (Some(a), None) if *is_same => {
                    Outcome::Becomes(vec![Goal::Is(*right, a, Some(*left))])
                }
                (None, Some(b)) if *is_same => {
                    Outcome::Becomes(vec![Goal::Is(*left, b, Some(*right))])
                }
                _ => Outcome::Stays,
            },
            Goal::Order(left, right, is_proper) => {
                let (Some(a), Some(b)) = (self.see(*left), self.see(*right)) else {
                    return Outcome::Stays;
                };
                match (a.key, b.key) {
                    // Orders of numbers are never certain by equality alone.
                    (Key::Number(a), Key::Number(b)) if !self.is_strict => {
                        match if *is_proper { a < b } else { a <= b } {
                            true => Outcome::Holds,
                            false => Outcome::Fails,
                        }
                    }
                    _ => Outcome::Fails,
                }
            }
            Goal::Is(term, target, source) => self.reduce_is(*term, target, *source),
        }
    }

    fn reduce_truth(&mut self, term: TermId, wanted: bool) -> Outcome {
        let found = self.see(term);
        if let Some(found) = &found
            && (found.key != Key::Truth(wanted) || self.is_wanted(found, wanted))
        {
            return self.told(Some(found.clone()), wanted);
        }
        let view = self.view;
        let args = view.store.args(term);
        let each = |wanted: bool| args.iter().map(|arg| Goal::Truth(*arg, wanted)).collect();
        match view.store.op(term) {
            Op::Not => Outcome::Becomes(vec![Goal::Truth(args[0], !wanted)]),
            Op::And if wanted => Outcome::Becomes(each(true)),
            Op::Or if !wanted => Outcome::Becomes(each(false)),
            Op::Eq if view.store.sort(args[0]) != SortId::BOOL => {
                Outcome::Becomes(vec![Goal::Same(args[0], args[1], wanted)])
            }
            Op::Distinct if wanted || args.len() == 2 => {
                let mut pairs = Vec::new();
                for (place, left) in args.iter().enumerate() {
                    pairs.extend(args[place + 1..].iter().map(|r| Goal::Same(*left, *r, !wanted)));
                }
                Outcome::Becomes(pairs)
            }
            op @ (Op::Le | Op::Lt) if found.is_none() => {
                let (is_proper, left, right) = match wanted {
                    true => (op == Op::Lt, args[0], args[1]),
                    false => (op == Op::Le, args[1], args[0]),
                };
                Outcome::Becomes(vec![Goal::Order(left, right, is_proper)])
            }
            Op::And | Op::Or | Op::Eq | Op::Ite | Op::Distinct => Outcome::Stays,
            _ if found.is_some() => Outcome::Fails,
            op if self.pattern.place(term).is_some() || is_application(op) => {
                let truth = if wanted { TermId::TRUE } else { TermId::FALSE };
                let seen = Seen::truth(wanted, true).map(|seen| Seen { term: Some(truth), ..seen });
                seen.map_or(Outcome::Fails, |seen| {
                    Outcome::Becomes(vec![Goal::Is(term, seen, None)])
                })
            }
            _ => Outcome::Fails,
        }
    }

    fn reduce_is(&mut self, term: TermId, target: &Seen, source: Option<TermId>) -> Outcome {
        if let Some(found) = self.see(term) {
            return self.told(same(self.view, &found, target), true);
        }
        if let Some(place) = self.pattern.place(term) {
            return match self.bind(place, term, target, source) {
                true => Outcome::Holds,
                false => Outcome::Fails,
            };
        }
        let view = self.view;
        let args = view.store.args(term);
        match view.store.op(term) {
            Op::Add | Op::Mul | Op::ToReal => self.solve(term, target),
            Op::Ite => match self.see(args[0]) {
                Some(condition) if self.is_strict && !condition.is_certain => Outcome::Fails,
                Some(condition) => {
                    let chosen = if condition.key == Key::Truth(true) { args[1] } else { args[2] };
                    Outcome::Becomes(vec![Goal::Is(chosen, target.clone(), source)])
                }
                None => Outcome::Stays,
            },
            op if is_application(op) => {
                // With all arguments known it would be known if it were there.
                let are_known = args.iter().all(|arg| self.see(*arg).is_some());
                if are_known { Outcome::Fails } else { Outcome::Stays }
            }
            _ => Outcome::Fails,
        }
    }

    fn bind(&mut self, place: usize, var: TermId, target: &Seen, source: Option<TermId>) -> bool {
        let sort = self.store().sort(var);
        let own = target.term.filter(|term| self.store().sort(*term) == sort);
        let chosen = match (own, &target.key) {
            (Some(term), _) => Chosen::Term(term),
            (None, Key::Number(number)) => {
                let sum = source.and_then(|source| self.linear(source));
                let sum = sum.unwrap_or_else(|| Linear::constant(number.clone()));
                let is_whole = sum.constant.is_integer() && sum.is_over_integers(self.store());
                if sort == SortId::INT && !is_whole {
                    return false;
                }
                Chosen::Sum(sum)
            }
            (None, key) => match self.view.representative(sort, key) {
                Some(term) => Chosen::Term(term),
                None => return false,
            },
        };
        self.bindings[place] = Some(Binding { key: target.key.clone(), chosen });
        self.see(var).is_some()
    }

    /// What a sum of the body is over terms that are there.
    fn linear(&mut self, term: TermId) -> Option<Linear> {
        let mut sum = Linear::of(self.view.store, term);
        for (atom, factor) in std::mem::take(&mut sum.terms) {
            let own = match self.pattern.place(atom) {
                Some(place) => match &self.bindings[place].as_ref()?.chosen {
                    Chosen::Term(term) => Linear::of(self.view.store, *term),
                    Chosen::Sum(sum) => sum.clone(),
                    Chosen::Determined => return None,
                },
                None => Linear::of(self.view.store, self.see(atom)?.term?),
            };
            sum.add_scaled(&own, &factor);
        }
        Some(sum)
    }

    /// Solves a sum for the one variable of it that is open.
    fn solve(&mut self, term: TermId, target: &Seen) -> Outcome {
        let Key::Number(number) = &target.key else { return Outcome::Fails };
        let mut rest = match target.term {
            Some(term) => Linear::of(self.view.store, term),
            None => Linear::constant(number.clone()),
        };
        let sum = Linear::of(self.view.store, term);
        rest.constant = &rest.constant - &sum.constant;
        let mut open = None;
        for (atom, factor) in &sum.terms {
            match (self.linear(*atom), self.pattern.place(*atom)) {
                (Some(own), _) => rest.add_scaled(&own, &-factor.clone()),
                (None, Some(place)) if open.is_none() => open = Some((place, factor.clone())),
                _ => return Outcome::Stays,
            }
        }
        // A sum without open variables would have been seen.
        let Some((place, factor)) = open else { return Outcome::Fails };
        let is_int = self.store().sort(self.pattern.vars[place]) == SortId::INT;
        let Some(inverse) = factor.recip() else { return Outcome::Fails };
        rest.scale(&inverse);
        let is_whole = rest.constant.is_integer() && rest.is_over_integers(self.store());
        if is_int && (factor.abs() != Rat::ONE || !is_whole) {
            return Outcome::Fails;
        }
        let Some(value) = self.view.number(&rest) else { return Outcome::Fails };
        let binding = Binding { key: Key::Number(value), chosen: Chosen::Sum(rest) };
        self.bindings[place] = Some(binding);
        self.see(self.pattern.vars[place]);
        Outcome::Holds
    }
}

impl Falsifier<'_, '_> {
    /// Chooses a goal, and tries what it may come to.
    fn branch(&mut self, goals: Vec<Goal>) {
        let mut best: Option<(Branch, usize)> = None;
        if goals.is_empty() {
            return self.complete();
        }
        for (number, goal) in goals.iter().enumerate() {
            if !self.step() {
                return;
            }
            // What rests on variables alone waits for other goals to say what they are.
            let Some(branch) = self.branch_of(goal) else { continue };
            if best.is_none_or(|(other, _)| branch < other) {
                best = Some((branch, number));
            }
        }
        let Some((branch, number)) = best else { return };
        match branch {
            Branch::Valued(_, application) | Branch::Anywhere(_, application) => {
                let key = match &goals[number] {
                    Goal::Is(term, target, _) if *term == application => Some(&target.key),
                    _ => None,
                };
                let cases = self.cases(application, key);
                self.try_cases(application, &cases, &goals);
            }
            Branch::Choice => {
                let mut others = goals.clone();
                let chosen = others.remove(number);
                for parts in self.alternatives(&chosen) {
                    let mut goals = others.clone();
                    goals.extend(parts);
                    self.work(goals);
                }
            }
            Branch::Guess(var) => {
                for term in self.view.elements(self.store().sort(var)).iter() {
                    let Some(key) = self.view.key(*term) else { continue };
                    let (node, term) = (self.view.node(*term), Some(*term));
                    let seen = Seen { key, node, term, is_certain: true };
                    let mut goals = goals.clone();
                    goals.push(Goal::Is(var, seen, None));
                    self.work(goals);
                }
            }
        }
    }

    /// How a goal is worked on; nothing if there is no way.
    fn branch_of(&mut self, goal: &Goal) -> Option<Branch> {
        match goal {
            Goal::Truth(..) => Some(Branch::Choice),
            Goal::Is(term, target, _) if is_application(self.store().op(*term)) => {
                Some(Branch::Valued(self.cases(*term, Some(&target.key)).len(), *term))
            }
            Goal::Is(term, ..) => self.unseen(&[*term]),
            Goal::Same(left, right, _) | Goal::Order(left, right, _) => {
                self.unseen(&[*left, *right])
            }
        }
    }

    /// An application that has no value yet, or a variable, below terms that are to have one; the
    /// application with the fewest cases.
    fn unseen(&mut self, roots: &[TermId]) -> Option<Branch> {
        let view = self.view;
        let mut best: Option<(usize, TermId)> = None;
        let (mut var, mut is_choice) = (None, false);
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if self.see(term).is_some() {
                continue;
            }
            let args = view.store.args(term);
            match view.store.op(term) {
                Op::Var(_) if self.pattern.place(term).is_some() => var = Some(term),
                Op::Ite => {
                    is_choice |= self.see(args[0]).is_none();
                    stack.extend_from_slice(args);
                }
                op if is_application(op) => {
                    let count = self.cases(term, None).len();
                    if best.is_none_or(|(other, _)| count < other) {
                        best = Some((count, term));
                    }
                }
                Op::Forall | Op::Exists => {}
                _ => stack.extend_from_slice(args),
            }
        }
        let is_element = |var: &TermId| {
            matches!(view.store.sort_of(view.store.sort(*var)), Sort::Uninterpreted(..))
        };
        best.map(|(count, term)| Branch::Anywhere(count, term))
            .or(is_choice.then_some(Branch::Choice))
            .or(var.filter(is_element).map(Branch::Guess))
    }

    /// The cases of an application, those with a value if it is to have one: the shortest list that what
    /// is known gives.
    fn cases(&mut self, application: TermId, key: Option<&Key>) -> Rc<[TermId]> {
        let view = self.view;
        let (op, sort) = (view.store.op(application), view.store.sort(application));
        let value = key.map(|key| (Place::Value, key.clone()));
        let mut cases = view.applications_at(op, sort, value);
        for (place, arg) in view.store.args(application).iter().enumerate() {
            let Some(seen) = self.see(*arg) else { continue };
            let fewer = view.applications_at(op, sort, Some((Place::Argument(place), seen.key)));
            if fewer.len() < cases.len() {
                cases = fewer;
            }
        }
        cases
    }

    /// Tries the cases of an application one by one.
    fn try_cases(&mut self, application: TermId, cases: &[TermId], goals: &[Goal]) {
        let view = self.view;
        let args = view.store.args(application);
        for case in cases {
            if self.is_done {
                return;
            }
            let pairs = args.iter().zip(view.store.args(*case));
            let mut goals = goals.to_vec();
            let mut is_fit = true;
            for (arg, own) in pairs {
                let Some(key) = view.key(*own) else {
                    is_fit = false;
                    break;
                };
                is_fit &= view.store.sort(*arg) == view.store.sort(*own);
                let seen = Seen { key, node: view.node(*own), term: Some(*own), is_certain: true };
                goals.push(Goal::Is(*arg, seen, None));
            }
            if is_fit {
                self.work(goals);
            }
        }
    }

    /// The ways to meet a goal about a connective.
    fn alternatives(&mut self, goal: &Goal) -> Vec<Vec<Goal>> {
        let view = self.view;
        let (term, wanted) = match goal {
            Goal::Truth(term, wanted) => (*term, *wanted),
            other => return self.conditions(other),
        };
        let args = view.store.args(term);
        match view.store.op(term) {
            Op::And | Op::Or => args.iter().map(|arg| vec![Goal::Truth(*arg, wanted)]).collect(),
            Op::Ite => [(true, args[1]), (false, args[2])]
                .map(|(value, part)| vec![Goal::Truth(args[0], value), Goal::Truth(part, wanted)])
                .to_vec(),
            Op::Eq => [true, false]
                .map(|v| vec![Goal::Truth(args[0], v), Goal::Truth(args[1], v == wanted)])
                .to_vec(),
            Op::Distinct => {
                let mut pairs = Vec::new();
                for (place, left) in args.iter().enumerate() {
                    pairs.extend(
                        args[place + 1..].iter().map(|r| vec![Goal::Same(*left, *r, true)]),
                    );
                }
                pairs
            }
            _ => Vec::new(),
        }
    }

    /// The truth values of a condition below a goal.
    fn conditions(&mut self, goal: &Goal) -> Vec<Vec<Goal>> {
        let view = self.view;
        let mut stack = match goal {
            Goal::Is(term, ..) => vec![*term],
            Goal::Same(left, right, _) | Goal::Order(left, right, _) => vec![*left, *right],
            Goal::Truth(..) => Vec::new(),
        };
        while let Some(term) = stack.pop() {
            let args = view.store.args(term);
            if view.store.op(term) == Op::Ite && self.see(args[0]).is_none() {
                let both = [true, false].map(|v| vec![Goal::Truth(args[0], v), goal.clone()]);
                return both.to_vec();
            }
            if self.see(term).is_none() {
                stack.extend_from_slice(args);
            }
        }
        Vec::new()
    }

    /// Gives the variables that nothing rests on some term, and shows the substitution.
    fn complete(&mut self) {
        let mut found = Vec::with_capacity(self.bindings.len());
        for (binding, &var) in self.bindings.iter().zip(&self.pattern.vars) {
            let sort = self.store().sort(var);
            found.push(match binding {
                Some(binding) => binding.clone(),
                None if sort == SortId::BOOL => {
                    Binding { key: Key::Truth(true), chosen: Chosen::Term(TermId::TRUE) }
                }
                None if sort.is_arithmetic() => Binding {
                    key: Key::Number(Rat::ZERO),
                    chosen: Chosen::Sum(Linear::constant(Rat::ZERO)),
                },
                None => {
                    let term = self.view.elements(sort).first().copied();
                    let Some(term) = term else { return };
                    let Some(key) = self.view.key(term) else { return };
                    Binding { key, chosen: Chosen::Term(term) }
                }
            });
        }
        let wish = (self.visit)(found);
        self.is_strict |= wish == Wish::Strict;
        self.is_done |= wish == Wish::Nothing;
    }
}

/// Whether an operator is one of which the assignment has cases.
fn is_application(op: Op) -> bool {
    matches!(op, Op::Apply(_)) || Table::congruence(op).is_some()
}
