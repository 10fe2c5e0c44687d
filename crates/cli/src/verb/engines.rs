//! `alphorn engines`: what there is to choose from.

use crate::args::Engines;
use crate::speak::{catalogue, out};
use alphorn_driver::registry::{engines, settings};
use alphorn_driver::report::{Exit, json};

/// Lists the engines, or what can be set.
pub fn main(args: Engines) -> u8 {
    if args.settings {
        catalogue(
            settings(),
            args.json,
            |it| json::setting(it.name, it.usual, it.about),
            |it| format!("{:<34} {:>10}  {}\n", it.name, it.usual, it.about),
        );
        return Exit::Safe as u8;
    }
    catalogue(
        engines(),
        args.json,
        |it| json::engine(it.name, it.works_on, it.proves, it.refutes, it.about),
        |it| {
            let finds = match (it.proves, it.refutes) {
                (true, true) => "proofs, counterexamples",
                (true, false) => "proofs",
                (false, true) => "counterexamples",
                (false, false) => "nothing",
            };
            let (name, works_on, about) = (it.name, it.works_on, it.about);
            format!("{works_on:<8} {name:<14} {about}\n{:<23} finds: {finds}\n", "")
        },
    );
    if !args.json {
        out("Engines for circuits work on words, too, bit by bit.\n");
    }
    Exit::Safe as u8
}
