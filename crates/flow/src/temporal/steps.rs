//! Steps that can be chosen: edges of transitions with all that they leave open chosen.
//!
//! An edge says what the values after a step are (`recur::edges`). What stays open is chosen from few terms:
//! numbers that the flow and the formula mention, and the value before. The condition of a choice is the transition
//! with the choice put in, so that it may be taken wherever its condition holds.

use crate::recur::edges::{Edge, edges};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::Choice;
use alphorn_problem::obligation::flow::taken;
use alphorn_smt::project::simplify;
use alphorn_term::{SortId, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most choices of an edge, and numbers that are tried for what is open.
const MAX_CHOICES: usize = 24;
const MAX_NUMBERS: usize = 6;

/// The choices of all transitions, in their order.
pub(super) fn choices(
    flow: &Flow,
    store: &mut Store,
    atoms: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Choice>, Stop> {
    let numbers = numbers(flow, store, atoms);
    let mut found: Vec<Choice> = Vec::new();
    for edge in edges(flow, store, ctx)?.0 {
        for pick in picks(flow, store, &edge, &numbers) {
            if let Some(choice) = chosen(flow, store, &edge, &pick)
                && !found.contains(&choice)
            {
                found.push(choice);
            }
        }
    }
    Ok(found)
}

/// Numbers that are mentioned, those most often first.
fn numbers(flow: &Flow, store: &Store, atoms: &[TermId]) -> BTreeMap<SortId, Vec<TermId>> {
    let formulas = flow.transitions.iter().map(|step| step.formula);
    let roots: Vec<TermId> = formulas.chain(atoms.iter().copied()).collect();
    let mut count: BTreeMap<TermId, usize> = BTreeMap::new();
    for root in roots {
        for term in store.subterms(&[root]) {
            if store.is_literal(term) && store.sort(term) != SortId::BOOL {
                *count.entry(term).or_default() += 1;
            }
        }
    }
    let mut by_sort: BTreeMap<SortId, Vec<TermId>> = BTreeMap::new();
    let mut sorted: Vec<(TermId, usize)> = count.into_iter().collect();
    sorted.sort_by_key(|&(term, count)| (std::cmp::Reverse(count), term));
    for (term, _) in sorted {
        let list = by_sort.entry(store.sort(term)).or_default();
        if list.len() < MAX_NUMBERS {
            list.push(term);
        }
    }
    by_sort
}

/// What may be chosen for a variable: its value before, if it is one after, and numbers.
fn options(
    flow: &Flow,
    store: &mut Store,
    var: TermId,
    numbers: &BTreeMap<SortId, Vec<TermId>>,
) -> Vec<TermId> {
    let sort = store.sort(var);
    let before = flow.next.iter().position(|&next| next == var).map(|at| flow.vars[at]);
    let mut all: Vec<TermId> = before.into_iter().collect();
    if sort == SortId::BOOL {
        all.extend([TermId::TRUE, TermId::FALSE]);
    } else {
        all.extend(numbers.get(&sort).into_iter().flatten());
        if sort.is_arithmetic() {
            all.extend([0, 1, -1].map(|value: i32| store.number(sort, &value.into())));
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|&term| seen.insert(term));
    all
}

/// Ways to choose all that an edge leaves open.
fn picks(
    flow: &Flow,
    store: &mut Store,
    edge: &Edge,
    numbers: &BTreeMap<SortId, Vec<TermId>>,
) -> Vec<Substitution> {
    let mut picks: Vec<Substitution> = vec![Substitution::default()];
    for &var in &edge.open {
        let options = options(flow, store, var, numbers);
        let mut more = Vec::new();
        for pick in &picks {
            for &option in options.iter().take(MAX_CHOICES - more.len()) {
                let mut pick = pick.clone();
                pick.insert(var, option);
                more.push(pick);
            }
        }
        picks = more;
    }
    picks
}

/// An edge with what is picked; none if it can never be taken.
fn chosen(flow: &Flow, store: &mut Store, edge: &Edge, pick: &Substitution) -> Option<Choice> {
    let next = store.substitute_all(&edge.next, pick);
    let inputs = store.substitute_all(&edge.inputs, pick);
    let choice = Choice { when: TermId::TRUE, transition: edge.transition, next, inputs };
    let when = taken(flow, &choice, store);
    let when = simplify(store, when, &[], None);
    (when != TermId::FALSE).then_some(Choice { when, ..choice })
}
