//! Predicates as functions: an argument that the others determine, clause by clause.
//!
//! Programs become clauses by giving each function a predicate with one argument more, and what is
//! read here is that translation backwards. An argument is an *output* if in every clause the others,
//! as patterns, determine it by way of calls whose outputs are known likewise; recursion must be on a
//! field of one argument's pattern. A predicate without outputs is a function into truth values. Where
//! the clauses overlap or do not cover all values the function is only a guess, as everything here is: the
//! clauses are proved in the end.

use super::branches::{Branch, chain, speciality, take_apart};
use super::clause::Rule;
use super::counters::Counted;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::{Fold, FoldCase};
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// What a predicate is taken for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Its two arguments differ.
    Different,
    /// Argument `output` is what a function makes of the others; without one, the function says whether
    /// the predicate holds.
    Call { output: Option<usize>, body: Body },
    /// A call in which values stand for numbers.
    Counted(Counted),
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
    /// The function on inputs, given as all arguments in their places; the output's is not looked at. Nothing if
    /// one of them is not of a form that the function is about.
    pub(super) fn call(&self, store: &mut Store, args: &[TermId]) -> Option<TermId> {
        let (output, body) = match self {
            Meaning::Call { output, body } => (output, body),
            Meaning::Counted(counted) => return counted.call(store, args),
            Meaning::Different => {
                let same = store.eq(args[0], args[1]);
                return Some(store.not(same));
            }
        };
        let inputs: Vec<TermId> =
            (0..args.len()).filter(|&at| Some(at) != *output).map(|at| args[at]).collect();
        Some(match body {
            Body::Fold(func, first) => {
                let mut ordered = vec![inputs[*first]];
                ordered.extend((0..inputs.len()).filter(|at| at != first).map(|at| inputs[at]));
                store.mk(Op::Apply(*func), &ordered)
            }
            Body::Term(vars, term) => {
                let map: Substitution = vars.iter().copied().zip(inputs).collect();
                store.substitute(*term, &map)
            }
        })
    }

    /// The argument that is computed, if one is.
    pub(super) fn output(&self) -> Option<usize> {
        match self {
            Meaning::Call { output, .. } => *output,
            Meaning::Counted(counted) => counted.inner.output(),
            Meaning::Different => None,
        }
    }

    /// Whether the predicate is taken for true of everything.
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Meaning::Call { output: None, body: Body::Term(_, TermId::TRUE) })
    }

    /// The predicate on arguments.
    pub(super) fn formula(&self, store: &mut Store, args: &[TermId]) -> Option<TermId> {
        if let Meaning::Counted(counted) = self {
            return counted.formula(store, args);
        }
        let call = self.call(store, args)?;
        Some(match self.output() {
            Some(output) => store.eq(args[output], call),
            None => call,
        })
    }
}

/// A predicate that may be a function.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) horn: &'a Horn,
    pub(super) pred: PredId,
    /// The sorts of its arguments.
    pub(super) sorts: &'a [SortId],
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
    let arity = it.sorts.len();
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
    Candidate { horn, pred, sorts, rules, known, level }: Candidate<'_>,
    store: &mut Store,
    output: Option<usize>,
) -> Option<(usize, Meaning, Option<Fold>)> {
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
            assemble(&mut trial, sorts, &inputs, output, result, own, &branches, level)
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
            let output = meaning.and_then(Meaning::output);
            let is_input = |at: usize| Some(at) != output;
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
        let call = meaning.call(store, &args)?;
        match meaning.output() {
            Some(at) => {
                let result = args[at];
                let is_new =
                    matches!(store.op(result), Op::Var(_)) && !determined.contains(&result);
                if is_new {
                    determined.insert(result);
                    values.insert(result, call);
                } else {
                    take_apart(store, result, call, &mut determined, &mut values, &mut condition);
                }
            }
            None => condition.push(call),
        }
    }
    condition.extend(&rule.guards);
    let condition = store.substitute_all(&condition, &values);
    let value = output.map_or(TermId::TRUE, |at| store.substitute(head[at], &values));
    // What nothing determines makes of a test that there is something, which is no test.
    let known: FxHashSet<TermId> = store.free_vars(&patterns).into_iter().collect();
    let used = store.free_vars(&[&condition[..], &[value]].concat());
    if !used.iter().all(|var| known.contains(var)) {
        return None;
    }
    Some(Branch { patterns, condition, value, speciality })
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
        // A field's pattern may be what it is made of, and then recursion need not be on a field.
        let is_own = |term: &TermId| store.op(*term) == Op::Apply(func);
        let mut calls = store.subterms(&[value]).into_iter().filter(is_own);
        if !calls.all(|call| fields.contains(&store.args(call)[0])) {
            return None;
        }
        cases.push(FoldCase { fields, value });
    }
    let params = (0..vars.len()).filter(|&at| at != first).map(|at| vars[at]).collect();
    let fold = Fold { func, level, params, cases };
    Some((Meaning::Call { output, body: Body::Fold(func, first) }, Some(fold)))
}
