//! A small IC3 that writes down every call it makes to its solvers, for `ic3_replay`.
//!
//! Usage: `ic3_record FILE.aig TRACE [--queries N] [--seconds N] [--property N]`. The circuit is encoded once;
//! a primed latch is the literal of its next-state function. Solver 0 has the constraints and the
//! frames, one group of clauses each, of which a query assumes those from its frame on; solver 1
//! has the circuit only and lifts predecessors: under the inputs and the state, not reaching the
//! target is contradictory, and the failed assumptions are the lifted cube. Latches of lemmas are
//! kept in all domains, so that an answer about the domain extends to all lemmas.
//!
//! After Bradley (VMCAI 2011), Eén, Mishchenko, Brayton (FMCAD 2011).

mod ic3 {
    pub mod trace;
}

use std::collections::BTreeMap;
use std::process::exit;
use std::time::{Duration, Instant};

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::{Answer, Lit, Options, Var};
use ic3::trace::{Side, op};

type Cube = Vec<Lit>;

const FRAMES: usize = 0;
const LIFT: usize = 1;

/// Solvers whose calls are written down.
struct Recorder {
    sides: [Side; 2],
    current: usize,
    words: Vec<u32>,
    queries: u64,
    sat: u64,
}

fn codes(lits: &[Lit]) -> impl Iterator<Item = u32> + '_ {
    lits.iter().map(|lit| lit.code())
}

impl Recorder {
    fn side(&mut self, index: usize) -> &mut Side {
        if self.current != index {
            self.current = index;
            self.words.extend([op::SOLVER, index as u32]);
        }
        &mut self.sides[index]
    }

    fn list(&mut self, items: impl ExactSizeIterator<Item = u32>) {
        self.words.push(items.len() as u32);
        self.words.extend(items);
    }

    fn gate(&mut self, side: usize, gate: [Lit; 3]) {
        let [out, left, right] = gate.map(Lit::code);
        self.side(side).add_gate(out, left, right);
        self.words.extend([op::GATE, out, left, right]);
    }

    fn clause(&mut self, side: usize, clause: &[Lit]) {
        self.side(side).solver.add_clause(clause);
        self.words.extend([op::CLAUSE, clause.len() as u32]);
        self.words.extend(codes(clause));
    }

    fn group(&mut self, name: usize) {
        self.side(FRAMES).new_group(name as u32);
        self.words.extend([op::GROUP, name as u32]);
    }

    fn group_clause(&mut self, name: usize, clause: &[Lit]) {
        self.side(FRAMES).add_to_group(name as u32, clause);
        self.words.extend([op::GROUP_CLAUSE, name as u32, clause.len() as u32]);
        self.words.extend(codes(clause));
    }

    fn release(&mut self, name: usize) {
        self.side(FRAMES).release_group(name as u32);
        self.words.extend([op::RELEASE, name as u32]);
    }

    fn keep(&mut self, side: usize, roots: &[u32]) {
        self.side(side).keep(roots);
        self.words.push(op::KEEP);
        self.list(roots.iter().copied());
    }

    fn domain(&mut self, side: usize, roots: &[u32]) {
        self.side(side).set_domain(roots);
        self.words.push(op::DOMAIN);
        self.list(roots.iter().copied());
    }

    fn query(&mut self, side: usize, groups: &[u32], assumptions: &[Lit], clause: &[Lit]) -> bool {
        let answer = self.side(side).solve(groups, assumptions, clause);
        assert_ne!(answer, Answer::Unknown, "there is no budget");
        let is_sat = answer == Answer::Sat;
        self.words.extend([op::QUERY, u32::from(is_sat)]);
        self.list(groups.iter().copied());
        self.words.push(assumptions.len() as u32);
        self.words.extend(codes(assumptions));
        self.words.push(clause.len() as u32);
        self.words.extend(codes(clause));
        self.queries += 1;
        self.sat += u64::from(is_sat);
        is_sat
    }
}

/// How a run ended.
#[derive(Debug)]
enum End {
    Safe,
    Unsafe,
    Limit,
}

struct Frame {
    cubes: Vec<Cube>,
    /// Clauses of the group whose cubes have gone.
    stale: usize,
}

struct Ic3<'a> {
    circuit: &'a Circuit,
    bad: Lit,
    constraints: Vec<Lit>,
    recorder: Recorder,
    frames: Vec<Frame>,
    is_kept: Vec<bool>,
    deadline: Instant,
    queries: u64,
}

fn lit(bit: Bit) -> Lit {
    Var(bit.var()).lit(!bit.is_negated())
}

fn negated(cube: &[Lit]) -> Cube {
    cube.iter().map(|lit| !*lit).collect()
}

fn vars(lits: &[Lit]) -> Vec<u32> {
    lits.iter().map(|lit| lit.var().0).collect()
}

/// Whether all literals of the sorted `smaller` are in the sorted `larger`.
fn subsumes(smaller: &[Lit], larger: &[Lit]) -> bool {
    let mut rest = larger.iter();
    smaller.iter().all(|lit| rest.by_ref().any(|other| other == lit))
}

impl Ic3<'_> {
    fn index(&self, lit: Lit) -> usize {
        (lit.var().0 - self.circuit.inputs - 1) as usize
    }

    fn next(&self, cube: &[Lit]) -> Cube {
        let next = |lit: &Lit| self.circuit.latches[self.index(*lit)].next;
        cube.iter().map(|bit| lit(next(bit)).xor(bit.is_negated())).collect()
    }

    fn excludes_start(&self, bit: Lit) -> bool {
        let reset = self.circuit.latches[self.index(bit)].reset;
        reset.var() == 0 && reset.is_negated() == bit.is_negated()
    }

    fn is_initial(&self, cube: &[Lit]) -> bool {
        !cube.iter().any(|bit| self.excludes_start(*bit))
    }

    fn is_over(&self) -> bool {
        self.recorder.queries >= self.queries || Instant::now() >= self.deadline
    }

    /// The groups that hold in a frame, the last first, so that queries share a prefix.
    fn groups(&self, frame: usize) -> Vec<u32> {
        (frame.max(1) as u32..self.frames.len() as u32)
            .rev()
            .chain((frame == 0).then_some(0))
            .collect()
    }

    fn encode(&mut self) {
        let circuit = self.circuit;
        for side in [FRAMES, LIFT] {
            let count = circuit.max_var() + 1;
            self.recorder.side(side).set_variables(count);
            self.recorder.words.extend([op::VARIABLES, count]);
            self.recorder.clause(side, &[Var(0).negative()]);
            for (index, gate) in circuit.ands.iter().enumerate() {
                let gate = [circuit.gate(index), gate.left, gate.right].map(lit);
                self.recorder.gate(side, gate);
            }
        }
        for index in 0..self.constraints.len() {
            let constraint = self.constraints[index];
            self.recorder.clause(FRAMES, &[constraint]);
            self.recorder.keep(FRAMES, &[constraint.var().0]);
        }
        self.add_frame();
        for (index, latch) in circuit.latches.iter().enumerate() {
            if latch.reset.var() == 0 {
                let start = lit(circuit.latch(index)).xor(!latch.reset.is_negated());
                self.recorder.group_clause(0, &[start]);
            }
        }
    }

    fn add_frame(&mut self) {
        self.recorder.group(self.frames.len());
        self.frames.push(Frame { cubes: Vec::new(), stale: 0 });
    }

    /// Whether the cube has a predecessor in the frame, outside itself if `is_relative`.
    fn has_predecessor(&mut self, cube: &[Lit], frame: usize, is_relative: bool) -> bool {
        let clause = if is_relative { negated(cube) } else { Vec::new() };
        let (groups, next) = (self.groups(frame), self.next(cube));
        self.recorder.query(FRAMES, &groups, &next, &clause)
    }

    fn set_domain(&mut self, cube: &[Lit]) {
        let mut roots = vars(&self.next(cube));
        roots.extend(vars(cube));
        self.recorder.domain(FRAMES, &roots);
    }

    /// The literals of the cube whose successors the answer needed, and one to exclude the start.
    fn core(&self, cube: &[Lit]) -> Cube {
        let solver = &self.recorder.sides[FRAMES].solver;
        let next = self.next(cube);
        let needed = cube.iter().zip(next).filter(|(_, next)| solver.is_failed(*next));
        let mut core: Cube = needed.map(|(bit, _)| *bit).collect();
        if self.is_initial(&core) {
            core.extend(cube.iter().find(|bit| self.excludes_start(**bit)));
            core.sort_unstable();
        }
        core
    }

    /// The part of the model's state that leads to `target`, whatever the rest is.
    fn lift(&mut self, target: &[Lit]) -> Cube {
        let mut clause = negated(target);
        clause.extend(negated(&self.constraints));
        let roots = vars(&clause);
        let first_gate = self.circuit.inputs + 1 + self.circuit.latches.len() as u32;
        self.recorder.sides[LIFT].reach(&roots);
        let cone = self.recorder.sides[LIFT].cone.iter().map(|var| var.0);
        let mut reached: Vec<u32> = cone.filter(|var| (1..first_gate).contains(var)).collect();
        reached.sort_unstable();
        let solver = &self.recorder.sides[FRAMES].solver;
        let value = |var: &u32| Var(*var).lit(solver.value(Var(*var).positive()) == Some(true));
        let assumptions: Vec<Lit> = reached.iter().map(value).collect();
        self.recorder.domain(LIFT, &roots);
        let is_sat = self.recorder.query(LIFT, &[], &assumptions, &clause);
        assert!(!is_sat, "the inputs and the state determine their successor");
        let solver = &self.recorder.sides[LIFT].solver;
        assumptions
            .into_iter()
            .filter(|lit| lit.var().0 > self.circuit.inputs && solver.is_failed(*lit))
            .collect()
    }

    fn is_blocked(&self, cube: &[Lit], frame: usize) -> bool {
        let mut known = self.frames[frame..].iter().flat_map(|frame| &frame.cubes);
        known.any(|known| subsumes(known, cube))
    }

    /// Adds a lemma and drops those that it implies.
    fn add_lemma(&mut self, cube: Cube, frame: usize) {
        for level in &mut self.frames[1..=frame] {
            let before = level.cubes.len();
            level.cubes.retain(|known| !subsumes(&cube, known));
            level.stale += before - level.cubes.len();
        }
        for name in 1..=frame {
            if self.frames[name].stale > 20 + self.frames[name].cubes.len() {
                self.rebuild(name);
            }
        }
        let fresh: Vec<u32> =
            vars(&cube).into_iter().filter(|var| !self.is_kept[*var as usize]).collect();
        if !fresh.is_empty() {
            self.recorder.keep(FRAMES, &fresh);
            fresh.iter().for_each(|var| self.is_kept[*var as usize] = true);
        }
        self.recorder.group_clause(frame, &negated(&cube));
        self.frames[frame].cubes.push(cube);
    }

    fn rebuild(&mut self, name: usize) {
        self.recorder.release(name);
        self.recorder.group(name);
        for index in 0..self.frames[name].cubes.len() {
            let clause = negated(&self.frames[name].cubes[index]);
            self.recorder.group_clause(name, &clause);
        }
        self.frames[name].stale = 0;
    }

    /// Drops literals of a cube that has no predecessor in the frame below.
    fn generalize(&mut self, cube: Cube, frame: usize) -> Cube {
        let mut cube = self.core(&cube);
        let mut index = 0;
        while index < cube.len() && !self.is_over() {
            let mut smaller = cube.clone();
            smaller.remove(index);
            if !self.is_initial(&smaller) && !self.has_predecessor(&smaller, frame - 1, true) {
                let core = self.core(&smaller);
                // Literals before the index were found to be needed.
                index = index.min(core.len());
                cube = core;
            } else {
                index += 1;
            }
        }
        cube
    }

    /// Blocks a cube in the last frame, or finds a way to it from the start.
    fn block(&mut self, cube: Cube) -> Option<End> {
        let last = self.frames.len() - 1;
        let mut serial = 0;
        let mut obligations = BTreeMap::from([((last, serial), cube)]);
        while let Some(((frame, _), cube)) = obligations.pop_first() {
            if self.is_over() {
                return Some(End::Limit);
            }
            if frame == 0 || self.is_initial(&cube) {
                return Some(End::Unsafe);
            }
            serial += 1;
            if self.is_blocked(&cube, frame) {
                if frame < last {
                    obligations.insert((frame + 1, serial), cube);
                }
                continue;
            }
            self.set_domain(&cube);
            if self.has_predecessor(&cube, frame - 1, true) {
                let target = self.next(&cube);
                let predecessor = self.lift(&target);
                obligations.insert((frame - 1, serial), predecessor);
                obligations.insert((frame, serial), cube);
                continue;
            }
            let lemma = self.generalize(cube.clone(), frame);
            let mut reached = frame;
            while reached < last && !self.has_predecessor(&lemma, reached, true) {
                reached += 1;
            }
            self.add_lemma(lemma, reached);
            if reached < last {
                obligations.insert((reached + 1, serial), cube);
            }
        }
        None
    }

    /// Moves lemmas forward; whether a frame equals its successor.
    fn push(&mut self) -> Option<End> {
        for frame in 1..self.frames.len() - 1 {
            for cube in self.frames[frame].cubes.clone() {
                if self.is_over() {
                    return Some(End::Limit);
                }
                if !self.frames[frame].cubes.contains(&cube) {
                    continue;
                }
                self.set_domain(&cube);
                if !self.has_predecessor(&cube, frame, false) {
                    let core = self.core(&cube);
                    self.add_lemma(core, frame + 1);
                }
            }
            if self.frames[frame].cubes.is_empty() {
                return Some(End::Safe);
            }
        }
        None
    }

    fn run(&mut self) -> End {
        self.encode();
        let bad = self.bad;
        loop {
            let last = self.frames.len() - 1;
            loop {
                if self.is_over() {
                    return End::Limit;
                }
                self.recorder.domain(FRAMES, &[bad.var().0]);
                let groups = self.groups(last);
                if !self.recorder.query(FRAMES, &groups, &[bad], &[]) {
                    break;
                }
                let cube = self.lift(&[bad]);
                if let Some(end) = self.block(cube) {
                    return end;
                }
            }
            self.add_frame();
            if let Some(end) = self.push() {
                return end;
            }
        }
    }
}

struct Arguments {
    file: String,
    trace: String,
    queries: u64,
    seconds: u64,
    property: usize,
}

fn arguments() -> Result<Arguments, String> {
    let mut words = std::env::args().skip(1);
    let (mut plain, mut queries, mut seconds, mut property) = (Vec::new(), 20_000, 60, 0);
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|word| word.parse::<u64>().ok());
            value.ok_or(format!("{word} needs a number"))
        };
        match word.as_str() {
            "--queries" => queries = number()?,
            "--seconds" => seconds = number()?,
            "--property" => property = number()? as usize,
            _ => plain.push(word),
        }
    }
    let [file, trace] = <[String; 2]>::try_from(plain)
        .map_err(|_| "usage: ic3_record FILE.aig TRACE [--queries N] [--seconds N]")?;
    Ok(Arguments { file, trace, queries, seconds, property })
}

fn run() -> Result<(), String> {
    let arguments = arguments()?;
    let bytes = std::fs::read(&arguments.file).map_err(|error| error.to_string())?;
    let circuit = alphorn_front::aiger::read(&bytes).0.ok_or("the file is not AIGER")?;
    let is_simple =
        |index: usize| circuit.latches[index].reset.var() == 0 || circuit.is_uninitialised(index);
    if !(0..circuit.latches.len()).all(is_simple) {
        return Err("a latch starts with the value of a function".into());
    }
    let bad = *circuit.safety().get(arguments.property).ok_or("there is no such property")?;
    let side = || Side::new(Options::default(), true, true);
    let sides = [side(), side()];
    let begin = Instant::now();
    let mut ic3 = Ic3 {
        circuit: &circuit,
        bad: lit(bad),
        constraints: circuit.constraints.iter().map(|bit| lit(*bit)).collect(),
        recorder: Recorder { sides, current: usize::MAX, words: Vec::new(), queries: 0, sat: 0 },
        frames: Vec::new(),
        is_kept: vec![false; circuit.max_var() as usize + 1],
        deadline: begin + Duration::from_secs(arguments.seconds),
        queries: arguments.queries,
    };
    let end = ic3.run();
    let Recorder { words, queries, sat, .. } = &ic3.recorder;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&arguments.trace, bytes).map_err(|error| error.to_string())?;
    println!(
        "{} gates {} queries {queries} sat {sat} frames {} lemmas {} seconds {:.1} {end:?}",
        arguments.file.rsplit('/').next().unwrap_or(&arguments.file),
        circuit.ands.len(),
        ic3.frames.len(),
        ic3.frames.iter().map(|frame| frame.cubes.len()).sum::<usize>(),
        begin.elapsed().as_secs_f64(),
    );
    Ok(())
}

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        exit(4);
    }
}
