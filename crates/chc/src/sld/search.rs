//! The search: goals that one rule can meet are resolved first, and choices are few.
//!
//! A goal is resolved with a rule: its arguments are unified with the rule's head, and the rule's atoms are goals in its
//! place. Goals that only one rule is left for cost nothing; where all have several, the one with the
//! fewest is a choice, and costs the logarithm of their number. A search has so many bits of choices for a
//! derivation, and so many steps. (The Andorra principle: Haridi, Brand, *ANDORRA Prolog*, FGCS 1988; first fail.)
//!
//! Invariant: goals that are not resolved form a list, in the order of a derivation from left to right; what a
//! choice changed is undone before the next.

use super::bindings::{self, Bindings, NONE, Node, Waiter};
use super::guard::{Truth, judge, solve};
use super::program::{Procedure, Rule, Rules};
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{CtorId, Op, Store, TermId};
use std::collections::VecDeque;

/// The parts of a bit in which choices are counted.
pub(super) const BIT: u32 = 16;

/// An atom that has to be derived.
pub(super) struct Goal {
    pub(super) pred: usize,
    pub(super) args: Vec<Node>,
    /// The rules that may still meet it.
    pub(super) left: Rules,
    /// Whether these were tried since its arguments changed.
    pub(super) is_looked_at: bool,
    /// How it was resolved.
    pub(super) rule: Option<usize>,
    /// The values of the rule's variables.
    pub(super) frame: Vec<Node>,
    /// The goals that the rule's atoms are.
    pub(super) below: std::ops::Range<usize>,
    before: u32,
    pub(super) after: u32,
}

/// A guard that waits for values.
pub(super) struct Waiting {
    pub(super) formula: TermId,
    pub(super) env: Vec<(TermId, Node)>,
    is_true: bool,
    /// Whether it waits for all its variables: an equation is solved when one is left.
    waits_for_all: bool,
}

/// What a choice has to undo besides bindings.
enum Change {
    /// The rules that were left for a goal.
    Left(u32, Rules),
    /// A goal was resolved.
    Resolved(u32),
    /// Whether a goal was looked at.
    Looked(u32, bool),
    /// A guard became true.
    Judged(u32),
}

#[derive(Clone, Copy)]
pub(super) struct Mark {
    bindings: bindings::Mark,
    goals: usize,
    guards: usize,
    changes: usize,
    steps: u64,
}

/// What is chosen.
pub(super) enum Options {
    /// A rule for a goal, and those that are left.
    Rules(u32, Rules),
    /// What a variable begins with, and the constructors that are left, the last one first.
    Ctors(Node, Vec<CtorId>),
}

struct Choice {
    mark: Mark,
    options: Options,
    /// What those before it cost.
    before: u32,
    /// How many options are left or were cut off somewhere; those that cannot succeed cost nothing.
    open: usize,
    /// How often the search was cut off before its last option.
    cuts: u64,
}

/// One of several options.
enum Next {
    Rule(u32, usize),
    Ctor(Node, CtorId),
}

impl Options {
    fn len(&self) -> usize {
        match self {
            Options::Rules(_, rest) => rest.count_ones() as usize,
            Options::Ctors(_, rest) => rest.len(),
        }
    }

    /// The next, and whether it is the last.
    fn next(&mut self) -> Option<(Next, bool)> {
        match self {
            Options::Rules(_, 0) => None,
            Options::Rules(goal, rest) => {
                let next = rest.trailing_zeros() as usize;
                *rest &= rest.wrapping_sub(1);
                Some((Next::Rule(*goal, next), *rest == 0))
            }
            Options::Ctors(node, rest) => {
                let next = rest.pop()?;
                Some((Next::Ctor(*node, next), rest.is_empty()))
            }
        }
    }
}

/// What a choice among so many costs, in parts of a bit: whole numbers, so that searches are the same everywhere.
fn cost(count: usize) -> u32 {
    (count.clamp(1, 255) as u128).pow(BIT).ilog2()
}

/// How far a search goes.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// What choices may cost, in parts of a bit.
    pub(super) cost: u32,
    /// The most steps of a derivation.
    pub(super) steps: u64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All goals are resolved.
    Found,
    /// There is no other derivation within reach, and whether there may be one beyond.
    Exhausted(bool),
}

/// A search for a derivation of the queries' procedure.
pub(super) struct Search<'a> {
    pub(super) store: &'a Store,
    pub(super) program: &'a [Procedure],
    /// For each predicate the argument that it computes.
    pub(super) computed: &'a [Option<usize>],
    reach: Reach,
    pub(super) bindings: Bindings,
    pub(super) goals: Vec<Goal>,
    pub(super) guards: Vec<Waiting>,
    changes: Vec<Change>,
    choices: Vec<Choice>,
    /// Goals that one rule is left for.
    ready: VecDeque<u32>,
    pub(super) first: u32,
    steps: u64,
    /// What the choices so far cost.
    cost: u32,
    cuts: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        store: &'a Store,
        program: &'a [Procedure],
        computed: &'a [Option<usize>],
        reach: Reach,
    ) -> Search<'a> {
        let mut search = Search {
            store,
            program,
            computed,
            reach,
            bindings: Bindings::default(),
            goals: Vec::new(),
            guards: Vec::new(),
            changes: Vec::new(),
            choices: Vec::new(),
            ready: VecDeque::new(),
            first: NONE,
            steps: 0,
            cost: 0,
            cuts: 0,
        };
        let query = search.goal(program.len() - 1, Vec::new());
        search.first = query;
        if search.goals[query as usize].left.count_ones() == 1 {
            search.ready.push_back(query);
        }
        search
    }

    /// The next derivation.
    pub(super) fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<End, Stop> {
        // After a derivation the search goes on as after a failure.
        let mut has_failed = self.first == NONE;
        loop {
            ctx.tick(1)?;
            if has_failed && !self.go_back() {
                return Ok(End::Exhausted(self.cuts > 0));
            }
            let succeeds = if self.has_ready() {
                self.determined(u64::MAX, ctx)?
            } else if self.first == NONE {
                return Ok(End::Found);
            } else {
                self.choose(ctx)?
            };
            has_failed = !succeeds;
        }
    }

    /// Whether there are goals that one rule is left for.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Resolves goals that one rule is left for, at most so many; false if that fails.
    pub(super) fn determined(&mut self, most: u64, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        for _ in 0..most {
            let Some(goal) = self.ready.pop_front() else { break };
            ctx.tick(1)?;
            let Goal { rule, left, .. } = self.goals[goal as usize];
            if rule.is_none() && !self.resolve(goal, left.trailing_zeros() as usize) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Notes whether a goal's rules were tried since its arguments changed.
    pub(super) fn look(&mut self, id: u32, is_looked_at: bool) {
        let goal = &mut self.goals[id as usize];
        self.changes.push(Change::Looked(id, goal.is_looked_at));
        goal.is_looked_at = is_looked_at;
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            bindings: self.bindings.mark(),
            goals: self.goals.len(),
            guards: self.guards.len(),
            changes: self.changes.len(),
            steps: self.steps,
        }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        while self.changes.len() > mark.changes {
            match self.changes.pop() {
                Some(Change::Left(goal, left)) => self.goals[goal as usize].left = left,
                Some(Change::Resolved(goal)) => {
                    let Goal { before, after, .. } = self.goals[goal as usize];
                    self.link(before, goal);
                    self.link(goal, after);
                    let goal = &mut self.goals[goal as usize];
                    (goal.rule, goal.frame, goal.below) = (None, Vec::new(), 0..0);
                }
                Some(Change::Looked(goal, was)) => self.goals[goal as usize].is_looked_at = was,
                Some(Change::Judged(guard)) => self.guards[guard as usize].is_true = false,
                None => {}
            }
        }
        self.goals.truncate(mark.goals);
        self.guards.truncate(mark.guards);
        self.bindings.undo(mark.bindings);
        self.steps = mark.steps;
        self.ready.clear();
    }

    fn link(&mut self, before: u32, after: u32) {
        match self.goals.get_mut(before as usize) {
            Some(goal) => goal.after = after,
            None => self.first = after,
        }
        if let Some(goal) = self.goals.get_mut(after as usize) {
            goal.before = before;
        }
    }

    /// Tries what is left of the last choice that has something left; false if there is none.
    fn go_back(&mut self) -> bool {
        while let Some(choice) = self.choices.last_mut() {
            let mark = choice.mark;
            if choice.cuts == self.cuts && choice.open > 1 {
                choice.open -= 1;
            }
            choice.cuts = self.cuts;
            self.cost = choice.before + cost(choice.open);
            let next = choice.options.next();
            if next.as_ref().is_none_or(|(_, is_last)| *is_last) {
                self.choices.pop();
            }
            self.undo(mark);
            if next.is_some_and(|(next, _)| self.take(next)) {
                return true;
            }
        }
        false
    }

    /// Does what was chosen; false if that fails.
    fn take(&mut self, next: Next) -> bool {
        match next {
            Next::Rule(goal, rule) => self.resolve(goal, rule),
            Next::Ctor(node, ctor) => {
                let count = self.store.ctor(ctor).fields.len();
                let fields: Vec<Node> = (0..count).map(|_| self.bindings.free()).collect();
                let made = self.bindings.data(ctor, &fields);
                self.bindings.unify(node, made) && self.wake()
            }
        }
    }

    /// Adds a goal that is in no list yet.
    fn goal(&mut self, pred: usize, args: Vec<Node>) -> u32 {
        let id = self.goals.len() as u32;
        let procedure = &self.program[pred];
        let mut left = procedure.all();
        for (index, &arg) in procedure.index.iter().zip(&args) {
            if let Some(index) = index {
                let node = self.bindings.find(arg);
                left &= index.rules(&self.bindings, self.bindings.cell(node));
                self.bindings.wait(node, Waiter::Goal(id));
            }
        }
        let (rule, frame, below) = (None, Vec::new(), 0..0);
        self.goals.push(Goal {
            pred,
            args,
            left,
            is_looked_at: false,
            rule,
            frame,
            below,
            before: NONE,
            after: NONE,
        });
        id
    }

    /// Resolves a goal with a rule; false if that fails.
    pub(super) fn resolve(&mut self, goal: u32, rule: usize) -> bool {
        if self.steps >= self.reach.steps {
            self.cuts += 1;
            return false;
        }
        self.steps += 1;
        let program = self.program;
        let Goal { pred, before, after, .. } = self.goals[goal as usize];
        let resolved = &program[pred].rules[rule];
        let Some((mut frame, envs)) = self.instance(goal, resolved) else { return false };
        let first = self.goals.len();
        let mut last = before;
        for (pred, args) in &resolved.body {
            let args = args.iter().map(|arg| self.bindings.build(arg, &mut frame)).collect();
            let next = self.goal(*pred, args);
            match self.goals[next as usize].left.count_ones() {
                0 => {
                    // The list is as it was, but for goals that the next `undo` takes away.
                    self.link(before, goal);
                    self.link(goal, after);
                    return false;
                }
                1 => self.ready.push_back(next),
                _ => {}
            }
            self.link(last, next);
            last = next;
        }
        self.link(last, after);
        let end = self.goals.len();
        let resolved_goal = &mut self.goals[goal as usize];
        (resolved_goal.rule, resolved_goal.frame, resolved_goal.below) =
            (Some(rule), frame, first..end);
        self.changes.push(Change::Resolved(goal));
        for (guard, env) in resolved.guards.iter().zip(envs) {
            let id = self.guards.len() as u32;
            let waits_for_all = self.store.op(guard.formula) == Op::Eq;
            if waits_for_all {
                for &(_, node) in &env {
                    self.bindings.wait(self.bindings.find(node), Waiter::Guard(id));
                }
            }
            let formula = guard.formula;
            self.guards.push(Waiting { formula, env, is_true: false, waits_for_all });
            if !self.judge(id) {
                return false;
            }
        }
        self.wake()
    }

    /// The variables of a rule that meets a goal, and those of its guards; none if it does not.
    #[allow(clippy::type_complexity)]
    fn instance(
        &mut self,
        goal: u32,
        rule: &Rule,
    ) -> Option<(Vec<Node>, Vec<Vec<(TermId, Node)>>)> {
        let mut frame = vec![NONE; rule.vars];
        for (position, pattern) in rule.head.iter().enumerate() {
            let arg = self.goals[goal as usize].args[position];
            if !self.bindings.meet(pattern, arg, &mut frame) {
                return None;
            }
        }
        let mut envs = Vec::with_capacity(rule.guards.len());
        for guard in &rule.guards {
            let vars = guard.vars.iter();
            let env = vars.map(|(var, pattern)| (*var, self.bindings.build(pattern, &mut frame)));
            envs.push(env.collect());
        }
        for node in &mut frame {
            if *node == NONE {
                *node = self.bindings.free();
            }
        }
        Some((frame, envs))
    }

    /// Looks at a guard; false if it is false.
    fn judge(&mut self, guard: u32) -> bool {
        let Waiting { formula, env, is_true, waits_for_all } = &self.guards[guard as usize];
        let waits_for_all = *waits_for_all;
        if *is_true {
            return true;
        }
        match judge(self.store, &self.bindings, *formula, env) {
            Truth::True => {}
            Truth::False => return false,
            Truth::Open(node) => match solve(self.store, &mut self.bindings, *formula, env) {
                Some(true) => {}
                Some(false) => return false,
                None if waits_for_all => return true,
                None => {
                    self.bindings.wait(node, Waiter::Guard(guard));
                    return true;
                }
            },
        }
        self.guards[guard as usize].is_true = true;
        self.changes.push(Change::Judged(guard));
        true
    }

    /// Looks at goals and guards whose variables have values since; false if one fails.
    fn wake(&mut self) -> bool {
        while let Some(waiter) = self.bindings.woken.pop() {
            match waiter {
                Waiter::Guard(guard) => {
                    if !self.judge(guard) {
                        return false;
                    }
                }
                Waiter::Goal(id) => {
                    let goal = &self.goals[id as usize];
                    if goal.rule.is_some() {
                        continue;
                    }
                    let mut left = goal.left;
                    let procedure = &self.program[goal.pred];
                    for (index, &arg) in procedure.index.iter().zip(&goal.args) {
                        if let Some(index) = index {
                            let cell = self.bindings.cell(self.bindings.find(arg));
                            left &= index.rules(&self.bindings, cell);
                        }
                    }
                    if goal.is_looked_at {
                        self.look(id, false);
                    }
                    if !self.leave(id, left) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Leaves fewer rules to a goal; false if none are left.
    pub(super) fn leave(&mut self, id: u32, left: Rules) -> bool {
        let old = self.goals[id as usize].left;
        if left != old {
            self.changes.push(Change::Left(id, old));
            self.goals[id as usize].left = left;
            if left.count_ones() == 1 {
                self.ready.push_back(id);
            }
        }
        left != 0
    }

    /// Takes the first of several options; false if that fails.
    pub(super) fn guess(&mut self, mut options: Options, is_free: bool) -> bool {
        let open = if is_free { 1 } else { options.len() };
        let (before, cost) = (self.cost, self.cost + cost(open));
        if cost > self.reach.cost {
            self.cuts += 1;
            return false;
        }
        let mark = self.mark();
        self.cost = cost;
        let Some((next, is_last)) = options.next() else { return false };
        if !is_last {
            self.choices.push(Choice { mark, options, before, open, cuts: self.cuts });
        }
        self.take(next)
    }

    /// The guards that wait for values.
    pub(super) fn open(&self) -> impl Iterator<Item = &Waiting> {
        self.guards.iter().filter(|guard| !guard.is_true)
    }
}
