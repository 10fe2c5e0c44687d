//! From the tree of a C program to the common form of programs.
//!
//! One rule per kind of node, each a function of its own that says the rule. Effects are done from left to
//! right; a value that a later effect could change is kept in a variable first. What has no effects becomes
//! one term, conditionals and short circuits too: what must be checked in them is checked under the condition
//! that they are evaluated. Variables whose addresses are not taken are variables, by their leaves (`shape`);
//! all else is memory (`regions`, `memory`). Integers are said in one of two ways, both exact (`number`).
//!
//! What the form does is at least what the program does: every run of the program is one of the form, with
//! the same choices observed in the same order, and where it violates a property a check fails. Where the
//! program's meaning is undefined the run ends. The form may have more runs, where what is in memory is
//! followed less closely; a violation is always replayed on the program itself.
//!
//! Invariant: every value that is assigned lies in the range of its type. Hence it does wherever control
//! comes by, and `Options::ranges` says so at the heads of loops and procedures.
//!
//! Source: C11; \[Hoj13\] §5 for the checks.

mod body;
mod call;
mod condition;
mod conversion;
mod expression;
mod grains;
mod initial;
mod integers;
mod library;
mod memory;
mod number;
mod place;
mod points;
mod reach;
mod regions;
mod shape;
mod statement;
mod text;
mod threads;
mod track;
mod update;
mod value;
mod words;

use super::evidence::Numbers;
use super::layout::{DataModel, TypeId};
use super::property::{Malloc, Property, Task};
use super::tree::{self, FuncId, Unit};
use crate::form::{self, ProcId, Program};
use crate::weave::weave;
use alphorn_problem::Span;
use alphorn_term::TermId;
use body::Body;
pub(crate) use body::OUTSIDE;
use memory::Memory;
use place::Home;
use reach::Reach;
use regions::Regions;
use rustc_hash::FxHashMap;
pub use shape::{Path, Step};
use std::borrow::Cow;
use std::collections::BTreeSet;
use threads::Threads;

/// Objects up to here lie outside the program, and nothing is known of them; those between this and zero are
/// numbers that are no addresses.
const FOREIGN: i64 = -(1 << 30);

/// A program in the common form, and what it has to do with the C program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// What clauses are made from.
    pub program: Program,
    /// What each of its variables is, by their positions.
    pub origins: Vec<Origin>,
    /// What an answer about it takes for granted.
    pub assumptions: Vec<Assumption>,
    /// Where the form has more runs than the program: a violation there may be none.
    pub loose: Vec<Untreated>,
    /// Whether it is several threads, woven into one procedure or apart.
    pub is_woven: bool,
}

impl Lowered {
    /// Whether the form ends, as if something were violated, where the program has more threads than it.
    pub fn leaves_out_threads(&self) -> bool {
        let ends = |action: &form::Action| match action {
            form::Action::Check(check) => {
                check.property == OUTSIDE && check.formula == TermId::FALSE
            }
            _ => false,
        };
        let blocks = self.program.procs.iter().flat_map(|proc| &proc.blocks);
        let mut steps = blocks.flat_map(|block| &block.steps);
        self.is_woven && steps.any(|step| ends(&step.action))
    }
}

/// How a program is lowered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How integers are said.
    pub numbers: Numbers,
    /// Whether the ranges of variables are said at the heads of loops and procedures.
    pub ranges: bool,
}

/// What a variable of the form stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A part of a variable: all of its elements at this path.
    Variable {
        /// The variable.
        var: tree::VarId,
        /// The way to the part.
        path: Path,
        /// What of it.
        part: ScalarPart,
    },
    /// What objects of a region have at a path: an array by objects, and by indices where there are any.
    Memory {
        /// The type of the objects.
        ty: TypeId,
        /// The way to the part.
        path: Path,
        /// What of it.
        part: ScalarPart,
    },
    /// The result of a function, or a part of it.
    Result(FuncId),
    /// Something that stands in no program: a value that is kept for a moment, the next object.
    Hidden,
}

/// What of a scalar a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarPart {
    /// Its value.
    Value,
    /// For a pointer, which object it points to: zero is null, a negative number no object at all.
    Object,
    /// For a pointer, an index into the arrays on the way, outermost first.
    Index(u32),
}

/// What an answer takes for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// How wide integers are.
    DataModel(DataModel),
    /// Signed arithmetic that leaves its range wraps around.
    SignedWraps,
    /// Allocation succeeds.
    MallocSucceeds,
    /// Threads are interleaved, and memory is sequentially consistent.
    Interleaved,
    /// A function that is not defined and not known returns any value, and writes what it can reach.
    Unknown {
        /// Its name.
        name: String,
        /// Where it is first called.
        span: Span,
    },
}

/// Something reachable that is not treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untreated {
    /// What, in words.
    pub what: String,
    /// Where.
    pub span: Span,
    /// Whether it is treated where integers are words.
    pub needs_words: bool,
}

/// The program of a task with the ranges of variables said, or all that is not treated.
pub fn lower(task: &Task, numbers: Numbers) -> Result<Lowered, Vec<Untreated>> {
    lower_with(task, Options { numbers, ranges: true })
}

/// The program of a task, or all that is not treated.
pub fn lower_with(task: &Task, options: Options) -> Result<Lowered, Vec<Untreated>> {
    let mut lowered = lower_threads(task, options)?;
    if lowered.is_woven {
        let woven = weave(lowered.program)?;
        // A copy of a variable is what the variable is, in another thread.
        lowered.origins.extend(woven.copies.iter().map(|_| Origin::Hidden));
        lowered.program = woven.program;
    }
    Ok(lowered)
}

/// The program of a task whose threads are still apart, or all that is not treated; a program without threads is not.
pub fn lower_apart(task: &Task, numbers: Numbers) -> Result<Lowered, Vec<Untreated>> {
    let lowered = lower_threads(task, Options { numbers, ranges: true })?;
    match lowered.is_woven {
        true => Ok(lowered),
        false => {
            let what = "a program without threads, one by one".to_owned();
            Err(vec![Untreated { what, span: Span::NONE, needs_words: false }])
        }
    }
}

/// The program of a task, its threads apart; or all that is not treated.
fn lower_threads(task: &Task, options: Options) -> Result<Lowered, Vec<Untreated>> {
    let mut reach = Reach::of(task);
    let threads = Threads::of(&task.unit, &mut reach);
    let unit = &*with_homes(&task.unit, &reach, &threads);
    let regions = Regions::of(unit, &reach);
    let mut lower = Lower {
        task,
        unit,
        options,
        program: Program::default(),
        origins: Vec::new(),
        procs: FxHashMap::default(),
        results: FxHashMap::default(),
        homes: FxHashMap::default(),
        arguments: FxHashMap::default(),
        memory: Memory::default(),
        regions,
        reach,
        untreated: Vec::new(),
        loose: Vec::new(),
        unknown: Vec::new(),
        reported: BTreeSet::new(),
        body: Body::default(),
        threads,
    };
    lower.declare_memory();
    lower.declare_globals();
    lower.declare_functions();
    lower.define_functions();
    if !lower.untreated.is_empty() {
        return Err(lower.untreated);
    }
    lower.free_mutexes();
    let assumptions = lower.assumptions();
    let Lower { program, origins, loose, threads, .. } = lower;
    Ok(Lowered { program, origins, assumptions, loose, is_woven: threads.are_created })
}

/// The program with every variable in memory whose type has a union in it that is used by different members:
/// only bytes say what is in it. Handles of threads are not in memory.
fn with_homes<'a>(unit: &'a Unit, reach: &Reach, threads: &Threads) -> Cow<'a, Unit> {
    let is_mixed = |var: &&tree::VarId| {
        let ty = unit.var(**var).ty;
        !unit.var(**var).is_address_taken && shape::leaves(&unit.types, &reach.unions, ty).is_err()
    };
    let mixed: Vec<tree::VarId> = reach.vars.iter().filter(is_mixed).copied().collect();
    if mixed.is_empty() && threads.handles.is_empty() {
        return Cow::Borrowed(unit);
    }
    let mut unit = unit.clone();
    for var in mixed {
        unit.vars[var.0 as usize].is_address_taken = true;
    }
    for var in &threads.handles {
        unit.vars[var.0 as usize].is_address_taken = false;
    }
    Cow::Owned(unit)
}

/// What is known while a program is lowered.
struct Lower<'a> {
    task: &'a Task,
    unit: &'a Unit,
    options: Options,
    program: Program,
    origins: Vec<Origin>,
    /// The procedure of each function that is reached and defined.
    procs: FxHashMap<FuncId, ProcId>,
    /// The variables for the result of each.
    results: FxHashMap<FuncId, place::Cells>,
    /// Where variables live.
    homes: FxHashMap<tree::VarId, Home>,
    /// The variables for the arguments of parameters that are in memory.
    arguments: FxHashMap<tree::VarId, place::Cells>,
    memory: Memory,
    regions: Regions,
    reach: Reach,
    untreated: Vec<Untreated>,
    loose: Vec<Untreated>,
    unknown: Vec<Assumption>,
    /// Places that were reported: a thing is reported once.
    reported: BTreeSet<(Span, String)>,
    /// The procedure that is being made.
    body: Body,
    threads: Threads,
}

impl<'a> Lower<'a> {
    /// Whether a property is asked.
    fn asks(&self, property: Property) -> bool {
        self.task.properties.contains(&property)
    }

    /// Says that something is not treated, if control can come there.
    fn untreated(&mut self, what: impl Into<String>, span: Span) {
        self.report(what.into(), span, false);
    }

    /// Says that something is treated with words only.
    fn needs_words(&mut self, what: impl Into<String>, span: Span) {
        self.report(what.into(), span, true);
    }

    fn report(&mut self, what: String, span: Span, needs_words: bool) {
        if self.body.is_live() && self.reported.insert((span, what.clone())) {
            self.untreated.push(Untreated { what, span, needs_words });
        }
    }

    /// Says that the form has more runs than the program from here on.
    fn loosely(&mut self, what: impl Into<String>, span: Span) {
        let what = what.into();
        if self.reported.insert((span, what.clone())) {
            self.loose.push(Untreated { what, span, needs_words: false });
        }
    }

    /// What an answer takes for granted.
    fn assumptions(&self) -> Vec<Assumption> {
        let mut all = vec![Assumption::DataModel(self.unit.types.model)];
        if !self.asks(Property::NoOverflow) {
            all.push(Assumption::SignedWraps);
        }
        if self.task.malloc == Malloc::Succeeds && self.reach.allocates {
            all.push(Assumption::MallocSucceeds);
        }
        if self.threads.are_created {
            all.push(Assumption::Interleaved);
        }
        all.extend(self.unknown.iter().cloned());
        all
    }

    /// A new variable of the form.
    fn new_var(
        &mut self,
        name: &str,
        sort: alphorn_term::SortId,
        span: Span,
        origin: Origin,
    ) -> form::VarId {
        let var = self.program.add_var(name, sort, span);
        self.origins.push(origin);
        var
    }

    /// The term of a variable of the form.
    fn term(&self, var: form::VarId) -> TermId {
        self.program.term(var)
    }
}
