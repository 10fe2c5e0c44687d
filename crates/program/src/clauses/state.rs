//! What is known on the way from one place to the next, and the clauses that end the way.
//!
//! A state has, for every variable, the term that is its value, over the values at the beginning of the way
//! and those that were chosen since; and the formulas that hold on the way, the atom of its beginning first.

use super::story::{Event, Story, What};
use super::{Argument, Maker, Plan};
use crate::form::{Action, BlockId, ProcId, VarId};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Substitution, TermId};

/// A way so far.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The atom of the place where it begins.
    pub spine: Option<TermId>,
    /// What holds, the spine among it.
    pub holds: Vec<TermId>,
    /// Values of variables that are not the variables' own terms.
    pub values: Substitution,
    /// What has happened.
    pub events: Vec<Event>,
}

impl Maker<'_> {
    /// The state at the beginning of a procedure.
    pub(super) fn at_entry(&mut self, proc: ProcId, plan: &Plan) -> State {
        let mut state = State::default();
        for (&var, &term) in &plan.before {
            let own = self.program.term(var);
            if own != term {
                state.values.insert(own, term);
            }
        }
        if let Some(context) = plan.context {
            let args: Vec<TermId> = self.given(proc).map(|var| plan.before[&var]).collect();
            self.begin(&mut state, context, &args);
        }
        if self.program.entry == Some(proc) && plan.summary.is_none() {
            state.holds.extend(self.program.start);
        }
        state
    }

    /// The clause that the program begins in a procedure that is called as well.
    pub(super) fn start(&mut self, proc: ProcId, plan: &Plan) {
        if let Some(context) = plan.context {
            let args = self.given(proc).map(|var| self.program.term(var)).collect();
            let holds = self.program.start.into_iter().collect();
            let state = State { holds, ..State::default() };
            self.clause(&state, &[], Head::Atom(context, args), self.program.proc(proc).span);
        }
    }

    /// The state at a head: every variable is what it is.
    pub(super) fn at_head(&mut self, plan: &Plan, _block: BlockId, head: PredId) -> State {
        let mut state = State::default();
        let args = self.args(plan, head, &state);
        self.begin(&mut state, head, &args);
        state
    }

    fn begin(&mut self, state: &mut State, pred: PredId, args: &[TermId]) {
        let atom = self.atom(pred, args);
        state.spine = Some(atom);
        state.holds.push(atom);
    }

    pub(super) fn atom(&mut self, pred: PredId, args: &[TermId]) -> TermId {
        let func = self.horn.pred(pred).func;
        self.horn.terms.mk(Op::Apply(func), args)
    }

    /// The arguments that a predicate gets in a state of its procedure.
    pub(super) fn args(&mut self, plan: &Plan, pred: PredId, state: &State) -> Vec<TermId> {
        let args = self.spots[pred.index()].args.clone();
        args.into_iter()
            .map(|arg| match arg {
                Argument::Before(var) => plan.before[&var],
                Argument::Now(var) => self.value(state, var),
            })
            .collect()
    }

    /// The value of a variable.
    pub(super) fn value(&self, state: &State, var: VarId) -> TermId {
        let own = self.program.term(var);
        state.values.get(&own).copied().unwrap_or(own)
    }

    /// Formulas about variables as formulas about their values.
    pub(super) fn said(&mut self, state: &State, formulas: &[TermId]) -> Vec<TermId> {
        let vars = self.horn.terms.free_vars(formulas);
        let map: Substitution =
            vars.into_iter().filter_map(|var| Some((var, *state.values.get(&var)?))).collect();
        self.horn.terms.substitute_all(formulas, &map)
    }

    /// Gives a variable any value; returns it.
    pub(super) fn choose(&mut self, state: &mut State, var: VarId) -> TermId {
        let own = self.program.var(var);
        let (name, sort, term) = (own.name.clone(), own.sort, own.term);
        let fresh = self.horn.terms.fresh_var(&name, sort);
        state.values.insert(term, fresh);
        fresh
    }

    /// Does a step that neither checks nor calls; what it demands is returned.
    pub(super) fn step(&mut self, state: &mut State, action: &Action) -> Option<TermId> {
        match action {
            Action::Assign(pairs) => {
                let sources: Vec<TermId> = pairs.iter().map(|(_, value)| *value).collect();
                let values = self.said(state, &sources);
                for ((var, _), value) in pairs.iter().zip(values) {
                    state.values.insert(self.program.term(*var), value);
                }
                None
            }
            Action::Havoc(vars) => {
                for &var in vars {
                    self.choose(state, var);
                }
                None
            }
            Action::Relate(pairs, formula) => {
                let mut both = state.clone();
                for &(var, next) in pairs {
                    let fresh = self.choose(state, var);
                    both.values.insert(next, fresh);
                }
                Some(self.said(&both, &[*formula])[0])
            }
            Action::Assume(formula) => Some(self.said(state, &[*formula])[0]),
            Action::Observe(observation) => {
                let terms = self.said(state, &observation.terms());
                let what = What::Observe(observation.with_terms(&terms));
                state.events.push(Event { guard: None, what });
                None
            }
            Action::Check(_) | Action::Call { .. } | Action::Thread(_) => {
                unreachable!(
                    "checks and calls are for those who know the way, and threads are woven"
                )
            }
        }
    }

    /// Calls a procedure: its context atom, if it has a context, and its summary's.
    pub(super) fn call(
        &mut self,
        state: &mut State,
        callee: ProcId,
        args: &[TermId],
        results: &[VarId],
    ) -> (Option<(PredId, Vec<TermId>)>, TermId) {
        let mut given = self.said(state, args);
        let globals = self.calls.mentions[callee.0 as usize].clone();
        given.extend(globals.into_iter().map(|var| self.value(state, var)));
        let (context, summary) = self.preds_of(callee);
        let mut all = given.clone();
        let changed: Vec<VarId> = self.calls.changes[callee.0 as usize].iter().copied().collect();
        let outputs = self.program.proc(callee).outputs.clone();
        let values: Vec<TermId> = outputs
            .iter()
            .map(|&output| {
                let own = self.program.var(output);
                let (name, sort) = (own.name.clone(), own.sort);
                self.horn.terms.fresh_var(&name, sort)
            })
            .collect();
        all.extend(&values);
        all.extend(changed.iter().map(|&var| self.choose(state, var)));
        for (&var, &value) in results.iter().zip(&values) {
            state.values.insert(self.program.term(var), value);
        }
        let atom = self.atom(summary, &all);
        (context.map(|context| (context, given)), atom)
    }

    /// The predicates of a procedure that is called.
    fn preds_of(&self, proc: ProcId) -> (Option<PredId>, PredId) {
        let (mut context, mut summary) = (None, None);
        for (index, spot) in self.spots.iter().enumerate() {
            match spot.site {
                super::Site::Context(other) if other == proc => context = Some(index),
                super::Site::Summary(other) if other == proc => summary = Some(index),
                _ => {}
            }
        }
        let pred = |index: usize| PredId(index as u32);
        (context.map(pred), pred(summary.expect("a called procedure has a summary")))
    }

    /// The clause that a way to a head ends with.
    pub(super) fn reach_head(&mut self, plan: &Plan, state: &State, block: BlockId, span: Span) {
        let head = plan.heads[&block];
        let args = self.args(plan, head, state);
        self.clause(state, &[], Head::Atom(head, args), span);
        self.effect(plan, state, Some(block), span);
    }

    /// The clause that somebody else asks for at a place.
    pub(super) fn pass_mark(&mut self, plan: &Plan, state: &State, block: BlockId, span: Span) {
        if let Some(&mark) = plan.marks.get(&block) {
            let args = self.args(plan, mark, state);
            self.clause(state, &[], Head::Atom(mark, args), span);
        }
    }

    /// The clause that a way to a return ends with; the run of the whole program just ends.
    pub(super) fn reach_return(&mut self, plan: &Plan, state: &State, span: Span) {
        self.effect(plan, state, None, span);
        if let Some(summary) = plan.summary {
            let args = self.args(plan, summary, state);
            self.clause(state, &[], Head::Atom(summary, args), span);
        }
    }

    /// Adds a clause: what holds in a state, and these formulas, imply the head.
    pub(super) fn clause(&mut self, state: &State, and: &[TermId], head: Head, span: Span) {
        let parts: Vec<TermId> = state.holds.iter().chain(and).copied().collect();
        let body = self.horn.terms.and(&parts);
        if body == self.horn.terms.bool(false) {
            return;
        }
        let mut all = vec![body];
        if let Head::Atom(_, args) = &head {
            all.extend(args);
        }
        let vars = self.horn.terms.free_vars(&all);
        self.horn.clauses.push(Clause { vars, body, head, name: None, span });
        self.stories.push(Story { spine: state.spine, events: state.events.clone() });
    }
}
