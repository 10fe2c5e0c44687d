//! A set of formulas with quantifiers, decided with evidence.
//!
//! The solver states instances and witnesses by itself (`refine`); here it is given
//! formulas at once and asked for a refutation or a model.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alphorn_sat::{Answer, Budget};
use alphorn_term::{Model, Store, TermId};

use crate::options::Options;
use crate::smt::Smt;
use crate::theories::proof::Refutation;

/// What may be spent on quantified formulas.
#[derive(Clone, Debug)]
pub struct QuantifierLimits {
    /// How many models are looked at.
    pub rounds: u32,
    /// Limits each query.
    pub budget: Budget,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for QuantifierLimits {
    fn default() -> QuantifierLimits {
        QuantifierLimits { rounds: 300, budget: Budget::default(), interrupt: Arc::default() }
    }
}

/// What was found about quantified formulas.
#[derive(Clone, Debug)]
pub enum Quantified {
    /// They contradict each other.
    Refuted(Box<Refutation>),
    /// No violation was found in this model; that it is one has to be shown formula by formula.
    Model(Box<Model>),
    /// Neither is known.
    Unknown,
}

/// Decides formulas with quantifiers.
pub fn decide(store: &mut Store, formulas: &[TermId], limits: &QuantifierLimits) -> Quantified {
    let options = Options { proofs: true, instance_rounds: limits.rounds, ..Options::default() };
    let mut smt = Smt::new(options);
    smt.set_budget(limits.budget);
    smt.set_interrupt(Arc::clone(&limits.interrupt));
    for formula in formulas {
        smt.assert(store, *formula);
    }
    match smt.check(store, &[]) {
        Answer::Unknown => Quantified::Unknown,
        Answer::Sat => Quantified::Model(Box::new(smt.model(store))),
        Answer::Unsat => {
            let refutation = smt.refutation(store);
            refutation.map_or(Quantified::Unknown, |found| Quantified::Refuted(Box::new(found)))
        }
    }
}
