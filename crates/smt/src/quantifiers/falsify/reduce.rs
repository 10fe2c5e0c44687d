//! What goals come to without a choice: they hold, fail, become others, or stay.

use super::{Falsifier, Goal, Outcome, is_application};
use crate::linear::Linear;
use crate::quantifiers::judge::{Seen, same};
use crate::quantifiers::matching::{Binding, Chosen};
use crate::quantifiers::view::Key;
use alphorn_term::{Op, Rat, SortId, TermId};

impl Falsifier<'_, '_> {
    pub(super) fn reduce(&mut self, goal: &Goal) -> Outcome {
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
                Chosen::Sum(sum, None)
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
                    Chosen::Sum(sum, _) => sum.clone(),
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
        let binding = Binding { key: Key::Number(value), chosen: Chosen::Sum(rest, None) };
        self.bindings[place] = Some(binding);
        self.see(self.pattern.vars[place]);
        Outcome::Holds
    }
}
