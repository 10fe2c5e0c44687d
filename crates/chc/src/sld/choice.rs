//! What is chosen where nothing is determined.
//!
//! A goal that has values for all it needs is run first, and choices among its rules are free: which one applies is a
//! matter of computation. Then rules that fail by what they determine are left out, of the goals with the
//! fewest. Only what is left is a guess, and a guess is what a variable begins with that no goal computes,
//! the oldest one, so that all data grows evenly; or, where goals compute everything from each other, a rule.

use super::bindings::{Cell, NONE, Node};
use super::program::{Rules, is_data};
use super::search::{Goal, Options, Search};
use crate::settings::SLD_PROBE;
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{CtorId, Sort};
use std::cmp::Reverse;
use std::collections::BTreeSet;

impl Search<'_> {
    /// Chooses a goal or a variable, and takes its first option; false if that fails.
    pub(super) fn choose(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let call = self.active().find(|(_, goal)| self.is_call(goal));
        if let Some((goal, left)) = call.map(|(id, goal)| (id, goal.left)) {
            ctx.tick(1)?;
            return Ok(self.guess(Options::Rules(goal, left), true));
        }
        let best = loop {
            // All goals with the fewest rules are looked at before one is chosen, and those that can wait come last.
            let key = |goal: &Goal| {
                let is_late = goal.is_looked_at && self.is_open(goal);
                (is_late, goal.left.count_ones(), goal.is_looked_at)
            };
            let Some((best, goal)) = self.active().min_by_key(|(_, goal)| key(goal)) else {
                return Ok(true);
            };
            if goal.is_looked_at {
                break best;
            }
            ctx.tick(1)?;
            let left = self.possible(best, ctx)?;
            self.look(best, true);
            if !self.leave(best, left) {
                return Ok(false);
            }
            if self.has_ready() {
                return Ok(true);
            }
        };
        if let Some(node) = self.input() {
            return Ok(self.guess(Options::Ctors(node, self.ctors(node)), false));
        }
        let left = self.goals[best as usize].left;
        let waited = self.waited_for(&self.goals[best as usize]);
        let ctors = waited.map(|node| (node, self.ctors(node)));
        let fewest = ctors.min_by_key(|(_, ctors)| ctors.len());
        let options = match fewest {
            Some((node, ctors)) if ctors.len() < left.count_ones() as usize => {
                Options::Ctors(node, ctors)
            }
            _ => Options::Rules(best, left),
        };
        Ok(self.guess(options, false))
    }

    /// The goals that are not resolved, from left to right.
    fn active(&self) -> impl Iterator<Item = (u32, &Goal)> {
        let goal = |at: u32| (at != NONE).then(|| (at, &self.goals[at as usize]));
        std::iter::successors(goal(self.first), move |(_, last)| goal(last.after))
    }

    /// The free variables of data that tell a goal's rules apart.
    fn waited_for<'g>(&'g self, goal: &'g Goal) -> impl Iterator<Item = Node> + 'g {
        let procedure = &self.program[goal.pred];
        let args = goal.args.iter().zip(&procedure.sorts).zip(&procedure.index);
        let args = args.filter(|((_, sort), index)| index.is_some() && is_data(self.store, **sort));
        let nodes = args.map(|((&arg, _), _)| self.bindings.find(arg));
        nodes.filter(|&node| matches!(self.bindings.cell(node), Cell::Free(_)))
    }

    /// Whether a goal has values for all it needs.
    fn is_call(&self, goal: &Goal) -> bool {
        let computed = self.computed[goal.pred];
        let mut args = goal.args.iter().enumerate().filter(|(at, _)| Some(*at) != computed);
        args.all(|(_, &arg)| self.bindings.is_ground(arg))
    }

    /// Whether what a goal computes is not known, so that it can wait.
    fn is_open(&self, goal: &Goal) -> bool {
        self.computed[goal.pred].is_some_and(|position| {
            let node = self.bindings.find(goal.args[position]);
            matches!(self.bindings.cell(node), Cell::Free(_))
        })
    }

    /// The oldest variable that goals wait for and none computes.
    fn input(&self) -> Option<Node> {
        let mut given = BTreeSet::new();
        for (_, goal) in self.active() {
            if let Some(computed) = self.computed[goal.pred] {
                self.bindings.add_free(goal.args[computed], &mut given);
            }
        }
        let waited = self.active().flat_map(|(_, goal)| self.waited_for(goal));
        waited.filter(|node| !given.contains(node)).min()
    }

    /// What a variable that goals wait for may begin with, the simplest last.
    fn ctors(&self, node: Node) -> Vec<CtorId> {
        let mut found: Option<Vec<CtorId>> = None;
        for (_, goal) in self.active() {
            let procedure = &self.program[goal.pred];
            for ((&arg, &sort), index) in
                goal.args.iter().zip(&procedure.sorts).zip(&procedure.index)
            {
                if let Some(index) = index
                    && self.bindings.find(arg) == node
                    && let Sort::Data(data) = self.store.sort_of(sort)
                {
                    found
                        .get_or_insert_with(|| self.store.data(*data).ctors.clone())
                        .retain(|&ctor| index.of(ctor) & goal.left != 0);
                }
            }
        }
        let mut ctors = found.unwrap_or_default();
        ctors.sort_by_key(|&ctor| Reverse(self.store.ctor(ctor).fields.len()));
        ctors
    }

    /// The rules of those left for a goal that do not fail by what they determine.
    fn possible(&mut self, goal: u32, ctx: &mut Ctx<'_>) -> Result<Rules, Stop> {
        let mut possible = 0;
        let mut rest = self.goals[goal as usize].left;
        while rest != 0 {
            let rule = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            let mark = self.mark();
            if self.resolve(goal, rule) && self.determined(SLD_PROBE.get(), ctx)? {
                possible |= 1 << rule;
            }
            self.undo(mark);
        }
        Ok(possible)
    }
}
