//! What all predicates of a system are taken for.
//!
//! Predicates are looked at after those that they call. Some meanings are guessed and kept if the
//! predicate's clauses hold with them: that two arguments differ, or are equal, as an argument
//! says; that a number is a sum or difference of others. Recursive functions are recognized
//! (`recognize`), and where there are none, those of values that stand for numbers (`counters`). A predicate without
//! arguments from which false follows never holds. What is left is taken for true of everything, and so are predicates that
//! need one another: whoever can do without them is proved all the same, and a query may ask for more (`wishes`).

use super::clause::Rule;
use super::counters::{Counted, Length};
use super::evaluate::{Evaluator, samples};
use super::goal;
use super::guesses::{comparisons, orders, sums};
use super::prove::Theory;
use super::recognize::{Body, Candidate, Meaning, outputs, recognize};
use crate::settings::INDUCTION_CONFLICTS;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::folds::Effort;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::Fold;
use alphorn_problem::horn::PredId;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, TermId};
use std::collections::BTreeSet;

/// The meanings of all predicates; the recursive functions that they need become those of the theory.
pub(super) fn meanings(
    horn: &Horn,
    theory: &mut Theory,
    rules: &[Rule],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Meaning>, Stop> {
    let mut known: Vec<Option<Meaning>> = vec![None; horn.preds.len()];
    for pred in bad(horn, rules) {
        known[pred.index()] = Some(constant(TermId::FALSE, &mut theory.store, horn, pred));
    }
    // Those that are no functions as they stand: looked at again when lengths may be known.
    let mut later: BTreeSet<PredId> = BTreeSet::new();
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
        let ready: Vec<PredId> = horn.pred_ids().filter(is_ready).collect();
        if let Some(&pred) = ready.iter().find(|pred| !later.contains(pred)) {
            let Theory { store, folds, .. } = &mut *theory;
            match meaning(horn, store, pred, &own(pred), &known, &mut folds.functions, ctx)? {
                Some(meaning) => known[pred.index()] = Some(meaning),
                None => _ = later.insert(pred),
            }
            continue;
        }
        let (open, why) = match ready.first() {
            Some(&pred) => {
                if let Some(counted) = counted(horn, theory, pred, &own(pred), &known, ctx)? {
                    known[pred.index()] = Some(counted);
                    continue;
                }
                (pred, "is no function")
            }
            None => match horn.pred_ids().find(|pred| known[pred.index()].is_none()) {
                Some(open) => (open, "needs others that need it"),
                None => break,
            },
        };
        ctx.emit(Event::Remark(format!("{} {why}: left out", horn.pred_name(open))));
        known[open.index()] = Some(constant(TermId::TRUE, &mut theory.store, horn, open));
    }
    Ok(known.into_iter().flatten().collect())
}

/// A predicate as a function of values that stand for the numbers that it counts: of one of them, or of all.
fn counted(
    horn: &Horn,
    theory: &mut Theory,
    pred: PredId,
    own: &[&Rule],
    known: &[Option<Meaning>],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Meaning>, Stop> {
    let sorts = horn.pred_args(pred).to_vec();
    let numbers: Vec<usize> = (0..sorts.len()).filter(|&at| sorts[at] == SortId::INT).collect();
    let mut choices: Vec<Vec<usize>> = numbers.iter().map(|&at| vec![at]).collect();
    if numbers.len() > 1 {
        choices.push(numbers);
    }
    for places in choices {
        let before = (theory.folds.functions.len(), theory.folds.laws.len());
        if let Some(meaning) = counted_at(theory, pred, &sorts, own, known, &places, horn, ctx)? {
            return Ok(Some(meaning));
        }
        theory.folds.functions.truncate(before.0);
        theory.folds.laws.truncate(before.1);
    }
    Ok(None)
}

#[allow(clippy::too_many_arguments)]
fn counted_at(
    theory: &mut Theory,
    pred: PredId,
    sorts: &[SortId],
    own: &[&Rule],
    known: &[Option<Meaning>],
    places: &[usize],
    horn: &Horn,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Meaning>, Stop> {
    let Theory { store, folds, .. } = &mut *theory;
    let Some(length) = Length::of(store, &mut folds.functions) else { return Ok(None) };
    let mut rules: Vec<Rule> = Vec::new();
    for rule in own {
        match length.counted(store, pred, rule, places, ctx)? {
            Some(more) => rules.extend(more),
            None => return Ok(None),
        }
    }
    let rules: Vec<&Rule> = rules.iter().collect();
    let mut of_values = sorts.to_vec();
    for &at in places {
        of_values[at] = length.sort;
    }
    let level = folds.functions.len();
    let candidate =
        Candidate { horn, pred, sorts: &of_values, rules: &rules, known, level: level as u32 };
    for output in outputs(candidate, store) {
        ctx.tick(1)?;
        let Theory { store, folds, .. } = &mut *theory;
        let Some((inner, fold)) = recognize(candidate, store, output) else { continue };
        folds.functions.extend(fold);
        if !is_broken(store, &rules, known, &inner, &folds.functions, ctx)? {
            let var = store.fresh_var("z", length.sort);
            let law = length.law(store, var);
            let is_known = folds.laws.iter().any(|other| {
                store.sort(other.var) == length.sort
                    && length.law(store, other.var) == other.formula
            });
            if !is_known {
                theory.by_induction(law, Effort::quick(), ctx)?;
            }
            for below in Counted::belows(&mut theory.store, sorts, own, places) {
                let (places, inner) = (places.to_vec(), Box::new(inner.clone()));
                let guess = Meaning::Counted(Counted { places, length, inner, below });
                // All that it calls is known, but for itself.
                let meaning = |of: PredId| known[of.index()].as_ref().unwrap_or(&guess);
                let mut are_kept = true;
                for rule in own {
                    are_kept = are_kept && theory.keeps(rule, meaning, Effort::thorough(), ctx)?;
                }
                if are_kept {
                    return Ok(Some(guess));
                }
            }
        }
        theory.folds.functions.truncate(level);
    }
    Ok(None)
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
) -> Result<Option<Meaning>, Stop> {
    for guess in comparisons(horn, store, pred) {
        if holds(store, pred, own, known, &guess, ctx)? {
            return Ok(Some(guess));
        }
    }
    let level = functions.len() as u32;
    let sorts = horn.pred_args(pred);
    let candidate = Candidate { horn, pred, sorts, rules: own, known, level };
    for output in outputs(candidate, store) {
        ctx.tick(1)?;
        let Some((meaning, fold)) = recognize(candidate, store, output) else { continue };
        functions.extend(fold);
        if tells_apart(horn, store, pred, &meaning, functions)
            && holds(store, pred, own, known, &Meaning::Different, ctx)?
        {
            functions.truncate(level as usize);
            return Ok(Some(Meaning::Different));
        }
        if !is_broken(store, own, known, &meaning, functions, ctx)? {
            return Ok(Some(meaning));
        }
        functions.truncate(level as usize);
    }
    for guess in [orders(horn, store, pred), sums(horn, store, pred)].concat() {
        if holds(store, pred, own, known, &guess, ctx)? {
            return Ok(Some(guess));
        }
    }
    Ok(None)
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
        let Some(head) = guess.formula(store, args) else { continue };
        let mut query = (*rule).clone();
        query.head = None;
        query.guards.push(store.not(head));
        // All that it calls is known, but for itself.
        let formula = goal(store, &query, |of| known[of.index()].as_ref().unwrap_or(guess));
        let Some(formula) = formula else { continue };
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
            let Some(formula) = meaning.formula(store, args) else { return Ok(false) };
            smt.assert(store, formula);
        }
        for &guard in &rule.guards {
            smt.assert(store, guard);
        }
        let Some((_, args)) = &rule.head else { continue };
        let Some(head) = guess.formula(store, args) else { return Ok(false) };
        let opposite = store.not(head);
        smt.assert(store, opposite);
        if ask_within(&mut smt, store, &[], INDUCTION_CONFLICTS.get(), ctx)? != Answer::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
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
            let Some(call) = meaning.call(store, &[a, b]) else { return false };
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
