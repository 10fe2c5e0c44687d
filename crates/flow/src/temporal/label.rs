//! Labels from the inside out: as many states as are found that satisfy a subformula, and why.
//!
//! Conjunction and disjunction are exact. A temporal operator is a fixpoint: its stages are made of steps that
//! lead into the stage before, by elimination where all steps must, by choices where one does; if the stages
//! become stable soon, the label is what they are, and a state's stage is its rank. Where they do not, what is *wanted* of
//! the label is looked for: runs from the wanted states stay where they should (`always`) and come to an end there
//! (`rank`). Where one step is enough, a strategy says which is taken, and all steps of the strategy must do.
//!
//! What is wanted goes from the outside in, and is a hint alone: labels are proved afterwards.

use super::stages::Operator;
use super::steps;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::Choice;
use alphorn_problem::evidence::temporal::Label;
use alphorn_problem::obligation::flow::moved;
use alphorn_problem::temporal::{Ends, Node, NodeId, Runs, Temporal};
use alphorn_smt::project::{Limits, eliminate, simplify};
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

    /// From where all steps of all transitions lead into the sets.
    pub(super) fn all_steps(&mut self, sets: &Sets, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
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
    pub(super) fn some_step(
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
    pub(super) fn ended(&mut self, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
        let none = vec![TermId::FALSE; self.flow().locations.len()];
        self.all_steps(&none, ctx)
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

    /// Where a step that is chosen can be taken, as it must be if ends do not count.
    pub(super) fn can_go(&mut self, choices: &[Choice]) -> Sets {
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); self.flow().locations.len()];
        for choice in choices {
            out[self.flow().transitions[choice.transition].from.index()].push(choice.when);
        }
        out.into_iter().map(|parts| self.store.or(&parts)).collect()
    }

    pub(super) fn next(
        &mut self,
        node: NodeId,
        runs: Runs,
        a: NodeId,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
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
    pub(super) fn narrowed(&mut self, choices: &[Choice], sets: &Sets) -> Vec<Choice> {
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
