//! Joining a run, and the words about it.

use alphorn_driver::Opened;
use alphorn_driver::cluster::{Address, AddressError, Joined, NotJoined};
use std::sync::Arc;
use std::time::Duration;

/// How long the last lines may take to be told.
const PATIENCE: Duration = Duration::from_secs(1);

/// Joins the run of a name at an address; why that cannot be.
pub fn join((address, run): &(String, String), opened: &Opened) -> Result<Arc<Joined>, String> {
    let address = Address::read(address, variable);
    let address = address.map_err(|AddressError(why)| format!("--join: {why}"))?;
    let joined = Joined::join(&address, run, opened).map_err(|why| match why {
        NotJoined::Name => "--run: a name has letters, digits, - and _, at most 64".to_owned(),
        NotJoined::Refused(why) => format!("--join: {why}"),
        NotJoined::OtherProblem(_) => {
            format!("--run: the run '{run}' is about another file; give this one a name of its own")
        }
    })?;
    Ok(Arc::new(joined))
}

/// What a variable of the environment says, or the file that the variable of its name and `_FILE` names.
fn variable(name: &str) -> Option<String> {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    value(name).or_else(|| {
        let text = std::fs::read_to_string(value(&format!("{name}_FILE"))?).ok()?;
        Some(text.trim_end().to_owned())
    })
}

/// What the user should know about it.
pub fn describe(joined: &Joined) -> String {
    match joined.is_connected {
        true => format!("joined as number {}", joined.role + 1),
        false => "the broker cannot be reached; working alone, and trying again".to_owned(),
    }
}

/// Ends the connection; what the user should know about that, and about the run.
pub fn close(joined: &Joined) -> Vec<String> {
    let mut remarks = Vec::new();
    if let (heard @ 1.., used) = joined.gain() {
        remarks.push(format!(
            "lemmas heard from others: {heard}, in the invariant found here: {used}"
        ));
    }
    match joined.close(PATIENCE) {
        0 => {}
        lost => remarks.push(format!("{lost} lines were not told to the others")),
    }
    remarks
}
