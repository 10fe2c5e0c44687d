//! What can be chosen where an edge of a cycle leaves something open: terms over the state before.
//!
//! A value that is good for the round to come is often as large, or as small, as the next guards allow, the
//! same as before, or a constant. The solver picks among them, the same ones in each of some rounds, so that
//! what is tried at all goes round a few times. Assuming the guard at the end of the round before what is
//! open is chosen is the under-approximation of Cook et al. (FMCAD 2014).

use super::chain::{Chain, Move};
use super::edges::Edge;
use super::solve::{model_with, value};
use crate::settings::{RECUR_CHOSEN_ROUNDS, RECUR_MAX_TERMS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_smt::{Linear, Options, Smt};
use alphorn_term::{Int, Op, Rat, SortId, Store, Substitution, TermId, Value};
use std::collections::BTreeSet;

/// The terms for what the edges of a cycle leave open: by step and by open variable. A term may have the open
/// variables of its edge that stand before its own.
type Terms = Vec<Vec<Vec<TermId>>>;

/// Some ways to go round a cycle, each a move for each of its edges; at most `most`.
pub(super) fn ways_round(
    flow: &Flow,
    store: &mut Store,
    edges: &[Edge],
    cycle: &[usize],
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Move>>, Stop> {
    let terms = all_terms(flow, store, edges, cycle);
    let rounds: Vec<usize> =
        std::iter::repeat_n(cycle.iter().copied(), RECUR_CHOSEN_ROUNDS.size()).flatten().collect();
    let chain = Chain::of(flow, store, edges, &rounds);
    let mut formulas = chain.conditions.clone();
    let mut picks: Vec<Vec<Vec<Pick>>> = Vec::new();
    let mut constants = Vec::new();
    for (at, &step) in cycle.iter().enumerate() {
        let mut of_step = Vec::new();
        for (place, &var) in edges[step].open.iter().enumerate() {
            let sort = store.sort(var);
            let constant = store.fresh_var("c", sort);
            let mut of_var = Vec::new();
            for &term in terms[at][place].iter().chain([&constant]) {
                let selector = store.fresh_var("s", SortId::BOOL);
                for round in 0..RECUR_CHOSEN_ROUNDS.size() {
                    let position = round * cycle.len() + at;
                    let chosen = &chain.steps[position].1;
                    let state = chain.states[position].iter().copied();
                    let mut map: Substitution = flow.vars.iter().copied().zip(state).collect();
                    map.extend(edges[step].open.iter().copied().zip(chosen.iter().copied()));
                    let there = store.substitute(term, &map);
                    let same = store.eq(chosen[place], there);
                    formulas.push(store.implies(selector, same));
                }
                of_var.push(Pick { selector, term });
            }
            let selectors: Vec<TermId> = of_var.iter().map(|pick| pick.selector).collect();
            constants.push(*selectors.last().expect("a constant can be picked"));
            formulas.push(store.or(&selectors));
            of_step.push(of_var);
        }
        picks.push(of_step);
    }
    let mut smt = Smt::new(Options::default());
    for &formula in &formulas {
        smt.assert(store, formula);
    }
    let not_constant: Vec<TermId> = constants.iter().map(|&selector| store.not(selector)).collect();
    let (mut found, mut assumed) = (Vec::new(), not_constant);
    while found.len() < most {
        let Some(model) = model_with(&mut smt, store, &formulas, &assumed, ctx)? else {
            if assumed.is_empty() {
                break;
            }
            assumed.clear();
            continue;
        };
        let (mut moves, mut taken) = (Vec::new(), Vec::new());
        for (&step, of_step) in cycle.iter().zip(&picks) {
            let mut chosen: Vec<TermId> = Vec::new();
            for of_var in of_step {
                let is_taken =
                    |pick: &&Pick| value(store, pick.selector, &model) == Some(Value::Bool(true));
                let Some(pick) = of_var.iter().find(is_taken) else { return Ok(found) };
                let pick = *pick;
                taken.push(pick.selector);
                let is_constant = pick.term == of_var.last().expect("a constant").term;
                let term = match is_constant {
                    true => {
                        let value = value(store, pick.term, &model);
                        let Some(term) = value.and_then(|value| store.value_term(&value)) else {
                            return Ok(found);
                        };
                        term
                    }
                    false => {
                        let before = edges[step].open.iter().copied().zip(chosen.iter().copied());
                        store.substitute(pick.term, &before.collect())
                    }
                };
                chosen.push(term);
            }
            moves.push(Move::of(flow, store, &edges[step], &chosen));
        }
        found.push(moves);
        if taken.is_empty() {
            break;
        }
        let all = store.and(&taken);
        let others = store.not(all);
        smt.assert(store, others);
    }
    Ok(found)
}

/// A term that may be chosen, and the truth value that says so.
#[derive(Clone, Copy)]
struct Pick {
    selector: TermId,
    term: TermId,
}

fn all_terms(flow: &Flow, store: &mut Store, edges: &[Edge], cycle: &[usize]) -> Terms {
    let mut all = Vec::new();
    for (at, &step) in cycle.iter().enumerate() {
        let round: Vec<usize> =
            (0..=cycle.len()).map(|further| cycle[(at + further) % cycle.len()]).collect();
        let chain = Chain::of(flow, store, edges, &round);
        all.push(terms_of(flow, store, &edges[step], &chain.steps[0].1, &chain.conditions));
    }
    all
}

/// The terms for what an edge leaves open, with what is asked of the variables for it from then on.
pub(super) fn terms_of(
    flow: &Flow,
    store: &mut Store,
    edge: &Edge,
    chosen: &[TermId],
    conditions: &[TermId],
) -> Vec<Vec<TermId>> {
    let mut allowed: BTreeSet<TermId> = flow.vars.iter().copied().collect();
    let back: Substitution = chosen.iter().copied().zip(edge.open.iter().copied()).collect();
    let mut all = Vec::new();
    for (&open, &var) in edge.open.iter().zip(chosen) {
        let same = flow.next.iter().position(|&next| next == open).map(|at| flow.vars[at]);
        let mut terms: Vec<TermId> = Vec::new();
        let is_asked = store.free_vars(conditions).contains(&var);
        if is_asked {
            for &condition in conditions {
                if let Some(tight) = tight(store, condition, var, &allowed) {
                    let tight = store.substitute(tight, &back);
                    if !terms.contains(&tight) && terms.len() < RECUR_MAX_TERMS.size() {
                        terms.push(tight);
                    }
                }
            }
        }
        terms.extend(same.filter(|same| !terms.contains(same)));
        if terms.is_empty()
            && let Some(value) = Value::default_of(store, store.sort(var))
        {
            terms.extend(store.value_term(&value));
        }
        all.push(terms);
        allowed.insert(var);
    }
    all
}

/// The last value of a variable that a literal allows, as a term over some variables.
pub(super) fn tight(
    store: &mut Store,
    literal: TermId,
    var: TermId,
    allowed: &BTreeSet<TermId>,
) -> Option<TermId> {
    let sort = store.sort(var);
    let (form, relation) = comparison(store, literal)?;
    let (factor, mut rest) = form.split(var);
    let others: Vec<TermId> = rest.terms.iter().map(|term| term.0).collect();
    let is_over_allowed = store.free_vars(&others).iter().all(|var| allowed.contains(var))
        && others.iter().all(|&atom| store.sort(atom) == sort);
    if factor.is_zero() || !is_over_allowed {
        return None;
    }
    if relation == Op::Lt {
        // The next integer; over reals any distance does.
        rest.constant = &rest.constant + &Rat::ONE;
    }
    if sort == SortId::REAL {
        rest.scale(&-factor.recip()?);
        return Some(rest.to_term(store, sort));
    }
    // factor * var + rest <= 0
    rest.scale(&if factor.is_positive() { Rat::MINUS_ONE } else { Rat::ONE });
    let size: Int = factor.abs().numerator();
    if size.is_one() {
        return Some(rest.to_term(store, sort));
    }
    let size = store.int(size);
    if factor.is_positive() {
        let term = rest.to_term(store, sort);
        return Some(store.mk(Op::IntDiv, &[term, size]));
    }
    let term = rest.negated().to_term(store, sort);
    let below = store.mk(Op::IntDiv, &[term, size]);
    Some(store.neg(below))
}

/// The polynomial that a literal compares with zero, with integers for numbers; `Le`, `Lt` or `Eq`.
pub(super) fn comparison(store: &Store, literal: TermId) -> Option<(Linear, Op)> {
    let (op, left, right) = match (store.op(literal), store.args(literal)) {
        (op @ (Op::Le | Op::Lt | Op::Eq), &[left, right]) => (op, left, right),
        (Op::Not, &[atom]) => match (store.op(atom), store.args(atom)) {
            (Op::Le, &[left, right]) => (Op::Lt, right, left),
            (Op::Lt, &[left, right]) => (Op::Le, right, left),
            _ => return None,
        },
        _ => return None,
    };
    if !store.sort(left).is_arithmetic() {
        return None;
    }
    let mut form = Linear::difference(store, left, right);
    let mut scale = form.constant.denominator();
    for (_, factor) in &form.terms {
        scale = scale.lcm(&factor.denominator());
    }
    form.scale(&Rat::from(&scale));
    Some((form, op))
}
