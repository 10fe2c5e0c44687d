//! From runs and invariants of the transition system to derivations and models.
//!
//! A run is replayed by evaluation: each step that fires a clause becomes a step of the
//! derivation, with the step that derived the held fact as its premise; what the query does not
//! need is dropped. A list of states is a table of facts, because states and facts correspond.
//!
//! An invariant that is a formula, or that is made of bits, defines each predicate: with the
//! predicate's code for `at`, its parameters for its slots and the fixed values for the others. Its
//! proofs are about the transition system and cannot be replayed for clauses, so the model comes
//! without proofs and is proved clause by clause.

use super::{Encoding, Source, bits};
use crate::settings::BITS_MAX_EXPANDED;
use alphorn_engine::{Back, Lost};
use alphorn_horn::derivation::needed;
use alphorn_horn::model::{conjunction, parameters};
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornClaim, Step};
use alphorn_problem::evidence::words::{ClaimedInvariant, Rows, WordClaim, WordTrace};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::{Horn, Words};
use alphorn_term::value::elements;
use alphorn_term::{Bv, Model, Store, Substitution, TermId, Value, eval};
use std::sync::Arc;

/// The way back from the transition system to the Horn system.
pub(super) fn way_back(horn: Horn, words: Words, encoding: Encoding) -> Back<Horn, Words> {
    let shared = Arc::new((horn, words, encoding));
    let other = Arc::clone(&shared);
    Back::new(
        move |claim| carry_claim(&shared.0, &shared.1, &shared.2, claim),
        move |trace| carry_trace(&other.0, &other.1, &other.2, &trace),
    )
}

fn lost(text: &str) -> Lost {
    Lost(text.to_owned())
}

fn code_of(value: &Value) -> u64 {
    match value {
        Value::Bv(word) => word.to_u64().unwrap_or(u64::MAX),
        _ => u64::MAX,
    }
}

fn carry_trace(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    trace: &WordTrace,
) -> Result<Derivation, Lost> {
    let mut state = first_state(words, trace)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut holder: Option<usize> = None;
    if let Some(clause) = encoding.start {
        steps.push(first_step(horn, encoding, clause, &state)?);
        holder = Some(0);
    }
    for inputs in &trace.inputs {
        if inputs.len() != words.inputs.len() {
            return Err(lost("the run does not fit the inputs of the transition system"));
        }
        let replay = Replay::new(horn, encoding, &state);
        let turn = encoding.choice.map_or(0, |choice| code_of(&inputs[choice]));
        for (k, clause) in horn.clauses.iter().enumerate() {
            let is_query = clause.head == Head::False;
            let is_due = is_query || encoding.turns[k] as u64 == turn;
            if !is_due || Some(k) == encoding.start {
                continue;
            }
            let Some((values, uses)) = replay.fires(&state, inputs, k) else { continue };
            let premises = if uses { holder.into_iter().collect() } else { Vec::new() };
            steps.push(Step::new(ClauseId(k as u32), values, premises));
            if is_query {
                return Ok(needed(steps));
            }
        }
        // Those that fire in one turn exclude each other, so that it was one at most.
        if steps.len() > holder.map_or(0, |holder| holder + 1) {
            holder = Some(steps.len() - 1);
        }
        state = successor(words, &state, inputs)?;
    }
    Err(lost("the run of the transition system fires no query"))
}

/// The first state of a run.
fn first_state(words: &Words, trace: &WordTrace) -> Result<Vec<Value>, Lost> {
    let given = trace.states.first().ok_or_else(|| lost("a run has no steps"))?;
    let value = |(at, state): (usize, &alphorn_problem::words::State)| match state.init {
        Some(init) => eval(&words.terms, init, &Model::new()).map_err(|e| Lost(e.to_string())),
        None => given.get(at).cloned().flatten().ok_or_else(|| lost("a first value is missing")),
    };
    words.states.iter().enumerate().map(value).collect()
}

/// The step that derives the fact that the first state holds.
fn first_step(
    horn: &Horn,
    encoding: &Encoding,
    clause: usize,
    state: &[Value],
) -> Result<Step, Lost> {
    let start = &horn.clauses[clause];
    let Head::Atom(pred, args) = &start.head else { return Err(lost("a query has no fact")) };
    let slots = &encoding.slots[pred.index()];
    let value = |var: &TermId| match args.iter().position(|arg| arg == var) {
        Some(at) => Ok(state[slots[at]].clone()),
        None => Value::default_of(&horn.terms, horn.terms.sort(*var))
            .ok_or_else(|| lost("a sort has no values")),
    };
    let values = start.vars.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Step::new(ClauseId(clause as u32), values, Vec::new()))
}

/// Clauses evaluated in a state.
struct Replay<'a> {
    horn: &'a Horn,
    encoding: &'a Encoding,
    /// Atoms are facts: true exactly for the one that is held.
    facts: Model,
    /// Whether one is.
    is_held: bool,
}

impl Replay<'_> {
    fn new<'a>(horn: &'a Horn, encoding: &'a Encoding, state: &[Value]) -> Replay<'a> {
        let (mut facts, mut is_held) = (Model::new(), false);
        for pred in horn.pred_ids() {
            let table = facts.funcs.entry(horn.pred(pred).func).or_default();
            table.default = Some(Value::Bool(false));
            if encoding.at.is_none_or(|at| code_of(&state[at]) == encoding.code(pred)) {
                let args = encoding.slots[pred.index()].iter().map(|&slot| state[slot].clone());
                table.entries.insert(args.collect(), Value::Bool(true));
                is_held = true;
            }
        }
        Replay { horn, encoding, facts, is_held }
    }

    /// Whether clause number `k` fires: its variables' values, and whether an atom of the body is
    /// the fact held.
    fn fires(&self, state: &[Value], inputs: &[Value], k: usize) -> Option<(Vec<Value>, bool)> {
        let clause = &self.horn.clauses[k];
        let atoms = self.horn.atoms(clause.body);
        if self.is_held && atoms.is_empty() && clause.head != Head::False {
            return None;
        }
        let mut model = self.facts.clone();
        let mut values = Vec::with_capacity(clause.vars.len());
        for (&var, source) in clause.vars.iter().zip(&self.encoding.sources[k]) {
            let value = match *source {
                Source::Slot(position) => state[position].clone(),
                Source::Input(position) => inputs[position].clone(),
            };
            model.set(var, value.clone());
            values.push(value);
        }
        let holds = |term: TermId| eval(&self.horn.terms, term, &model) == Ok(Value::Bool(true));
        let uses = || atoms.iter().any(|&atom| holds(atom));
        holds(clause.body).then(|| (values, uses()))
    }
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

fn carry_claim(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    claim: WordClaim,
) -> Result<HornClaim, Lost> {
    match claim.invariant {
        ClaimedInvariant::States(Rows { vars, states }) => {
            listed(horn, words, encoding, &vars, &states)
        }
        ClaimedInvariant::Formula { terms, formula } => {
            Ok(defined(horn, words, encoding, *terms, formula))
        }
        ClaimedInvariant::Bits { abstraction, invariant, .. } => {
            let mut terms = words.terms.clone();
            let formula = bits::formula(words, &mut terms, &abstraction, &invariant)?;
            Ok(defined(horn, words, encoding, terms, formula))
        }
        ClaimedInvariant::Home(_) => Err(Lost("clauses have no home properties".into())),
    }
}

/// The model that a formula over states is.
fn defined(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    mut terms: Store,
    formula: TermId,
) -> HornClaim {
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = parameters(&mut terms, horn, pred);
        let mut map = Substitution::default();
        for (state, unused) in words.states.iter().zip(&encoding.unused) {
            map.extend(terms.value_term(unused).map(|value| (state.var, value)));
        }
        if let Some(at) = encoding.at {
            let var = words.states[at].var;
            let code = terms.bv(Bv::from_u64(terms.width(var), encoding.code(pred)));
            map.insert(var, code);
        }
        for (&slot, &param) in encoding.slots[pred.index()].iter().zip(&params) {
            map.insert(words.states[slot].var, param);
        }
        let body = terms.substitute(formula, &map);
        preds.push(Definition { params, body });
    }
    HornClaim::of(terms, preds)
}

/// The model of which a list of states is the facts.
fn listed(
    horn: &Horn,
    words: &Words,
    encoding: &Encoding,
    vars: &[usize],
    states: &[Vec<Value>],
) -> Result<HornClaim, Lost> {
    let mut terms = horn.terms.clone();
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = parameters(&mut terms, horn, pred);
        let mut cases: Vec<TermId> = Vec::new();
        for row in states {
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
    let hints = vec![ClauseProof::Evaluate; horn.clauses.len()];
    Ok(HornClaim { hints, ..HornClaim::of(terms, preds) })
}

/// The facts of `pred` among the states of a row.
fn facts_of_row<'a>(
    words: &Words,
    encoding: &Encoding,
    pred: PredId,
    value_at: &impl Fn(usize) -> Option<&'a Value>,
) -> Result<Vec<Vec<Value>>, Lost> {
    let slots = &encoding.slots[pred.index()];
    let code = encoding.at.and_then(value_at);
    if code.is_some_and(|code| code_of(code) != encoding.code(pred)) {
        return Ok(Vec::new());
    }
    let is_other = |at: &usize| !slots.contains(at) && Some(*at) != encoding.at;
    let stray = (0..words.states.len()).filter(is_other).any(|position| {
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
        if facts.len() as u64 * choices.len() as u64 > BITS_MAX_EXPANDED.get() {
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
    elements(store, store.sort(var), BITS_MAX_EXPANDED.get()).ok_or_else(|| lost(text))
}
