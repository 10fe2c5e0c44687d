//! Cases of functions: what inputs look like, and the value then.
//!
//! A pattern is made of constructors, variables and literals, or is a number more or less than a variable. Matching
//! a term with it is a test, and says what its variables are: fields of the term, or the number less or more.

use alphorn_term::{Op, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashSet;

/// A clause as a case of a function: conditions on patterns, and a value.
pub(super) struct Branch {
    /// What the inputs look like.
    pub(super) patterns: Vec<TermId>,
    pub(super) condition: Vec<TermId>,
    pub(super) value: TermId,
    /// How special the patterns are.
    pub(super) speciality: usize,
}

/// How special patterns are: the constructors in them, and, weighing more, variables that occur again;
/// nothing for other terms than patterns.
pub(super) fn speciality(store: &Store, patterns: &[TermId]) -> Option<usize> {
    let (mut count, mut shapes, mut seen) = (0, 0, FxHashSet::default());
    let mut stack: Vec<TermId> = patterns.to_vec();
    while let Some(term) = stack.pop() {
        match store.op(term) {
            Op::Var(_) if !seen.insert(term) => count += 10,
            Op::Var(_) => {}
            Op::Construct(_) => {
                shapes += 1;
                stack.extend(store.args(term));
            }
            _ if store.is_ground(term) => {}
            _ => stack.push(offset(store, term)?.0),
        }
    }
    Some(count + shapes)
}

/// The variable of a sum of it and a literal, and the literal.
pub(super) fn offset(store: &Store, term: TermId) -> Option<(TermId, TermId)> {
    let (Op::Add, &[one, two]) = (store.op(term), store.args(term)) else { return None };
    let is_pair = |var: TermId, number: TermId| {
        matches!(store.op(var), Op::Var(_)) && store.int_value(number).is_some()
    };
    match (is_pair(one, two), is_pair(two, one)) {
        (true, _) => Some((one, two)),
        (_, true) => Some((two, one)),
        _ => None,
    }
}

/// Learns what the variables of a pattern are when it is matched with a term.
pub(super) fn take_apart(
    store: &mut Store,
    pattern: TermId,
    term: TermId,
    determined: &mut FxHashSet<TermId>,
    values: &mut Substitution,
    condition: &mut Vec<TermId>,
) {
    match store.op(pattern) {
        Op::Var(_) if !determined.contains(&pattern) && !values.contains_key(&pattern) => {
            determined.insert(pattern);
            values.insert(pattern, term);
        }
        Op::Construct(ctor) => {
            let test = store.mk(Op::Is(ctor), &[term]);
            if test != TermId::TRUE {
                condition.push(test);
            }
            for (at, part) in store.args(pattern).to_vec().into_iter().enumerate() {
                let field = store.mk(Op::Field(ctor, at as u32), &[term]);
                take_apart(store, part, field, determined, values, condition);
            }
        }
        _ => match offset(store, pattern) {
            Some((var, number)) if !determined.contains(&var) && !values.contains_key(&var) => {
                determined.insert(var);
                let value = store.sub(term, number);
                values.insert(var, value);
            }
            _ => {
                let test = store.eq(pattern, term);
                if test != TermId::TRUE {
                    condition.push(test);
                }
            }
        },
    }
}

/// A term with values in the place of what their constructors make of their fields. Where a pattern
/// below another is handed on, it is the field that it was matched with.
fn whole(store: &mut Store, root: TermId) -> TermId {
    let mut map = Substitution::default();
    for term in store.subterms(&[root]) {
        let Op::Construct(ctor) = store.op(term) else { continue };
        let args = store.args(term);
        let Some(of) = args.first().and_then(|&arg| store.args(arg).first().copied()) else {
            continue;
        };
        let is_field = |(at, &arg): (usize, &TermId)| {
            store.op(arg) == Op::Field(ctor, at as u32) && store.args(arg)[0] == of
        };
        if args.iter().enumerate().all(is_field) {
            map.insert(term, of);
        }
    }
    match map.is_empty() {
        true => root,
        false => store.substitute(root, &map),
    }
}

/// The first branch that fits some inputs, as nested conditionals; for a relation, whether any does.
pub(super) fn chain(
    store: &mut Store,
    actual: &[TermId],
    result: SortId,
    is_relation: bool,
    branches: &[Branch],
) -> Option<TermId> {
    let mut options: Vec<(TermId, TermId)> = Vec::new();
    for branch in branches {
        let (mut determined, mut values) = (FxHashSet::default(), Substitution::default());
        let mut condition = Vec::new();
        for (&pattern, &term) in branch.patterns.iter().zip(actual) {
            take_apart(store, pattern, term, &mut determined, &mut values, &mut condition);
        }
        let mut all = store.substitute_all(&condition, &values);
        all.extend(store.substitute_all(&branch.condition, &values));
        let all: Vec<TermId> = all.into_iter().map(|term| whole(store, term)).collect();
        let test = store.and(&all);
        if test != TermId::FALSE {
            let value = store.substitute(branch.value, &values);
            options.push((test, whole(store, value)));
        }
    }
    // What always fits comes last, so that the others are not in vain.
    options.sort_by_key(|(test, _)| *test == TermId::TRUE);
    if is_relation {
        let tests: Vec<TermId> = options.into_iter().map(|(test, _)| test).collect();
        return Some(store.or(&tests));
    }
    let mut value = match options.pop() {
        // The last one needs no test, as there is nothing else to say.
        Some((_, value)) => value,
        None => {
            let default = Value::default_of(store, result)?;
            store.value_term(&default)?
        }
    };
    while let Some((test, other)) = options.pop() {
        value = store.ite(test, other, value);
    }
    Some(value)
}
