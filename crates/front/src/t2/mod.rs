//! Transition systems in the language of T2, read as flows.
//!
//! A file has a start, perhaps a cutpoint, and transitions: from a location, by assignments and assumptions
//! in their order, to a location. All variables are unbounded integers, with any values at the beginning.
//! `nondet()` is any value, each time it is evaluated, and so are quotients and remainders, as T2 has them.
//!
//! Invariant: the program of a flow is valid (`Program::validate`); it violates a check exactly if the
//! cutpoint is reached.
//!
//! After Brockschmidt, Cook, Ishtiaq, Khlaaf, Piterman, "T2: temporal property verification" (TACAS 2016)
//! and the tool's test suite.

mod file;
mod lower;
mod write;

use crate::diag::{Code, Diagnostic, Read, by_parts};
use crate::infix::{Assoc, Grammar, Lexis, infix};
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{BlockId, VarId};
use std::collections::BTreeMap;

pub use write::write;

static LEXIS: Lexis = Lexis {
    line_comments: &["//", "#"],
    has_block_comments: true,
    has_decimals: false,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || b"_$@".contains(&byte),
    continues_name: |byte| byte.is_ascii_alphanumeric() || b"_$@.'^".contains(&byte),
    symbols: &[
        ":=", "<=", ">=", "==", "!=", "&&", "||", "=", "<", ">", "!", "+", "-", "*", "/", "%", "(",
        ")", ",", ";", ":",
    ],
};

static GRAMMAR: Grammar = Grammar {
    prefix: &[("!", 30), ("-", 70)],
    infix: &[
        infix(10, Assoc::Chain, &["||"]),
        infix(20, Assoc::Chain, &["&&"]),
        infix(40, Assoc::None, &["=", "==", "!=", "<", "<=", ">", ">="]),
        infix(50, Assoc::Chain, &["+"]),
        infix(50, Assoc::Left, &["-"]),
        infix(60, Assoc::Chain, &["*"]),
        infix(60, Assoc::Left, &["/", "%"]),
    ],
    calls: &[("(", ")")],
    has_indices: false,
    has_conditional: false,
    binders: &[],
    bindings: |_| Ok(()),
    reserved: &["FROM", "TO", "START", "CUTPOINT", "SHADOW"],
};

/// A transition system: its program, and what questions about it speak of.
#[derive(Clone, Debug)]
pub struct Flow {
    /// One procedure, with a block per location and one per transition. Reaching the cutpoint violates
    /// a check.
    pub program: Program,
    /// The blocks of the locations.
    pub locations: BTreeMap<String, BlockId>,
    /// Where runs begin.
    pub start: BlockId,
    /// The location that safety asks about.
    pub cutpoint: Option<BlockId>,
    /// Variables and their shadows.
    pub shadows: Vec<(VarId, VarId)>,
}

/// Reads a transition system.
pub fn read(bytes: &[u8]) -> Read<Flow> {
    by_parts(bytes, file::parse, lower::flow)
}

/// Reads a transition system for the question whether its cutpoint can be reached.
pub fn read_safety(bytes: &[u8]) -> Read<Program> {
    let (flow, mut diagnostics) = read(bytes);
    if flow.as_ref().is_some_and(|flow| flow.cutpoint.is_none()) {
        let message = "the file has no CUTPOINT, the location that safety asks about";
        let diagnostic = Diagnostic::unsupported(Code::T2Unsupported, Span::NONE, message);
        diagnostics
            .push(diagnostic.hint("name one (CUTPOINT: l;), or ask: alphorn terminate FILE"));
    }
    let program = flow.map(|flow| flow.program);
    (program.filter(|_| diagnostics.is_clean()), diagnostics)
}

/// Reads a transition system for the question whether its runs end; the cutpoint says nothing about that.
pub fn read_runs(bytes: &[u8]) -> Read<Program> {
    let (flow, diagnostics) = read(bytes);
    let program = flow.map(|flow| {
        let mut program = flow.program;
        if let Some(cutpoint) = flow.cutpoint {
            program.procs[0].blocks[cutpoint.0 as usize].steps.clear();
        }
        program
    });
    (program, diagnostics)
}
