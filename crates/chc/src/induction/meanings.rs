//! What all predicates of a system are taken for.
//!
//! Predicates are looked at after those that they call. Some meanings are guessed and kept if the
//! predicate's clauses hold with them: that two arguments differ, or are equal, as an argument
//! says; that a number is a sum or difference of others. Recursive functions are recognized
//! (`recognize`). A predicate without arguments from which false follows never holds. What is left is
//! taken for true of everything, and so are predicates that need one another: whoever can do without
//! them is proved all the same.

use super::clause::Rule;
use super::evaluate::{Evaluator, samples};
use super::goal;
use super::recognize::{Body, Candidate, Meaning, outputs, recognize};
use crate::settings::{INDUCTION_CONFLICTS, INDUCTION_MAX_NUMBERS};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::Fold;
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::constructors;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId};

/// The meanings of all predicates, and the recursive functions that they need.
pub(super) fn meanings(
    horn: &Horn,
    store: &mut Store,
    rules: &[Rule],
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Meaning>, Vec<Fold>), Stop> {
    let mut known: Vec<Option<Meaning>> = vec![None; horn.preds.len()];
    for pred in bad(horn, rules) {
        known[pred.index()] = Some(constant(TermId::FALSE, store, horn, pred));
    }
    let mut functions: Vec<Fold> = Vec::new();
    while known.iter().any(Option::is_none) {
        ctx.tick(1)?;
        let own = |pred: PredId| -> Vec<&Rule> {
            let is_own = |rule: &&Rule| rule.head.as_ref().is_some_and(|(of, _)| *of == pred);
            rules.iter().filter(is_own).collect()
        };
        let is_ready = |pred: &PredId| {
            let own = own(*pred);
            let mut calls = own.iter().flat_map(|rule| &rule.calls);
            known[pred.index()].is_none()
                && calls.all(|(of, _)| of == pred || known[of.index()].is_some())
        };
        let Some(pred) = horn.pred_ids().find(is_ready) else {
            let open = horn.pred_ids().find(|pred| known[pred.index()].is_none());
            let Some(open) = open else { break };
            let text = format!("{} needs others that need it: left out", horn.pred_name(open));
            ctx.emit(Event::Remark(text));
            known[open.index()] = Some(constant(TermId::TRUE, store, horn, open));
            continue;
        };
        let meaning = meaning(horn, store, pred, &own(pred), &known, &mut functions, ctx)?;
        known[pred.index()] = Some(meaning);
    }
    Ok((known.into_iter().flatten().collect(), functions))
}

/// The predicates without arguments from which false follows.
pub(super) fn bad(horn: &Horn, rules: &[Rule]) -> Vec<PredId> {
    let is_bad = |pred: &PredId| {
        let is_query = |rule: &Rule| {
            let is_it = |(of, _): &(PredId, Vec<TermId>)| of == pred;
            rule.head.is_none() && rule.guards.is_empty() && rule.calls.iter().all(is_it)
        };
        horn.pred_args(*pred).is_empty() && rules.iter().any(is_query)
    };
    horn.pred_ids().filter(is_bad).collect()
}

fn constant(value: TermId, store: &mut Store, horn: &Horn, pred: PredId) -> Meaning {
    let vars = horn.pred_args(pred).iter().map(|&sort| store.fresh_var("a", sort)).collect();
    Meaning::Call { output: None, body: Body::Term(vars, value) }
}

fn meaning(
    horn: &Horn,
    store: &mut Store,
    pred: PredId,
    own: &[&Rule],
    known: &[Option<Meaning>],
    functions: &mut Vec<Fold>,
    ctx: &mut Ctx<'_>,
) -> Result<Meaning, Stop> {
    for guess in comparisons(horn, store, pred) {
        if holds(store, pred, own, known, &guess, ctx)? {
            return Ok(guess);
        }
    }
    let level = functions.len() as u32;
    let candidate = Candidate { horn, pred, rules: own, known, level };
    for output in outputs(candidate, store) {
        ctx.tick(1)?;
        let Some((meaning, fold)) = recognize(candidate, store, output) else { continue };
        functions.extend(fold);
        if tells_apart(horn, store, pred, &meaning, functions)
            && holds(store, pred, own, known, &Meaning::Different, ctx)?
        {
            functions.truncate(level as usize);
            return Ok(Meaning::Different);
        }
        if !is_broken(store, own, known, &meaning, functions, ctx)? {
            return Ok(meaning);
        }
        functions.truncate(level as usize);
    }
    for guess in sums(horn, store, pred) {
        if holds(store, pred, own, known, &guess, ctx)? {
            return Ok(guess);
        }
    }
    let text = format!("{} is no function: left out", horn.pred_name(pred));
    ctx.emit(Event::Remark(text));
    Ok(constant(TermId::TRUE, store, horn, pred))
}

/// Whether a clause of a predicate is false with a meaning for some values of small size. A function is the first
/// rule that fits, so that others may say something else.
fn is_broken(
    store: &mut Store,
    own: &[&Rule],
    known: &[Option<Meaning>],
    guess: &Meaning,
    functions: &[Fold],
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    let mut evaluator = Evaluator::new(functions);
    for rule in own {
        let Some((_, args)) = &rule.head else { continue };
        let head = guess.formula(store, args);
        let mut query = (*rule).clone();
        query.head = None;
        query.guards.push(store.not(head));
        // All that it calls is known, but for itself.
        let formula = goal(store, &query, |of| known[of.index()].as_ref().unwrap_or(guess));
        if evaluator.on_samples(store, formula, ctx)? == Some(false) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the clauses of a predicate hold with a meaning.
fn holds(
    store: &mut Store,
    pred: PredId,
    own: &[&Rule],
    known: &[Option<Meaning>],
    guess: &Meaning,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    for rule in own {
        let mut smt = Smt::new(Options::default());
        for (of, args) in &rule.calls {
            let meaning = if *of == pred { Some(guess) } else { known[of.index()].as_ref() };
            let Some(meaning) = meaning else { return Ok(false) };
            let formula = meaning.formula(store, args);
            smt.assert(store, formula);
        }
        for &guard in &rule.guards {
            smt.assert(store, guard);
        }
        let Some((_, args)) = &rule.head else { continue };
        let head = guess.formula(store, args);
        let opposite = store.not(head);
        smt.assert(store, opposite);
        if ask_within(&mut smt, store, &[], INDUCTION_CONFLICTS.get(), ctx)? != Answer::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
}

/// That an argument says whether two others are equal.
fn comparisons(horn: &Horn, store: &mut Store, pred: PredId) -> Vec<Meaning> {
    let sorts = horn.pred_args(pred).to_vec();
    let mut found = Vec::new();
    if sorts.len() != 3 {
        return found;
    }
    for output in 0..3 {
        let inputs: Vec<SortId> = (0..3).filter(|&at| at != output).map(|at| sorts[at]).collect();
        if inputs[0] != inputs[1] {
            continue;
        }
        let values: Vec<TermId> = match sorts[output] {
            SortId::BOOL => vec![TermId::TRUE, TermId::FALSE],
            sort => {
                let all = constructors(store, sort);
                match all.iter().all(|&ctor| store.ctor(ctor).fields.is_empty()) {
                    true => all.iter().map(|&c| store.mk(Op::Construct(c), &[])).collect(),
                    false => Vec::new(),
                }
            }
        };
        let &[one, two] = &values[..] else { continue };
        let vars: Vec<TermId> = inputs.iter().map(|&sort| store.fresh_var("a", sort)).collect();
        let same = store.eq(vars[0], vars[1]);
        for (yes, no) in [(one, two), (two, one)] {
            let term = store.ite(same, yes, no);
            let body = Body::Term(vars.clone(), term);
            found.push(Meaning::Call { output: Some(output), body });
        }
    }
    found
}

/// That a number is a sum or difference of others, or one more or less.
fn sums(horn: &Horn, store: &mut Store, pred: PredId) -> Vec<Meaning> {
    let sorts = horn.pred_args(pred).to_vec();
    let mut found = Vec::new();
    let numbers = sorts.iter().filter(|&&sort| sort == SortId::INT).count();
    if !(2..=INDUCTION_MAX_NUMBERS.size()).contains(&numbers) {
        return found;
    }
    for output in (0..sorts.len()).filter(|&at| sorts[at] == SortId::INT) {
        let vars: Vec<TermId> = (0..sorts.len())
            .filter(|&at| at != output)
            .map(|at| store.fresh_var("a", sorts[at]))
            .collect();
        let mut choices: Vec<Vec<TermId>> = vec![Vec::new()];
        for &var in &vars {
            if store.sort(var) != SortId::INT {
                continue;
            }
            let minus = store.neg(var);
            let longer = |list: Vec<TermId>| {
                [None, Some(var), Some(minus)]
                    .map(|part| list.iter().copied().chain(part).collect::<Vec<_>>())
            };
            choices = choices.into_iter().flat_map(longer).collect();
        }
        for list in choices {
            for constant in [0, 1, -1] {
                let constant = store.int(constant);
                let term = store.add(&[&list[..], &[constant]].concat());
                let body = Body::Term(vars.clone(), term);
                found.push(Meaning::Call { output: Some(output), body });
            }
        }
    }
    found
}

/// Whether a relation holds of two samples if and only if they differ, as far as they have values.
fn tells_apart(
    horn: &Horn,
    store: &mut Store,
    pred: PredId,
    meaning: &Meaning,
    functions: &[Fold],
) -> bool {
    let &[left, right] = horn.pred_args(pred) else { return false };
    if left != right || !matches!(meaning, Meaning::Call { output: None, .. }) {
        return false;
    }
    let values = samples(store, left, 3);
    let mut evaluator = Evaluator::new(functions);
    let mut known = 0;
    for &a in &values {
        for &b in &values {
            let call = meaning.call(store, &[a, b]);
            let expected = store.bool(a != b);
            match evaluator.value(store, call) {
                None => {}
                Some(value) if value == expected => known += 1,
                Some(_) => return false,
            }
        }
    }
    values.len() > 1 && 2 * known > values.len() * values.len()
}
