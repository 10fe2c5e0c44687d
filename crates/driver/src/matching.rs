//! Templates in circuits: found, and checked before anybody hears of them.

pub use alphorn_audit::matching::{
    Templated, answered, certify_matches, is_matches, open_template, print_matches, solution_lines,
};
use alphorn_check::accept::{AskedMatches, Checked, accept};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_hw::matching::find_matches;
pub use alphorn_problem::Matching;

/// Looks for a match, or for all of them; or says why neither was found nor excluded.
pub fn find(matching: &Matching, wants_all: bool) -> Result<Checked<Matching>, String> {
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
    let verdict = find_matches(matching, wants_all, &mut ctx).map_err(|stop| match stop {
        Stop::Unsupported(why) | Stop::Stuck(why) => why,
        Stop::Unproved { reason, .. } => reason,
        Stop::Budget(limit) => limit.describe().to_owned(),
    })?;
    let asked = if wants_all { AskedMatches::All } else { AskedMatches::Any };
    accept(matching, asked, verdict).map_err(|refusal| format!("evidence was refused: {refusal}"))
}
