//! Refutations of formulas: clauses over terms, each justified by a rule that can be replayed.
//!
//! A proof refutes a conjunction of assertions. Its steps are clauses: disjunctions of literals,
//! where a literal is a Boolean term or the negation of one. Steps come in three kinds: an
//! assertion as it stands, a *lemma* that holds by a theory's axioms, and a clause that follows
//! from earlier ones by unit propagation along hints. The last step is the empty clause.
//!
//! All terms of a proof are in the store of the assertions. Free variables stand for unknown
//! values, the same throughout. `check/PROOFS.md` defines every rule; `check` replays them.

use alphorn_term::{Op, Rat, Store, TermId};

/// A Boolean term or its negation. The term itself is never a negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// A Boolean term that is no negation.
    pub atom: TermId,
    /// Whether the literal says that the atom is false.
    pub negated: bool,
}

impl Literal {
    /// The literal that a Boolean term stands for: a negation goes into the sign.
    pub fn of(store: &Store, term: TermId) -> Literal {
        match (store.op(term), store.args(term)) {
            (Op::Not, &[atom]) => Literal { atom, negated: true },
            _ => Literal { atom: term, negated: false },
        }
    }
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
    /// A defining property of the term `.0`: `div`, `mod`, `/`, `abs`, `to_int` or `is_int`, a conversion of words, or
    /// a quotient or remainder of words.
    Arithmetic(TermId),
    /// The product of the two terms has the sign that their signs give it.
    Product([TermId; 2]),
    /// A chain of disequalities, and the equality of its ends: equality is transitive.
    Transitivity,
    /// Disequalities of arguments, and the equality of two values: equal arguments give equal
    /// values.
    Congruence,
    /// What the term `.0`, a read from an array just written, comes to.
    Array(TermId),
    /// What the conditional `.0` comes to.
    Conditional(TermId),
    /// An axiom of datatypes: see PROOFS.md, "Datatypes".
    Datatype,
    /// Two values of codatatypes are equal that cannot be told apart by walking down both: the terms `.0`, in
    /// pairs, are a bisimulation. Without any, two terms of a sort that has one value are equal.
    Bisimulation(Vec<TermId>),
    /// The first literal is a quantifier, the second its instance with the terms `.0` for the
    /// bound variables.
    Instantiate(Vec<TermId>),
    /// Introduces the variables `.0`, which occur nowhere before: witnesses of a quantifier, or
    /// an index where two arrays differ.
    Skolem(Vec<TermId>),
    /// The first literal is true where the others are false, as the gates of their words show.
    Bits,
    /// An equation of words that always or never holds, or two that say the same, as multiplying their
    /// sides out shows.
    Ring,
    /// Some literal evaluates to true, whatever its free symbols are.
    Evaluate,
}

impl Rule {
    /// The rule's name, as messages and texts have it.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Assert(_) => "assert",
            Rule::Rup(_) => "rup",
            Rule::Tautology => "tautology",
            Rule::Farkas(_) => "farkas",
            Rule::Linear(_) => "linear",
            Rule::Branch => "branch",
            Rule::Trichotomy => "trichotomy",
            Rule::Arithmetic(_) => "arithmetic",
            Rule::Product(..) => "product",
            Rule::Transitivity => "transitivity",
            Rule::Congruence => "congruence",
            Rule::Array(_) => "array",
            Rule::Conditional(_) => "conditional",
            Rule::Datatype => "datatype",
            Rule::Bisimulation(_) => "bisimulation",
            Rule::Instantiate(_) => "instantiate",
            Rule::Skolem(_) => "skolem",
            Rule::Bits => "bits",
            Rule::Ring => "ring",
            Rule::Evaluate => "evaluate",
        }
    }
}

/// A line of a derivation of linear inequalities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinearStep {
    /// The negation of the clause's literal number `.0`.
    Hypothesis(usize),
    /// The sum of earlier lines, each multiplied; multipliers of inequalities are positive, those
    /// of equations not zero.
    Combine(Vec<(Rat, usize)>),
    /// An earlier line over the integers, divided by the greatest common divisor of its
    /// coefficients and rounded (Chvátal and Gomory).
    Round(usize),
}
