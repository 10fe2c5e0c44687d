//! What engines do with closures of loops (`alphorn_horn::accel`).
//!
//! - `view`: a system with a clause for each closure, for any engine
//! - `contracted`: a system without loops that have exact closures, for any engine
//! - `search`: bounded search that closes the loops it meets

mod contracted;
mod search;
mod view;

pub use contracted::CONTRACTED;
pub use search::ABMC;
pub use view::ACCELERATED;
