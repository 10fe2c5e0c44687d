//! The solvers of a session: made when a question needs them, told what is in force, asked.
//!
//! A solver stays from question to question; one that knows mostly what is no longer in force is made
//! anew, and what it has counted is kept.

use crate::instances::{Instances, UNFOLDINGS};
use crate::kernel::{Found, Kernel, Settings};
use crate::plain::Plain;
use crate::session::Session;
use alphorn_smt::quantifiers::Quantified;
use alphorn_term::{Model, Store, TermId};

impl<K: Kernel> Session<'_, K> {
    fn asserted(&self) -> Vec<TermId> {
        self.in_force.assertions.iter().map(|asserted| asserted.formula.term).collect()
    }

    /// The solver for a question without quantifiers, with the terms: it has the assertions in force.
    fn ready_solver(&mut self) -> (&mut Plain<K>, &mut Store) {
        let settings = self.options.settings(self.request);
        if let Some(unfit) = self.plain.take_if(|solver| !solver.is_fit()) {
            self.counted.add(unfit.kernel().statistics());
        }
        let (formulas, levels) = (self.asserted(), self.in_force.level_starts());
        let solver = self.plain.get_or_insert_with(|| Plain::new((self.make)(&settings)));
        solver.kernel_mut().limit(&settings);
        solver.follow(&mut self.store, &formulas, &levels);
        (solver, &mut self.store)
    }

    /// Asks the solver without quantifiers, brought up to date, under assumptions.
    pub(crate) fn ask_solver(&mut self, assumptions: &[TermId]) -> Found {
        let (solver, store) = self.ready_solver();
        solver.check(store, assumptions)
    }

    /// The solver that was asked last, as it is.
    pub(crate) fn asked_solver(&mut self) -> Option<(&mut K, &mut Store)> {
        let solver = self.plain.as_mut()?;
        Some((solver.kernel_mut(), &mut self.store))
    }

    /// Another solver, without assertions.
    pub(crate) fn fresh(&self, proofs: bool) -> K {
        let settings = self.options.settings(self.request);
        (self.make)(&Settings { proofs, cores: false, ..settings })
    }

    /// What the solvers for questions have counted, those of the past included.
    pub(crate) fn statistics(&mut self) -> Vec<(&'static str, u64)> {
        let mut counts = self.ready_solver().0.kernel().statistics();
        let others = self.instances.iter().flat_map(Instances::statistics);
        let others: Vec<(&'static str, u64)> = others.chain(self.counted.entries()).collect();
        for (name, count) in others {
            match counts.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => *own += count,
                None => counts.push((name, count)),
            }
        }
        counts
    }

    /// Drops the solver with quantifiers if it was told anything that is no longer in force; whether it
    /// was.
    pub(crate) fn forget_dead_instances(&mut self) -> bool {
        let dropped = self.instances.take_if(|solver| solver.has_dead());
        self.counted.add(dropped.iter().flat_map(Instances::statistics));
        dropped.is_some()
    }

    /// The assignment in which its last search got stuck, as a model of what it could judge.
    pub(crate) fn candidate(&self) -> Option<Model> {
        self.instances.as_ref().and_then(|solver| solver.candidate(&self.store))
    }

    /// The assignment that its last search did not object to, where that does not make it a model.
    pub(crate) fn guess(&self) -> Option<Model> {
        self.instances.as_ref().and_then(|solver| solver.guess(&self.store))
    }

    /// How many rounds of instances there are at most, if not as many as the budget allows.
    pub(crate) fn unfoldings(&self) -> Option<u32> {
        let unfolds = self.in_force.assertions.iter().any(|asserted| asserted.defines.is_some());
        unfolds.then_some(UNFOLDINGS)
    }

    /// Decides the assertions and the assumptions by instances, in so many rounds if there is a limit.
    pub(crate) fn decide_by_instances(
        &mut self,
        assumptions: &[TermId],
        most: Option<u32>,
    ) -> Quantified {
        let settings = self.options.settings(self.request);
        let unfolds = self.unfoldings().is_some();
        let (formulas, levels) = (self.asserted(), self.in_force.level_starts());
        let is_fit = |solver: &Instances| solver.is_fit(formulas.len(), unfolds);
        if let Some(unfit) = self.instances.take_if(|solver| !is_fit(solver)) {
            self.counted.add(unfit.statistics());
        }
        let solver = self.instances.get_or_insert_with(|| Instances::new(&settings, unfolds));
        let in_force = (formulas.as_slice(), levels.as_slice());
        solver.decide(&mut self.store, in_force, assumptions, (&settings, most))
    }
}
