//! A program and its form, run side by side.

use alphorn_front::c;
use alphorn_problem::Span;
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::{Lowered, lower};
use alphorn_program::c::property::{Asked, Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Chooser, Limits, Outcome, Recorded, Runnable, Wanted};
use alphorn_program::form::run::{Ended, Oracle, State, run};
use alphorn_program::form::{Observation, Part};
use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Int, Sort, SortId, Store, Value};
use alphorn_testkit::Rng;
use std::sync::Arc;

/// Declarations that every program here may use.
pub const HEAD: &str = "
    extern void reach_error(void); extern void abort(void); extern void exit(int);
    extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
    extern void free(void *); extern void *alloca(unsigned long);
    extern void *memcpy(void *, const void *, unsigned long);
    extern void *memset(void *, int, unsigned long);
    extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
    extern unsigned char __VERIFIER_nondet_uchar(void); extern char __VERIFIER_nondet_char(void);
    extern long __VERIFIER_nondet_long(void); extern unsigned __VERIFIER_nondet_uint(void);
    extern short __VERIFIER_nondet_short(void); extern unsigned long __VERIFIER_nondet_ulong(void);
    extern _Bool __VERIFIER_nondet_bool(void); extern int unknown(int);
    #define fail reach_error()
    #define is(x) if (!(x)) fail
    #define any __VERIFIER_nondet_int()
";

/// The task of a program.
pub fn task(text: &str, properties: &[Property], model: DataModel, malloc: Malloc) -> Task {
    let text = format!("{HEAD}\n{text}");
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(model));
    let unit = unit.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    Task { unit: Arc::new(unit), entry, properties: properties.to_vec(), malloc }
}

/// Random choices, small and extreme ones often.
struct Random<'r> {
    rng: &'r mut Rng,
    model: DataModel,
}

impl Random<'_> {
    fn number(&mut self, bits: u32, is_signed: bool) -> i128 {
        let top = if is_signed { bits - 1 } else { bits };
        let number = match self.rng.below(4u64) {
            0 => i128::from(self.rng.below(6u64)),
            1 => i128::from(self.rng.between(-40, 60)),
            2 => (1i128 << top) - 2 + i128::from(self.rng.below(4u64)),
            _ => i128::from(self.rng.next_u64()),
        };
        let rest = 128 - bits;
        match is_signed {
            true => (number << rest) >> rest,
            false => (((number as u128) << rest) >> rest) as i128,
        }
    }
}

impl Chooser for Random<'_> {
    fn choose(&mut self, _: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        Some(match wanted {
            Wanted::Int(kind) => {
                let bits = kind.bits(self.model);
                Choice::Value(if bits == 1 {
                    i128::from(self.rng.below(2u64))
                } else {
                    self.number(bits, kind.is_signed())
                })
            }
            Wanted::Pointer => Choice::Value(8 * i128::from(self.rng.below(3u64))),
            Wanted::Contents(size) => {
                let cells = (0..size.min(64)).filter(|at| at % 4 == 0);
                let cells = cells.map(|at| (at, i128::from(self.rng.below(100u64)))).collect();
                Choice::Contents { cells, default: i128::from(self.rng.below(3u64)) }
            }
            Wanted::Allocated => Choice::Allocated(!self.rng.one_in(4u64)),
            Wanted::Turn { ready, .. } => {
                Choice::Turn { thread: ready.trailing_zeros(), points: 1 }
            }
        })
    }
}

/// Gives the form the choices that the program had.
struct Replay<'c> {
    choices: &'c [Choice],
    next: usize,
    complaints: Vec<String>,
}

/// A number as a value of a sort.
fn value(store: &Store, sort: SortId, number: i128) -> Value {
    match store.width_of(sort) {
        Some(width) => Value::Bv(Bv::from_int(width, &Int::from(number))),
        None => Value::Int(Int::from(number)),
    }
}

/// What a part of an object is by the contents that were chosen.
fn part_value(store: &Store, part: &Part, cells: &[(u64, i128)], default: i128) -> Option<Value> {
    let sort = store.sort(part.term);
    if part.stride == 0 {
        let found = cells.iter().find(|cell| cell.0 == part.offset);
        return Some(value(store, sort, found.map_or(default, |cell| cell.1)));
    }
    let Sort::Array(index, element) = *store.sort_of(sort) else { return None };
    let mut array = ArrayValue::constant(store, index, value(store, element, default))?;
    for &(offset, number) in cells {
        if offset >= part.offset && (offset - part.offset).is_multiple_of(part.stride) {
            let at = i128::from((offset - part.offset) / part.stride);
            array = array.with(store, value(store, index, at), value(store, element, number))?;
        }
    }
    Some(Value::Array(array.into()))
}

impl Oracle for Replay<'_> {
    fn observe(&mut self, observation: &Observation, _: Span, state: &mut State<'_>) {
        let store = &state.program.terms;
        let choice = self.choices.get(self.next);
        self.next += 1;
        let settled = match (observation, choice) {
            (Observation::Value(term), Some(Choice::Value(number))) => {
                state.settle(*term, value(store, store.sort(*term), *number))
            }
            (Observation::Allocated(term), Some(Choice::Allocated(is_there))) => {
                state.settle(*term, Value::Bool(*is_there))
            }
            (Observation::Contents(parts), Some(Choice::Contents { cells, default })) => {
                parts.iter().all(|part| {
                    let value = part_value(store, part, cells, *default);
                    value.is_some_and(|value| state.settle(part.term, value))
                })
            }
            _ => false,
        };
        if !settled {
            self.complaints.push(format!("{observation:?} is not {choice:?}"));
        }
    }
}

/// How often runs ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The entry returned in both.
    pub returned: u32,
    /// The same violation in both.
    pub violated: u32,
    /// Both stopped.
    pub stopped: u32,
    /// The program's run has no meaning, or one took too long.
    pub other: u32,
    /// The form does not follow.
    pub outside: u32,
}

/// Runs a program and its form with random choices, so many times.
#[track_caller]
pub fn agree(task: &Task, lowered: &Lowered, seed: u64, times: u32) -> Tally {
    let ready = Runnable::new(task);
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    for _ in 0..times {
        let random = Random { rng: &mut rng, model: task.unit.types.model };
        let mut chooser = Recorded::new(random);
        let limits = Limits { steps: 3000, ..Limits::default() };
        let outcome = ready.run(&mut chooser, limits, &mut ()).outcome;
        let choices = chooser.choices;
        let mut replay = Replay { choices: &choices, next: 0, complaints: Vec::new() };
        let ended = run(&lowered.program, &mut replay, 60_000);
        let context = format!("{outcome:?} {ended:?} {choices:?} {:?}", replay.complaints);
        match (&outcome, &ended) {
            (_, Ended::Violated { property, .. }) if property == "outside" => tally.outside += 1,
            (Outcome::Undefined(..) | Outcome::Limit, _) | (_, Ended::Limit) => tally.other += 1,
            (Outcome::Violation(violation), Ended::Violated { property, span }) => {
                assert_eq!(violation.property.name(), property, "{context}");
                assert_eq!(violation.span, *span, "{context}");
                tally.violated += 1;
            }
            (Outcome::Finished, Ended::Returned) => tally.returned += 1,
            (Outcome::Stopped(_), Ended::Stopped(_)) => tally.stopped += 1,
            // The form cannot say what is reachable, and calls whatever is not freed lost.
            (_, Ended::Violated { property, .. }) if property == Property::ValidMemtrack.name() => {
                tally.other += 1;
            }
            _ => panic!("{context}"),
        }
        if !matches!(outcome, Outcome::Undefined(..) | Outcome::Limit) && ended != Ended::Limit {
            // The form ends early where it does not follow, or does not see what keeps memory reachable.
            let is_followed = match (&outcome, &ended) {
                (Outcome::Violation(_), Ended::Violated { property, .. }) => property != "outside",
                (_, Ended::Violated { property, .. }) => {
                    property != "outside" && property != Property::ValidMemtrack.name()
                }
                _ => true,
            };
            assert!(replay.complaints.is_empty(), "{context}");
            assert!(!is_followed || replay.next == choices.len(), "{context}");
        }
    }
    tally
}

/// The program agrees, and some runs violate the properties.
#[track_caller]
pub fn violates(text: &str, properties: &[Property]) -> Tally {
    let tally = both(text, properties);
    assert!(tally.violated > 0 && tally.outside == 0, "{tally:?}");
    tally
}

/// Both ways of saying integers agree with the program; says how often runs ended how.
#[track_caller]
pub fn both(text: &str, properties: &[Property]) -> Tally {
    let mut tally = Tally::default();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let task = task(text, properties, model, Malloc::Succeeds);
        for numbers in [Numbers::Integers, Numbers::Words] {
            let lowered = lower(&task, numbers).unwrap_or_else(|all| panic!("{text}\n{all:?}"));
            let found = agree(&task, &lowered, 7, 60);
            tally.returned += found.returned;
            tally.violated += found.violated;
            tally.stopped += found.stopped;
            tally.other += found.other;
            tally.outside += found.outside;
        }
    }
    tally
}
