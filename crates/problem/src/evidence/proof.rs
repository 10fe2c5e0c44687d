//! Refutations of formulas: clauses over terms, each justified by a rule that can be replayed.
//!
//! A proof refutes a conjunction of assertions. Its steps are clauses: disjunctions of literals,
//! where a literal is a Boolean term or the negation of one. Steps come in three kinds: an
//! assertion as it stands, a *lemma* that holds by a theory's axioms, and a clause that follows
//! from earlier ones by unit propagation along hints. The last step is the empty clause.
//!
//! `check/PROOFS.md` defines every rule; `check` replays them.

use alphorn_term::{Rat, TermId};

/// A Boolean term or its negation. The term itself is never a negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The atom.
    pub atom: TermId,
    /// Whether it is negated.
    pub negated: bool,
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal { negated: !self.negated, ..self }
    }
}

/// A step of a proof, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);

/// A refutation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The steps; hints point to smaller positions.
    pub steps: Vec<ProofStep>,
}

/// A clause with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// The clause; empty for false.
    pub clause: Vec<Literal>,
    /// Why it holds.
    pub rule: Rule,
}

/// The reasons a clause may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Assertion number `.0`, as a clause with one literal.
    Assert(usize),
    /// Follows from earlier clauses: with all its literals false, the hints in order each become
    /// unit, and the last one false.
    Rup(Vec<StepId>),
    /// A Boolean connective's definition: see PROOFS.md, "Connectives".
    Tautology,
    /// The literals' negations, multiplied and added, give a contradiction of linear arithmetic:
    /// one multiplier per literal.
    Farkas(Vec<Rat>),
    /// A derivation of linear inequalities from the literals' negations, with rounding over the
    /// integers, that ends in a contradiction.
    Linear(Vec<LinearStep>),
    /// `t <= k` or `t >= k + 1`, for an integer term.
    Branch,
    /// `a = b` or `a < b` or `b < a`, over numbers.
    Trichotomy,
    /// The defining properties of `div`, `mod`, `abs`, `to_int`, `is_int` and `to_real`.
    Arithmetic,
    /// Equality is reflexive, symmetric and transitive: a chain of disequalities and one equality.
    Transitivity,
    /// Equal arguments give equal values.
    Congruence,
    /// An axiom of arrays: see PROOFS.md, "Arrays".
    Array,
    /// A conditional equals one of its branches.
    Conditional,
    /// An axiom of datatypes: see PROOFS.md, "Datatypes".
    Datatype,
    /// A ground literal (or a clause of them) that evaluates to true.
    Evaluate,
}

/// A line of a derivation of linear inequalities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinearStep {
    /// The negation of the clause's literal number `.0`.
    Hypothesis(usize),
    /// The sum of earlier lines, each multiplied; multipliers of inequalities are positive.
    Combine(Vec<(Rat, usize)>),
    /// An earlier line over the integers, divided by the greatest common divisor of its
    /// coefficients and rounded (Chvátal and Gomory).
    Round(usize),
}
