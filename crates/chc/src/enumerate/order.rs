//! The order in which a rule is run: tests as soon as they can be made, then calls, and inputs where nothing else is left.
//!
//! Invariant: a step reads variables that steps before it or the head's inputs gave values.

use crate::sld::modes::{add_vars, best, is_known, possible};
use crate::sld::program::{Pattern, Procedure, Rule, is_data};
use alphorn_term::{Op, SortId, Store};
use std::collections::{BTreeMap, BTreeSet};

/// Which argument of a predicate is computed from the others; the number of all where none is, and they are tested.
pub(super) type Mode = usize;

/// The steps of each rule of a predicate in a mode; none for rules that the inputs do not determine.
pub(super) type Steps = Vec<Option<Vec<Step>>>;

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A guard is tested, whose variables all have values.
    Test(usize),
    /// An equation gives a variable its value.
    Solve(usize, u32),
    /// An atom is called, to compute an argument.
    Call(usize, Mode),
    /// A variable gets a value of its sort.
    Input(u32, SortId),
}

/// How all rules are run.
pub(super) struct Orders {
    /// By predicate and mode; nothing for modes in which a predicate is never called.
    steps: Vec<Vec<Steps>>,
}

impl Orders {
    pub(super) fn new(store: &Store, program: &[Procedure]) -> Orders {
        let possible = possible(store, program);
        let best = best(program, &possible);
        let modes = Modes { store, program, possible: &possible, best: &best };
        let steps = program.iter().enumerate().map(|(pred, procedure)| {
            let arity = procedure.sorts.len();
            let of = |mode: Mode| match mode == arity || possible[pred][mode] {
                true => {
                    let rules = procedure.rules.iter();
                    rules.map(|rule| Order::new(&modes, pred, mode, rule).steps()).collect()
                }
                false => Vec::new(),
            };
            (0..=arity).map(of).collect()
        });
        Orders { steps: steps.collect() }
    }

    /// The steps of a predicate's rules.
    pub(super) fn of(&self, pred: usize, mode: Mode) -> &[Option<Vec<Step>>] {
        &self.steps[pred][mode]
    }
}

/// What predicates may compute.
struct Modes<'a> {
    store: &'a Store,
    program: &'a [Procedure],
    possible: &'a [Vec<bool>],
    /// The mode that tells most rules apart.
    best: &'a [Option<usize>],
}

struct Order<'a> {
    modes: &'a Modes<'a>,
    pred: usize,
    rule: &'a Rule,
    known: BTreeSet<u32>,
    guards: BTreeSet<usize>,
    calls: BTreeSet<usize>,
}

impl<'a> Order<'a> {
    fn new(modes: &'a Modes<'a>, pred: usize, mode: Mode, rule: &'a Rule) -> Order<'a> {
        let mut known = BTreeSet::new();
        for (position, pattern) in rule.head.iter().enumerate() {
            if position != mode {
                add_vars(pattern, &mut known);
            }
        }
        let guards = (0..rule.guards.len()).collect();
        let calls = (0..rule.body.len()).collect();
        Order { modes, pred, rule, known, guards, calls }
    }

    fn steps(mut self) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        while let Some(step) = self.next() {
            match step {
                Step::Test(guard) => {
                    self.guards.remove(&guard);
                }
                Step::Solve(guard, var) => {
                    self.guards.remove(&guard);
                    self.known.insert(var);
                }
                Step::Call(call, _) => {
                    self.calls.remove(&call);
                    for arg in &self.rule.body[call].1 {
                        add_vars(arg, &mut self.known);
                    }
                }
                Step::Input(var, _) => {
                    self.known.insert(var);
                }
            }
            steps.push(step);
        }
        let is_done = self.guards.is_empty() && self.calls.is_empty();
        let mut head = self.rule.head.iter();
        (is_done && head.all(|pattern| is_known(pattern, &self.known))).then_some(steps)
    }

    fn next(&self) -> Option<Step> {
        // A query begins with an input, so that what was computed can be forgotten before the next.
        if self.known.is_empty()
            && let Some(step) = self.input()
        {
            return Some(step);
        }
        let guards = self.guards.iter().copied();
        guards
            .clone()
            .find(|&guard| self.open(guard).next().is_none())
            .map(Step::Test)
            .or_else(|| guards.clone().find_map(|guard| self.solved(guard)))
            .or_else(|| self.ready(true))
            .or_else(|| self.ready(false))
            .or_else(|| self.input())
    }

    /// The patterns of a guard that have no value.
    fn open(&self, guard: usize) -> impl Iterator<Item = &'a Pattern> {
        let patterns = self.rule.guards[guard].vars.iter().map(|(_, pattern)| pattern);
        patterns.filter(|pattern| !is_known(pattern, &self.known))
    }

    /// A guard that is an equation with one unknown.
    fn solved(&self, guard: usize) -> Option<Step> {
        let is_equation = self.modes.store.op(self.rule.guards[guard].formula) == Op::Eq;
        let mut open = self.open(guard);
        let (Some(Pattern::Var(var)), true) = (open.next(), is_equation) else { return None };
        let is_only = open.all(|other| *other == Pattern::Var(*var));
        is_only.then_some(Step::Solve(guard, *var))
    }

    /// The mode in which a call can be made, if it can: as a test, if it is to be one.
    fn mode(&self, call: usize, is_test: bool) -> Option<Mode> {
        let (pred, args) = &self.rule.body[call];
        let open: Vec<usize> =
            (0..args.len()).filter(|&position| !is_known(&args[position], &self.known)).collect();
        match open[..] {
            // What is computed for others too is computed and compared.
            [] => Some(self.modes.best[*pred].unwrap_or(args.len())),
            [one] => (!is_test && self.modes.possible[*pred][one]).then_some(one),
            _ => None,
        }
    }

    /// A call that can be made.
    fn ready(&self, is_test: bool) -> Option<Step> {
        let ready = |&call: &usize| Some(Step::Call(call, self.mode(call, is_test)?));
        self.calls.iter().find_map(ready)
    }

    /// A variable of the query that nothing computes: one with which a call can be made, if there is one.
    fn input(&self) -> Option<Step> {
        if self.pred + 1 != self.modes.program.len() {
            return None;
        }
        let mut sorts: BTreeMap<u32, SortId> = BTreeMap::new();
        let mut given: BTreeSet<u32> = BTreeSet::new();
        let mut best: BTreeSet<u32> = BTreeSet::new();
        for &call in &self.calls {
            let (pred, args) = &self.rule.body[call];
            let computed = self.modes.best[*pred];
            let mut own = BTreeSet::new();
            for (position, (arg, sort)) in
                args.iter().zip(&self.modes.program[*pred].sorts).enumerate()
            {
                if Some(position) == computed {
                    add_vars(arg, &mut given);
                } else {
                    add_vars(arg, &mut own);
                    add_sorts(self.modes.store, arg, *sort, &mut sorts);
                }
            }
            own.retain(|var| !self.known.contains(var));
            if own.len() == 1 {
                best.extend(own);
            }
        }
        for &guard in &self.guards {
            for (var, pattern) in &self.rule.guards[guard].vars {
                add_sorts(self.modes.store, pattern, self.modes.store.sort(*var), &mut sorts);
            }
        }
        sorts.retain(|var, _| !self.known.contains(var));
        let is_free = |var: &u32| !given.contains(var);
        let first = (sorts.iter()).min_by_key(|(var, sort)| {
            // Data before numbers, which equations may give.
            (!is_free(var), !best.contains(var), !is_data(self.modes.store, **sort), **var)
        });
        first.map(|(&var, &sort)| Step::Input(var, sort))
    }
}

/// Adds the sorts of a pattern's variables.
fn add_sorts(store: &Store, pattern: &Pattern, sort: SortId, sorts: &mut BTreeMap<u32, SortId>) {
    match pattern {
        Pattern::Var(var) => {
            sorts.insert(*var, sort);
        }
        Pattern::Data(ctor, args) => {
            for (arg, (_, sort)) in args.iter().zip(&store.ctor(*ctor).fields) {
                add_sorts(store, arg, *sort, sorts);
            }
        }
        Pattern::Value(_) => {}
    }
}
