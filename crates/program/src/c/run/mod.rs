//! How C programs run: the definition of what they mean.
//!
//! A run is determined by its choices. What is asked for, in this order:
//!
//! - before the entry: the first value (`Asked::Variable`) of every variable from outside (`extern`) and
//!   then of every parameter of the entry, by position. Of pointers among them nothing is known or asked;
//!   what they point to is not looked at (`Outcome::Untreated`).
//! - at the declaration of a local without initialiser, each time it is passed: its value, or its contents
//!   for an array or structure. Floating variables have none, nor has what a jump went past its
//!   declaration: whoever reads them ends the run (`Outcome::Undefined`).
//! - at `malloc`, `realloc`, `alloca`: whether it succeeds, if it may fail; then the contents. At `calloc` only
//!   the former.
//! - at a call of a `nondet` function, of one that prints, and of one that nobody knows: the value, for a
//!   structure its contents. A pointer that an unknown function returns is null for 0, and otherwise
//!   something outside the program. Unknown functions change nothing here, which is one of the things
//!   they may do; where memory is asked about they must not get the address of an object. `__VERIFIER_nondet_pointer` is null, and nothing is asked.
//!
//! Signed arithmetic out of range is a violation of `no-overflow` if that is asked about, and wraps around
//! otherwise. That is so for `+ - * /`, negation, `++` and `--`; a left shift loses bits in silence, as SV-COMP
//! has it. The smallest number divided by -1 overflows, or is undefined if nobody asks; its remainder is
//! undefined, and so is a shift by a negative number of bits or by as many as the type has. What ends a run
//! without a violation because nobody asked is `Outcome::Undefined`: division by zero, access to what is no
//! object, a bad `free`.
//!
//! Comparing addresses in different objects is defined for `==` and `!=` alone, and the number of an
//! address is not known: it can be moved, compared and converted back.
//!
//! Memory that is still allocated is looked over when the program ends: the entry returns (its variables
//! are gone then), `exit` is called, an assertion fails or an error function is called that nobody asked
//! about, or, for what is not reachable any more, `abort`. A run whose assumption fails has not happened. What is
//! not reachable any more is lost in runs without an end, too, and what is lost stays so: it is looked for at loops, labels and the
//! beginnings of functions, as often as the run pays for it.
//!
//! A step is a statement, a round of a loop or a call; copying many bytes takes more. A call of a pure function whose
//! result is remembered is one step (`recall`).

mod choose;
mod code;
mod compile;
mod frame;
mod known;
mod leak;
mod machine;
mod memory;
mod operate;
mod pure;
mod recall;
mod state;
mod sync;
mod threads;
mod value;

pub use choose::{Listed, Recorded};
pub use code::Branching;
pub use state::State;
pub use value::{Address, IntType, ObjectId, Pointer, Value};

use super::layout::IntKind;
use super::property::{Asked, Choice, Property, Task, Violation};
use super::tree::{Compare, FuncId};
use alphorn_problem::Span;
use std::collections::BTreeSet;

/// How far a run may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps it may take, in all functions together.
    pub steps: u64,
    /// How many bytes of memory.
    pub memory: u64,
    /// How many calls deep.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, memory: 256 << 20, depth: 20_000 }
    }
}

/// Why a run ended before its entry returned, with nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An assumption is false.
    Assume,
    /// The program gave up.
    Abort,
    /// An assertion failed, or a function was called that must not be, and nobody asked about it.
    Failed,
    /// The program called for its end.
    Exit,
    /// No thread can go on.
    Deadlock,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a violation.
    Violation(Violation),
    /// The entry returned.
    Finished,
    /// The run was stopped from inside.
    Stopped(Reason),
    /// A limit was reached.
    Limit,
    /// Something is not treated.
    Untreated(&'static str, Span),
    /// Something has no meaning, and nobody asked about it.
    Undefined(&'static str, Span),
    /// A choice does not fit what is asked for, or there is none.
    Refused(&'static str, Span),
}

/// What kind of choice is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A `Choice::Value` of an integer type.
    Int(IntKind),
    /// A `Choice::Value` that is a pointer as a number, in the range of `unsigned long`.
    Pointer,
    /// `Choice::Contents` of so many bytes.
    Contents(u64),
    /// `Choice::Allocated`.
    Allocated,
    /// `Choice::Turn` of a thread that can go on.
    Turn {
        /// Those, a set of bits.
        ready: u64,
        /// The thread that ran last.
        current: u32,
        /// Whether it rests between visible steps: it would end the run, or goes round a loop.
        is_at_rest: bool,
    },
}

/// Who makes the choices of a run.
pub trait Chooser {
    /// The next choice; none ends the run.
    fn choose(&mut self, asked: Asked, wanted: Wanted, span: Span) -> Option<Choice>;
}

/// Who looks on.
pub trait Watcher {
    /// Whether calls that only repeat an earlier one are to be run and seen, too, and not remembered.
    fn sees_repeated_calls(&self) -> bool {
        false
    }
    /// A statement begins; also one behind a label, with the place of the label.
    fn statement(&mut self, span: Span, state: &State<'_>) {
        let _ = (span, state);
    }
    /// The condition of the loop that stands here is about to be evaluated, or the body of `do` entered.
    fn loop_head(&mut self, span: Span, state: &State<'_>) {
        let _ = (span, state);
    }
    /// A condition was evaluated. `site` is a number of its own for every condition.
    fn branch(&mut self, kind: Branching, span: Span, site: u32, is_true: bool) {
        let _ = (kind, span, site, is_true);
    }
    /// A `switch` goes by this value to the case at this position, or to none of them.
    fn switch(&mut self, span: Span, site: u32, value: i128, case: Option<usize>) {
        let _ = (span, site, value, case);
    }
    /// Two numbers were compared. `site` is a number of its own for every comparison.
    fn compare(&mut self, site: u32, op: Compare, left: i128, right: i128) {
        let _ = (site, op, left, right);
    }
    /// A function with a body was entered, by the call that stands here.
    fn enter(&mut self, function: FuncId, span: Span, state: &State<'_>) {
        let _ = (function, span, state);
    }
    /// It returns.
    fn leave(&mut self, function: FuncId, result: Value, state: &State<'_>) {
        let _ = (function, result, state);
    }
    /// A thread takes a visible step, which stands here.
    fn passes(&mut self, thread: u32, span: Span) {
        let _ = (thread, span);
    }
    /// Another thread goes on; threads go by the order of their creation, and the state is that of the one that
    /// ran until now.
    fn turn(&mut self, thread: u32, state: &State<'_>) {
        let _ = (thread, state);
    }
    /// A choice was made.
    fn chosen(&mut self, asked: Asked, choice: &Choice, span: Span) {
        let _ = (asked, choice, span);
    }
}

/// Nobody.
impl Watcher for () {}

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Runnable {
    task: Task,
    code: code::Code,
    asked: Properties,
}

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// How many steps it took.
    pub steps: u64,
    /// How many more it takes if no call is remembered.
    pub spared: u64,
}

/// A set of properties.
#[derive(Clone, Copy, Debug)]
struct Properties(u16);

impl Properties {
    fn has(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }
}

impl Runnable {
    /// Makes a program ready.
    pub fn new(task: &Task) -> Runnable {
        let asked = task.properties.iter().fold(0, |set, &property| set | 1 << property as u16);
        Runnable { task: task.clone(), code: compile::compile(task), asked: Properties(asked) }
    }

    /// What it was made from.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The numbers that occur in the program, those of cases among them.
    pub fn constants(&self) -> BTreeSet<i128> {
        let mut numbers = BTreeSet::new();
        for instr in &self.code.instrs {
            if let code::Instr::Const(Value::Int(number)) = instr {
                numbers.insert(*number);
            }
        }
        for range in self.code.cases.iter().flat_map(|cases| &cases.ranges) {
            numbers.extend([range.0, range.1]);
        }
        numbers
    }

    /// Runs it from the beginning, with these choices, until it ends or a limit does.
    pub fn run<C: Chooser + ?Sized, W: Watcher + ?Sized>(
        &self,
        choices: &mut C,
        limits: Limits,
        watch: &mut W,
    ) -> Ran {
        machine::Machine::new(self, choices, limits, watch).run()
    }

    /// The same, where somebody is told at loops how many steps there were, about every `slice` steps, and may end
    /// the run there: its outcome is then a limit.
    pub fn run_in_slices<C: Chooser + ?Sized, W: Watcher + ?Sized>(
        &self,
        choices: &mut C,
        limits: Limits,
        watch: &mut W,
        slice: u64,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Ran {
        machine::Machine::new(self, choices, limits, watch).run_in_slices(slice, goes_on)
    }
}

/// Runs a program once.
pub fn run(
    task: &Task,
    choices: &mut dyn Chooser,
    limits: Limits,
    watch: &mut dyn Watcher,
) -> Outcome {
    Runnable::new(task).run(choices, limits, watch).outcome
}
