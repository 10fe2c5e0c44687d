//! Finding evidence that a model satisfies formulas: the interpretation, and a reason for each.
//!
//! Declared sorts are infinite if that is all that evaluation needs. Otherwise they have the elements
//! that the model names anywhere: in values, tables and choices, inside arrays and datatypes. In that
//! interpretation a formula evaluates to true, or its negation is refuted with the model written out.
//! Whether the evidence is right is for `check` to say.

use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::obligation::script::Interpretation;
use alphorn_term::eval::Program;
use alphorn_term::eval::bound::expansion;
use alphorn_term::{Meter, Model, Op, Sort, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

use super::{Quantified, QuantifierLimits, decide};

/// The ticks of evaluating a formula that the checker allows for any question.
const MAX_EVALUATED: u64 = 1 << 24;

/// The ticks of evaluating a formula to see whether a guess is a model.
const MAX_TRIED: u64 = 1 << 18;

/// A model all of whose formulas are evaluated, with declared sorts that are infinite.
pub fn evaluated(formulas: &[TermId], model: Model) -> ScriptModel {
    let reasons = vec![Reason::Evaluate; formulas.len()];
    ScriptModel { model, reasons, ..ScriptModel::default() }
}

/// Evidence that the formulas hold in a model; none if it is not found.
pub fn show(
    store: &Store,
    formulas: &[TermId],
    model: &Model,
    limits: &QuantifierLimits,
) -> Option<ScriptModel> {
    let is_short: Vec<bool> = formulas.iter().map(|formula| is_short(store, *formula)).collect();
    let mut program = Program::new(store, &[], formulas);
    program.run(store, &[], model);
    if (0..formulas.len()).all(|place| is_short[place] && program.holds(place) == Ok(true)) {
        return Some(evaluated(formulas, model.clone()));
    }
    let universes = universes(store, formulas, model);
    let mut own = Interpretation::new(store, model, &universes).ok()?;
    let mut open: Vec<(usize, TermId)> = Vec::new();
    for (position, &formula) in formulas.iter().enumerate() {
        let is_true = match universes.is_empty() {
            true => program.holds(position).ok(),
            false => {
                let term = own.formula(store, formula).ok()?;
                eval(own.store(), term, own.model()).ok().and_then(|value| value.as_bool())
            }
        };
        match is_true {
            Some(true) if is_short[position] => {}
            Some(false) => return None,
            _ => open.push((position, own.obligation(store, formula).ok()?)),
        }
    }
    // Proofs add terms, so all obligations come first.
    let mut terms = own.into_store();
    let mut found = evaluated(formulas, model.clone());
    for (position, negation) in open {
        found.reasons[position] = Reason::Refute(refutation(&mut terms, negation, limits)?);
    }
    Some(ScriptModel { universes, terms, ..found })
}

/// Whether formulas are true in a model, by evaluation alone, if declared sorts have no other elements than those that it names.
pub(crate) fn hold_as_named(store: &Store, formulas: &[TermId], model: &Model) -> bool {
    let universes = universes(store, formulas, model);
    let Ok(mut own) = Interpretation::new(store, model, &universes) else { return false };
    formulas.iter().all(|&formula| {
        let Ok(term) = own.formula(store, formula) else { return false };
        let meter = Meter::new(MAX_TRIED);
        let is_short = expansion(own.store(), &[term], &meter).is_ok();
        is_short && eval(own.store(), term, own.model()) == Ok(Value::Bool(true))
    })
}

/// Whether the checker would evaluate a formula: it counts the instances of quantifiers beforehand, also of
/// those that do not matter in the model.
fn is_short(store: &Store, formula: TermId) -> bool {
    !store.has_quantifier(formula)
        || expansion(store, &[formula], &Meter::new(MAX_EVALUATED)).is_ok()
}

fn refutation(store: &mut Store, formula: TermId, limits: &QuantifierLimits) -> Option<Proof> {
    match decide(store, &[formula], limits) {
        Quantified::Refuted(found) => Some(found.proof),
        _ => None,
    }
}

/// How many elements declared sorts have: those that the model names, and at least one.
pub fn universes(store: &Store, formulas: &[TermId], model: &Model) -> BTreeMap<SortId, u32> {
    let mut universes = BTreeMap::new();
    for term in store.subterms(formulas) {
        let sort = store.sort(term);
        if matches!(store.sort_of(sort), Sort::Uninterpreted(..)) {
            universes.insert(sort, 1);
        }
        // An index of arrays may occur in no term of its own.
        if let (Op::ConstArray, Sort::Array(index, _)) = (store.op(term), store.sort_of(sort))
            && matches!(store.sort_of(*index), Sort::Uninterpreted(..))
        {
            universes.insert(*index, 1);
        }
    }
    let choices = &model.choices;
    let tables = model.funcs.values().chain(choices.fields.values());
    let in_tables = tables.flat_map(|table| {
        let entries = table.entries.iter().flat_map(|(args, value)| args.iter().chain([value]));
        entries.chain(table.default.as_ref())
    });
    for value in model.vars.values().chain(in_tables) {
        count(value, &mut universes);
    }
    universes
}

fn count(value: &Value, universes: &mut BTreeMap<SortId, u32>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Value::Element(sort, number) = value {
            let size = universes.entry(*sort).or_insert(1);
            *size = (*size).max(number.saturating_add(1));
        }
        value.push_parts(&mut open);
    }
}
