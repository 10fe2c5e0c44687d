//! Word-level transition systems: simulation, explicit search, and the transforms that make
//! systems smaller.
//!
//! An engine decides the *first* safety property of the system it is given; `select::select_words`
//! makes a system whose first and only property is the wanted one.

mod cone;
mod explicit;
pub mod explore;
mod machine;
mod random;
mod roles;
mod sim;

pub use cone::cone;
pub use explicit::Explicit;
pub use explore::Explore;
pub use machine::Machine;
pub use random::random_value;
pub use roles::{Choice, Roles};
pub use sim::Sim;

use alphorn_engine::Stop;
use alphorn_problem::Words;
use alphorn_term::TermId;

/// The formula of the first safety property, or why an engine cannot treat the system.
pub(crate) fn first_bad(system: &Words) -> Result<TermId, Stop> {
    match (system.bads.first(), system.justice.is_empty()) {
        (Some(bad), _) => Ok(bad.term),
        (None, true) if !system.homes.is_empty() => {
            Err(Stop::Unsupported("the system has only home properties".into()))
        }
        (None, true) => Err(Stop::Unsupported("the system has no property".into())),
        (None, false) => Err(Stop::Unsupported("the system has only justice properties".into())),
    }
}
