//! What is known of a flow's transitions while ranks are looked for: invariants, solvers, polyhedra.
//!
//! The polyhedra of a transition are those of implicants that counterexamples exhibited: few, and not all.
//! What a polyhedron is made of implies the transition, so that whatever is to hold for the transition must
//! hold for the implicant; what holds for the polyhedra alone is a candidate.

use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Flow;
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::moved;
use alphorn_smt::project::{Polyhedron, prime_implicant};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId, Value, eval};
use std::collections::BTreeSet;

/// Conflicts for a question about one transition.
const MAX_CONFLICTS: u64 = 20_000;

/// A part of a transition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// What an implicant says about numbers.
    pub(super) polyhedron: Polyhedron,
    /// The cases before and after the step.
    pub(super) cases: [usize; 2],
}

/// What came of a question about a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It holds.
    Holds,
    /// It does not, and the transition has one more polyhedron.
    Refuted,
    /// The solver cannot tell.
    Unknown,
}

/// What is known of a flow's transitions.
pub(super) struct Steps<'a> {
    pub(super) flow: &'a Flow,
    /// The terms, in a store that extends the flow's.
    pub(super) store: Store,
    /// What holds at each location, as conjuncts.
    pub(super) invariants: Vec<Vec<TermId>>,
    /// For each transition, the polyhedra of some of its implicants.
    pub(super) polyhedra: Vec<Vec<Piece>>,
    solvers: Vec<Option<Smt>>,
    /// Whether a transition was asked for a first polyhedron.
    is_begun: Vec<bool>,
    /// Formulas over the variables that tell cases apart: which of them hold, as bits of a number.
    pub(super) atoms: Vec<TermId>,
    /// The variables before and after a step.
    asked: Vec<TermId>,
    after: BTreeSet<TermId>,
}

impl<'a> Steps<'a> {
    /// A flow of which nothing is known yet.
    pub(super) fn new(flow: &'a Flow) -> Steps<'a> {
        let count = flow.transitions.len();
        Steps {
            flow,
            store: flow.terms.clone(),
            invariants: vec![Vec::new(); flow.locations.len()],
            polyhedra: vec![Vec::new(); count],
            solvers: (0..count).map(|_| None).collect(),
            is_begun: vec![false; count],
            atoms: Vec::new(),
            asked: [&flow.vars[..], &flow.next].concat(),
            after: flow.next.iter().copied().collect(),
        }
    }

    /// Adds to what holds at a location. The polyhedra of what begins there are looked for anew.
    pub(super) fn strengthen(&mut self, at: LocId, formula: TermId) {
        if formula == TermId::TRUE || self.invariants[at.index()].contains(&formula) {
            return;
        }
        self.invariants[at.index()].push(formula);
        for (position, step) in self.flow.transitions.iter().enumerate() {
            if step.from == at {
                self.solvers[position] = None;
                self.polyhedra[position].clear();
                self.is_begun[position] = false;
            }
        }
    }

    /// Tells cases apart by these formulas, and has no polyhedra yet if they are others than before.
    pub(super) fn split(&mut self, atoms: Vec<TermId>) {
        if self.atoms != atoms {
            self.atoms = atoms;
            self.polyhedra.iter_mut().for_each(Vec::clear);
            self.is_begun.fill(false);
        }
    }

    /// The invariants, a formula for each location.
    pub(super) fn invariant_formulas(&mut self) -> Vec<TermId> {
        let store = &mut self.store;
        self.invariants.iter().map(|parts| store.and(parts)).collect()
    }

    /// Whether what `formula` says can never be true when a transition is taken.
    pub(super) fn refute(
        &mut self,
        transition: usize,
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let step = &self.flow.transitions[transition];
        let mut parts = self.invariants[step.from.index()].clone();
        parts.push(step.formula);
        let store = &mut self.store;
        let smt = self.solvers[transition].get_or_insert_with(|| {
            let mut smt = Smt::new(Options::default());
            for &part in &parts {
                smt.assert(store, part);
            }
            smt
        });
        match ask_within(smt, store, &[formula], MAX_CONFLICTS, ctx)? {
            Answer::Unsat => return Ok(Outcome::Holds),
            Answer::Unknown => return Ok(Outcome::Unknown),
            Answer::Sat => {}
        }
        let model = smt.model(store);
        let mut cases = [0; 2];
        for (bit, &atom) in self.atoms.iter().enumerate() {
            let after = moved(atom, &self.flow.vars, &self.flow.next, store);
            for (case, atom) in cases.iter_mut().zip([atom, after]) {
                let is_true = eval(store, atom, &model) == Ok(Value::Bool(true));
                *case |= usize::from(is_true) << bit;
                parts.push(if is_true { atom } else { store.not(atom) });
            }
        }
        let Some(literals) = prime_implicant(store, &parts, &model) else {
            return Ok(Outcome::Unknown);
        };
        let found = Polyhedron::new(store, &literals, &model, &self.asked, &self.after);
        let known = &mut self.polyhedra[transition];
        let is_same = |one: &Piece| {
            let known = &one.polyhedron;
            known.rows == found.rows && known.values == found.values && one.cases == cases
        };
        if known.iter().any(is_same) {
            // What holds for the polyhedron does not hold for the implicant: nothing is learned.
            return Ok(Outcome::Unknown);
        }
        known.push(Piece { polyhedron: found, cases });
        Ok(Outcome::Refuted)
    }

    /// Sees to it that a transition that can be taken has a polyhedron.
    pub(super) fn begin(&mut self, transition: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        if !self.is_begun[transition] {
            self.is_begun[transition] = true;
            self.refute(transition, TermId::TRUE, ctx)?;
        }
        Ok(())
    }
}
