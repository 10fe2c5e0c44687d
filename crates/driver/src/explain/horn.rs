//! Which choices of a derivation matter.

use super::{Changed, Explanation, Unexplained};
use alphorn_check::horn::check_choice;
use alphorn_engine::Ctx;
use alphorn_horn::choices::matters;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_term::Value;

/// Explains a derivation.
pub(super) fn explain(
    horn: &Horn,
    derivation: &Derivation,
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    if derivation.refuted.is_some() {
        let reason = "the clauses are refuted as formulas, so that there are no values to explain";
        return Err(Unexplained::Unsupported(reason.to_owned()));
    }
    let choices = matters(horn, derivation, most, ctx)?;
    let mut explanation = Explanation::default();
    for found in choices.found {
        let matters = check_choice(horn, derivation, found.change, &found.refuted)?;
        let change = matters.change();
        let step = &derivation.steps[change.step];
        let var = horn.clause(step.clause).vars[change.var];
        let from = shown(horn, &step.values[change.var]);
        explanation.sets.push(vec![Changed {
            step: change.step,
            kind: "choice",
            name: horn.terms.var_name(var).unwrap_or("?").to_owned(),
            to: match &change.value {
                Some(value) => shown(horn, value),
                None => "anything else".to_owned(),
            },
            from,
        }]);
    }
    let (count, open) = (explanation.sets.len(), choices.open.len());
    explanation.size = (count > 0).then_some(1);
    explanation.summary = match (count, count + open) {
        (0, 0) => "the derivation has no choices: every value follows from the clauses".to_owned(),
        (0, all) => format!("none of {all} choices was seen to matter"),
        (count, all) => format!("{count} of {all} choices matter"),
    };
    if count > 0 {
        let known = "with each the same clauses do not derive false, all other choices being the same: \
                     a refutation of that was checked";
        explanation.known.push(known.to_owned());
    }
    if open > 0 {
        let known = "of the others a few values were tried, and none of them avoids the derivation";
        explanation.known.push(known.to_owned());
    }
    Ok(explanation)
}

fn shown(horn: &Horn, value: &Value) -> String {
    let mut store = horn.terms.clone();
    match store.value_term(value) {
        Some(term) => store.show(term),
        None => "a value".to_owned(),
    }
}
