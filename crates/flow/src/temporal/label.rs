//! Labels from the inside out: as many states as are found that satisfy a subformula, and why.
//!
//! Conjunction and disjunction are exact. A temporal operator is a fixpoint: its stages are made of steps that
//! lead into the stage before, by elimination where all steps must, by choices where one does; if the stages
//! become stable soon, the label is what they are, and a state's stage is its rank. Where they do not, what is *wanted* of
//! the label is looked for: runs from the wanted states stay where they should (`always`) and come to an end there
//! (`rank`). Where one step is enough, a strategy says which is taken, and all steps of the strategy must do.
//!
//! What is wanted goes from the outside in, and is a hint alone: labels are proved afterwards.

mod preimage;

use super::stages::Operator;
use super::steps;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::Choice;
use alphorn_problem::evidence::temporal::Label;
use alphorn_problem::temporal::{Node, NodeId, Temporal};
use alphorn_smt::project::simplify;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// The most stages of a fixpoint besides two for each location, and the largest formulas of one.
const MAX_STAGES: usize = 12;
const MAX_SIZE: usize = 2_000;
/// The most models that an elimination takes.
const MAX_MODELS: usize = 60;
/// The most parts that wanted states are tried in, and the atoms that tell them apart.
const MAX_PARTS: usize = 12;
const MAX_ATOMS: usize = 16;

/// Sets of states by location.
pub(super) type Sets = Vec<TermId>;

/// Somebody who finds labels.
pub(super) struct Labeller<'p> {
    pub(super) problem: &'p Temporal,
    pub(super) nodes: &'p [Node],
    /// What always holds, for what is wanted.
    facts: Sets,
    /// The steps that may be chosen.
    pub(super) choices: Vec<Choice>,
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
        let choices = steps::choices(&problem.flow, &mut store, &atoms, ctx)?;
        let none = vec![TermId::FALSE; problem.flow.locations.len()];
        let empty =
            Label { sets: none.clone(), choices: Vec::new(), stopped: none, levels: Vec::new() };
        let labels = vec![empty; nodes.len()];
        let (all_into, within) = (BTreeMap::new(), BTreeMap::new());
        Ok(Labeller { problem, nodes, facts, choices, store, labels, all_into, within })
    }

    pub(super) fn flow(&self) -> &'p Flow {
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
                self.until(Operator { node, runs, a, b }, wanted, ctx)?;
            }
            Node::Weak(runs, a, b) => {
                self.label(b, &facts, ctx)?;
                self.label(a, &facts, ctx)?;
                self.weak(Operator { node, runs, a, b }, wanted, ctx)?;
            }
        }
        Ok(())
    }

    pub(super) fn joined(
        &mut self,
        a: NodeId,
        b: NodeId,
        join: impl Fn(&mut Store, TermId, TermId) -> TermId,
    ) -> Sets {
        let pairs: Vec<(TermId, TermId)> =
            self.labels[a].sets.iter().copied().zip(self.labels[b].sets.iter().copied()).collect();
        pairs.into_iter().map(|(x, y)| join(&mut self.store, x, y)).collect()
    }

    pub(super) fn simple(&mut self, formula: TermId) -> TermId {
        simplify(&mut self.store, formula, &[], None)
    }

    pub(super) fn is_within(
        &mut self,
        sets: &Sets,
        others: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
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
    pub(super) fn max_stages(&self) -> usize {
        MAX_STAGES + 2 * self.flow().locations.len()
    }

    pub(super) fn is_large(&self, sets: &Sets) -> bool {
        self.store.dag_size(sets) > MAX_SIZE
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
