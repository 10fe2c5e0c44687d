//! Runs the engine `pdr` with chosen settings and prints what it says on its way.
//!
//! `cargo run --release -p alphorn-chc --example pdr -- TICKS SETTINGS FILE...`, where SETTINGS is a
//! list such as `-guided,-tidy` of settings that are switched off, or `all`.

use alphorn_chc::pdr::{Settings, engine};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_problem::Finding;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let ticks = arguments.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(u64::MAX);
    let off = arguments.next().unwrap_or_default();
    let is_on = |name: &str| !off.split(',').any(|word| word.strip_prefix('-') == Some(name));
    let settings = Settings {
        is_guided: is_on("guided"),
        has_infinity: is_on("infinity"),
        is_tidy: is_on("tidy"),
        is_ordered: is_on("ordered"),
        keeps_witnesses: is_on("witnesses"),
        is_reduced: is_on("reduced"),
        ..Settings::default()
    };
    for file in arguments {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let (script, _) = alphorn_front::smtlib::read(&bytes);
        let Some(script) = script else { continue };
        let mut sink = |event: Event| {
            if let Event::Remark(text) = event {
                println!("  {text}");
            }
        };
        let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
        let outcome = engine(settings.clone()).run(&script.horn, &mut ctx);
        let used = ctx.ticks_used();
        let word = match outcome {
            Ok(Finding::Holds(model)) => {
                let bodies: Vec<_> = model.preds.iter().map(|definition| definition.body).collect();
                format!("safe with a model of {} terms", model.terms.dag_size(&bodies))
            }
            Ok(Finding::Fails(_)) => "unsafe".to_owned(),
            Err(Stop::Budget(limit)) => limit.describe().to_owned(),
            Err(stop) => stop.describe(),
        };
        println!("{file},{word},{used}");
    }
}
