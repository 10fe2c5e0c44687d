//! Deciding a CNF formula: read, search, check.
//!
//! The answer is checked against the clauses as read before it leaves: a model is evaluated and
//! a refutation replayed by `check`, which knows nothing of the solver. [`Model`] and [`Proof`]
//! can be made here only, so that an answer that carries one was checked.
//!
//! Proofs are numbered as external checkers expect: clause 1 is the first of the file, and steps
//! count on from the last, also where the contradiction shows before all clauses are read.

use alphorn_check::cnf::satisfy;
use alphorn_check::lrat;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_sat::{Budget, Lit, Options, Refutation, Solver, Step, Var};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use alphorn_audit::formula::{Cnf, read_formula as read};

/// Thousands of words from which on the proof is trimmed: only the last conclusion is wanted here.
const PROOF_TRIM: u32 = 1000;

/// What a caller may choose about a run.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// After how many conflicts the search is given up.
    pub conflicts: Option<u64>,
    /// The seed of everything random.
    pub seed: u32,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

/// A model that was evaluated: one literal for each variable up to the largest that occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model(Vec<i32>);

impl Model {
    /// The literals that are true, by variable.
    pub fn literals(&self) -> &[i32] {
        &self.0
    }
}

/// A refutation that was replayed.
#[derive(Clone, Debug)]
pub struct Proof(Refutation);

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// LRAT as text.
    Lrat,
    /// LRAT in binary.
    LratBinary,
    /// DRAT as text.
    Drat,
    /// DRAT in binary.
    DratBinary,
}

impl Proof {
    /// How many clauses it adds.
    pub fn additions(&self) -> usize {
        self.0.steps.iter().filter(|step| matches!(step, Step::Add { .. })).count()
    }

    /// The proof as data for the checker.
    pub fn to_lrat(&self) -> Lrat {
        let steps = self.0.steps.iter().map(|step| match step {
            Step::Add { id, literals, hints } => LratStep::Add {
                id: *id,
                clause: literals.iter().map(|lit| lit.to_dimacs()).collect(),
                hints: hints.iter().map(|hint| *hint as i64).collect(),
            },
            Step::Delete(ids) => LratStep::Delete(ids.clone()),
        });
        Lrat { steps: steps.collect() }
    }

    /// The proof as it stands in a file.
    pub fn to_bytes(&self, format: ProofFormat) -> Vec<u8> {
        match format {
            ProofFormat::Lrat => self.0.to_lrat().into_bytes(),
            ProofFormat::LratBinary => self.0.to_lrat_binary(),
            ProofFormat::Drat => self.0.to_drat().into_bytes(),
            ProofFormat::DratBinary => self.0.to_drat_binary(),
        }
    }
}

/// What the search came to.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is a model.
    Satisfiable(Model),
    /// There is none.
    Unsatisfiable(Proof),
    /// The search ended early.
    Unknown,
}

/// An answer with how it came about.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The answer, checked.
    pub answer: Answer,
    /// What the solver counted.
    pub statistics: Vec<(&'static str, u64)>,
    /// How long checking took.
    pub check_time: Duration,
}

/// Decides a formula; an error says why the checker refused what the solver found.
pub fn solve(cnf: &Cnf, request: &Request) -> Result<Solved, String> {
    let mut solver = Solver::new(Options {
        proof: 1,
        proof_trim: PROOF_TRIM,
        seed: request.seed,
        ..Options::default()
    });
    for _ in 0..cnf.largest {
        solver.new_var();
    }
    solver.set_interrupt(Arc::clone(&request.interrupt));
    solver.set_budget(Budget { conflicts: request.conflicts, ..Budget::default() });
    let mut clause: Vec<Lit> = Vec::new();
    for numbers in cnf.clauses() {
        clause.clear();
        clause.extend(numbers.iter().filter_map(|number| Lit::from_dimacs(*number)));
        solver.add_clause(&clause);
    }
    let found = solver.solve(&[]);
    let begun = Instant::now();
    let answer = match found {
        alphorn_sat::Answer::Sat => Answer::Satisfiable(check_model(cnf, &solver)?),
        // Without a proof nothing is claimed; the statistics say that it was lost.
        alphorn_sat::Answer::Unsat if solver.is_proof_lost() => Answer::Unknown,
        alphorn_sat::Answer::Unsat => Answer::Unsatisfiable(check_proof(cnf, &solver)?),
        alphorn_sat::Answer::Unknown => Answer::Unknown,
    };
    let statistics = solver.stats().entries().collect();
    Ok(Solved { answer, statistics, check_time: begun.elapsed() })
}

fn check_model(cnf: &Cnf, solver: &Solver) -> Result<Model, String> {
    let value = |var: Var| solver.value(var.positive()) == Some(true);
    let literals: Vec<i32> =
        (0..cnf.largest).map(Var).map(|var| var.lit(value(var)).to_dimacs()).collect();
    satisfy(cnf.clauses(), &literals).map_err(|refusal| refusal.to_string())?;
    Ok(Model(literals))
}

fn check_proof(cnf: &Cnf, solver: &Solver) -> Result<Proof, String> {
    let (Some(trace), Some(goal)) = (solver.trace(), solver.conclusion()) else {
        return Err("there is no proof".to_owned());
    };
    let refutation = renumbered(cnf, trace.refutation_of_inputs(goal));
    let found = Proof(refutation);
    let proof = found.to_lrat();
    lrat::refute(cnf.clauses(), &proof).map_err(|refusal| refusal.to_string())?;
    Ok(found)
}

/// The refutation with all clauses of the file in its formula.
fn renumbered(cnf: &Cnf, mut refutation: Refutation) -> Refutation {
    let known = refutation.formula.len();
    let missing = cnf.len().saturating_sub(known) as u64;
    if missing == 0 {
        return refutation;
    }
    let to_lits = |clause: &[i32]| clause.iter().filter_map(|n| Lit::from_dimacs(*n)).collect();
    refutation.formula.extend(cnf.clauses().skip(known).map(to_lits));
    let shift = |id: &mut u64| {
        if *id > known as u64 {
            *id += missing;
        }
    };
    for step in &mut refutation.steps {
        match step {
            Step::Add { id, hints, .. } => {
                shift(id);
                hints.iter_mut().for_each(shift);
            }
            Step::Delete(ids) => ids.iter_mut().for_each(shift),
        }
    }
    refutation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(text: &str) -> Answer {
        let (cnf, diagnostics) = read(text.as_bytes());
        let cnf = cnf.unwrap_or_else(|| panic!("{diagnostics:?}"));
        solve(&cnf, &Request::default()).expect("answers are accepted").answer
    }

    #[test]
    fn proofs_count_on_from_the_last_clause_of_the_file() {
        let Answer::Unsatisfiable(proof) = solved("p cnf 2 4\n1 0\n-1 0\n2 0\n-2 1 0\n") else {
            panic!("1 and -1 contradict");
        };
        let text = String::from_utf8(proof.to_bytes(ProofFormat::Lrat)).expect("text");
        assert!(text.starts_with("5 0 "), "{text}");
    }

    #[test]
    fn an_empty_clause_and_no_clause() {
        assert!(matches!(solved("p cnf 3 2\n1 0\n0\n"), Answer::Unsatisfiable(_)));
        let Answer::Satisfiable(model) = solved("p cnf 3 0\n") else { panic!("it is true") };
        assert!(model.literals().is_empty());
    }
}
