//! Bounds on how large things become, known before they are made.
//!
//! A short term can have a long value: forty squarings of 2 need a terabyte. Evidence is not
//! trusted to be kind, so before terms are evaluated or substituted into, the sizes of all
//! intermediate results are bounded from above, operator by operator, and hopeless ones refused.
//! Likewise for quantifiers, which evaluation expands and substitution enters once per scope.
//!
//! Sizes are in bits for numbers and in nodes for other values; a bound may overestimate, never
//! underestimate.

use alphorn_term::eval::Table;
use alphorn_term::value::{Value, cardinality};
use alphorn_term::{FuncId, Model, Op, Rat, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest size of an intermediate result.
const LARGEST: u64 = 1 << 20;
/// The most steps that expanding quantifiers may take.
const MOST_EXPANDED: u64 = 1 << 22;
/// The most scopes that substitution may enter.
const MOST_SCOPES: u64 = 1 << 16;

/// Whether `roots` can be evaluated under `model` in reasonable space and time.
pub(crate) fn evaluation(store: &Store, roots: &[TermId], model: &Model) -> Result<(), String> {
    let choices = &model.choices;
    let tables = choices.int_div.iter().chain(&choices.modulo).chain(&choices.real_div);
    let chosen = tables.chain(choices.fields.values()).map(largest).max().unwrap_or(0);
    let mut results: FxHashMap<FuncId, u64> = FxHashMap::default();
    sizes(store, roots, |term| match store.op(term) {
        Op::Var(_) => model.vars.get(&term).map(size_of),
        Op::Apply(func) if store.sort(term) != SortId::BOOL => {
            let table = || model.funcs.get(&func).map_or(1, largest);
            Some(*results.entry(func).or_insert_with(table))
        }
        Op::IntDiv | Op::Mod | Op::RealDiv | Op::Field(..) => Some(chosen),
        _ => None,
    })?;
    expansion(store, roots)
}

/// The size of a table's largest value.
fn largest(table: &Table) -> u64 {
    table.entries.values().chain(&table.default).map(size_of).max().unwrap_or(1)
}

/// Whether `map` can be substituted in `root` in reasonable space and time.
pub(crate) fn substitution(store: &Store, root: TermId, map: &Substitution) -> Result<(), String> {
    let replacements: Vec<TermId> = map.values().copied().collect();
    let of = sizes(store, &replacements, |_| None)?;
    sizes(store, &[root], |term| map.get(&term).map(|to| of[to]))?;
    if !store.has_quantifier(root) {
        return Ok(());
    }
    let mut scopes: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in store.subterms(&[root]) {
        let inside = store.args(term).iter().fold(0u64, |sum, arg| sum.saturating_add(scopes[arg]));
        let own = u64::from(matches!(store.op(term), Op::Forall | Op::Exists));
        scopes.insert(term, inside.saturating_add(own));
    }
    if scopes[&root] > MOST_SCOPES {
        return Err("the quantifiers are nested too much".to_owned());
    }
    Ok(())
}

/// Upper bounds for the sizes of all subterms' values; `least` has what is known from elsewhere.
fn sizes(
    store: &Store,
    roots: &[TermId],
    mut least: impl FnMut(TermId) -> Option<u64>,
) -> Result<FxHashMap<TermId, u64>, String> {
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in store.subterms(roots) {
        let size = own_size(store, term, &sizes).max(least(term).unwrap_or(1));
        if size > LARGEST {
            return Err("a value may become too large".to_owned());
        }
        sizes.insert(term, size);
    }
    Ok(sizes)
}

fn own_size(store: &Store, term: TermId, sizes: &FxHashMap<TermId, u64>) -> u64 {
    let sort = store.sort(term);
    if let Some(width) = store.width_of(sort) {
        return u64::from(width).min(LARGEST);
    }
    let args = || store.args(term).iter().map(|arg| sizes[arg]);
    let sum = || args().fold(0u64, u64::saturating_add).saturating_add(1);
    let most = || args().max().unwrap_or(1);
    match store.op(term) {
        Op::IntVal(_) | Op::RealVal(_) => {
            store.number_value(term).map_or(1, |value| bits_of(&value))
        }
        _ if sort == SortId::BOOL => 1,
        Op::Add if sort == SortId::INT => {
            most() + u64::from(usize::BITS - store.args(term).len().leading_zeros())
        }
        Op::Add | Op::Mul | Op::RealDiv | Op::Construct(_) | Op::Store | Op::ConstArray => sum(),
        // Bound variables range over sorts small enough to be listed.
        Op::Var(_) => 64,
        _ => most() + 1,
    }
}

fn bits_of(value: &Rat) -> u64 {
    value.numerator().bit_len() as u64 + value.denominator().bit_len() as u64
}

/// The size of a value, or something above `LARGEST`. Values share parts, so counting stops there.
pub(crate) fn size_of(value: &Value) -> u64 {
    let mut size = 0u64;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        size = size.saturating_add(match value {
            Value::Int(value) => value.bit_len() as u64,
            Value::Real(value) => bits_of(value),
            Value::Bv(value) => u64::from(value.width()).min(LARGEST),
            _ => 1,
        });
        match value {
            Value::Array(array) => {
                stack.push(array.default());
                stack.extend(array.entries().flat_map(|(index, value)| [index, value]));
            }
            Value::Data(data) => stack.extend(&data.args),
            _ => {}
        }
        if size > LARGEST {
            break;
        }
    }
    size
}

/// Whether evaluation expands the quantifiers in `roots` into few instances.
pub(crate) fn expansion(store: &Store, roots: &[TermId]) -> Result<(), String> {
    if !roots.iter().any(|&root| store.has_quantifier(root)) {
        return Ok(());
    }
    // Inner quantifiers have smaller ids, so ascending order meets them first.
    let mut quantifiers = store.subterms(roots);
    quantifiers.retain(|&term| matches!(store.op(term), Op::Forall | Op::Exists));
    quantifiers.sort_unstable();
    let mut work: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in quantifiers {
        let mut instances = 1u64;
        for &var in store.bound_vars(term) {
            // Sorts that cannot be listed make evaluation fail by itself.
            let count = cardinality(store, store.sort(var)).unwrap_or(1);
            instances = instances.saturating_mul(count);
        }
        let body = store.args(term).last().copied();
        let once = run(store, body.as_slice(), &work);
        work.insert(term, once.saturating_mul(instances));
    }
    if run(store, roots, &work) > MOST_EXPANDED {
        return Err("the quantifiers have too many instances".to_owned());
    }
    Ok(())
}

/// The work of one evaluation, which meets every subterm once and runs quantifiers from scratch.
fn run(store: &Store, roots: &[TermId], work: &FxHashMap<TermId, u64>) -> u64 {
    let mut total = 0u64;
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match work.get(&term) {
            Some(inside) => total = total.saturating_add(*inside),
            None => stack.extend(store.args(term)),
        }
        total = total.saturating_add(1);
    }
    total
}
