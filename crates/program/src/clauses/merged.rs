//! One clause for many paths.
//!
//! Blocks are visited in an order in which all ways to a block come before it. Each has the condition
//! under which a run gets there, and for every variable a value that branches on conditions where ways
//! meet. What holds on one way only (the summary of a call there) is demanded under its condition.

use super::state::State;
use super::story::{Event, What};
use super::{Maker, Plan};
use crate::form::{Action, BlockId, Jump, ProcId};
use alphorn_problem::Span;
use alphorn_problem::horn::Head;
use alphorn_term::{SortId, Substitution, TermId};
use std::collections::BTreeMap;

/// What is demanded, or happens, on some ways.
enum Item {
    Demand(TermId),
    Event(Event),
}

/// What is known where a block begins.
#[derive(Clone)]
struct Arrival {
    /// When runs get there.
    condition: TermId,
    values: Substitution,
    /// What was demanded and happened on ways to it, in order.
    items: Vec<usize>,
}

/// A stretch of program between places.
struct Stretch {
    begin: State,
    items: Vec<Item>,
    arrivals: BTreeMap<BlockId, Arrival>,
    /// Conditions under which checks fail, and what leads there.
    failures: Vec<(TermId, Vec<usize>)>,
}

impl Maker<'_> {
    /// Makes clauses for all ways from a block, each to one end.
    pub(super) fn merged(&mut self, proc: ProcId, plan: &Plan, block: BlockId, begin: State) {
        let yes = self.horn.terms.bool(true);
        let mut stretch = Stretch {
            arrivals: BTreeMap::new(),
            items: Vec::new(),
            failures: Vec::new(),
            begin: State { values: Substitution::default(), ..begin.clone() },
        };
        let arrival = Arrival { condition: yes, values: begin.values, items: Vec::new() };
        stretch.arrivals.insert(block, arrival);
        let start = plan.flow.order.iter().position(|&other| other == block).unwrap_or(0);
        for &at in &plan.flow.order[start..] {
            let Some(arrival) = stretch.arrivals.remove(&at) else { continue };
            self.pass(proc, plan, &mut stretch, at, arrival);
        }
        self.failure(&stretch);
    }

    /// Passes a block and arrives at the next ones.
    fn pass(
        &mut self,
        proc: ProcId,
        plan: &Plan,
        stretch: &mut Stretch,
        at: BlockId,
        mut arrival: Arrival,
    ) {
        let program = self.program;
        let block = &program.proc(proc).blocks[at.0 as usize];
        if plan.marks.contains_key(&at) {
            let state = self.end(stretch, &arrival);
            self.pass_mark(plan, &state, at, block.span);
        }
        for step in &block.steps {
            self.do_step(stretch, &mut arrival, &step.action, step.span);
        }
        match &block.jump {
            Jump::Goto(target) => self.arrive(plan, stretch, *target, arrival, block.span),
            Jump::Branch(formula, yes, no) => {
                let formula = self.said(&arrival.state(), &[*formula])[0];
                let negated = self.horn.terms.not(formula);
                for (target, formula) in [(*yes, formula), (*no, negated)] {
                    let mut next = arrival.clone();
                    next.condition = self.horn.terms.and(&[next.condition, formula]);
                    self.arrive(plan, stretch, target, next, block.span);
                }
            }
            Jump::Choose(targets) => {
                let pick = self.horn.terms.fresh_var("pick", SortId::INT);
                for (number, &target) in targets.iter().enumerate() {
                    let number = self.horn.terms.int(number as i64);
                    let picked = self.horn.terms.eq(pick, number);
                    let mut next = arrival.clone();
                    next.condition = self.horn.terms.and(&[next.condition, picked]);
                    self.arrive(plan, stretch, target, next, block.span);
                }
            }
            Jump::Return => {
                let state = self.end(stretch, &arrival);
                self.reach_return(plan, &state, block.span);
            }
        }
    }

    /// Does a step under the condition of its block.
    fn do_step(
        &mut self,
        stretch: &mut Stretch,
        arrival: &mut Arrival,
        action: &Action,
        span: Span,
    ) {
        let mut state = arrival.state();
        match action {
            Action::Check(check) => {
                let formula = self.said(&state, &[check.formula])[0];
                let failed = self.horn.terms.not(formula);
                let failed = self.horn.terms.and(&[arrival.condition, failed]);
                stretch.failures.push((failed, arrival.items.clone()));
                arrival.condition = self.horn.terms.and(&[arrival.condition, formula]);
            }
            Action::Call { proc, args, results } => {
                let before = self.end(stretch, arrival);
                let (context, atom) = self.call(&mut state, *proc, args, results);
                if let Some((context, given)) = context {
                    self.clause(&before, &[], Head::Atom(context, given), span);
                }
                let demand = self.horn.terms.implies(arrival.condition, atom);
                arrival.note(stretch, Item::Demand(demand));
                let event = Event { guard: Some(arrival.condition), what: What::Call(atom) };
                arrival.note(stretch, Item::Event(event));
            }
            Action::Relate(..) => {
                let formula = self.step(&mut state, action);
                let formula = formula.expect("a relation demands something");
                arrival.condition = self.horn.terms.and(&[arrival.condition, formula]);
            }
            _ => {
                if let Some(formula) = self.step(&mut state, action) {
                    arrival.condition = self.horn.terms.and(&[arrival.condition, formula]);
                }
                for event in std::mem::take(&mut state.events) {
                    let event = Event { guard: Some(arrival.condition), ..event };
                    arrival.note(stretch, Item::Event(event));
                }
            }
        }
        arrival.values = state.values;
    }

    /// Comes to a block, where other ways may have come.
    fn arrive(
        &mut self,
        plan: &Plan,
        stretch: &mut Stretch,
        target: BlockId,
        arrival: Arrival,
        span: Span,
    ) {
        if arrival.condition == self.horn.terms.bool(false) {
            return;
        }
        if plan.flow.is_cut[target.0 as usize] {
            let state = self.end(stretch, &arrival);
            self.reach_head(plan, &state, target, span);
            return;
        }
        let Some(mut other) = stretch.arrivals.remove(&target) else {
            stretch.arrivals.insert(target, arrival);
            return;
        };
        for &var in &plan.flow.live[target.0 as usize] {
            let own = self.program.term(var);
            let here = arrival.values.get(&own).copied().unwrap_or(own);
            let there = other.values.get(&own).copied().unwrap_or(own);
            if here != there {
                let value = self.horn.terms.ite(arrival.condition, here, there);
                other.values.insert(own, value);
            }
        }
        other.condition = self.horn.terms.or(&[other.condition, arrival.condition]);
        other.items.extend(arrival.items);
        other.items.sort_unstable();
        other.items.dedup();
        stretch.arrivals.insert(target, other);
    }

    /// The state at the end of a way, for a clause.
    fn end(&mut self, stretch: &Stretch, arrival: &Arrival) -> State {
        let mut state = State { values: arrival.values.clone(), ..stretch.begin.clone() };
        state.holds.push(arrival.condition);
        take(&stretch.items, &arrival.items, &mut state);
        state
    }

    /// The query that a check fails on one of the ways.
    fn failure(&mut self, stretch: &Stretch) {
        let no = self.horn.terms.bool(false);
        let failures: Vec<_> = stretch.failures.iter().filter(|(fails, _)| *fails != no).collect();
        if failures.is_empty() {
            return;
        }
        let mut state = stretch.begin.clone();
        let mut items: Vec<usize> = failures.iter().flat_map(|(_, items)| items.clone()).collect();
        items.sort_unstable();
        items.dedup();
        take(&stretch.items, &items, &mut state);
        let fails: Vec<TermId> = failures.iter().map(|(fails, _)| *fails).collect();
        let fails = self.horn.terms.or(&fails);
        self.clause(&state, &[fails], Head::False, Span::NONE);
    }
}

/// Adds what was demanded and happened to a state.
fn take(items: &[Item], which: &[usize], state: &mut State) {
    for &index in which {
        match &items[index] {
            Item::Demand(formula) => state.holds.push(*formula),
            Item::Event(event) => state.events.push(event.clone()),
        }
    }
}

impl Arrival {
    /// The values as a state; what holds is not in it.
    fn state(&self) -> State {
        State { values: self.values.clone(), ..State::default() }
    }

    fn note(&mut self, stretch: &mut Stretch, item: Item) {
        self.items.push(stretch.items.len());
        stretch.items.push(item);
    }
}
