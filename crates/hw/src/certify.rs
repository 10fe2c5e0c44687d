//! From an invariant to a certificate: every obligation refuted, with its proof.
//!
//! The obligations are those the checker will ask for, clause by clause; a solver that records how
//! it reasons refutes each, and what the refutation needs is written down as LRAT. Whoever claims an
//! invariant wrongly is found out here.
//!
//! Engines tend to know more than they need. `shrink` keeps the clauses that the property needs, and
//! those that these need to be kept by a step, and so on; which ones is read off the proofs, so that
//! the clauses need no selectors. Each proof step is looked at once for all clauses together.
//!
//! After Yu, Biere, Heljanko, "Progress in Certifying Hardware Model Checking Results" (CAV 2021);
//! the reduction is the first one of Ivrii, Gurfinkel, Belov, "Small Inductive Safe Invariants"
//! (FMCAD 2014).

use crate::ask::{ask, make_variables};
use crate::cases::refute_by_cases;
use crate::settings::CERTIFY_MAX_SHRUNK;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::circuit::Lit as Bit;
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Invariant, Lrat, LratStep};
use alphorn_problem::obligation::circuit::{Cnf, Obligation, Obligations};
use alphorn_problem::{Circuit, Finding, Verdict};
use alphorn_sat::{ClauseId, Lit, Options, Origin, Solver, Step, Trace};

/// The verdict that a finding is, once its claim is proved.
pub fn conclude(
    circuit: &Circuit,
    finding: Finding<Circuit>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Circuit>, Stop> {
    match finding {
        Finding::Holds(claim) => prove_circuit(circuit, claim, ctx).map(Verdict::Safe),
        Finding::Fails(trace) => Ok(Verdict::Unsafe(trace)),
    }
}

/// The certificate that a claim about a circuit is, with no more clauses than its proofs need.
pub fn prove_circuit(
    circuit: &Circuit,
    claim: CircuitClaim,
    ctx: &mut Ctx<'_>,
) -> Result<Certificate, Stop> {
    let CircuitClaim { property, invariant } = claim;
    let invariant = match invariant {
        Invariant::Justice { monitor, invariant } => {
            let watched = monitor.build(circuit, property).map_err(Stop::Stuck)?;
            let proved = prove_circuit(&watched, CircuitClaim::of(*invariant), ctx)?;
            let invariant = Invariant::Justice { monitor, invariant: Box::new(proved.invariant) };
            return Ok(Certificate { property, invariant, ..proved });
        }
        Invariant::Clauses(clauses) => {
            let found = clauses.len();
            let clauses = shrink(circuit, property, clauses, ctx)?;
            let remark = format!("{} of {found} clauses are an invariant", clauses.len());
            ctx.emit(Event::Remark(remark));
            Invariant::Clauses(clauses)
        }
        Invariant::KInductive { k, simple_path: false, lemmas }
            if k <= CERTIFY_MAX_SHRUNK.size() =>
        {
            let lemmas = shrink_lemmas(circuit, property, k, lemmas, ctx)?;
            Invariant::KInductive { k, simple_path: false, lemmas }
        }
        other => other,
    };
    certify(circuit, property, invariant, ctx)
}

/// The certificate that `invariant` gives for a safety property of a valid circuit.
///
/// An obligation that does not hold is a reason to stop, and so is one that is too large.
pub fn certify(
    circuit: &Circuit,
    property: usize,
    invariant: Invariant,
    ctx: &mut Ctx<'_>,
) -> Result<Certificate, Stop> {
    let obligations = Obligations::new(circuit, property, &invariant).map_err(Stop::Stuck)?;
    let mut proofs = Vec::with_capacity(obligations.count());
    for index in 0..obligations.count() {
        let obligation = obligations.build(index).map_err(Stop::Stuck)?;
        let later = match (&invariant, index) {
            (Invariant::Clauses(clauses), 0 | 1) => clauses.len() as u32,
            (Invariant::KInductive { lemmas, .. }, 0 | 1) => lemmas.len() as u32,
            _ => 0,
        };
        proofs.push(refute(&obligation, later, ctx)?);
    }
    Ok(Certificate { property, invariant, obligations: proofs })
}

/// As `certify`, for an invariant that is a graph, with cases for the values of latches in the proof that it is kept.
pub(crate) fn certify_by_cases(
    circuit: &Circuit,
    invariant: Invariant,
    latches: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<Certificate, Stop> {
    let obligations = Obligations::new(circuit, 0, &invariant).map_err(Stop::Stuck)?;
    let variables: Vec<u32> =
        latches.iter().filter_map(|latch| obligations.variable(*latch, 0)).collect();
    let later: Vec<u32> =
        (0..circuit.latches.len()).filter_map(|latch| obligations.variable(latch, 1)).collect();
    let mut proofs = Vec::with_capacity(obligations.count());
    for index in 0..obligations.count() {
        let obligation = obligations.build(index).map_err(Stop::Stuck)?;
        proofs.push(match index {
            1 => refute_by_cases(&obligation, &variables, &later, ctx)?,
            _ => refute(&obligation, 0, ctx)?,
        });
    }
    Ok(Certificate { property: 0, invariant, obligations: proofs })
}

/// The clauses of an inductive invariant that are needed to prove a safety property.
pub fn shrink(
    circuit: &Circuit,
    property: usize,
    mut clauses: Vec<Vec<Bit>>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Bit>>, Stop> {
    // What always holds is nowhere needed, and has no place among the clauses of an obligation.
    clauses.retain(|clause| !clause.iter().any(|lit| clause.contains(&!*lit)));
    if clauses.iter().any(Vec::is_empty) || clauses.is_empty() {
        return Ok(clauses);
    }
    let invariant = Invariant::Clauses(clauses);
    let obligations = Obligations::new(circuit, property, &invariant).map_err(Stop::Stuck)?;
    let (consecution, sufficiency) = (
        obligations.build(1).map_err(Stop::Stuck)?.cnf,
        obligations.build(2).map_err(Stop::Stuck)?.cnf,
    );
    let Invariant::Clauses(clauses) = &invariant else { unreachable!("it was made of clauses") };
    let mut needed = Needed::new(clauses.len());

    let mut solver = recording(&sufficiency);
    if ask(&mut solver, &[], None, ctx)? {
        return Err(Stop::Stuck("the invariant does not exclude bad states".into()));
    }
    let (trace, goal) = conclusion(&solver)?;
    let first = sufficiency.clauses().len() - clauses.len();
    needed.mark(trace, goal, first);
    needed.closed(&consecution, clauses, ctx)
}

/// The lemmas that an induction over `k` steps needs, and those that these need.
fn shrink_lemmas(
    circuit: &Circuit,
    property: usize,
    k: usize,
    mut lemmas: Vec<Vec<Bit>>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Bit>>, Stop> {
    lemmas.retain(|lemma| !lemma.iter().any(|lit| lemma.contains(&!*lit)));
    if lemmas.iter().any(Vec::is_empty) || lemmas.is_empty() {
        return Ok(lemmas);
    }
    let mut needed = Needed::new(lemmas.len());
    let induction = Invariant::KInductive { k, simple_path: false, lemmas };
    let obligations = Obligations::new(circuit, property, &induction).map_err(Stop::Stuck)?;
    let Invariant::KInductive { lemmas, .. } = &induction else { unreachable!("it is one") };
    for index in 2..obligations.count() {
        let obligation = obligations.build(index).map_err(Stop::Stuck)?;
        let mut solver = recording(&obligation.cnf);
        if ask(&mut solver, &[], None, ctx)? {
            let name = obligation.name;
            return Err(Stop::Stuck(format!("the invariant fails its obligation {name}")));
        }
        let steps = if index + 1 == obligations.count() { k + 1 } else { index - 1 };
        let (trace, goal) = conclusion(&solver)?;
        needed.forget_steps();
        needed.mark(trace, goal, obligation.cnf.clauses().len() - steps * lemmas.len());
    }
    needed.closed(&obligations.build(1).map_err(Stop::Stuck)?.cnf, lemmas, ctx)
}

/// Which clauses of an invariant are needed, and which of these are still to be looked at.
struct Needed {
    is_needed: Vec<bool>,
    waiting: Vec<usize>,
    /// The steps of the proof that were followed, by number.
    seen: Vec<bool>,
    stack: Vec<ClauseId>,
}

impl Needed {
    fn new(count: usize) -> Needed {
        let is_needed = vec![false; count];
        Needed { is_needed, waiting: Vec::new(), seen: Vec::new(), stack: Vec::new() }
    }

    fn forget_steps(&mut self) {
        self.seen.clear();
    }

    /// The clauses that are needed, once those are that these need to be kept by a step.
    fn closed(
        mut self,
        consecution: &Cnf,
        clauses: &[Vec<Bit>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<Bit>>, Stop> {
        let mut solver = recording(consecution);
        let literals: usize = clauses.iter().map(Vec::len).sum();
        let first = consecution.clauses().len() - 1 - literals - clauses.len();
        self.forget_steps();
        while let Some(index) = self.waiting.pop() {
            let violated = auxiliary(consecution, clauses.len() as u32, index as u32);
            if ask(&mut solver, &[violated], None, ctx)? {
                return Err(Stop::Stuck("the invariant is not inductive".into()));
            }
            let (trace, goal) = conclusion(&solver)?;
            let end = first + clauses.len();
            self.mark_between(trace, goal, first, end);
        }
        let kept = clauses.iter().zip(&self.is_needed).filter(|(_, needed)| **needed);
        Ok(kept.map(|(clause, _)| clause.clone()).collect())
    }

    /// Marks the clauses behind `goal`, of which copies are all that comes after the first `before`
    /// clauses of the formula.
    fn mark(&mut self, trace: &Trace, goal: ClauseId, before: usize) {
        self.mark_between(trace, goal, before, usize::MAX);
    }

    /// Marks the clauses behind `goal`, of which copies are in these places of the formula.
    fn mark_between(&mut self, trace: &Trace, goal: ClauseId, begin: usize, end: usize) {
        let count = self.is_needed.len();
        self.seen.resize(trace.len() as usize + 1, false);
        self.stack.push(goal);
        while let Some(id) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[id.0 as usize], true) {
                continue;
            }
            self.stack.extend(trace.hints(id));
            if let Origin::Input(position) = trace.origin(id)
                && (begin..end).contains(&(position as usize))
                && !std::mem::replace(
                    &mut self.is_needed[(position as usize - begin) % count],
                    true,
                )
            {
                self.waiting.push((position as usize - begin) % count);
            }
        }
    }
}

/// The auxiliary variable number `index` of the `count` that an obligation ends with.
fn auxiliary(cnf: &Cnf, count: u32, index: u32) -> Lit {
    alphorn_sat::Var(cnf.variables() - count + index).positive()
}

/// A solver for the clauses that records its reasoning.
fn recording(cnf: &Cnf) -> Solver {
    loaded(cnf, Options { proof: 1, ..Options::default() })
}

/// A solver for the clauses; a clause's label is its position.
pub(crate) fn loaded(cnf: &Cnf, options: Options) -> Solver {
    let mut solver = Solver::new(options);
    make_variables(&mut solver, cnf.variables());
    let mut clause = Vec::new();
    for (position, numbers) in cnf.clauses().enumerate() {
        clause.clear();
        clause.extend(numbers.iter().filter_map(|number| Lit::from_dimacs(*number)));
        solver.add_clause_in(&clause, position as u32);
    }
    solver
}

/// The proof after an answer that there is no model, and its last clause.
pub(crate) fn conclusion(solver: &Solver) -> Result<(&Trace, ClauseId), Stop> {
    let parts = solver.trace().zip(solver.conclusion());
    parts.ok_or_else(|| Stop::Stuck("the solver lost its proof".into()))
}

/// A proof that the obligation's clauses have no model. The last `parts` variables are its parts: one
/// of them must hold, and they are refuted one by one first, which is what the author of the
/// invariant did.
pub(crate) fn refute(obligation: &Obligation, parts: u32, ctx: &mut Ctx<'_>) -> Result<Lrat, Stop> {
    let mut solver = recording(&obligation.cnf);
    let fails = || Stop::Stuck(format!("the invariant fails its obligation {}", obligation.name));
    for index in 0..parts {
        if ask(&mut solver, &[auxiliary(&obligation.cnf, parts, index)], None, ctx)? {
            return Err(fails());
        }
    }
    if ask(&mut solver, &[], None, ctx)? {
        return Err(fails());
    }
    let (trace, goal) = conclusion(&solver)?;
    let refutation = trace.refutation_of_inputs(goal);
    // A contradiction among the first clauses is found before the others are read.
    let unread = (obligation.cnf.clauses().len() - refutation.formula.len()) as u64;
    let read = refutation.formula.len() as u64;
    let number = |id: u64| if id > read { id + unread } else { id };
    let steps = refutation.steps.into_iter().map(|step| match step {
        Step::Add { id, literals, hints } => LratStep::Add {
            id: number(id),
            clause: literals.into_iter().map(Lit::to_dimacs).collect(),
            hints: hints.into_iter().map(|hint| number(hint) as i64).collect(),
        },
        Step::Delete(ids) => LratStep::Delete(ids.into_iter().map(number).collect()),
    });
    Ok(Lrat { steps: steps.collect() })
}
