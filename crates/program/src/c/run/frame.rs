//! Calls, returns, and scopes that are entered and left.

use super::code::{Body, Callee, Param, ScopeId};
use super::machine::{Fault, Frame, Machine, to};
use super::memory::{Bytes, Kind};
use super::recall::Recalled;
use super::value::{Address, Pointer, Value};
use super::{Chooser, Reason, Wanted, Watcher};
use crate::c::layout::{Type, TypeId};
use crate::c::property::{Asked, Property};
use crate::c::tree::{FuncId, VarId};

impl<C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'_, C, W> {
    /// Calls a function with the arguments on the stack.
    pub(super) fn call(&mut self, function: FuncId, args: usize) -> Result<(), Fault> {
        self.spend(1)?;
        let code = self.code;
        match &code.callees[function.0 as usize] {
            Callee::Body(body) => self.enter(function, body, args),
            Callee::Known(known) => {
                let from = self.stack.len() - args;
                if known.is_about_threads() {
                    return self.about_threads(*known, from);
                }
                let values: Vec<Value> = self.stack.drain(from..).collect();
                let result = self.known(*known, function, &values)?;
                self.push(result);
                Ok(())
            }
            Callee::Untreated(what) => Err(Fault::Untreated(what)),
            Callee::Unknown => {
                let from = self.stack.len() - args;
                self.hand_out(from)?;
                self.stack.truncate(from);
                if self.unit.function(function).is_noreturn {
                    return Err(Fault::Stopped(Reason::Abort));
                }
                let result = self.any_result(function)?;
                self.push(result);
                Ok(())
            }
        }
    }

    /// Arguments go to a function that nobody knows. Where memory is asked about, what it does with the address
    /// of an object matters: it may free it, keep it, or put addresses into it.
    fn hand_out(&self, from: usize) -> Result<(), Fault> {
        let asked = [
            Property::ValidDeref,
            Property::ValidFree,
            Property::ValidMemtrack,
            Property::MemCleanup,
        ];
        let is_asked = asked.into_iter().any(|property| self.asked.has(property));
        let is_object = |value: &Value| {
            let Value::Address(Address::Object(to)) = value else { return false };
            let kind = self.memory.get(to.object).map(|object| object.kind);
            !matches!(kind, Some(Kind::Foreign | Kind::Text) | None)
        };
        if is_asked && self.stack[from..].iter().any(is_object) {
            return Err(Fault::Untreated("an object in the hands of a function that nobody knows"));
        }
        Ok(())
    }

    /// Enters a function.
    pub(super) fn enter(
        &mut self,
        function: FuncId,
        body: &Body,
        args: usize,
    ) -> Result<(), Fault> {
        if args < body.params.len() {
            return Err(Fault::Undefined("a call with too few arguments"));
        }
        let height = self.stack.len() - args;
        let mut begun = None;
        if body.is_remembered
            && let Some(recall) = &mut self.recall
        {
            let args = &self.stack[height..height + body.params.len()];
            match recall.begin(function, args, self.steps) {
                Recalled::Result(result) => {
                    self.stack.truncate(height);
                    self.push(result);
                    return Ok(());
                }
                Recalled::Run(call) => begun = Some(call),
                Recalled::Other => {}
            }
        }
        if self.frames.len() >= self.limits.depth as usize {
            return Err(Fault::Limit);
        }
        let base = self.slots.len();
        self.memory.reserve(frame_size(body)).map_err(|_| Fault::Limit)?;
        self.slots.resize(base + body.slots as usize, Value::Undefined);
        for (index, param) in body.params.iter().enumerate() {
            let value = self.stack[height + index];
            self.slots[base + index] = match *param {
                Param::Slot => value,
                Param::Object(access, size) => {
                    let object = self.new_local(size)?;
                    self.write(to(object), access, value)?;
                    to(object)
                }
                Param::Record(size) => {
                    let object = self.new_local(size)?;
                    let bytes = self.take(value)?;
                    let stored = self.memory.store(to(object), &bytes);
                    stored.map_err(|misuse| self.misuse(misuse))?;
                    to(object)
                }
            };
        }
        self.stack.truncate(height);
        let back = self.pc;
        let allocated = Vec::new();
        self.frames.push(Frame { function, back, base, height, allocated, begun });
        self.threads.atomic += u32::from(body.is_atomic);
        self.base = base;
        self.tell(|watch, span, state| watch.enter(function, span, state));
        self.pc = body.start;
        Ok(())
    }

    fn new_local(&mut self, size: u64) -> Result<Pointer, Fault> {
        self.spend(size / 64)?;
        self.memory.allocate(Kind::Local, size).map_err(|_| Fault::Limit)
    }

    /// Leaves the function that runs.
    pub(super) fn leave(&mut self, result: Value) {
        let frame = self.frames.last().expect("a function that runs has a frame");
        let function = frame.function;
        self.returned = self.span();
        self.tell(|watch, _, state| watch.leave(function, result, state));
        let frame = self.frames.pop().expect("a function that runs has a frame");
        if let Callee::Body(body) = &self.code.callees[frame.function.0 as usize] {
            for &slot in &body.objects {
                self.kill(frame.base + slot as usize);
            }
            self.memory.release(frame_size(body));
            self.threads.atomic = self.threads.atomic.saturating_sub(u32::from(body.is_atomic));
        }
        if let (Some(recall), Some(begun)) = (&mut self.recall, frame.begun) {
            recall.end(frame.function, begun, result, self.steps);
        }
        for object in frame.allocated {
            self.memory.kill(object);
        }
        self.slots.truncate(frame.base);
        self.stack.truncate(frame.height);
        self.stack.push(result);
        self.base = self.frames.last().map_or(0, |frame| frame.base);
        self.pc = frame.back;
    }

    /// Ends the life of the object in a slot.
    fn kill(&mut self, slot: usize) {
        if let Value::Address(Address::Object(pointer)) = self.slots[slot] {
            self.memory.kill(pointer.object);
        }
        self.slots[slot] = Value::Undefined;
    }

    /// Forgets what expressions around a statement left on the stack.
    pub(super) fn empty_stack(&mut self) {
        let height = self.frames.last().map_or(0, |frame| frame.height);
        self.stack.truncate(height);
    }

    /// Leaves scopes and enters others.
    pub(super) fn travel(&mut self, from: ScopeId, into: ScopeId) -> Result<(), Fault> {
        let scopes = &self.code.scopes;
        let (mut from, mut above) = (from, into);
        let mut entered = Vec::new();
        while from != above {
            let (left, right) = (&scopes[from as usize], &scopes[above as usize]);
            if left.depth >= right.depth {
                let parent = left.parent;
                self.leave_scope(from);
                from = parent;
            } else {
                entered.push(above);
                above = right.parent;
            }
        }
        for &scope in entered.iter().rev() {
            self.enter_scope(scope)?;
        }
        Ok(())
    }

    /// Objects of a scope come to life, without a value.
    pub(super) fn enter_scope(&mut self, scope: ScopeId) -> Result<(), Fault> {
        let code = self.code;
        let scope = &code.scopes[scope as usize];
        if scope.is_jumped {
            for &slot in &scope.scalars {
                self.slots[self.base + slot as usize] = Value::Undefined;
            }
        }
        for &(slot, size) in &scope.objects {
            let object = self.new_local(size)?;
            let forgotten = self.memory.forget(object.object, None, 0);
            forgotten.map_err(|misuse| self.misuse(misuse))?;
            self.slots[self.base + slot as usize] = to(object);
        }
        Ok(())
    }

    /// Objects of a scope die.
    pub(super) fn leave_scope(&mut self, scope: ScopeId) {
        let code = self.code;
        let scope = &code.scopes[scope as usize];
        for &(slot, _) in &scope.objects {
            self.kill(self.base + slot as usize);
        }
        for &slot in &scope.sized {
            self.kill(self.base + slot as usize);
        }
        if self.asked.has(Property::ValidMemtrack) {
            // What only a dead variable leads to is lost.
            for &slot in &scope.scalars {
                self.slots[self.base + slot as usize] = Value::Undefined;
            }
        }
    }

    /// → the address of a string literal, which is an object once it is used
    pub(super) fn text(&mut self, text: u32) -> Result<(), Fault> {
        let pointer = match self.texts[text as usize] {
            Some(pointer) => pointer,
            None => {
                let bytes = &self.unit.strings[text as usize];
                let size = bytes.len() as u64 + 1;
                let object = self.memory.allocate(Kind::Global, size).map_err(|_| Fault::Limit)?;
                let bytes = Bytes::of(bytes.clone());
                let stored = self.memory.store(to(object), &bytes);
                stored.map_err(|misuse| self.misuse(misuse))?;
                self.memory.freeze(object.object);
                self.texts[text as usize] = Some(object);
                object
            }
        };
        self.push(to(pointer));
        Ok(())
    }

    /// The size of the object that an address is in.
    pub(super) fn object_size(&self, at: Value) -> Result<u64, Fault> {
        let Value::Address(Address::Object(pointer)) = at else {
            return Err(Fault::Undefined("a variable that does not live"));
        };
        let object = self.memory.get(pointer.object);
        let object = object.ok_or(Fault::Undefined("a variable that does not live"))?;
        Ok(object.size())
    }

    /// Asks for the first contents of a variable.
    pub(super) fn ask_contents(&mut self, var: VarId, at: Value) -> Result<(), Fault> {
        let size = self.object_size(at)?;
        self.spend(size / 64)?;
        let contents = self.choose_contents(Asked::Variable(var), size)?;
        if let Value::Address(Address::Object(pointer)) = at {
            let forgotten = self.memory.forget(pointer.object, Some(contents), 0);
            forgotten.map_err(|misuse| self.misuse(misuse))?;
        }
        Ok(())
    }

    /// Any result of a function: asked for.
    pub(super) fn any_result(&mut self, function: FuncId) -> Result<Value, Fault> {
        let types = &self.unit.types;
        let Type::Function(signature) = types.get(self.unit.function(function).ty) else {
            return Err(Fault::Untreated("a function without a type"));
        };
        let asked = Asked::Call(function);
        match types.get(signature.result) {
            Type::Void => Ok(Value::Int(0)),
            Type::Int(kind) => {
                let number = self.choose_number(asked, Wanted::Int(*kind))?;
                Ok(Value::Int(number))
            }
            Type::Pointer(_) => {
                if self.choose_number(asked, Wanted::Pointer)? == 0 {
                    return Ok(Value::Int(0));
                }
                let object = self.memory.allocate(Kind::Foreign, 0).map_err(|_| Fault::Limit)?;
                Ok(to(object))
            }
            Type::Record(_) => {
                let ty = signature.result;
                let size = types.size(ty).ok_or(Fault::Untreated("an incomplete structure"))?;
                let contents = self.choose_contents(asked, size)?;
                let object = self.new_local(size)?;
                let mut leaves = Vec::new();
                self.leaves(ty, 0, &mut leaves);
                let bytes = self
                    .memory
                    .forget(object.object, Some(contents), 0)
                    .and_then(|()| self.memory.load(to(object), size, &leaves));
                let bytes = bytes.map_err(|misuse| self.misuse(misuse))?;
                self.memory.kill(object.object);
                self.keep(bytes)
            }
            _ => Err(Fault::Untreated("a call that returns any floating number")),
        }
    }

    /// The offsets and sizes of the scalars of a type.
    pub(super) fn leaves(&self, ty: TypeId, at: u64, leaves: &mut Vec<(u64, u64)>) {
        let types = &self.unit.types;
        match types.get(ty) {
            Type::Array(element, crate::c::layout::Length::Fixed(length)) => {
                let size = types.size(*element).unwrap_or(0);
                for index in 0..*length {
                    self.leaves(*element, at + index * size, leaves);
                }
            }
            Type::Record(record) => {
                for field in &types.record(*record).fields {
                    match field.bits {
                        Some((low, bits)) => {
                            let last = (low + bits - 1) / 8;
                            for byte in low / 8..=last {
                                leaves.push((at + field.offset + u64::from(byte), 1));
                            }
                        }
                        None => self.leaves(field.ty, at + field.offset, leaves),
                    }
                }
            }
            Type::Array(..) => {}
            _ => {
                if let Some(size) = types.size(ty)
                    && size <= 16
                {
                    leaves.push((at, size));
                }
            }
        }
    }
}

/// What a frame takes of the memory: its slots, and about as much on the stack.
fn frame_size(body: &Body) -> u64 {
    2 * (u64::from(body.slots) + 2) * size_of::<Value>() as u64
}
