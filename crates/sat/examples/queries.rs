//! Measures queries of the kind IC3 asks: is a cube inductive relative to what is known?
//!
//! Usage: `queries FILE.aig COUNT [--no-domain] [--set NAME=VALUE]…`. A cube over latches is taken
//! at random; its negation is a temporary clause, its successor the assumptions, the cone of both
//! the domain. If a predecessor exists, part of it is the next cube; otherwise literals are dropped
//! from the cube as long as the answer stays, and its negation becomes a lemma.

use std::process::exit;

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::{Answer, Lit, Options, Solver, Var};
use alphorn_testkit::Rng;

struct Bench<'a> {
    circuit: &'a Circuit,
    solver: Solver,
    uses_domain: bool,
    stamp: Vec<u32>,
    clock: u32,
    domain: Vec<Var>,
    stack: Vec<u32>,
    queries: u64,
    unsat: u64,
    inside: u64,
    seconds: f64,
}

/// Processor time of this process: wall time lies on a busy machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 =
        text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    nanoseconds / 1e9
}

/// The circuit's variables are the solver's, and variable 0 is false.
fn lit(bit: Bit) -> Lit {
    Var(bit.var()).lit(!bit.is_negated())
}

impl Bench<'_> {
    fn reach(&mut self, var: u32) {
        let circuit = self.circuit;
        let first_gate = circuit.inputs + 1 + circuit.latches.len() as u32;
        self.stack.push(var);
        while let Some(var) = self.stack.pop() {
            if self.stamp[var as usize] == self.clock {
                continue;
            }
            self.stamp[var as usize] = self.clock;
            self.domain.push(Var(var));
            if var >= first_gate {
                let gate = circuit.ands[(var - first_gate) as usize];
                self.stack.extend([gate.left.var(), gate.right.var()]);
            }
        }
    }

    /// Whether no state outside the cube has a successor inside it.
    fn is_inductive(&mut self, cube: &[Lit]) -> bool {
        let circuit = self.circuit;
        let latch = |lit: Lit| (lit.var().0 - circuit.inputs - 1) as usize;
        let next: Vec<Lit> = cube
            .iter()
            .map(|bit| lit(circuit.latches[latch(*bit)].next).xor(bit.is_negated()))
            .collect();
        let clause: Vec<Lit> = cube.iter().map(|bit| !*bit).collect();
        if self.uses_domain {
            self.clock += 1;
            self.domain.clear();
            for &bit in cube {
                self.reach(circuit.latches[latch(bit)].next.var());
                self.reach(bit.var().0);
            }
            for constraint in &circuit.constraints {
                self.reach(constraint.var());
            }
            self.inside += self.domain.len() as u64;
            self.solver.set_domain(&self.domain);
        }
        let answer = self.solver.solve_with_clause(&next, &clause);
        self.queries += 1;
        self.unsat += u64::from(answer == Answer::Unsat);
        answer == Answer::Unsat
    }

    /// The literals of the cube whose successors the answer needed, and one to exclude the start.
    fn core(&self, cube: &[Lit]) -> Vec<Lit> {
        let circuit = self.circuit;
        let mut core: Vec<Lit> = cube
            .iter()
            .copied()
            .filter(|bit| {
                let index = (bit.var().0 - circuit.inputs - 1) as usize;
                self.solver.is_failed(lit(circuit.latches[index].next).xor(bit.is_negated()))
            })
            .collect();
        if !core.iter().any(|bit| self.excludes_start(*bit)) {
            core.extend(cube.iter().find(|bit| self.excludes_start(**bit)));
        }
        core
    }

    fn excludes_start(&self, bit: Lit) -> bool {
        let index = (bit.var().0 - self.circuit.inputs - 1) as usize;
        let reset = self.circuit.latches[index].reset;
        reset.var() == 0 && reset.is_negated() == bit.is_negated()
    }

    fn block(&mut self, random: &mut Rng) {
        let latches = self.circuit.latches.len() as u32;
        let mut cube: Vec<Lit> = (0..3 + random.below(6))
            .map(|_| Var(self.circuit.inputs + 1 + random.below(latches)).lit(random.one_in(2)))
            .collect();
        for _ in 0..20 {
            cube.sort_unstable();
            cube.dedup_by_key(|bit| bit.var());
            if !cube.iter().any(|bit| self.excludes_start(*bit)) {
                return;
            }
            if self.is_inductive(&cube) {
                cube = self.core(&cube);
                self.generalize(&mut cube);
                let clause: Vec<Lit> = cube.iter().map(|bit| !*bit).collect();
                self.solver.add_clause(&clause);
                return;
            }
            let first = self.circuit.inputs + 1;
            let known = (first..first + latches)
                .filter_map(|var| {
                    let value = self.solver.value(Var(var).positive())?;
                    Some(Var(var).lit(value))
                })
                .collect::<Vec<Lit>>();
            let keep = 12.min(known.len().max(1) as u32);
            cube = (0..keep)
                .filter_map(|_| {
                    known.get(random.below(known.len().max(1) as u32) as usize).copied()
                })
                .collect();
        }
    }

    fn generalize(&mut self, cube: &mut Vec<Lit>) {
        let mut index = 0;
        while index < cube.len() {
            let mut smaller = cube.clone();
            smaller.remove(index);
            if smaller.iter().any(|bit| self.excludes_start(*bit)) && self.is_inductive(&smaller) {
                *cube = self.core(&smaller);
                index = 0;
            } else {
                index += 1;
            }
        }
    }
}

fn encode(circuit: &Circuit, options: Options) -> Solver {
    let mut solver = Solver::new(options);
    for _ in 0..=circuit.max_var() {
        solver.new_var();
    }
    solver.add_clause(&[Var(0).negative()]);
    for (index, gate) in circuit.ands.iter().enumerate() {
        let (out, left, right) = (lit(circuit.gate(index)), lit(gate.left), lit(gate.right));
        solver.add_clause(&[!out, left]);
        solver.add_clause(&[!out, right]);
        solver.add_clause(&[out, !left, !right]);
    }
    for constraint in &circuit.constraints {
        solver.add_clause(&[lit(*constraint)]);
    }
    solver
}

fn run() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (mut plain, mut uses_domain, mut options) = (Vec::new(), true, Options::default());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--no-domain" => uses_domain = false,
            "--set" => {
                let setting = words.next().ok_or("--set needs NAME=VALUE")?;
                let (name, value) = setting.split_once('=').ok_or("--set needs NAME=VALUE")?;
                options.set(name, value.parse().map_err(|_| "a value is a number")?)?;
            }
            _ => plain.push(word),
        }
    }
    let [path, count] = &plain[..] else { return Err("usage: queries FILE.aig COUNT".into()) };
    let count: u64 = count.parse().map_err(|_| "the count is a number")?;
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let circuit = alphorn_front::aiger::read(&bytes).0.ok_or("the file is not AIGER")?;
    let mut bench = Bench {
        circuit: &circuit,
        solver: encode(&circuit, options),
        uses_domain,
        stamp: vec![0; circuit.max_var() as usize + 1],
        clock: 0,
        domain: Vec::new(),
        stack: Vec::new(),
        queries: 0,
        unsat: 0,
        inside: 0,
        seconds: 0.0,
    };
    let mut random = Rng::new(7);
    let mut rounds = 0;
    let begin = cpu_seconds();
    while bench.queries < count && rounds < 10 * count {
        rounds += 1;
        bench.block(&mut random);
    }
    bench.seconds = cpu_seconds() - begin;
    let stats = bench.solver.stats();
    let per = |number: u64| number as f64 / bench.queries as f64;
    println!(
        "{} gates {} queries {} unsat {:.0}% us/query {:.1} domain {:.0} conflicts {:.2} propagations {:.0} decisions {:.0} ticks {:.0}",
        path.rsplit('/').next().unwrap_or(path),
        circuit.ands.len(),
        bench.queries,
        100.0 * per(bench.unsat),
        1e6 * bench.seconds / bench.queries as f64,
        per(bench.inside),
        per(stats.conflicts),
        per(stats.propagations),
        per(stats.decisions),
        per(stats.ticks),
    );
    Ok(())
}

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        exit(4);
    }
}
