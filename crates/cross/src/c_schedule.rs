//! A run with threads that a derivation tells, followed on the program itself.
//!
//! The woven form tells which thread takes a visible step, and where that stands; the program stops before visible
//! steps, too, and asks who is next. The two do not agree step for step: the form also steps where a side of `&&` is not
//! evaluated, and looks at what ends lives. So each thread has a list of the steps that were told for it. A step of
//! the program that is not among them is taken at once; else that thread goes on whose step was told first. What
//! is chosen goes by thread, too. A thread that would end the run waits until no other one has anything to do. Whether the run that comes of this violates anything is for the program to
//! say.

use crate::c_horn::Teller;
use alphorn_problem::Span;
use alphorn_program::c::property::{Asked, Choice, Task};
use alphorn_program::c::run::{Chooser, State, Wanted, Watcher};
use alphorn_program::clauses::story::Told;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// What is left to do of a thread.
#[derive(Debug, Default)]
struct Lane {
    /// The steps, by their order among all.
    steps: VecDeque<(usize, Span)>,
    /// The step before which it was stopped.
    pending: Option<Span>,
    /// Whether it rests between steps; then it goes on only if it has a step to take.
    is_at_rest: bool,
    choices: VecDeque<Told>,
}

/// What is left to do of all threads.
#[derive(Debug, Default)]
struct Plan {
    lanes: Vec<Lane>,
    current: usize,
}

/// Makes the choices of a run with threads.
pub struct Guide<'t> {
    plan: Rc<RefCell<Plan>>,
    task: &'t Task,
}

/// Notes which steps were taken.
pub struct Taken {
    plan: Rc<RefCell<Plan>>,
}

/// Whether a run was told that has threads.
pub fn has_threads(told: &[Told]) -> bool {
    told.iter().any(|one| matches!(one, Told::Created(_)))
}

/// Who makes the choices that were told, and who looks on.
pub fn guide(told: Vec<Told>, task: &Task) -> (Guide<'_>, Taken) {
    // Threads are told by numbers of the form, and the program counts them as they are created.
    let mut order: Vec<u32> = vec![0];
    order.extend(told.iter().filter_map(|one| match one {
        Told::Created(thread) => Some(*thread),
        _ => None,
    }));
    let mut plan = Plan::default();
    plan.lanes.resize_with(order.len(), Lane::default);
    let mut current = 0;
    for (index, one) in told.into_iter().enumerate() {
        match one {
            Told::Created(_) => {}
            Told::Turn(thread, span) => {
                current = order.iter().position(|&number| number == thread).unwrap_or(0);
                plan.lanes[current].steps.push_back((index, span));
            }
            other => plan.lanes[current].choices.push_back(other),
        }
    }
    let plan = Rc::new(RefCell::new(plan));
    (Guide { plan: Rc::clone(&plan), task }, Taken { plan })
}

impl Plan {
    /// When a thread's next step was told; a step that was not told comes first.
    fn when(&self, thread: usize) -> usize {
        let Some(lane) = self.lanes.get(thread) else { return usize::MAX };
        match lane.pending {
            None if lane.is_at_rest && lane.steps.is_empty() => usize::MAX - 1,
            None => lane.steps.front().map_or(usize::MAX, |step| step.0),
            Some(span) => lane.steps.iter().find(|step| step.1 == span).map_or(0, |step| step.0),
        }
    }
}

impl Chooser for Guide<'_> {
    fn choose(&mut self, _: Asked, wanted: Wanted, span: Span) -> Option<Choice> {
        let mut plan = self.plan.borrow_mut();
        let Wanted::Turn { ready, current, is_at_rest } = wanted else {
            let current = plan.current;
            let told = plan.lanes.get_mut(current)?.choices.pop_front()?;
            return Teller::fit(self.task, told, wanted);
        };
        let is_ready = |thread: usize| ready >> thread & 1 == 1;
        if is_ready(current as usize)
            && let Some(lane) = plan.lanes.get_mut(current as usize)
        {
            lane.pending = (!is_at_rest).then_some(span);
            lane.is_at_rest = is_at_rest;
        }
        let next = (0..64).filter(|&thread| is_ready(thread)).min_by_key(|&t| plan.when(t))?;
        plan.current = next;
        Some(Choice::Turn { thread: next as u32, points: 1 })
    }
}

impl Watcher for Taken {
    fn passes(&mut self, thread: u32, span: Span) {
        let mut plan = self.plan.borrow_mut();
        plan.current = thread as usize;
        let Some(lane) = plan.lanes.get_mut(thread as usize) else { return };
        (lane.pending, lane.is_at_rest) = (None, false);
        if let Some(at) = lane.steps.iter().position(|step| step.1 == span) {
            lane.steps.drain(..=at);
        }
    }

    fn turn(&mut self, thread: u32, _: &State<'_>) {
        self.plan.borrow_mut().current = thread as usize;
    }
}
