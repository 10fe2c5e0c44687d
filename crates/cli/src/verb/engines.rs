//! `alphorn engines`: what there is to choose from.

use crate::args::Engines;
use crate::speak::{object, out};
use alphorn_driver::registry::{engines, settings};
use alphorn_driver::report::{Exit, json};

/// Lists the engines, or what can be set.
pub fn main(args: Engines) -> u8 {
    if args.settings {
        for setting in settings() {
            let (name, value, about) = (setting.name, setting.value, setting.about);
            match args.json {
                true => object(&json::setting(name, value, about)),
                false => out(&format!("{name:<29} {value:>10}  {about}\n")),
            }
        }
        return Exit::Safe as u8;
    }
    for engine in engines() {
        if args.json {
            let line = json::engine(
                engine.name,
                engine.works_on,
                engine.proves,
                engine.refutes,
                engine.about,
            );
            object(&line);
        } else {
            let finds = match (engine.proves, engine.refutes) {
                (true, true) => "proofs, counterexamples",
                (true, false) => "proofs",
                (false, true) => "counterexamples",
                (false, false) => "nothing",
            };
            let (name, works_on, about) = (engine.name, engine.works_on, engine.about);
            out(&format!("{works_on:<8} {name:<14} {about}\n{:<23} finds: {finds}\n", ""));
        }
    }
    if !args.json {
        out("Engines for circuits work on words, too, bit by bit.\n");
    }
    Exit::Safe as u8
}
