//! The common form of programs: procedures of blocks.
//!
//! A state gives every variable a value of its sort: unbounded integers, reals, words, arrays. A block is
//! a list of steps, done one after the other, and ends with a jump. Procedures are called by value and
//! share the global variables. A check says what must hold where it stands. Memory is variables that are
//! arrays. The text of this form is SV-LIB.
//!
//! Invariant (`Program::validate`): every variable has a term of its own, and steps mention the globals
//! and the variables of their procedure only; what is assigned has the sort of where it goes; jumps stay
//! in the procedure.
//!
//! Source: SV-LIB 1.0; the numerical transition systems of \[Hoj13\] §2.

pub mod run;
mod thread;
mod validate;

pub use thread::{Access, ThreadOp};

use alphorn_problem::Span;
use alphorn_term::{SortId, Store, TermId};

/// A variable, by its position among all of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A procedure, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(pub u32);

/// A block of a procedure, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Procedures over variables whose values are those of terms.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The store of all terms below.
    pub terms: Store,
    /// All variables.
    pub vars: Vec<Variable>,
    /// The global ones.
    pub globals: Vec<VarId>,
    /// The procedures.
    pub procs: Vec<Proc>,
    /// Where runs begin; its inputs may have any values.
    pub entry: Option<ProcId>,
    /// What holds of the global variables and the entry's inputs at the beginning; none for everything.
    /// A function that a program declares and leaves open is a global array that nothing changes, and what
    /// is known about it stands here: formulas mention no declared function.
    pub start: Option<TermId>,
}

/// A variable, global or of one procedure.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, for people: that of the source, which need not be unique.
    pub name: String,
    /// The values that it can have.
    pub sort: SortId,
    /// The term that stands for its value; no two variables share one.
    pub term: TermId,
    /// Where it was declared.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, Debug, Default)]
pub struct Proc {
    /// Its name in the source, for reports.
    pub name: String,
    /// Variables that hold its arguments; they keep what is assigned to them.
    pub inputs: Vec<VarId>,
    /// Variables whose values are its results; any values at first.
    pub outputs: Vec<VarId>,
    /// Other variables; any values at first.
    pub locals: Vec<VarId>,
    /// Its blocks; the first is where it begins.
    pub blocks: Vec<Block>,
    /// Where it stands.
    pub span: Span,
}

/// Steps, then a jump.
#[derive(Clone, Debug)]
pub struct Block {
    /// The name of the place: a label, or `loop` …; for reports.
    pub label: Option<String>,
    /// The place in the file: for a loop its first character.
    pub span: Span,
    /// What is done here, one after the other.
    pub steps: Vec<Step>,
    /// What comes next.
    pub jump: Jump,
}

/// An action, with its place in the source.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub action: Action,
    /// Where it stands.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Assigns values to variables, all at once.
    Assign(Vec<(VarId, TermId)>),
    /// Gives variables any values.
    Havoc(Vec<VarId>),
    /// Gives variables new values, which stand as the second of each pair in the formula, such that it
    /// holds; runs for which there are none end here.
    Relate(Vec<(VarId, TermId)>, TermId),
    /// Ends the run unless the formula holds.
    Assume(TermId),
    /// The formula must hold here; a run for which it does not is a violation, and ends.
    Check(Check),
    /// Calls a procedure.
    Call {
        /// Which.
        proc: ProcId,
        /// The arguments.
        args: Vec<TermId>,
        /// Where its results go.
        results: Vec<VarId>,
    },
    /// Does nothing: what the program that this one was made from has been given here, for the way back.
    Observe(Observation),
    /// What has to do with other threads; only programs that are still to be woven have it.
    Thread(ThreadOp),
}

/// What must hold.
#[derive(Clone, Debug)]
pub struct Check {
    /// What is checked, for reports: the name of a property.
    pub property: String,
    /// A formula over the variables.
    pub formula: TermId,
}

/// A choice of the program that this one was made from.
#[derive(Clone, Debug)]
pub enum Observation {
    /// One value.
    Value(TermId),
    /// The contents of an object.
    Contents(Vec<Part>),
    /// Whether an allocation succeeds: a Boolean.
    Allocated(TermId),
    /// A thread takes the visible step that stands here.
    Turn(u32, Span),
    /// A thread is created; threads have numbers of their own here.
    Created(u32),
}

impl Observation {
    /// The terms whose values are observed.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            Observation::Value(term) | Observation::Allocated(term) => vec![*term],
            Observation::Contents(parts) => parts.iter().map(|part| part.term).collect(),
            Observation::Turn(..) | Observation::Created(_) => Vec::new(),
        }
    }

    /// The same observation of other terms, in their order.
    pub fn with_terms(&self, terms: &[TermId]) -> Observation {
        match self {
            Observation::Value(_) => Observation::Value(terms[0]),
            Observation::Allocated(_) => Observation::Allocated(terms[0]),
            Observation::Turn(..) | Observation::Created(_) => self.clone(),
            Observation::Contents(parts) => {
                let parts = parts.iter().zip(terms);
                Observation::Contents(parts.map(|(part, &term)| Part { term, ..*part }).collect())
            }
        }
    }
}

/// Some of the contents of an object.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// For an array, how far apart elements are; zero for a single value.
    pub stride: u64,
    /// The value, or an array from numbers to values.
    pub term: TermId,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Jump {
    /// Goes on there.
    Goto(BlockId),
    /// Goes on at the first if the formula holds, else at the second.
    Branch(TermId, BlockId, BlockId),
    /// Goes on at any one of these; with none, the run ends.
    Choose(Vec<BlockId>),
    /// Returns from the procedure.
    Return,
}

impl Program {
    /// A variable.
    pub fn var(&self, var: VarId) -> &Variable {
        &self.vars[var.0 as usize]
    }

    /// A procedure.
    pub fn proc(&self, proc: ProcId) -> &Proc {
        &self.procs[proc.0 as usize]
    }

    /// Adds a variable with a term of its own. It belongs to nobody yet.
    pub fn add_var(&mut self, name: &str, sort: SortId, span: Span) -> VarId {
        let term = self.terms.fresh_var(name, sort);
        self.vars.push(Variable { name: name.to_owned(), sort, term, span });
        VarId(u32::try_from(self.vars.len() - 1).expect("fewer than 2^32 variables"))
    }

    /// The term of a variable.
    pub fn term(&self, var: VarId) -> TermId {
        self.var(var).term
    }

    /// The procedure of a name.
    pub fn find_proc(&self, name: &str) -> Option<ProcId> {
        self.procs.iter().position(|proc| proc.name == name).map(|index| ProcId(index as u32))
    }
}
