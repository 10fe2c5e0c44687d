//! Which choices of a derivation matter.

use super::{Explanation, Unexplained};
use alphorn_audit::explain::explained_choices;
use alphorn_check::accept::accept;
use alphorn_engine::Ctx;
use alphorn_front::evidence::print_derived;
use alphorn_horn::choices::matters;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::{Derived, Horn, Verdict};

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
    let (open, left) = (choices.open.len(), choices.left);
    if choices.found.sets.is_empty() && open > 0 {
        let summary = match open {
            1 => "the only choice was not seen to matter".to_owned(),
            _ => format!("none of {open} choices was seen to matter"),
        };
        let known = vec![OTHERS.to_owned()];
        return Ok(Explanation { summary, known, ..Explanation::default() });
    }
    let verdict = match choices.found.sets.is_empty() {
        true => Verdict::Safe(()),
        false => Verdict::Unsafe(choices.found),
    };
    let derived = Derived { horn: horn.clone(), derivation: derivation.clone() };
    let checked = accept(&derived, (), verdict)?;
    let evidence = print_derived(&derived, checked.verdict());
    let mut explanation = Explanation::of(explained_choices(&derived, &checked), evidence);
    if open > 0 && explanation.size == Some(1) {
        explanation.known.push(OTHERS.to_owned());
    } else if open > 0 {
        let known = "by itself each takes one of a few values that were tried, without avoiding it";
        explanation.known.push(known.to_owned());
    }
    if left > 0 {
        explanation.known.push(format!("{left} choices were not looked at"));
    }
    Ok(explanation)
}

const OTHERS: &str =
    "of the others a few values were tried, and none of them avoids the derivation";
