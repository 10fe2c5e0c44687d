//! Derivations of contradictions and of implied bounds.
//!
//! A certificate starts from asserted bounds and adds them up with positive multipliers (Farkas);
//! over the integers a line may also be divided by the greatest common divisor of its coefficients
//! and rounded (Chvátal and Gomory). Lines mean what the lines of a proof step `linear` mean
//! (crates/check/PROOFS.md, "Linear arithmetic"), when forms are replaced by their definitions.
//!
//! Bounds that the integer procedures derive carry a [`Derivation`] from the bounds they were
//! derived from, which may be derived themselves. A certificate is the part of this graph that
//! the last line needs, in the order of derivation.
//!
//! Invariant: the last line of a derivation is exactly its bound's inequality, `v - b <= 0` or
//! `b - v <= 0`; derivations only use bounds that are older.

use std::collections::{BTreeMap, BTreeSet};

use alphorn_term::Rat;
use rustc_hash::FxHashMap;

use super::bound::{Bound, Fact, Reason, Tag};

/// A derivation from asserted bounds, each used once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The asserted bounds.
    pub hypotheses: Vec<Hypothesis>,
    /// The derivation; the last line is the contradiction or the implied bound.
    pub lines: Vec<Line>,
}

/// An asserted bound, and what the caller asserted it for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    /// The bound: `v - b <= 0` or `b - v <= 0`, strict if its epsilon is not zero.
    pub bound: Bound,
    /// The tag it was asserted with.
    pub tag: Tag,
}

/// A line of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The hypothesis at this position.
    Hypothesis(usize),
    /// The sum of earlier lines, with positive multipliers.
    Combine(Vec<(Rat, usize)>),
    /// An earlier line over the integers, divided by the greatest common divisor of its
    /// coefficients and rounded.
    Round(usize),
}

impl Certificate {
    /// A multiplier for each hypothesis, such that the last line is their sum; `None` if
    /// something was rounded.
    pub fn farkas(&self) -> Option<Vec<Rat>> {
        let mut weights = vec![Rat::ZERO; self.lines.len()];
        let mut multipliers = vec![Rat::ZERO; self.hypotheses.len()];
        *weights.last_mut()? = Rat::ONE;
        for (position, line) in self.lines.iter().enumerate().rev() {
            let weight = std::mem::take(&mut weights[position]);
            if weight.is_zero() {
                continue;
            }
            match line {
                Line::Hypothesis(hypothesis) => multipliers[*hypothesis] += weight,
                Line::Combine(parts) => {
                    for (multiplier, part) in parts {
                        weights[*part].mul_add_assign(multiplier, &weight);
                    }
                }
                Line::Round(_) => return None,
            }
        }
        Some(multipliers)
    }

    /// The tags of the hypotheses.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.hypotheses.iter().map(|hypothesis| hypothesis.tag)
    }
}

/// How a bound follows from older ones: lines whose hypotheses are positions in `premises`.
#[derive(Clone, Debug, Default)]
pub(super) struct Derivation {
    pub(super) premises: Vec<Fact>,
    pub(super) lines: Vec<Line>,
    /// The length of the longest chain of derivations this one is the end of.
    pub(super) depth: u32,
}

impl Derivation {
    /// Adds a line and returns its position.
    pub(super) fn line(&mut self, line: Line) -> usize {
        self.lines.push(line);
        self.lines.len() - 1
    }

    /// Adds the sum of facts with positive multipliers, and the facts as premises.
    pub(super) fn sum(&mut self, parts: impl IntoIterator<Item = (Rat, Fact)>) -> usize {
        let mut combined = Vec::new();
        for (multiplier, fact) in parts {
            combined.push((multiplier, self.premise(fact)));
        }
        self.line(Line::Combine(combined))
    }

    /// Adds a fact that is not among the premises yet, and returns its line.
    pub(super) fn premise(&mut self, fact: Fact) -> usize {
        self.premises.push(fact);
        self.line(Line::Hypothesis(self.premises.len() - 1))
    }

    /// The certificate over asserted bounds, given the derivations of those that are not.
    pub(super) fn certify(self, derivations: &[Derivation]) -> Certificate {
        let is_plain =
            self.premises.iter().all(|premise| matches!(premise.reason, Reason::Asserted(_)));
        if is_plain {
            let hypotheses = self.premises.into_iter().filter_map(|premise| match premise.reason {
                Reason::Asserted(tag) => Some(Hypothesis { bound: premise.bound, tag }),
                Reason::Derived(_) => None,
            });
            return Certificate { hypotheses: hypotheses.collect(), lines: self.lines };
        }
        let mut expansion = Expansion::default();
        for derived in needed(&self, derivations) {
            let line = expansion.expand(&derivations[derived as usize]);
            expansion.derived.insert(derived, line);
        }
        expansion.expand(&self);
        expansion.certificate
    }
}

/// Collects the tags of the bounds from which a derived one follows.
pub(super) fn tags_of(derived: u32, derivations: &[Derivation], out: &mut Vec<Tag>) {
    let root = &derivations[derived as usize];
    let older = needed(root, derivations);
    let all = std::iter::once(root).chain(older.iter().map(|older| &derivations[*older as usize]));
    for premise in all.flat_map(|derivation| &derivation.premises) {
        if let Reason::Asserted(tag) = premise.reason {
            out.push(tag);
        }
    }
}

/// The derivations that one uses, directly or not, oldest first.
fn needed(root: &Derivation, derivations: &[Derivation]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<&Derivation> = vec![root];
    while let Some(derivation) = pending.pop() {
        for premise in &derivation.premises {
            if let Reason::Derived(derived) = premise.reason
                && found.insert(derived)
            {
                pending.push(&derivations[derived as usize]);
            }
        }
    }
    found
}

/// A certificate under construction.
struct Expansion {
    certificate: Certificate,
    /// The lines of asserted bounds.
    asserted: FxHashMap<Fact, usize>,
    /// The last lines of derivations.
    derived: BTreeMap<u32, usize>,
}

impl Default for Expansion {
    fn default() -> Expansion {
        Expansion {
            certificate: Certificate { hypotheses: Vec::new(), lines: Vec::new() },
            asserted: FxHashMap::default(),
            derived: BTreeMap::new(),
        }
    }
}

impl Expansion {
    /// Adds the lines of a derivation, whose premises are there already, and returns the last.
    fn expand(&mut self, derivation: &Derivation) -> usize {
        let mut places: Vec<usize> = Vec::with_capacity(derivation.lines.len());
        for line in &derivation.lines {
            let place = match line {
                Line::Hypothesis(position) => self.premise(&derivation.premises[*position]),
                Line::Combine(parts) => self.push(Line::Combine(
                    parts.iter().map(|(by, part)| (by.clone(), places[*part])).collect(),
                )),
                Line::Round(part) => self.push(Line::Round(places[*part])),
            };
            places.push(place);
        }
        *places.last().expect("a derivation has lines")
    }

    fn premise(&mut self, fact: &Fact) -> usize {
        let tag = match fact.reason {
            Reason::Derived(derived) => return self.derived[&derived],
            Reason::Asserted(tag) => tag,
        };
        if let Some(&line) = self.asserted.get(fact) {
            return line;
        }
        self.certificate.hypotheses.push(Hypothesis { bound: fact.bound.clone(), tag });
        let line = self.push(Line::Hypothesis(self.certificate.hypotheses.len() - 1));
        self.asserted.insert(fact.clone(), line);
        line
    }

    fn push(&mut self, line: Line) -> usize {
        self.certificate.lines.push(line);
        self.certificate.lines.len() - 1
    }
}
