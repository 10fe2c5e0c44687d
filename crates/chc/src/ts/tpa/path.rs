//! The states of a path that is known to exist.
//!
//! Each state of a node's region has a way back to the node's start. So from any state at the end,
//! the states before it are found one after the other, each by a question about one step.

use super::reach::{Id, Reach, Way};
use crate::settings::TPA_MAX_PATH_QUESTIONS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{TermId, Value};

impl Reach<'_> {
    /// The states of a path that ends in a node's region.
    pub(super) fn path(&mut self, node: Id, ctx: &mut Ctx<'_>) -> Result<Vec<Vec<Value>>, Stop> {
        let mut end = self.some_state(node, ctx)?;
        let mut states = vec![end.clone()];
        let mut open = vec![node];
        let (mut smt, mut questions) = (self.step_solver(), 0);
        while let Some(node) = open.pop() {
            ctx.tick(1)?;
            match &self.nodes[node].way {
                Way::Same => {}
                Way::Both(first, second) => open.extend([*first, *second]),
                Way::Step(start) => {
                    let mut assumptions = start.formulas.clone();
                    for (value, &next) in end.iter().zip(&self.system.next) {
                        let value = self.store.value_term(value);
                        let value = value.ok_or_else(|| lost("a value has no term"))?;
                        assumptions.push(self.store.eq(next, value));
                    }
                    questions += 1;
                    if questions > TPA_MAX_PATH_QUESTIONS.size() {
                        (smt, questions) = (self.step_solver(), 0);
                    }
                    if ask(&mut smt, &mut self.store, &assumptions, ctx)? != Answer::Sat {
                        return Err(lost("a state has no predecessor"));
                    }
                    let model = smt.model(&self.store);
                    end = self.system.values(&self.store, &self.system.state, &model)?;
                    states.push(end.clone());
                }
            }
        }
        states.reverse();
        Ok(states)
    }

    fn step_solver(&mut self) -> Smt {
        let mut smt = Smt::new(Options::default());
        smt.assert(&mut self.store, self.system.trans);
        smt
    }

    /// A state of a node's region.
    fn some_state(&mut self, node: Id, ctx: &mut Ctx<'_>) -> Result<Vec<Value>, Stop> {
        let formulas: Vec<TermId> = self.nodes[node].region.formulas.clone();
        let mut smt = Smt::new(Options::default());
        if ask(&mut smt, &mut self.store, &formulas, ctx)? != Answer::Sat {
            return Err(lost("a region is empty"));
        }
        let model = smt.model(&self.store);
        self.system.values(&self.store, &self.system.state, &model)
    }
}

fn lost(reason: &str) -> Stop {
    Stop::Stuck(format!("a path was lost: {reason}"))
}
