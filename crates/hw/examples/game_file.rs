//! One game by one engine: `game_file ENGINE FILE [NAME=VALUE...]`, with other settings. Prints what the engine says on its way with the processor time,
//! where the system tells it, then how long proofs take, and whether the evidence is accepted.

use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_front::aiger;
use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_problem::{Finding, Game};

/// Seconds of processor time.
fn spent() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    first.unwrap_or(0.0) / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, file, settings @ ..] = &arguments[..] else {
        println!("usage: game_file ENGINE FILE [NAME=VALUE...]");
        return;
    };
    for setting in settings {
        let (name, value) = setting.split_once('=').expect("NAME=VALUE");
        let found = alphorn_hw::settings::SETTINGS.iter().find(|row| row.name == name);
        found.expect("a setting").set(value.parse().expect("a number"));
    }
    let card = GAME_ENGINES.iter().find(|card| card.name == engine).expect("an engine for games");
    let bytes = std::fs::read(file).expect("a file");
    let circuit = aiger::read(&bytes).0.expect("a circuit");
    let game = Game::of_names(circuit).expect("a game");
    let mut sink = |event| match event {
        Event::Remark(text) => println!("{:8.2} s  {text}", spent()),
        Event::Bound { depth } => println!("{:8.2} s  depth {depth}", spent()),
        _ => {}
    };
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let finding = match (card.build)().run(&game, &mut ctx) {
        Ok(finding) => finding,
        Err(stop) => return println!("{:8.2} s  {}", spent(), stop.describe()),
    };
    let answer = match &finding {
        Finding::Holds(claim) => {
            format!("realizable, with a controller of {} gates", claim.circuit.ands.len())
        }
        Finding::Fails(found) => format!("unrealizable, within {} steps", found.steps),
    };
    println!("{:8.2} s  {answer} ({} ticks)", spent(), ctx.ticks_used());
    let verdict = match settle_game(&game, finding, &mut ctx) {
        Ok(verdict) => verdict,
        Err(stop) => return println!("{:8.2} s  {}", spent(), stop.describe()),
    };
    println!("{:8.2} s  proved ({} ticks)", spent(), ctx.ticks_used());
    match accept(&game, (), verdict) {
        Ok(_) => println!("{:8.2} s  accepted", spent()),
        Err(refusal) => println!("{:8.2} s  REFUSED: {refusal}", spent()),
    }
}
