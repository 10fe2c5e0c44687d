//! Recursive definitions that determine a function, and the values that a model lists of it.
//!
//! A formula `∀x. f(x) = body` may be one that no function satisfies. It is satisfied by exactly one
//! where every call of `f` in the body matters only at arguments that are smaller, in an order without
//! endless descent, and all else in it is given before. Then the formula holds whatever the rest of the
//! model is, and what the function is at some arguments is seen by evaluating the body there: each
//! listed case needs only listed cases, and the smallest of those need none.
//!
//! Invariant: whatever is accepted by `read` holds in the one extension of the model by these
//! functions, in the order of their formulas; whatever is accepted by `evaluate` lists values of it.

use super::guards::{self, Facts, Guards};
use super::numbers;
use alphorn_problem::Question;
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_term::eval::bound::size_of;
use alphorn_term::eval::{Elsewhere, Program, Table, bound};
use alphorn_term::{FuncId, Meter, Model, Op, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition that was read.
pub(super) struct Definition {
    func: FuncId,
    params: Vec<TermId>,
    /// What the function is, or what it is not.
    body: TermId,
    is_negated: bool,
}

/// Why a formula, by its position, is no definition of a function.
pub(super) type Objection = (usize, String);

/// The definitions that the reasons name, if they determine functions.
pub(super) fn read(
    question: &Question,
    evidence: &ScriptModel,
    meter: &Meter,
) -> Result<Vec<Definition>, Objection> {
    let (store, mut found) = (&question.terms, Vec::new());
    let mut all: FxHashSet<FuncId> = FxHashSet::default();
    let named = evidence.reasons.iter().enumerate().filter_map(|(position, reason)| match reason {
        Reason::Define { func, smaller } => Some((position, *func, *smaller)),
        _ => None,
    });
    let named: Vec<(usize, FuncId, Option<usize>)> = named.collect();
    for &(position, func, _) in &named {
        if !all.insert(func) {
            return Err((position, "the function is defined already".to_owned()));
        }
    }
    let mut later = all;
    for (position, func, smaller) in named {
        let definition = shape(store, question.formulas[position], func);
        let read = definition.and_then(|definition| {
            check_body(store, &definition, smaller, &later, meter).map(|()| definition)
        });
        found.push(read.map_err(|reason| (position, reason))?);
        later.remove(&func);
    }
    Ok(found)
}

/// The parts of `∀x. f(x) = body`.
fn shape(store: &Store, formula: TermId, func: FuncId) -> Result<Definition, String> {
    let none = || "it does not say what the function is for all arguments".to_owned();
    let (Op::Forall, [params @ .., equation]) = (store.op(formula), store.args(formula)) else {
        return Err(none());
    };
    let (is_negated, equation) = match store.op(*equation) {
        Op::Not => (true, store.args(*equation)[0]),
        _ => (false, *equation),
    };
    let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else {
        return Err(none());
    };
    // What a function of truth values is not says what it is.
    if is_negated && store.sort(left) != SortId::BOOL {
        return Err(none());
    }
    let is_call = |term: TermId| store.op(term) == Op::Apply(func) && store.args(term) == params;
    let body = match (is_call(left), is_call(right)) {
        (true, _) => right,
        (_, true) => left,
        _ => return Err(none()),
    };
    let distinct: FxHashSet<TermId> = params.iter().copied().collect();
    if distinct.len() != params.len() {
        return Err("two of its variables are the same".to_owned());
    }
    Ok(Definition { func, params: params.to_vec(), body, is_negated })
}

/// Whether the body determines the function: `later` has the functions that are not given before.
fn check_body(
    store: &Store,
    definition: &Definition,
    smaller: Option<usize>,
    later: &FxHashSet<FuncId>,
    meter: &Meter,
) -> Result<(), String> {
    let Definition { func, params, body, .. } = definition;
    if store.has_quantifier(*body) {
        return Err("there is a quantifier in its body".to_owned());
    }
    bound::free_vars(store, &[*body], meter)?;
    if store.free_vars(&[*body]).iter().any(|var| !params.contains(var)) {
        return Err("its body has other variables".to_owned());
    }
    let guards = Guards::of(store, *body, meter)?;
    for (call, facts) in guards.terms() {
        let Op::Apply(called) = store.op(call) else { continue };
        if called != *func && later.contains(&called) {
            return Err("it calls a function that is not defined before it".to_owned());
        }
        if called != *func {
            continue;
        }
        let place = smaller.filter(|place| *place < params.len());
        let place = place.ok_or("no argument is named that gets smaller")?;
        meter.spend(1 + facts.len() as u64)?;
        if !is_smaller(store, facts, store.args(call)[place], params[place]) {
            return Err("an argument of a call is not seen to be smaller".to_owned());
        }
    }
    Ok(())
}

/// Whether an argument is smaller than the parameter where the facts hold: a proper part of it, or a
/// smaller integer where the parameter has a lower bound.
fn is_smaller(store: &Store, facts: &Facts, argument: TermId, parameter: TermId) -> bool {
    if store.sort(parameter) == SortId::INT {
        let decrease = guards::offset(store, argument, parameter);
        return decrease.is_some_and(|by| by.is_negative())
            && facts.has_lower_bound(store, parameter);
    }
    let mut part = argument;
    while part != parameter {
        let Op::Field(ctor, _) = store.op(part) else { return false };
        part = store.args(part)[0];
        // Parts of values of codatatypes are not smaller.
        if store.data(store.ctor(ctor).data).is_co || !facts.is_made_by(store, part, ctor) {
            return false;
        }
    }
    argument != parameter
}

/// Whether every case that the model lists of these functions is what their bodies say.
pub(super) fn evaluate(
    store: &Store,
    model: &Model,
    definitions: &[Definition],
    meter: &Meter,
) -> Result<(), String> {
    let empty = Table::default();
    for definition in definitions {
        let table = model.funcs.get(&definition.func).unwrap_or(&empty);
        if table.default.is_some() || table.elsewhere != Elsewhere::Same {
            return Err("a defined function has values besides the listed ones".to_owned());
        }
        check_cases(store, model, definition, table, meter)?;
    }
    Ok(())
}

fn check_cases(
    store: &Store,
    model: &Model,
    definition: &Definition,
    table: &Table,
    meter: &Meter,
) -> Result<(), String> {
    let Definition { params, body, is_negated, .. } = definition;
    let mut lengths: FxHashMap<TermId, u64> = FxHashMap::default();
    for args in table.entries.keys() {
        for (&param, value) in params.iter().zip(args) {
            let length = lengths.entry(param).or_default();
            *length = (*length).max(numbers::in_value(value));
        }
    }
    let longest = numbers::check_with(store, &[*body], model, &lengths)?;
    let terms = store.subterms(&[*body]).len() as u64;
    let mut program = Program::new(store, params, &[*body]);
    for (args, value) in &table.entries {
        let size = args.iter().map(size_of).fold(size_of(value), u64::saturating_add);
        meter.spend(
            terms.saturating_mul(4 + longest / 32).saturating_add(size.saturating_mul(terms)),
        )?;
        program.run(store, args, model);
        let is_right = match (program.output(0), value) {
            (Ok(Value::Bool(found)), Value::Bool(listed)) => (found == listed) != *is_negated,
            (Ok(found), listed) => found == listed && !is_negated,
            (Err(error), _) => {
                let why = error.describe(store);
                return Err(format!("a case of a defined function has no value: {why}"));
            }
        };
        if !is_right {
            return Err("a case of a defined function is not what its body says".to_owned());
        }
    }
    Ok(())
}
