//! Runs engines on files after the transforms, has their evidence checked, and prints what they say last: for
//! engines that refine, after how many rounds.
//!
//! `cargo run --release -p alphorn-chc --example rounds -- TICKS ENGINE[,ENGINE...] [SETTING=VALUE...] FILE...` prints a line for
//! each file and engine: the file, the engine, the verdict, the ticks, the size of the model in characters, and
//! the engine's last remark.

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_chc::settings::SETTINGS;
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_horn::{conclude, simplify};
use alphorn_problem::{Horn, Verdict};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let ticks = arguments.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(u64::MAX);
    let engines = arguments.next().unwrap_or_default();
    for file in arguments {
        if let Some((name, value)) = file.split_once('=') {
            let setting = SETTINGS.iter().find(|setting| setting.name == name);
            let value = value.parse().expect("the value of a setting is a number");
            setting.expect("settings of engines for Horn clauses can be set").set(value);
            continue;
        }
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let horn = match file.ends_with(".smt2") {
            true => alphorn_front::smtlib::read(&bytes).0.map(|script| script.horn),
            false => alphorn_front::prolog::read(&bytes).0,
        };
        let Some(horn) = horn else {
            println!("{file},,unreadable,0,0,");
            continue;
        };
        for engine in engines.split(',') {
            let mut last = String::new();
            let mut sink = |event: Event| {
                if let Event::Remark(text) = event {
                    last = text;
                }
            };
            let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
            let outcome = run(&horn, engine, &mut ctx);
            let used = ctx.ticks_used();
            let (word, size) = match outcome {
                Ok((word, size)) => (word.to_owned(), size),
                Err(stop) => (stop.describe(), 0),
            };
            println!("{file},{engine},{word},{used},{size},{last}");
        }
    }
}

/// The checked verdict, and the size of a model.
fn run(horn: &Horn, engine: &str, ctx: &mut Ctx<'_>) -> Result<(&'static str, usize), Stop> {
    let small = simplify(horn, &[], ctx)?;
    let mut cards = HORN_ENGINES.iter().chain(HORN_VARIANTS);
    let Some(card) = cards.find(|card| card.name == engine) else {
        return Err(Stop::Unsupported("there is no such engine".to_owned()));
    };
    let finding = (card.build)().run(&small.horn, ctx)?;
    let finding = small.back.finding(finding, ctx)?;
    let refused = |error: alphorn_check::Refusal| Stop::Stuck(format!("refused: {error:?}"));
    match conclude(horn, finding, ctx)? {
        Verdict::Safe(model) => {
            alphorn_check::horn::check_model(horn, &model).map_err(refused)?;
            let texts = alphorn_front::evidence::print_definitions(horn, &model);
            Ok(("safe", texts.iter().map(String::len).sum()))
        }
        Verdict::Unsafe(derivation) => {
            alphorn_check::horn::check_derivation(horn, &derivation).map_err(refused)?;
            Ok(("unsafe", 0))
        }
    }
}
