//! Random small circuits: every engine after random subsets of the transforms, against brute force.
//!
//! Usage: `fuzz_circuits [FIRST_SEED [COUNT [ENGINE[,ENGINE…] [plain]]]] [NAME=VALUE…]`; with `plain` no transforms are
//! applied, and the settings of these names have these values.
//!
//! Each circuit has inputs, latches with constants, functions or nothing as resets, constraints and
//! several bad states, one of which is asked about. A verdict must be that of a breadth-first search
//! over all states, and its evidence must be accepted for the circuit as given. A certificate is then
//! shown to the checker with the circuit changed so that the property fails: it must be refused, and so
//! must a run whose property holds after the change. Ends with code 1 at the first fault.

use alphorn_check::circuit::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_hw::select::select_circuit;
use alphorn_hw::settings::SETTINGS;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, simplify_circuit};
use alphorn_problem::circuit::Lit;
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::counter;
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use std::collections::BTreeMap;

/// Ticks of an engine; small circuits need few.
const TICKS: u64 = 5_000;
/// How many changes of a circuit are tried to make a certificate wrong.
const CHANGES: usize = 6;

fn main() {
    let (settings, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.contains('='));
    for (name, value) in settings.iter().filter_map(|word| word.split_once('=')) {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        match setting.zip(value.parse().ok()) {
            Some((setting, value)) if setting.allows(value) => setting.set(value),
            _ => {
                eprintln!("there is no setting {name} of value {value}");
                std::process::exit(3);
            }
        }
    }
    let number = |at: usize, default: u64| match words.get(at).map(|word| word.parse()) {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(_)) => {
            eprintln!("usage: fuzz_circuits [FIRST_SEED [COUNT [ENGINE]]]");
            std::process::exit(3);
        }
    };
    let (first, count) = (number(0, 0), number(1, 100_000));
    let only: Option<Vec<&str>> = words.get(2).map(|names| names.split(',').collect());
    let plain = words.get(3).is_some_and(|word| word == "plain");
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first.saturating_add(count) {
        if let Err(fault) = one(seed, only.as_deref(), plain, &mut tally) {
            println!("seed {seed}: {fault}");
            std::process::exit(1);
        }
        if (seed - first) % 10_000 == 9_999 {
            eprintln!("{} circuits", seed - first + 1);
        }
    }
    for (what, times) in &tally {
        println!("{times:>8}  {what}");
    }
}

/// A circuit with one to three bad states: random gates, or a counter with some of them changed.
fn random_problem(random: &mut Rng) -> Circuit {
    let mut circuit = if random.below(4) == 0 {
        let bits = 2 + random.below(3);
        let (last, bad) = (random.below(1 << bits), random.below(1 << bits));
        let mut circuit = counter(bits, last, bad, random.below(2));
        for _ in 0..random.below(3) {
            circuit = changed(&circuit, random).unwrap_or(circuit);
        }
        circuit
    } else {
        random_circuit(random)
    };
    for _ in 0..random.below(3) {
        let max = circuit.max_var() as usize;
        circuit.bads.push(Lit(random.below(2 * (max + 1)) as u32));
    }
    circuit
}

/// The circuit with one literal changed, if it stays valid.
fn changed(circuit: &Circuit, random: &mut Rng) -> Option<Circuit> {
    let mut circuit = circuit.clone();
    let literal = Lit(random.below(2 * (circuit.max_var() as usize + 1)) as u32);
    let places = 2 * circuit.latches.len() + 2 * circuit.ands.len() + circuit.bads.len();
    let mut place = random.below(places.max(1));
    let mut slots: Vec<&mut Lit> = Vec::with_capacity(places);
    slots.extend(circuit.latches.iter_mut().flat_map(|l| [&mut l.next, &mut l.reset]));
    slots.extend(circuit.ands.iter_mut().flat_map(|a| [&mut a.left, &mut a.right]));
    slots.extend(circuit.bads.iter_mut());
    place = place.min(slots.len().checked_sub(1)?);
    *slots[place] = if random.below(2) == 0 { !*slots[place] } else { literal };
    circuit.validate().is_ok().then_some(circuit)
}

fn one(
    seed: u64,
    only: Option<&[&str]>,
    plain: bool,
    tally: &mut BTreeMap<String, u64>,
) -> Result<(), String> {
    let mut random = Rng::new(seed);
    let circuit = random_problem(&mut random);
    let property = random.below(circuit.bads.len());
    let (selected, unselect) = select_circuit(&circuit, property);
    let expected = shortest_violation(&selected).is_some();
    let chosen = |_: &&_| random.below(2) == 0 && !plain;
    let transforms: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(chosen).collect();
    let names: Vec<&str> = transforms.iter().map(|transform| transform.name).collect();
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), seed, &mut sink);
    let small = simplify_circuit(&selected, &transforms, &mut ctx);
    let (small, back) = small.map_err(|stop| format!("{names:?} {stop:?}: {circuit:?}"))?;
    let back = unselect.after(back);
    for card in CIRCUIT_ENGINES.iter().chain(CIRCUIT_VARIANTS) {
        if only.is_some_and(|names| !names.contains(&card.name))
            || only.is_none() && random.below(3) > 0
        {
            continue;
        }
        let mut ctx = Ctx::new(TICKS, Stopper::new(), seed, &mut sink);
        let finding = (card.build)().run(&small, &mut ctx);
        let finding = finding.and_then(|finding| back.finding(finding, &mut ctx));
        let verdict = finding.and_then(|finding| conclude(&circuit, finding, &mut ctx));
        let fault = |what: &str| Err(format!("{} after {names:?}: {what}: {circuit:?}", card.name));
        let said = match &verdict {
            Ok(Verdict::Safe(certificate)) => {
                if let Err(refusal) = check_certificate(&circuit, certificate) {
                    return fault(&format!("refused, {refusal}"));
                }
                if expected {
                    return fault("called safe");
                }
                for _ in 0..CHANGES {
                    let Some(other) = changed(&circuit, &mut random) else { continue };
                    let (selected, _) = select_circuit(&other, property);
                    let is_unsafe = shortest_violation(&selected).is_some();
                    if is_unsafe && check_certificate(&other, certificate).is_ok() {
                        return fault(&format!("its certificate also proves {other:?}"));
                    }
                    *tally.entry(format!("changed circuits, unsafe: {is_unsafe}")).or_default() +=
                        1;
                }
                "safe".to_owned()
            }
            Ok(Verdict::Unsafe(trace)) => {
                if let Err(refusal) = check_trace(&circuit, trace) {
                    return fault(&format!("refused, {refusal}"));
                }
                if !expected {
                    return fault("called unsafe");
                }
                for _ in 0..CHANGES {
                    let Some(other) = changed(&circuit, &mut random) else { continue };
                    let (selected, _) = select_circuit(&other, property);
                    if shortest_violation(&selected).is_none() && check_trace(&other, trace).is_ok()
                    {
                        return fault(&format!("its run also violates {other:?}"));
                    }
                }
                "unsafe".to_owned()
            }
            Err(Stop::Stuck(why)) if is_fault(why) => return fault(why),
            Err(Stop::Stuck(why)) => format!("stuck: {why}"),
            Err(stop) => format!("{stop:?}"),
        };
        *tally.entry(format!("{} {said}", card.name)).or_default() += 1;
    }
    *tally.entry("circuits".to_owned()).or_default() += 1;
    Ok(())
}

/// Whether an engine was stopped by its own mistake.
fn is_fault(why: &str) -> bool {
    ["fails its obligation", "is not inductive", "does not exclude", "lost its proof"]
        .iter()
        .any(|sign| why.contains(sign))
}
