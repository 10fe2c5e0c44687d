//! Evidence that is built to be hostile: for each rule and kind it asks for as much as it can, and never began
//! as good evidence.

pub mod bulk;
pub(crate) mod clauses;
mod draw;
mod fate;
pub mod judge;
pub mod pieces;
pub mod scripts;

pub use draw::Draw;
pub use fate::Fate;
