//! Repeats the calls that `ic3_record` wrote down, and says how long the queries took.
//!
//! Usage: `ic3_replay TRACE [--no-gates] [--no-domain] [--stats] [--set NAME=VALUE]…`; `--no-gates` adds
//! gates as clauses only, `--no-domain` also lets queries range over the whole circuit. Time is processor time of everything
//! after the circuit is encoded: cones, domains, lemmas, releases and queries. Answers are compared
//! with the recorded ones.

mod ic3 {
    pub mod trace;
}

use std::process::exit;

use alphorn_sat::{Answer, Lit, Options};
use ic3::trace::{Side, op};

/// Processor time of this process: wall time lies on a busy machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 =
        text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    nanoseconds / 1e9
}

struct Reader<'a> {
    words: &'a [u32],
}

impl<'a> Reader<'a> {
    fn word(&mut self) -> Option<u32> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(*first)
    }

    fn list(&mut self) -> Option<&'a [u32]> {
        let length = self.word()? as usize;
        let (list, rest) = self.words.split_at_checked(length)?;
        self.words = rest;
        Some(list)
    }
}

fn literals(codes: &[u32], into: &mut Vec<Lit>) {
    into.clear();
    into.extend(codes.iter().map(|code| Lit::from_code(*code)));
}

#[derive(Default)]
struct Counts {
    gates: u64,
    queries: u64,
    sat: u64,
    wrong: u64,
    /// Literals propagated by queries answered unsat, and sat.
    propagations: [u64; 2],
    began: Option<f64>,
}

struct Replay {
    sides: Vec<Side>,
    current: usize,
    options: Options,
    uses_domain: bool,
    uses_definitions: bool,
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
    counts: Counts,
}

impl Replay {
    /// Carries out the next operation; `None` if the trace ends in its midst.
    fn step(&mut self, code: u32, reader: &mut Reader<'_>) -> Option<()> {
        if code == op::SOLVER {
            self.current = reader.word()? as usize;
            while self.sides.len() <= self.current {
                let (domain, definitions) = (self.uses_domain, self.uses_definitions);
                self.sides.push(Side::new(self.options.clone(), domain, definitions));
            }
            return Some(());
        }
        let side = self.sides.get_mut(self.current)?;
        match code {
            op::VARIABLES => side.set_variables(reader.word()?),
            op::GATE => {
                self.counts.gates += 1;
                side.add_gate(reader.word()?, reader.word()?, reader.word()?);
            }
            op::CLAUSE => {
                literals(reader.list()?, &mut self.clause);
                side.solver.add_clause(&self.clause);
            }
            op::GROUP => {
                self.counts.began.get_or_insert_with(cpu_seconds);
                side.new_group(reader.word()?);
            }
            op::GROUP_CLAUSE => {
                let group = reader.word()?;
                literals(reader.list()?, &mut self.clause);
                side.add_to_group(group, &self.clause);
            }
            op::RELEASE => side.release_group(reader.word()?),
            op::KEEP => side.keep(reader.list()?),
            op::DOMAIN => side.set_domain(reader.list()?),
            op::QUERY => {
                let expected = if reader.word()? == 1 { Answer::Sat } else { Answer::Unsat };
                let groups = reader.list()?;
                literals(reader.list()?, &mut self.assumptions);
                literals(reader.list()?, &mut self.clause);
                let before = side.solver.stats().propagations;
                let answer = side.solve(groups, &self.assumptions, &self.clause);
                self.counts.queries += 1;
                let propagations = side.solver.stats().propagations - before;
                self.counts.propagations[usize::from(answer == Answer::Sat)] += propagations;
                self.counts.sat += u64::from(answer == Answer::Sat);
                self.counts.wrong += u64::from(answer != expected);
            }
            _ => return None,
        }
        Some(())
    }
}

fn run() -> Result<i32, String> {
    let mut words = std::env::args().skip(1);
    let (mut file, mut stats) = (None, false);
    let (mut uses_domain, mut uses_definitions) = (true, true);
    let mut options = Options::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--no-domain" => uses_domain = false,
            "--no-gates" => uses_definitions = false,
            "--stats" => stats = true,
            "--set" => {
                let setting = words.next().ok_or("--set needs NAME=VALUE")?;
                let (name, value) = setting.split_once('=').ok_or("--set needs NAME=VALUE")?;
                options.set(name, value.parse().map_err(|_| "a value is a number")?)?;
            }
            _ => file = Some(word),
        }
    }
    let file = file.ok_or("usage: ic3_replay TRACE [--no-domain] [--set NAME=VALUE]")?;
    let bytes = std::fs::read(&file).map_err(|error| error.to_string())?;
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let trace: Vec<u32> = bytes.chunks_exact(4).map(word).collect();
    let mut replay = Replay {
        sides: Vec::new(),
        current: 0,
        options,
        uses_domain,
        uses_definitions: uses_domain && uses_definitions,
        assumptions: Vec::new(),
        clause: Vec::new(),
        counts: Counts::default(),
    };
    let mut reader = Reader { words: &trace };
    while let Some(code) = reader.word() {
        replay.step(code, &mut reader).ok_or("the trace is damaged")?;
    }
    let counts = &replay.counts;
    let seconds = cpu_seconds() - counts.began.unwrap_or_default();
    let domains: u64 = replay.sides.iter().map(|side| side.domains).sum();
    let inside: u64 = replay.sides.iter().map(|side| side.domain_sum).sum();
    println!(
        "gates {} queries {} sat {} wrong {} seconds {seconds:.3} us {:.2} domain {:.0} \
         propagations {:.0}/unsat {:.0}/sat",
        counts.gates / replay.sides.len().max(1) as u64,
        counts.queries,
        counts.sat,
        counts.wrong,
        1e6 * seconds / counts.queries as f64,
        inside as f64 / domains.max(1) as f64,
        counts.propagations[0] as f64 / (counts.queries - counts.sat).max(1) as f64,
        counts.propagations[1] as f64 / counts.sat.max(1) as f64,
    );
    if stats {
        for side in &replay.sides {
            for (name, count) in side.solver.stats().entries() {
                println!("c {name:<16} {count:>14} {:>10.2}", count as f64 / counts.queries as f64);
            }
        }
    }
    Ok(i32::from(counts.wrong > 0))
}

fn main() {
    match run() {
        Ok(code) => exit(code),
        Err(message) => {
            eprintln!("{message}");
            exit(4);
        }
    }
}
