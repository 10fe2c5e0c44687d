//! Threads: who runs, who waits, and whose turn is next.
//!
//! Threads are interleaved, and memory is sequentially consistent: a write is seen by all at once. A thread is
//! interrupted before *visible* steps only: its beginning, an access to a global or to memory, creating and joining
//! threads, what is done with mutexes and conditions, the beginning of an atomic section, the call of an atomic
//! function. Whatever lies between two of
//! them touches nothing that other threads see. It also *rests* before it would end the run (the entry returns, the program
//! gives up or is told to end), and when it has gone round loops for long without a visible step, so that what it
//! has done so far is seen by others. A choice (`Choice::Turn`) says who takes visible steps next, and how
//! many; it is asked for when those of the last turn are used up, or its thread waits or has ended, and only if
//! several threads could go on. While a thread is in an atomic section no other runs.
//!
//! Two threads race if one takes a step that uses a place while another is about to use it, one of them writes it, and
//! not both do so atomically.
//!
//! Source: \[Lam79\]; the rules of SV-COMP for `__VERIFIER_atomic_` and data races.

use super::code::{Access, Callee, Instr, Pc};
use super::machine::{Fault, Frame, Machine};
use super::value::{Address, ObjectId, Value};
use super::{Chooser, Reason, Wanted, Watcher};
use crate::c::property::{Asked, Choice, Property};
use crate::c::tree::FuncId;
use alphorn_problem::Span;
use std::collections::BTreeMap;

/// The most threads of a run: a set of them is a word.
pub(super) const MAX_THREADS: usize = 64;

/// How often a thread goes round loops without a visible step before others may run.
const QUIET_ROUNDS: u32 = 1000;

/// A place where a mutex or a condition is.
pub(super) type Site = (ObjectId, i64);

/// What a thread is about to do where it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// Something that is no access.
    Other,
    /// To use a global in a slot, and whether it writes it.
    Global(u32, bool),
    /// To use some bytes of an object from the first to before the last, and whether it writes them.
    Bytes(ObjectId, i64, i64, bool),
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// Nothing.
    No,
    /// That nobody holds a mutex.
    Mutex(Site),
    /// That a thread ends.
    Thread(usize),
    /// A signal.
    Signal(Site),
    /// For ever: it has ended.
    Ended,
}

/// A thread that does not run now.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) pc: Pc,
    pub(super) stack: Vec<Value>,
    pub(super) slots: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    pub(super) base: usize,
    pub(super) pending: Pending,
    pub(super) waits: Waits,
    /// Whether it was woken by a signal, and is to take the mutex again.
    pub(super) is_woken: bool,
    /// Whether it has not run yet.
    pub(super) is_new: bool,
    /// Whether it rests between visible steps.
    is_at_rest: bool,
    /// How the run ends if it goes on, and where its last function returned.
    ends: Option<(Fault, Span)>,
}

impl Thread {
    /// One whose state is the machine's.
    pub(super) fn empty() -> Thread {
        Thread {
            pc: 0,
            stack: Vec::new(),
            slots: Vec::new(),
            frames: Vec::new(),
            base: 0,
            pending: Pending::Other,
            waits: Waits::No,
            is_woken: false,
            is_new: false,
            is_at_rest: false,
            ends: None,
        }
    }
}

/// All threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// By the order of creation; none before the first other one is created. What the thread that runs has in here
    /// is not looked at.
    pub(super) all: Vec<Thread>,
    /// The one that runs.
    pub(super) current: usize,
    /// In how many atomic sections it is.
    pub(super) atomic: u32,
    /// How many visible steps its turn has left.
    left: u64,
    /// Whether it has been asked about its next visible step already.
    is_granted: bool,
    /// How often it has gone round a loop since its last visible step.
    rounds: u32,
    /// Whether it was chosen to end the run.
    is_ending: bool,
    /// Who holds the mutexes that are held.
    pub(super) holders: BTreeMap<Site, usize>,
}

impl Threads {
    /// Whether there is, or was, more than one.
    #[inline]
    pub(super) fn are_several(&self) -> bool {
        !self.all.is_empty()
    }

    /// The values that threads hold which do not run.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.all.iter().flat_map(|thread| thread.slots.iter().chain(&thread.stack))
    }

    /// Whether a thread can go on.
    fn is_ready(&self, thread: usize) -> bool {
        match self.all[thread].waits {
            Waits::No => true,
            Waits::Mutex(mutex) => !self.holders.contains_key(&mutex),
            Waits::Thread(other) => self.all[other].waits == Waits::Ended,
            Waits::Signal(_) | Waits::Ended => false,
        }
    }

    /// The threads that can go on, as bits.
    fn ready(&self) -> u64 {
        let ready = (0..self.all.len()).filter(|&thread| self.is_ready(thread));
        ready.fold(0, |set, thread| set | 1 << thread)
    }
}

impl<C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'_, C, W> {
    /// Whether a call is a visible step.
    pub(super) fn is_visible_call(&self, function: FuncId) -> bool {
        match &self.code.callees[function.0 as usize] {
            Callee::Body(body) => body.is_atomic,
            Callee::Known(known) => known.is_visible(),
            _ => false,
        }
    }

    /// The thread comes to an access to a global. Says whether it goes on, or another one does.
    pub(super) fn comes_to_global(&mut self, slot: u32, is_write: bool) -> Result<bool, Fault> {
        match self.code.is_fixed[slot as usize] {
            true => Ok(true),
            false => self.comes_to_point(Pending::Global(slot, is_write)),
        }
    }

    /// The thread comes to an access to memory, the instruction before the next one.
    pub(super) fn comes_to_memory(&mut self) -> Result<bool, Fault> {
        let pointer_size = self.unit.types.pointer_size();
        let of = |access: Access| access.size(pointer_size);
        let height = self.stack.len();
        let top = |depth: usize| height.checked_sub(depth).map(|at| self.stack[at]);
        let (at, size, is_write) = match self.code.instrs[self.pc as usize - 1] {
            Instr::Read(access) => (top(1), of(access), false),
            Instr::ReadRecord(ty) => (top(1), self.unit.types.size(ty).unwrap_or(0), false),
            Instr::Write(access) => (top(2), of(access), true),
            Instr::WriteRecord => {
                let size = top(1).and_then(|value| self.record(value).ok());
                (top(2), size.map_or(0, |bytes| bytes.raw().len() as u64), true)
            }
            _ => (None, 0, false),
        };
        let pending = match at {
            Some(Value::Address(Address::Object(to))) => {
                Pending::Bytes(to.object, to.offset, to.offset + size as i64, is_write)
            }
            _ => Pending::Other,
        };
        self.comes_to_point(pending)
    }

    /// The thread comes to a visible step. Says whether it goes on, or another one does.
    pub(super) fn comes_to_point(&mut self, pending: Pending) -> Result<bool, Fault> {
        self.threads.rounds = 0;
        if self.threads.atomic == 0 && !std::mem::take(&mut self.threads.is_granted) {
            if self.threads.left > 0 {
                self.threads.left -= 1;
            } else {
                let current = self.threads.current;
                self.threads.all[current].waits = Waits::No;
                let next = self.next_turn(false)?;
                if next != current {
                    self.pc -= 1;
                    self.threads.all[current].pending = pending;
                    self.switch_to(next)?;
                    return Ok(false);
                }
            }
        }
        if self.threads.atomic == 0 {
            self.watch.passes(self.threads.current as u32, self.span());
        }
        self.look_for_race(pending)?;
        Ok(true)
    }

    /// The thread passes the head of a loop; after many of them others may run.
    pub(super) fn goes_round(&mut self) -> Result<(), Fault> {
        self.threads.rounds += 1;
        if self.threads.atomic > 0 || self.threads.rounds < QUIET_ROUNDS {
            return Ok(());
        }
        self.threads.rounds = 0;
        self.comes_to_rest(None)
    }

    /// The run would end so; if that is an end of the program and not of a replay, others may run before.
    pub(super) fn comes_to_end(&mut self, fault: Fault) -> Result<(), Fault> {
        let reasons = [Reason::Assume, Reason::Abort, Reason::Exit, Reason::Failed];
        let is_end = fault == Fault::Finished
            || reasons.into_iter().any(|reason| fault == Fault::Stopped(reason));
        let is_alone = !self.threads.are_several() || self.threads.atomic > 0;
        if !is_end || is_alone || std::mem::take(&mut self.threads.is_ending) {
            return Err(fault);
        }
        self.comes_to_rest(Some(fault))
    }

    /// The thread comes to a place between visible steps where others may run; the run ends with a fault if it goes on.
    fn comes_to_rest(&mut self, ends: Option<Fault>) -> Result<(), Fault> {
        let current = self.threads.current;
        if self.threads.left > 0 {
            self.threads.left -= 1;
            return ends.map_or(Ok(()), Err);
        }
        self.threads.all[current].waits = Waits::No;
        let next = self.next_turn(true)?;
        if next == current {
            return ends.map_or(Ok(()), Err);
        }
        let returned = self.returned;
        let thread = &mut self.threads.all[current];
        thread.pending = Pending::Other;
        (thread.is_at_rest, thread.ends) = (true, ends.map(|fault| (fault, returned)));
        self.switch_to(next)
    }

    /// Asks who is next, if several could be; the one that is may take its next visible step. The thread that ran last may
    /// rest between visible steps.
    fn next_turn(&mut self, is_at_rest: bool) -> Result<usize, Fault> {
        let (ready, current) = (self.threads.ready(), self.threads.current as u32);
        match ready.count_ones() {
            0 => Err(Fault::Stopped(Reason::Deadlock)),
            1 => Ok(ready.trailing_zeros() as usize),
            _ => match self.choose(Asked::Schedule, Wanted::Turn { ready, current, is_at_rest })? {
                Choice::Turn { thread, points } => {
                    self.threads.left = points - 1;
                    Ok(thread as usize)
                }
                _ => Err(Fault::Refused("a turn is asked for")),
            },
        }
    }

    /// Another thread goes on, and takes its next visible step without being asked.
    fn switch_to(&mut self, next: usize) -> Result<(), Fault> {
        let current = self.threads.current;
        self.tell(|watch, _, state| watch.turn(next as u32, state));
        self.exchange(current);
        self.exchange(next);
        self.threads.current = next;
        // To begin is a visible step, too: it comes to the first access and may be interrupted there.
        // Likewise it goes on from where it rested.
        let thread = &mut self.threads.all[next];
        let is_new = std::mem::take(&mut thread.is_new);
        self.threads.is_granted = !is_new && !std::mem::take(&mut thread.is_at_rest);
        self.threads.rounds = 0;
        (thread.waits, thread.pending) = (Waits::No, Pending::Other);
        if let Some((fault, returned)) = thread.ends.take() {
            (self.threads.is_ending, self.returned) = (true, returned);
            return Err(fault);
        }
        Ok(())
    }

    /// Puts the state of the machine aside as that of a thread, and takes what was put aside.
    fn exchange(&mut self, thread: usize) {
        let thread = &mut self.threads.all[thread];
        std::mem::swap(&mut self.pc, &mut thread.pc);
        std::mem::swap(&mut self.stack, &mut thread.stack);
        std::mem::swap(&mut self.slots, &mut thread.slots);
        std::mem::swap(&mut self.frames, &mut thread.frames);
        std::mem::swap(&mut self.base, &mut thread.base);
    }

    /// The thread cannot take the step before the next instruction now: another one goes on, and this one
    /// takes the step again later.
    pub(super) fn wait(&mut self, waits: Waits) -> Result<(), Fault> {
        if self.threads.atomic > 0 || !self.threads.are_several() {
            // Nobody else may run, and this one cannot.
            return Err(Fault::Stopped(Reason::Deadlock));
        }
        self.pc -= 1;
        self.stop_running(waits)
    }

    /// Another thread goes on, and this one when what it waits for has happened.
    fn stop_running(&mut self, waits: Waits) -> Result<(), Fault> {
        let current = self.threads.current;
        self.threads.left = 0;
        self.threads.all[current].waits = waits;
        self.threads.all[current].pending = Pending::Other;
        let next = self.next_turn(false)?;
        self.switch_to(next)
    }

    /// The function of the thread that runs has returned, or the thread is ended.
    pub(super) fn end_thread(&mut self, _result: Value) -> Result<(), Fault> {
        if self.threads.atomic > 0 {
            return Err(Fault::Undefined("a thread that ends in an atomic section"));
        }
        let current = self.threads.current;
        let is_over = |thread: usize| self.threads.all[thread].waits == Waits::Ended;
        if (0..self.threads.all.len()).all(|thread| thread == current || is_over(thread)) {
            return Err(Fault::Finished);
        }
        self.stop_running(Waits::Ended)
    }

    /// Whether a step of the thread that runs races with what another one is about to do.
    fn look_for_race(&self, step: Pending) -> Result<(), Fault> {
        if !self.asked.has(Property::NoDataRace) || step == Pending::Other {
            return Ok(());
        }
        let others = self.threads.all.iter().enumerate();
        let mut others = others.filter(|(thread, _)| *thread != self.threads.current);
        let is_atomic = |step: Pending| matches!(step, Pending::Global(slot, _) if self.code.is_atomic[slot as usize]);
        let is_step_atomic = self.threads.atomic > 0 || is_atomic(step);
        let races = |other: &Thread| {
            let are_atomic = is_step_atomic && is_atomic(other.pending);
            other.waits == Waits::No && !are_atomic && conflict(step, other.pending)
        };
        match others.any(|(_, other)| races(other)) {
            true => Err(Fault::Violation(Property::NoDataRace)),
            false => Ok(()),
        }
    }
}

/// Whether two steps use a place in common, and one of them writes it.
fn conflict(one: Pending, other: Pending) -> bool {
    match (one, other) {
        (Pending::Global(slot, writes), Pending::Global(place, also)) => {
            slot == place && (writes || also)
        }
        (Pending::Bytes(object, from, to, writes), Pending::Bytes(place, start, end, also)) => {
            object == place && from < end && start < to && (writes || also)
        }
        _ => false,
    }
}
