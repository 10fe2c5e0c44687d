//! Labels that have what is wanted of them, found by engines.
//!
//! Runs from the wanted states stay where they should, which engines for clauses show (`always`), and come to an
//! end there, which ranks show. Where one step is enough, a strategy says which is taken, and all steps of the
//! strategy must do.

use super::label::{Labeller, Sets};
use crate::always::always;
use crate::rank::{Still, ranked};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::{Choice, Level, Measure, Ranking};
use alphorn_problem::flow::{LocId, Start, Transition};
use alphorn_problem::obligation::flow::{moved, on_cycles};
use alphorn_problem::obligation::temporal::{fairly_on_cycles, unfairly_on_cycles};
use alphorn_problem::temporal::{Ends, Node, NodeId, Runs};
use alphorn_problem::{Flow, Span};
use alphorn_term::{Store, TermId};

/// The most strategies that are tried for an operator.
const MAX_STRATEGIES: usize = 24;
/// The ticks for each question to other engines.
const QUESTION_TICKS: u64 = 400_000;

/// Steps that are all taken, or all may be.
struct Way {
    steps: Vec<Transition>,
    /// The choices that they are, or that show that there is a step.
    choices: Vec<Choice>,
    /// Whether there must be a step before what is to come has come.
    must_go: bool,
}

impl Labeller<'_> {
    /// Looks for a label that has the wanted states; says whether one was found.
    pub(super) fn by_search(
        &mut self,
        node: NodeId,
        runs: Runs,
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if runs == Runs::All {
            let steps = self.flow().transitions.clone();
            let is_until = matches!(self.nodes[node], Node::Until(..));
            let must_go = is_until && self.problem.ends == Ends::Stutter;
            let choices = if must_go { self.choices.clone() } else { Vec::new() };
            return self.search(node, Way { steps, choices, must_go }, wanted, ctx);
        }
        for choices in self.strategies() {
            let steps = choices.iter().map(|choice| self.step_of(choice)).collect();
            if self.search(node, Way { steps, choices, must_go: true }, wanted, ctx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A choice as a transition.
    fn step_of(&mut self, choice: &Choice) -> Transition {
        let flow = self.flow();
        let step = &flow.transitions[choice.transition];
        let mut parts = vec![choice.when];
        for (&next, &value) in flow.next.iter().zip(&choice.next) {
            parts.push(self.store.eq(next, value));
        }
        let (formula, inputs) = (self.store.and(&parts), Vec::new());
        Transition { formula, inputs, ..step.clone() }
    }

    /// Ways to choose: at each location one choice is preferred, and the others in order where it cannot be
    /// taken.
    fn strategies(&mut self) -> Vec<Vec<Choice>> {
        let flow = self.flow();
        let mut at: Vec<Vec<Choice>> = vec![Vec::new(); flow.locations.len()];
        for choice in &self.choices {
            at[flow.transitions[choice.transition].from.index()].push(choice.clone());
        }
        // Only where conditions overlap does the order matter.
        let counts: Vec<usize> = at.iter().map(|list| list.len().max(1)).collect();
        let mut strategies = Vec::new();
        let mut preferred = vec![0usize; at.len()];
        'all: while strategies.len() < MAX_STRATEGIES {
            let mut strategy = Vec::new();
            for (list, &first) in at.iter().zip(&preferred) {
                let mut earlier: Vec<TermId> = Vec::new();
                let order = (0..list.len()).map(|index| (first + index) % list.len());
                for index in order {
                    let choice = &list[index];
                    let mut parts = vec![choice.when];
                    parts.extend(&earlier);
                    let when = self.store.and(&parts);
                    let when = self.simple(when);
                    let not = self.store.not(choice.when);
                    earlier.push(not);
                    if when != TermId::FALSE {
                        strategy.push(Choice { when, ..choice.clone() });
                    }
                }
            }
            if !strategies.contains(&strategy) {
                strategies.push(strategy);
            }
            for (digit, &count) in preferred.iter_mut().zip(&counts) {
                *digit += 1;
                if *digit < count {
                    continue 'all;
                }
                *digit = 0;
            }
            break;
        }
        strategies
    }

    /// Looks for a label in which these steps, all of them, stay where they should, and end there.
    fn search(
        &mut self,
        node: NodeId,
        Way { steps, choices, must_go }: Way,
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let flow = self.flow();
        let (is_until, a, b) = match self.nodes[node] {
            Node::Until(_, a, b) => (true, a, b),
            Node::Weak(_, a, b) => (false, a, b),
            _ => return Ok(false),
        };
        let (first, last) = (self.labels[a].sets.clone(), self.labels[b].sets.clone());
        let not_last: Sets = last.iter().map(|&set| self.store.not(set)).collect();
        let goes = self.can_go(&choices);
        let mut never = Vec::new();
        for at in flow.location_ids() {
            let mut parts = vec![first[at.index()]];
            if must_go {
                parts.push(goes[at.index()]);
            }
            let on = self.store.and(&parts);
            let allowed = self.store.or(&[last[at.index()], on]);
            never.push((at, self.store.not(allowed)));
        }
        let starts = flow.location_ids().filter(|at| wanted[at.index()] != TermId::FALSE);
        let starts: Vec<LocId> = starts.collect();
        let starts: Vec<Start> = starts
            .into_iter()
            .map(|at| {
                let formula = self.store.and(&[wanted[at.index()], not_last[at.index()]]);
                Start { at, formula, inputs: Vec::new(), span: Span::NONE }
            })
            .collect();
        let transitions: Vec<Transition> = steps
            .into_iter()
            .map(|step| {
                let after =
                    moved(not_last[step.to.index()], &flow.vars, &flow.next, &mut self.store);
                let parts = [step.formula, not_last[step.from.index()], after];
                Transition { formula: self.store.and(&parts), ..step }
            })
            .collect();
        let mut small = Flow { terms: Store::new(), starts, transitions, ..flow.clone() };
        small.terms = self.store.clone();
        let Some((terms, held)) = always(&small, &never, QUESTION_TICKS, ctx)? else {
            return Ok(false);
        };
        self.store = terms;
        let mut sets: Sets = Vec::with_capacity(held.len());
        let mut levels = Vec::new();
        let mut invariants = held;
        if is_until
            || self.problem.fairness.is_some()
                && !matches!(self.nodes[node], Node::Weak(Runs::All, ..))
        {
            // What is known already helps to rank.
            for step in &mut small.transitions {
                let parts = [step.formula, invariants[step.from.index()]];
                step.formula = self.store.and(&parts);
            }
            small.terms = self.store.clone();
            let Some((terms, more, found)) = self.ranked(node, small, ctx)? else {
                return Ok(false);
            };
            self.store = terms;
            for (old, new) in invariants.iter_mut().zip(more) {
                *old = self.store.and(&[*old, new]);
            }
            levels = found;
        }
        for (at, invariant) in invariants.into_iter().enumerate() {
            let any = self.store.or(&[last[at], invariant]);
            sets.push(self.simple(any));
        }
        let label = &mut self.labels[node];
        (label.sets, label.choices, label.levels) = (sets, choices, levels);
        Ok(true)
    }

    /// Ranks of a flow, with what always holds; under fairness of its steps as three edges each.
    fn ranked(
        &mut self,
        node: NodeId,
        mut small: Flow,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Store, Sets, Vec<Level>)>, Stop> {
        let mut still: Still = on_cycles;
        if let Some(fairness) = &self.problem.fairness {
            let mut parts = Vec::with_capacity(3 * small.transitions.len());
            for step in &small.transitions {
                let at = step.from.index();
                let (often, then) = (fairness.often[at], fairness.then[at]);
                let (not_often, not_then) = (self.store.not(often), self.store.not(then));
                for kind in [vec![then], vec![often, not_then], vec![not_often, not_then]] {
                    let all = [&kind[..], &[step.formula]].concat();
                    parts.push(Transition { formula: self.store.and(&all), ..step.clone() });
                }
            }
            small.transitions = parts;
            still = match self.nodes[node] {
                Node::Until(Runs::All, ..) => fairly_on_cycles,
                Node::Weak(..) => unfairly_on_cycles,
                _ => on_cycles,
            };
        }
        small.terms = self.store.clone();
        let found = ctx.within(QUESTION_TICKS, |ctx| ctx.apart(|ctx| ranked(&small, still, ctx)));
        ctx.tick(1)?;
        Ok(match found {
            Ok(Ranking { terms, invariants, measure: Measure::Levels(levels) }) => {
                Some((terms, invariants, levels))
            }
            _ => None,
        })
    }
}
