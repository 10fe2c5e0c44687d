//! The clauses: steps, effects, what others do, and where threads meet.

use super::super::state::State;
use super::super::{Argument, Maker, Plan, Site};
use super::templates::Template;
use super::{DONE, Sight, reached};
use crate::clauses::calls::writes;
use crate::clauses::flow::Flow;
use crate::form::{Access, BlockId, Jump, ProcId, ThreadOp, VarId};
use crate::weave::race::racing;
use crate::weave::thread::Node;
use alphorn_problem::Span;
use alphorn_problem::horn::{Head, PredId};
use alphorn_term::{Bv, Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// What a thread does to what others see.
pub struct Effect {
    pred: PredId,
    /// Whose it is, if there may be several.
    who: Option<VarId>,
    /// What it is a relation on.
    before: Vec<VarId>,
    /// What it may change.
    after: Vec<VarId>,
    /// Where the thread is, for others.
    status: Option<VarId>,
    /// Whether others see at which rest it is.
    is_placed: bool,
    /// Whether nobody else is there, by block.
    alone: Vec<bool>,
    /// Where the step began, for others; none if nobody sees it.
    begun: Option<TermId>,
}

/// Where a thread is at a rest, for others.
fn place(is_placed: bool, rest: usize) -> i64 {
    // Numbers of rests are above that of a thread which has ended.
    if is_placed && rest > 0 { DONE + rest as i64 } else { 1 }
}

impl Maker<'_> {
    /// Makes the clauses of all threads.
    pub(super) fn threads(&mut self, all: &[Template], shared: &[VarId], sight: Sight) {
        let mut plans: Vec<Plan> =
            (0..all.len()).map(|number| self.thread_plan(all, number, shared, sight)).collect();
        let state = State { holds: self.program.start.into_iter().collect(), ..State::default() };
        let first = plans[0].heads[&BlockId(0)];
        let args = self.args(&plans[0], first, &state);
        self.clause(&state, &[], Head::Atom(first, args), self.program.proc(ProcId(0)).span);
        for number in 0..all.len() {
            let heads: Vec<(BlockId, PredId)> =
                plans[number].heads.iter().map(|(&block, &pred)| (block, pred)).collect();
            for (block, pred) in heads {
                let begin = self.at_rest(&mut plans[number], block, pred);
                if let Some(&child) = all[number].creates.get(&(block.0 as usize)) {
                    self.create(all, &plans, (number, block), begin.clone(), child);
                }
                self.from(ProcId(number as u32), &plans[number], block, begin);
            }
        }
        for number in 0..all.len() {
            for other in 0..all.len() {
                if number != other || all[number].me.is_some() {
                    self.interfere(&mut plans, number, other);
                }
            }
        }
        self.races(all, &mut plans);
    }

    /// The predicates of one thread.
    fn thread_plan(
        &mut self,
        all: &[Template],
        number: usize,
        shared: &[VarId],
        sight: Sight,
    ) -> Plan {
        let (template, proc) = (&all[number], ProcId(number as u32));
        let mut flow = Flow::of(self.program, &self.calls, proc, &BTreeSet::new());
        let is_reached = reached(self.program, proc);
        let rests = (0..template.thread.nodes.len())
            .filter(|at| is_reached.contains(at) && template.thread.nodes[*at].is_rest);
        flow.cut_at(self.program, proc, &rests.collect());
        let mut heads = BTreeMap::new();
        let mut marks = BTreeMap::new();
        let own: BTreeSet<VarId> = shared.iter().copied().chain(template.me).collect();
        for (at, node) in template.thread.nodes.iter().enumerate() {
            if !is_reached.contains(&at) || !(node.is_rest || node.access.is_some()) {
                continue;
            }
            let block = BlockId(at as u32);
            let mut args: Vec<VarId> = template.me.into_iter().collect();
            args.extend(shared.iter().filter(|&&var| Some(var) != template.status));
            args.extend(flow.live[at].iter().filter(|&var| !own.contains(var)));
            let args = args.into_iter().map(Argument::Now).collect();
            let pred = self.pred(Site::Head(proc, block), args);
            match node.is_rest {
                true => heads.insert(block, pred),
                false => marks.insert(block, pred),
            };
        }
        let mut changed: BTreeSet<VarId> = BTreeSet::new();
        for (block, is_alone) in self.program.proc(proc).blocks.iter().zip(&template.alone) {
            if !is_alone {
                changed.extend(block.steps.iter().flat_map(|step| writes(&step.action)));
            }
        }
        let is_placed = sight >= Sight::Places && template.me.is_none();
        changed.extend(template.status.filter(|_| is_placed));
        let after: Vec<VarId> =
            shared.iter().copied().filter(|var| changed.contains(var)).collect();
        let args = template.me.into_iter().chain(shared.iter().copied());
        let args = args.map(Argument::Before).chain(after.iter().map(|&var| Argument::Now(var)));
        let pred = self.pred(Site::Effect(proc), args.collect());
        let (who, status, before) = (template.me, template.status, shared.to_vec());
        let (begun, alone) = (None, template.alone.clone());
        let effect = Some(Effect { pred, who, before, after, status, is_placed, alone, begun });
        Plan { flow, before: BTreeMap::new(), context: None, summary: None, heads, effect, marks }
    }

    /// A number as a value of a variable.
    fn value_of(&mut self, var: VarId, number: i64) -> TermId {
        let sort = self.program.var(var).sort;
        match *self.horn.terms.sort_of(sort) {
            Sort::BitVec(bits) => self.horn.terms.bv(Bv::from_u64(bits, number as u64)),
            _ => self.horn.terms.int(number),
        }
    }

    /// Says where a thread is that rests at a block.
    fn say_place(&mut self, plan: &Plan, block: BlockId, state: &mut State) {
        let Some(effect) = &plan.effect else { return };
        if let Some(status) = effect.status {
            let at = self.value_of(status, place(effect.is_placed, block.0 as usize));
            state.values.insert(self.program.term(status), at);
        }
    }

    /// The state of a thread that rests at a block.
    fn at_rest(&mut self, plan: &mut Plan, block: BlockId, pred: PredId) -> State {
        let mut state = State::default();
        self.say_place(plan, block, &mut state);
        if let Some(effect) = &mut plan.effect {
            let place = effect.status.map(|status| state.values[&self.program.term(status)]);
            let is_seen = !effect.alone[block.0 as usize];
            effect.begun = is_seen.then(|| place.unwrap_or(TermId::FALSE));
        }
        let args = self.args(plan, pred, &state);
        let atom = self.atom(pred, &args);
        state.spine = Some(atom);
        state.holds.push(atom);
        state
    }

    /// A thread has come to a rest, or to its end: what it did to what others see.
    pub(in crate::clauses) fn effect(
        &mut self,
        plan: &Plan,
        state: &State,
        block: Option<BlockId>,
        span: Span,
    ) {
        let Some(effect) = &plan.effect else { return };
        let Some(begun) = effect.begun else { return };
        let mut args: Vec<TermId> = effect.who.iter().map(|&who| self.program.term(who)).collect();
        let before = |var: VarId| match Some(var) == effect.status {
            true => begun,
            false => self.program.term(var),
        };
        args.extend(effect.before.iter().map(|&var| before(var)));
        let was: Vec<TermId> = effect.after.iter().map(|&var| before(var)).collect();
        let mut is: Vec<TermId> = effect.after.iter().map(|&var| self.value(state, var)).collect();
        if let (Some(block), Some(status)) = (block, effect.status)
            && let Some(at) = effect.after.iter().position(|&var| var == status)
        {
            is[at] = self.value_of(status, place(effect.is_placed, block.0 as usize));
        }
        if was != is {
            args.extend(is);
            self.clause(state, &[], Head::Atom(effect.pred, args), span);
        }
    }

    /// A thread creates another one, which begins.
    fn create(
        &mut self,
        all: &[Template],
        plans: &[Plan],
        (number, block): (usize, BlockId),
        mut state: State,
        child: usize,
    ) {
        let (child, plan) = (&all[child], &plans[child]);
        let (program, proc) = (self.program, ProcId(number as u32));
        let given = &program.proc(proc).blocks[block.0 as usize];
        for step in &given.steps {
            let holds = self.step(&mut state, &step.action);
            state.holds.extend(holds);
        }
        let op = &all[number].thread.nodes[block.0 as usize].op;
        let Some(ThreadOp::Create { args, .. }) = op else { return };
        let args = self.said(&state, args);
        // The new thread sees its creator where that goes on.
        if let Jump::Goto(next) = given.jump {
            self.say_place(&plans[number], next, &mut state);
        }
        for &var in child.thread.others.iter().chain(&child.me) {
            self.choose(&mut state, var);
        }
        for (&var, value) in child.thread.inputs.iter().zip(args) {
            state.values.insert(self.program.term(var), value);
        }
        if let Some(me) = child.me {
            // Numbers up to here are those of threads that are alone.
            let (me, least) = (self.value(&state, me), all.len() as i64 + 1);
            let least = self.horn.terms.int(least);
            let is_other = self.horn.terms.le(least, me);
            state.holds.push(is_other);
        }
        let first = plan.heads[&BlockId(0)];
        let args = self.args(plan, first, &state);
        self.clause(&state, &[], Head::Atom(first, args), given.span);
    }

    /// What holds where a thread rests holds after a step of another one.
    fn interfere(&mut self, plans: &mut [Plan], number: usize, other: usize) {
        let heads: Vec<(BlockId, PredId)> =
            plans[number].heads.iter().map(|(&block, &pred)| (block, pred)).collect();
        for (block, pred) in heads {
            let is_alone =
                plans[number].effect.as_ref().is_some_and(|one| one.alone[block.0 as usize]);
            if is_alone {
                continue;
            }
            let mut state = self.at_rest(&mut plans[number], block, pred);
            let Some(effect) = plans[other].effect.as_ref().filter(|one| !one.after.is_empty())
            else {
                return;
            };
            let mut args = Vec::new();
            if let Some(who) = effect.who {
                let who = self.horn.terms.fresh_var("who", self.program.var(who).sort);
                args.push(who);
                if number == other {
                    let me = effect.who.map(|me| self.program.term(me)).expect("there are many");
                    let same = self.horn.terms.eq(who, me);
                    let differ = self.horn.terms.not(same);
                    state.holds.push(differ);
                }
            }
            args.extend(effect.before.iter().map(|&var| self.value(&state, var)));
            for &var in &effect.after {
                let fresh = self.choose(&mut state, var);
                args.push(fresh);
            }
            let relation = self.atom(effect.pred, &args);
            state.holds.push(relation);
            let args = self.args(&plans[number], pred, &state);
            let span = self.horn.pred(pred).span;
            self.clause(&state, &[], Head::Atom(pred, args), span);
        }
    }

    /// No two threads are about to use the same place, one of them to write it.
    fn races(&mut self, all: &[Template], plans: &mut [Plan]) {
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let mut inside: Vec<(usize, usize)> = Vec::new();
        for (number, template) in all.iter().enumerate() {
            for (at, node) in template.thread.nodes.iter().enumerate() {
                let block = BlockId(at as u32);
                if node.access.is_some() && plans[number].heads.contains_key(&block) {
                    waiting.push((number, at));
                } else if plans[number].marks.contains_key(&block) {
                    inside.push((number, at));
                }
            }
        }
        for (position, &one) in waiting.iter().enumerate() {
            for &two in &waiting[position..] {
                self.race(all, plans, one, two);
            }
        }
        for &one in &inside {
            for &two in &waiting {
                self.race(all, plans, one, two);
            }
        }
    }

    /// A thread at a node and another one at a rest do not race.
    fn race(
        &mut self,
        all: &[Template],
        plans: &mut [Plan],
        one: (usize, usize),
        two: (usize, usize),
    ) {
        let is_same = one.0 == two.0;
        if is_same && all[one.0].me.is_none() {
            return;
        }
        let node = |(number, at): (usize, usize)| -> &Node { &all[number].thread.nodes[at] };
        let (Some(own), Some(pending)) = (&node(one).access, &node(two).access) else { return };
        // The second has variables of its own.
        let mut state = State::default();
        let block = BlockId(two.1 as u32);
        self.say_place(&plans[two.0], block, &mut state);
        let first_block = BlockId(one.1 as u32);
        if let Some(&pred) = plans[one.0].heads.get(&first_block) {
            self.say_place(&plans[one.0], first_block, &mut state);
            self.meet(&plans[one.0], pred, &mut state);
        } else if let Some(&pred) = plans[one.0].marks.get(&first_block) {
            self.meet(&plans[one.0], pred, &mut state);
        }
        let mut other = state.clone();
        let mut pending: Access = pending.clone();
        if is_same {
            let template = &all[two.0];
            let own = template.thread.inputs.iter().chain(&template.thread.others);
            for &var in own.chain(&template.me) {
                self.choose(&mut other, var);
            }
            pending.selectors = self.said(&other, &pending.selectors);
            pending.guard = self.said(&other, &[pending.guard])[0];
            if let Some(me) = template.me {
                let (mine, theirs) = (self.program.term(me), self.value(&other, me));
                let same = self.horn.terms.eq(mine, theirs);
                other.holds.push(self.horn.terms.not(same));
            }
        }
        self.meet(&plans[two.0], plans[two.0].heads[&block], &mut other);
        let Some(races) = racing(&mut self.horn.terms, node(one), own, &pending) else { return };
        let races = self.said(&state, &[races])[0];
        self.clause(&other, &[races], Head::False, node(one).span);
    }

    /// Adds that a thread is at the place of a predicate.
    fn meet(&mut self, plan: &Plan, pred: PredId, state: &mut State) {
        let args = self.args(plan, pred, state);
        let atom = self.atom(pred, &args);
        state.holds.push(atom);
    }
}
