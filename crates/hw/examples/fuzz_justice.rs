//! Random small circuits with a justice property: the engines for liveness against a search for fair cycles.
//!
//! Usage: `fuzz_justice [FIRST_SEED [COUNT [ENGINE[,ENGINE…]]]]`, by default `klive`.
//!
//! A verdict must be that of a search over all states, and its evidence must be accepted for the circuit. A certificate
//! must not prove the same of a circuit with another justice property that is violated. Ends with code 1 at the first fault.

use alphorn_check::circuit::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_problem::circuit::Lit;
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::justice::{has_fair_cycle, random_justice};
use std::collections::BTreeMap;

/// Ticks of an engine; small circuits need few.
const TICKS: u64 = 200_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| match words.get(at).map(|word| word.parse()) {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(_)) => {
            eprintln!("usage: fuzz_justice [FIRST_SEED [COUNT [ENGINE[,ENGINE…]]]]");
            std::process::exit(3);
        }
    };
    let (first, count) = (number(0, 0), number(1, 20_000));
    let names: Vec<&str> = words.get(2).map_or(vec!["klive"], |names| names.split(',').collect());
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first.saturating_add(count) {
        let mut random = Rng::new(seed);
        let circuit = random_justice(&mut random);
        for name in &names {
            match one(name, &circuit, &mut random) {
                Ok(said) => *tally.entry(format!("{name} {said}")).or_default() += 1,
                Err(fault) => {
                    println!("seed {seed}: {name}: {fault}: {circuit:?}");
                    std::process::exit(1);
                }
            }
        }
    }
    for (what, times) in &tally {
        println!("{times:>8}  {what}");
    }
}

/// What an engine says of a circuit, or what is wrong with that.
fn one(name: &str, circuit: &Circuit, random: &mut Rng) -> Result<String, String> {
    let mut cards = CIRCUIT_ENGINES.iter().chain(CIRCUIT_VARIANTS);
    let card = cards.find(|card| card.name == name).ok_or("there is no such engine")?;
    let mut sink = |_| {};
    let mut ctx = Ctx::new(TICKS, Stopper::new(), 1, &mut sink);
    let finding = (card.build)().run(circuit, &mut ctx);
    match finding.and_then(|finding| conclude(circuit, finding, &mut ctx)) {
        Ok(Verdict::Safe(certificate)) => {
            check_certificate(circuit, &certificate).map_err(|refusal| refusal.to_string())?;
            if has_fair_cycle(circuit) {
                return Err("called safe".into());
            }
            let mut other = circuit.clone();
            let max = circuit.max_var() as usize;
            other.justice[0] = vec![Lit(random.below(2 * (max + 1)) as u32)];
            if has_fair_cycle(&other) && check_certificate(&other, &certificate).is_ok() {
                return Err(format!("its certificate also proves {other:?}"));
            }
            Ok("safe".into())
        }
        Ok(Verdict::Unsafe(trace)) => {
            check_trace(circuit, &trace).map_err(|refusal| refusal.to_string())?;
            match has_fair_cycle(circuit) {
                true => Ok("unsafe".into()),
                false => Err("called unsafe".into()),
            }
        }
        Err(Stop::Stuck(why)) => Ok(format!("stuck: {why}")),
        Err(stop) => Ok(format!("{stop:?}")),
    }
}
