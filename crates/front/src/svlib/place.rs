//! What is remembered of statements and procedures until the whole script is read.

use alphorn_problem::Span;
use alphorn_program::form::{BlockId, VarId};

/// Where a tagged statement stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The procedure, by its position.
    pub proc: usize,
    /// A block that is passed whenever the statement is reached.
    pub before: BlockId,
    /// A block that is passed whenever it has ended.
    pub after: BlockId,
    /// The head of the loop that it is.
    pub head: Option<BlockId>,
    pub span: Span,
}

/// A procedure that is called or defined.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub name: String,
    pub span: Span,
    /// The names of all its variables.
    pub names: Vec<(String, VarId)>,
    /// Where its body begins.
    pub body: u32,
}
