//! What is tried where goals stay: applications case by case, connectives, elements for variables.

use std::rc::Rc;

use super::{Branch, Falsifier, Goal, Wish, is_application};
use crate::linear::Linear;
use crate::quantifiers::judge::Seen;
use crate::quantifiers::matching::{Binding, Chosen};
use crate::quantifiers::view::{Key, Place};
use alphorn_term::{Op, Rat, Sort, SortId, TermId};

impl Falsifier<'_, '_> {
    /// Chooses a goal, and tries what it may come to.
    pub(super) fn branch(&mut self, goals: Vec<Goal>) {
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
                    chosen: Chosen::Sum(Linear::constant(Rat::ZERO), None),
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
