//! Models made of formulas that were guessed: those that are written in the clauses, or that the facts
//! of a model have in common.
//!
//! `search` keeps the largest set of guesses that all clauses keep (Flanagan and Leino, FME 2001). If it
//! excludes the queries, what the queries need of it is a model, and mostly a short one. As an engine this
//! decides what the clauses nearly say themselves, products of signs among it. After any engine's answer
//! it looks for a model that is shorter (`shorten`), and since guesses from the clauses do not depend on
//! the engine, runs in which others were first end with the same model.
//!
//! A model can also be made as small as is wanted (`shorten` with an effort): some of its conjuncts that
//! are a model by themselves, by the methods of `alphorn_engine::subset`, which go after Ivrii, Gurfinkel,
//! Belov, "Small inductive safe invariants" (FMCAD 2014).

mod points;
mod search;
mod support;
mod written;

use crate::settings::{
    HOUDINI_AND_SO_MUCH, HOUDINI_AS_LARGE, HOUDINI_LARGEST, HOUDINI_MAX_CLAUSES, HOUDINI_MAX_TERMS,
    HOUDINI_PART, HOUDINI_WIDEST,
};
use crate::settings::{HOUDINI_MAX_TICKS, HOUDINI_MIN_TICKS};
use alphorn_engine::subset::{Effort, small};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_horn::transform::{System, conjuncts, head_args, weaken};
use alphorn_problem::evidence::horn::{Definition, HornModel};
use alphorn_problem::horn::Clause;
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Op, Sort, Store, TermId};
pub(crate) use search::{Guesses, Houdini};
use support::{Conjunct, Conjuncts};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "houdini",
    about: "keeps of formulas written in the clauses those that hold together [FL01]",
    proves: true,
    refutes: false,
    build: || Box::new(Guessing),
};

struct Guessing;

impl Engine<Horn> for Guessing {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if !is_treated(horn, u32::MAX) || size_of(horn) > HOUDINI_LARGEST.size() {
            return Err(Stop::Unsupported(
                "guesses are made for numbers, words, truth values".into(),
            ));
        }
        for is_strict in [false, true] {
            if let Some(model) = from_clauses(horn, is_strict, ctx)? {
                return Ok(Finding::Holds(model.into_claim()));
            }
        }
        Err(Stop::Stuck("what the clauses say does not exclude the queries".to_owned()))
    }
}

/// A model that is shorter, or the one given; where an effort is named, some of its conjuncts that are a
/// model by themselves. However the search for it ends, the model that is returned is one.
pub fn shorten(
    horn: &Horn,
    model: HornModel,
    effort: Option<Effort>,
    ctx: &mut Ctx<'_>,
) -> HornModel {
    let is_plain = model.funcs.is_empty() && model.folds.functions.is_empty();
    let is_small = || {
        horn.clauses.len() <= HOUDINI_MAX_CLAUSES.size()
            && size_of(horn) <= HOUDINI_MAX_TERMS.size()
    };
    let effort = effort.filter(|&effort| effort != Effort::Quick);
    let mut best = model;
    if is_plain && is_treated(horn, HOUDINI_WIDEST.short()) && (effort.is_some() || is_small()) {
        let ticks = match effort {
            Some(_) => HOUDINI_MAX_TICKS.get(),
            None => allowance(ctx),
        };
        best = guessed(horn, best, ticks, ctx);
    }
    let Some(effort) = effort else { return best };
    if !is_plain {
        let reason = "the model has functions of its own, and is not made smaller";
        ctx.emit(Event::Remark(reason.to_owned()));
        return best;
    }
    match some_conjuncts(horn, &best, effort, ctx) {
        Ok(smaller) => smaller,
        Err(stop) => {
            let reason = stop.describe();
            ctx.emit(Event::Remark(format!("the model is not made smaller: {reason}")));
            best
        }
    }
}

/// A model of guesses, if there is one that is shorter.
fn guessed(horn: &Horn, model: HornModel, ticks: u64, ctx: &mut Ctx<'_>) -> HornModel {
    let written = ctx.within(ticks, |ctx| from_clauses(horn, false, ctx));
    if let Ok(Some(other)) = written
        && size(&other) <= HOUDINI_AS_LARGE.size() * size(&model) + HOUDINI_AND_SO_MUCH.size()
    {
        return other;
    }
    match ctx.within(ticks, |ctx| from_facts(horn, &model, ctx)) {
        Ok(Some(other)) if size(&other) < size(&model) => other,
        _ => model,
    }
}

/// Ticks for each look for a shorter model that nobody asked for, after what the answer took.
fn allowance(ctx: &Ctx<'_>) -> u64 {
    let least = HOUDINI_MIN_TICKS.get();
    (least + ctx.ticks_used() / HOUDINI_PART.get()).min(HOUDINI_MAX_TICKS.get())
}

/// A model of guesses that are written in the clauses; if wanted, also that integers are less than others.
fn from_clauses(
    horn: &Horn,
    is_strict: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornModel>, Stop> {
    let (system, mut store) = (System::of(horn), horn.terms.clone());
    let guesses = written::guesses(&system, &mut store, is_strict);
    // Products are hard, and signs mostly say of them what there is to say.
    let simple = without_products(&store, &guesses);
    if simple.of != guesses.of
        && let Some(model) = model_among(horn, &system, store.clone(), &simple, ctx)?
    {
        return Ok(Some(model));
    }
    model_among(horn, &system, store, &guesses, ctx)
}

/// Guesses that are written in the clauses.
pub(crate) fn written_guesses(system: &System, store: &mut Store) -> Guesses {
    written::guesses(system, store, false)
}

/// The guesses in which no two terms are multiplied.
fn without_products(store: &Store, guesses: &Guesses) -> Guesses {
    let is_number = |&arg: &TermId| store.is_literal(arg);
    let is_product = |&term: &TermId| match store.op(term) {
        Op::Mul => store.args(term).iter().filter(|arg| !is_number(arg)).count() > 1,
        Op::IntDiv | Op::Mod | Op::RealDiv => !store.is_literal(store.args(term)[1]),
        _ => false,
    };
    let is_simple = |guess: &&TermId| !store.subterms(&[**guess]).iter().any(is_product);
    let of = guesses.of.iter().map(|all| all.iter().filter(is_simple).copied().collect());
    Guesses { params: guesses.params.clone(), of: of.collect() }
}

/// A model of what the facts have in common that the definitions of a model list.
fn from_facts(
    horn: &Horn,
    model: &HornModel,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornModel>, Stop> {
    let (system, mut store) = (System::of(horn), model.terms.clone());
    let mut has_lists = false;
    let mut guesses = Guesses { params: Vec::new(), of: Vec::new() };
    for Definition { params, body } in &model.preds {
        let of = match points::facts(&store, params, *body) {
            Some(facts) => {
                has_lists = true;
                points::common(&mut store, params, &facts)
            }
            None => conjuncts(&store, *body),
        };
        guesses.params.push(params.clone());
        guesses.of.push(of);
    }
    if !has_lists {
        return Ok(None);
    }
    model_among(horn, &system, store, &guesses, ctx)
}

/// The part of the guesses that queries need, if all that hold together exclude them.
fn model_among(
    horn: &Horn,
    system: &System,
    mut store: Store,
    guesses: &Guesses,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornModel>, Stop> {
    let mut search = Houdini::new(system, &mut store, guesses);
    if !search.run(&mut store, ctx)? {
        return Ok(None);
    }
    let mut definitions = definitions(&mut store, guesses, &search);
    drop(search);
    weaken(horn, &mut store, &mut definitions, ctx)?;
    proved(horn, store, definitions, ctx)
}

/// Some conjuncts of a model that are a model by themselves.
fn some_conjuncts(
    horn: &Horn,
    model: &HornModel,
    effort: Effort,
    ctx: &mut Ctx<'_>,
) -> Result<HornModel, Stop> {
    let (system, mut store) = (System::of(horn), model.terms.clone());
    let params: Vec<Vec<TermId>> = model.preds.iter().map(|pred| pred.params.clone()).collect();
    let mut parts: Vec<Conjunct> = Vec::new();
    for (pred, definition) in model.preds.iter().enumerate() {
        let formulas = conjuncts(&store, definition.body).into_iter();
        parts.extend(formulas.map(|formula| Conjunct { pred, formula }));
    }
    // The methods try to do without the first ones first.
    parts.sort_by_key(|part| std::cmp::Reverse(store.dag_size(&[part.formula])));
    let make = |among: &[usize]| {
        let among = among.iter().map(|&index| parts[index]).collect();
        Ok(Conjuncts::new(&system, &params, store.clone(), among))
    };
    let subset = small(parts.len(), make, effort, ctx).map_err(|stop| match stop {
        // It is proved, so what stopped this is a question that the solver leaves open.
        Stop::Stuck(_) => Stop::Stuck("a solver cannot tell what all conjuncts need".to_owned()),
        other => other,
    })?;
    let is_kept = |pred: usize, formula: TermId| {
        let is_it = |&index: &usize| parts[index].pred == pred && parts[index].formula == formula;
        subset.members.iter().any(is_it)
    };
    let mut definitions = Vec::with_capacity(params.len());
    for (pred, definition) in model.preds.iter().enumerate() {
        let mut kept = conjuncts(&store, definition.body);
        kept.retain(|&formula| is_kept(pred, formula));
        let body = store.and(&kept);
        definitions.push(Definition { params: definition.params.clone(), body });
    }
    let smaller = proved(horn, store, definitions, ctx)?;
    let smaller = smaller.ok_or_else(|| Stop::Stuck("what is left is not proved".to_owned()))?;
    let (count, of) = (subset.members.len(), parts.len());
    let least = if subset.is_least { ", and fewer of them are not" } else { "" };
    ctx.emit(Event::Remark(format!("{count} of {of} conjuncts are a model{least}")));
    Ok(smaller)
}

/// What is left of guesses, as definitions.
pub(crate) fn definitions(
    store: &mut Store,
    guesses: &Guesses,
    search: &Houdini<'_>,
) -> Vec<Definition> {
    let mut definitions = Vec::with_capacity(guesses.params.len());
    for (pred, params) in guesses.params.iter().enumerate() {
        let body = store.and(&search.left(pred));
        definitions.push(Definition { params: params.clone(), body });
    }
    definitions
}

fn proved(
    horn: &Horn,
    store: Store,
    definitions: Vec<Definition>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornModel>, Stop> {
    Ok(match prove(horn, store, definitions, ctx)? {
        Outcome::Proved(model) => Some(*model),
        Outcome::Failed(_) => None,
    })
}

/// How much there is to read in a model.
fn size(model: &HornModel) -> usize {
    model.preds.iter().map(|definition| model.terms.dag_size(&[definition.body])).sum()
}

/// The number of different terms in a system's clauses.
fn size_of(horn: &Horn) -> usize {
    let of = |clause: &Clause| [&[clause.body], head_args(clause)].concat();
    horn.terms.dag_size(&horn.clauses.iter().flat_map(of).collect::<Vec<_>>())
}

/// Whether arguments and variables are numbers, truth values, or words that are not too wide, and
/// clauses have neither quantifiers nor functions of their own.
fn is_treated(horn: &Horn, widest: u32) -> bool {
    let store = &horn.terms;
    let is_sort = |sort| match store.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real => true,
        Sort::BitVec(width) => *width <= widest,
        _ => false,
    };
    let of = |clause: &Clause| [&[clause.body], head_args(clause)].concat();
    let roots: Vec<TermId> = horn.clauses.iter().flat_map(of).collect();
    let is_plain = |&term: &TermId| match store.op(term) {
        Op::Forall | Op::Exists => false,
        Op::Apply(func) => horn.pred_of(func).is_some(),
        _ => is_sort(store.sort(term)),
    };
    let mut args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred));
    args.all(|&sort| is_sort(sort)) && store.subterms(&roots).iter().all(is_plain)
}

#[cfg(test)]
mod tests;
