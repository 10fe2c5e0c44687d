//! A flow as Horn clauses: a predicate for each location, of the same position and with the same arguments.
//!
//! The least model is what runs reach, so that a model says what always holds at the locations, and a
//! derivation is a run. A clause has the position of its start or, after those, of its transition.

use alphorn_problem::Flow;
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_term::{Op, SortId, TermId};

/// The clauses that say what runs reach.
pub fn as_horn(flow: &Flow) -> Horn {
    let sorts: Vec<SortId> = flow.vars.iter().map(|&var| flow.terms.sort(var)).collect();
    let mut horn = Horn::new(flow.terms.clone());
    for location in &flow.locations {
        horn.declare_pred(&location.name, &sorts);
    }
    for start in &flow.starts {
        let head = Head::Atom(PredId(start.at.0), flow.vars.clone());
        let vars = [&flow.vars[..], &start.inputs].concat();
        let (body, span) = (start.formula, start.span);
        horn.clauses.push(Clause { vars, body, head, name: None, span });
    }
    for step in &flow.transitions {
        let from = atom(&mut horn, step.from, &flow.vars);
        let body = horn.terms.and(&[from, step.formula]);
        let head = Head::Atom(PredId(step.to.0), flow.next.clone());
        let vars = [&flow.vars[..], &flow.next, &step.inputs].concat();
        let (name, span) = (step.name.clone(), step.span);
        horn.clauses.push(Clause { vars, body, head, name, span });
    }
    horn
}

/// Adds the question whether a run comes to a location with what a formula over the variables says; a model
/// then says that none does. The formula's terms are in the system's store.
pub fn with_query(horn: &mut Horn, flow: &Flow, at: LocId, formula: TermId) {
    let from = atom(horn, at, &flow.vars);
    let body = horn.terms.and(&[from, formula]);
    let (vars, span) = (flow.vars.clone(), flow.locations[at.index()].span);
    horn.clauses.push(Clause { vars, body, head: Head::False, name: None, span });
}

fn atom(horn: &mut Horn, at: LocId, args: &[TermId]) -> TermId {
    let func = horn.pred(PredId(at.0)).func;
    horn.terms.mk(Op::Apply(func), args)
}
