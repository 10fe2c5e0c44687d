//! Threads: what they share, where they may be interrupted, and calls about threads, mutexes and conditions.
//!
//! Threads share globals and memory. In a program that creates threads every access to these is a step of its own,
//! with a mark before it (`ThreadOp::Yield`) where others may run: what is read goes to a variable of the thread at
//! once, and is not read again. So a run of the form, woven (`crate::weave`), has at least the interleavings of the
//! program, access by access. A mutex is a variable that says who holds it; it must be a
//! global variable, or a part of one that is known. Whoever waits for a condition may wake at any time, as POSIX has
//! it; so it gives the mutex back and takes it again, and signals do nothing.
//!
//! Handles of threads are not numbers that a program may look at: they are given by `pthread_create` and used by
//! `pthread_join`, and other uses are not treated.

use super::Lower;
use super::Origin;
use super::number::{self, Number, Range};
use super::place::{Base, Spot};
use super::reach::{Callee, Reach, callee};
use super::value::{Scalar, Value};
use crate::c::evidence::Numbers;
use crate::c::layout::IntKind;
use crate::c::library::{BUSY, Known, Sync};
use crate::c::property::Property;
use crate::c::tree::{Expr, ExprKind, FuncId, Place, PlaceKind, Storage, Unit, VarId};
use crate::c::walk::{Visit, below_expr, below_place, has_effects};
use crate::form::{self, Access, Action, ThreadOp};
use alphorn_problem::Span;
use alphorn_term::{Bv, Int, SortId, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// A mutex: a variable, and the way to a part of it.
type Mutex = (VarId, Vec<u64>);

/// What is known about the threads of a program.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// Whether threads are created.
    pub are_created: bool,
    /// Variables that only calls about threads mention, as handles.
    pub handles: BTreeSet<VarId>,
    /// Who holds a mutex, for each that was met.
    mutexes: BTreeMap<Mutex, form::VarId>,
}

impl Threads {
    /// What is known about the threads of a program. Mutexes and conditions are no variables of the form.
    pub fn of(unit: &Unit, reach: &mut Reach) -> Threads {
        let mut search =
            Search { unit, all: BTreeMap::new(), in_calls: BTreeMap::new(), is: false };
        for &function in &reach.functions {
            if let Some(body) = &unit.function(function).body {
                search.stmt(body);
            }
        }
        if !search.is {
            return Threads::default();
        }
        let is_only = |var: &VarId, roles: &Roles| {
            roles.handle + roles.mutex == search.all.get(var).copied().unwrap_or(0)
        };
        let mut handles = BTreeSet::new();
        for (var, roles) in &search.in_calls {
            if is_only(var, roles) && roles.mutex == 0 {
                handles.insert(*var);
            } else if is_only(var, roles) && roles.handle == 0 {
                reach.vars.remove(var);
            }
        }
        Threads { are_created: true, handles, mutexes: BTreeMap::new() }
    }
}

/// How often calls about threads mention a variable.
#[derive(Clone, Copy, Debug, Default)]
struct Roles {
    handle: usize,
    mutex: usize,
}

/// Counts where variables are mentioned.
struct Search<'a> {
    unit: &'a Unit,
    all: BTreeMap<VarId, usize>,
    in_calls: BTreeMap<VarId, Roles>,
    is: bool,
}

impl Visit for Search<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Call(function, args) = &expr.kind
            && let Callee::Known(known) = callee(self.unit, *function)
        {
            self.is |= known == Known::Sync(Sync::Create);
            for (index, arg) in args.iter().enumerate() {
                let (root, is_handle) = match (known, index) {
                    (Known::Sync(Sync::Create), 0) => (addressed(arg).and_then(root), true),
                    (Known::Sync(Sync::Join), 0) => (loaded(arg).and_then(root), true),
                    (Known::Sync(Sync::Wait), 1) => (addressed(arg).and_then(root), false),
                    (_, 0) if is_about_mutexes(known) => (addressed(arg).and_then(root), false),
                    (Known::Zero, 0) => match (addressed(arg), loaded(arg)) {
                        (Some(place), _) => (root(place), false),
                        (_, place) => (place.and_then(root), true),
                    },
                    _ => (None, false),
                };
                if let Some(root) = root {
                    let roles = self.in_calls.entry(root).or_default();
                    *(if is_handle { &mut roles.handle } else { &mut roles.mutex }) += 1;
                }
            }
        }
        below_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        if let PlaceKind::Var(var) = place.kind {
            *self.all.entry(var).or_default() += 1;
        }
        below_place(self, place);
    }
}

/// Whether the first argument is a mutex or a condition.
fn is_about_mutexes(known: Known) -> bool {
    use Sync::{Broadcast, Lock, MutexInit, Signal, TryLock, Unlock, Wait};
    let Known::Sync(sync) = known else { return false };
    matches!(sync, MutexInit | Lock | TryLock | Unlock | Wait | Signal | Broadcast)
}

/// The expression without conversions.
fn plain(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner, _) => plain(inner),
        _ => expr,
    }
}

/// The place whose address an expression is.
fn addressed(expr: &Expr) -> Option<&Place> {
    match &plain(expr).kind {
        ExprKind::Address(place) => Some(place),
        _ => None,
    }
}

/// The place whose value an expression is.
fn loaded(expr: &Expr) -> Option<&Place> {
    match &plain(expr).kind {
        ExprKind::Load(place) => Some(place),
        _ => None,
    }
}

/// The variable that a place is a part of.
fn root(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Element(array, _) => root(array),
        PlaceKind::Member(record, ..) => root(record),
        _ => None,
    }
}

/// The variable and the way to a part of it that is known.
fn known_part(place: &Place) -> Option<Mutex> {
    let (inner, step) = match &place.kind {
        PlaceKind::Var(var) => return Some((*var, Vec::new())),
        PlaceKind::Element(array, index) => match plain(index).kind {
            ExprKind::Int(index) => (array, u64::try_from(index).ok()?),
            _ => return None,
        },
        PlaceKind::Member(record, _, field) => (record, *field as u64),
        _ => return None,
    };
    let (var, mut path) = known_part(inner)?;
    path.push(step);
    Some((var, path))
}

/// The function whose address an expression is.
pub fn started(expr: &Expr) -> Option<FuncId> {
    match plain(expr).kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    }
}

impl Lower<'_> {
    /// Whether threads share a place.
    pub fn is_shared(&self, spot: &Spot) -> bool {
        self.threads.are_created
            && match spot.base {
                Base::Own(var) => matches!(
                    self.unit.var(var).storage,
                    Storage::Global | Storage::Static | Storage::Extern
                ),
                Base::Memory(..) => true,
                Base::Lost => false,
            }
    }

    /// Adds a step about threads, if there are any.
    pub fn thread_step(&mut self, op: ThreadOp, span: Span) {
        if self.threads.are_created {
            self.emit(Action::Thread(op), span);
        }
    }

    /// Others may run before the access to a place that threads share.
    pub fn before_access(&mut self, spot: &Spot, leaves: usize, is_write: bool, span: Span) {
        if leaves > 1 {
            self.untreated("a structure that threads share, as a whole", span);
        }
        let access = if self.asks(Property::NoDataRace) {
            if self.grains(spot).is_some() {
                self.untreated("memory of different types that threads share", span);
            }
            let vars = self.cells_at(spot).iter().flat_map(|(_, vars)| vars.vars()).collect();
            let is_atomic = matches!(spot.base, Base::Own(var) if self.unit.var(var).is_atomic);
            let (selectors, guard) = (self.selectors(spot), self.guards());
            Some(Access { vars, selectors, is_write, is_atomic, guard })
        } else {
            None
        };
        self.thread_step(ThreadOp::Yield(access), span);
    }

    /// A variable that is atomic is about to be changed by what it is: that is one step. Says whether it is so.
    pub fn begin_change(&mut self, spot: &Spot, span: Span) -> bool {
        let is_atomic = matches!(spot.base, Base::Own(var) if self.unit.var(var).is_atomic);
        if is_atomic {
            self.thread_step(ThreadOp::Yield(None), span);
            self.thread_step(ThreadOp::AtomicBegin, span);
        }
        is_atomic
    }

    /// It is changed.
    pub fn end_change(&mut self, is_atomic: bool, span: Span) {
        if is_atomic {
            self.thread_step(ThreadOp::AtomicEnd, span);
        }
    }

    /// Whether what a function does is several accesses, or one that is not looked at, and threads may see it.
    pub fn is_untreated_with_threads(&self, known: Known) -> bool {
        match known {
            Known::Memset
            | Known::Memcpy
            | Known::Memmove
            | Known::Memcmp
            | Known::Strlen
            | Known::Strcpy
            | Known::Strncpy
            | Known::Strcat
            | Known::Strcmp
            | Known::Strncmp
            | Known::Strchr
            | Known::Strdup
            | Known::Realloc => true,
            Known::Free => self.asks(Property::NoDataRace),
            _ => false,
        }
    }

    /// A call about threads.
    pub fn about_threads(&mut self, known: Known, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        if !self.threads.are_created
            && !matches!(known, Known::Sync(Sync::AtomicBegin) | Known::Sync(Sync::AtomicEnd))
        {
            // Without other threads nothing waits but for ever, which is followed no further.
            self.untreated("mutexes without threads", span);
        }
        match known {
            Known::Sync(Sync::Create) => self.create(args, span),
            Known::Sync(Sync::Join) => self.join_thread(args, span),
            Known::Sync(Sync::EndThread) => {
                self.arguments(args);
                if self.memory.life.is_some() {
                    self.end_own_lives(span);
                }
                self.thread_step(ThreadOp::Exit, span);
                self.stop();
            }
            Known::Sync(Sync::AtomicBegin) => {
                self.thread_step(ThreadOp::Yield(None), span);
                self.thread_step(ThreadOp::AtomicBegin, span);
            }
            Known::Sync(Sync::AtomicEnd) => self.thread_step(ThreadOp::AtomicEnd, span),
            Known::Sync(Sync::Signal) | Known::Sync(Sync::Broadcast) => {}
            Known::Sync(Sync::Wait) => {
                if let Some(mutex) = self.mutex(args.get(1), span) {
                    self.thread_step(ThreadOp::Yield(None), span);
                    self.thread_step(ThreadOp::Unlock(mutex), span);
                    self.thread_step(ThreadOp::Yield(None), span);
                    self.thread_step(ThreadOp::Lock(mutex), span);
                }
            }
            known => return self.with_mutex(known, args, expr),
        }
        match self.number_kind(expr.ty) {
            Some(_) => vec![self.constant(0, expr.ty, span)],
            None => self.any_of(expr.ty, span),
        }
    }

    /// What lives in the function that a thread runs does not live any more, where that is all that is the thread's own.
    fn end_own_lives(&mut self, span: Span) {
        let is_outermost =
            |function: FuncId| function != self.task.entry && !self.reach.is_called(function);
        match self.body.function.is_some_and(is_outermost) {
            true => self.end_locals(span),
            false => self.untreated("the end of a thread inside a function", span),
        }
    }

    /// A call about a mutex.
    fn with_mutex(&mut self, known: Known, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let zero = vec![self.constant(0, expr.ty, span)];
        let Some(mutex) = self.mutex(args.first(), span) else { return zero };
        self.thread_step(ThreadOp::Yield(None), span);
        match known {
            Known::Sync(Sync::MutexInit) => {
                let none = self.nobody();
                self.assign(mutex, none, span);
            }
            Known::Sync(Sync::Lock) => self.thread_step(ThreadOp::Lock(mutex), span),
            Known::Sync(Sync::Unlock) => self.thread_step(ThreadOp::Unlock(mutex), span),
            _ => {
                let taken = self.new_temporary("taken", SortId::BOOL, span);
                self.thread_step(ThreadOp::TryLock(mutex, taken), span);
                let (yes, no) = (zero, vec![self.constant(BUSY, expr.ty, span)]);
                let (Some(Scalar::Number(yes)), Some(Scalar::Number(no))) =
                    (yes.first(), no.first())
                else {
                    return yes;
                };
                let taken = self.term(taken);
                let term = self.program.terms.ite(taken, yes.term, no.term);
                let range = Range { low: Int::ZERO, high: Int::from(BUSY as i64) };
                return vec![Scalar::Number(Number { term, range })];
            }
        }
        zero
    }

    /// The variable that says who holds a mutex.
    fn mutex(&mut self, arg: Option<&Expr>, span: Span) -> Option<form::VarId> {
        let part = arg.and_then(addressed).and_then(known_part);
        let is_global = |var: VarId| {
            let storage = self.unit.var(var).storage;
            matches!(storage, Storage::Global | Storage::Static | Storage::Extern)
        };
        if arg.is_some_and(has_effects) {
            self.untreated("an argument that changes something", span);
        }
        let Some(part) = part.filter(|part| is_global(part.0)) else {
            self.untreated("a mutex that is not a global variable", span);
            return None;
        };
        if let Some(var) = self.threads.mutexes.get(&part) {
            return Some(*var);
        }
        let name = format!("holder of {}", self.unit.var(part.0).name);
        let none = self.nobody();
        let sort = self.program.terms.sort(none);
        let var = self.new_var(&name, sort, span, Origin::Hidden);
        self.program.globals.push(var);
        self.threads.mutexes.insert(part, var);
        Some(var)
    }

    /// That nobody holds a mutex, as the value of its variable.
    fn nobody(&mut self) -> TermId {
        match self.options.numbers {
            Numbers::Integers => self.program.terms.int(0),
            Numbers::Words => self.program.terms.bv(Bv::from_u64(8, 0)),
        }
    }

    /// Nobody holds a mutex at the beginning. What holds of the variables for it, since they are made late.
    pub fn free_mutexes(&mut self) {
        let zero = self.nobody();
        let vars: Vec<form::VarId> = self.threads.mutexes.values().copied().collect();
        let mut all: Vec<_> = self.program.start.into_iter().collect();
        for var in vars {
            let term = self.term(var);
            all.push(self.program.terms.eq(term, zero));
        }
        if !all.is_empty() {
            self.program.start = Some(self.program.terms.and(&all));
        }
    }

    /// `pthread_create`
    fn create(&mut self, args: &[Expr], span: Span) {
        let [handle, attributes, function, argument] = args else {
            return self.untreated("a thread that is created in another way", span);
        };
        let place = addressed(handle)
            .filter(|place| root(place).is_some_and(|var| self.threads.handles.contains(&var)));
        let (Some(place), Some(function)) = (place, started(function)) else {
            return self.untreated("a thread that is created in another way", span);
        };
        if has_effects(attributes) || has_effects(handle) {
            self.untreated("an argument that changes something", span);
        }
        if let Some(what) = self.unit.unshareable() {
            return self.untreated(what, span);
        }
        if function == self.task.entry {
            return self.untreated("a thread of the entry", span);
        }
        let value = self.expr(argument);
        let value = self.keep(value, span);
        let params = self.unit.function(function).params.len();
        let Some((proc, args)) = self.passed(function, &vec![value; params.min(1)], span) else {
            return self.untreated("a thread of a function of another kind", span);
        };
        let kind = number::Kind::of(IntKind::UnsignedLong, self.unit.types.model);
        let sort = number::sort(&mut self.program.terms, self.options.numbers, kind);
        let number = self.new_temporary("thread", sort, span);
        self.thread_step(ThreadOp::Create { proc, args, handle: number }, span);
        let spot = self.place(place, false);
        let term = self.term(number);
        let range = Range { low: Int::ZERO, high: Int::from(64) };
        self.write(&spot, vec![Scalar::Number(Number { term, range })], span);
    }

    /// `pthread_join`
    fn join_thread(&mut self, args: &[Expr], span: Span) {
        let [handle, result] = args else {
            return self.untreated("a thread that is joined in another way", span);
        };
        let is_handle =
            loaded(handle).and_then(root).is_some_and(|var| self.threads.handles.contains(&var));
        if !is_handle {
            return self.untreated("the number of a thread", span);
        }
        if !matches!(plain(result).kind, ExprKind::Int(0)) {
            return self.untreated("the result of a thread", span);
        }
        let Some(number) = self.number(handle) else { return };
        let term = self.keep_term(number.term, span);
        self.thread_step(ThreadOp::Yield(None), span);
        self.thread_step(ThreadOp::Join(term), span);
    }
}
