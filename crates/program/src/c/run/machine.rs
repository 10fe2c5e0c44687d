//! The machine: one rule per instruction.
//!
//! Calls are frames on a stack of the machine's own, so that a program's recursion is limited by
//! `Limits::depth` and not by the stack of whoever runs it.

use super::code::{Callee, Code, Instr, Pc};
use super::memory::{Bytes, Contents, Kind, Memory, Misuse};
use super::operate::to_value;
use super::recall::{Begun, Recall};
use super::state::State;
use super::threads::{Pending, Threads};
use super::value::{Address, IntType, ObjectId, Pointer, Value, float_arith, float_compare};
use super::value::{float_to_int, int_to_float, round};
use super::{Chooser, Limits, Outcome, Properties, Ran, Reason, Runnable, Wanted, Watcher, leak};
use crate::c::layout::IntKind;
use crate::c::property::{Asked, Choice, Property, Task, Violation};
use crate::c::tree::{Arith, FuncId, Unit};
use alphorn_problem::Span;

/// How much of a search in memory costs as much as a step.
const WORK_PER_STEP: u64 = 8;

/// Why a run does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A property is violated.
    Violation(Property),
    /// The entry returned.
    Finished,
    /// The program stops.
    Stopped(Reason),
    /// A limit is reached.
    Limit,
    /// Something is not treated.
    Untreated(&'static str),
    /// Something has no meaning.
    Undefined(&'static str),
    /// A choice does not fit.
    Refused(&'static str),
    /// A slice of the run is over, and the run may go on.
    Paused,
}

/// A call that is being run.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: FuncId,
    /// Where to go on afterwards.
    pub(super) back: Pc,
    /// The first slot.
    pub(super) base: usize,
    /// How high the stack is without it.
    pub(super) height: usize,
    /// What `alloca` made.
    pub(super) allocated: Vec<ObjectId>,
    /// Set if the call is remembered when it returns.
    pub(super) begun: Option<Begun>,
}

/// A run.
pub(super) struct Machine<'a, C: ?Sized, W: ?Sized> {
    pub(super) task: &'a Task,
    pub(super) unit: &'a Unit,
    pub(super) code: &'a Code,
    pub(super) asked: Properties,
    pub(super) chooser: &'a mut C,
    pub(super) watch: &'a mut W,
    pub(super) limits: Limits,
    pub(super) steps: u64,
    pub(super) pc: Pc,
    pub(super) stack: Vec<Value>,
    pub(super) slots: Vec<Value>,
    pub(super) globals: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    pub(super) base: usize,
    pub(super) memory: Memory,
    pub(super) records: Vec<Option<Bytes>>,
    pub(super) free_records: Vec<u32>,
    pub(super) texts: Vec<Option<Pointer>>,
    pub(super) pointer: IntType,
    /// Where the last function returned.
    pub(super) returned: Span,
    /// After how many steps the run pauses at a loop.
    pub(super) pause: u64,
    /// After how many steps memory may be looked over again.
    pub(super) next_look: u64,
    /// The calls that are remembered, unless somebody wants to see all.
    pub(super) recall: Option<Recall>,
    /// The threads, as far as they do not run now.
    pub(super) threads: Threads,
}

/// A pointer to a place in an object.
pub(super) fn to(pointer: Pointer) -> Value {
    Value::Address(Address::Object(pointer))
}

impl<'a, C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'a, C, W> {
    pub(super) fn new(
        program: &'a Runnable,
        chooser: &'a mut C,
        limits: Limits,
        watch: &'a mut W,
    ) -> Machine<'a, C, W> {
        let unit = &*program.task.unit;
        let recall = (!watch.sees_repeated_calls()).then(Recall::default);
        Machine {
            task: &program.task,
            unit,
            code: &program.code,
            asked: program.asked,
            chooser,
            watch,
            limits,
            steps: 0,
            pc: program.code.start,
            stack: Vec::new(),
            slots: Vec::new(),
            globals: vec![Value::Undefined; program.code.globals as usize],
            frames: Vec::new(),
            base: 0,
            memory: Memory::new(limits.memory, unit.types.pointer_size()),
            records: Vec::new(),
            free_records: Vec::new(),
            texts: vec![None; unit.strings.len()],
            pointer: IntType::new(IntKind::UnsignedLong, unit.types.model),
            returned: Span::NONE,
            pause: u64::MAX,
            next_look: 0,
            recall,
            threads: Threads::default(),
        }
    }

    /// Runs to the end.
    pub(super) fn run(mut self) -> Ran {
        let fault = match self.begin() {
            Ok(()) => self.go_on(),
            Err(fault) => fault,
        };
        self.ended(fault)
    }

    /// Runs to the end, or until somebody who is told how many steps there were says no.
    pub(super) fn run_in_slices(mut self, slice: u64, goes_on: &mut dyn FnMut(u64) -> bool) -> Ran {
        let fault = match self.begin() {
            Ok(()) => loop {
                self.pause = self.steps.saturating_add(slice);
                match self.go_on() {
                    Fault::Paused if goes_on(self.steps) => {}
                    Fault::Paused => break Fault::Limit,
                    fault => break fault,
                }
            },
            Err(fault) => fault,
        };
        self.ended(fault)
    }

    /// How the run went that ended with this.
    fn ended(mut self, fault: Fault) -> Ran {
        let at = (self.pc as usize).saturating_sub(1);
        let span = match fault {
            Fault::Finished => self.returned,
            _ => self.code.spans.get(at).copied().unwrap_or_default(),
        };
        let fault = self.look_over(fault);
        let outcome = match fault {
            Fault::Violation(property) => Outcome::Violation(Violation { property, span }),
            Fault::Finished => Outcome::Finished,
            Fault::Stopped(reason) => Outcome::Stopped(reason),
            Fault::Limit | Fault::Paused => Outcome::Limit,
            Fault::Untreated(what) => Outcome::Untreated(what, span),
            Fault::Undefined(what) => Outcome::Undefined(what, span),
            Fault::Refused(what) => Outcome::Refused(what, span),
        };
        let spared = self.recall.map_or(0, |recall| recall.spared);
        Ran { outcome, steps: self.steps, spared }
    }

    /// Objects that live as long as the program.
    fn begin(&mut self) -> Result<(), Fault> {
        for &(slot, size) in &self.code.global_objects {
            self.spend(size / 64)?;
            let object = self.memory.allocate(Kind::Global, size).map_err(|_| Fault::Limit)?;
            self.globals[slot as usize] = to(object);
        }
        Ok(())
    }

    fn go_on(&mut self) -> Fault {
        loop {
            if let Err(fault) = self.step()
                && let Err(fault) = self.comes_to_end(fault)
            {
                return fault;
            }
        }
    }

    /// Memory at the end of the program.
    fn look_over(&mut self, fault: Fault) -> Fault {
        let (is_end, is_orderly) = match fault {
            Fault::Finished | Fault::Stopped(Reason::Exit | Reason::Failed) => (true, true),
            Fault::Stopped(Reason::Abort) => (true, false),
            _ => (false, false),
        };
        if is_end && self.asked.has(Property::ValidMemtrack) && self.search_lost().is_lost {
            return Fault::Violation(Property::ValidMemtrack);
        }
        if is_orderly && self.asked.has(Property::MemCleanup) && leak::is_left(&self.memory) {
            return Fault::Violation(Property::MemCleanup);
        }
        fault
    }

    /// Memory in a run that may have no end, as often as it costs no more than the run itself: what is lost stays lost.
    fn look_over_on_the_way(&mut self) -> Result<(), Fault> {
        if self.steps < self.next_look {
            return Ok(());
        }
        let search = self.search_lost();
        self.next_look = self.steps.saturating_add(search.work / WORK_PER_STEP);
        match search.is_lost {
            true => Err(Fault::Violation(Property::ValidMemtrack)),
            false => Ok(()),
        }
    }

    /// Looks for something allocated that nothing leads to.
    fn search_lost(&self) -> leak::Search {
        let own = self.globals.iter().chain(&self.slots).chain(&self.stack);
        let values = own.chain(self.threads.values());
        let inside = self.records.iter().flatten().flat_map(Bytes::targets);
        leak::search_lost(&self.memory, values, inside)
    }

    /// Takes so many steps.
    #[inline]
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Fault> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            self.steps = self.limits.steps;
            return Err(Fault::Limit);
        }
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().expect("code leaves a value where one is taken")
    }

    fn top(&self) -> Value {
        *self.stack.last().expect("code leaves a value where one is taken")
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn span(&self) -> Span {
        self.code.spans[self.pc as usize - 1]
    }

    /// What went wrong with memory.
    pub(super) fn misuse(&self, misuse: Misuse) -> Fault {
        match misuse {
            Misuse::Invalid if self.asked.has(Property::ValidDeref) => {
                Fault::Violation(Property::ValidDeref)
            }
            Misuse::Invalid => Fault::Undefined("access to what is no living object"),
            Misuse::ReadOnly => Fault::Undefined("writing to a string literal"),
            Misuse::Unset => Fault::Undefined("reading what has no value"),
            Misuse::Foreign => Fault::Untreated("access to what lies outside the program"),
            Misuse::PartOfAddress => Fault::Untreated("a part of an address as a number"),
            Misuse::Full => Fault::Limit,
        }
    }

    /// Lets the watcher look.
    #[inline]
    pub(super) fn tell(&mut self, what: impl FnOnce(&mut W, Span, &State<'_>)) {
        let state = State {
            unit: self.unit,
            code: self.code,
            memory: &self.memory,
            slots: &self.slots[self.base..],
            globals: &self.globals,
            function: self.frames.last().map(|frame| frame.function),
            depth: self.frames.len(),
            steps: self.steps,
        };
        let at = (self.pc as usize).saturating_sub(1);
        what(self.watch, self.code.spans[at], &state);
    }

    /// Makes the next choice.
    pub(super) fn choose(&mut self, asked: Asked, wanted: Wanted) -> Result<Choice, Fault> {
        let span = self.span();
        let choice = self.chooser.choose(asked, wanted, span);
        let choice = choice.ok_or(Fault::Refused("no choice is left"))?;
        let fits = match (&choice, wanted) {
            (Choice::Value(number), Wanted::Int(kind)) => {
                IntType::new(kind, self.unit.types.model).contains(*number)
            }
            (Choice::Value(number), Wanted::Pointer) => self.pointer.contains(*number),
            (Choice::Contents { .. }, Wanted::Contents(_)) => true,
            (Choice::Allocated(_), Wanted::Allocated) => true,
            (Choice::Turn { thread, points }, Wanted::Turn { ready, .. }) => {
                *points > 0 && *thread < 64 && ready >> thread & 1 == 1
            }
            _ => false,
        };
        if !fits {
            return Err(Fault::Refused("the choice is not one of the values that are asked for"));
        }
        self.watch.chosen(asked, &choice, span);
        Ok(choice)
    }

    /// A number that is chosen.
    pub(super) fn choose_number(&mut self, asked: Asked, wanted: Wanted) -> Result<i128, Fault> {
        match self.choose(asked, wanted)? {
            Choice::Value(number) => Ok(number),
            _ => Err(Fault::Refused("a value is asked for")),
        }
    }

    /// Contents that are chosen for so many bytes.
    pub(super) fn choose_contents(&mut self, asked: Asked, size: u64) -> Result<Contents, Fault> {
        match self.choose(asked, Wanted::Contents(size))? {
            Choice::Contents { cells, default } => Ok(Contents::new(&cells, default)),
            _ => Err(Fault::Refused("contents are asked for")),
        }
    }

    /// A structure in flight.
    pub(super) fn keep(&mut self, bytes: Bytes) -> Result<Value, Fault> {
        self.memory.reserve(bytes.raw().len() as u64).map_err(|_| Fault::Limit)?;
        Ok(Value::Record(match self.free_records.pop() {
            Some(index) => {
                self.records[index as usize] = Some(bytes);
                index
            }
            None => {
                self.records.push(Some(bytes));
                (self.records.len() - 1) as u32
            }
        }))
    }

    /// A structure that has arrived.
    pub(super) fn take(&mut self, value: Value) -> Result<Bytes, Fault> {
        let Value::Record(index) = value else {
            return Err(Fault::Undefined("a structure that has no value"));
        };
        self.free_records.push(index);
        let bytes = self.records[index as usize].take().expect("a structure is taken once");
        self.memory.release(bytes.raw().len() as u64);
        Ok(bytes)
    }

    pub(super) fn record(&self, value: Value) -> Result<&Bytes, Fault> {
        let Value::Record(index) = value else {
            return Err(Fault::Undefined("a structure that has no value"));
        };
        Ok(self.records[index as usize].as_ref().expect("a structure is taken once"))
    }

    /// Takes a step. Long: one match over the instructions, which the compiler makes one jump.
    #[inline]
    fn step(&mut self) -> Result<(), Fault> {
        let instr = self.code.instrs[self.pc as usize];
        self.pc += 1;
        match instr {
            Instr::Const(value) => self.push(value),
            Instr::Get(slot) => self.push(self.slots[self.base + slot as usize]),
            Instr::Set(slot) => {
                let value = self.top();
                self.slots[self.base + slot as usize] = value;
            }
            Instr::GetGlobal(slot) => {
                if self.threads.are_several() && !self.comes_to_global(slot, false)? {
                    return Ok(());
                }
                self.push(self.globals[slot as usize]);
            }
            Instr::SetGlobal(slot) => {
                if self.threads.are_several() && !self.comes_to_global(slot, true)? {
                    return Ok(());
                }
                let value = self.top();
                self.globals[slot as usize] = value;
            }
            Instr::Text(text) => self.text(text)?,
            Instr::Pop => {
                if let value @ Value::Record(_) = self.pop() {
                    self.take(value)?;
                }
            }
            Instr::Dup => self.push(self.top()),
            Instr::Swap => {
                let top = self.stack.len();
                self.stack.swap(top - 1, top - 2);
            }
            Instr::Over => self.push(self.stack[self.stack.len() - 2]),
            Instr::Read(access) => {
                if self.threads.are_several() && !self.comes_to_memory()? {
                    return Ok(());
                }
                let at = self.pop();
                let value = self.read(at, access)?;
                self.push(value);
            }
            Instr::Write(access) => {
                if self.threads.are_several() && !self.comes_to_memory()? {
                    return Ok(());
                }
                let value = self.pop();
                let at = self.pop();
                let value = self.write(at, access, value)?;
                self.push(value);
            }
            Instr::ReadRecord(ty) => {
                if self.threads.are_several() && !self.comes_to_memory()? {
                    return Ok(());
                }
                let at = self.pop();
                let size = self.unit.types.size(ty).unwrap_or(0);
                self.spend(size / 64)?;
                let mut leaves = Vec::new();
                self.leaves(ty, 0, &mut leaves);
                let bytes = self.memory.load(at, size, &leaves);
                let bytes = bytes.map_err(|misuse| self.misuse(misuse))?;
                let value = self.keep(bytes)?;
                self.push(value);
            }
            Instr::WriteRecord => {
                if self.threads.are_several() && !self.comes_to_memory()? {
                    return Ok(());
                }
                let value = self.pop();
                let at = self.pop();
                let bytes = self.record(value)?.clone();
                self.spend(bytes.raw().len() as u64 / 64)?;
                self.memory.store(at, &bytes).map_err(|misuse| self.misuse(misuse))?;
                self.push(value);
            }
            Instr::Part(access, offset) => {
                let value = self.pop();
                let bytes = self.take(value)?;
                let size = self.unit.types.pointer_size();
                let scalar = bytes.scalar(offset, access.size(size), size);
                let scalar = scalar.map_err(|misuse| self.misuse(misuse))?;
                let value = to_value(scalar, access, self.pointer);
                self.push(value.map_err(|misuse| self.misuse(misuse))?);
            }
            Instr::PartRecord(offset, size) => {
                let value = self.pop();
                let part = self.take(value)?.copy(offset, size, self.unit.types.pointer_size());
                let value = self.keep(part)?;
                self.push(value);
            }
            Instr::Offset(offset) => {
                let at = self.pop();
                let at = self.moved(at, i128::from(offset))?;
                self.push(at);
            }
            Instr::Index(size, bound, is_end) => {
                let index = self.pop_number()?;
                if let Some(bound) = bound {
                    self.check_index(index, i128::from(bound), is_end)?;
                }
                let at = self.pop();
                let at = self.moved(at, index.wrapping_mul(i128::from(size)))?;
                self.push(at);
            }
            Instr::Bound(is_end) => {
                let count = self.pop_number()?;
                let index = self.pop_number()?;
                self.check_index(index, count, is_end)?;
                self.push(Value::Int(index));
            }
            Instr::Move(size, is_forwards) => {
                let index = self.pop_number()?;
                self.move_top(index, i128::from(size), is_forwards)?;
            }
            Instr::MoveSized(is_forwards) => {
                let size = self.pop_number()?;
                let index = self.pop_number()?;
                self.move_top(index, size, is_forwards)?;
            }
            Instr::Distance(size, ty) => self.distance(i128::from(size), ty)?,
            Instr::DistanceSized(ty) => {
                let size = self.pop_number()?;
                self.distance(size, ty)?;
            }
            Instr::Neg(ty) => {
                let value = self.pop();
                let value = self.arith(Arith::Sub, ty, Value::Int(0), value)?;
                self.push(value);
            }
            Instr::FloatNeg => {
                let number = self.pop_float()?;
                self.push(Value::Float(-number));
            }
            Instr::BitNot(ty) => {
                let number = self.pop_number()?;
                self.push(Value::Int(ty.wrap(!number)));
            }
            Instr::Not => {
                let value = self.pop();
                let is_true = self.truth(value)?;
                self.push(Value::Int(i128::from(!is_true)));
            }
            Instr::Truth => {
                let value = self.pop();
                let is_true = self.truth(value)?;
                self.push(Value::Int(i128::from(is_true)));
            }
            Instr::Arith(op, ty) => {
                let right = self.pop();
                let left = self.pop();
                let value = self.arith(op, ty, left, right)?;
                self.push(value);
            }
            Instr::FloatArith(op, is_single) => {
                let right = self.pop_float()?;
                let left = self.pop_float()?;
                let number = float_arith(op, is_single, left, right);
                let number = number.ok_or(Fault::Untreated("arithmetic of floating numbers"))?;
                self.push(Value::Float(number));
            }
            Instr::Compare(op, ty) => {
                let right = self.pop();
                let left = self.pop();
                if let (Value::Int(left), Value::Int(right)) = (left, right) {
                    self.watch.compare(self.pc, op, left, right);
                }
                let is_true = self.compare(op, ty, left, right)?;
                self.push(Value::Int(i128::from(is_true)));
            }
            Instr::FloatCompare(op) => {
                let right = self.pop_float()?;
                let left = self.pop_float()?;
                self.push(Value::Int(i128::from(float_compare(op, left, right))));
            }
            Instr::ToInt(ty) => {
                let value = self.pop();
                let value = self.to_int(ty, value)?;
                self.push(value);
            }
            Instr::FloatToInt(ty) => {
                let number = self.pop_float()?;
                let number = float_to_int(ty, number);
                let number = number.ok_or(Fault::Undefined("a number too large for its type"))?;
                self.push(Value::Int(number));
            }
            Instr::IntToFloat(ty, is_single) => {
                let number = self.pop_number()?;
                self.push(Value::Float(int_to_float(ty, is_single, number)));
            }
            Instr::Round => {
                let number = self.pop_float()?;
                self.push(Value::Float(round(true, number)));
            }
            Instr::Jump(to) => self.pc = to,
            Instr::Travel { to, from, into, is_outside } => {
                if is_outside {
                    self.empty_stack();
                }
                self.travel(from, into)?;
                self.pc = to;
            }
            Instr::TravelTo(from) => {
                let Value::Address(Address::Label(function, label)) = self.pop() else {
                    return Err(Fault::Undefined("a jump to what is no label"));
                };
                let is_here = self.frames.last().is_some_and(|frame| frame.function == function);
                let target = match &self.code.callees[function.0 as usize] {
                    Callee::Body(body) if is_here => {
                        body.labels.get(label.0 as usize).copied().flatten()
                    }
                    _ => None,
                };
                let (to, into, is_outside) =
                    target.ok_or(Fault::Undefined("a jump to a label of another function"))?;
                if !is_outside {
                    return Err(Fault::Untreated("a jump into a statement expression"));
                }
                self.empty_stack();
                self.travel(from, into)?;
                self.pc = to;
            }
            Instr::Branch(kind, otherwise) => {
                let value = self.pop();
                let is_true = self.truth(value)?;
                self.watch.branch(kind, self.span(), self.pc, is_true);
                if !is_true {
                    self.pc = otherwise;
                }
            }
            Instr::Switch(table) => {
                let number = self.pop_number()?;
                let code = self.code;
                let cases = &code.cases[table as usize];
                let after = cases.ranges.partition_point(|range| range.0 <= number);
                let case = after.checked_sub(1).filter(|&case| number <= cases.ranges[case].1);
                self.watch.switch(self.span(), self.pc, number, case);
                let (to, into) = match case {
                    Some(case) => (cases.ranges[case].2, cases.ranges[case].3),
                    None => cases.default,
                };
                self.travel(cases.from, into)?;
                self.pc = to;
            }
            Instr::Enter(scope) => self.enter_scope(scope)?,
            Instr::Leave(scope) => self.leave_scope(scope),
            Instr::Statement => {
                self.spend(1)?;
                self.tell(|watch, span, state| watch.statement(span, state));
            }
            Instr::LoopHead => {
                self.spend(1)?;
                self.tell(|watch, span, state| watch.loop_head(span, state));
                if self.threads.are_several() {
                    self.goes_round()?;
                }
                if self.steps >= self.pause {
                    return Err(Fault::Paused);
                }
            }
            Instr::LookOver => self.look_over_on_the_way()?,
            Instr::Ask(var) => {
                let wanted = match self.unit.types.int_kind(self.unit.var(var).ty) {
                    Some(kind) => Wanted::Int(kind),
                    None => Wanted::Pointer,
                };
                let number = self.choose_number(Asked::Variable(var), wanted)?;
                self.push(Value::Int(number));
            }
            Instr::AskContents(var) => {
                let at = self.pop();
                self.ask_contents(var, at)?;
            }
            Instr::Foreign => {
                let object = self.memory.allocate(Kind::Foreign, 0).map_err(|_| Fault::Limit)?;
                self.push(to(object));
            }
            Instr::Forget => {
                let at = self.pop();
                let Value::Address(Address::Object(pointer)) = at else {
                    return Err(Fault::Undefined("a variable that does not live"));
                };
                let forgotten = self.memory.forget(pointer.object, None, 0);
                forgotten.map_err(|misuse| self.misuse(misuse))?;
            }
            Instr::Zero => {
                let at = self.pop();
                let size = self.object_size(at)?;
                self.spend(size / 64)?;
                self.memory.fill(at, size, 0).map_err(|misuse| self.misuse(misuse))?;
            }
            Instr::AllocateSized(slot) => {
                let size = self.pop_number()?;
                let size = u64::try_from(size).map_err(|_| Fault::Limit)?;
                let at = self.base + slot as usize;
                if let Value::Address(Address::Object(old)) = self.slots[at] {
                    self.memory.kill(old.object);
                }
                self.spend(size / 64)?;
                let object = self.memory.allocate(Kind::Local, size).map_err(|_| Fault::Limit)?;
                self.slots[at] = to(object);
            }
            Instr::WriteText(text, size) => {
                let at = self.pop();
                let text = &self.unit.strings[text as usize];
                let length = usize::try_from(size).map_or(text.len(), |size| text.len().min(size));
                let bytes = Bytes::of(text[..length].to_vec());
                self.memory.store(at, &bytes).map_err(|misuse| self.misuse(misuse))?;
            }
            Instr::Call(function, args) => {
                if self.threads.are_several()
                    && self.is_visible_call(function)
                    && !self.comes_to_point(Pending::Other)?
                {
                    return Ok(());
                }
                self.call(function, args as usize)?;
            }
            Instr::CallPointer(args) => {
                let at = self.stack.len() - args as usize - 1;
                match self.stack[at] {
                    Value::Address(Address::Function(function)) => {
                        self.stack.remove(at);
                        self.call(function, args as usize)?;
                    }
                    Value::Address(Address::Object(pointer)) => {
                        let object = self.memory.get(pointer.object);
                        return Err(match object.map(|object| object.kind) {
                            Some(Kind::Foreign) => Fault::Untreated("a call of what is not known"),
                            _ => Fault::Undefined("a call of what is no function"),
                        });
                    }
                    _ => return Err(Fault::Undefined("a call of what is no function")),
                }
            }
            Instr::Return => {
                let value = self.pop();
                self.leave(value);
            }
            Instr::ReturnNothing => self.leave(Value::Undefined),
            Instr::Hold => {
                if self.threads.are_several() && !self.comes_to_point(Pending::Other)? {
                    return Ok(());
                }
                self.threads.atomic += 1;
            }
            Instr::Release => self.threads.atomic = self.threads.atomic.saturating_sub(1),
            Instr::Finish => return Err(Fault::Finished),
            Instr::EndThread => {
                let result = self.pop();
                self.end_thread(result)?;
            }
            Instr::Untreated(what) => return Err(Fault::Untreated(what)),
        }
        Ok(())
    }
}
