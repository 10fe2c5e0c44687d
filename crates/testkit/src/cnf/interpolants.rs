//! Random partitioned formulas, and interpolants against truth tables.
//!
//! An instance has few variables, so that a function is a set of bits, one for each assignment. Its
//! clauses come one at a time until there is no model; the proof's interpolants of all kinds are
//! then checked by the definition: what side A implies, what side B refutes, which variables occur,
//! and what follows along the family.

mod table;

use crate::Rng;
use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::drat::Limits;
use alphorn_sat::interpolate::{
    ClausalSequence, Cuts, InputMap, Interpolator, Label, Policy, VariableMap,
};
use alphorn_sat::{Answer, ClauseId, Lit, Options, Origin, Solver, Trace, Trimmed, Var};
pub use table::Table;

/// A contradictory formula with partitions.
pub struct Instance {
    /// The number of variables.
    pub variables: u32,
    /// The number of partitions.
    pub partitions: u32,
    /// Assumptions and the temporary clause included.
    pub clauses: Vec<(Vec<Lit>, u32)>,
    /// The assumptions with their partitions.
    pub assumptions: Vec<(Lit, u32)>,
    /// The partition of the temporary clause.
    pub temporary: Option<u32>,
    /// The solver that refuted it.
    pub solver: Solver,
    /// The proof with hints, if it was recorded without.
    restored: Option<(Trace, ClauseId)>,
}

impl Instance {
    /// Solves given clauses.
    pub fn new(variables: u32, partitions: u32, clauses: &[(Vec<Lit>, u32)]) -> Instance {
        let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
        (0..variables).for_each(|_| _ = solver.new_var());
        for (clause, partition) in clauses {
            solver.add_clause_in(clause, *partition);
        }
        assert_eq!(solver.solve(&[]), Answer::Unsat);
        let clauses = clauses.to_vec();
        Instance {
            variables,
            partitions,
            clauses,
            assumptions: Vec::new(),
            temporary: None,
            solver,
            restored: None,
        }
    }

    /// A random instance; solved under random options.
    pub fn random(random: &mut Rng, mut options: Options) -> Instance {
        options.proof = if random.one_in(4) { 2 } else { 1 };
        options.proof_limit = 0;
        let is_hard = random.one_in(2);
        let variables = if is_hard { 8 + random.below(5) } else { 3 + random.below(8) };
        let partitions = 2 + random.below(4);
        let mut solver = Solver::new(options);
        (0..variables).for_each(|_| _ = solver.new_var());
        let width = if is_hard { 3 } else { 1 + random.below(3) };
        // Without answers in between, proofs are longer.
        let patience = if is_hard { 4 * variables as usize } else { 0 };
        let is_striped = random.one_in(2);
        let mut clauses: Vec<(Vec<Lit>, u32)> = Vec::new();
        let (assumptions, temporary) = loop {
            let partition = random.below(partitions);
            let size = match is_hard {
                true => 3,
                false => 1 + random.below(width) + random.below(2),
            };
            let pick = |random: &mut Rng| {
                let all = Var(random.below(variables));
                if !is_striped {
                    return all;
                }
                // Variable v lives in partitions v mod N and the next one.
                let home = (partition + partitions - random.below(2)) % partitions;
                let rounds = (variables - 1 - home.min(variables - 1)) / partitions + 1;
                Var((home + partitions * random.below(rounds)).min(variables - 1))
            };
            let clause: Vec<Lit> = (0..size).map(|_| pick(random).lit(random.one_in(2))).collect();
            let way = if clauses.len() < patience { u32::MAX } else { random.below(12) };
            if way == 0 && clauses.len() > 3 {
                // The clause for one call only.
                if solver.solve_with_clause(&[], &clause) == Answer::Unsat {
                    clauses.push((clause, partition));
                    break (Vec::new(), Some(partition));
                }
                continue;
            }
            if way <= 2 && clauses.len() > 3 {
                let lits: Vec<Lit> =
                    clause.iter().copied().filter(|lit| !clause.contains(&!*lit)).collect();
                if solver.solve(&lits) == Answer::Unsat && solver.conclusion().is_some() {
                    let label = |lit: &Lit| (*lit, (partition + lit.var().0) % partitions);
                    let assumptions: Vec<(Lit, u32)> = lits.iter().map(label).collect();
                    clauses.extend(assumptions.iter().map(|(lit, home)| (vec![*lit], *home)));
                    break (assumptions, None);
                }
                continue;
            }
            solver.add_clause_in(&clause, partition);
            clauses.push((clause, partition));
            if clauses.len() >= patience && solver.solve(&[]) == Answer::Unsat {
                break (Vec::new(), None);
            }
        };
        let restored = None;
        let mut instance =
            Instance { variables, partitions, clauses, assumptions, temporary, solver, restored };
        instance.restore();
        instance
    }

    /// Finds the hints of a proof that has none.
    fn restore(&mut self) {
        let trace = self.solver.trace().expect("proofs are on");
        if trace.has_hints() {
            return;
        }
        let goal = self.solver.conclusion().expect("unsat has a conclusion");
        let partition = |lit: Lit| {
            let known = self.assumptions.iter().find(|(assumed, _)| *assumed == lit);
            known.expect("the conclusion is about assumptions").1
        };
        let temporary = self.temporary.unwrap_or(0);
        let restored = trace.restored(goal, partition, temporary, &Limits::default());
        self.restored = Some(restored.expect("every clause follows by unit propagation"));
    }

    /// The proof with hints, and its conclusion.
    pub fn trace(&self) -> (&Trace, ClauseId) {
        match &self.restored {
            Some((trace, goal)) => (trace, *goal),
            None => {
                let goal = self.solver.conclusion().expect("unsat has a conclusion");
                (self.solver.trace().expect("proofs are on"), goal)
            }
        }
    }

    /// What is needed, or everything recorded that does not depend on forgotten clauses.
    pub fn proof(&self, trimmed: bool) -> Trimmed {
        let (trace, goal) = self.trace();
        let needed = trace.trim(goal);
        if trimmed {
            return needed;
        }
        let mut clauses: Vec<ClauseId> = Vec::new();
        for id in (1..=goal.0).map(ClauseId) {
            let is_forgotten = trace.is_dropped(id)
                || trace.origin(id) == Origin::Temporary
                    && needed.clauses.binary_search(&id).is_err();
            let is_known = |hint: &ClauseId| clauses.binary_search(hint).is_ok();
            if !is_forgotten && trace.hints(id).iter().all(is_known) {
                clauses.push(id);
            }
        }
        Trimmed { clauses }
    }

    /// What interpolates along a proof.
    pub fn interpolator<'a>(&'a self, proof: &Trimmed, policy: Policy<'a>) -> Interpolator<'a> {
        let (trace, _) = self.trace();
        let mut interpolator = Interpolator::trimmed(trace, proof).policy(policy);
        for (lit, partition) in &self.assumptions {
            interpolator = interpolator.assumption(*lit, *partition);
        }
        match self.temporary {
            Some(partition) => interpolator.temporary(partition),
            None => interpolator,
        }
    }

    fn table(&self, mut has: impl FnMut(u32) -> bool) -> Table {
        let mut table = Table::truth(self.variables);
        for (clause, _) in self.clauses.iter().filter(|(_, partition)| has(*partition)) {
            table.add(clause);
        }
        table
    }

    fn tables(&self, aig: &Aig, edges: &[Edge], inputs: &InputMap) -> Vec<Table> {
        edges.iter().map(|edge| Table::of_edge(self.variables, aig, *edge, inputs)).collect()
    }
}

/// The variables an edge depends on.
fn vocabulary(aig: &Aig, edge: Edge, inputs: &InputMap) -> Vec<Var> {
    let support = aig.support(&[edge]);
    let is_used = |input: Edge| support.contains(&aig.support(&[input])[0]);
    inputs.iter().filter(|(_, input)| is_used(*input)).map(|(var, _)| var).collect()
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Checks interpolants by their definition, each under its cut's assignment.
pub fn check(
    instance: &Instance,
    cuts: &Cuts,
    aig: &Aig,
    edges: &[Edge],
    inputs: &InputMap,
) -> Result<Vec<Table>, String> {
    let tables = instance.tables(aig, edges, inputs);
    for cut in 0..cuts.len() {
        let (edge, table) = (edges[cut as usize], &tables[cut as usize]);
        let mut under = Table::truth(instance.variables);
        cuts.assignment(cut).iter().for_each(|lit| under.add(&[*lit]));
        let side_a = instance.table(|partition| cuts.contains(cut, partition));
        let side_b = instance.table(|partition| !cuts.contains(cut, partition));
        ensure(side_a.and(&under).implies(table), || format!("cut {cut}: A does not imply"))?;
        ensure(side_b.and(&under).and(table).is_false(), || {
            format!("cut {cut}: B does not refute")
        })?;
        let is_satisfied =
            |clause: &[Lit]| clause.iter().any(|lit| cuts.assignment(cut).contains(lit));
        for var in vocabulary(aig, edge, inputs) {
            let occurs = |side: bool| {
                instance.clauses.iter().any(|(clause, partition)| {
                    cuts.contains(cut, *partition) == side
                        && !is_satisfied(clause)
                        && clause.iter().any(|lit| lit.var() == var)
                })
            };
            let is_assigned = cuts.assignment(cut).iter().any(|lit| lit.var() == var);
            ensure(occurs(true) && occurs(false) && !is_assigned, || {
                format!("cut {cut}: {var:?} is not shared")
            })?;
        }
    }
    Ok(tables)
}

/// Checks that interpolants follow from those inside and the clauses between, under `under`.
pub fn check_inductive(
    instance: &Instance,
    cuts: &Cuts,
    tables: &[Table],
    under: &[Lit],
) -> Result<(), String> {
    for cut in (0..cuts.len()).map(Some).chain([None]) {
        let inside: Vec<u32> = (0..cuts.len()).filter(|other| cuts.parent(*other) == cut).collect();
        let mut known = instance.table(|partition| {
            cut.is_none_or(|cut| cuts.contains(cut, partition))
                && inside.iter().all(|other| !cuts.contains(*other, partition))
        });
        under.iter().for_each(|lit| known.add(&[*lit]));
        for other in &inside {
            known = known.and(&tables[*other as usize]);
        }
        let holds = match cut {
            Some(cut) => known.implies(&tables[cut as usize]),
            None => known.is_false(),
        };
        ensure(holds, || format!("cut {cut:?} does not follow"))?;
    }
    Ok(())
}

/// A random family of a random kind.
fn random_cuts(random: &mut Rng, partitions: u32) -> Cuts {
    match random.below(5) {
        0 => {
            let chosen = random.next_u64();
            Cuts::binary(partitions, |partition| chosen >> partition & 1 == 1)
        }
        1 | 2 => Cuts::sequence(partitions),
        kind => {
            let parent = |node: u32, random: &mut Rng| {
                (node > 0 && !random.one_in(6)).then(|| random.below(node))
            };
            let parents: Vec<Option<u32>> =
                (0..partitions).map(|node| parent(node, random)).collect();
            let tree = Cuts::tree(&parents).expect("parents have smaller numbers");
            if kind == 3 {
                return tree;
            }
            let set = |cut: u32| (0..partitions).filter(|p| tree.contains(cut, *p)).collect();
            let sets: Vec<Vec<u32>> =
                (0..random.below(6)).map(|_| set(random.below(partitions))).collect();
            Cuts::laminar(partitions, &sets).expect("subtrees are laminar")
        }
    }
}

/// What a run of many instances amounted to.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Interpolants.
    pub interpolants: u64,
    /// Clauses of clausal interpolants.
    pub clauses: u64,
    /// Clauses of coloured proofs.
    pub colorized_clauses: u64,
    /// Clausal interpolants.
    pub clausal: u64,
    /// Coloured proofs.
    pub colorized: u64,
}

/// Makes an instance from a seed and checks interpolants of all kinds.
pub fn run(seed: u64, options: Options, counts: &mut Counts) -> Result<(), String> {
    let mut random = Rng::new(seed);
    let instance = Instance::random(&mut random, options);
    let labels: Vec<Label> = (0..instance.variables)
        .map(|_| [Label::A, Label::B, Label::Both][random.below(3) as usize])
        .collect();
    let by_variable = |var: Var| labels[var.index()];
    let policies =
        [Policy::McMillan, Policy::PerVariable(&by_variable), Policy::Pudlak, Policy::DualMcMillan];
    for trimmed in [true, false] {
        let proof = instance.proof(trimmed);
        let cuts = random_cuts(&mut random, instance.partitions);
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut tables = Vec::new();
        for policy in policies {
            let mut interpolator = instance.interpolator(&proof, policy);
            let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs);
            let edges = edges.map_err(|error| format!("{error:?}"))?;
            interpolator
                .verify(&cuts, &edges, &mut aig, &mut inputs)
                .map_err(|error| format!("{error:?}"))?;
            let found = check(&instance, &cuts, &aig, &edges, &inputs)?;
            check_inductive(&instance, &cuts, &found, &[])?;
            counts.interpolants += edges.len() as u64;
            tables.push(found);
        }
        for (strong, weak) in [(0, 1), (0, 2), (2, 3), (1, 3)] {
            for (left, right) in tables[strong].iter().zip(&tables[weak]) {
                ensure(left.implies(right), || format!("strength {strong} {weak}"))?;
            }
        }
        run_assigned(&instance, &proof, &policies, &mut random)?;
        run_clausal(&instance, &proof, counts)?;
    }
    Ok(())
}

fn random_assignment(random: &mut Rng, variables: u32) -> Vec<Lit> {
    let assign =
        |index: u32, random: &mut Rng| random.one_in(4).then(|| Var(index).lit(random.one_in(2)));
    (0..variables).filter_map(|index| assign(index, random)).collect()
}

fn run_assigned(
    instance: &Instance,
    proof: &Trimmed,
    policies: &[Policy<'_>],
    random: &mut Rng,
) -> Result<(), String> {
    for policy in policies {
        let mut cuts = random_cuts(random, instance.partitions);
        for cut in 0..cuts.len() {
            cuts.assign(cut, &random_assignment(random, instance.variables));
        }
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(proof, *policy);
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs);
        let edges = edges.map_err(|error| format!("{error:?}"))?;
        interpolator
            .verify(&cuts, &edges, &mut aig, &mut inputs)
            .map_err(|error| format!("under assignments: {error:?}"))?;
        check(instance, &cuts, &aig, &edges, &inputs)
            .map_err(|error| format!("assigned {error}"))?;

        // One assignment for a whole family leaves it inductive under the assignment.
        let assignment = random_assignment(random, instance.variables);
        (0..cuts.len()).for_each(|cut| cuts.assign(cut, &assignment));
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs);
        let edges = edges.map_err(|error| format!("{error:?}"))?;
        let tables = check(instance, &cuts, &aig, &edges, &inputs)?;
        check_inductive(instance, &cuts, &tables, &assignment)
            .map_err(|error| format!("one assignment: {error}"))?;
    }
    Ok(())
}

fn run_clausal(instance: &Instance, proof: &Trimmed, counts: &mut Counts) -> Result<(), String> {
    let cuts = Cuts::sequence(instance.partitions);
    for colorize in [false, true] {
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(proof, Policy::McMillan);
        let sequence: ClausalSequence = interpolator
            .clausal_sequence(instance.partitions, colorize, &mut aig, &mut inputs)
            .map_err(|error| format!("{error:?}"))?;
        let edges = sequence.conjoin(&mut aig, &mut inputs);
        let tables = check(instance, &cuts, &aig, &edges, &inputs)
            .map_err(|error| format!("clausal {colorize}: {error}"))?;
        check_inductive(instance, &cuts, &tables, &[])
            .map_err(|error| format!("clausal {colorize}: {error}"))?;
        let clauses = sequence.clauses.iter().map(|clauses| clauses.len() as u64).sum::<u64>();
        let is_clausal = u64::from(sequence.rests.iter().all(|rest| *rest == Edge::TRUE));
        match colorize {
            false => {
                (counts.clauses, counts.clausal) =
                    (counts.clauses + clauses, counts.clausal + is_clausal)
            }
            true => {
                (counts.colorized_clauses, counts.colorized) =
                    (counts.colorized_clauses + clauses, counts.colorized + is_clausal)
            }
        }
        // The clauses alone are an inductive chain.
        let rests = vec![Edge::TRUE; cuts.len() as usize];
        let chain = ClausalSequence { clauses: sequence.clauses, rests };
        let edges = chain.conjoin(&mut aig, &mut inputs);
        let tables = instance.tables(&aig, &edges, &inputs);
        let mut before = Table::truth(instance.variables);
        for (cut, table) in tables.iter().enumerate() {
            let known = before.and(&instance.table(|partition| partition == cut as u32));
            ensure(known.implies(table), || format!("clauses of cut {cut} do not follow"))?;
            before = table.clone();
        }
    }
    Ok(())
}

/// The edge for a literal.
pub fn edge_of(lit: Lit, aig: &mut Aig, inputs: &mut InputMap) -> Edge {
    inputs.edge(lit.var(), aig).xor(lit.is_negated())
}
