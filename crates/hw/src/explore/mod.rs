//! Engines that visit states of circuits: all of them, or many at random.

mod explicit;
mod sim;

pub use explicit::Explicit;
pub use sim::Sim;
