//! From the tree to code, one rule per kind of node.
//!
//! Jumps go to marks while code is made, and marks become positions at the end (`finish`), when what does
//! nothing is left out, too.

mod expr;
mod init;
mod place;
mod stmt;

use super::code::{Body, Callee, Cases, Code, Home, Instr, Param, Pc, Scope, ScopeId};
use super::pure::worth_remembering;
use super::value::{IntType, Value};
use crate::c::layout::{DataModel, FloatKind, IntKind, Length, Type, TypeId};
use crate::c::library;
use crate::c::property::Property;
use crate::c::property::Task;
use crate::c::tree::{Arith, FuncId, LabelId, Storage, Unit, VarId};
use alphorn_problem::Span;

/// What a type is to code.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    /// No value.
    Void,
    /// An integer, with its bytes.
    Int(IntType, u64),
    /// A pointer.
    Pointer,
    /// A floating number: whether it is a `float`.
    Float(bool),
    /// A structure or union, with its bytes.
    Record(u64),
    /// An array, or what has no size.
    Array,
    /// What is not treated.
    Other,
}

/// A place in the code that is not known yet.
type Mark = u32;

/// Where a jump goes.
#[derive(Clone, Copy, Debug)]
struct Exit {
    mark: Mark,
    scope: ScopeId,
    /// In how many statement expressions it lies.
    nesting: u32,
}

/// What makes the code.
struct Compiler<'a> {
    unit: &'a Unit,
    code: Code,
    /// The position of each mark.
    marks: Vec<Pc>,
    /// The slots of objects of the function.
    objects: Vec<u32>,
    slots: u32,
    function: Option<FuncId>,
    scope: ScopeId,
    nesting: u32,
    breaks: Vec<Exit>,
    continues: Vec<Exit>,
    switches: Vec<Cases>,
    /// The labels of the function, once they are met.
    labels: Vec<Option<Exit>>,
    /// Jumps to labels: the instruction, the label, the statement expressions it is in.
    gotos: Vec<(usize, LabelId, u32)>,
    /// Whether it is asked that nothing allocated is lost.
    is_tracking: bool,
}

/// The code of a task's program.
pub fn compile(task: &Task) -> Code {
    let unit = &*task.unit;
    let code = Code { homes: vec![None; unit.vars.len()], ..Code::default() };
    let mut compiler = Compiler {
        unit,
        code,
        marks: Vec::new(),
        objects: Vec::new(),
        slots: 0,
        function: None,
        scope: 0,
        nesting: 0,
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        labels: Vec::new(),
        gotos: Vec::new(),
        is_tracking: task.properties.contains(&Property::ValidMemtrack),
    };
    compiler.settle_globals();
    for index in 0..unit.functions.len() {
        let callee = compiler.callee(FuncId(index as u32));
        compiler.code.callees.push(callee);
    }
    compiler.start(task.entry);
    compiler.finish()
}

impl Compiler<'_> {
    fn model(&self) -> DataModel {
        self.unit.types.model
    }

    /// The integer type that pointers are compared as.
    fn pointer_type(&self) -> IntType {
        IntType::new(IntKind::UnsignedLong, self.model())
    }

    fn class(&self, ty: TypeId) -> Class {
        let types = &self.unit.types;
        match types.get(ty) {
            Type::Void => Class::Void,
            Type::Int(kind) => Class::Int(IntType::new(*kind, types.model), kind.size(types.model)),
            Type::Pointer(_) => Class::Pointer,
            Type::Float(FloatKind::Float) => Class::Float(true),
            Type::Float(FloatKind::Double) => Class::Float(false),
            Type::Record(_) => types.size(ty).map_or(Class::Other, Class::Record),
            Type::Array(..) => Class::Array,
            Type::Float(_) | Type::Function(_) | Type::VaList => Class::Other,
        }
    }

    /// The zero of a scalar type.
    fn zero(&self, ty: TypeId) -> Value {
        match self.class(ty) {
            Class::Float(_) => Value::Float(0.0),
            _ => Value::Int(0),
        }
    }

    fn emit(&mut self, span: Span, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.spans.push(span);
        self.code.instrs.len() - 1
    }

    fn mark(&mut self) -> Mark {
        self.marks.push(0);
        (self.marks.len() - 1) as Mark
    }

    fn put(&mut self, mark: Mark) {
        self.marks[mark as usize] = self.code.instrs.len() as Pc;
    }

    /// Globals and statics get slots of the program.
    fn settle_globals(&mut self) {
        for (var, variable) in self.unit.globals() {
            let slot = self.code.globals;
            self.code.globals += 1;
            let is_scalar = matches!(
                self.class(variable.ty),
                Class::Int(..) | Class::Pointer | Class::Float(_)
            );
            let is_object = !is_scalar || variable.is_address_taken;
            self.code.homes[var.0 as usize] = Some(Home { slot, is_global: true, is_object });
            if is_object && !self.is_foreign(var) {
                let size = self.unit.types.size(variable.ty).unwrap_or(0);
                self.code.global_objects.push((slot, size));
            }
        }
    }

    /// Whether a variable is an object outside the program of which nothing is known.
    fn is_foreign(&self, var: VarId) -> bool {
        let variable = self.unit.var(var);
        let has_unknown = |ty| self.has_pointers(ty) || self.unit.types.size(ty).is_none();
        variable.storage == Storage::Extern
            && !matches!(self.class(variable.ty), Class::Int(..) | Class::Pointer | Class::Float(_))
            && has_unknown(variable.ty)
    }

    /// Whether pointers are among the parts of a type.
    fn has_pointers(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        match types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(*element),
            Type::Record(record) => {
                types.record(*record).fields.iter().any(|field| self.has_pointers(field.ty))
            }
            _ => false,
        }
    }

    /// The slot of a variable; a local one that has none gets one of the scope.
    fn home(&mut self, var: VarId) -> Home {
        if let Some(home) = self.code.homes[var.0 as usize] {
            return home;
        }
        let variable = self.unit.var(var);
        let class = self.class(variable.ty);
        let is_scalar = matches!(class, Class::Int(..) | Class::Pointer | Class::Float(_));
        let is_object = !is_scalar || variable.is_address_taken;
        if self.function.is_none() {
            // Outside functions everything lives as long as the program.
            let home = Home { slot: self.code.globals, is_global: true, is_object };
            self.code.globals += 1;
            self.code.homes[var.0 as usize] = Some(home);
            if is_object {
                let size = self.unit.types.size(variable.ty).unwrap_or(0);
                self.code.global_objects.push((home.slot, size));
            }
            return home;
        }
        let home = Home { slot: self.slots, is_global: false, is_object };
        self.slots += 1;
        self.code.homes[var.0 as usize] = Some(home);
        let size = self.unit.types.size(variable.ty);
        let scope = &mut self.code.scopes[self.scope as usize];
        if !is_object {
            scope.scalars.push(home.slot);
        } else {
            self.objects.push(home.slot);
            match size {
                Some(size) => scope.objects.push((home.slot, size)),
                None => scope.sized.push(home.slot),
            }
        }
        home
    }

    /// What calling a function does; its body becomes code.
    fn callee(&mut self, id: FuncId) -> Callee {
        let function = self.unit.function(id);
        if let Some(known) = library::meaning(function) {
            return Callee::Known(known);
        }
        let Some(body) = &function.body else {
            return library::untreated(&function.name).map_or(Callee::Unknown, Callee::Untreated);
        };
        self.slots = 0;
        self.objects = Vec::new();
        self.function = Some(id);
        self.labels = vec![None; function.labels.len()];
        self.gotos = Vec::new();
        let start = self.code.instrs.len() as Pc;
        self.scope = self.code.scopes.len() as ScopeId;
        let outermost = Scope { parent: self.scope, ..Scope::default() };
        self.code.scopes.push(outermost);
        let params = function.params.iter().map(|&var| self.param(var)).collect();
        self.look_over(function.span);
        self.statement(body);
        self.emit(body.end(), Instr::ReturnNothing);
        self.settle_gotos();
        let labels = self.labels.iter();
        let labels = labels.map(|exit| exit.map(|exit| (exit.mark, exit.scope, exit.nesting == 0)));
        Callee::Body(Body {
            start,
            slots: self.slots,
            params,
            objects: std::mem::take(&mut self.objects),
            labels: labels.collect(),
            is_remembered: false,
            is_atomic: library::is_atomic(&function.name),
        })
    }

    /// A parameter gets its slot, and is brought to life by the call and by nothing else.
    fn param(&mut self, var: VarId) -> Param {
        let variable = self.unit.var(var);
        let home = Home {
            slot: self.slots,
            is_global: false,
            is_object: variable.is_address_taken
                || !matches!(
                    self.class(variable.ty),
                    Class::Int(..) | Class::Pointer | Class::Float(_)
                ),
        };
        self.slots += 1;
        self.code.homes[var.0 as usize] = Some(home);
        if !home.is_object {
            return Param::Slot;
        }
        self.objects.push(home.slot);
        let size = self.unit.types.size(variable.ty).unwrap_or(0);
        match self.access(variable.ty) {
            Some(access) => Param::Object(access, size),
            None => Param::Record(size),
        }
    }

    /// Jumps to labels get to know where those are.
    fn settle_gotos(&mut self) {
        for (at, label, nesting) in std::mem::take(&mut self.gotos) {
            let Instr::Travel { from, .. } = self.code.instrs[at] else { continue };
            let exit = self.labels.get(label.0 as usize).copied().flatten();
            self.code.instrs[at] = match exit {
                Some(exit) => travel(from, nesting, exit),
                None => Instr::Untreated("a jump to a label that is not there"),
            };
        }
    }

    /// The code before the entry: what globals are at first, and the call.
    fn start(&mut self, entry: FuncId) {
        self.code.start = self.code.instrs.len() as Pc;
        self.function = None;
        self.scope = self.code.scopes.len() as ScopeId;
        self.code.scopes.push(Scope { parent: self.scope, ..Scope::default() });
        self.slots = 0;
        let globals: Vec<VarId> = self.unit.globals().map(|(var, _)| var).collect();
        for var in globals {
            self.global(var);
        }
        let function = self.unit.function(entry);
        for &param in &function.params {
            let variable = self.unit.var(param);
            match self.class(variable.ty) {
                Class::Int(..) => self.emit(variable.span, Instr::Ask(param)),
                Class::Pointer => self.emit(variable.span, Instr::Foreign),
                _ => self.emit(variable.span, Instr::Untreated("a parameter of the entry")),
            };
        }
        self.emit(function.span, Instr::Call(entry, function.params.len() as u32));
        self.emit(function.span, Instr::Finish);
        self.code.thread_end = self.code.instrs.len() as Pc;
        self.emit(function.span, Instr::EndThread);
    }

    /// What a global is at first; its slot or object is all zeros before.
    fn global(&mut self, var: VarId) {
        let variable = self.unit.var(var);
        let span = variable.span;
        let home = self.home(var);
        if variable.storage != Storage::Extern {
            match &variable.init {
                Some(init) => self.initialise(var, init, span),
                None if !home.is_object => {
                    let zero = self.zero(variable.ty);
                    self.emit(span, Instr::Const(zero));
                    self.set(span, home);
                    self.emit(span, Instr::Pop);
                }
                None => {}
            }
            return;
        }
        if self.is_foreign(var) {
            self.emit(span, Instr::Foreign);
            self.set(span, home);
            self.emit(span, Instr::Pop);
        } else if home.is_object && !self.has_pointers(variable.ty) {
            self.get(span, home);
            self.emit(span, Instr::AskContents(var));
        } else {
            let access = self.access(variable.ty);
            if home.is_object {
                self.get(span, home);
            }
            match self.class(variable.ty) {
                Class::Int(..) => self.emit(span, Instr::Ask(var)),
                Class::Pointer => self.emit(span, Instr::Foreign),
                _ => self.emit(span, Instr::Const(Value::Undefined)),
            };
            match access {
                Some(access) if home.is_object => {
                    self.emit(span, Instr::Write(access));
                }
                _ => self.set(span, home),
            }
            self.emit(span, Instr::Pop);
        }
    }

    fn get(&mut self, span: Span, home: Home) {
        let Home { slot, is_global, .. } = home;
        self.emit(span, if is_global { Instr::GetGlobal(slot) } else { Instr::Get(slot) });
    }

    fn set(&mut self, span: Span, home: Home) {
        let Home { slot, is_global, .. } = home;
        self.emit(span, if is_global { Instr::SetGlobal(slot) } else { Instr::Set(slot) });
    }

    /// Leaves the size of a type on the stack.
    fn size(&mut self, span: Span, ty: TypeId) {
        if let Some(size) = self.unit.types.size(ty) {
            self.emit(span, Instr::Const(Value::Int(i128::from(size))));
            return;
        }
        match self.unit.types.get(ty).clone() {
            Type::Array(element, length) => {
                self.size(span, element);
                self.length(span, length);
                let size = self.pointer_type();
                self.emit(span, Instr::Arith(Arith::Mul, size));
            }
            _ => {
                self.emit(span, Instr::Untreated("the size of an incomplete type"));
            }
        }
    }

    /// Leaves the length of an array on the stack.
    fn length(&mut self, span: Span, length: Length) {
        match length {
            Length::Fixed(length) => {
                self.emit(span, Instr::Const(Value::Int(i128::from(length))));
            }
            Length::Variable(var) => {
                let home = self.home(var);
                self.get(span, home);
                if home.is_object {
                    match self.access(self.unit.var(var).ty) {
                        Some(access) => self.emit(span, Instr::Read(access)),
                        None => self.emit(span, Instr::Untreated("the length of an array")),
                    };
                }
            }
            Length::Unknown => {
                self.emit(span, Instr::Untreated("the length of an incomplete array"));
            }
        }
    }

    /// Leaves out what does nothing, and turns marks into positions.
    fn finish(mut self) -> Code {
        let (scopes, is_tracking) = (&self.code.scopes, self.is_tracking);
        let is_idle = |scope: &Scope| {
            let has_scalars = (scope.is_jumped || is_tracking) && !scope.scalars.is_empty();
            !has_scalars && scope.objects.is_empty() && scope.sized.is_empty()
        };
        let drops = |instr: &Instr| match *instr {
            Instr::Enter(scope) | Instr::Leave(scope) => is_idle(&scopes[scope as usize]),
            _ => false,
        };
        let mut positions = Vec::with_capacity(self.code.instrs.len() + 1);
        let mut instrs = Vec::with_capacity(self.code.instrs.len());
        let mut spans = Vec::with_capacity(self.code.instrs.len());
        for (instr, span) in self.code.instrs.iter().zip(&self.code.spans) {
            positions.push(instrs.len() as Pc);
            if !drops(instr) {
                instrs.push(*instr);
                spans.push(*span);
            }
        }
        positions.push(instrs.len() as Pc);
        let at = |pc: Pc| positions[pc as usize];
        let go = |mark: Mark| at(self.marks[mark as usize]);
        for instr in &mut instrs {
            match instr {
                Instr::Jump(to) | Instr::Travel { to, .. } | Instr::Branch(_, to) => *to = go(*to),
                _ => {}
            }
        }
        for cases in &mut self.code.cases {
            for range in &mut cases.ranges {
                range.2 = go(range.2);
            }
            cases.default.0 = go(cases.default.0);
            cases.ranges.sort_by_key(|range| range.0);
        }
        for callee in &mut self.code.callees {
            if let Callee::Body(body) = callee {
                body.start = at(body.start);
                for (mark, ..) in body.labels.iter_mut().flatten() {
                    *mark = go(*mark);
                }
            }
        }
        self.code.start = at(self.code.start);
        self.code.thread_end = at(self.code.thread_end);
        self.code.is_fixed = vec![false; self.code.globals as usize];
        self.code.is_atomic = vec![false; self.code.globals as usize];
        for (home, variable) in self.code.homes.iter().zip(&self.unit.vars) {
            if let Some(home) = home.filter(|home| home.is_global) {
                self.code.is_fixed[home.slot as usize] = home.is_object;
                self.code.is_atomic[home.slot as usize] = variable.is_atomic;
            }
        }
        (self.code.instrs, self.code.spans) = (instrs, spans);
        let remembered = worth_remembering(&self.code);
        for (callee, is_remembered) in self.code.callees.iter_mut().zip(remembered) {
            if let Callee::Body(body) = callee {
                body.is_remembered = is_remembered;
            }
        }
        self.code
    }
}

/// A jump from a scope, out of so many statement expressions.
fn travel(from: ScopeId, nesting: u32, exit: Exit) -> Instr {
    if exit.nesting != 0 && exit.nesting != nesting {
        return Instr::Untreated("a jump between statement expressions");
    }
    let is_outside = exit.nesting != nesting;
    if from == exit.scope && !is_outside {
        Instr::Jump(exit.mark)
    } else {
        Instr::Travel { to: exit.mark, from, into: exit.scope, is_outside }
    }
}
