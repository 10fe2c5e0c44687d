//! Measures interpolants of unrolled circuits, cut into ten partitions.
//!
//! Usage: `interpolate_bmc STEPS CONFLICTS FILE.aig…`. Each file gives one row of a table: sizes of
//! the formula and the proof, seconds to solve without and with a proof, and for each way to
//! interpolate the seconds and the sum of the sizes of the nine interpolants. Formulas that have a
//! model, or none that is found within the conflicts, give no row. Interpolants are verified.
//!
//! `interpolate_bmc --hints STEPS CONFLICTS FILE.aig` says instead what a proof with hints takes: seconds
//! to solve, words of the proof, the most megabytes until then, seconds to trim it, the most megabytes,
//! clauses left, the sizes of the nine interpolants. `--no-hints` records no hints and finds them
//! backwards. Seconds are those of the processor; one file at a time, since memory is that of the process.

use std::time::Instant;

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Partition, Polarity};
use alphorn_sat::drat::Limits;
use alphorn_sat::interpolate::{Cuts, InputMap, Interpolator, Policy};
use alphorn_sat::{Answer, Budget, ClauseId, Lit, Options, Solver, Trace};

const PARTITIONS: u32 = 10;

/// A circuit as a graph over its inputs, then its latches.
struct Model {
    aig: Aig,
    inputs: usize,
    nexts: Vec<Edge>,
    resets: Vec<Option<bool>>,
    bad: Edge,
    constraints: Vec<Edge>,
}

impl Model {
    fn new(circuit: &Circuit) -> Option<Model> {
        let mut aig = Aig::new();
        let mut edges = vec![Edge::FALSE];
        for _ in 0..circuit.inputs as usize + circuit.latches.len() {
            edges.push(aig.add_input());
        }
        let edge = |edges: &[Edge], bit: Bit| edges[bit.var() as usize].xor(bit.is_negated());
        for gate in &circuit.ands {
            let (left, right) = (edge(&edges, gate.left), edge(&edges, gate.right));
            edges.push(aig.and(left, right));
        }
        let mut resets = Vec::new();
        for (index, latch) in circuit.latches.iter().enumerate() {
            resets.push(match latch.reset {
                Bit::FALSE => Some(false),
                Bit::TRUE => Some(true),
                reset if reset == circuit.latch(index) => None,
                _ => return None,
            });
        }
        Some(Model {
            inputs: circuit.inputs as usize,
            nexts: circuit.latches.iter().map(|latch| edge(&edges, latch.next)).collect(),
            resets,
            bad: edge(&edges, *circuit.safety().first()?),
            constraints: circuit.constraints.iter().map(|bit| edge(&edges, *bit)).collect(),
            aig,
        })
    }

    /// The latches that matter at each step, if something bad is asked for at the last one.
    fn needed(&self, steps: usize) -> Vec<Vec<usize>> {
        let mut needed = vec![Vec::new(); steps + 1];
        let mut roots = vec![self.bad];
        for step in (0..=steps).rev() {
            roots.extend(&self.constraints);
            let support = self.aig.support(&roots);
            let latches =
                support.into_iter().filter_map(|input| (input as usize).checked_sub(self.inputs));
            needed[step] = latches.collect();
            roots = needed[step].iter().map(|latch| self.nexts[*latch]).collect();
        }
        needed
    }

    /// Adds the clauses that say that something bad happens at the last step.
    fn unroll(&self, steps: usize, solver: &mut Solver) {
        let needed = self.needed(steps);
        let mut state: Vec<Lit> = needed[0].iter().map(|_| solver.new_var().positive()).collect();
        for (latch, lit) in needed[0].iter().zip(&state) {
            if let Some(value) = self.resets[*latch] {
                solver.add_clause_in(&[lit.xor(!value)], 0);
            }
        }
        for step in 0..=steps {
            let label = (step * PARTITIONS as usize / (steps + 1)) as u32;
            let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
            for (latch, lit) in needed[step].iter().zip(&state) {
                encoder.bind(self.aig.input((self.inputs + *latch) as u32), *lit);
            }
            let next: Vec<Lit> = match needed.get(step + 1) {
                Some(latches) => latches.iter().map(|_| solver.new_var().positive()).collect(),
                None => Vec::new(),
            };
            let sink = &mut Partition(solver, label);
            for constraint in &self.constraints {
                encoder.assert(&self.aig, *constraint, sink);
            }
            if step == steps {
                encoder.assert(&self.aig, self.bad, sink);
                return;
            }
            for (latch, after) in needed[step + 1].iter().zip(&next) {
                let lit = encoder.encode(&self.aig, self.nexts[*latch], Polarity::Both, sink);
                sink.0.add_clause_in(&[!lit, *after], label);
                sink.0.add_clause_in(&[lit, !*after], label);
            }
            state = next;
        }
    }
}

/// Solves the unrolling; the solver if there is no model, and the seconds.
fn solve(model: &Model, steps: usize, conflicts: u64, proof: u32) -> Option<(Solver, f64)> {
    let mut solver = Solver::new(Options { proof, ..Options::default() });
    solver.set_budget(Budget { conflicts: Some(conflicts), ..Budget::default() });
    let start = Instant::now();
    model.unroll(steps, &mut solver);
    let answer = solver.solve(&[]);
    (answer == Answer::Unsat).then(|| (solver, start.elapsed().as_secs_f64()))
}

fn row(path: &str, steps: usize, conflicts: u64) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let circuit = alphorn_front::aiger::read(&bytes).0?;
    let model = Model::new(&circuit)?;
    let (_, plain) = solve(&model, steps, conflicts, 0)?;
    let (solver, logged) = solve(&model, steps, conflicts, 1)?;
    let (trace, goal) = (solver.trace()?, solver.conclusion()?);
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".aig");
    let start = Instant::now();
    let trimmed = trace.trim(goal);
    let mut text = format!(
        "| {name} | {} | {} | {} | {plain:.2} | {logged:.2} | {:.2} |",
        solver.variables(),
        trace.len(),
        trimmed.clauses.len(),
        start.elapsed().as_secs_f64()
    );
    let cuts = Cuts::sequence(PARTITIONS);
    for policy in [Policy::McMillan, Policy::Pudlak, Policy::DualMcMillan] {
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let start = Instant::now();
        let mut interpolator = Interpolator::trimmed(trace, &trimmed).policy(policy);
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs).ok()?;
        let seconds = start.elapsed().as_secs_f64();
        let size: usize = edges.iter().map(|edge| aig.size(&[*edge])).sum();
        interpolator.verify(&cuts, &edges, &mut aig, &mut inputs).expect("interpolants verify");
        text.push_str(&format!(" {seconds:.2} | {size} |"));
    }
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let start = Instant::now();
    let mut interpolator = Interpolator::trimmed(trace, &trimmed);
    let sequence = interpolator.clausal_sequence(PARTITIONS, true, &mut aig, &mut inputs).ok()?;
    let seconds = start.elapsed().as_secs_f64();
    let clauses: usize = sequence.clauses.iter().map(Vec::len).sum();
    let size: usize = sequence.rests.iter().map(|edge| aig.size(&[*edge])).sum();
    let edges = sequence.conjoin(&mut aig, &mut inputs);
    interpolator.verify(&cuts, &edges, &mut aig, &mut inputs).expect("interpolants verify");
    text.push_str(&format!(" {seconds:.2} | {clauses} | {size} |"));
    Some(text)
}

/// Seconds of the processor that this thread has had.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// The sum of the sizes of the interpolants, which are verified.
fn verified_size(trace: &Trace, goal: ClauseId) -> Option<usize> {
    let cuts = Cuts::sequence(PARTITIONS);
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = Interpolator::new(trace, goal);
    let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs).ok()?;
    interpolator.verify(&cuts, &edges, &mut aig, &mut inputs).expect("interpolants verify");
    Some(edges.iter().map(|edge| aig.size(&[*edge])).sum())
}

/// The most memory the process has had, in megabytes.
fn peak_megabytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// A row about a proof with or without hints.
fn proof_row(path: &str, steps: usize, conflicts: u64, proof: u32) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let model = Model::new(&alphorn_front::aiger::read(&bytes).0?)?;
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".aig");
    let begun = processor_seconds();
    let (solver, _) = solve(&model, steps, conflicts, proof)?;
    let (solved, solved_peak) = (processor_seconds(), peak_megabytes());
    let (trace, goal) = (solver.trace()?, solver.conclusion()?);
    let restored = match proof {
        1 => None,
        _ => trace.restored(goal, |_| 0, 0, &Limits::default()).ok(),
    };
    let (whole, end) = restored.as_ref().map_or((trace, goal), |(trace, goal)| (trace, *goal));
    let clauses = whole.trim(end).clauses.len();
    let (seconds, peak) = (processor_seconds() - solved, peak_megabytes());
    let size = verified_size(whole, end)?;
    Some(format!(
        "| {name} | {:.2} | {} | {solved_peak:.0} | {seconds:.2} | {peak:.0} | {clauses} | {size} |",
        solved - begun,
        trace.words(),
    ))
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let proof = match words.first().map(String::as_str) {
        Some("--hints") => Some(1),
        Some("--no-hints") => Some(2),
        _ => None,
    };
    words.drain(..usize::from(proof.is_some()));
    let usage = "usage: interpolate_bmc [--hints | --no-hints] STEPS CONFLICTS FILE.aig…";
    let [steps, conflicts, files @ ..] = &words[..] else {
        eprintln!("{usage}");
        std::process::exit(3);
    };
    let (Ok(steps), Ok(conflicts)) = (steps.parse(), conflicts.parse()) else {
        eprintln!("{usage}");
        std::process::exit(3);
    };
    for file in files {
        let found = match proof {
            Some(proof) => proof_row(file, steps, conflicts, proof),
            None => row(file, steps, conflicts),
        };
        if let Some(found) = found {
            println!("{found}");
        }
    }
}
