//! Operators as fixpoints, stage by stage.
//!
//! A stage has the states from which steps lead into the stage before. Where stages become stable soon, or have all
//! that is wanted, the label is the last of them, and the rank of a state is the first stage that has it.

use super::label::{Labeller, Sets};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::Level;
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_problem::temporal::{Ends, NodeId, Runs};
use alphorn_term::TermId;

/// Where an operator of two formulas stands, of which runs it speaks, and the two.
pub(super) struct Operator {
    pub node: NodeId,
    pub runs: Runs,
    pub a: NodeId,
    pub b: NodeId,
}

impl Labeller<'_> {
    pub(super) fn until(
        &mut self,
        Operator { node, runs, a, b }: Operator,
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
            || !self.by_search(node, runs, wanted, ctx)?
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

    pub(super) fn weak(
        &mut self,
        Operator { node, runs, a, b }: Operator,
        wanted: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let choices = self.choices.clone();
        let (first, last) = (self.labels[a].sets.clone(), self.labels[b].sets.clone());
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
        if !self.by_search(node, runs, wanted, ctx)? {
            self.labels[node].sets = last;
        }
        Ok(())
    }
}
