//! The code that a tree is run as: one list of instructions for a stack of values.
//!
//! Every expression becomes instructions that leave one value on the stack, every place that is in
//! memory some that leave its address there, and statements leave nothing. A frame has a slot per variable:
//! a scalar whose address is never taken is in its slot, and for all others the address of the object is.
//! Jumps carry the scopes they come from and go to, since objects live and die with them.

use super::value::{IntType, Value};
use crate::c::layout::TypeId;
use crate::c::library::Known;
use crate::c::tree::{Arith, Compare, FuncId, VarId};
use alphorn_problem::Span;

/// A position in the code.
pub type Pc = u32;

/// A scope of a function, by its position among all.
pub type ScopeId = u32;

/// What a scalar in memory is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Access {
    /// An integer.
    Int(IntType, u64),
    /// Some bits of an integer's bytes: the bytes to look at, the lowest bit there, and the value's type,
    /// which has as many bits as there are.
    Bits {
        /// The type of the values.
        ty: IntType,
        /// How many bytes.
        size: u64,
        /// The lowest bit.
        low: u32,
    },
    /// A pointer.
    Pointer,
    /// A `float`.
    Single,
    /// A `double`.
    Double,
}

/// What a branch belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// An `if`.
    If,
    /// A loop: true goes on.
    Loop,
    /// `c ? a : b`
    Conditional,
    /// The left side of `&&`.
    Both,
    /// The left side of `||`.
    Either,
}

/// An instruction. What it takes from the stack stands before the arrow, the top last.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    /// → value
    Const(Value),
    /// The slot of the frame: → value
    Get(u32),
    /// value → value, which is in the slot now
    Set(u32),
    /// The slot of a variable that lives as long as the program: → value
    GetGlobal(u32),
    /// value → value, which is in the slot now
    SetGlobal(u32),
    /// The address of a string literal: → address
    Text(u32),
    /// value →
    Pop,
    /// value → value value
    Dup,
    /// a b → b a
    Swap,
    /// a b → a b a
    Over,
    /// address → value
    Read(Access),
    /// address value → value as it is stored
    Write(Access),
    /// address → structure
    ReadRecord(TypeId),
    /// address structure → structure
    WriteRecord,
    /// structure → the scalar at this offset of it
    Part(Access, u64),
    /// structure → the structure at this offset of it
    PartRecord(u64, u64),
    /// address → address, so many bytes on
    Offset(i64),
    /// address index → address of the element; the size of elements, how many there are if it is known,
    /// and whether the place behind the last is one
    Index(u64, Option<u64>, bool),
    /// address index count → address index, after the check that `Index` makes
    Bound(bool),
    /// address index → address moved by so many elements of a size, forwards or backwards
    Move(u64, bool),
    /// address index size → address moved by so many elements of that size, forwards or backwards
    MoveSized(bool),
    /// address address → how many elements of a size lie between them, as an integer
    Distance(u64, IntType),
    /// address address size → the same
    DistanceSized(IntType),
    /// value → value
    Neg(IntType),
    /// value → value
    FloatNeg,
    /// value → value
    BitNot(IntType),
    /// value → 1 if it is zero, else 0
    Not,
    /// value → 0 if it is zero, else 1
    Truth,
    /// a b → value
    Arith(Arith, IntType),
    /// a b → value; whether the type is `float`
    FloatArith(Arith, bool),
    /// a b → 0 or 1; the type of both, pointers being integers here
    Compare(Compare, IntType),
    /// a b → 0 or 1
    FloatCompare(Compare),
    /// value → value of the type
    ToInt(IntType),
    /// number → number of the type
    FloatToInt(IntType),
    /// number → floating number; whether that is a `float`
    IntToFloat(IntType, bool),
    /// floating number → `float`
    Round,
    /// Goes on there.
    Jump(Pc),
    /// Goes on there, in another scope.
    Travel {
        /// Where.
        to: Pc,
        /// The scope it leaves.
        from: ScopeId,
        /// The scope it comes to.
        into: ScopeId,
        /// Whether the stack of the frame is empty there.
        is_outside: bool,
    },
    /// label's address → ; goes on there
    TravelTo(ScopeId),
    /// value → ; goes on here if it is not zero, else there
    Branch(Branching, Pc),
    /// value → ; goes on where the table says
    Switch(u32),
    /// Objects of a scope come to life.
    Enter(ScopeId),
    /// They die.
    Leave(ScopeId),
    /// A statement begins.
    Statement,
    /// A loop's condition is about to be evaluated, or the body of `do` to be entered.
    LoopHead,
    /// Where a run may come by again and again: whether something allocated is lost.
    LookOver,
    /// The first value of a scalar variable, asked for: → value
    Ask(VarId),
    /// address → ; the variable there gets its first contents, asked for
    AskContents(VarId),
    /// The address of something outside the program: → address
    Foreign,
    /// address → ; the object there has no value any more
    Forget,
    /// address → ; the object there is all zeros
    Zero,
    /// An array whose size is known only now: size → ; a new object in the slot
    AllocateSized(u32),
    /// address → ; the text is written there, as far as it fits into so many bytes
    WriteText(u32, u64),
    /// arguments → result
    Call(FuncId, u32),
    /// address arguments → result
    CallPointer(u32),
    /// value → ; leaves the function with it
    Return,
    /// Leaves the function without a value.
    ReturnNothing,
    /// The entry has returned.
    Finish,
    /// result → ; the function of a thread has returned
    EndThread,
    /// A step that changes an atomic variable begins: no other thread runs until it ends.
    Hold,
    /// Such a step ends.
    Release,
    /// What is not treated.
    Untreated(&'static str),
}

/// A block with its variables, which begin and end together.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The scope around it; of the outermost, itself.
    pub parent: ScopeId,
    /// How many are around it.
    pub depth: u32,
    /// Slots of scalars.
    pub scalars: Vec<u32>,
    /// Slots of objects with their sizes.
    pub objects: Vec<(u32, u64)>,
    /// Slots of objects whose sizes are known only when the program runs.
    pub sized: Vec<u32>,
    /// Whether scalars must be forgotten on entry, because declarations may be jumped over.
    pub is_jumped: bool,
}

/// What a parameter becomes.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// A value in its slot.
    Slot,
    /// A scalar in an object.
    Object(Access, u64),
    /// A structure in an object.
    Record(u64),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Where it begins.
    pub start: Pc,
    /// How many slots a frame has; the first are the parameters'.
    pub slots: u32,
    /// What the parameters become.
    pub params: Vec<Param>,
    /// The slots that hold addresses of objects that die with the frame.
    pub objects: Vec<u32>,
    /// Its labels: where they are, in which scope, and whether the stack of the frame is empty there.
    pub labels: Vec<Option<(Pc, ScopeId, bool)>>,
    /// Whether calls of it are remembered: it is pure, and may take long.
    pub is_remembered: bool,
    /// Whether no other thread runs while it does.
    pub is_atomic: bool,
}

/// What calling a function does.
#[derive(Clone, Debug)]
pub enum Callee {
    /// Its body is run.
    Body(Body),
    /// It is known by name.
    Known(Known),
    /// Nothing is known of it.
    Unknown,
    /// It is not treated.
    Untreated(&'static str),
}

/// A table of cases.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The scope of the `switch`.
    pub from: ScopeId,
    /// Ranges of values in order, with where they go on and in which scope.
    pub ranges: Vec<(i128, i128, Pc, ScopeId)>,
    /// Where all others go on.
    pub default: (Pc, ScopeId),
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// The slot, of the frame or of the program.
    pub slot: u32,
    /// Whether the slot is the program's.
    pub is_global: bool,
    /// Whether the slot has the address of an object, not the value.
    pub is_object: bool,
}

/// A program as code.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The instructions.
    pub instrs: Vec<Instr>,
    /// The place of each in the file.
    pub spans: Vec<Span>,
    /// The blocks of all functions.
    pub scopes: Vec<Scope>,
    /// The tables of `switch`.
    pub cases: Vec<Cases>,
    /// What calling a function does, by position.
    pub callees: Vec<Callee>,
    /// Where variables are.
    pub homes: Vec<Option<Home>>,
    /// How many slots the program has.
    pub globals: u32,
    /// Which of them hold addresses of objects that never change.
    pub is_fixed: Vec<bool>,
    /// Which of them are atomic.
    pub is_atomic: Vec<bool>,
    /// Objects that live as long as the program: slot and size.
    pub global_objects: Vec<(u32, u64)>,
    /// Where a run begins.
    pub start: Pc,
    /// Where a thread goes on when its function returns.
    pub thread_end: Pc,
}
