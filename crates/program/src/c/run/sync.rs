//! What the functions of threads, mutexes and conditions do.
//!
//! A mutex is the place it is at; what is stored there does not matter. Whoever takes a mutex that it holds waits
//! for ever, and to give back one that it does not hold has no meaning. Whoever waits for a condition wakes by a signal
//! alone, the one that was created first before the others; POSIX lets it wake for no reason, too, which
//! runs here never do.

use super::code::Access;
use super::code::Callee;
use super::machine::{Fault, Machine};
use super::threads::{MAX_THREADS, Site, Thread, Waits};
use super::value::IntType;
use super::value::{Address, Value};
use super::{Chooser, Watcher};
use crate::c::layout::IntKind;
use crate::c::library::{BUSY, Known, Sync};

impl<C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'_, C, W> {
    /// A call about threads, whose arguments are on the stack from a height on. They stay there if the thread must wait
    /// and call again.
    pub(super) fn about_threads(&mut self, known: Known, from: usize) -> Result<(), Fault> {
        let arg = |machine: &Self, index: usize| {
            let value = machine.stack.get(from + index).copied();
            value.ok_or(Fault::Undefined("a call with too few arguments"))
        };
        let mut result = 0;
        match known {
            Known::Sync(Sync::Create) => {
                let (handle, function) = (arg(self, 0)?, arg(self, 2)?);
                let argument = arg(self, 3)?;
                self.create(handle, function, argument)?;
            }
            Known::Sync(Sync::Join) => {
                let thread = self.thread_of(arg(self, 0)?)?;
                if arg(self, 1)? != Value::Int(0) {
                    return Err(Fault::Untreated("the result of a thread"));
                }
                if self.threads.all[thread].waits != Waits::Ended {
                    return self.wait(Waits::Thread(thread));
                }
            }
            Known::Sync(Sync::EndThread) => return self.exit_thread(),
            Known::Sync(Sync::MutexInit) => {
                let mutex = site(arg(self, 0)?)?;
                self.threads.holders.remove(&mutex);
            }
            Known::Sync(Sync::Lock) => {
                let mutex = site(arg(self, 0)?)?;
                if !self.take_mutex(mutex) {
                    return self.wait(Waits::Mutex(mutex));
                }
            }
            Known::Sync(Sync::TryLock) => {
                let mutex = site(arg(self, 0)?)?;
                result = if self.take_mutex(mutex) { 0 } else { BUSY };
            }
            Known::Sync(Sync::Unlock) => {
                let mutex = site(arg(self, 0)?)?;
                self.give_back(mutex)?;
            }
            Known::Sync(Sync::Wait) => {
                let (condition, mutex) = (site(arg(self, 0)?)?, site(arg(self, 1)?)?);
                if !self.has_waited(condition, mutex)? {
                    return Ok(());
                }
            }
            Known::Sync(Sync::Signal) | Known::Sync(Sync::Broadcast) => {
                let condition = site(arg(self, 0)?)?;
                self.signal(condition, known == Known::Sync(Sync::Broadcast));
            }
            Known::Sync(Sync::AtomicBegin) => self.threads.atomic += 1,
            Known::Sync(Sync::AtomicEnd) => {
                let left = self.threads.atomic.checked_sub(1);
                let what = "the end of an atomic section that has not begun";
                self.threads.atomic = left.ok_or(Fault::Undefined(what))?;
            }
            _ => return Err(Fault::Untreated("a call about threads")),
        }
        self.stack.truncate(from);
        self.push(Value::Int(result));
        Ok(())
    }

    /// Creates a thread, which is ready to call its function.
    fn create(&mut self, handle: Value, function: Value, argument: Value) -> Result<(), Fault> {
        let Value::Address(Address::Function(function)) = function else {
            return Err(Fault::Undefined("a thread of what is no function"));
        };
        let code = self.code;
        let Callee::Body(body) = &code.callees[function.0 as usize] else {
            return Err(Fault::Untreated("a thread of a function that is not defined"));
        };
        if let Some(what) = self.unit.unshareable() {
            return Err(Fault::Untreated(what));
        }
        if body.is_atomic || body.params.len() > 1 {
            return Err(Fault::Untreated("a thread of a function of another kind"));
        }
        if !self.threads.are_several() {
            self.threads.all.push(Thread::empty());
        }
        let number = self.threads.all.len();
        if number >= MAX_THREADS {
            return Err(Fault::Limit);
        }
        let kind = IntKind::UnsignedLong;
        let ty = IntType::new(kind, self.unit.types.model);
        let access = Access::Int(ty, kind.size(self.unit.types.model));
        self.write(handle, access, Value::Int(number as i128))?;
        // The call is entered as the new thread would, and put aside.
        let mut thread = Thread::empty();
        thread.pc = code.thread_end;
        thread.is_new = true;
        self.exchange_with(&mut thread);
        self.push(argument);
        let entered = self.enter(function, body, 1);
        self.exchange_with(&mut thread);
        entered?;
        self.threads.all.push(thread);
        Ok(())
    }

    /// Puts the state of the machine aside, and takes that of a thread.
    fn exchange_with(&mut self, thread: &mut Thread) {
        std::mem::swap(&mut self.pc, &mut thread.pc);
        std::mem::swap(&mut self.stack, &mut thread.stack);
        std::mem::swap(&mut self.slots, &mut thread.slots);
        std::mem::swap(&mut self.frames, &mut thread.frames);
        std::mem::swap(&mut self.base, &mut thread.base);
    }

    /// The thread of a handle.
    fn thread_of(&self, handle: Value) -> Result<usize, Fault> {
        let number = match handle {
            Value::Int(number) => usize::try_from(number).ok(),
            _ => None,
        };
        let number = number.filter(|&number| number > 0 && number < self.threads.all.len());
        number.ok_or(Fault::Undefined("joining what is no thread"))
    }

    /// Ends the thread that runs, in whatever function it is.
    fn exit_thread(&mut self) -> Result<(), Fault> {
        while !self.frames.is_empty() {
            self.leave(Value::Int(0));
        }
        self.stack.clear();
        match self.threads.are_several() {
            true => self.end_thread(Value::Int(0)),
            false => Err(Fault::Finished),
        }
    }

    /// Takes a mutex for the thread that runs, if nobody holds it.
    fn take_mutex(&mut self, mutex: Site) -> bool {
        let is_free = !self.threads.holders.contains_key(&mutex);
        if is_free {
            self.threads.holders.insert(mutex, self.threads.current);
        }
        is_free
    }

    /// Gives back a mutex.
    fn give_back(&mut self, mutex: Site) -> Result<(), Fault> {
        if self.threads.holders.get(&mutex) != Some(&self.threads.current) {
            return Err(Fault::Undefined("giving back a mutex that the thread does not hold"));
        }
        self.threads.holders.remove(&mutex);
        Ok(())
    }

    /// Waits for a condition; says whether that is over, and the thread holds the mutex again.
    fn has_waited(&mut self, condition: Site, mutex: Site) -> Result<bool, Fault> {
        if !self.threads.are_several() {
            return Err(Fault::Stopped(super::Reason::Deadlock));
        }
        let current = self.threads.current;
        if !std::mem::take(&mut self.threads.all[current].is_woken) {
            self.give_back(mutex)?;
            self.wait(Waits::Signal(condition))?;
            return Ok(false);
        }
        if !self.take_mutex(mutex) {
            self.threads.all[current].is_woken = true;
            self.wait(Waits::Mutex(mutex))?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Wakes the first that waits for a condition, or all.
    fn signal(&mut self, condition: Site, wakes_all: bool) {
        let current = self.threads.current;
        for (number, thread) in self.threads.all.iter_mut().enumerate() {
            if number != current && thread.waits == Waits::Signal(condition) {
                thread.waits = Waits::No;
                thread.is_woken = true;
                if !wakes_all {
                    return;
                }
            }
        }
    }
}

/// The place of a mutex or condition.
fn site(at: Value) -> Result<Site, Fault> {
    match at {
        Value::Address(Address::Object(to)) => Ok((to.object, to.offset)),
        _ => Err(Fault::Undefined("a mutex or condition that is none")),
    }
}
