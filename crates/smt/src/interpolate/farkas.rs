//! Lemmas of linear arithmetic cut into sides.
//!
//! A lemma holds because its negated literals, multiplied and added, are contradictory; over the
//! integers sums may be rounded on the way. Each line of such a derivation is the sum of what the
//! literals of one side contribute and of what the others contribute. At the end, one side's part is
//! the interpolant: it follows from that side, and the other part, added, makes it a contradiction.
//!
//! A line is rounded as a whole. If one side alone is behind it, its part is rounded. If both are,
//! our part has to be said as it is, for the others to add theirs and round; it must not mention what
//! only we know. These parts and the last one together are the interpolant.
//!
//! Parts of a cut inside another, added to what is between them, are the parts of the other: so
//! interpolants of a tree fit together.
//!
//! After McMillan, "An interpolating theorem prover" (TCS 2005).

use alphorn_problem::evidence::proof::{LinearStep, Literal, Rule};
use alphorn_sat::Lit;
use alphorn_term::{Int, Rat, Store, TermId};

use crate::linear::Linear;
use crate::project::constraint::{Constraint, Relation as Kind};
use crate::smt::Smt;
use crate::theories::arithmetic::proof::{Comparison, Relation, kept, prove};

/// Why the negated literals of a clause are contradictory.
pub(super) struct Derivation {
    pub(super) hypotheses: Vec<Comparison>,
    lines: Vec<LinearStep>,
}

/// What the two sides contribute to a line: ours, and theirs.
struct Line {
    ours: Comparison,
    theirs: Comparison,
}

impl Derivation {
    /// The derivation for a lemma, whose literals are `lits` in the search and `clause` as terms.
    pub(super) fn of(
        smt: &Smt,
        store: &Store,
        lits: &[Lit],
        clause: &[Literal],
    ) -> Option<Derivation> {
        let hypotheses = clause
            .iter()
            .map(|literal| Comparison::of(store, !*literal).map(|found| found.tighten(store)))
            .collect::<Option<Vec<_>>>()?;
        let lines = lines_kept(smt, store, lits, clause).or_else(|| lines_found(store, clause))?;
        Some(Derivation { hypotheses, lines })
    }

    /// The multipliers of the literals, if nothing is rounded.
    pub(super) fn multipliers(&self) -> Option<Vec<Rat>> {
        let (LinearStep::Combine(sum), before) = self.lines.split_last()? else { return None };
        let mut multipliers = vec![Rat::ZERO; self.hypotheses.len()];
        for (factor, line) in sum {
            let LinearStep::Hypothesis(index) = before.get(*line)? else { return None };
            multipliers[*index] = &multipliers[*index] + factor;
        }
        Some(multipliers)
    }

    /// What our literals contribute, in terms that both sides know: comparisons that follow from
    /// them and are contradictory with the others.
    pub(super) fn contribution(
        &self,
        store: &Store,
        is_ours: &dyn Fn(usize) -> bool,
        is_shared: &mut dyn FnMut(TermId) -> bool,
    ) -> Option<Vec<Comparison>> {
        let mut lines: Vec<Line> = Vec::with_capacity(self.lines.len());
        let mut said = Vec::new();
        for line in &self.lines {
            let line = match line {
                LinearStep::Hypothesis(index) => {
                    let hypothesis = self.hypotheses[*index].clone();
                    match is_ours(*index) {
                        true => Line { ours: hypothesis, theirs: nothing() },
                        false => Line { ours: nothing(), theirs: hypothesis },
                    }
                }
                LinearStep::Combine(parts) => {
                    let (mut ours, mut theirs) = (nothing(), nothing());
                    for (factor, part) in parts {
                        add(&mut ours, &lines[*part].ours, factor);
                        add(&mut theirs, &lines[*part].theirs, factor);
                    }
                    Line { ours, theirs }
                }
                LinearStep::Round(part) => round_line(store, &lines[*part], &mut said, is_shared)?,
            };
            lines.push(line);
        }
        said.push(lines.pop()?.ours);
        let is_sayable = said.iter().all(|part| part.linear.terms.iter().all(|t| is_shared(t.0)));
        is_sayable.then_some(said)
    }
}

/// Rounds a line; what we have to say for it is added to `said`.
fn round_line(
    store: &Store,
    line: &Line,
    said: &mut Vec<Comparison>,
    is_shared: &mut dyn FnMut(TermId) -> bool,
) -> Option<Line> {
    let Line { ours, theirs } = line;
    if is_nothing(ours) {
        return Some(Line { ours: nothing(), theirs: rounded(store, theirs.clone()) });
    }
    if is_nothing(theirs) {
        return Some(Line { ours: rounded(store, ours.clone()), theirs: nothing() });
    }
    let mut whole = ours.clone();
    add(&mut whole, theirs, &Rat::ONE);
    let factor = whole.linear.primitive_factor();
    let is_whole = (&whole.linear.constant * &factor).is_integer();
    if whole.linear.is_constant() || is_whole && whole.relation != Relation::Below {
        // Nothing is rounded, the line is only scaled.
        let (mut scaled_ours, mut scaled_theirs) = (nothing(), nothing());
        add(&mut scaled_ours, ours, &factor);
        add(&mut scaled_theirs, theirs, &factor);
        return Some(Line { ours: scaled_ours, theirs: scaled_theirs });
    }
    if ours.linear.terms.iter().all(|term| is_shared(term.0)) {
        said.push(ours.clone());
        return Some(Line { ours: nothing(), theirs: rounded(store, whole) });
    }
    None
}

/// A sum without parts: `0 = 0`.
fn nothing() -> Comparison {
    Comparison { linear: Linear::default(), relation: Relation::Zero }
}

/// Whether a comparison is `0 = 0` or `0 <= 0`.
fn is_nothing(comparison: &Comparison) -> bool {
    comparison.linear.is_constant()
        && comparison.linear.constant.is_zero()
        && comparison.relation != Relation::Below
}

/// Adds a multiple, positive unless the part is an equation.
pub(super) fn add(sum: &mut Comparison, part: &Comparison, factor: &Rat) {
    if factor.is_zero() {
        return;
    }
    sum.linear.add_scaled(&part.linear, factor);
    sum.relation = match (sum.relation, part.relation) {
        (Relation::Below, _) | (_, Relation::Below) => Relation::Below,
        (Relation::AtMost, _) | (_, Relation::AtMost) => Relation::AtMost,
        (Relation::Zero, Relation::Zero) => Relation::Zero,
    };
}

/// The comparison rounded over the integers, as `check` does it.
fn rounded(store: &Store, mut comparison: Comparison) -> Comparison {
    let linear = &mut comparison.linear;
    if linear.is_constant() || !linear.is_over_integers(store) {
        return comparison;
    }
    linear.scale(&linear.primitive_factor());
    match comparison.relation {
        Relation::AtMost => linear.constant = linear.constant.ceil().into(),
        Relation::Below => {
            linear.constant = (linear.constant.floor() + Int::ONE).into();
            comparison.relation = Relation::AtMost;
        }
        Relation::Zero if linear.constant.is_integer() => {}
        Relation::Zero => {
            *linear = Linear::constant(Rat::ONE);
            comparison.relation = Relation::AtMost;
        }
    }
    comparison
}

/// The formula of a comparison, rounded over the integers.
pub(super) fn formula(store: &mut Store, comparison: &Comparison) -> TermId {
    let kind = match comparison.relation {
        Relation::Zero => Kind::Equal,
        Relation::AtMost => Kind::AtMost,
        Relation::Below => Kind::Below,
    };
    Constraint::new(comparison.linear.clone(), kind).literal(store)
}

/// The lines of a certificate that was kept with the lemma.
fn lines_kept(
    smt: &Smt,
    store: &Store,
    lits: &[Lit],
    clause: &[Literal],
) -> Option<Vec<LinearStep>> {
    let mut key = lits.to_vec();
    key.sort_unstable();
    let certificate = smt.theory().arithmetic.certificates.as_ref()?.get(&key)?;
    let place = |tag: u32| lits.iter().position(|lit| (!*lit).code() == tag);
    let is_used = |lit: &Lit| certificate.tags().any(|tag| tag == (!*lit).code());
    let implied = lits.iter().position(|lit| !is_used(lit));
    kept(store, clause, certificate, place, implied)
}

fn lines_found(store: &Store, clause: &[Literal]) -> Option<Vec<LinearStep>> {
    match prove(store, clause)? {
        Rule::Linear(lines) => Some(lines),
        Rule::Farkas(multipliers) => {
            let mut lines: Vec<LinearStep> =
                (0..multipliers.len()).map(LinearStep::Hypothesis).collect();
            let sum = multipliers.into_iter().enumerate().map(|(line, by)| (by, line)).collect();
            lines.push(LinearStep::Combine(sum));
            Some(lines)
        }
        _ => None,
    }
}
