//! Labels from the inside out: as many states as are found that satisfy a subformula, and why.
//!
//! Conjunction and disjunction are exact. A temporal operator is a fixpoint: its stages are made of steps that
//! lead into the stage before, by elimination where all steps must, by choices where one does; if the stages
//! become stable soon, the label is what they are, and a state's stage is its rank. Where they do not, what is *wanted* of
//! the label is looked for: runs from the wanted states stay where they should (`always`) and come to an end there
//! (`rank`). Where one step is enough, a strategy says which is taken, and all steps of the strategy must do.
//!
//! What is wanted goes from the outside in, and is a hint alone: labels are proved afterwards.

use super::steps;
use crate::always::always;
use crate::rank::{Still, ranked};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::evidence::flow::{Choice, Level, Measure, Ranking};
use alphorn_problem::evidence::temporal::Label;
use alphorn_problem::flow::{LocId, Start, Transition};
use alphorn_problem::obligation::flow::{moved, on_cycles};
use alphorn_problem::obligation::temporal::{fairly_on_cycles, unfairly_on_cycles};
use alphorn_problem::temporal::{Ends, Node, NodeId, Runs, Temporal};
use alphorn_problem::{Flow, Span};
use alphorn_smt::project::{Limits, eliminate, simplify};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// The most stages of a fixpoint besides two for each location, and the largest formulas of one.
const MAX_STAGES: usize = 12;
const MAX_SIZE: usize = 2_000;
/// The most models that an elimination takes.
const MAX_MODELS: usize = 60;
/// The most strategies that are tried for an operator.
const MAX_STRATEGIES: usize = 24;
/// The most parts that wanted states are tried in, and the atoms that tell them apart.
const MAX_PARTS: usize = 12;
const MAX_ATOMS: usize = 16;
/// The ticks for each question to other engines.
const QUESTION_TICKS: u64 = 400_000;

/// Sets of states by location.
pub(super) type Sets = Vec<TermId>;

/// Somebody who finds labels.
pub(super) struct Labeller<'p> {
    problem: &'p Temporal,
    nodes: &'p [Node],
    /// What always holds, for what is wanted.
    facts: Sets,
    /// The steps that may be chosen.
    choices: Vec<Choice>,
    pub(super) store: Store,
    pub(super) labels: Vec<Label>,
    /// From where all steps of a transition lead into a set, by transition and set.
    all_into: BTreeMap<(usize, TermId), TermId>,
    /// Whether one set is within another, as far as it was asked.
    within: BTreeMap<(TermId, TermId), bool>,
}

impl<'p> Labeller<'p> {
    pub(super) fn new(
        problem: &'p Temporal,
        nodes: &'p [Node],
        mut store: Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Labeller<'p>, Stop> {
        let mut atoms: Vec<TermId> = Vec::new();
        for node in nodes {
            if let Node::Atom(formulas) = node {
                atoms.extend(formulas);
            }
        }
        if let Some(fairness) = &problem.fairness {
            atoms.extend(fairness.often.iter().chain(&fairness.then));
        }
        let facts = super::facts::facts(&problem.flow, &mut store, &atoms, ctx)?;
        let choices = steps::choices(&problem.flow, &mut store, &atoms);
        let none = vec![TermId::FALSE; problem.flow.locations.len()];
        let empty =
            Label { sets: none.clone(), choices: Vec::new(), stopped: none, levels: Vec::new() };
        let labels = vec![empty; nodes.len()];
        let (all_into, within) = (BTreeMap::new(), BTreeMap::new());
        Ok(Labeller { problem, nodes, facts, choices, store, labels, all_into, within })
    }

    fn flow(&self) -> &'p Flow {
        &self.problem.flow
    }

    /// Finds the label of a node, of which these states are wanted.
    pub(super) fn label(
        &mut self,
        node: NodeId,
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        ctx.tick(1)?;
        let facts = self.facts.clone();
        match self.nodes[node].clone() {
            Node::Atom(formulas) => self.labels[node].sets = formulas,
            Node::And(a, b) => {
                self.label(a, wanted, ctx)?;
                self.label(b, wanted, ctx)?;
                self.labels[node].sets = self.joined(a, b, |store, x, y| store.and(&[x, y]));
            }
            Node::Or(a, b) => {
                self.label(a, wanted, ctx)?;
                let rest: Sets = (0..wanted.len())
                    .map(|at| {
                        let not = self.store.not(self.labels[a].sets[at]);
                        self.store.and(&[wanted[at], not])
                    })
                    .collect();
                self.label(b, &rest, ctx)?;
                self.labels[node].sets = self.joined(a, b, |store, x, y| store.or(&[x, y]));
            }
            Node::Next(runs, a) => {
                self.label(a, &facts, ctx)?;
                self.next(node, runs, a, ctx)?;
            }
            Node::Until(runs, a, b) => {
                self.label(b, &facts, ctx)?;
                self.label(a, &facts, ctx)?;
                self.until(node, runs, (a, b), wanted, ctx)?;
            }
            Node::Weak(runs, a, b) => {
                self.label(b, &facts, ctx)?;
                self.label(a, &facts, ctx)?;
                self.weak(node, runs, (a, b), wanted, ctx)?;
            }
        }
        Ok(())
    }

    fn joined(
        &mut self,
        a: NodeId,
        b: NodeId,
        join: impl Fn(&mut Store, TermId, TermId) -> TermId,
    ) -> Sets {
        let pairs: Vec<(TermId, TermId)> =
            self.labels[a].sets.iter().copied().zip(self.labels[b].sets.iter().copied()).collect();
        pairs.into_iter().map(|(x, y)| join(&mut self.store, x, y)).collect()
    }

    fn simple(&mut self, formula: TermId) -> TermId {
        simplify(&mut self.store, formula, &[], None)
    }

    /// From where all steps of all transitions lead into the sets.
    fn all_steps(&mut self, sets: &Sets, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
        let flow = self.flow();
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
        for (position, step) in flow.transitions.iter().enumerate() {
            let key = (position, sets[step.to.index()]);
            if let Some(&known) = self.all_into.get(&key) {
                out[step.from.index()].push(known);
                continue;
            }
            ctx.tick(4)?;
            let after = moved(sets[step.to.index()], &flow.vars, &flow.next, &mut self.store);
            let not = self.store.not(after);
            let leaves = self.store.and(&[step.formula, not]);
            let open: Vec<TermId> = flow.next.iter().chain(&step.inputs).copied().collect();
            let mut smt = Smt::new(Options::default());
            let limits = Limits { rounds: MAX_MODELS };
            let may = eliminate(&mut self.store, leaves, &open, &mut smt, &limits);
            let into = match may {
                Ok(may) => self.store.not(may),
                Err(_) => TermId::FALSE,
            };
            self.all_into.insert(key, into);
            out[step.from.index()].push(into);
        }
        Ok(out
            .into_iter()
            .map(|parts| {
                let all = self.store.and(&parts);
                self.simple(all)
            })
            .collect())
    }

    /// From where one of the choices leads into the sets.
    fn some_step(
        &mut self,
        choices: &[Choice],
        sets: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<Sets, Stop> {
        let flow = self.flow();
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
        for choice in choices {
            ctx.tick(1)?;
            let step = &flow.transitions[choice.transition];
            let after = moved(sets[step.to.index()], &flow.vars, &choice.next, &mut self.store);
            let both = self.store.and(&[choice.when, after]);
            out[step.from.index()].push(both);
        }
        Ok(out
            .into_iter()
            .map(|parts| {
                let any = self.store.or(&parts);
                self.simple(any)
            })
            .collect())
    }

    /// Where no transition can be taken.
    fn ended(&mut self, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
        let none = vec![TermId::FALSE; self.flow().locations.len()];
        self.all_steps(&none, ctx)
    }

    fn is_within(&mut self, sets: &Sets, others: &Sets, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        for (&set, &other) in sets.iter().zip(others) {
            if set == other || set == TermId::FALSE || other == TermId::TRUE {
                continue;
            }
            if let Some(&known) = self.within.get(&(set, other)) {
                if known {
                    continue;
                }
                return Ok(false);
            }
            let not = self.store.not(other);
            let mut smt = Smt::new(Options::default());
            smt.assert(&mut self.store, set);
            smt.assert(&mut self.store, not);
            let is_within = ask(&mut smt, &mut self.store, &[], ctx)? == Answer::Unsat;
            self.within.insert((set, other), is_within);
            if !is_within {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is far away in the graph is many stages away.
    fn max_stages(&self) -> usize {
        MAX_STAGES + 2 * self.flow().locations.len()
    }

    fn is_large(&self, sets: &Sets) -> bool {
        self.store.dag_size(sets) > MAX_SIZE
    }

    /// Where a step that is chosen can be taken, as it must be if ends do not count.
    fn can_go(&mut self, choices: &[Choice]) -> Sets {
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); self.flow().locations.len()];
        for choice in choices {
            out[self.flow().transitions[choice.transition].from.index()].push(choice.when);
        }
        out.into_iter().map(|parts| self.store.or(&parts)).collect()
    }

    fn next(&mut self, node: NodeId, runs: Runs, a: NodeId, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let inner = self.labels[a].sets.clone();
        let choices = self.choices.clone();
        let is_stutter = self.problem.ends == Ends::Stutter;
        let mut sets = match runs {
            Runs::All => self.all_steps(&inner, ctx)?,
            Runs::Some => self.some_step(&choices, &inner, ctx)?,
        };
        if runs == Runs::All && is_stutter {
            let goes = self.can_go(&choices);
            for at in 0..sets.len() {
                let may = self.store.or(&[goes[at], inner[at]]);
                sets[at] = self.store.and(&[sets[at], may]);
            }
        }
        if runs == Runs::Some {
            // A choice counts where it leads to what is wanted.
            self.labels[node].choices = self.narrowed(&choices, &inner);
            if is_stutter {
                let ended = self.ended(ctx)?;
                for at in 0..sets.len() {
                    let stays = self.store.and(&[ended[at], inner[at]]);
                    sets[at] = self.store.or(&[sets[at], stays]);
                }
                self.labels[node].stopped = ended;
            }
        } else if is_stutter {
            self.labels[node].choices = choices;
        }
        self.labels[node].sets = sets.into_iter().map(|set| self.simple(set)).collect();
        Ok(())
    }

    /// Choices with the condition that they lead into the sets.
    fn narrowed(&mut self, choices: &[Choice], sets: &Sets) -> Vec<Choice> {
        let flow = self.flow();
        let mut all = Vec::new();
        for choice in choices {
            let to = flow.transitions[choice.transition].to.index();
            let after = moved(sets[to], &flow.vars, &choice.next, &mut self.store);
            let when = self.store.and(&[choice.when, after]);
            let when = self.simple(when);
            if when != TermId::FALSE {
                all.push(Choice { when, ..choice.clone() });
            }
        }
        all
    }

    fn until(
        &mut self,
        node: NodeId,
        runs: Runs,
        (a, b): (NodeId, NodeId),
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let (first, last) = (self.labels[a].sets.clone(), self.labels[b].sets.clone());
        let choices = self.choices.clone();
        let must_go = runs == Runs::All && self.problem.ends == Ends::Stutter;
        let goes = self.can_go(&choices);
        let mut stages: Vec<Sets> = vec![last.clone()];
        let mut is_stable = false;
        while stages.len() <= self.max_stages() && !is_stable {
            let stage = stages.last().cloned().unwrap_or_default();
            let before = match runs {
                Runs::All => self.all_steps(&stage, ctx)?,
                Runs::Some => self.some_step(&choices, &stage, ctx)?,
            };
            let mut more: Sets = Vec::with_capacity(stage.len());
            for at in 0..stage.len() {
                let mut parts = vec![first[at], before[at]];
                if must_go {
                    parts.push(goes[at]);
                }
                let on = self.store.and(&parts);
                let any = self.store.or(&[stage[at], on]);
                more.push(self.simple(any));
            }
            if self.is_large(&more) {
                break;
            }
            is_stable = self.is_within(&more, &stage, ctx)?;
            let covers = self.is_within(wanted, &more, ctx)?;
            if !is_stable {
                stages.push(more);
            }
            if covers {
                break;
            }
        }
        let sets = stages.last().cloned().unwrap_or_default();
        // Stages know nothing of fairness, by which more runs come to what is to come.
        let is_exact = is_stable && (runs == Runs::Some || self.problem.fairness.is_none());
        if is_exact
            || self.is_within(wanted, &sets, ctx)?
            || !self.by_search(node, runs, true, (a, b), wanted, ctx)?
        {
            self.staged(node, runs, &stages, must_go);
        }
        Ok(())
    }

    /// The label that the stages of a least fixpoint are: a state's rank is its first stage.
    fn staged(&mut self, node: NodeId, runs: Runs, stages: &[Sets], must_go: bool) {
        let flow = self.flow();
        let sets = stages.last().cloned().unwrap_or_default();
        let mut choices = Vec::new();
        if runs == Runs::Some {
            // From a stage, only to an earlier one.
            for (position, stage) in stages.iter().enumerate().skip(1) {
                for mut choice in self.narrowed(&self.choices.clone(), &stages[position - 1]) {
                    let from = flow.transitions[choice.transition].from.index();
                    let not = self.store.not(stages[position - 1][from]);
                    let when = self.store.and(&[choice.when, stage[from], not]);
                    choice.when = self.simple(when);
                    if choice.when != TermId::FALSE {
                        choices.push(choice);
                    }
                }
            }
        } else if must_go {
            choices = self.choices.clone();
        }
        let graph: Vec<(LocId, LocId)> = match runs {
            Runs::All => flow.transitions.iter().map(|step| (step.from, step.to)).collect(),
            Runs::Some => choices
                .iter()
                .map(|choice| &flow.transitions[choice.transition])
                .map(|step| (step.from, step.to))
                .collect(),
        };
        let function = (0..sets.len()).map(|at| {
            let mut rank = self.store.int(stages.len() as i64);
            for (position, stage) in stages.iter().enumerate().rev() {
                let number = self.store.int(position as i64);
                rank = self.store.ite(stage[at], number, rank);
            }
            rank
        });
        let function: Vec<TermId> = function.collect();
        let least = self.store.int(1);
        let levels = self
            .levels(graph, vec![Level { functions: vec![function], removed: Vec::new(), least }]);
        let label = &mut self.labels[node];
        (label.sets, label.choices, label.levels) = (sets, choices, levels);
    }

    /// One level that removes all that lies on cycles of the graph; with fairness each edge is three.
    fn levels(&self, graph: Vec<(LocId, LocId)>, levels: Vec<Level>) -> Vec<Level> {
        let graph: Vec<(LocId, LocId)> = match self.problem.fairness {
            Some(_) => graph.iter().flat_map(|&edge| [edge; 3]).collect(),
            None => graph,
        };
        let all: Vec<usize> = (0..graph.len()).collect();
        let removed = on_cycles(self.flow().locations.len(), &graph, &all);
        match (removed.is_empty(), levels.into_iter().next()) {
            (false, Some(level)) => vec![Level { removed, ..level }],
            _ => Vec::new(),
        }
    }

    fn weak(
        &mut self,
        node: NodeId,
        runs: Runs,
        (a, b): (NodeId, NodeId),
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let (first, last) = (self.labels[a].sets.clone(), self.labels[b].sets.clone());
        let choices = self.choices.clone();
        let counts_ends = runs == Runs::Some && self.problem.ends == Ends::Stutter;
        let none = vec![TermId::FALSE; first.len()];
        let ended = if counts_ends { self.ended(ctx)? } else { none };
        let mut stage: Sets = self.joined(a, b, |store, x, y| store.or(&[x, y]));
        let mut is_stable = false;
        for _ in 0..self.max_stages() {
            let before = match runs {
                Runs::All => self.all_steps(&stage, ctx)?,
                Runs::Some => self.some_step(&choices, &stage, ctx)?,
            };
            let mut less: Sets = Vec::with_capacity(stage.len());
            for at in 0..stage.len() {
                let on = self.store.or(&[before[at], ended[at]]);
                let on = self.store.and(&[first[at], on, stage[at]]);
                let any = self.store.or(&[last[at], on]);
                less.push(self.simple(any));
            }
            if self.is_large(&less) {
                break;
            }
            is_stable = self.is_within(&stage, &less, ctx)?;
            if is_stable {
                break;
            }
            stage = less;
        }
        // A run that goes on for ever must be fair, which stages do not tell.
        let is_enough = runs == Runs::All || self.problem.fairness.is_none();
        if is_stable && is_enough {
            let label = &mut self.labels[node];
            label.sets.clone_from(&stage);
            if runs == Runs::Some {
                self.labels[node].choices = self.narrowed(&choices, &stage);
                self.labels[node].stopped = ended;
            }
            return Ok(());
        }
        if !self.by_search(node, runs, false, (a, b), wanted, ctx)? {
            self.labels[node].sets = last;
        }
        Ok(())
    }

    /// Looks for a label that has the wanted states; says whether one was found.
    fn by_search(
        &mut self,
        node: NodeId,
        runs: Runs,
        is_until: bool,
        (a, b): (NodeId, NodeId),
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let flow = self.flow();
        if runs == Runs::All {
            let steps = flow.transitions.clone();
            let must_go = is_until && self.problem.ends == Ends::Stutter;
            let choices = if must_go { self.choices.clone() } else { Vec::new() };
            return self.search(node, steps, choices, must_go, is_until, (a, b), wanted, ctx);
        }
        for strategy in self.strategies() {
            let steps = strategy.iter().map(|choice| self.step_of(choice)).collect();
            if self.search(node, steps, strategy, true, is_until, (a, b), wanted, ctx)? {
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
    #[allow(clippy::too_many_arguments)]
    fn search(
        &mut self,
        node: NodeId,
        steps: Vec<Transition>,
        choices: Vec<Choice>,
        must_go: bool,
        is_until: bool,
        (a, b): (NodeId, NodeId),
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let flow = self.flow();
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

    /// States that can be tried alone where all wanted ones are too many: those that agree on the atoms of
    /// flow and formula, as models come.
    pub(super) fn parts_of(&mut self, sets: &Sets, ctx: &mut Ctx<'_>) -> Result<Vec<Sets>, Stop> {
        let own = &self.flow().vars;
        let mut roots: Vec<TermId> = Vec::new();
        for node in self.nodes {
            if let Node::Atom(formulas) = node {
                roots.extend(formulas);
            }
        }
        roots.extend(self.choices.iter().map(|choice| choice.when));
        let mut atoms: Vec<TermId> = Vec::new();
        for term in self.store.subterms(&roots) {
            let is_atom = self.store.sort(term) == SortId::BOOL
                && !matches!(self.store.op(term), Op::And | Op::Or | Op::Not | Op::Ite)
                && !self.store.is_literal(term)
                && self.store.free_vars(&[term]).iter().all(|var| own.contains(var));
            if is_atom && !atoms.contains(&term) && atoms.len() < MAX_ATOMS {
                atoms.push(term);
            }
        }
        let mut all = vec![sets.clone()];
        for at in 0..sets.len() {
            let mut smt = Smt::new(Options::default());
            smt.assert(&mut self.store, sets[at]);
            while all.len() < MAX_PARTS && ask(&mut smt, &mut self.store, &[], ctx)? == Answer::Sat
            {
                let model = smt.model(&self.store);
                let mut cell = vec![sets[at]];
                for &atom in &atoms {
                    match eval(&self.store, atom, &model) {
                        Ok(Value::Bool(true)) => cell.push(atom),
                        Ok(_) => cell.push(self.store.not(atom)),
                        Err(_) => {}
                    }
                }
                let cell = self.store.and(&cell);
                let not = self.store.not(cell);
                smt.assert(&mut self.store, not);
                let mut part = vec![TermId::FALSE; sets.len()];
                part[at] = cell;
                all.push(part);
            }
        }
        Ok(all)
    }
}
