//! From runs and invariants of the transition system to derivations and models.
//!
//! A run is replayed by evaluation: each step that fires a clause becomes a step of the
//! derivation, with the step that derived the held fact as its premise; what the query does not
//! need is dropped. A list of states is a table of facts, because states and facts correspond.
//! An invariant given as a formula would make a model, but its proofs speak of the transition
//! system and cannot be replayed for clauses: it is lost, and we say so.

use super::{AT, CHOICE, Encoding, Source};
use crate::derivation::needed;
use crate::model::{conjunction, model_of, parameters};
use alphorn_problem::evidence::horn::{Definition, Derivation, HornModel, Step};
use alphorn_problem::evidence::words::{WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::{Back, Horn, Lost, Words};
use alphorn_term::value::elements;
use alphorn_term::{Model, Store, TermId, Value, eval};
use std::sync::Arc;

/// The most facts a row with open arguments is expanded into.
const MOST_EXPANDED: u64 = 1 << 12;

/// The way back from the transition system to the Horn system.
pub(super) fn way_back(horn: Horn, words: Words, encoding: Encoding) -> Back<Horn, Words> {
    let shared = Arc::new((horn, words, encoding));
    let other = Arc::clone(&shared);
    Back::new(
        move |proof| carry_proof(&shared.0, &shared.1, &shared.2, proof),
        move |trace| carry_trace(&other.0, &other.1, &other.2, &trace),
    )
}

fn lost(text: &str) -> Lost {
    Lost(text.to_owned())
}

fn code_of(value: &Value) -> usize {
    match value {
        Value::Bv(word) => word.to_u64().map_or(usize::MAX, |code| code as usize),
        _ => usize::MAX,
    }
}

fn carry_trace(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    trace: &WordTrace,
) -> Result<Derivation, Lost> {
    let mut steps: Vec<Step> = Vec::new();
    let mut holder: Option<usize> = None;
    let mut state: Vec<Value> = encoding.unused.clone();
    for inputs in &trace.inputs {
        let k = inputs.get(CHOICE).map_or(usize::MAX, code_of);
        let fired = fires(horn, words, encoding, &state, inputs, k)?;
        if let Some((values, uses)) = fired {
            let premises = if uses { holder.into_iter().collect() } else { Vec::new() };
            let head = &horn.clauses[k].head;
            steps.push(Step { clause: ClauseId(k as u32), values, premises });
            if *head == Head::False {
                return Ok(needed(steps));
            }
            holder = Some(steps.len() - 1);
        } else {
            holder = None;
        }
        state = successor(words, &state, inputs)?;
    }
    Err(lost("the run of the transition system fires no query"))
}

/// Whether clause number `k` fires: its variables' values, and whether an atom of the body is
/// the fact held.
fn fires(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    state: &[Value],
    inputs: &[Value],
    k: usize,
) -> Result<Option<(Vec<Value>, bool)>, Lost> {
    let Some(clause) = horn.clauses.get(k) else { return Ok(None) };
    if inputs.len() != words.inputs.len() {
        return Err(lost("the run does not fit the inputs of the transition system"));
    }
    let mut model = Model::new();
    let mut values = Vec::with_capacity(clause.vars.len());
    for (&var, source) in clause.vars.iter().zip(&encoding.sources[k]) {
        let value = match *source {
            Source::Slot(position) => state[position].clone(),
            Source::Input(position) => inputs[position].clone(),
        };
        model.set(var, value.clone());
        values.push(value);
    }
    // Atoms are facts: true exactly for the one that is held.
    let held = code_of(&state[AT]).checked_sub(1).filter(|&pred| pred < horn.preds.len());
    for pred in horn.pred_ids() {
        let table = model.funcs.entry(horn.pred(pred).func).or_default();
        table.default = Some(Value::Bool(false));
        if held == Some(pred.index()) {
            let args = encoding.slots[pred.index()].iter().map(|&slot| state[slot].clone());
            table.entries.insert(args.collect(), Value::Bool(true));
        }
    }
    if eval(&horn.terms, clause.body, &model) != Ok(Value::Bool(true)) {
        return Ok(None);
    }
    let atoms = horn.atoms(clause.body);
    let uses = atoms.iter().any(|&atom| eval(&horn.terms, atom, &model) == Ok(Value::Bool(true)));
    Ok(Some((values, uses)))
}

fn successor(words: &Words, state: &[Value], inputs: &[Value]) -> Result<Vec<Value>, Lost> {
    let mut model = Model::new();
    for (state, value) in words.states.iter().zip(state) {
        model.set(state.var, value.clone());
    }
    for (&input, value) in words.inputs.iter().zip(inputs) {
        model.set(input, value.clone());
    }
    let next = words.states.iter().map(|state| {
        let next = state.next.ok_or_else(|| lost("a state has no next value"))?;
        eval(&words.terms, next, &model).map_err(|error| Lost(error.to_string()))
    });
    next.collect()
}

fn carry_proof(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    proof: WordCertificate,
) -> Result<HornModel, Lost> {
    let WordInvariant::States { vars, states } = proof.invariant else {
        return Err(lost(
            "the invariant is a formula, and its proofs cannot be replayed for Horn clauses",
        ));
    };
    let mut terms = horn.terms.clone();
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = parameters(&mut terms, horn, pred);
        let mut cases: Vec<TermId> = Vec::new();
        for row in &states {
            let value_at = |position: usize| {
                vars.iter().position(|&var| var == position).and_then(|column| row.get(column))
            };
            let facts = facts_of_row(words, encoding, pred, &value_at)?;
            for fact in facts {
                let case = conjunction(&mut terms, &params, &fact);
                cases.push(case.ok_or_else(|| lost("a value has no term"))?);
            }
        }
        let body = terms.or(&cases);
        preds.push(Definition { params, body });
    }
    model_of(horn, terms, preds, &vec![false; horn.clauses.len()]).map_err(Lost)
}

/// The facts of `pred` among the states of a row.
fn facts_of_row<'a>(
    words: &Words,
    encoding: &Encoding,
    pred: PredId,
    value_at: &impl Fn(usize) -> Option<&'a Value>,
) -> Result<Vec<Vec<Value>>, Lost> {
    let slots = &encoding.slots[pred.index()];
    if value_at(AT).is_some_and(|at| code_of(at) != pred.index() + 1) {
        return Ok(Vec::new());
    }
    let stray =
        (1..words.states.len()).filter(|position| !slots.contains(position)).any(|position| {
            value_at(position).is_some_and(|value| *value != encoding.unused[position])
        });
    if stray {
        return Ok(Vec::new());
    }
    let mut facts: Vec<Vec<Value>> = vec![Vec::new()];
    for &slot in slots {
        let choices = match value_at(slot) {
            Some(value) => vec![value.clone()],
            None => all_values(&words.terms, words.states[slot].var)?,
        };
        if facts.len() as u64 * choices.len() as u64 > MOST_EXPANDED {
            return Err(lost("the invariant leaves too many arguments open to list the facts"));
        }
        facts = facts
            .iter()
            .flat_map(|fact| {
                choices
                    .iter()
                    .map(move |choice| [fact.as_slice(), std::slice::from_ref(choice)].concat())
            })
            .collect();
    }
    Ok(facts)
}

fn all_values(store: &Store, var: TermId) -> Result<Vec<Value>, Lost> {
    let text = "the invariant leaves an argument of a large sort open";
    elements(store, store.sort(var), MOST_EXPANDED).ok_or_else(|| lost(text))
}
