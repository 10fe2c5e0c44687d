//! Steps that can be chosen: transitions as guarded assignments.
//!
//! A transition is solved for the values after it: a conjunct `x′ = t` gives `x′`. What stays open, inputs and
//! values that nothing says, is chosen from few terms: numbers that the flow and the formula mention, and the
//! value before. A step with all chosen is a `Choice`, whose condition is the transition with the choice put
//! in; so that the choice may be taken wherever its condition holds.

use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::Choice;
use alphorn_problem::obligation::flow::taken;
use alphorn_smt::project::simplify;
use alphorn_term::{Op, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most choices of a transition, cases of it, and numbers that are tried for what is open.
const MAX_CHOICES: usize = 24;
const MAX_CASES: usize = 8;
const MAX_NUMBERS: usize = 6;

/// The choices of all transitions, in their order.
pub(super) fn choices(flow: &Flow, store: &mut Store, atoms: &[TermId]) -> Vec<Choice> {
    let numbers = numbers(flow, store, atoms);
    let mut all = Vec::new();
    for transition in 0..flow.transitions.len() {
        all.extend(of_transition(flow, store, transition, &numbers));
    }
    all
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

fn of_transition(
    flow: &Flow,
    store: &mut Store,
    transition: usize,
    numbers: &BTreeMap<SortId, Vec<TermId>>,
) -> Vec<Choice> {
    let step = &flow.transitions[transition];
    let mut found: Vec<Choice> = Vec::new();
    for case in cases(store, step.formula) {
        let solved = solved(flow, store, &case);
        let open: Vec<TermId> = flow.next.iter().chain(&step.inputs).copied().collect();
        let open: Vec<TermId> = open.into_iter().filter(|var| !solved.contains_key(var)).collect();
        let mut picks: Vec<BTreeMap<TermId, TermId>> = vec![BTreeMap::new()];
        for &var in &open {
            let options = options(flow, store, var, numbers);
            let mut more = Vec::new();
            for pick in &picks {
                for &option in &options {
                    if more.len() < MAX_CHOICES {
                        let mut pick = pick.clone();
                        pick.insert(var, option);
                        more.push(pick);
                    }
                }
            }
            picks = more;
        }
        for pick in picks {
            if found.len() >= MAX_CHOICES {
                break;
            }
            if let Some(choice) = chosen(flow, store, transition, &solved, &pick)
                && !found.contains(&choice)
            {
                found.push(choice);
            }
        }
    }
    found
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

/// The conjunctions whose disjunction a formula is, if they are few; else the formula alone.
fn cases(store: &Store, formula: TermId) -> Vec<Vec<TermId>> {
    let mut done: Vec<Vec<TermId>> = Vec::new();
    let mut open: Vec<(Vec<TermId>, Vec<TermId>)> = vec![(Vec::new(), vec![formula])];
    while let Some((mut literals, mut rest)) = open.pop() {
        if done.len() + open.len() >= MAX_CASES {
            return vec![conjuncts(store, formula)];
        }
        let Some(next) = rest.pop() else {
            done.push(literals);
            continue;
        };
        match store.op(next) {
            Op::And => {
                rest.extend(store.args(next));
                open.push((literals, rest));
            }
            Op::Or => {
                for &arg in store.args(next) {
                    let mut rest = rest.clone();
                    rest.push(arg);
                    open.push((literals.clone(), rest));
                }
            }
            _ => {
                literals.push(next);
                open.push((literals, rest));
            }
        }
    }
    done.reverse();
    done
}

fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    match store.op(formula) {
        Op::And => store.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// What equations say of the values after a step and of inputs, over the variables and what is open.
fn solved(flow: &Flow, store: &mut Store, literals: &[TermId]) -> BTreeMap<TermId, TermId> {
    let known: BTreeSet<TermId> = flow.vars.iter().copied().collect();
    let mut found: BTreeMap<TermId, TermId> = BTreeMap::new();
    loop {
        let before = found.len();
        for &literal in literals {
            if store.op(literal) != Op::Eq || store.args(literal).len() != 2 {
                continue;
            }
            let (left, right) = (store.args(literal)[0], store.args(literal)[1]);
            for (var, term) in [(left, right), (right, left)] {
                let is_open = matches!(store.op(var), Op::Var(_))
                    && !known.contains(&var)
                    && !found.contains_key(&var);
                // Chains of equations are followed from what is known already.
                let map = found.iter().map(|(&var, &term)| (var, term)).collect();
                let term = store.substitute(term, &map);
                if is_open && store.free_vars(&[term]).iter().all(|var| known.contains(var)) {
                    found.insert(var, term);
                    break;
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The choice of what is solved and picked; none if it can never be taken.
fn chosen(
    flow: &Flow,
    store: &mut Store,
    transition: usize,
    solved: &BTreeMap<TermId, TermId>,
    pick: &BTreeMap<TermId, TermId>,
) -> Option<Choice> {
    let value = |var: &TermId| solved.get(var).or_else(|| pick.get(var)).copied();
    let next = flow.next.iter().map(value).collect::<Option<Vec<TermId>>>()?;
    let inputs = flow.transitions[transition].inputs.iter().map(value);
    let inputs = inputs.collect::<Option<Vec<TermId>>>()?;
    let mut choice = Choice { when: TermId::TRUE, transition, next, inputs };
    let when = taken(flow, &choice, store);
    choice.when = simplify(store, when, &[], None);
    (choice.when != TermId::FALSE).then_some(choice)
}
