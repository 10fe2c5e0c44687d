//! `alphorn transforms`: what happens to problems before engines see them.

use crate::args::Transforms;
use crate::speak::catalogue;
use alphorn_driver::registry::transforms;
use alphorn_driver::report::{Exit, json};

/// Lists the transforms.
pub fn main(args: Transforms) -> u8 {
    catalogue(
        transforms(),
        args.json,
        |it| json::transform(it.name, it.works_on, it.is_default, it.about),
        |it| {
            let how = if it.is_default { "" } else { " (only with --with)" };
            format!("{:<8} {:<16} {}{how}\n", it.works_on, it.name, it.about)
        },
    );
    Exit::Safe as u8
}
