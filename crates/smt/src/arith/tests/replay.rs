//! A checker of certificates: polynomials, sums, rounding, written from PROOFS.md.

use std::collections::BTreeMap;

use alphorn_term::{Int, Rat};

use super::super::{Arith, Bound, Certificate, Line, Side};
use super::Traced;

/// `Σ terms + constant <= 0`, or `<` if strict.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Inequality {
    pub(super) terms: BTreeMap<u32, Rat>,
    pub(super) constant: Rat,
    pub(super) is_strict: bool,
}

impl Inequality {
    fn add(&mut self, other: &Inequality, by: &Rat) {
        for (var, coefficient) in &other.terms {
            let sum = self.terms.remove(var).unwrap_or_default() + coefficient * by;
            if !sum.is_zero() {
                self.terms.insert(*var, sum);
            }
        }
        self.constant = &self.constant + &other.constant * by;
        self.is_strict |= other.is_strict;
    }

    /// The inequality of a bound over unknowns.
    pub(super) fn of(arith: &Arith, bound: &Bound) -> Inequality {
        let sign = if bound.side == Side::Upper { Rat::ONE } else { Rat::MINUS_ONE };
        let mut inequality = Inequality {
            constant: -(&sign * &bound.value.value),
            is_strict: !bound.value.epsilon.is_zero(),
            ..Inequality::default()
        };
        match arith.definition(bound.var) {
            None => {
                inequality.terms.insert(bound.var.0, sign);
            }
            Some(definition) => {
                for (var, coefficient) in definition {
                    inequality.terms.insert(var.0, &sign * coefficient);
                }
            }
        }
        inequality
    }

    fn rounded(&self, arith: &Arith) -> Inequality {
        assert!(!self.terms.is_empty(), "rounding needs unknowns");
        let mut numerators = Int::ZERO;
        let mut denominators = Int::ONE;
        for (var, coefficient) in &self.terms {
            assert!(arith.is_int(super::Var(*var)), "rounding is for integers");
            denominators = denominators.lcm(&coefficient.denominator());
        }
        for coefficient in self.terms.values() {
            let scaled = coefficient * Rat::from(&denominators);
            numerators = numerators.gcd(&scaled.to_int().unwrap());
        }
        let by = Rat::new(denominators, numerators).unwrap();
        let mut scaled = Inequality::default();
        scaled.add(self, &by);
        let constant = if self.is_strict {
            scaled.constant.floor() + Int::ONE
        } else {
            scaled.constant.ceil()
        };
        Inequality { constant: constant.into(), is_strict: false, ..scaled }
    }

    pub(super) fn is_contradiction(&self) -> bool {
        let is_false = self.constant.is_positive() || (self.is_strict && self.constant.is_zero());
        self.terms.is_empty() && is_false
    }

    /// Whether every solution of `self` is one of `other`, which has the same left side.
    pub(super) fn is_at_least(&self, other: &Inequality) -> bool {
        self.terms == other.terms
            && (self.constant > other.constant
                || (self.constant == other.constant && (self.is_strict || !other.is_strict)))
    }
}

/// The last line of a certificate from bounds that are in force.
pub(super) fn replay(traced: &Traced, certificate: &Certificate) -> Inequality {
    let arith = &traced.arith;
    for (position, hypothesis) in certificate.hypotheses.iter().enumerate() {
        let fact = (hypothesis.bound.clone(), hypothesis.tag);
        assert!(traced.asserted.contains(&fact), "{fact:?} was asserted");
        let is_repeated = certificate.hypotheses[..position].contains(hypothesis);
        assert!(!is_repeated, "hypotheses occur once");
    }
    let mut lines: Vec<Inequality> = Vec::new();
    for line in &certificate.lines {
        lines.push(match line {
            Line::Hypothesis(position) => {
                Inequality::of(arith, &certificate.hypotheses[*position].bound)
            }
            Line::Combine(parts) => {
                let mut sum = Inequality::default();
                for (by, part) in parts {
                    assert!(by.is_positive(), "multipliers are positive");
                    sum.add(&lines[*part], by);
                }
                sum
            }
            Line::Round(part) => lines[*part].rounded(arith),
        });
    }
    if let Some(multipliers) = certificate.farkas() {
        let mut sum = Inequality::default();
        for (by, hypothesis) in multipliers.iter().zip(&certificate.hypotheses) {
            assert!(by.is_positive(), "all hypotheses are used");
            sum.add(&Inequality::of(arith, &hypothesis.bound), by);
        }
        assert_eq!(Some(&sum), lines.last());
    }
    lines.pop().unwrap_or_default()
}

/// Checks a conflict.
pub(super) fn assert_conflict(traced: &Traced, certificate: &Certificate) {
    let last = replay(traced, certificate);
    assert!(last.is_contradiction(), "{certificate:?} ends in {last:?}");
}
