//! What the transforms make of circuits: sizes before and after, and how long it took.
//!
//! A line per file: name, inputs, latches and gates in the property's cone, the same after the
//! transforms, milliseconds of the cone alone and of all. With `-v` the remarks follow.
//!
//! Usage: `simplify_circuit [-v] [--only NAME,NAME…] FILE…`

use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_hw::select::select_circuit;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, CircuitTransform, cone, simplify_circuit};
use alphorn_problem::Circuit;
use std::time::Instant;

fn main() {
    let mut chosen: Vec<&CircuitTransform> =
        CIRCUIT_TRANSFORMS.iter().filter(|transform| transform.is_default).collect();
    let mut is_verbose = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-v" => is_verbose = true,
            "--only" => {
                let names = arguments.next().unwrap_or_default();
                let named = |t: &&CircuitTransform| names.split(',').any(|name| name == t.name);
                chosen = CIRCUIT_TRANSFORMS.iter().filter(named).collect();
            }
            file => measure(file, &chosen, is_verbose),
        }
    }
}

fn measure(file: &str, chosen: &[&CircuitTransform], is_verbose: bool) {
    let Ok(bytes) = std::fs::read(file) else { return println!("{file}: cannot be read") };
    let (Some(circuit), _) = alphorn_front::aiger::read(&bytes) else {
        return println!("{file}: not a circuit");
    };
    if circuit.safety().is_empty() {
        return println!("{file}: no property");
    }
    let (selected, _) = select_circuit(&circuit, 0);
    let begun = Instant::now();
    let (before, _) = cone(&selected);
    let cone_time = begun.elapsed();
    let mut remarks = Vec::new();
    let mut sink = |event| {
        if let Event::Remark(remark) = event {
            remarks.push(format!("    {:>6} {remark}", begun.elapsed().as_millis()));
        }
    };
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let small = simplify_circuit(&selected, chosen, &mut ctx).map(|(small, _)| small);
    let time = begun.elapsed() - cone_time;
    let name = file.rsplit('/').next().unwrap_or(file);
    let size = |c: &Circuit| format!("{} {} {}", c.inputs, c.latches.len(), c.ands.len());
    match small {
        Ok(small) => {
            let (cone_time, time) = (cone_time.as_millis(), time.as_millis());
            println!("{name} {} {} {cone_time} {time}", size(&before), size(&small));
        }
        Err(stop) => println!("{name} {stop:?}"),
    }
    if is_verbose {
        remarks.iter().for_each(|remark| println!("{remark}"));
    }
}
