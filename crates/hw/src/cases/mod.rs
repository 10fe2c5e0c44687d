//! Refutations by cases: for each value of a few variables, what is left of the clauses is refuted alone.
//!
//! Clauses that come from a circuit define their greatest variable by smaller ones, but for units that say what is
//! to be refuted. With some variables fixed many others are constant, and most of the rest does not matter to the
//! units. So each case is a small problem with a solver of its own, which never meets the gates of other cases. Its
//! proof becomes one from all clauses by adding to each step that the case is not the one at hand; constants
//! are steps of the proof, too. At last all cases are put together.
//!
//! A case that takes long is tried again with names for what the step is made of (`parts`): then states before and
//! after the step are compared by small functions between them, without the inputs.
//!
//! Invariant: every step is implied by propagation from the clauses and the steps before it, in the order of its hints.

mod constants;
mod define;
mod parts;
#[cfg(test)]
mod tests;

use crate::ask::{ask, ask_within, make_variables};
use crate::certify::conclusion;
use crate::settings::GAMES_CASE_TICKS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_problem::obligation::circuit::{Cnf, Obligation};
use alphorn_sat::{Lit, Options, Solver, Step};
use constants::Constants;
use rustc_hash::FxHashMap;

/// How many times the ticks a case gets where it was not.
const MORE: u64 = 8;
/// The part of its ticks that a case gets before its step is taken apart, where that was better the last time.
const LESS: u64 = 20;

/// A proof that the obligation's clauses have no model, for all values of these variables one after the other;
/// `later` are the variables of latches after the step.
pub(crate) fn refute_by_cases(
    obligation: &Obligation,
    variables: &[u32],
    later: &[u32],
    ctx: &mut Ctx<'_>,
) -> Result<Lrat, Stop> {
    let mut proof = Proof::new(&obligation.cnf, later);
    match proof.all(variables, ctx)? {
        true => Ok(Lrat { steps: proof.steps }),
        false => {
            let name = &obligation.name;
            Err(Stop::Stuck(format!("the invariant fails its obligation {name}")))
        }
    }
}

struct Proof<'c> {
    /// The clauses of the obligation.
    clauses: Vec<&'c [i32]>,
    /// Clauses that were added: definitions and what was shown on the way, with their numbers in the proof. They come
    /// after those of the obligation.
    added: Vec<(Vec<i32>, u64)>,
    /// The clauses that define each variable, by position.
    defining: Vec<Vec<u32>>,
    /// Variables that were defined, by what they choose by and between.
    defined: FxHashMap<[i32; 3], i32>,
    /// What holds in all cases, by its literal: the clause that says so.
    always: FxHashMap<i32, u32>,
    /// The clauses of one literal.
    units: Vec<u32>,
    /// Whether a variable is a latch after the step.
    is_later: Vec<bool>,
    /// Ticks for the next case as a whole.
    ticks: u64,
    steps: Vec<LratStep>,
    last: u64,
}

/// What a solver is asked in a case.
struct Question<'q> {
    /// What is supposed.
    given: &'q [i32],
    /// The clauses from which on others are looked for, by position.
    from: Vec<u32>,
    /// Clauses to take in the place of those that define a variable.
    instead: &'q FxHashMap<u32, Vec<u32>>,
    /// Ticks of the solver, if it may give up.
    ticks: Option<u64>,
}

/// What is known of a question.
enum Known {
    /// There is no model, and this step says so.
    Refuted(u64),
    /// There is a model.
    Holds,
    /// It took too long.
    Open,
}

impl<'c> Proof<'c> {
    fn new(cnf: &'c Cnf, later: &[u32]) -> Proof<'c> {
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
        let mut is_later = vec![false; defining.len()];
        later.iter().for_each(|var| is_later[*var as usize] = true);
        let last = clauses.len() as u64;
        Proof {
            clauses,
            added: Vec::new(),
            defining,
            defined: FxHashMap::default(),
            always: FxHashMap::default(),
            units,
            is_later,
            ticks: GAMES_CASE_TICKS.get(),
            steps: Vec::new(),
            last,
        }
    }

    /// The clause at a position; what a clause defines comes last in it.
    fn clause(&self, position: u32) -> &[i32] {
        match (position as usize).checked_sub(self.clauses.len()) {
            None => self.clauses[position as usize],
            Some(at) => &self.added[at].0,
        }
    }

    /// The number of the clause at a position.
    fn number(&self, position: u32) -> i64 {
        match (position as usize).checked_sub(self.clauses.len()) {
            None => i64::from(position) + 1,
            Some(at) => self.added[at].1 as i64,
        }
    }

    fn add(&mut self, clause: Vec<i32>, hints: Vec<i64>) -> u64 {
        self.last += 1;
        self.steps.push(LratStep::Add { id: self.last, clause, hints });
        self.last
    }

    /// Makes a step of the proof a clause that solvers are told of; its position.
    fn keep(&mut self, clause: Vec<i32>, number: u64) -> u32 {
        self.added.push((clause, number));
        (self.clauses.len() + self.added.len() - 1) as u32
    }

    /// Shows that no case has a model, and puts them together; whether none has.
    fn all(&mut self, variables: &[u32], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut shown = Vec::with_capacity(1 << variables.len());
        for value in 0..1usize << variables.len() {
            let sign = |at: usize| if value >> at & 1 == 1 { 1 } else { -1 };
            let case: Vec<i32> =
                variables.iter().enumerate().map(|(at, var)| sign(at) * *var as i32).collect();
            let Some(step) = self.case(&case, ctx)? else { return Ok(false) };
            shown.push(step);
        }
        // Cases that agree in all but the last variable are put together.
        for (at, _) in variables.iter().enumerate().rev() {
            let half = shown.len() / 2;
            for value in 0..half {
                let sign = |at: usize| if value >> at & 1 == 1 { -1 } else { 1 };
                let clause = (0..at).map(|at| sign(at) * variables[at] as i32).collect();
                let hints = vec![shown[value] as i64, shown[value + half] as i64];
                shown[value] = self.add(clause, hints);
            }
            shown.truncate(half);
        }
        Ok(true)
    }

    /// Shows that a case has no model; the step that says so, or none if it has one.
    fn case(&mut self, case: &[i32], ctx: &mut Ctx<'_>) -> Result<Option<u64>, Stop> {
        let mut constants = self.constants(case);
        ctx.tick(1 + self.clauses.len() as u64 / 64)?;
        // A clause that is false needs no solver.
        let from = self.refuted_in(&constants, true);
        let is_false = |at: &u32| self.clause(*at).iter().all(|lit| constants.of(*lit) < 0);
        if let Some(conflict) = from.iter().copied().find(is_false) {
            let mut hints = Vec::new();
            for at in 0..self.clause(conflict).len() {
                self.constant(-self.clause(conflict)[at], &mut constants, &mut hints);
            }
            hints.sort_unstable();
            hints.dedup();
            hints.push(self.number(conflict));
            return Ok(Some(self.add(constants.not_case, hints)));
        }
        let nothing = FxHashMap::default();
        let mut whole = Question { given: &[], from, instead: &nothing, ticks: Some(self.ticks) };
        let mut known = self.ask(&whole, &mut constants, ctx)?;
        if matches!(known, Known::Open) {
            known = self.by_parts(&mut constants, ctx)?;
            let is_better = matches!(known, Known::Refuted(_));
            self.ticks = if is_better { GAMES_CASE_TICKS.get() / LESS } else { MORE * self.ticks };
        }
        if !matches!(known, Known::Refuted(_)) {
            whole.ticks = None;
            known = self.ask(&whole, &mut constants, ctx)?;
        }
        match known {
            Known::Refuted(step) => Ok(Some(step)),
            Known::Holds | Known::Open => Ok(None),
        }
    }

    /// Asks a solver of its own; what is supposed must not be constant.
    fn ask(
        &mut self,
        question: &Question<'_>,
        constants: &mut Constants,
        ctx: &mut Ctx<'_>,
    ) -> Result<Known, Stop> {
        for lit in question.given {
            constants.value[lit.unsigned_abs() as usize] = lit.signum() as i8;
        }
        let known = self.answer(question, constants, ctx);
        for lit in question.given {
            constants.value[lit.unsigned_abs() as usize] = 0;
        }
        known
    }

    fn answer(
        &mut self,
        question: &Question<'_>,
        constants: &mut Constants,
        ctx: &mut Ctx<'_>,
    ) -> Result<Known, Stop> {
        let used = self.cone(question, constants);
        let (mut solver, names) = self.left(&used, constants);
        let holds = match question.ticks {
            None => Some(ask(&mut solver, &[], None, ctx)?),
            Some(ticks) => ask_within(&mut solver, &[], ticks, ctx)?,
        };
        match holds {
            None => return Ok(Known::Open),
            Some(true) => return Ok(Known::Holds),
            Some(false) => {}
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
                        for at in 0..self.clause(position).len() {
                            let lit = self.clause(position)[at];
                            if constants.of(lit) < 0 {
                                self.constant(-lit, constants, &mut before);
                            }
                        }
                        after.push(self.number(position));
                    }
                    before.sort_unstable();
                    before.dedup();
                    before.extend(after);
                    let literal = |lit: Lit| {
                        let lit = lit.to_dimacs();
                        lit.signum() * names[lit.unsigned_abs() as usize - 1] as i32
                    };
                    let mut clause: Vec<i32> = literals.into_iter().map(literal).collect();
                    clause.extend(question.given.iter().map(|lit| -lit));
                    clause.extend(&constants.not_case);
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
        let last = made.last().copied().map(Known::Refuted);
        last.ok_or_else(|| Stop::Stuck("a case was refuted without a step".into()))
    }

    /// A solver for what constants leave of clauses, whose variables are numbered anew, and their names here.
    fn left(&self, used: &[u32], constants: &Constants) -> (Solver, Vec<u32>) {
        let mut own = vec![0i32; self.defining.len()];
        let mut names = Vec::new();
        let mut clauses = Vec::with_capacity(used.len());
        for position in used {
            let mut clause: Vec<Lit> = Vec::new();
            for lit in self.clause(*position) {
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

    /// Whether a variable is a latch after the step.
    fn is_after(&self, var: u32) -> bool {
        self.is_later.get(var as usize) == Some(&true)
    }

    /// The clauses that say what is to be refuted in a case, with or without the steps that lead to values of latches.
    fn refuted_in(&self, constants: &Constants, with_steps: bool) -> Vec<u32> {
        let said = constants.said.iter().filter(|var| with_steps || !self.is_after(**var));
        let said = said.flat_map(|var| &self.defining[*var as usize]);
        self.units.iter().chain(said).copied().collect()
    }

    /// The clauses that matter to a question, where constants are known, by position.
    fn cone(&self, question: &Question<'_>, constants: &Constants) -> Vec<u32> {
        let mut used = Vec::new();
        let mut seen = vec![false; self.defining.len()];
        let mut stack = Vec::new();
        let is_there =
            |position: &u32| self.clause(*position).iter().all(|lit| constants.of(*lit) <= 0);
        for position in question.from.iter().filter(|position| is_there(position)) {
            used.push(*position);
            stack.extend(self.clause(*position).iter().map(|lit| lit.unsigned_abs()));
        }
        while let Some(var) = stack.pop() {
            if constants.value[var as usize] != 0
                || std::mem::replace(&mut seen[var as usize], true)
            {
                continue;
            }
            let defining = question.instead.get(&var).unwrap_or(&self.defining[var as usize]);
            for position in defining.iter().filter(|at| is_there(at)) {
                used.push(*position);
                stack.extend(self.clause(*position).iter().map(|lit| lit.unsigned_abs()));
            }
        }
        used
    }
}
