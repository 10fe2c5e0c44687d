//! Random traces of calls, run against a solver and against a naive search, and made smaller.
//!
//! A trace is a list of operations on few variables. Variables are free or defined by a gate of
//! other literals; a domain is closed under definitions and holds every variable of the other
//! clauses, as its contract asks. After each `Sat` the model is
//! extended and evaluated; after each `Unsat` the failed assumptions are checked to be assumptions
//! that suffice, and the proof is replayed by the checker.

mod judge;

use super::random::random_options;
use crate::Rng;
use crate::shrink::{Shrink, quiet, shorter};
use alphorn_sat::{Answer, Budget, Group, Lit, Options, Solver, Stats, Var};
pub use judge::replay;
use judge::replay_conclusion;

/// Most variables of small and of large traces.
const FEW_VARIABLES: usize = 10;
const MANY_VARIABLES: usize = 36;
const MAX_GROUPS: usize = 3;

/// What a gate computes from three literals.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// The conjunction of the first two.
    And,
    /// Whether an odd number of them is true.
    Parity,
    /// The second if the first holds, else the third.
    Choice,
}

impl Shape {
    /// What it computes.
    pub fn evaluate(self, [a, b, c]: [bool; 3]) -> bool {
        match self {
            Shape::And => a && b,
            Shape::Parity => a ^ b ^ c,
            Shape::Choice => {
                if a {
                    b
                } else {
                    c
                }
            }
        }
    }

    /// The clauses by which `out` is what the gate computes.
    pub fn clauses(self, out: Lit, [a, b, c]: [Lit; 3]) -> Vec<Vec<Lit>> {
        match self {
            Shape::And => vec![vec![!out, a], vec![!out, b], vec![out, !a, !b]],
            Shape::Choice => {
                vec![vec![!out, !a, b], vec![out, !a, !b], vec![!out, a, c], vec![out, a, !c]]
            }
            Shape::Parity => (0..8u32)
                .map(|flips| {
                    let lit = |lit: Lit, place: u32| lit.xor(flips >> place & 1 == 1);
                    let last = out.xor(flips.count_ones() % 2 == 0);
                    vec![lit(a, 0), lit(b, 1), lit(c, 2), last]
                })
                .collect(),
        }
    }
}

/// One call.
#[derive(Clone, Debug)]
pub enum Op {
    /// A free variable.
    Input,
    /// A variable that is defined by a gate.
    Gate(Shape, [Lit; 3]),
    /// A clause.
    Add(Vec<Lit>),
    /// A group of clauses.
    NewGroup,
    /// A clause of a group.
    AddToGroup(usize, Vec<Lit>),
    /// The end of a group.
    Release(usize),
    /// Assumptions, groups to assume, a temporary clause.
    Solve(Vec<Lit>, Vec<usize>, Option<Vec<Lit>>),
    /// A domain, by literals that must be in it.
    Domain(Vec<Lit>),
    /// The end of the domain.
    NoDomain,
    /// A value to try first.
    Phase(Lit),
    /// A variable that must stay.
    Freeze(Lit),
    /// A variable that need not stay any more.
    Melt(Lit),
    /// A limit on conflicts, or its end.
    Budget(Option<u64>),
    /// The proof made shorter.
    Trim,
}

/// A trace with the options to run it under.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The options.
    pub options: Options,
    /// The calls.
    pub ops: Vec<Op>,
}

/// A random trace under random options.
pub fn generate(random: &mut Rng) -> Trace {
    let options = random_options(random);
    // Large traces have clauses of three literals, enough of them for conflicts to be common.
    let is_large = random.one_in(2);
    let most = if is_large { MANY_VARIABLES } else { FEW_VARIABLES };
    let first = if is_large { 12 + random.below(18) } else { 2 + random.below(4) };
    let mut ops = vec![Op::Input; first as usize];
    let mut variables = ops.len();
    let mut groups = 0;
    let length = if is_large { first * 8 } else { 10 + random.below(120) };
    let width = if is_large { 3 } else { 2 + random.below(3) };
    for _ in 0..length {
        let lit = |random: &mut Rng| Var(random.below(variables as u32)).lit(random.one_in(2));
        let clause = |random: &mut Rng, width: u32| -> Vec<Lit> {
            let size = if random.one_in(12) { random.below(3) } else { 1 + random.below(width) };
            let size = if size < 2 && !random.one_in(3) { 2 } else { size };
            let size = if is_large && !random.one_in(20) { 3 } else { size };
            (0..size).map(|_| lit(random)).collect()
        };
        let op = match random.below(100) {
            0..5 if variables < most => Op::Input,
            5..16 if variables < most => {
                let shape = match random.below(4) {
                    0 => Shape::Parity,
                    1 => Shape::Choice,
                    _ => Shape::And,
                };
                Op::Gate(shape, [0; 3].map(|_| lit(random)))
            }
            16..48 => Op::Add(clause(random, width)),
            48..70 if is_large && !random.one_in(3) => Op::Add(clause(random, width)),
            48..52 if groups < MAX_GROUPS => Op::NewGroup,
            52..60 if groups > 0 => {
                let group = random.below(groups as u32) as usize;
                Op::AddToGroup(group, clause(random, width))
            }
            60..63 if groups > 0 => Op::Release(random.below(groups as u32) as usize),
            63..66 => Op::Phase(lit(random)),
            66..68 => Op::Freeze(lit(random)),
            68..70 => Op::Melt(lit(random)),
            70..74 => Op::Domain(clause(random, 3)),
            74..76 => Op::NoDomain,
            76..77 => Op::Budget(random.one_in(2).then(|| random.below(5))),
            77..79 => Op::Trim,
            _ => {
                let assumptions = match random.below(3) {
                    0 => Vec::new(),
                    _ => (0..random.below(4)).map(|_| lit(random)).collect(),
                };
                let mut active: Vec<usize> = (0..groups).filter(|_| random.one_in(2)).collect();
                if random.one_in(2) {
                    active.reverse();
                }
                let temporary = random.one_in(3).then(|| clause(random, 4));
                Op::Solve(assumptions, active, temporary)
            }
        };
        match &op {
            Op::Input | Op::Gate(..) => variables += 1,
            Op::NewGroup => groups += 1,
            Op::Release(_) => groups -= 1,
            _ => {}
        }
        ops.push(op);
    }
    Trace { options, ops }
}

/// The run of a trace: the solver, and what it should know.
struct Run {
    solver: Solver,
    /// The solver's variables by the trace's numbers.
    variables: Vec<Var>,
    gates: Vec<Option<(Shape, [Lit; 3])>>,
    clauses: Vec<Vec<Lit>>,
    groups: Vec<(Group, Vec<Vec<Lit>>)>,
    domain: Option<Vec<Lit>>,
    budgeted: bool,
}

/// Runs a trace; returns what was counted, or what went wrong.
pub fn run(trace: &Trace) -> Result<Stats, String> {
    let mut result = Err(String::new());
    let panic = quiet::failure(|| {
        result = run_all(trace);
    });
    panic.map_or(result, |said| Err(format!("panic: {said}")))
}

fn run_all(trace: &Trace) -> Result<Stats, String> {
    let mut run = Run {
        solver: Solver::new(trace.options.clone()),
        variables: Vec::new(),
        gates: Vec::new(),
        clauses: Vec::new(),
        groups: Vec::new(),
        domain: None,
        budgeted: false,
    };
    for (index, op) in trace.ops.iter().enumerate() {
        run.step(op).map_err(|what| format!("operation {index}: {what}"))?;
    }
    Ok(run.solver.stats().clone())
}

impl Run {
    /// A literal of the trace as the solver's; shrinking may leave literals without variables.
    fn lit(&self, lit: Lit) -> Option<Lit> {
        self.variables.get(lit.var().index()).map(|var| var.lit(!lit.is_negated()))
    }

    fn lits(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        clause.iter().map(|lit| self.lit(*lit)).collect()
    }

    fn step(&mut self, op: &Op) -> Result<(), String> {
        match op {
            Op::Input => {
                self.variables.push(self.solver.new_var());
                self.gates.push(None);
            }
            Op::Gate(shape, inputs) => {
                if let Some(&[a, b, c]) = self.lits(inputs).as_deref() {
                    let gate = self.solver.new_var();
                    for clause in shape.clauses(gate.positive(), [a, b, c]) {
                        self.solver.add_clause(&clause);
                    }
                    self.variables.push(gate);
                    self.gates.push(Some((*shape, *inputs)));
                }
            }
            Op::Add(clause) => {
                if let Some(literals) = self.lits(clause) {
                    self.solver.add_clause(&literals);
                    self.clauses.push(clause.clone());
                }
            }
            Op::NewGroup => self.groups.push((self.solver.new_group(), Vec::new())),
            Op::AddToGroup(index, clause) => {
                if let (Some(literals), true) = (self.lits(clause), *index < self.groups.len()) {
                    self.solver.add_to_group(self.groups[*index].0, &literals);
                    self.groups[*index].1.push(clause.clone());
                }
            }
            Op::Release(index) if *index < self.groups.len() => {
                let (group, _) = self.groups.remove(*index);
                self.solver.release_group(group);
            }
            Op::Release(_) => {}
            Op::Solve(assumptions, active, temporary) => {
                return self.solve(assumptions, active, temporary.as_deref());
            }
            Op::Domain(seeds) => self.domain = Some(seeds.clone()),
            Op::NoDomain => {
                self.domain = None;
                self.solver.clear_domain();
            }
            Op::Phase(lit) => {
                if let Some(lit) = self.lit(*lit) {
                    self.solver.set_phase(lit);
                }
            }
            Op::Freeze(lit) => {
                if let Some(lit) = self.lit(*lit) {
                    self.solver.freeze(lit.var());
                }
            }
            Op::Melt(lit) => {
                if let Some(lit) = self.lit(*lit) {
                    self.solver.melt(lit.var());
                }
            }
            Op::Trim => {
                self.solver.trim_trace();
                // The conclusion of the last answer survives.
                if let (Some(trace), Some(goal)) = (self.solver.trace(), self.solver.conclusion()) {
                    return replay_conclusion(trace, goal);
                }
            }
            Op::Budget(conflicts) => {
                self.budgeted = conflicts.is_some();
                self.solver.set_budget(Budget { conflicts: *conflicts, ..Budget::default() });
            }
        }
        Ok(())
    }

    fn solve(
        &mut self,
        assumptions: &[Lit],
        active: &[usize],
        temporary: Option<&[Lit]>,
    ) -> Result<(), String> {
        let active: Vec<usize> =
            active.iter().copied().filter(|index| *index < self.groups.len()).collect();
        let Some(mut inside) = self.lits(assumptions) else { return Ok(()) };
        let Some(clause) = temporary.map_or(Some(None), |clause| self.lits(clause).map(Some))
        else {
            return Ok(());
        };
        inside.extend(active.iter().map(|index| self.groups[*index].0.lit()));
        let mut clauses = self.clauses.clone();
        for index in &active {
            clauses.extend(self.groups[*index].1.iter().cloned());
        }
        clauses.extend(temporary.map(<[Lit]>::to_vec));
        if self.domain.is_some() {
            self.restrict(assumptions, &clauses);
        }
        let answer = match &clause {
            None => self.solver.solve(&inside),
            Some(clause) => self.solver.solve_with_clause(&inside, clause),
        };
        let models = self.has_model(&clauses, assumptions);
        match answer {
            Answer::Unknown if self.budgeted => Ok(()),
            Answer::Unknown => Err("unknown without a budget".into()),
            Answer::Sat if !models => Err("sat, but there is no model".into()),
            Answer::Sat => self.check_model(&clauses, assumptions),
            Answer::Unsat if models => Err("unsat, but there is a model".into()),
            Answer::Unsat => self.check_failure(&inside, assumptions, &active, temporary),
        }
    }
}
impl Shrink for Trace {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let fewer = shorter(&self.ops).map(|ops| Trace { ops, options: self.options.clone() });
        let plainer = Options::TABLE.iter().filter_map(|info| {
            let mut options = self.options.clone();
            options.set(info.name, info.default).expect("defaults are in range");
            (options != self.options).then(|| Trace { options, ops: self.ops.clone() })
        });
        Box::new(fewer.chain(plainer))
    }

    fn show(&self) -> String {
        let ops: Vec<String> = self.ops.iter().map(|op| format!("{op:?}\n")).collect();
        format!("{:?}\n{}", self.options, ops.concat())
    }
}
