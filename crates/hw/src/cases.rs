//! Refutations by cases: for each value of a few variables, what is left of the clauses is refuted alone.
//!
//! Clauses that come from a circuit define their greatest variable by smaller ones, but for units that say what is
//! to be refuted. With some variables fixed many others are constant, and most of the rest does not matter to the
//! units. So each case is a small problem with a solver of its own, which never meets the gates of other cases. Its
//! proof becomes one from all clauses by adding to each step that the case is not the one at hand; constants
//! are steps of the proof, too. At last all cases are put together.
//!
//! Invariant: every step is implied by propagation from the clauses and the steps before it, in the order of its hints.

use crate::ask::make_variables;
use crate::{ask::ask, certify::conclusion};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_problem::obligation::circuit::{Cnf, Obligation};
use alphorn_sat::{Lit, Options, Solver, Step};

/// A proof that the obligation's clauses have no model, for all values of these variables one after the other.
pub(crate) fn refute_by_cases(
    obligation: &Obligation,
    variables: &[u32],
    ctx: &mut Ctx<'_>,
) -> Result<Lrat, Stop> {
    let mut proof = Proof::new(&obligation.cnf);
    let fails = || Stop::Stuck(format!("the invariant fails its obligation {}", obligation.name));
    let mut shown = Vec::with_capacity(1 << variables.len());
    for value in 0..1usize << variables.len() {
        let sign = |at: usize| if value >> at & 1 == 1 { 1 } else { -1 };
        let case: Vec<i32> =
            variables.iter().enumerate().map(|(at, var)| sign(at) * *var as i32).collect();
        shown.push(proof.case(&case, ctx)?.ok_or_else(fails)?);
    }
    // Cases that agree in all but the last variable are put together.
    for (at, _) in variables.iter().enumerate().rev() {
        let half = shown.len() / 2;
        for value in 0..half {
            let sign = |at: usize| if value >> at & 1 == 1 { -1 } else { 1 };
            let clause = (0..at).map(|at| sign(at) * variables[at] as i32).collect();
            let hints = vec![shown[value] as i64, shown[value + half] as i64];
            shown[value] = proof.add(clause, hints);
        }
        shown.truncate(half);
    }
    Ok(Lrat { steps: proof.steps })
}

struct Proof<'c> {
    clauses: Vec<&'c [i32]>,
    /// The clauses that define each variable, by position.
    defining: Vec<Vec<u32>>,
    /// The clauses of one literal.
    units: Vec<u32>,
    steps: Vec<LratStep>,
    last: u64,
}

/// What is constant in a case: for each variable its value, and the clause that says so with what it needs.
struct Constants {
    value: Vec<i8>,
    reason: Vec<u32>,
    /// The step that says so, once there is one.
    step: Vec<u64>,
}

impl Constants {
    fn of(&self, lit: i32) -> i8 {
        let value = self.value[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }
}

/// The reason of what the case says itself.
const GIVEN: u32 = u32::MAX;

impl<'c> Proof<'c> {
    fn new(cnf: &'c Cnf) -> Proof<'c> {
        let clauses: Vec<&[i32]> = cnf.clauses().collect();
        let mut defining = vec![Vec::new(); cnf.variables() as usize + 1];
        let mut units = Vec::new();
        for (position, clause) in clauses.iter().enumerate() {
            match clause {
                [_] => units.push(position as u32),
                _ => {
                    let last = clause.last().map_or(0, |lit| lit.unsigned_abs());
                    defining[last as usize].push(position as u32);
                }
            }
        }
        let last = clauses.len() as u64;
        Proof { clauses, defining, units, steps: Vec::new(), last }
    }

    fn add(&mut self, clause: Vec<i32>, hints: Vec<i64>) -> u64 {
        self.last += 1;
        self.steps.push(LratStep::Add { id: self.last, clause, hints });
        self.last
    }

    /// Shows that a case has no model; the step that says so, or none if it has one.
    fn case(&mut self, case: &[i32], ctx: &mut Ctx<'_>) -> Result<Option<u64>, Stop> {
        let mut constants = self.constants(case);
        ctx.tick(1 + self.clauses.len() as u64 / 64)?;
        let not_case: Vec<i32> = case.iter().map(|lit| -lit).collect();
        let conflict = self
            .units
            .iter()
            .copied()
            .find(|unit| constants.of(self.clauses[*unit as usize][0]) < 0);
        if let Some(unit) = conflict {
            let lit = self.clauses[unit as usize][0];
            let mut hints = Vec::new();
            self.constant(-lit, &not_case, &mut constants, &mut hints);
            hints.push(i64::from(unit) + 1);
            return Ok(Some(self.add(not_case, hints)));
        }
        let used = self.cone(&constants);
        let (mut solver, names) = self.left(&used, &constants);
        if ask(&mut solver, &[], None, ctx)? {
            return Ok(None);
        }
        let (trace, goal) = conclusion(&solver)?;
        let refutation = trace.refutation_of_inputs(goal);
        let read = refutation.formula.len() as u64;
        // The numbers that the steps have in this proof.
        let mut made: Vec<u64> = Vec::new();
        for step in refutation.steps {
            match step {
                Step::Add { literals, hints, .. } => {
                    let (mut before, mut after) = (Vec::new(), Vec::new());
                    for hint in hints {
                        if hint > read {
                            after.push(made[(hint - read) as usize - 1] as i64);
                            continue;
                        }
                        let position = used[hint as usize - 1];
                        for lit in self.clauses[position as usize] {
                            if constants.of(*lit) < 0 {
                                self.constant(-lit, &not_case, &mut constants, &mut before);
                            }
                        }
                        after.push(i64::from(position) + 1);
                    }
                    before.sort_unstable();
                    before.dedup();
                    before.extend(after);
                    let literal = |lit: Lit| {
                        let lit = lit.to_dimacs();
                        lit.signum() * names[lit.unsigned_abs() as usize - 1] as i32
                    };
                    let mut clause: Vec<i32> = literals.into_iter().map(literal).collect();
                    clause.extend(&not_case);
                    made.push(self.add(clause, before));
                }
                Step::Delete(ids) => {
                    let gone = ids.into_iter().filter(|id| *id > read);
                    let gone: Vec<u64> = gone.map(|id| made[(id - read) as usize - 1]).collect();
                    if !gone.is_empty() {
                        self.steps.push(LratStep::Delete(gone));
                    }
                }
            }
        }
        let last = made.last().copied();
        last.map(Some).ok_or_else(|| Stop::Stuck("a case was refuted without a step".into()))
    }

    /// A solver for what constants leave of clauses, whose variables are numbered anew, and their names here.
    fn left(&self, used: &[u32], constants: &Constants) -> (Solver, Vec<u32>) {
        let mut own = vec![0i32; self.defining.len()];
        let mut names = Vec::new();
        let mut clauses = Vec::with_capacity(used.len());
        for position in used {
            let mut clause: Vec<Lit> = Vec::new();
            for lit in self.clauses[*position as usize] {
                if constants.of(*lit) != 0 {
                    continue;
                }
                let place = &mut own[lit.unsigned_abs() as usize];
                if *place == 0 {
                    names.push(lit.unsigned_abs());
                    *place = names.len() as i32;
                }
                clause.extend(Lit::from_dimacs(lit.signum() * *place));
            }
            clauses.push(clause);
        }
        let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
        make_variables(&mut solver, names.len() as u32);
        for (label, clause) in clauses.iter().enumerate() {
            solver.add_clause_in(clause, label as u32);
        }
        (solver, names)
    }

    /// The variables that are constant in a case, by the clauses that define them.
    fn constants(&self, case: &[i32]) -> Constants {
        let count = self.defining.len();
        let mut constants =
            Constants { value: vec![0; count], reason: vec![GIVEN; count], step: vec![0; count] };
        for lit in case {
            constants.value[lit.unsigned_abs() as usize] = lit.signum() as i8;
        }
        // The constant false of the obligation.
        let first = self.clauses.first().filter(|clause| **clause == [-1]);
        if first.is_some() {
            constants.value[1] = -1;
            constants.reason[1] = 0;
        }
        for (var, defining) in self.defining.iter().enumerate() {
            if constants.value[var] != 0 {
                continue;
            }
            for position in defining {
                let clause = self.clauses[*position as usize];
                let (own, others) = (clause[clause.len() - 1], &clause[..clause.len() - 1]);
                if others.iter().all(|lit| constants.of(*lit) < 0) {
                    constants.value[var] = own.signum() as i8;
                    constants.reason[var] = *position;
                    break;
                }
            }
        }
        constants
    }

    /// Adds what is needed for a constant to hints; steps are made for those that have none.
    fn constant(
        &mut self,
        lit: i32,
        not_case: &[i32],
        constants: &mut Constants,
        hints: &mut Vec<i64>,
    ) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.last().copied() {
            let var = lit.unsigned_abs() as usize;
            let reason = constants.reason[var];
            if reason == GIVEN || constants.step[var] != 0 {
                stack.pop();
                continue;
            }
            let clause = self.clauses[reason as usize];
            let others = || clause.iter().copied().filter(|other| *other != lit);
            let is_open = |other: &i32| {
                let var = other.unsigned_abs() as usize;
                constants.reason[var] != GIVEN && constants.step[var] == 0
            };
            let open: Vec<i32> = others().filter(is_open).map(|other| -other).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let steps = others().map(|other| constants.step[other.unsigned_abs() as usize]);
            let mut needed: Vec<i64> =
                steps.filter(|step| *step != 0).map(|step| step as i64).collect();
            needed.sort_unstable();
            needed.dedup();
            needed.push(i64::from(reason) + 1);
            let mut clause = vec![lit];
            clause.extend(not_case);
            constants.step[var] = self.add(clause, needed);
            stack.pop();
        }
        let step = constants.step[lit.unsigned_abs() as usize];
        if step != 0 {
            hints.push(step as i64);
        }
    }

    /// The clauses that matter to the units, where constants are known, by position.
    fn cone(&self, constants: &Constants) -> Vec<u32> {
        let mut used = Vec::new();
        let mut seen = vec![false; self.defining.len()];
        let mut stack = Vec::new();
        let is_there = |position: &u32| {
            self.clauses[*position as usize].iter().all(|lit| constants.of(*lit) <= 0)
        };
        for unit in self.units.iter().filter(|unit| is_there(unit)) {
            used.push(*unit);
            stack.extend(self.clauses[*unit as usize].iter().map(|lit| lit.unsigned_abs()));
        }
        while let Some(var) = stack.pop() {
            if constants.value[var as usize] != 0
                || std::mem::replace(&mut seen[var as usize], true)
            {
                continue;
            }
            for position in self.defining[var as usize].iter().filter(|at| is_there(at)) {
                used.push(*position);
                stack.extend(self.clauses[*position as usize].iter().map(|lit| lit.unsigned_abs()));
            }
        }
        used
    }
}
