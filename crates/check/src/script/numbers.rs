//! Whether the numbers of an evaluation stay small.
//!
//! Values of arrays and datatypes have greatest sizes of their own; numbers have none. Where only
//! literals are factors, a number is no longer than what was read to make it. Otherwise the length of
//! each number is bounded from above, operator by operator, before anything is evaluated. For values
//! of other sorts it is the length of the longest number inside.

use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::{FuncId, Model, Op, Rat, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// The longest number, in bits.
const LONGEST: u64 = 1 << 20;

/// Whether `roots` can be evaluated without numbers of more than some million bits.
pub(super) fn check(store: &Store, roots: &[TermId], model: &Model) -> Result<(), String> {
    check_with(store, roots, model, &FxHashMap::default()).map(|_| ())
}

/// `check` where variables have values with numbers of these lengths; the longest number, or 0 if none
/// is longer than what it is made of.
pub(super) fn check_with(
    store: &Store,
    roots: &[TermId],
    model: &Model,
    inputs: &FxHashMap<TermId, u64>,
) -> Result<u64, String> {
    let terms = store.subterms(roots);
    if terms.iter().all(|term| is_linear(store, *term)) {
        return Ok(0);
    }
    let mut longest = 0;
    let choices = &model.choices;
    let chosen = [&choices.int_div, &choices.modulo, &choices.real_div].into_iter().flatten();
    let chosen = chosen.chain(choices.fields.values()).map(in_table).max().unwrap_or(0);
    let mut tables: FxHashMap<FuncId, u64> = FxHashMap::default();
    let mut lengths: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in terms {
        let args = || store.args(term).iter().map(|arg| lengths[arg]);
        let most = args().max().unwrap_or(0);
        let sum = || args().fold(1u64, u64::saturating_add);
        let length = match store.op(term) {
            Op::IntVal(_) | Op::RealVal(_) => {
                store.number_value(term).map_or(0, |value| bits(&value))
            }
            Op::Add if store.sort(term) == SortId::INT => {
                most.saturating_add(store.args(term).len() as u64)
            }
            Op::Add | Op::Mul => sum(),
            Op::RealDiv => sum().max(chosen),
            Op::IntDiv | Op::Mod | Op::Field(..) => most.max(chosen),
            Op::UbvToInt | Op::SbvToInt => u64::from(store.width(store.args(term)[0])),
            Op::Var(_) => match inputs.get(&term) {
                Some(length) => *length,
                None => model.vars.get(&term).map_or(0, in_value),
            },
            Op::Apply(func) => {
                let table = model.funcs.get(&func);
                let own = tables.entry(func).or_insert_with(|| table.map_or(0, in_table));
                match table.map(|table| &table.elsewhere) {
                    Some(Elsewhere::Sum(_)) => sum().saturating_add(*own),
                    _ => *own,
                }
            }
            _ => most,
        };
        if length > LONGEST {
            return Err("a number may become too long".to_owned());
        }
        longest = longest.max(length);
        lengths.insert(term, length);
    }
    Ok(longest)
}

/// Whether a term multiplies and divides by literals alone.
fn is_linear(store: &Store, term: TermId) -> bool {
    let args = store.args(term);
    match store.op(term) {
        Op::Mul => args.iter().filter(|arg| !store.is_literal(**arg)).count() <= 1,
        Op::RealDiv => store.is_literal(args[1]),
        _ => true,
    }
}

fn bits(value: &Rat) -> u64 {
    (value.numerator().bit_len() + value.denominator().bit_len()) as u64
}

fn in_table(table: &Table) -> u64 {
    table.entries.values().chain(&table.default).map(in_value).max().unwrap_or(0)
}

/// The length of the longest number in a value, whose size was bounded before.
pub(super) fn in_value(value: &Value) -> u64 {
    let mut longest = 0;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Int(value) => longest = longest.max(value.bit_len() as u64),
            Value::Real(value) => longest = longest.max(bits(value)),
            value => value.push_parts(&mut stack),
        }
    }
    longest
}
