//! Interpolants checked against their definition, by the solver.
//!
//! For a family without assignments it is enough that each cut's interpolant has only shared
//! variables and follows from the interpolants of the cuts directly inside and the clauses between,
//! and that the outermost interpolants contradict the clauses outside: that side A implies and side B
//! refutes follows. Under assignments each interpolant is checked alone.

use std::collections::BTreeMap;

use super::cuts::Cuts;
use super::{InterpolationError, Interpolator, VariableMap};
use crate::aig::{Aig, Edge, Encoder, Encoding, Node};
use crate::literal::{Lit, Var};
use crate::proof::Origin;
use crate::solver::{Answer, Solver};
use crate::state::Budget;

/// Proofs with more clauses are not verified without being asked.
const LARGEST_CHECKED: usize = 2000;
const MAX_CUTS_CHECKED: u32 = 16;
/// Conflicts after which an unasked question is dropped.
const CONFLICTS: u64 = 10_000;

/// Why edges are not interpolants, or cannot be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerifyError {
    /// There are none, for a reason of its own.
    Interpolation(InterpolationError),
    /// The map gives the variable no input, or one that another variable of the cut has.
    NotAnInput(Var),
    /// The interpolant of the cut depends on an input that stands for no shared variable.
    ForeignInput(u32, u32),
    /// The cut's interpolant, or for none the contradiction, does not follow from what is inside.
    NotInductive(Option<u32>),
    /// The interpolant of the cut does not follow from side A under the assignment.
    NotImplied(u32),
    /// The interpolant of the cut does not contradict side B under the assignment.
    NotContradictory(u32),
    /// The budget ran out.
    Budget,
}

/// The literal that each input stands for at a cut.
type Meaning = BTreeMap<u32, Lit>;

/// What to check, and how.
struct Verification<'a> {
    aig: &'a Aig,
    edges: &'a [Edge],
    meanings: Vec<Meaning>,
    leaves: Vec<(Vec<Lit>, u32)>,
    lemmas: Vec<Vec<Lit>>,
    variables: u32,
    budget: Budget,
}

impl Interpolator<'_> {
    /// Checks that `edges`, made by `cuts` with the same graph and map, are interpolants.
    ///
    /// The map must give distinct inputs to the variables shared at a cut. Lemmas of the theory
    /// count as clauses of both sides.
    pub fn verify(
        &self,
        cuts: &Cuts,
        edges: &[Edge],
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> Result<(), VerifyError> {
        self.verify_within(cuts, edges, aig, map, Budget::default())
    }

    fn verify_within(
        &self,
        cuts: &Cuts,
        edges: &[Edge],
        aig: &mut Aig,
        map: &mut dyn VariableMap,
        budget: Budget,
    ) -> Result<(), VerifyError> {
        let shared = self.shared(cuts).map_err(VerifyError::Interpolation)?;
        let mut meanings = Vec::new();
        for variables in shared {
            let mut meaning = Meaning::new();
            for var in variables {
                let edge = map.edge(var, aig);
                let Node::Input(input) = aig.node(edge.node()) else {
                    return Err(VerifyError::NotAnInput(var));
                };
                if meaning.insert(input, var.lit(!edge.is_negated())).is_some() {
                    return Err(VerifyError::NotAnInput(var));
                }
            }
            meanings.push(meaning);
        }
        let mut leaves = Vec::new();
        self.each_leaf(cuts, |literals, partition| leaves.push((literals.to_vec(), partition)))
            .map_err(VerifyError::Interpolation)?;
        let lemmas = self.clauses.iter().filter(|id| self.trace.origin(**id) == Origin::Theory);
        let lemmas: Vec<Vec<Lit>> = lemmas.map(|id| self.trace.literals(*id).to_vec()).collect();
        let clauses = leaves.iter().map(|(literals, _)| literals).chain(&lemmas);
        let last = clauses.flatten().map(|lit| lit.var().0).max();
        let variables = last.map_or(0, |last| last + 1);
        let check = Verification { aig, edges, meanings, leaves, lemmas, variables, budget };
        check.vocabulary()?;
        match cuts.has_assignments() {
            true => (0..cuts.len()).try_for_each(|cut| check.alone(cuts, cut)),
            false => (0..cuts.len())
                .map(Some)
                .chain([None])
                .try_for_each(|cut| check.inductive(cuts, cut)),
        }
    }

    /// Whether small proofs' interpolants verify; true where that would take long.
    pub(super) fn seems_right(
        &self,
        cuts: &Cuts,
        edges: &[Edge],
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> bool {
        if self.clauses.len() > LARGEST_CHECKED
            || cuts.len() > MAX_CUTS_CHECKED
            || self.theory.is_some()
        {
            return true;
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..Budget::default() };
        matches!(
            self.verify_within(cuts, edges, aig, map, budget),
            Ok(()) | Err(VerifyError::NotAnInput(_) | VerifyError::Budget)
        )
    }
}

impl Verification<'_> {
    fn vocabulary(&self) -> Result<(), VerifyError> {
        for (cut, (edge, meaning)) in self.edges.iter().zip(&self.meanings).enumerate() {
            let support = self.aig.support(&[*edge]);
            if let Some(input) = support.into_iter().find(|input| !meaning.contains_key(input)) {
                return Err(VerifyError::ForeignInput(cut as u32, input));
            }
        }
        Ok(())
    }

    /// A solver with the lemmas and the clauses of some partitions.
    fn solver(&self, has: impl Fn(u32) -> bool) -> Solver {
        let mut solver = Solver::default();
        for _ in 0..self.variables {
            solver.new_var();
        }
        self.lemmas.iter().for_each(|lemma| solver.add_clause(lemma));
        for (literals, _) in self.leaves.iter().filter(|(_, partition)| has(*partition)) {
            solver.add_clause(literals);
        }
        solver.set_budget(self.budget);
        solver
    }

    fn assert(&self, solver: &mut Solver, cut: u32, negated: bool) {
        let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        for (input, lit) in &self.meanings[cut as usize] {
            encoder.bind(self.aig.input(*input), *lit);
        }
        encoder.assert(self.aig, self.edges[cut as usize].xor(negated), solver);
    }

    fn inductive(&self, cuts: &Cuts, cut: Option<u32>) -> Result<(), VerifyError> {
        let inside: Vec<u32> = (0..cuts.len()).filter(|other| cuts.parent(*other) == cut).collect();
        let mut solver = self.solver(|partition| {
            cut.is_none_or(|cut| cuts.contains(cut, partition))
                && inside.iter().all(|other| !cuts.contains(*other, partition))
        });
        inside.iter().for_each(|other| self.assert(&mut solver, *other, false));
        cut.iter().for_each(|cut| self.assert(&mut solver, *cut, true));
        refuted(&mut solver, &[], VerifyError::NotInductive(cut))
    }

    fn alone(&self, cuts: &Cuts, cut: u32) -> Result<(), VerifyError> {
        for (is_in_a, error) in
            [(true, VerifyError::NotImplied(cut)), (false, VerifyError::NotContradictory(cut))]
        {
            let mut solver = self.solver(|partition| cuts.contains(cut, partition) == is_in_a);
            self.assert(&mut solver, cut, is_in_a);
            let known = |lit: &&Lit| lit.var().0 < self.variables;
            let assignment: Vec<Lit> = cuts.assignment(cut).iter().filter(known).copied().collect();
            refuted(&mut solver, &assignment, error)?;
        }
        Ok(())
    }
}

fn refuted(
    solver: &mut Solver,
    assumptions: &[Lit],
    error: VerifyError,
) -> Result<(), VerifyError> {
    match solver.solve(assumptions) {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(error),
        Answer::Unknown => Err(VerifyError::Budget),
    }
}
