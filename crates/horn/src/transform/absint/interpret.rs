//! A clause, interpreted: from what is known about the body's predicates to what is known about the
//! head's arguments.
//!
//! A body is a list of *items* that hold together (`items`). Comparisons and Boolean literals narrow the state,
//! again and again until nothing changes or a few passes are over. Disjunctions, conditionals inside
//! comparisons, disequalities and undecided equivalences are *choices*: alternatives that the state
//! refutes are dropped, and if several are left each is followed to the end of the clause, so that
//! what they say about different arguments stays together. When too many paths were followed, the
//! alternatives of a choice are joined on the spot instead.
//!
//! An atom whose predicate's facts come in parts (`partition`) is a choice between them.

use super::evaluate::{is_numeric, truth};
use super::items::Item;
use super::octagon::Empty;
use super::partition::Key;
use super::state::{Relation, State};
use crate::settings::{
    ABSINT_FEW_CHOICES, ABSINT_MAX_CLAUSE_DIMENSIONS, ABSINT_MAX_SPLITS, ABSINT_PASSES,
    ABSINT_PATHS, ABSINT_SPLIT_DEPTH,
};
use crate::transform::system::{System, head_args};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::Linear;
use alphorn_term::{Op, SortId, Store, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A system to interpret, and what is known about its predicates.
pub(super) struct Interpreter<'a> {
    pub system: &'a System,
    pub store: &'a Store,
    /// For each predicate, variables for its arguments.
    pub params: &'a [Vec<TermId>],
    /// For each predicate, the parameters that octagons are over.
    pub dimensions: Vec<Vec<TermId>>,
    /// For each predicate, how its facts are told apart.
    pub keys: Vec<Key>,
    /// For each predicate and each of its parts, what holds of the facts; none if there are none.
    pub values: Vec<Vec<Option<State>>>,
    /// How much was looked at.
    pub steps: u64,
    /// From how many steps on choices are joined on the spot.
    pub patience: u64,
    paths: usize,
}

impl<'a> Interpreter<'a> {
    /// The beginning of an iteration, in which no predicate has facts.
    pub fn new(
        system: &'a System,
        store: &'a Store,
        params: &'a [Vec<TermId>],
        dimensions: Vec<Vec<TermId>>,
        keys: Vec<Key>,
    ) -> Interpreter<'a> {
        let values = keys.iter().map(|key| vec![None; key.parts()]).collect();
        Interpreter {
            system,
            store,
            params,
            dimensions,
            keys,
            values,
            steps: 0,
            patience: 0,
            paths: 0,
        }
    }

    /// What a clause derives, over the parameters of its head, for each part of its facts.
    pub fn derived(&mut self, clause: &Clause) -> Vec<Option<State>> {
        let Head::Atom(head, _) = clause.head else { return Vec::new() };
        let mut items = vec![Item::Formula(clause.body, true)];
        for (&param, &arg) in self.params[head.index()].iter().zip(head_args(clause)) {
            if is_numeric(self.store, param) {
                let form = Linear::difference(self.store, param, arg);
                items.push(Item::Compare(Rc::new(form), Relation::Zero));
            }
        }
        self.paths = ABSINT_PATHS.size();
        let state = State::top(self.store, self.clause_dimensions(clause, head));
        let nothing = vec![None; self.keys[head.index()].parts()];
        self.explore(state, items, head, head_args(clause)).unwrap_or(nothing)
    }

    /// The variables of a clause that its octagon is over.
    fn clause_dimensions(&self, clause: &Clause, head: PredId) -> Vec<TermId> {
        let mut found = self.dimensions[head.index()].clone();
        let mut take = |pred: PredId, args: &[TermId]| {
            for (param, &arg) in self.params[pred.index()].iter().zip(args) {
                if self.dimensions[pred.index()].contains(param) {
                    let vars = Linear::of(self.store, arg).terms;
                    let vars = vars.into_iter().map(|(term, _)| term);
                    found.extend(vars.filter(|&term| matches!(self.store.op(term), Op::Var(_))));
                }
            }
        };
        take(head, head_args(clause));
        for atom in self.system.atoms(self.store, clause.body) {
            if let Some(pred) = self.system.atom(self.store, atom) {
                take(pred, self.store.args(atom));
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.len() > ABSINT_MAX_CLAUSE_DIMENSIONS.size() { Vec::new() } else { found }
    }

    /// The state after all items, about the head's parameters, which have these values.
    fn explore(
        &mut self,
        mut state: State,
        items: Vec<Item>,
        head: PredId,
        args: &[TermId],
    ) -> Result<Vec<Option<State>>, Empty> {
        let (mut kept, mut choices) = (Vec::new(), Vec::new());
        self.settle(&mut state, items, &mut kept, &mut choices)?;
        // Few alternatives first, in the order of the clause.
        let least = (0..choices.len()).min_by_key(|&at| choices[at].len());
        if self.steps >= self.patience {
            self.paths = 0;
        } else if choices.len() > ABSINT_FEW_CHOICES.size() {
            self.case_splits(&mut state, &kept, &choices)?;
        }
        if choices.len() <= ABSINT_FEW_CHOICES.size()
            && let Some(least) = least
            && self.paths >= choices[least].len()
        {
            let alternatives = choices.remove(least);
            self.paths -= alternatives.len();
            let mut joined = vec![None; self.keys[head.index()].parts()];
            for mut items in alternatives {
                items.extend(kept.iter().cloned());
                items.extend(choices.iter().cloned().map(Item::Choice));
                self.steps += (state.dimensions.len() * state.dimensions.len()) as u64;
                if let Ok(found) = self.explore(state.clone(), items, head, args) {
                    joined = joined_parts(&joined, &found);
                }
            }
            return Ok(joined);
        }
        for alternatives in std::mem::take(&mut choices) {
            state = self.either(&state, alternatives)?;
        }
        self.settle(&mut state, Vec::new(), &mut kept, &mut choices)?;
        let key = self.keys[head.index()].clone();
        let Some(at) = key.at else {
            return Ok(vec![self.about(state, head, args).ok()]);
        };
        let items = key.values.iter().map(|&value| self.equal(args[at], value));
        let items: Vec<Item> = items.collect();
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            let mut part = state.clone();
            let mut kept = kept.clone();
            let is_possible = !self.refutes(&part, &item)
                && self.settle(&mut part, vec![item], &mut kept, &mut Vec::new()).is_ok();
            parts.push(if is_possible { self.about(part, head, args).ok() } else { None });
        }
        Ok(parts)
    }

    /// What a state says about the parameters of a head, whose arguments are these.
    fn about(&self, mut state: State, head: PredId, args: &[TermId]) -> Result<State, Empty> {
        let params = &self.params[head.index()];
        for (&param, &arg) in params.iter().zip(args) {
            if self.store.sort(param) == SortId::BOOL
                && let Some(value) = truth(self.store, &state, arg)
            {
                state.decide(param, value)?;
            }
        }
        Ok(state.projected(self.store, params, &self.dimensions[head.index()]))
    }

    /// Narrows a state to what holds both if a Boolean variable is true and if it is false, for the
    /// variables that most choices mention (Stålmarck's dilemma rule).
    fn case_splits(
        &mut self,
        state: &mut State,
        kept: &[Item],
        choices: &[Vec<Vec<Item>>],
    ) -> Result<(), Empty> {
        let mut counts: BTreeMap<TermId, usize> = BTreeMap::new();
        for alternatives in choices {
            let mut vars: Vec<TermId> = Vec::new();
            for item in alternatives.iter().flatten() {
                if let Item::Formula(formula, _) = item {
                    boolean_vars(self.store, *formula, ABSINT_SPLIT_DEPTH.size(), &mut vars);
                }
            }
            vars.sort_unstable();
            vars.dedup();
            vars.iter().for_each(|&var| *counts.entry(var).or_default() += 1);
        }
        let mut vars: Vec<TermId> = counts.keys().copied().filter(|var| counts[var] > 1).collect();
        vars.sort_by_key(|var| std::cmp::Reverse(counts[var]));
        vars.truncate(ABSINT_MAX_SPLITS.size());
        for var in vars {
            if state.truths.contains_key(&var) || self.steps >= self.patience {
                continue;
            }
            let mut joined: Option<State> = None;
            for value in [true, false] {
                let (mut found, mut kept, mut choices) =
                    (state.clone(), kept.to_vec(), choices.to_vec());
                let items = vec![Item::Formula(var, value)];
                if self.settle(&mut found, items, &mut kept, &mut choices).is_ok() {
                    joined = Some(joined.map_or(found.clone(), |state| state.join(&found)));
                }
            }
            *state = joined.ok_or(Empty)?;
        }
        Ok(())
    }

    /// What holds in all alternatives; choices inside them are left open.
    fn either(&mut self, state: &State, alternatives: Vec<Vec<Item>>) -> Result<State, Empty> {
        let mut joined: Option<State> = None;
        for items in alternatives {
            let mut found = state.clone();
            if self.settle(&mut found, items, &mut Vec::new(), &mut Vec::new()).is_ok() {
                joined = Some(joined.map_or(found.clone(), |state| state.join(&found)));
            }
        }
        joined.ok_or(Empty)
    }

    /// Narrows a state by items, which become comparisons that are kept and choices that are open.
    fn settle(
        &mut self,
        state: &mut State,
        items: Vec<Item>,
        kept: &mut Vec<Item>,
        choices: &mut Vec<Vec<Vec<Item>>>,
    ) -> Result<(), Empty> {
        let mut todo: Vec<Item> = items;
        todo.reverse();
        for _ in 0..ABSINT_PASSES.size() {
            while let Some(item) = todo.pop() {
                self.steps += 1;
                self.take(state, item, &mut todo, kept, choices)?;
            }
            let mut has_changed = state.exchange(self.store)?;
            for item in kept.iter() {
                self.steps += 1;
                match item {
                    Item::Compare(form, relation) => {
                        has_changed |= self.compare(state, form, *relation)?;
                    }
                    Item::Same(left, right, value) => {
                        todo.extend(self.equivalent(state, *left, *right, *value));
                    }
                    _ => {}
                }
            }
            for mut alternatives in std::mem::take(choices) {
                self.steps += alternatives.len() as u64;
                alternatives.retain(|items| !items.iter().any(|item| self.refutes(state, item)));
                match alternatives.len() {
                    0 => return Err(Empty),
                    1 => todo.extend(alternatives.into_iter().flatten()),
                    _ => choices.push(alternatives),
                }
            }
            if !has_changed && todo.is_empty() {
                return Ok(());
            }
        }
        while let Some(item) = todo.pop() {
            self.take(state, item, &mut todo, kept, choices)?;
        }
        state.exchange(self.store)?;
        Ok(())
    }
}

/// The Boolean variables near the root of a formula.
fn boolean_vars(store: &Store, formula: TermId, depth: usize, found: &mut Vec<TermId>) {
    match store.op(formula) {
        Op::Var(_) => found.push(formula),
        Op::And | Op::Or | Op::Not if depth > 0 => {
            for &arg in store.args(formula) {
                boolean_vars(store, arg, depth - 1, found);
            }
        }
        _ => {}
    }
}

/// What holds in both, part by part.
pub(super) fn joined_parts(left: &[Option<State>], right: &[Option<State>]) -> Vec<Option<State>> {
    let join = |(left, right): (&Option<State>, &Option<State>)| match (left, right) {
        (Some(left), Some(right)) => Some(left.join(right)),
        (only, None) | (None, only) => only.clone(),
    };
    left.iter().zip(right).map(join).collect()
}
