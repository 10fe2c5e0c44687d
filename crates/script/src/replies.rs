//! What can be asked for after an answer: models, values, cores, proofs.
//!
//! Cores come out of the refutation where there is one: the assertions that its steps use are
//! unsatisfiable by the same refutation, so a core is as well checked as the answer.

use crate::answer::{Answer, complete};
use crate::defined::{Definition, unfold};
use crate::kernel::Kernel;
use crate::session::{Reply, Session};
use crate::state::{Refuted, State, used};
use alphorn_front::evidence::print_refutation;
use alphorn_front::smtlib::general::{Written, reply};
use alphorn_term::print::quote;
use alphorn_term::{TermId, Value};
use std::collections::BTreeSet;

impl<K: Kernel> Session<'_, K> {
    fn last_model(&self) -> Result<&Answer, String> {
        match &self.state {
            State::Sat(answer) => Ok(answer),
            state => Err(format!("there is no model: {}", last(state))),
        }
    }

    pub(crate) fn last_refutation(&self) -> Result<&Refuted, String> {
        match &self.state {
            State::Unsat(refuted) => Ok(refuted),
            state => Err(format!("nothing is refuted: {}", last(state))),
        }
    }

    pub(crate) fn wants(&self, option: &str) -> Result<(), String> {
        match self.options.is_on(option) {
            true => Ok(()),
            false => Err(format!("say (set-option {option} true) before the first assertion")),
        }
    }

    pub(crate) fn get_model(&mut self) -> Reply {
        let model = self.last_model()?.model().cloned().unwrap_or_default();
        Ok(Some(reply::model(&self.store, &self.in_force.funcs, &model)))
    }

    /// The values of terms.
    fn values(&mut self, terms: &[TermId]) -> Result<Vec<Value>, String> {
        let answer = self.last_model()?;
        let Some(model) = answer.model().filter(|_| self.unfoldings().is_some()) else {
            return answer.values(&self.store, terms);
        };
        // A function whose table ends somewhere is what its definition says.
        let found = self.definitions().unwrap_or_default().into_iter().map(|(_, own)| own);
        let is_listed = |own: &Definition| own.is_listed_in(model);
        let definitions: Vec<Definition> = found.filter(is_listed).collect();
        if definitions.is_empty() {
            return answer.values(&self.store, terms);
        }
        let mut model = model.clone();
        complete(&self.store, &[], terms, &mut model);
        definitions.iter().for_each(|own| own.list_in(&mut model));
        unfold(&self.store, &definitions, &mut model, terms, &self.request.interrupt)
            .ok_or_else(|| "there is no value: unfolding definitions takes too long".to_owned())
    }

    pub(crate) fn get_value(&mut self, written: &[Written]) -> Reply {
        let terms: Vec<TermId> = written.iter().map(|written| written.term).collect();
        let values = self.values(&terms)?;
        let pairs = written.iter().zip(&values).map(|(written, value)| {
            let sort = self.store.sort(written.term);
            let value = reply::value(&self.store, value, sort);
            format!("({} {value})", self.text(*written))
        });
        Ok(Some(format!("({})", pairs.collect::<Vec<String>>().join("\n "))))
    }

    pub(crate) fn get_assignment(&mut self) -> Reply {
        let terms: Vec<TermId> = self.named.iter().map(|(_, term)| *term).collect();
        let values = self.values(&terms)?;
        let pairs = self.named.iter().zip(&values).map(|((name, _), value)| {
            let truth = if value.as_bool() == Some(true) { "true" } else { "false" };
            format!("({} {truth})", quote(name))
        });
        Ok(Some(format!("({})", pairs.collect::<Vec<String>>().join(" "))))
    }

    pub(crate) fn get_unsat_core(&mut self) -> Reply {
        self.wants(":produce-unsat-cores")?;
        let refuted = self.last_refutation()?;
        let used: BTreeSet<usize> = match refuted.proof() {
            Some(proof) => used(proof),
            None => {
                let core: BTreeSet<usize> =
                    self.plain.iter().flat_map(|plain| plain.kernel().core()).collect();
                // Formulas whose quantifiers were eliminated may all be needed.
                let is_needed = |posted: Option<usize>| {
                    posted.map_or(refuted.has_eliminated, |number| core.contains(&number))
                };
                let numbers = 0..self.in_force.assertions.len();
                numbers
                    .filter(|&number| is_needed(self.in_force.assertions[number].posted))
                    .collect()
            }
        };
        let needed = used.iter().filter_map(|&number| self.in_force.assertions.get(number));
        let names = needed.filter_map(|asserted| asserted.name.as_deref().map(quote));
        Ok(Some(format!("({})", names.collect::<Vec<String>>().join(" "))))
    }

    pub(crate) fn get_unsat_assumptions(&mut self) -> Reply {
        let refuted = self.last_refutation()?;
        let Some(assumptions) = &refuted.assumptions else {
            return Err("the last question had no assumptions".to_owned());
        };
        let base = self.in_force.assertions.len();
        let used = refuted.proof().map(used);
        let failed: BTreeSet<TermId> =
            self.plain.iter().flat_map(|plain| plain.kernel().failed()).collect();
        let mut seen: BTreeSet<TermId> = BTreeSet::new();
        let mut texts = Vec::new();
        for (position, written) in assumptions.iter().enumerate() {
            let is_used = match &used {
                Some(used) => used.contains(&(base + position)),
                None => failed.contains(&written.term),
            };
            if is_used && seen.insert(written.term) {
                texts.push(self.text(*written));
            }
        }
        Ok(Some(format!("({})", texts.join(" "))))
    }

    pub(crate) fn get_proof(&mut self) -> Reply {
        self.wants(":produce-proofs")?;
        match self.last_refutation()?.proof() {
            Some(proof) => Ok(Some(print_refutation(&self.store, proof))),
            None => Err("there is no proof of this answer".to_owned()),
        }
    }
}

/// The last answer in words.
fn last(state: &State) -> &'static str {
    match state {
        State::Fresh => "nothing was asked since the assertions changed",
        State::Sat(_) => "the last answer was sat",
        State::Unsat(_) => "the last answer was unsat",
        State::Unknown(_) => "the last answer was unknown",
    }
}
