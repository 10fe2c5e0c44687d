//! What writers of infix formulas share: how strongly operators bind, and what is still to be written.

use alphorn_term::TermId;

/// Disjunctions bind least.
pub(crate) const OR: u8 = 10;
pub(crate) const AND: u8 = 20;
pub(crate) const NOT: u8 = 30;
pub(crate) const COMPARISON: u8 = 40;
pub(crate) const SUM: u8 = 50;
pub(crate) const PRODUCT: u8 = 60;
/// What stands alone binds most.
pub(crate) const ATOM: u8 = 80;

/// What is still to be written: a term inside something that binds so strongly, or a text.
pub(crate) enum Piece {
    Term(TermId, u8),
    Text(&'static str),
}
