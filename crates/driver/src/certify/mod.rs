//! Checking evidence from a file: the checker alone, no engine.
//!
//! What comes without proofs, as the models of other solvers and witness circuits do, can be proved
//! on request; the proofs are then checked like any others.

mod broken;
mod drat;
mod kinds;
mod prove;
mod script;
mod tables;
mod within;
mod witness;

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_audit::certify::{each, has_no_proofs, is_circuit, outcome};
use alphorn_check::accept::accept;
use alphorn_engine::{Limit, Stopper};
use alphorn_front::evidence as text;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::{Horn, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use alphorn_audit::certify::{Answered, Certified, property_at};
pub use alphorn_audit::formula::is_formula;
pub use alphorn_script::{Asked, questions};
pub use drat::certify_formula;
pub use kinds::{KINDS, KindCard, help, table};
pub use script::{certify_script, is_other_script};
pub use within::{Unfinished, within};

/// What a caller may choose about checking.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether proofs are looked for where the evidence has none.
    pub prove: bool,
    /// Whether the user limits the time, so that searches need no limit of their own.
    pub has_time: bool,
    /// Ends searches soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
    /// Ends proofs of clauses likewise.
    pub stopper: Stopper,
}

impl Request {
    /// Ends the work that can end early.
    pub fn stop(&self, limit: Limit) {
        self.interrupt.store(true, Ordering::Relaxed);
        self.stopper.stop(limit);
    }
}

/// Checks the evidence in `bytes` against the problem of `opened`, which has one.
pub fn certify(opened: &Opened, bytes: &[u8]) -> Vec<Certified> {
    certify_about(opened, None, bytes, &Request::default())
}

/// `certify`, as requested, where evidence about any other property than `wanted`, if there is one, is
/// refused.
pub fn certify_about(
    opened: &Opened,
    wanted: Option<Property>,
    bytes: &[u8],
    request: &Request,
) -> Vec<Certified> {
    match &opened.problem {
        Some(_) if text::is_front(bytes) || text::is_explanation(bytes) => {
            alphorn_audit::certify(opened, wanted, bytes)
        }
        Some(AnyProblem::Horn(horn)) => {
            each(text::read_horn(bytes, horn), |verdict| certify_horn(horn, verdict, request))
        }
        Some(AnyProblem::Circuit(circuit)) if is_circuit(bytes) => {
            vec![prove::prove_witness(circuit, wanted, bytes, request)]
        }
        Some(AnyProblem::C(_)) if witness::is_witness(bytes) => {
            witness::certify(opened, bytes, request)
        }
        _ => alphorn_audit::certify(opened, wanted, bytes),
    }
}

/// Checks a verdict about a Horn system; a model without any proof may still be evaluated, or proved.
fn certify_horn(horn: &Horn, verdict: Verdict<Horn>, request: &Request) -> Certified {
    let unproved = match &verdict {
        Verdict::Safe(model) if has_no_proofs(model) => Some(model.clone()),
        _ => None,
    };
    match (accept(horn, (), verdict), unproved) {
        (Err(refusal), Some(model)) => prove::prove_model(horn, model, &refusal, request),
        (accepted, _) => outcome(accepted.map(Box::new), AnyEvidence::Horn),
    }
}
