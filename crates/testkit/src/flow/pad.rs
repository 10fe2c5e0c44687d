//! Flows with things that do not matter to whether their runs end, for transforms to take away.

use crate::Rng;
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_term::{SortId, Substitution, TermId};

/// A flow whose runs end exactly if those of the given one do: with variables that no guard reads, locations
/// that are passed through, cycles that no run comes to, and ends that lead nowhere.
pub fn padded(flow: &Flow, rng: &mut Rng) -> Flow {
    let mut flow = flow.clone();
    if rng.percent(70u32) {
        unread(&mut flow, rng);
    }
    for position in 0..flow.transitions.len() {
        if rng.percent(50u32) {
            passed_through(&mut flow, position, rng);
        }
    }
    if rng.percent(40u32) {
        unreached(&mut flow, rng);
    }
    if rng.percent(40u32) {
        leading_nowhere(&mut flow, rng);
    }
    flow
}

/// Adds a variable that only assignments to itself and to another such one read.
fn unread(flow: &mut Flow, rng: &mut Rng) {
    let names = [("u", "u'"), ("v", "v'")];
    let first = flow.vars.len();
    for (name, next) in names {
        let var = flow.terms.fresh_var(name, SortId::INT);
        flow.vars.push(var);
        let next = flow.terms.fresh_var(next, SortId::INT);
        flow.next.push(next);
    }
    for at in 0..flow.transitions.len() {
        let mut parts = vec![flow.transitions[at].formula];
        for var in first..flow.vars.len() {
            let read = flow.vars[rng.between(first as i64, flow.vars.len() as i64 - 1) as usize];
            let constant = flow.terms.int(rng.between(-1, 2));
            let value = match rng.below(4u32) {
                0 => continue,
                1 => constant,
                2 => {
                    let input = flow.terms.fresh_var("i", SortId::INT);
                    flow.transitions[at].inputs.push(input);
                    flow.terms.add(&[input, read])
                }
                _ => flow.terms.add(&[read, constant]),
            };
            parts.push(flow.terms.eq(flow.next[var], value));
        }
        flow.transitions[at].formula = flow.terms.and(&parts);
    }
    for start in &mut flow.starts {
        if rng.percent(50u32) {
            let constant = flow.terms.int(rng.between(-3, 3));
            let equation = flow.terms.eq(flow.vars[first], constant);
            start.formula = flow.terms.and(&[start.formula, equation]);
        }
    }
}

/// Makes two steps of one: numbers are less by a constant in between.
fn passed_through(flow: &mut Flow, position: usize, rng: &mut Rng) {
    let name = format!("m{}", flow.locations.len());
    let at = flow.add_location(&name, Span::NONE);
    let mut map = Substitution::default();
    let mut parts = Vec::new();
    for (&var, &next) in flow.vars.iter().zip(&flow.next) {
        let shift = if flow.terms.sort(var) == SortId::INT { rng.between(0, 1) } else { 0 };
        let (mut after, mut value) = (next, var);
        if shift != 0 {
            let constant = flow.terms.int(shift);
            after = flow.terms.add(&[next, constant]);
            value = flow.terms.add(&[var, constant]);
        }
        map.extend([(next, after)]);
        parts.push(flow.terms.eq(next, value));
    }
    let formula = flow.terms.and(&parts);
    let step = &mut flow.transitions[position];
    let to = std::mem::replace(&mut step.to, at);
    step.formula = flow.terms.substitute(step.formula, &map);
    flow.transitions.push(between(at, to, formula));
}

fn between(from: LocId, to: LocId, formula: TermId) -> Transition {
    Transition { from, to, formula, inputs: Vec::new(), name: None, span: Span::NONE }
}

/// Adds a cycle from which runs would come to the rest if any came to it.
fn unreached(flow: &mut Flow, rng: &mut Rng) {
    let at = flow.add_location("unreached", Span::NONE);
    flow.transitions.push(between(at, at, TermId::TRUE));
    let to = LocId(rng.below(at.0));
    flow.transitions.insert(0, between(at, to, TermId::TRUE));
}

/// Adds a location where runs end, which sometimes begin there, too.
fn leading_nowhere(flow: &mut Flow, rng: &mut Rng) {
    let at = flow.add_location("end", Span::NONE);
    let from = LocId(rng.below(at.0));
    flow.transitions.insert(0, between(from, at, TermId::TRUE));
    if rng.percent(50u32) {
        let start = Start { at, formula: TermId::TRUE, inputs: Vec::new(), span: Span::NONE };
        flow.starts.insert(0, start);
    }
}
