//! Predicates as functions: an argument that the others determine, clause by clause.
//!
//! Programs become clauses by giving each function a predicate with one argument more, and what is
//! read here is that translation backwards. An argument is an *output* if in every clause the others,
//! as patterns, determine it by way of calls whose outputs are known likewise; recursion must be on a
//! field of one argument's pattern. A predicate without outputs is a function into truth values. Where
//! the clauses overlap or do not cover all values the function is only a guess, as everything here is: the
//! clauses are proved in the end.

use super::clause::Rule;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::{Fold, FoldCase};
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashSet;

/// What a predicate is taken for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Its two arguments differ.
    Different,
    /// Argument `output` is what a function makes of the others; without one, the function says whether
    /// the predicate holds.
    Call { output: Option<usize>, body: Body },
}

/// How a function is computed.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// By recursion on input number `.1`, which is the function's first argument.
    Fold(FuncId, usize),
    /// A term over variables for the inputs.
    Term(Vec<TermId>, TermId),
}

impl Meaning {
    /// The function on inputs, given as all arguments in their places; the output's is not looked at.
    pub(super) fn call(&self, store: &mut Store, args: &[TermId]) -> TermId {
        let Meaning::Call { output, body } = self else {
            let same = store.eq(args[0], args[1]);
            return store.not(same);
        };
        let inputs: Vec<TermId> =
            (0..args.len()).filter(|&at| Some(at) != *output).map(|at| args[at]).collect();
        match body {
            Body::Fold(func, first) => {
                let mut ordered = vec![inputs[*first]];
                ordered.extend((0..inputs.len()).filter(|at| at != first).map(|at| inputs[at]));
                store.mk(Op::Apply(*func), &ordered)
            }
            Body::Term(vars, term) => {
                let map: Substitution = vars.iter().copied().zip(inputs).collect();
                store.substitute(*term, &map)
            }
        }
    }

    /// The argument that is computed, if one is.
    pub(super) fn output(&self) -> Option<usize> {
        match self {
            Meaning::Call { output, .. } => *output,
            Meaning::Different => None,
        }
    }

    /// Whether the predicate is taken for true of everything.
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Meaning::Call { output: None, body: Body::Term(_, TermId::TRUE) })
    }

    /// The predicate on arguments.
    pub(super) fn formula(&self, store: &mut Store, args: &[TermId]) -> TermId {
        let call = self.call(store, args);
        match self {
            Meaning::Call { output: Some(output), .. } => store.eq(args[*output], call),
            _ => call,
        }
    }
}

/// A clause as a case of a function: conditions on patterns, and a value.
struct Branch {
    /// What the inputs look like.
    patterns: Vec<TermId>,
    condition: Vec<TermId>,
    value: TermId,
    /// How special the patterns are.
    speciality: usize,
}

/// A predicate that may be a function.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) horn: &'a Horn,
    pub(super) pred: PredId,
    /// Its clauses.
    pub(super) rules: &'a [&'a Rule],
    /// What other predicates mean.
    pub(super) known: &'a [Option<Meaning>],
    /// How many functions there are already.
    pub(super) level: u32,
}

/// The outputs with which the clauses of a predicate have the form of a function, the most likely first; what they
/// call has a meaning already.
pub(super) fn outputs(it: Candidate<'_>, store: &Store) -> Vec<Option<usize>> {
    let arity = it.horn.pred_args(it.pred).len();
    let mut found: Vec<(usize, Option<usize>)> = Vec::new();
    for output in (0..arity).map(Some).chain([None]) {
        if let Some((cost, ..)) = with_output(it, &mut store.clone(), output) {
            found.push((if output.is_none() { cost + 100 } else { cost }, output));
        }
    }
    found.sort_by_key(|(cost, _)| *cost);
    found.into_iter().map(|(_, output)| output).collect()
}

/// The function of a predicate with an output, if its clauses have that form.
pub(super) fn recognize(
    it: Candidate<'_>,
    store: &mut Store,
    output: Option<usize>,
) -> Option<(Meaning, Option<Fold>)> {
    with_output(it, store, output).map(|(_, meaning, fold)| (meaning, fold))
}

/// The function with a certain output, and how far it is from covering everything once.
fn with_output(
    Candidate { horn, pred, rules, known, level }: Candidate<'_>,
    store: &mut Store,
    output: Option<usize>,
) -> Option<(usize, Meaning, Option<Fold>)> {
    let sorts = horn.pred_args(pred).to_vec();
    let inputs: Vec<usize> = (0..sorts.len()).filter(|&at| Some(at) != output).collect();
    let result = output.map_or(SortId::BOOL, |at| sorts[at]);
    let calls_itself = rules.iter().any(|rule| rule.calls.iter().any(|(of, _)| *of == pred));
    let is_data = |store: &Store, sort| !constructors(store, sort).is_empty();
    let choices: Vec<Option<usize>> = match calls_itself {
        true => {
            (0..inputs.len()).filter(|&at| is_data(store, sorts[inputs[at]])).map(Some).collect()
        }
        false => vec![None],
    };
    for first in choices {
        let mut trial = store.clone();
        let own = match first {
            None => None,
            Some(first) => {
                let mut args = vec![sorts[inputs[first]]];
                let others = (0..inputs.len()).filter(|&at| at != first);
                args.extend(others.map(|at| sorts[inputs[at]]));
                let name = format!("fun-{}", horn.pred_name(pred));
                let func = trial.declare(&name, &args, result);
                Some(Meaning::Call { output, body: Body::Fold(func, first) })
            }
        };
        let branches: Option<Vec<Branch>> = (rules.iter())
            .map(|rule| branch(&mut trial, pred, rule, known, own.as_ref(), output, &inputs))
            .collect();
        let Some(branches) = branches else { continue };
        let cost = branches.iter().map(|branch| branch.condition.len() + branch.speciality);
        let cost = cost.sum::<usize>();
        let Some((meaning, fold)) =
            assemble(&mut trial, &sorts, &inputs, output, result, own, &branches, level)
        else {
            continue;
        };
        *store = trial;
        return Some((cost, meaning, fold));
    }
    None
}

/// A rule as a branch; nothing if the inputs do not determine the rest, or recursion is not on a field.
fn branch(
    store: &mut Store,
    pred: PredId,
    rule: &Rule,
    known: &[Option<Meaning>],
    own: Option<&Meaning>,
    output: Option<usize>,
    inputs: &[usize],
) -> Option<Branch> {
    let (_, head) = rule.head.as_ref()?;
    let patterns: Vec<TermId> = inputs.iter().map(|&at| head[at]).collect();
    let speciality = speciality(store, &patterns)?;
    let mut determined: FxHashSet<TermId> = store.free_vars(&patterns).into_iter().collect();
    let mut condition: Vec<TermId> = Vec::new();
    let mut values = Substitution::default();
    let mut open: Vec<&(PredId, Vec<TermId>)> = rule.calls.iter().collect();
    while !open.is_empty() {
        let ready = open.iter().position(|(of, args)| {
            let meaning = if *of == pred { own } else { known[of.index()].as_ref() };
            let is_input = |at: usize| match meaning {
                Some(Meaning::Call { output, .. }) => Some(at) != *output,
                _ => true,
            };
            let needed: Vec<TermId> =
                (0..args.len()).filter(|&at| is_input(at)).map(|at| args[at]).collect();
            store.free_vars(&needed).iter().all(|var| determined.contains(var))
        })?;
        let (of, args) = open.remove(ready);
        let meaning = if *of == pred { own? } else { known[of.index()].as_ref()? };
        if *of == pred
            && let Meaning::Call { body: Body::Fold(_, first), .. } = meaning
        {
            // Recursion must be on a field of the pattern.
            let at = inputs[*first];
            let is_field = matches!(store.op(head[at]), Op::Construct(_))
                && store.args(head[at]).contains(&args[at]);
            if !is_field {
                return None;
            }
        }
        let args = store.substitute_all(args, &values);
        let call = meaning.call(store, &args);
        match meaning {
            Meaning::Call { output: Some(at), .. } => {
                let result = args[*at];
                let is_new =
                    matches!(store.op(result), Op::Var(_)) && !determined.contains(&result);
                if is_new {
                    determined.insert(result);
                    values.insert(result, call);
                } else {
                    take_apart(store, result, call, &mut determined, &mut values, &mut condition);
                }
            }
            _ => condition.push(call),
        }
    }
    for &guard in &rule.guards {
        if !store.free_vars(&[guard]).iter().all(|var| determined.contains(var)) {
            return None;
        }
        condition.push(store.substitute(guard, &values));
    }
    let value = match output {
        None => TermId::TRUE,
        Some(at) => {
            if !store.free_vars(&[head[at]]).iter().all(|var| determined.contains(var)) {
                return None;
            }
            store.substitute(head[at], &values)
        }
    };
    let condition = store.substitute_all(&condition, &values);
    Some(Branch { patterns, condition, value, speciality })
}

/// How special patterns are: the constructors in them, and, weighing more, variables that occur again;
/// nothing for other terms than patterns.
fn speciality(store: &Store, patterns: &[TermId]) -> Option<usize> {
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
            _ => return None,
        }
    }
    Some(count + shapes)
}

/// Learns what the variables of a pattern are when it is matched with a term.
fn take_apart(
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
        _ => {
            let test = store.eq(pattern, term);
            if test != TermId::TRUE {
                condition.push(test);
            }
        }
    }
}

/// The function of some branches.
#[allow(clippy::too_many_arguments)]
fn assemble(
    store: &mut Store,
    sorts: &[SortId],
    inputs: &[usize],
    output: Option<usize>,
    result: SortId,
    own: Option<Meaning>,
    branches: &[Branch],
    level: u32,
) -> Option<(Meaning, Option<Fold>)> {
    let vars: Vec<TermId> = inputs.iter().map(|&at| store.fresh_var("a", sorts[at])).collect();
    let Some(Meaning::Call { output, body: Body::Fold(func, first) }) = own else {
        let term = chain(store, &vars, result, output.is_none(), branches)?;
        return Some((Meaning::Call { output, body: Body::Term(vars, term) }, None));
    };
    let mut cases = Vec::new();
    for ctor in constructors(store, sorts[inputs[first]]) {
        let fields: Vec<TermId> = (store.ctor(ctor).fields.clone().into_iter())
            .map(|(_, sort)| store.fresh_var("y", sort))
            .collect();
        let made = store.mk(Op::Construct(ctor), &fields);
        let mut actual = vars.clone();
        actual[first] = made;
        let value = chain(store, &actual, result, output.is_none(), branches)?;
        cases.push(FoldCase { fields, value });
    }
    let params = (0..vars.len()).filter(|&at| at != first).map(|at| vars[at]).collect();
    let fold = Fold { func, level, params, cases };
    Some((Meaning::Call { output, body: Body::Fold(func, first) }, Some(fold)))
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
fn chain(
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
