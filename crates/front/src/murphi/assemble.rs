//! The parts of a model put together: states, properties, what is asked.

use super::system::{AskedResponse, Instance, Parts};
use alphorn_problem::Span;
use alphorn_problem::response::{Fair, Response, unused};
use alphorn_problem::words::{Named, State, Words};
use alphorn_term::{Bv, SortId, Store, TermId};

/// A system in the making.
struct Assembly {
    store: Store,
    /// The input that says which rule is tried, and how many bits it has.
    rule: TermId,
    width: u32,
    /// The state that says whether the model has started, if there is one.
    started: Option<TermId>,
    is_started: TermId,
}

/// Puts a system together whose states are `vars`.
pub(super) fn assemble(
    mut store: Store,
    vars: &[TermId],
    parts: Parts,
    asked: Option<AskedResponse>,
) -> Words {
    let Parts { steps, starts, invariants, homes, assumptions, wrong } = parts;
    let (yes, no) = (store.bool(true), store.bool(false));
    let is_plain = |start: &Instance| {
        start.wrong == no && start.changes.iter().all(|(_, code)| store.is_literal(*code))
    };
    let is_one = starts.len() == 1 && is_plain(&starts[0]);
    // Of runs in which something may be led to, it may be that nothing happens: a number is no rule's.
    let count = steps.len().max(starts.len()) + usize::from(asked.is_some());
    let width = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1);
    let sort = store.bv_sort(width);
    let rule = store.var("rule", sort);
    let started = (!is_one).then(|| unused(&mut store, "started", SortId::BOOL));
    let is_started = started.unwrap_or(yes);
    let mut assembly = Assembly { store, rule, width, started, is_started };
    let (states, error) = assembly.states(vars, &steps, &starts, wrong);
    let mut bads: Vec<Named> = Vec::new();
    for (position, (name, holds, span)) in invariants.into_iter().enumerate() {
        let fails = assembly.store.not(holds);
        let name = name.unwrap_or_else(|| format!("invariant {}", position + 1));
        bads.push(Named { term: assembly.when_started(fails), name: Some(name), span });
    }
    bads.push(Named { term: error, name: Some("error".to_owned()), span: Span::NONE });
    let enabled: Vec<TermId> = steps.iter().map(|step| step.guard).collect();
    let any = assembly.store.or(&enabled);
    let none = assembly.store.not(any);
    let term = assembly.when_started(none);
    bads.push(Named { term, name: Some("deadlock".to_owned()), span: Span::NONE });
    let mut constraints = Vec::new();
    for (holds, span) in assumptions {
        let waits = assembly.store.not(is_started);
        constraints.push(Named { term: assembly.store.or(&[waits, holds]), name: None, span });
    }
    let mut homes: Vec<Named> = homes
        .into_iter()
        .map(|(name, holds, span)| {
            // The state before the start, to which nothing leads back, does not count.
            let waits = assembly.store.not(is_started);
            Named { term: assembly.store.or(&[waits, holds]), name: Some(name), span }
        })
        .collect();
    if asked.is_some() {
        homes.clear();
    }
    let response = asked.map(|asked| assembly.response(asked, &steps));
    let (terms, inputs) = (assembly.store, vec![rule]);
    let mut words = Words { terms, inputs, states, bads, constraints, homes, ..Words::default() };
    if let Some(response) = response {
        response.ask(&mut words);
    }
    words
}

impl Assembly {
    fn when_started(&mut self, formula: TermId) -> TermId {
        self.store.and(&[self.is_started, formula])
    }

    /// Whether the rule or start state with this number is tried.
    fn is_tried(&mut self, number: usize) -> TermId {
        let number = self.store.bv(Bv::from_u64(self.width, number as u64));
        self.store.eq(self.rule, number)
    }

    /// All states with how they begin and go on, and when something goes wrong.
    fn states(
        &mut self,
        vars: &[TermId],
        steps: &[Instance],
        starts: &[Instance],
        wrong: Vec<TermId>,
    ) -> (Vec<State>, TermId) {
        let mut nexts = vars.to_vec();
        let mut errors = wrong;
        for (number, step) in steps.iter().enumerate() {
            let is_tried = self.is_tried(number);
            let is_used = self.store.and(&[is_tried, step.guard]);
            for (slot, code) in &step.changes {
                nexts[*slot] = self.store.ite(is_used, *code, nexts[*slot]);
            }
            errors.push(self.store.and(&[is_tried, step.wrong]));
        }
        let any = self.store.or(&errors);
        let mut error = self.when_started(any);
        let mut states = Vec::new();
        if let Some(started) = self.started {
            let (mut chosen, mut failed) = (vec![started], vec![]);
            for (number, start) in starts.iter().enumerate() {
                let is_tried = self.is_tried(number);
                chosen.push(is_tried);
                failed.push(self.store.and(&[is_tried, start.wrong]));
            }
            let (init, next) = (Some(self.store.bool(false)), Some(self.store.or(&chosen)));
            states.push(State { var: started, init, next, span: Span::NONE });
            let failed = self.store.or(&failed);
            error = self.store.ite(started, error, failed);
        }
        for (slot, (&var, next)) in vars.iter().zip(nexts).enumerate() {
            let (init, next) = self.begun(slot, var, next, starts);
            states.push(State { var, init: Some(init), next: Some(next), span: Span::NONE });
        }
        (states, error)
    }

    /// What a slot is first, and what it is next if it is `next` once the model has started.
    fn begun(
        &mut self,
        slot: usize,
        var: TermId,
        next: TermId,
        starts: &[Instance],
    ) -> (TermId, TermId) {
        let undefined = self.store.bv(Bv::from_u64(self.store.width(var), 0));
        let of_start = |start: &Instance| {
            start.changes.iter().find(|(at, _)| *at == slot).map_or(undefined, |(_, code)| *code)
        };
        if self.started.is_none() {
            return (of_start(&starts[0]), next);
        }
        let mut first = var;
        for (number, start) in starts.iter().enumerate() {
            let is_tried = self.is_tried(number);
            first = self.store.ite(is_tried, of_start(start), first);
        }
        (undefined, self.store.ite(self.is_started, next, first))
    }

    fn response(&mut self, asked: AskedResponse, steps: &[Instance]) -> Response {
        let (from, to) = (self.when_started(asked.from), self.when_started(asked.to));
        let mut fair = Vec::new();
        for (is_strong, number) in asked.fair {
            let enabled = self.when_started(steps[number].guard);
            let is_tried = self.is_tried(number);
            let taken = self.store.and(&[is_tried, enabled]);
            fair.push(Fair { is_strong, enabled, taken });
        }
        Response { from, to, fair }
    }
}
