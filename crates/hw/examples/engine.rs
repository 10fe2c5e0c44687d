//! Runs one engine on an AIGER file and prints what it says: `engine NAME FILE [SECONDS]`.
//!
//! For profiles and for looking at frames: no transforms besides the engine's own, no certificate
//! unless the fourth argument is `check`, and nothing else in the process.

use alphorn_engine::{Ctx, Event, Limit, Stop, Stopper};
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_problem::Finding;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, file, rest @ ..] = &arguments[..] else {
        eprintln!("usage: engine NAME FILE [SECONDS [check]]");
        std::process::exit(2);
    };
    let seconds = rest.first().and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let bytes = std::fs::read(file).expect("the file can be read");
    let circuit = alphorn_front::aiger::read(&bytes).0.expect("the file is AIGER");
    let card = CIRCUIT_ENGINES
        .iter()
        .chain(CIRCUIT_VARIANTS)
        .find(|card| card.name == name)
        .expect("an engine's name");
    let stopper = Stopper::new();
    let watch = stopper.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(seconds));
        watch.stop(Limit::Time);
    });
    let begun = Instant::now();
    let mut listen = |event: Event| println!("{:7.2} {event:?}", begun.elapsed().as_secs_f64());
    let mut ctx = Ctx::new(u64::MAX, stopper, 0, &mut listen);
    let outcome = (card.build)().run(&circuit, &mut ctx);
    let outcome = match outcome {
        Ok(holds @ Finding::Holds(_)) if rest.get(1).is_some_and(|word| word == "check") => {
            conclude(&circuit, holds.clone(), &mut ctx).map(|_| holds)
        }
        other => other,
    };
    let word = match outcome {
        Ok(Finding::Holds(_)) => "safe".to_string(),
        Ok(Finding::Fails(trace)) => format!("unsafe in {} steps", trace.inputs.len()),
        Err(Stop::Budget(limit)) => limit.describe().to_string(),
        Err(stop) => format!("{stop:?}"),
    };
    println!("{:7.2} {word}", begun.elapsed().as_secs_f64());
}
