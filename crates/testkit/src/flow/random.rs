//! Random flows that are small enough for brute force.

use crate::Rng;
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_term::{SortId, Store, TermId};

/// The smallest and the largest number that bounded variables have.
pub const DOMAIN: std::ops::RangeInclusive<i64> = -1..=2;

/// A flow before its variables are kept within the domain.
#[derive(Clone, Debug)]
pub struct Small {
    /// Without bounds.
    pub open: Flow,
}

impl Small {
    /// The flow whose starts and steps, inputs included, keep numbers within the domain.
    pub fn bounded(&self) -> Flow {
        let mut flow = self.open.clone();
        let (vars, next) = (flow.vars.clone(), flow.next.clone());
        for start in &mut flow.starts {
            let all = [&vars[..], &start.inputs].concat();
            start.formula = within(&mut flow.terms, start.formula, &all);
        }
        for step in &mut flow.transitions {
            let all = [&vars[..], &next, &step.inputs].concat();
            step.formula = within(&mut flow.terms, step.formula, &all);
        }
        flow
    }
}

/// A formula, and that numbers are of the domain.
fn within(store: &mut Store, formula: TermId, vars: &[TermId]) -> TermId {
    let mut all = vec![formula];
    for &var in vars {
        let sort = store.sort(var);
        if sort == SortId::INT {
            let (low, high) = (store.int(*DOMAIN.start()), store.int(*DOMAIN.end()));
            all.extend([store.le(low, var), store.le(var, high)]);
        } else if sort == SortId::REAL {
            // Only so many, or there would be no end to them.
            let mut either = Vec::new();
            for value in DOMAIN {
                let value = store.number(sort, &value.into());
                either.push(store.eq(var, value));
            }
            all.push(store.or(&either));
        }
    }
    store.and(&all)
}

/// A flow with up to three locations and variables, of integers, truth values and sometimes reals.
pub fn random_flow(rng: &mut Rng) -> Small {
    let mut terms = Store::new();
    let sorts: Vec<SortId> = (0..1 + rng.below(3usize))
        .map(|_| match rng.below(8u32) {
            0 => SortId::REAL,
            1 | 2 => SortId::BOOL,
            _ => SortId::INT,
        })
        .collect();
    let names = ["x", "y", "z"];
    let vars: Vec<TermId> =
        sorts.iter().zip(names).map(|(&sort, name)| terms.var(name, sort)).collect();
    let mut open = Flow::new(terms, &vars);
    let count = 1 + rng.below(3u32);
    for position in 0..count {
        open.add_location(&format!("l{position}"), Span::NONE);
    }
    for _ in 0..1 + rng.below(2usize) {
        let formula = guards(rng, &mut open.terms, &vars);
        let at = LocId(rng.below(count));
        open.starts.push(Start { at, formula, inputs: Vec::new(), span: Span::NONE });
    }
    for _ in 0..1 + rng.below(4usize) {
        let step = transition(rng, &mut open, count);
        open.transitions.push(step);
    }
    Small { open }
}

fn transition(rng: &mut Rng, flow: &mut Flow, count: u32) -> Transition {
    let (vars, next) = (flow.vars.clone(), flow.next.clone());
    let store = &mut flow.terms;
    let mut inputs = Vec::new();
    let mut parts = vec![guards(rng, store, &vars)];
    for (&var, &after) in vars.iter().zip(&next) {
        parts.push(update(rng, store, &vars, var, after, &mut inputs));
    }
    let formula = store.and(&parts);
    let (from, to) = (LocId(rng.below(count)), LocId(rng.below(count)));
    Transition { from, to, formula, inputs, name: None, span: Span::NONE }
}

fn guards(rng: &mut Rng, store: &mut Store, vars: &[TermId]) -> TermId {
    let mut all = Vec::new();
    for _ in 0..rng.below(3usize) {
        let first = guard(rng, store, vars);
        all.push(match rng.one_in(5u32) {
            true => {
                let second = guard(rng, store, vars);
                store.or(&[first, second])
            }
            false => first,
        });
    }
    store.and(&all)
}

fn guard(rng: &mut Rng, store: &mut Store, vars: &[TermId]) -> TermId {
    let var = rng.pick(vars);
    let formula = if store.sort(var) == SortId::BOOL {
        var
    } else {
        let sort = store.sort(var);
        let other = number(rng, store, vars, sort);
        match rng.below(4u32) {
            0 => store.eq(var, other),
            1 => store.lt(var, other),
            2 => store.ge(var, other),
            _ => store.le(var, other),
        }
    };
    if rng.one_in(3u32) { store.not(formula) } else { formula }
}

/// A number: a constant, a variable of the sort plus a constant, or times one.
fn number(rng: &mut Rng, store: &mut Store, vars: &[TermId], sort: SortId) -> TermId {
    let constant = store.number(sort, &rng.between(-2, 3).into());
    let same: Vec<TermId> = vars.iter().copied().filter(|&v| store.sort(v) == sort).collect();
    if same.is_empty() {
        return constant;
    }
    let var = rng.pick(&same);
    match rng.below(6u32) {
        0 | 1 => constant,
        2 => store.mul(&[constant, var]),
        3 => {
            let other = rng.pick(&same);
            store.add(&[var, other])
        }
        _ => store.add(&[var, constant]),
    }
}

/// What a variable becomes.
fn update(
    rng: &mut Rng,
    store: &mut Store,
    vars: &[TermId],
    var: TermId,
    after: TermId,
    inputs: &mut Vec<TermId>,
) -> TermId {
    let sort = store.sort(var);
    if sort == SortId::BOOL {
        let value = match rng.below(8u32) {
            0 => return TermId::TRUE,
            1 => store.not(var),
            2 => store.bool(rng.one_in(2u32)),
            3 => guard(rng, store, vars),
            _ => var,
        };
        return store.eq(after, value);
    }
    match rng.below(20u32) {
        0 | 1 => TermId::TRUE,
        2 => {
            let bound = number(rng, store, vars, sort);
            if rng.one_in(2u32) { store.lt(after, bound) } else { store.ge(after, bound) }
        }
        3 => {
            let input = store.fresh_var("i", sort);
            inputs.push(input);
            let value = store.add(&[var, input]);
            let condition = guard(rng, store, &[input]);
            let equation = store.eq(after, value);
            store.and(&[condition, equation])
        }
        4..=6 => {
            let value = number(rng, store, vars, sort);
            store.eq(after, value)
        }
        7..=13 => {
            let change = store.number(sort, &rng.pick(&[-1i64, -1, 1, 1, -2, 2]).into());
            let value = store.add(&[var, change]);
            store.eq(after, value)
        }
        _ => store.eq(after, var),
    }
}
