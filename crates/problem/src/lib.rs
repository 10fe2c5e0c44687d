//! What can be asked and what can be answered: problems, verdicts and evidence, as plain data.

pub mod circuit;
pub mod evidence;
pub mod obligation;
pub mod span;

pub use circuit::Circuit;
pub use span::Span;
