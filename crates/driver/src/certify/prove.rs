//! Finding the proofs that evidence comes without, on request.
//!
//! Solvers look for them, and nobody has to believe them: what they find is checked against the
//! problem as read like any other evidence. A clause or an obligation that does not hold is a reason
//! to refuse the evidence; where no proof is found, nothing is said about it.

use super::broken::broken_clause;
use super::{Answered, Certified, Request};
use crate::evidence::AnyEvidence;
use crate::sat;
use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_check::circuit::{beside, check_witness, induction};
use alphorn_engine::{Ctx, Stop};
use alphorn_front::{Code, Diagnostic, Diagnostics, aiger};
use alphorn_horn::evidence::{Cause, Failure, Outcome, prove, prove_clause};
use alphorn_problem::evidence::circuit::{Lrat, Property};
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_problem::{Circuit, Horn, Span, Verdict};
use alphorn_term::Model;

/// How many variables an example gives values.
const MAX_SHOWN: usize = 8;
const LIMITS: &str = "no proof was found within the limits";

/// Proves a model that comes without proofs; `missing` says what evaluation came to.
pub(super) fn prove_model(
    horn: &Horn,
    model: HornModel,
    missing: &Refusal,
    request: &Request,
) -> Certified {
    if !request.prove {
        if let Some((clause, values)) = broken_clause(horn, &model) {
            return failed(
                horn,
                &Failure { clause, cause: Cause::Broken(Box::new(values)) },
                false,
            );
        }
        let reason = "the model comes without proofs, and evaluating it does not suffice";
        return Certified::Unproved(format!("{reason} ({missing}); --prove looks for them"));
    }
    let is_quantified =
        model.preds.iter().any(|definition| model.terms.has_quantifier(definition.body));
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(u64::MAX, request.stopper.clone(), 0, &mut ignore);
    let outcome = match proved(horn, model, &mut ctx) {
        Ok(outcome) => outcome,
        Err(stop) => return stopped(stop),
    };
    match outcome {
        Outcome::Proved(model) => match accept(horn, (), Verdict::Safe(*model)) {
            Ok(checked) => Certified::Accepted(AnyEvidence::Horn(Box::new(checked))),
            Err(refusal) => Certified::Refused(refusal),
        },
        Outcome::Failed(failures) => {
            let is_wrong =
                |failure: &&Failure| matches!(failure.cause, Cause::Broken(_) | Cause::Unfit(_));
            let first = failures.iter().find(is_wrong).or(failures.first());
            first.map_or_else(
                || stopped(Stop::Stuck("nothing was proved".into())),
                |failure| failed(horn, failure, is_quantified),
            )
        }
    }
}

/// Proofs of all clauses under the model, whose tables of declared functions are kept.
fn proved(horn: &Horn, model: HornModel, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
    if model.funcs.is_empty() && model.folds.functions.is_empty() {
        return prove(horn, model.terms, model.preds, ctx);
    }
    let (mut model, mut proofs, mut failures) = (model, Vec::new(), Vec::new());
    for clause in horn.clauses().map(|(id, _)| id) {
        let said = (&model.folds, &model.funcs);
        match prove_clause(horn, &mut model.terms, &model.preds, said, clause, ctx)? {
            Ok(proof) => proofs.push(proof),
            Err(cause) => failures.push(Failure { clause, cause }),
        }
    }
    model.proofs = proofs;
    Ok(match failures.is_empty() {
        true => Outcome::Proved(Box::new(model)),
        false => Outcome::Failed(failures),
    })
}

/// Why a clause has no proof. Where definitions have quantifiers, a solver that finds values for a
/// violation has not looked at all of what they say.
fn failed(horn: &Horn, failure: &Failure, is_quantified: bool) -> Certified {
    let number = failure.clause.0;
    let place = match &horn.clause(failure.clause).name {
        Some(name) => format!("clause {number} ({name})"),
        None => format!("clause {number}"),
    };
    match &failure.cause {
        Cause::Broken(values) if !is_quantified => {
            let what = match horn.clause(failure.clause).head {
                Head::Atom(..) => "its body is true and its head is false",
                Head::False => "the body of the query is true",
            };
            let example = example(horn, failure, values);
            Certified::Refused(Refusal::new(place, format!("under the model {what}{example}")))
        }
        Cause::Unfit(reason) => Certified::Refused(Refusal::new(place, reason.clone())),
        Cause::Unknown | Cause::Broken(_) => {
            Certified::Unproved(format!("{place}: no proof of it was found"))
        }
        Cause::Unwritten(step) => {
            Certified::Unproved(format!("{place}: its proof could not be written down: {step}"))
        }
    }
}

/// Values of the clause's variables, as far as a solver gave them.
fn example(horn: &Horn, failure: &Failure, values: &Model) -> String {
    let mut store = horn.terms.clone();
    let mut said = Vec::new();
    for &var in horn.clause(failure.clause).vars.iter().take(MAX_SHOWN) {
        if let Some(value) = values.vars.get(&var)
            && let Some(value) = store.value_term(value)
            && let Some(name) = store.var_name(var)
        {
            said.push(format!("{name} = {}", store.show(value)));
        }
    }
    if said.is_empty() {
        String::new()
    } else {
        format!(", for instance where {}", said.join(", "))
    }
}

fn stopped(stop: Stop) -> Certified {
    Certified::Unproved(match stop {
        Stop::Budget(_) => LIMITS.to_owned(),
        other => format!("no proof was found: {}", other.describe()),
    })
}

/// Checks a witness circuit, whose proofs have to be found.
pub(super) fn prove_witness(
    circuit: &Circuit,
    wanted: Option<Property>,
    bytes: &[u8],
    request: &Request,
) -> Certified {
    let (witness, diagnostics) = aiger::read(bytes);
    let Some(witness) = witness.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    let property = match property(circuit, wanted, &witness) {
        Ok(property) => property,
        Err(diagnostic) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            return Certified::Unreadable(diagnostics);
        }
    };
    let refused = |reason| Certified::Refused(Refusal::new("witness circuit", reason));
    let both = match beside(circuit, property, &witness) {
        Ok(both) => both,
        Err(reason) => return refused(reason),
    };
    if !request.prove {
        let reason = "a witness circuit comes without proofs; --prove looks for them";
        return Certified::Unproved(reason.to_owned());
    }
    let proofs = match refute_obligations(&both, request) {
        Ok(proofs) => proofs,
        Err(certified) => return certified,
    };
    match check_witness(circuit, property, &witness, &proofs) {
        Ok(()) => Certified::Answered(Answered {
            verdict: "SAFE",
            detail: format!(
                "{}{property}: with a witness circuit of {} gates",
                if circuit.safety_kind() == b'o' { "output " } else { "bad " },
                witness.ands.len()
            ),
            checked: "induction over one step of the circuit with it, by proofs that were found"
                .to_owned(),
        }),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// Refutations of the obligations of induction for a circuit, or what came in between.
fn refute_obligations(circuit: &Circuit, request: &Request) -> Result<Vec<Lrat>, Certified> {
    let refused = |reason: String| Certified::Refused(Refusal::new("witness circuit", reason));
    circuit.validate().map_err(refused)?;
    let invariant = induction();
    let obligations = Obligations::new(circuit, 0, &invariant).map_err(refused)?;
    let search = sat::Request { interrupt: request.interrupt.clone(), ..sat::Request::default() };
    let mut proofs = Vec::with_capacity(obligations.count());
    for index in 0..obligations.count() {
        let obligation = obligations.build(index).map_err(refused)?;
        let cnf = sat::Cnf::of(obligation.cnf.clauses());
        match sat::solve(&cnf, &search).map(|solved| solved.answer) {
            Ok(sat::Answer::Unsatisfiable(proof)) => proofs.push(proof.to_lrat()),
            Ok(sat::Answer::Satisfiable(_)) => {
                let name = obligation.name;
                return Err(refused(format!("the obligation `{name}` of induction fails")));
            }
            Ok(sat::Answer::Unknown) => return Err(Certified::Unproved(LIMITS.to_owned())),
            Err(reason) => {
                return Err(Certified::Unproved(format!("no proof was found: {reason}")));
            }
        }
    }
    Ok(proofs)
}

/// The property that a witness circuit is about: as the user says, as its comment `WITNESS b0` says, or
/// the only one.
fn property(
    circuit: &Circuit,
    wanted: Option<Property>,
    witness: &Circuit,
) -> Result<usize, Diagnostic> {
    let wrong = |message: &str| Diagnostic::error(Code::Evidence, Span::NONE, message);
    match wanted {
        Some(Property::Bad(property)) => return Ok(property),
        Some(Property::Justice(_) | Property::Home(_)) => {
            return Err(wrong("only safety has witness circuits"));
        }
        None => {}
    }
    let comment = String::from_utf8_lossy(&witness.comments);
    let said = comment.lines().find_map(|line| {
        let name = line.strip_prefix("WITNESS ")?.split(' ').next()?;
        name.strip_prefix(['b', 'o'])?.parse().ok()
    });
    match (said, circuit.safety().len()) {
        (Some(property), _) => Ok(property),
        (None, 1) => Ok(0),
        (None, count) => {
            let message =
                format!("the witness circuit does not say which of {count} properties it is about");
            let hint = "choose with --property";
            Err(wrong(&message).hint(hint))
        }
    }
}
