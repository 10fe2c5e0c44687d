//! A run of a program as a C test: a file that compiles and fails.
//!
//! The test is the program's own text with as little changed as possible. Functions that nobody defines
//! return what was chosen for their calls, in order; locals without initialiser get the value or the contents
//! that were chosen; the function that reports the error leaves with a code of its own, whether the program defines it
//! or not; the entry is called by a `main` of ours, so that it may be called anything and return anything.
//! What overflows, or misuses memory, is caught by the compiler's sanitizers, which the command in the
//! first lines asks for.
//!
//! Definitions of functions that take pointers are made under another name and given the name by the
//! assembler: types here have no qualifiers, and a declaration with other qualifiers would not agree.
//!
//! Where a value cannot be handed to a compiled program, the test says so (`Harness::left_out`).

mod edit;
mod fill;
mod memory;
mod stubs;

use alphorn_problem::Span;
use alphorn_program::c::property::{Asked, Choice, Property, Task};
use alphorn_program::c::{DataModel, FuncId, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The code that the test leaves with when the violation happens.
pub const VIOLATED: u8 = 66;
/// The code that it leaves with when an assumption does not hold.
pub const ASSUMED: u8 = 67;
/// The code that it leaves with when it asks for more values than the run had.
pub const EXHAUSTED: u8 = 68;

/// A choice of a run, what it was for, and where.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What was asked for.
    pub asked: Asked,
    /// What was chosen.
    pub choice: Choice,
    /// Where.
    pub span: Span,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The text of the file.
    pub text: Vec<u8>,
    /// What the compiler is called with, besides the names of files.
    pub flags: Vec<&'static str>,
    /// What of the run the test cannot repeat, in words.
    pub left_out: Vec<String>,
    /// Why it takes long, if it does.
    pub slow: Option<String>,
}

/// The test of a run of a program, which is in the file of this name, that violates a property.
pub fn harness(
    task: &Task,
    file: &str,
    source: &[u8],
    property: Property,
    chosen: &[Chosen],
) -> Harness {
    let flags = flags(property, task.unit.types.model);
    let mut maker = Maker { task, source, calls: BTreeMap::new(), left_out: Vec::new() };
    let mut locals: BTreeMap<VarId, Vec<i128>> = BTreeMap::new();
    let mut objects: BTreeMap<VarId, Vec<fill::Numbers>> = BTreeMap::new();
    let mut at_start: Vec<(VarId, i128)> = Vec::new();
    let mut allocated: Vec<bool> = Vec::new();
    for one in chosen {
        match (one.asked, &one.choice) {
            (Asked::Call(function), Choice::Value(value)) => {
                maker.calls.entry(function).or_default().push(*value);
            }
            (Asked::Variable(var), Choice::Value(value)) if maker.is_at_start(var) => {
                at_start.push((var, *value));
            }
            (Asked::Variable(var), Choice::Value(value)) => {
                locals.entry(var).or_default().push(*value);
            }
            (Asked::Variable(var), Choice::Contents { cells, default })
                if !maker.is_at_start(var) && maker.filled(var).is_some() =>
            {
                objects.entry(var).or_default().push((cells.clone(), *default));
            }
            (Asked::Allocation, Choice::Allocated(succeeds)) => allocated.push(*succeeds),
            (Asked::Schedule, _) => maker.leave_out("which thread runs when", one.span),
            (_, Choice::Contents { cells, default }) if cells.is_empty() && *default == 0 => {}
            _ => maker.leave_out("what an object has in it that is not initialised", one.span),
        }
    }
    let mut text = maker.head(file, property, &flags);
    if allocated.contains(&false) {
        maker.allocation(&mut text, &allocated);
    }
    maker.prototypes(&mut text, &locals, &objects);
    let _ = writeln!(text, "#line 1 {}", stubs::string(file));
    let mut text = text.into_bytes();
    text.extend(maker.edited(&locals, &objects));
    let mut rest = String::from("\n#line 1 \"alphorn\"\n#undef main\n#undef assert\n");
    maker.values_of_locals(&mut rest, &locals);
    maker.fillings(&mut rest, &objects);
    maker.definitions(&mut rest);
    maker.main(&mut rest, property, &at_start);
    text.extend(rest.into_bytes());
    Harness { text, flags, left_out: maker.left_out, slow: None }
}

/// What makes a violation of a property end a compiled run with `VIOLATED`.
fn flags(property: Property, model: DataModel) -> Vec<&'static str> {
    let mut flags = vec!["-w", "-O0"];
    if model == DataModel::Ilp32 {
        flags.push("-m32");
    }
    const LAST: &str = "-fno-sanitize-recover=all";
    match property {
        Property::UnreachCall | Property::Assert => flags.push("-fwrapv"),
        Property::NoOverflow => {
            flags.extend(["-fsanitize=signed-integer-overflow,integer-divide-by-zero", LAST]);
        }
        Property::NoDivisionByZero => {
            flags.extend(["-fwrapv", "-fsanitize=integer-divide-by-zero", LAST]);
        }
        Property::ArrayBounds => {
            flags.extend(["-fwrapv", "-fsanitize=bounds-strict,address", LAST]);
        }
        Property::NoDataRace => flags.extend(["-fwrapv", "-fsanitize=thread", LAST]),
        Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::MemCleanup => flags.extend(["-fwrapv", "-fsanitize=address,null", LAST]),
    }
    flags
}

/// Makes a test.
struct Maker<'a> {
    task: &'a Task,
    source: &'a [u8],
    /// What calls return, in order.
    calls: BTreeMap<FuncId, Vec<i128>>,
    left_out: Vec<String>,
}

impl Maker<'_> {
    fn leave_out(&mut self, what: &str, span: Span) {
        let before = &self.source[..(span.start as usize).min(self.source.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let words = format!("{what} (line {line})");
        if !self.left_out.contains(&words) {
            self.left_out.push(words);
        }
    }
}
