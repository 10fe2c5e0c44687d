//! Bounds on what evaluation and substitution take, known before anything is done.
//!
//! A short term can have a long value: forty squarings of 2 need a terabyte. Evidence is not
//! trusted to be kind, so before terms of it are evaluated or substituted into, the sizes of all
//! intermediate results are bounded from above, operator by operator, and the work they take is
//! counted on a meter. Likewise for quantifiers, which evaluation expands and substitution enters
//! once per scope.
//!
//! Sizes are in bits for numbers and in nodes for other values; a bound may overestimate, never
//! underestimate.

use crate::eval::{Elsewhere, Model, Table};
use crate::id::{FuncId, TermId};
use crate::meter::{Exhausted, Meter, words_of};
use crate::num::Rat;
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::store::Store;
use crate::subst::Substitution;
use crate::value::codata::MAX_NODES;
use crate::value::{Value, cardinality};
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest size of an intermediate result.
const LARGEST: u64 = 1 << 20;
/// The largest finite sort of indices whose arrays are counted out when they are written to.
const MAX_COUNTED: u64 = 1 << 17;
/// The ticks of evaluating an operator, or of making a term, on arguments of no size.
const OPERATOR: u64 = 4;
const TERM: u64 = 8;

const TOO_LARGE: &str = "a value may become too large";

/// What is known of the tables of a model, so that it is found out once for many evaluations.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The size of the largest value among the choices, and the entries of all of them.
    chosen: (u64, u64),
    /// Of each function the size of its largest value, and the entries that looking it up takes.
    funcs: FxHashMap<FuncId, (u64, u64)>,
}

impl Tables {
    /// The tables of a model.
    pub fn of(model: &Model) -> Tables {
        let choices = &model.choices;
        let tables = choices.int_div.iter().chain(&choices.modulo).chain(&choices.real_div);
        let chosen = tables.chain(choices.fields.values()).map(of_table);
        let chosen = chosen.fold((0, 0), |(size, steps), (s, t)| (size.max(s), steps.max(t)));
        let funcs = model.funcs.iter().map(|(&func, table)| (func, of_table(table))).collect();
        Tables { chosen, funcs }
    }

    /// Adds the table of a function.
    pub fn set(&mut self, func: FuncId, table: &Table) {
        self.funcs.insert(func, of_table(table));
    }

    /// Says that a function has this value as well.
    pub fn widen(&mut self, func: FuncId, value: &Value) {
        let (size, _) = self.funcs.entry(func).or_insert((1, 0));
        *size = (*size).max(size_of(value));
    }
}

/// The size of a table's largest value, and the entries that looking up takes.
fn of_table(table: &Table) -> (u64, u64) {
    let values = table.entries.values().chain(&table.default);
    let size = values.map(size_of).max().unwrap_or(1);
    let steps = match table.elsewhere {
        Elsewhere::Steps => table.entries.len() as u64,
        _ => 0,
    };
    (size, steps)
}

/// Counts the work of evaluating `roots` under `model`, whose tables are `tables`.
pub fn evaluation(
    store: &Store,
    roots: &[TermId],
    model: &Model,
    tables: &Tables,
    meter: &Meter,
) -> Result<(), String> {
    let order = subterms(store, roots, meter)?;
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut ticks: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut total = 0u64;
    for term in order {
        let known = match store.op(term) {
            Op::Var(_) => model.vars.get(&term).map(|value| (size_of(value), 0)),
            Op::Apply(func) => {
                let (size, steps) = tables.funcs.get(&func).copied().unwrap_or((1, 0));
                Some((if store.sort(term) == SortId::BOOL { 1 } else { size }, steps))
            }
            Op::IntDiv | Op::Mod | Op::RealDiv | Op::Field(..) => Some(tables.chosen),
            _ => None,
        };
        let (least, steps) = known.unwrap_or((1, 0));
        let size = own_size(store, term, &sizes).max(least);
        if size > LARGEST {
            return Err(TOO_LARGE.to_owned());
        }
        let own = operator_ticks(store, term, &sizes).saturating_add(steps);
        total = total.saturating_add(own);
        ticks.insert(term, own);
        sizes.insert(term, size);
    }
    if roots.iter().any(|&root| store.has_quantifier(root)) {
        let own = |term: TermId| ticks.get(&term).copied().unwrap_or(OPERATOR);
        let times = |term, once: u64| once.saturating_mul(instances(store, term));
        total = run(store, roots, &own, &times, meter)?;
    }
    meter.spend(total)?;
    Ok(())
}

/// Counts the work of expanding the quantifiers in `roots` alone, where no value is large.
pub fn expansion(store: &Store, roots: &[TermId], meter: &Meter) -> Result<(), String> {
    let times = |term, once: u64| once.saturating_mul(instances(store, term));
    let total = run(store, roots, &|_| OPERATOR, &times, meter)?;
    meter.spend(total)?;
    Ok(())
}

/// The instances of a quantifier; sorts that cannot be listed make evaluation fail by itself.
fn instances(store: &Store, quantifier: TermId) -> u64 {
    let counts = store.bound_vars(quantifier).iter();
    let counts = counts.map(|&var| cardinality(store, store.sort(var)).unwrap_or(1));
    counts.fold(1, u64::saturating_mul)
}

/// Counts the work of substituting `map` in `roots`, and of finding their free variables.
pub fn substitution(
    store: &Store,
    roots: &[TermId],
    map: &Substitution,
    meter: &Meter,
) -> Result<(), String> {
    let replacements: Vec<TermId> = map.values().copied().collect();
    let of = term_sizes(store, &replacements, |_| None, meter)?;
    let made = term_sizes(store, roots, |term| map.get(&term).map(|to| of[to]), meter)?;
    let has_quantifier = roots.iter().any(|&root| store.has_quantifier(root));
    let mut total = made.len() as u64 * TERM;
    if has_quantifier {
        // A scope has a map of its own, and looks for the variables of what is put.
        let scope = (of.len() + map.len()) as u64;
        let own = |term: TermId| TERM + store.args(term).len() as u64;
        let once = |_, inside: u64| inside.saturating_mul(2).saturating_add(scope);
        total = total.saturating_add(run(store, roots, &own, &once, meter)?);
    }
    meter.spend(total)?;
    Ok(())
}

/// Counts the work of finding the free variables of `roots`.
pub fn free_vars(store: &Store, roots: &[TermId], meter: &Meter) -> Result<(), String> {
    if roots.iter().any(|&root| store.has_quantifier(root)) {
        return substitution(store, roots, &Substitution::default(), meter);
    }
    subterms(store, roots, meter)?;
    Ok(())
}

/// The subterms of `roots`, counted.
fn subterms(store: &Store, roots: &[TermId], meter: &Meter) -> Result<Vec<TermId>, Exhausted> {
    let mut order = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, ready)) = stack.pop() {
        if ready {
            order.push(term);
        } else if seen.insert(term) {
            meter.spend(OPERATOR + store.args(term).len() as u64)?;
            stack.push((term, true));
            stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    Ok(order)
}

/// Upper bounds for the sizes of the values of all subterms; `least` has what is known from
/// elsewhere.
fn term_sizes(
    store: &Store,
    roots: &[TermId],
    mut least: impl FnMut(TermId) -> Option<u64>,
    meter: &Meter,
) -> Result<FxHashMap<TermId, u64>, String> {
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in subterms(store, roots, meter)? {
        let size = own_size(store, term, &sizes).max(least(term).unwrap_or(1));
        if size > LARGEST {
            return Err(TOO_LARGE.to_owned());
        }
        // Literals may meet where they did not before.
        if store.sort(term).is_arithmetic() || store.op(term).is_product() {
            meter.spend(operator_ticks(store, term, &sizes))?;
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
        Op::IntVal(_) | Op::RealVal(_) => number_bits(store, term),
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

fn number_bits(store: &Store, term: TermId) -> u64 {
    let real = || store.real_value(term).map_or(1, Rat::bit_len);
    store.int_value(term).map_or_else(real, |value| value.bit_len() as u64)
}

/// The ticks of evaluating a term's operator once the arguments have values of these sizes.
fn operator_ticks(store: &Store, term: TermId, sizes: &FxHashMap<TermId, u64>) -> u64 {
    let args = store.args(term);
    let op = store.op(term);
    if matches!(op, Op::Forall | Op::Exists) {
        return OPERATOR;
    }
    let size = |arg: TermId| match store.width_of(store.sort(arg)) {
        Some(width) => u64::from(width),
        None => sizes[&arg],
    };
    let total = args.iter().fold(0u64, |sum, &arg| sum.saturating_add(size(arg)));
    let own = store.width_of(store.sort(term)).map_or(0, u64::from);
    let is_real = || args.iter().any(|&arg| store.sort(arg) == SortId::REAL);
    let words = match op {
        Op::Select => size(args[1]) / 8,
        Op::Store => match is_counted(store, store.sort(term)) {
            true => total,
            false => total / 8,
        },
        // The nodes of trees are told apart, or numbered again.
        Op::Construct(_) if store.codata_of(store.sort(term)).is_some() => {
            total.saturating_mul(total.min(MAX_NODES as u64))
        }
        Op::Field(..) if store.codata_of(store.sort(args[0])).is_some() => total,
        Op::Construct(_) | Op::ConstArray | Op::Ite | Op::Field(..) | Op::Is(_) => 0,
        _ if op.is_product() || is_real() => {
            let words = total.saturating_add(own) / 64;
            words.saturating_mul(words)
        }
        _ => total.saturating_add(own) / 16,
    };
    words.saturating_add(OPERATOR + args.len() as u64)
}

/// Whether writing to an array may count all of its entries.
fn is_counted(store: &Store, sort: SortId) -> bool {
    match store.sort_of(sort) {
        Sort::Array(index, _) => cardinality(store, *index).is_some_and(|n| n <= MAX_COUNTED),
        _ => false,
    }
}

/// The size of a value, or something above `LARGEST`. Values share parts, so counting stops there.
pub fn size_of(value: &Value) -> u64 {
    let mut size = 0u64;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        size = size.saturating_add(match value {
            Value::Int(value) => value.bit_len() as u64,
            Value::Real(value) => value.bit_len(),
            Value::Bv(value) => u64::from(value.width()).min(LARGEST),
            Value::Codata(tree) => tree.nodes().len() as u64,
            _ => 1,
        });
        value.push_parts(&mut stack);
        if size > LARGEST {
            break;
        }
    }
    size
}

/// The ticks of putting a value into machine words.
pub fn value_ticks(value: &Value) -> u64 {
    words_of(size_of(value))
}

/// The work of one walk over `roots`, which meets every subterm once and enters each quantifier
/// anew: `own` is the work of a term, and `times` that of a quantifier by that of its body.
fn run(
    store: &Store,
    roots: &[TermId],
    own: &dyn Fn(TermId) -> u64,
    times: &dyn Fn(TermId, u64) -> u64,
    meter: &Meter,
) -> Result<u64, Exhausted> {
    // Inner quantifiers have smaller ids, so ascending order meets them first.
    let mut quantifiers = subterms(store, roots, meter)?;
    quantifiers.retain(|&term| matches!(store.op(term), Op::Forall | Op::Exists));
    quantifiers.sort_unstable();
    let mut work: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in quantifiers {
        let body = store.args(term).last().copied();
        let once = walk(store, body.as_slice(), &work, own, meter)?;
        work.insert(term, times(term, once));
    }
    walk(store, roots, &work, own, meter)
}

fn walk(
    store: &Store,
    roots: &[TermId],
    work: &FxHashMap<TermId, u64>,
    own: &dyn Fn(TermId) -> u64,
    meter: &Meter,
) -> Result<u64, Exhausted> {
    let mut total = 0u64;
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        meter.spend(1 + store.args(term).len() as u64)?;
        match work.get(&term) {
            Some(inside) => total = total.saturating_add(*inside),
            None => stack.extend(store.args(term)),
        }
        total = total.saturating_add(own(term));
    }
    Ok(total)
}
