//! What a system must be like before anything about it is believed, and how it is shown.

use crate::Refusal;
use alphorn_problem::Words;
use alphorn_term::eval::bound::size_of;
use alphorn_term::{EvalError, Op, SortId, Store, TermId, Value};
use std::collections::BTreeSet;

/// Refuses a system whose parts do not fit: readers and transforms do not make one.
pub(super) fn check_system(words: &Words) -> Result<(), Refusal> {
    let store = &words.terms;
    let refused = |reason: String| Err(Refusal::new("system", reason));
    let mut vars: BTreeSet<TermId> = BTreeSet::new();
    let states = words.states.iter().map(|state| state.var);
    for var in states.chain(words.inputs.iter().copied()) {
        if var.index() >= store.len() || !matches!(store.op(var), Op::Var(_)) {
            return refused("a state or input is not a variable".into());
        }
        if !vars.insert(var) {
            return refused(format!("{} is declared twice", name(store, var)));
        }
    }
    let mut earlier: BTreeSet<TermId> = BTreeSet::new();
    for state in &words.states {
        for value in [state.init, state.next].into_iter().flatten() {
            if value.index() >= store.len() || store.sort(value) != store.sort(state.var) {
                return refused(format!("a value of {} has another sort", name(store, state.var)));
            }
        }
        let init = state.init.map_or(Vec::new(), |init| store.free_vars(&[init]));
        if init.iter().any(|var| !earlier.contains(var)) {
            let name = name(store, state.var);
            return refused(format!(
                "the initial value of {name} looks at more than earlier states"
            ));
        }
        earlier.insert(state.var);
    }
    let named = words.bads.iter().chain(&words.constraints).chain(&words.fairness);
    let named = named.chain(&words.homes);
    let justice = words.justice.iter().flat_map(|justice| justice.terms.iter().copied());
    let mut formulas = named.map(|named| named.term).chain(justice);
    let is_formula = |term: TermId| term.index() < store.len() && store.sort(term) == SortId::BOOL;
    if formulas.any(|term| !is_formula(term)) {
        return refused("a property or constraint is not a formula".into());
    }
    Ok(())
}

/// The work of evaluating `roots` once, in subterms: wide words count as several, and products of
/// them as the squares.
pub(super) fn pass(store: &Store, roots: &[TermId]) -> u64 {
    let mut total = 0u64;
    for term in store.subterms(roots) {
        let args = store.args(term).iter().map(|&arg| u64::from(store.width(arg)) / 64);
        let words = args.fold(u64::from(store.width(term)) / 64, u64::saturating_add);
        let own = if store.op(term).is_product() { words.saturating_mul(words) } else { words };
        total = total.saturating_add(own.saturating_add(1));
    }
    total
}

/// The name of a variable.
pub(super) fn name(store: &Store, var: TermId) -> &str {
    store.var_name(var).unwrap_or("?")
}

/// A value as messages show it.
pub(super) fn shown(value: &Value) -> String {
    const MAX_SIZE: u64 = 1 << 10;
    match value {
        // Parts may be shared, and would be shown each time.
        value if size_of(value) > MAX_SIZE => "a large value".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Bv(word) => word.to_string(),
        Value::Array(array) => {
            let entries = array.entries().take(4);
            let entries: Vec<String> = entries
                .map(|(index, value)| format!("{}: {}", shown(index), shown(value)))
                .collect();
            let more = if array.entries().count() > 4 { ", …" } else { "" };
            format!("[{}{more}; else {}]", entries.join(", "), shown(array.default()))
        }
        other => format!("{other:?}"),
    }
}

/// The refusal of something that has no value.
pub(super) fn no_value(
    store: &Store,
    place: impl Into<String>,
    what: &str,
    error: &EvalError,
) -> Refusal {
    Refusal::new(place, format!("{what} has no value: {}", error.describe(store)))
}
