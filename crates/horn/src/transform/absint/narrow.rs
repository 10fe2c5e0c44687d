//! States narrowed by comparisons, and by what these say inside quotients, sizes and floors.

use super::bound::{Bound, Interval, Upper};
use super::evaluate::{positive, ranges};
use super::interpret::Interpreter;
use super::octagon::Empty;
use super::state::{Relation, State};
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, TermId};

impl Interpreter<'_> {
    /// Narrows a state by a comparison, and the arguments of quotients and the like in it.
    pub(super) fn compare(
        &mut self,
        state: &mut State,
        form: &Linear,
        relation: Relation,
    ) -> Result<bool, Empty> {
        let ranges = ranges(self.store, state, form);
        let mut has_changed = state.compare(self.store, form, relation, &ranges)?;
        let dimensions = state.dimensions.len();
        let size = form.terms.len() + if has_changed { dimensions * dimensions } else { 0 };
        self.steps += 1 + size as u64;
        for (term, _) in &form.terms {
            let args = self.store.args(*term);
            let inner = match (self.store.op(*term), args) {
                (Op::IntDiv, &[number, divisor]) => positive(self.store, divisor)
                    .map(|divisor| (number, dividends(&state.range(*term), &divisor))),
                (Op::Abs, &[number]) => {
                    let up = state.range(*term).up;
                    Some((number, Interval { down: up.clone(), up }))
                }
                (Op::ToInt, &[number]) => {
                    let range = state.range(*term);
                    let one = Interval { down: Some(Bound::at_most(Rat::ZERO)), up: below_one() };
                    Some((number, range.plus(&one)))
                }
                _ => None,
            };
            if let Some((number, range)) = inner {
                has_changed |= self.within(state, number, &range)?;
            }
        }
        Ok(has_changed)
    }

    /// Makes a numeric term lie in an interval.
    fn within(&self, state: &mut State, term: TermId, range: &Interval) -> Result<bool, Empty> {
        let form = Linear::of(self.store, term);
        let ranges = ranges(self.store, state, &form);
        let mut has_changed = false;
        for (form, bound) in [(form.clone(), &range.up), (form.negated(), &range.down)] {
            let Some(bound) = bound else { continue };
            let mut form = form;
            form.constant = &form.constant - &bound.value;
            let relation = if bound.is_strict { Relation::Below } else { Relation::AtMost };
            has_changed |= state.compare(self.store, &form, relation, &ranges)?;
        }
        Ok(has_changed)
    }
}

fn below_one() -> Upper {
    Some(Bound { value: Rat::ONE, is_strict: true })
}

/// The integers whose quotients by a positive integer lie in an interval.
fn dividends(quotients: &Interval, divisor: &Int) -> Interval {
    let divisor = Rat::from(divisor.clone());
    let rest = Interval::between(&Rat::ZERO, &(&divisor - &Rat::ONE));
    quotients.times(&divisor).plus(&rest)
}
