//! Evidence about questions of SMT-LIB scripts: proofs are replayed, models evaluated.
//!
//! A script asks a question at each `check-sat` (`alphorn_script::questions`). A model of any solver gives functions by terms, and the checker takes tables
//! (`tables`). These are an interpretation too, and whether the formulas hold in it is for the checker
//! to say.

use super::{Answered, Certified, Request, tables};
use crate::format::Format;
use crate::open::Opened;
use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_front::evidence::{ScriptEvidence, read_script};
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::{Question, Verdict};
use alphorn_script::{Asked, Script};
use alphorn_smt::quantifiers::{QuantifierLimits, show, universes};
use alphorn_term::eval::bound::Tables;
use alphorn_term::{Meter, Model, TermId, Value};

/// Whether a file is a script that is not about Horn clauses, and so one for `alphorn smt`.
pub fn is_other_script(opened: &Opened) -> bool {
    let is_logic = |diagnostic: &Diagnostic| diagnostic.code == Code::SmtLogic;
    opened.format == Some(Format::SmtLib)
        && opened.problem.is_none()
        && opened.diagnostics.list.iter().any(is_logic)
}

/// What the bytes of a file show about a question of a script.
pub fn certify_script(
    script: &Script,
    asked: &Asked,
    bytes: &[u8],
    request: &Request,
) -> Certified {
    let (found, diagnostics) = read_script(bytes, &script.store, &asked.funcs);
    let Some((terms, found)) = found.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    let count = asked.formulas.len();
    let all = format!("{count} of {count} formulas");
    match found {
        ScriptEvidence::Proof(proof) => {
            let steps = proof.steps.len();
            let question = Question { terms, formulas: asked.formulas.clone() };
            let detail = "by a proof".to_owned();
            let checked = format!("a refutation of the formulas in {steps} steps");
            let answered = Answered { verdict: "unsat", detail, checked };
            told(accept(&question, (), Verdict::Safe(proof)).map(|_| answered))
        }
        ScriptEvidence::Model { definitions, elements } => {
            let detail = "with a model".to_owned();
            let answered = Answered { verdict: "sat", detail, checked: all };
            let question = Question { terms, formulas: asked.formulas.clone() };
            let meter = tables::meter(&question, bytes.len());
            let said = (&definitions, &*elements);
            match tables::model(&question, &asked.funcs, said, &meter) {
                Ok(model) => certify_model(&question, &model, answered, (request, &meter)),
                Err(reason) if meter.is_exhausted() => {
                    Certified::Refused(Refusal::too_large("the model", reason))
                }
                Err(reason) => Certified::Unproved(reason),
            }
        }
    }
}

fn told(accepted: Result<Answered, Refusal>) -> Certified {
    match accepted {
        Ok(answered) => Certified::Answered(answered),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// Checks a model: with declared sorts that are infinite, or with the elements that it names, or with
/// proofs of what cannot be evaluated.
fn certify_model(
    question: &Question,
    model: &Model,
    answered: Answered,
    (request, meter): (&Request, &Meter),
) -> Certified {
    let Question { terms, formulas } = question;
    let reasons = vec![Reason::Evaluate; formulas.len()];
    let plain = ScriptModel { model: model.clone(), reasons, ..ScriptModel::default() };
    let infinite = match accept(question, (), Verdict::Unsafe(plain.clone())) {
        Ok(_) => return Certified::Answered(answered),
        Err(refusal) => refusal,
    };
    let universes = universes(terms, formulas, model);
    if !universes.is_empty() {
        let finite = ScriptModel { universes, ..plain };
        if accept(question, (), Verdict::Unsafe(finite)).is_ok() {
            return Certified::Answered(answered);
        }
    }
    // Without quantifiers evaluation says whether the model is right.
    let (open, plain): (Vec<TermId>, Vec<TermId>) =
        formulas.iter().partition(|&&formula| terms.has_quantifier(formula));
    let known = (model, &Tables::of(model));
    let is_false =
        |formula: &TermId| tables::value(terms, *formula, known, meter) == Some(Value::Bool(false));
    if open.is_empty() || plain.iter().any(is_false) {
        return Certified::Refused(infinite);
    }
    if !request.prove {
        let reason = "the model comes without proofs, and evaluating it does not suffice";
        return Certified::Unproved(format!("{reason} ({infinite}); --prove looks for them"));
    }
    let limits =
        QuantifierLimits { interrupt: request.interrupt.clone(), ..QuantifierLimits::default() };
    match show(terms, formulas, model, &limits) {
        Some(found) => told(accept(question, (), Verdict::Unsafe(found)).map(|_| answered)),
        None => Certified::Unproved(format!("no proof was found ({infinite})")),
    }
}
