//! Systems whose bad states are given without inputs.
//!
//! Induction assumes of states that they are not bad, which is a formula without quantifiers only if
//! `bad` has no inputs. Mostly they can be eliminated. Where not, being bad becomes a step: to a copy
//! of the state with a truth value that says so. Invariants say nothing of that truth value in the end,
//! and paths lose their last state.

use super::{Decided, Method, System};
use crate::settings::{CLOSED_MAX_CONFLICTS, CLOSED_MAX_ROUNDS};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Budget, Options, Smt};
use alphorn_term::{SortId, Substitution, TermId};

/// A method that wants bad states without inputs, as one that does not.
pub(crate) struct Closed<M>(pub(crate) M);

impl<M: Method> Method for Closed<M> {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        if system.bad_inputs.is_empty() {
            return self.0.decide(system, ctx);
        }
        ctx.tick(1)?;
        if let Some(eliminated) = eliminated(system) {
            return self.0.decide(&eliminated, ctx);
        }
        let (longer, error) = with_error(system);
        Ok(match self.0.decide(&longer, ctx)? {
            Decided::Invariant(mut store, invariant) => {
                let map = Substitution::from_iter([(error, TermId::FALSE)]);
                let invariant = store.substitute(invariant, &map);
                Decided::Invariant(store, invariant)
            }
            Decided::Path(mut states) => {
                states.pop();
                for state in &mut states {
                    state.pop();
                }
                Decided::Path(states)
            }
        })
    }
}

/// The system with the inputs of `bad` eliminated.
fn eliminated(system: &System) -> Option<System> {
    let mut system = system.clone();
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget { conflicts: Some(CLOSED_MAX_CONFLICTS.get()), ..Budget::default() });
    let limits = Limits { rounds: CLOSED_MAX_ROUNDS.size() };
    let inputs = std::mem::take(&mut system.bad_inputs);
    system.bad = eliminate(&mut system.store, system.bad, &inputs, &mut smt, &limits).ok()?;
    Some(system)
}

/// The system with a step from bad states to an error, and the variable that says it.
fn with_error(system: &System) -> (System, TermId) {
    let mut system = system.clone();
    let store = &mut system.store;
    let (error, next) = (store.fresh_var("e", SortId::BOOL), store.fresh_var("e", SortId::BOOL));
    let (fine, next_fine) = (store.not(error), store.not(next));
    let mut parts = vec![fine, next, system.bad];
    for (&before, &after) in system.state.iter().zip(&system.next) {
        parts.push(store.eq(before, after));
    }
    let fails = store.and(&parts);
    let goes = store.and(&[fine, next_fine, system.trans]);
    system.trans = store.or(&[goes, fails]);
    system.init = store.and(&[fine, system.init]);
    system.bad = error;
    system.inputs.append(&mut system.bad_inputs);
    system.state.push(error);
    system.next.push(next);
    (system, error)
}
