//! A transition system read backwards: from bad states towards initial ones.
//!
//! Steps keep their formula; what was next is now the state. A path of the reversed system is a path of
//! the system from its end. Searching backwards pays where few states are bad and many are initial.
//! An invariant of the reversed system says what cannot lead to bad states, so its negation is one of the
//! system.

use super::bmc::Bmc;
use super::{Decided, Folded, Method, System};
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::Horn;

/// Bounded search backwards, for linear systems.
pub(crate) fn engine() -> impl Engine<Horn> {
    Folded(Backward(Bmc))
}

/// A method on the system read backwards.
pub(crate) struct Backward<M>(pub(crate) M);

impl<M: Method> Method for Backward<M> {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        Ok(match self.0.decide(&reversed(system), ctx)? {
            Decided::Path(mut states) => {
                states.reverse();
                Decided::Path(states)
            }
            Decided::Invariant(mut store, invariant) => {
                let over_state = store.rename(invariant, &system.next, &system.state);
                let negation = store.not(over_state);
                Decided::Invariant(store, negation)
            }
        })
    }
}

/// The system with its ends exchanged. Lemmas of other engines are about the system as it was, so that
/// the reversed one has no places for them.
fn reversed(system: &System) -> System {
    let mut store = system.store.clone();
    let init = store.rename(system.bad, &system.state, &system.next);
    let bad = store.rename(system.init, &system.state, &system.next);
    System {
        store,
        state: system.next.clone(),
        next: system.state.clone(),
        init,
        init_inputs: system.bad_inputs.clone(),
        trans: system.trans,
        inputs: system.inputs.clone(),
        bad,
        bad_inputs: system.init_inputs.clone(),
        homes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ts::fold::fold;
    use alphorn_engine::{Limit, Stopper};
    use alphorn_problem::Finding;
    use alphorn_term::Value;

    /// A counter from 0 to at most 9, and a question about it.
    fn counter(query: &str) -> Horn {
        let text = format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
             (assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (p x) {query}) false))) (check-sat)"
        );
        let (script, _) = alphorn_front::smtlib::read(text.as_bytes());
        script.expect("a script without errors is a system").horn
    }

    fn run(horn: &Horn) -> Result<Finding<Horn>, Stop> {
        let mut silent = |_| {};
        let mut ctx = Ctx::new(20_000, Stopper::new(), 0, &mut silent);
        engine().run(horn, &mut ctx)
    }

    #[test]
    fn paths_are_found_from_their_ends() {
        let horn = counter("(= x 3)");
        let Ok(Finding::Fails(derivation)) = run(&horn) else { panic!("there is a path") };
        assert_eq!(derivation.steps.len(), 5, "four states and the query");

        let system = fold(&horn).expect("the system is linear").system;
        let mut silent = |_| {};
        let mut ctx = Ctx::new(20_000, Stopper::new(), 0, &mut silent);
        let found = Backward(Bmc).decide(&system, &mut ctx);
        let Ok(Decided::Path(states)) = found else { panic!("there is a path") };
        assert_eq!(states[0], [Value::Int(0.into())]);
        assert_eq!(states[3], [Value::Int(3.into())]);
    }

    #[test]
    fn where_paths_end_there_is_an_invariant() {
        assert!(matches!(run(&counter("(> x 9)")), Ok(Finding::Holds(_))), "nothing leads to 10");
    }

    #[test]
    fn where_there_is_no_path_and_none_ends_none_is_found() {
        assert_eq!(run(&counter("(< x 0)")).err(), Some(Stop::Budget(Limit::Ticks)));
    }
}
