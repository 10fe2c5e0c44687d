//! The proof of a program with a witness's invariants in it as a proof of the program itself.
//!
//! The two have the same loops and procedures with the same variables, and the former checks more. So what its proof
//! says of them is a candidate for the latter, and mostly all that is needed: the invariants of the witness
//! are in it. The clauses of the program as read are proved under it, and the gate decides; where that fails the
//! program is decided without it.

use super::Request;
use crate::evidence::AnyEvidence;
use crate::run::Decision;
use alphorn_check::accept::{Checked, accept};
use alphorn_cross::c_horn::{AsHorn, c_to_horn};
use alphorn_cross::shadow::shadow;
use alphorn_engine::Ctx;
use alphorn_front::evidence::{print_named_definitions, read_horn};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_problem::Verdict;
use alphorn_problem::evidence::horn::HornModel;
use alphorn_program::c::evidence::ProgramProof;
use alphorn_program::c::property::Task;
use alphorn_program::clauses::{Argument, Clauses, Site};
use std::sync::Arc;

/// A proof about `task` from what was decided about it with invariants in it; nothing if there is none.
pub(super) fn carried(
    with: &Decision,
    task: &Arc<Task>,
    request: &Request,
) -> Option<Checked<Task>> {
    let Some(AnyEvidence::C(instrumented, checked)) = &with.evidence else { return None };
    let Verdict::Safe(ProgramProof { encoding, model }) = checked.verdict() else { return None };
    let from = c_to_horn(instrumented, *encoding).ok()?;
    let to = c_to_horn(task, *encoding).ok()?;
    let candidate = candidate(&from, model, &to)?;
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(u64::MAX, request.stopper.clone(), 0, &mut ignore);
    let proved = prove(&to.clauses.horn, candidate.terms, candidate.preds, &mut ctx);
    let Outcome::Proved(model) = proved.ok()? else { return None };
    shadow(task, &to, &model, 0).ok()?;
    let proof = ProgramProof { encoding: *encoding, model: *model };
    accept(&**task, (), Verdict::Safe(proof)).ok()
}

/// What a model says of the places of one program, said of those of another; nothing if a place is not there. The
/// two have no terms in common, so it goes through text.
fn candidate(from: &AsHorn, model: &HornModel, to: &AsHorn) -> Option<HornModel> {
    let known = places(&from.clauses);
    let mut named = Vec::new();
    for (pred, place) in to.clauses.horn.pred_ids().zip(places(&to.clauses)) {
        let at = known.iter().position(|other| *other == place)?;
        named.push((to.clauses.horn.pred_name(pred), model.preds.get(at)?));
    }
    let text = print_named_definitions(&model.terms, &named).join("\n");
    let (verdicts, diagnostics) = read_horn(text.as_bytes(), &to.clauses.horn);
    match verdicts.filter(|_| diagnostics.is_clean())?.pop()? {
        Verdict::Safe(model) => Some(model),
        Verdict::Unsafe(_) => None,
    }
}

/// A predicate's place: its kind, its procedure, which of those of its procedure, and the names of its arguments.
#[derive(PartialEq, Eq)]
struct Place<'c> {
    kind: u8,
    procedure: &'c str,
    ordinal: usize,
    args: Vec<(bool, &'c str)>,
}

/// The places of the predicates of a program, by their positions.
fn places(clauses: &Clauses) -> Vec<Place<'_>> {
    let program = &clauses.program;
    let mut all: Vec<Place<'_>> = Vec::new();
    for spot in &clauses.spots {
        let (kind, procedure) = match spot.site {
            Site::Head(procedure, _) => (0, procedure),
            Site::Context(procedure) => (1, procedure),
            Site::Summary(procedure) => (2, procedure),
            Site::Effect(procedure) => (3, procedure),
        };
        let procedure = &program.procs[procedure.0 as usize].name[..];
        let before = all.iter().filter(|one| one.kind == kind && one.procedure == procedure);
        let ordinal = before.count();
        let args = spot.args.iter().map(|argument| match argument {
            Argument::Now(var) => (true, &program.vars[var.0 as usize].name[..]),
            Argument::Before(var) => (false, &program.vars[var.0 as usize].name[..]),
        });
        all.push(Place { kind, procedure, ordinal, args: args.collect() });
    }
    all
}
