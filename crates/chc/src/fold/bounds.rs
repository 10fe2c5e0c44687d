//! What folds are bounded by.

use super::family::{Builder, Plan, What};
use super::template::Kind;
use alphorn_horn::folds::data::ctors;
use alphorn_problem::evidence::fold::Law;
use alphorn_term::{FuncId, Op, SortId};

impl Builder<'_> {
    /// What counts and tags are bounded by, a law for each datatype that has some.
    pub(super) fn laws(&mut self) -> Vec<Law> {
        let mut laws = Vec::new();
        for sort in self.of.keys().copied().collect::<Vec<_>>() {
            let var = self.store.fresh_var("v", sort);
            let mut parts = Vec::new();
            for at in 0..self.plans.len() {
                let Plan { func, sort: of, what } = self.plans[at];
                let declared = self.store.func(func);
                // A law speaks of one value alone.
                if of != sort || declared.result != SortId::INT || declared.args.len() == 2 {
                    continue;
                }
                let (low, high) = self.bounds(what, sort);
                let value = self.store.mk(Op::Apply(func), &[var]);
                if let Some(low) = low {
                    let low = self.store.int(low);
                    parts.push(self.store.le(low, value));
                }
                if let Some(high) = high {
                    let high = self.store.int(high);
                    parts.push(self.store.le(value, high));
                }
            }
            if !parts.is_empty() {
                let formula = self.store.and(&parts);
                laws.push(Law { level: 0, var, formula, cases: Vec::new() });
            }
        }
        laws
    }

    /// The least and the largest value of a fold, where they are known.
    fn bounds(&self, what: What, sort: SortId) -> (Option<i64>, Option<i64>) {
        match what {
            What::Kind(Kind::Count | Kind::Height) | What::CountOf(_) => (Some(0), None),
            What::Kind(Kind::Digits) => (Some(i64::from(self.is_written_in_digits(sort))), None),
            What::Kind(Kind::Tag) => (Some(0), Some(ctors(self.store, sort).len() as i64 - 1)),
            What::Kind(
                kind @ (Kind::Sum | Kind::Head | Kind::Last | Kind::Greatest | Kind::Least),
            ) => {
                let all = ctors(self.store, sort);
                let mut numbers = all.iter().flat_map(|&ctor| self.numbers_for(sort, ctor, kind));
                let is_natural = |(_, fold): (usize, Option<FuncId>)| {
                    fold.is_some_and(|func| self.is_natural(func))
                };
                (numbers.all(is_natural).then_some(0), None)
            }
            What::Part(_, _, Some(func)) => match self.plans.iter().find(|p| p.func == func) {
                Some(plan) => self.bounds(plan.what, plan.sort),
                None => (None, None),
            },
            _ => (None, None),
        }
    }

    fn is_natural(&self, func: FuncId) -> bool {
        let plan = self.plans.iter().find(|plan| plan.func == func);
        plan.is_some_and(|plan| self.bounds(plan.what, plan.sort).0.is_some())
    }
}
