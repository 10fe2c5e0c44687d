//! `alphorn transforms`: what happens to Horn clauses before engines see them.

use crate::args::Transforms;
use crate::speak::out;
use alphorn_driver::registry::transforms;
use alphorn_driver::report::json;
use std::process::ExitCode;

/// Lists the transforms.
pub fn main(args: Transforms) -> ExitCode {
    for transform in transforms() {
        if args.json {
            let line = json::transform(transform.name, transform.is_default, transform.about);
            out(&format!("{line}\n"));
        } else {
            let how = if transform.is_default { "" } else { " (only with --with)" };
            out(&format!("{:<16} {}{how}\n", transform.name, transform.about));
        }
    }
    ExitCode::SUCCESS
}
