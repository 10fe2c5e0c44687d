//! Propositional interpolants out of proofs.
//!
//! When clauses with partition labels are contradictory, an interpolant of a cut of the partitions
//! into sides A and B follows from A, contradicts B, and has only variables that occur in both.
//! [`Interpolator`] goes once through the trimmed proof and gives the interpolants of a whole
//! family of cuts ([`Cuts`]): one, a sequence, a tree. [`Policy`] chooses their strength.
//!
//! ```
//! use alphorn_sat::aig::Aig;
//! use alphorn_sat::interpolate::{Cuts, InputMap, Interpolator};
//! use alphorn_sat::{Answer, Options, Solver};
//!
//! let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
//! let (a, s) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause_in(&[a], 0);
//! solver.add_clause_in(&[!a, s], 0);
//! solver.add_clause_in(&[!s], 1);
//! assert_eq!(solver.solve(&[]), Answer::Unsat);
//!
//! let (trace, goal) = (solver.trace().unwrap(), solver.conclusion().unwrap());
//! let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
//! let mut interpolator = Interpolator::new(trace, goal);
//! let interpolants = interpolator.cuts(&Cuts::sequence(2), &mut aig, &mut inputs).unwrap();
//! assert_eq!(interpolants, [inputs.known(s.var()).unwrap()]);
//! ```
//!
//! Interpolants are verified in debug builds if the proof is small, and on demand by
//! [`Interpolator::verify`].

mod chain;
mod clausal;
mod cuts;
mod forward;
mod labels;
mod store;
mod verify;

pub use cuts::{CutError, Cuts};
pub use labels::{Label, Policy};
pub use verify::VerifyError;

use std::collections::BTreeMap;

use crate::aig::{Aig, Edge};
use crate::literal::{Lit, Var};
use crate::proof::{ClauseId, Origin, Trace, Trimmed};
use clausal::Clausal;
use forward::Forward;
use labels::Labels;

/// Says which edge of a graph stands for a variable.
pub trait VariableMap {
    /// The edge for a variable, which occurs on both sides of some cut.
    fn edge(&mut self, var: Var, aig: &mut Aig) -> Edge;
}

impl<F: FnMut(Var, &mut Aig) -> Edge> VariableMap for F {
    fn edge(&mut self, var: Var, aig: &mut Aig) -> Edge {
        self(var, aig)
    }
}

/// Gives each variable an input of its own when it is first asked for.
#[derive(Clone, Debug, Default)]
pub struct InputMap {
    edges: BTreeMap<Var, Edge>,
}

impl InputMap {
    /// The input of a variable, if it was asked for.
    pub fn known(&self, var: Var) -> Option<Edge> {
        self.edges.get(&var).copied()
    }

    /// The variables with their inputs.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Edge)> {
        self.edges.iter().map(|(var, edge)| (*var, *edge))
    }
}

impl VariableMap for InputMap {
    fn edge(&mut self, var: Var, aig: &mut Aig) -> Edge {
        *self.edges.entry(var).or_insert_with(|| aig.add_input())
    }
}

/// A lemma of the theory at a cut.
#[derive(Clone, Copy, Debug)]
pub struct Lemma<'a> {
    /// The lemma's number in the trace.
    pub id: ClauseId,
    /// Its literals, without those that the cut's assignment makes false.
    pub literals: &'a [Lit],
    /// For each literal, the side for which its variable counts.
    pub labels: &'a [Label],
    /// The number of the cut.
    pub cut: u32,
}

/// Gives lemmas of the theory their partial interpolants.
pub trait LemmaInterpolator {
    /// An interpolant of the negations of the literals labelled `a` or `ab` against those of the
    /// literals labelled `b` or `ab`, over what both have in common.
    fn interpolate(&mut self, lemma: &Lemma<'_>, aig: &mut Aig) -> Edge;
}

/// Why there are no interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterpolationError {
    /// The clause has no partition, or one that does not exist.
    NoPartition(ClauseId),
    /// The assumption has no partition, or one that does not exist.
    NoAssumptionPartition(Lit),
    /// The clause is a lemma of the theory, and nobody interpolates lemmas.
    Lemma(ClauseId),
    /// The hints of the clause do not refute its negation.
    BrokenDerivation(ClauseId),
}

/// Interpolants of a sequence: clauses and rests, to be conjoined cut by cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClausalSequence {
    /// For each cut, clauses over its shared variables.
    pub clauses: Vec<Vec<Vec<Lit>>>,
    /// For each cut, what the clauses do not say.
    pub rests: Vec<Edge>,
}

impl ClausalSequence {
    /// The interpolants, each the conjunction of its clauses and its rest.
    pub fn conjoin(&self, aig: &mut Aig, map: &mut dyn VariableMap) -> Vec<Edge> {
        let conjoin = |(clauses, rest): (&Vec<Vec<Lit>>, &Edge)| {
            let mut operands = vec![*rest];
            for clause in clauses {
                let mut lits = Vec::with_capacity(clause.len());
                for lit in clause {
                    lits.push(map.edge(lit.var(), aig).xor(lit.is_negated()));
                }
                operands.push(aig.or_n(lits));
            }
            aig.and_n(operands)
        };
        self.clauses.iter().zip(&self.rests).map(conjoin).collect()
    }
}

/// Makes interpolants out of one proof.
pub struct Interpolator<'a> {
    trace: &'a Trace,
    goal: ClauseId,
    /// The clauses to go through, ascending; the goal is last.
    clauses: Vec<ClauseId>,
    policy: Policy<'a>,
    assumptions: BTreeMap<Lit, u32>,
    temporary: Option<u32>,
    relabel: Option<&'a dyn Fn(ClauseId, u32) -> u32>,
    occurrences: Vec<(Var, u32)>,
    theory: Option<&'a mut dyn LemmaInterpolator>,
}

impl<'a> Interpolator<'a> {
    /// For the proof of `goal`, a conclusion of the solver.
    pub fn new(trace: &'a Trace, goal: ClauseId) -> Interpolator<'a> {
        Interpolator::trimmed(trace, &trace.trim(goal))
    }

    /// For a proof that was trimmed already, or is to be used with clauses it does not need.
    ///
    /// The list must have with each derived clause its hints, and must not be empty.
    pub fn trimmed(trace: &'a Trace, trimmed: &Trimmed) -> Interpolator<'a> {
        let goal = *trimmed.clauses.last().expect("a trimmed proof has its goal");
        Interpolator {
            trace,
            goal,
            clauses: trimmed.clauses.clone(),
            policy: Policy::McMillan,
            assumptions: BTreeMap::new(),
            temporary: None,
            relabel: None,
            occurrences: Vec::new(),
            theory: None,
        }
    }

    /// Chooses the strength of interpolants; McMillan's system if not called.
    pub fn policy(mut self, policy: Policy<'a>) -> Self {
        self.policy = policy;
        self
    }

    /// Says to which partition an assumption belongs, as if it were a clause there.
    pub fn assumption(mut self, lit: Lit, partition: u32) -> Self {
        self.assumptions.insert(lit, partition);
        self
    }

    /// Says to which partition temporary clauses belong.
    pub fn temporary(mut self, partition: u32) -> Self {
        self.temporary = Some(partition);
        self
    }

    /// Changes the partitions of clauses: `relabel` gets a clause and its label.
    pub fn relabel(mut self, relabel: &'a dyn Fn(ClauseId, u32) -> u32) -> Self {
        self.relabel = Some(relabel);
        self
    }

    /// Counts a variable as occurring in a partition, as its clauses alone do not tell.
    ///
    /// Atoms that only lemmas mention need this; otherwise they count for side B.
    pub fn occurrence(mut self, var: Var, partition: u32) -> Self {
        self.occurrences.push((var, partition));
        self
    }

    /// Interpolates lemmas of the theory.
    pub fn theory(mut self, theory: &'a mut dyn LemmaInterpolator) -> Self {
        self.theory = Some(theory);
        self
    }

    /// The interpolants of all cuts, made in `aig` over the edges that `map` gives to variables.
    pub fn cuts(
        &mut self,
        cuts: &Cuts,
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> Result<Vec<Edge>, InterpolationError> {
        let (labels, variables) = self.label(cuts, self.policy)?;
        let mut forward = Forward::new(cuts, labels, variables, aig, map);
        let last = self.replay(&mut forward)?;
        let edges: Vec<Edge> =
            (0..cuts.len()).map(|cut| forward.partial(last, cut as usize)).collect();
        debug_assert!(self.seems_right(cuts, &edges, aig, map));
        Ok(edges)
    }

    /// The interpolants between side A, the partitions of which `is_in_a` says so, and side B.
    pub fn binary(
        &mut self,
        partitions: u32,
        is_in_a: impl Fn(u32) -> bool,
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> Result<Edge, InterpolationError> {
        Ok(self.cuts(&Cuts::binary(partitions, is_in_a), aig, map)?[0])
    }

    /// The interpolants between partitions `0..=j` and the later ones, for all `j`.
    pub fn sequence(
        &mut self,
        partitions: u32,
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> Result<Vec<Edge>, InterpolationError> {
        self.cuts(&Cuts::sequence(partitions), aig, map)
    }

    /// A sequence of interpolants, as far as possible as clauses; always by McMillan's system.
    ///
    /// `colorize` restructures the proof so that more of them are.
    pub fn clausal_sequence(
        &mut self,
        partitions: u32,
        colorize: bool,
        aig: &mut Aig,
        map: &mut dyn VariableMap,
    ) -> Result<ClausalSequence, InterpolationError> {
        let cuts = Cuts::sequence(partitions);
        let (labels, variables) = self.label(&cuts, Policy::McMillan)?;
        let mut forward = Forward::new(&cuts, labels, variables, aig, map);
        forward.clausal = Some(Clausal::new(partitions, cuts.words(), colorize));
        let last = self.replay(&mut forward)?;
        let rests = (0..cuts.len()).map(|cut| forward.partial(last, cut as usize)).collect();
        let collected = forward.clausal.take().map(|clausal| clausal.clauses).unwrap_or_default();
        let clauses = collected.into_iter().map(|set| set.into_iter().collect()).collect();
        let sequence = ClausalSequence { clauses, rests };
        if cfg!(debug_assertions) {
            let edges = sequence.conjoin(aig, map);
            debug_assert!(self.seems_right(&cuts, &edges, aig, map));
        }
        Ok(sequence)
    }

    /// The variables that may occur in the interpolant of each cut.
    pub fn shared(&self, cuts: &Cuts) -> Result<Vec<Vec<Var>>, InterpolationError> {
        let (labels, variables) = self.label(cuts, self.policy)?;
        let (mut aig, mut map) = (Aig::new(), InputMap::default());
        let forward = Forward::new(cuts, labels, variables, &mut aig, &mut map);
        Ok((0..cuts.len()).map(|cut| forward.shared(cut as usize)).collect())
    }

    /// The partition of a leaf of the proof; lemmas have none.
    fn partition(&self, id: ClauseId) -> Option<u32> {
        match self.trace.origin(id) {
            Origin::Input(label) => Some(self.relabel.map_or(label, |relabel| relabel(id, label))),
            Origin::Temporary => self.temporary,
            Origin::Theory | Origin::Derived | Origin::Dropped => None,
        }
    }

    fn existing_partition(&self, id: ClauseId, cuts: &Cuts) -> Result<u32, InterpolationError> {
        let partition = self.partition(id).filter(|partition| *partition < cuts.partitions());
        partition.ok_or(InterpolationError::NoPartition(id))
    }

    fn assumption_partition(&self, lit: Lit, cuts: &Cuts) -> Result<u32, InterpolationError> {
        let partition = self.assumptions.get(&lit).copied();
        partition
            .filter(|partition| *partition < cuts.partitions())
            .ok_or(InterpolationError::NoAssumptionPartition(lit))
    }

    /// Calls `leaf` with the clauses of the formula behind the proof, assumptions included.
    fn each_leaf(
        &self,
        cuts: &Cuts,
        mut leaf: impl FnMut(&[Lit], u32),
    ) -> Result<(), InterpolationError> {
        for id in &self.clauses {
            if matches!(self.trace.origin(*id), Origin::Input(_) | Origin::Temporary) {
                leaf(self.trace.literals(*id), self.existing_partition(*id, cuts)?);
            }
        }
        for lit in self.trace.literals(self.goal) {
            leaf(&[!*lit], self.assumption_partition(!*lit, cuts)?);
        }
        Ok(())
    }

    /// The labels of variables, and how many variables there are.
    fn label(&self, cuts: &Cuts, policy: Policy<'_>) -> Result<(Labels, u32), InterpolationError> {
        let literals = self.clauses.iter().flat_map(|id| self.trace.literals(*id));
        let declared = self.occurrences.iter().map(|(var, _)| *var);
        let last = literals.map(|lit| lit.var()).chain(declared).max();
        let variables = last.map_or(0, |var| var.0 + 1);
        let mut labels = Labels::new(cuts, variables);
        self.each_leaf(cuts, |literals, partition| {
            labels.occur(literals, cuts.members.row(partition as usize));
        })?;
        for (var, partition) in &self.occurrences {
            if *partition < cuts.partitions() {
                labels.occur(&[var.positive()], cuts.members.row(*partition as usize));
            }
        }
        labels.choose(cuts, policy);
        Ok((labels, variables))
    }

    /// Goes through the proof; returns the empty clause.
    fn replay(&mut self, forward: &mut Forward<'_>) -> Result<usize, InterpolationError> {
        let mut numbers = vec![0usize; self.goal.0 as usize + 1];
        let mut hints = Vec::new();
        for index in 0..self.clauses.len() {
            let id = self.clauses[index];
            let literals = self.trace.literals(id);
            numbers[id.0 as usize] = match self.trace.origin(id) {
                Origin::Input(_) | Origin::Temporary => {
                    forward.leaf(literals, self.existing_partition(id, forward.cuts)?)
                }
                Origin::Theory => match &mut self.theory {
                    Some(theory) => forward.lemma(id, literals, *theory),
                    None => return Err(InterpolationError::Lemma(id)),
                },
                Origin::Derived => {
                    hints.clear();
                    hints.extend(self.trace.hints(id).iter().map(|hint| numbers[hint.0 as usize]));
                    let clause = forward.derive(literals, &hints);
                    clause.ok_or(InterpolationError::BrokenDerivation(id))?
                }
                Origin::Dropped => return Err(InterpolationError::BrokenDerivation(id)),
            };
        }
        let goal = numbers[self.goal.0 as usize];
        hints.clear();
        for lit in self.trace.literals(self.goal) {
            let partition = self.assumption_partition(!*lit, forward.cuts)?;
            hints.push(forward.leaf(&[!*lit], partition));
        }
        hints.push(goal);
        forward.derive(&[], &hints).ok_or(InterpolationError::BrokenDerivation(self.goal))
    }
}
