//! Calls, and what they computed.
//!
//! A call is a predicate with values for the arguments that it needs. Its rules are run in their order, each to the end or to where
//! it fails, and what they give for the argument that is computed are its answers: one, if the predicate is a
//! function. A call that is made again has the answers that it had. One that is made below itself has none there,
//! and neither has one that is too deep: answers may be missing, so that nothing follows where there are none.
//!
//! Invariant: an answer is a rule with values for its variables under which its guards are true, and answers of
//! other calls that are its atoms.

use super::heap::{Ground, Heap};
use super::order::{Mode, Orders, Step};
use super::sizes::{Sizes, With};
use crate::settings::{
    ENUMERATE_MAX_ANSWERS, ENUMERATE_MAX_BITS, ENUMERATE_MAX_CALLS, ENUMERATE_MAX_DEPTH,
};
use crate::sld::bindings::NONE;
use crate::sld::guard::{Truth, judge, solution};
use crate::sld::program::{Guard, Pattern, Procedure};
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{Store, TermId, Value};
use rustc_hash::FxHashMap;

/// An answer of a call, by their numbers.
pub(super) type Below = (u32, u32);

/// How a call was answered.
pub(super) struct Answer {
    /// What was computed.
    output: Ground,
    pub(super) pred: usize,
    pub(super) rule: usize,
    pub(super) frame: Box<[Ground]>,
    /// The answers that the rule's atoms are.
    pub(super) below: Box<[Below]>,
}

/// Who takes answers; true if there are enough.
type Sink<'s, 'a> = &'s mut dyn FnMut(&Tables<'a>, Answer) -> bool;

/// A rule that is being run.
struct Run {
    pred: usize,
    mode: Mode,
    rule: usize,
    frame: Vec<Ground>,
    below: Vec<Below>,
}

/// All calls.
pub(super) struct Tables<'a> {
    store: &'a Store,
    pub(super) program: &'a [Procedure],
    orders: &'a Orders,
    pub(super) heap: Heap,
    sizes: Sizes,
    known: FxHashMap<(u32, Mode, Box<[Ground]>), u32>,
    pub(super) calls: Vec<Vec<Answer>>,
    depth: u64,
    /// Whether inputs or calls were left out.
    was_cut: bool,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        store: &'a Store,
        program: &'a [Procedure],
        orders: &'a Orders,
    ) -> Tables<'a> {
        Tables {
            store,
            program,
            orders,
            heap: Heap::default(),
            sizes: Sizes::default(),
            known: FxHashMap::default(),
            calls: Vec::new(),
            depth: 0,
            was_cut: false,
        }
    }

    /// Runs a rule of the query on inputs the product of whose places is bounded; whether some were left out.
    pub(super) fn query(
        &mut self,
        rule: usize,
        reach: u64,
        ctx: &mut Ctx<'_>,
        sink: Sink<'_, 'a>,
    ) -> Result<bool, Stop> {
        self.was_cut = false;
        let pred = self.program.len() - 1;
        let Some(mut run) = self.begin((pred, 0), rule, &[]) else { return Ok(false) };
        self.run(&mut run, 0, reach, ctx, sink)?;
        Ok(self.was_cut)
    }

    /// A rule that meets a call; none if it does not, or cannot be run.
    fn begin(&self, (pred, mode): (usize, Mode), rule: usize, inputs: &[Ground]) -> Option<Run> {
        self.orders.of(pred, mode)[rule].as_ref()?;
        let known = &self.program[pred].rules[rule];
        let mut frame = vec![NONE; known.vars];
        let mut new = Vec::new();
        let needed = known.head.iter().enumerate();
        let needed = needed.filter(|(at, _)| *at != mode);
        for ((_, pattern), &value) in needed.zip(inputs) {
            if !self.heap.meet(pattern, value, &mut frame, &mut new) {
                return None;
            }
        }
        Some(Run { pred, mode, rule, frame, below: vec![(NONE, NONE); known.body.len()] })
    }

    /// The number of a call, after it was made.
    fn call(
        &mut self,
        (pred, mode): (usize, Mode),
        inputs: Vec<Ground>,
        ctx: &mut Ctx<'_>,
    ) -> Result<u32, Stop> {
        let key = (pred as u32, mode, inputs.into_boxed_slice());
        if let Some(&call) = self.known.get(&key) {
            return Ok(call);
        }
        let call = self.calls.len() as u32;
        self.calls.push(Vec::new());
        let inputs = key.2.clone();
        self.known.insert(key, call);
        if self.depth >= ENUMERATE_MAX_DEPTH.get() {
            self.was_cut = true;
            return Ok(call);
        }
        self.depth += 1;
        let is_test = mode == self.program[pred].sorts.len();
        let most = if is_test { 1 } else { ENUMERATE_MAX_ANSWERS.size() };
        let mut answers: Vec<Answer> = Vec::new();
        for rule in 0..self.program[pred].rules.len() {
            if answers.len() >= most {
                break;
            }
            ctx.tick(1)?;
            let Some(mut run) = self.begin((pred, mode), rule, &inputs) else { continue };
            self.run(&mut run, 0, 1, ctx, &mut |_, answer| {
                if answers.iter().all(|known| known.output != answer.output) {
                    answers.push(answer);
                }
                answers.len() >= most
            })?;
        }
        self.depth -= 1;
        self.calls[call as usize] = answers;
        Ok(call)
    }

    /// Runs a rule from a step on; whether there are enough answers.
    fn run(
        &mut self,
        run: &mut Run,
        at: usize,
        reach: u64,
        ctx: &mut Ctx<'_>,
        sink: Sink<'_, 'a>,
    ) -> Result<bool, Stop> {
        let (program, orders) = (self.program, self.orders);
        let rule = &program[run.pred].rules[run.rule];
        let step = orders.of(run.pred, run.mode)[run.rule].as_ref().and_then(|steps| steps.get(at));
        ctx.tick(1)?;
        match step {
            None => {
                let output = match rule.head.get(run.mode) {
                    Some(computed) => self.heap.build(computed, &run.frame),
                    None => Some(NONE),
                };
                let Some(output) = output else { return Ok(false) };
                let Run { pred, rule, frame, below, .. } = &*run;
                let (frame, below) = (frame.clone().into(), below.clone().into());
                Ok(sink(self, Answer { output, pred: *pred, rule: *rule, frame, below }))
            }
            Some(&Step::Test(guard)) => {
                let is_true = self.is_true(&rule.guards[guard], &run.frame);
                Ok(is_true && self.run(run, at + 1, reach, ctx, sink)?)
            }
            Some(&Step::Solve(guard, var)) => {
                let guard = &rule.guards[guard];
                let Some(value) = self.solved(guard, &run.frame) else { return Ok(false) };
                run.frame[var as usize] = value;
                // What was solved is tested: it is one way to read the equation.
                let is_enough =
                    self.is_true(guard, &run.frame) && self.run(run, at + 1, reach, ctx, sink)?;
                run.frame[var as usize] = NONE;
                Ok(is_enough)
            }
            Some(&Step::Call(atom, mode)) => {
                let (pred, args) = &rule.body[atom];
                let inputs = args.iter().enumerate().filter(|(position, _)| *position != mode);
                let inputs = inputs.map(|(_, arg)| self.heap.build(arg, &run.frame));
                let Some(inputs) = inputs.collect::<Option<Vec<_>>>() else { return Ok(false) };
                let call = self.call((*pred, mode), inputs, ctx)?;
                for number in 0..self.calls[call as usize].len() {
                    let mut new = Vec::new();
                    let output = self.calls[call as usize][number].output;
                    let fits = args.get(mode).is_none_or(|computed| {
                        self.heap.meet(computed, output, &mut run.frame, &mut new)
                    });
                    run.below[atom] = (call, number as u32);
                    let is_enough = fits && self.run(run, at + 1, reach, ctx, sink)?;
                    for var in new {
                        run.frame[var as usize] = NONE;
                    }
                    if is_enough {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Some(&Step::Input(var, sort)) => {
                for place in 0..reach {
                    if at == 0 {
                        self.forget_if_many();
                    }
                    let mut with = With { store: self.store, heap: &mut self.heap, ctx: &mut *ctx };
                    let next = self.sizes.get(&mut with, sort, place as usize)?;
                    let Some(value) = next else {
                        run.frame[var as usize] = NONE;
                        return Ok(false);
                    };
                    run.frame[var as usize] = value;
                    if self.run(run, at + 1, reach / (place + 1), ctx, sink)? {
                        return Ok(true);
                    }
                }
                run.frame[var as usize] = NONE;
                self.was_cut = true;
                Ok(false)
            }
        }
    }

    /// Forgets calls and values if there are too many; at the first step, before which nothing refers to them.
    fn forget_if_many(&mut self) {
        if self.calls.len().max(self.heap.len()) > ENUMERATE_MAX_CALLS.size() {
            self.known.clear();
            self.calls.clear();
            (self.heap, self.sizes) = (Heap::default(), Sizes::default());
        }
    }

    /// Whether a guard is true, whose variables all have values.
    fn is_true(&mut self, guard: &Guard, frame: &[Ground]) -> bool {
        let env = self.env(guard, frame);
        env.is_some_and(|env| judge(self.store, &self.heap, guard.formula, &env) == Truth::True)
    }

    /// What an equation says that the variable is that has no value.
    fn solved(&mut self, guard: &Guard, frame: &[Ground]) -> Option<Ground> {
        let env = self.env(guard, frame)?;
        match solution(self.store, &self.heap, guard.formula, &env)? {
            (NONE, Some(value)) => self.written(&value),
            _ => None,
        }
    }

    /// A value that was computed, if it is not too large.
    fn written(&mut self, value: &Value) -> Option<Ground> {
        let is_large = match value {
            Value::Int(value) => value.bit_len() > ENUMERATE_MAX_BITS.size(),
            Value::Real(value) => value.bit_len() > ENUMERATE_MAX_BITS.get(),
            _ => false,
        };
        if is_large { None } else { self.heap.write(value) }
    }

    /// What the variables of a guard are; `NONE` for the one without value.
    fn env(&mut self, guard: &Guard, frame: &[Ground]) -> Option<Vec<(TermId, Ground)>> {
        let mut env = Vec::with_capacity(guard.vars.len());
        for (var, pattern) in &guard.vars {
            let value = match pattern {
                Pattern::Var(var) => frame[*var as usize],
                _ => self.heap.build(pattern, frame)?,
            };
            env.push((*var, value));
        }
        Some(env)
    }
}
