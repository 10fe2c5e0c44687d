//! Transforms of flows that keep whether a run goes on for ever, and the way back.
//!
//! `FLOW_TRANSFORMS` is the table, in the order of application; `simplify` goes through it until nothing
//! changes. Each transform is one file with one function, from a flow to a `Change`: the changed flow, and how
//! what is said of its runs is said of the original's. A ranking is carried back unproved, and proved once, on
//! the flow as read (`prove::conclude`); so are the sets and choices of a recurrence, whose obligations are
//! refuted at the end of the way.
//!
//! Invariant: the store of a changed flow extends the original's, so that terms need no translation.

mod chains;
mod reachable;
mod relevant;
mod updates;

use crate::prove::prove_recurrence;
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Path, Ranking, Recurrence};
use alphorn_term::{Store, TermId};

/// A transform, as the table and the manual see it.
pub struct FlowTransform {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// Whether it is applied unless somebody says otherwise.
    pub is_default: bool,
    apply: fn(&Flow) -> Option<Change>,
}

/// All transforms of flows, in the order of application.
pub static FLOW_TRANSFORMS: &[FlowTransform] = &[
    FlowTransform {
        name: "reachable",
        about: "removes locations that no run comes to, or from which none comes to a cycle",
        is_default: true,
        apply: reachable::apply,
    },
    FlowTransform {
        name: "relevant",
        about: "removes variables on which no guard depends",
        is_default: true,
        apply: relevant::apply,
    },
    FlowTransform {
        name: "chains",
        about: "joins what leads to a location with the one assignment that leads on from it",
        is_default: true,
        apply: chains::apply,
    },
];

/// A run that goes on for ever, said and not proved: a recurrence without its proofs.
struct Endless {
    terms: Store,
    path: Path,
    sets: Vec<TermId>,
    choices: Vec<Choice>,
}

/// A changed flow, and the way back from it.
struct Change {
    flow: Flow,
    back: Box<dyn Carry>,
}

/// How what is said of a changed flow is said of the original.
trait Carry: Send + Sync {
    /// A ranking of the changed flow as one of the original.
    fn ranking(&self, ranking: Ranking) -> Ranking;

    /// An endless run of the changed flow as one of the original.
    fn endless(&self, run: Endless) -> Result<Endless, Lost>;
}

/// A flow without what does not matter to whether its runs end, and the way back.
pub fn simplify(flow: &Flow, transforms: &[&'static FlowTransform]) -> (Flow, Back<Flow, Flow>) {
    let (mut now, mut ways): (Flow, Vec<Box<dyn Carry>>) = (flow.clone(), Vec::new());
    // Each change removes something, so that this comes to an end.
    while let Some(change) = transforms.iter().find_map(|transform| (transform.apply)(&now)) {
        now = change.flow;
        ways.push(change.back);
    }
    if ways.is_empty() {
        return (now, Back::identity());
    }
    let ways = std::sync::Arc::new(ways);
    let (original, same) = (flow.clone(), std::sync::Arc::clone(&ways));
    let claim = move |ranking: Ranking, _: &mut Ctx<'_>| {
        Ok(same.iter().rev().fold(ranking, |ranking, way| way.ranking(ranking)))
    };
    let back = Back::searching(claim, move |found: Recurrence, ctx| {
        let mut run = Endless {
            terms: found.terms,
            path: found.path,
            sets: found.sets,
            choices: found.choices,
        };
        for way in ways.iter().rev() {
            run = way.endless(run)?;
        }
        let Endless { terms, path, sets, choices } = run;
        prove_recurrence(&original, terms, path, sets, choices, ctx)?.map_err(|(goal, _)| {
            Stop::Stuck(format!("a run that was carried back is not proved at {goal:?}"))
        })
    });
    (now, back)
}
