//! The linear program whose solutions are wishes: coefficients that samples obey.

use super::{Form, Mode, Samples};
use crate::rank::level::{Affine, Condition, Target, affine};
use crate::rank::lp::{Lp, Sum, Unknown};
use crate::rank::steps::{Piece, Steps};
use crate::settings::RANK_LP_TICKS;
use alphorn_term::Rat;
use std::collections::BTreeMap;

/// A program with wishes.
pub(super) struct Program {
    pub(super) lp: Lp,
    pub(super) function: Affine,
    /// For each transition, what is wished for its decrease; last, what is wished so that the one that is
    /// removed is bounded.
    pub(super) forms: Vec<(usize, Form)>,
    pub(super) cost: Sum,
    /// How many polyhedra of each transition are there.
    known: BTreeMap<usize, usize>,
}

impl Program {
    pub(super) fn new(steps: &Steps<'_>, edges: &[usize], removed: usize, mode: Mode) -> Program {
        let mut lp = Lp::new(RANK_LP_TICKS.get());
        let function = affine(&mut lp, steps, edges);
        let mut cost = Sum::default();
        let mut forms = Vec::new();
        for (at, &edge) in edges.iter().chain([&removed]).enumerate() {
            let mut parts = Vec::new();
            let unwanted = if at < edges.len() { Mode::Bound } else { Mode::Decrease };
            let count = if mode == unwanted { 0 } else { steps.flow.vars.len() + 1 };
            for _ in 0..count {
                let pair = [lp.multiplier(), lp.multiplier()];
                pair.iter().for_each(|&part| cost.add(part, &Rat::ONE));
                parts.push(pair);
            }
            forms.push((edge, Form { parts }));
        }
        Program { lp, function, forms, cost, known: BTreeMap::new() }
    }

    /// Has wishes be true in the samples.
    pub(super) fn obey(&mut self, samples: &Samples) {
        for (edge, form) in &self.forms {
            for state in samples.get(edge).into_iter().flatten() {
                let mut sum = Sum::default();
                for (pair, value) in form.parts.iter().zip(state.iter().chain([&Rat::ONE])) {
                    sum.add(pair[0], value);
                    sum.add(pair[1], &-value);
                }
                self.lp.is_at_least(&sum, &Rat::ZERO);
            }
        }
    }

    pub(super) fn grow(&mut self, steps: &Steps<'_>, removed: usize) {
        let mut conditions: Vec<(Condition, Rat)> = Vec::new();
        let last = self.forms.len() - 1;
        for (at, (edge, form)) in self.forms.iter().enumerate() {
            let step = &steps.flow.transitions[*edge];
            let all = &steps.polyhedra[*edge];
            for Piece { polyhedron, .. } in &all[self.known.get(edge).copied().unwrap_or(0)..] {
                let (before, after) = polyhedron.values.split_at(steps.flow.vars.len());
                let mut target = Target::default();
                target.add(&self.function[&(step.from, 0)], before, &Rat::ONE);
                if at < last {
                    target.add(&self.function[&(step.to, 0)], after, &Rat::MINUS_ONE);
                }
                for (sign, factor) in [(0, Rat::MINUS_ONE), (1, Rat::ONE)] {
                    if form.parts.is_empty() {
                        continue;
                    }
                    let part: Vec<Unknown> = form.parts.iter().map(|pair| pair[sign]).collect();
                    target.add(&part, before, &factor);
                }
                let least = if *edge == removed && at < last { Rat::ONE } else { Rat::ZERO };
                conditions.push((target.holds_in(polyhedron, &mut self.lp), least));
            }
        }
        for (edge, _) in &self.forms {
            self.known.insert(*edge, steps.polyhedra[*edge].len());
        }
        for zero in conditions.iter().flat_map(|(condition, _)| &condition.zeros) {
            self.lp.is_zero(zero);
        }
        for (condition, least) in &conditions {
            self.lp.is_at_least(&condition.constant, least);
        }
    }

    /// The coefficients of a form in the solution found last.
    pub(super) fn coefficients(&self, form: &Form) -> Vec<Rat> {
        let parts: Vec<Unknown> = form.parts.iter().flatten().copied().collect();
        let values = self.lp.values(&parts);
        values.chunks(2).map(|pair| &pair[0] - &pair[1]).collect()
    }
}
