//! `alphorn transforms`: what happens to problems before engines see them.

use crate::args::Transforms;
use crate::speak::{object, out};
use alphorn_driver::registry::transforms;
use alphorn_driver::report::{Exit, json};

/// Lists the transforms.
pub fn main(args: Transforms) -> u8 {
    for transform in transforms() {
        if args.json {
            let line = json::transform(
                transform.name,
                transform.works_on,
                transform.is_default,
                transform.about,
            );
            object(&line);
        } else {
            let how = if transform.is_default { "" } else { " (only with --with)" };
            let (name, works_on, about) = (transform.name, transform.works_on, transform.about);
            out(&format!("{works_on:<8} {name:<16} {about}{how}\n"));
        }
    }
    Exit::Safe as u8
}
