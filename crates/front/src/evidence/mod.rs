//! Evidence as text: what `--evidence` writes and `alphorn check` reads.
//!
//! Where a community has a format for a kind of evidence we write that (AIGER and BTOR2
//! witnesses, SMT-LIB models); the rest is ours and described in the files below. Reading never
//! judges: what comes out is data for the checker, which believes none of it.

mod arguments;
mod bits;
mod cases;
mod circuit;
pub mod clausal;
mod derivation;
mod explanation;
mod flow;
mod fold;
mod frame;
mod front;
mod game;
mod horn;
mod interpretation;
mod layout;
pub mod lrat;
pub mod matching;
mod names;
mod parts;
mod program;
mod proof;
mod script;
mod trace;
mod tree;
mod values;
mod words;

pub use arguments::named_arguments;
pub use bits::latch_names;
pub use circuit::{print as print_circuit, read as read_circuit};
pub use explanation::{
    is_explanation, print_derived, print_violation, read_derived, read_violation,
};
pub use flow::{
    Told, ToldChoice, ToldEdge, ToldLabel, ToldLevel, ToldState, ToldTransition, Why, flow_told,
    print_flow, print_temporal, read_flow, read_question, read_temporal, temporal_told,
};
pub use front::{is_front, print as print_front, read as read_front};
pub use game::{is_game_evidence, print as print_game, read as read_game};
pub use horn::{
    print as print_horn, print_definitions, print_folds, print_functions, print_interpretation,
    print_named_definitions, read as read_horn,
};
pub use layout::lay_out;
pub(crate) use names::Names;
pub use program::{
    PROGRAM_HEADER, ProgramEvidence, ProgramQuestion, data_model_name, is_program_evidence,
    print_program_proof, print_program_run, program_pieces, read_program,
};
pub use proof::{print_refutation, read_refutation};
pub use script::{ScriptEvidence, read as read_script};
pub use trace::{TraceLine, print_trace, trace_lines};
pub use tree::{Line as TreeLine, print_dot, print_tree, tree_lines};
pub use words::{
    print as print_words, print_invariant as print_word_invariant, read as read_words,
};

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::Cursor;
use alphorn_problem::Span;

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// An error about evidence.
fn wrong<T>(span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(Code::Evidence, span, message)))
}

/// A result in the form readers give it.
fn outcome<T>(result: Fallible<T>) -> Read<T> {
    let mut diagnostics = Diagnostics::default();
    match result {
        Ok(read) => (Some(read), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

/// Takes a certain word.
fn word(cursor: &mut Cursor<'_>, wanted: &str) -> Fallible<()> {
    if !cursor.is_word(wanted) {
        return Err(cursor.unexpected(&format!("`{wanted}`")));
    }
    cursor.take();
    Ok(())
}
