//! Flows made smaller: fewer transitions and starts, then simpler formulas.

use super::{Shrink, shorter};
use crate::flow::random::Small;
use alphorn_problem::Flow;
use alphorn_reduce::terms;

impl Shrink for Small {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let flow = &self.open;
        let steps = shorter(&flow.transitions)
            .map(|transitions| changed(flow, |flow| flow.transitions = transitions));
        let starts = shorter(&flow.starts).map(|starts| changed(flow, |flow| flow.starts = starts));
        let relations = (0..flow.transitions.len()).flat_map(move |at| {
            let smaller = terms::smaller(&flow.terms, flow.transitions[at].formula);
            smaller.into_iter().map(move |(store, formula)| {
                changed(flow, |flow| {
                    flow.terms = store;
                    flow.transitions[at].formula = formula;
                })
            })
        });
        let firsts = (0..flow.starts.len()).flat_map(move |at| {
            let smaller = terms::smaller(&flow.terms, flow.starts[at].formula);
            smaller.into_iter().map(move |(store, formula)| {
                changed(flow, |flow| {
                    flow.terms = store;
                    flow.starts[at].formula = formula;
                })
            })
        });
        let all = steps.chain(starts).chain(relations).chain(firsts);
        Box::new(all.filter(|flow| flow.validate().is_ok()).map(|open| Small { open }))
    }

    fn show(&self) -> String {
        let flow = self.bounded();
        alphorn_front::its::write(&flow).unwrap_or_else(|diagnostic| diagnostic.message)
    }
}

/// A changed copy.
fn changed(flow: &Flow, change: impl FnOnce(&mut Flow)) -> Flow {
    let mut flow = flow.clone();
    change(&mut flow);
    flow
}
