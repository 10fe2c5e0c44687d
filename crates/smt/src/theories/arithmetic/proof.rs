//! Lemmas of linear arithmetic as steps.
//!
//! A lemma's literals are read as `check` reads them: each negation is a comparison of a polynomial
//! with zero. The certificate that `arith` gave, or gives again when asked about these comparisons
//! alone, is about bounds on primitive forms; its lines become lines about the literals, with a
//! rounding first where a bound was rounded, and multipliers scaled where a form was.

use alphorn_problem::evidence::proof::{LinearStep, Literal, Rule, StepId};
use alphorn_term::{Op, Rat, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use crate::arith::Var as Form;
use crate::arith::{Arith, Bound, Certificate, Delta, Effort, Feasible, Integers, Line, Side};
use crate::linear::Linear;
use crate::theories::atoms::at_most;
use crate::theories::proof::Writer;

/// How a polynomial compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// It is zero.
    Zero,
    /// It is at most zero.
    AtMost,
    /// It is below zero.
    Below,
}

/// A comparison of a polynomial with zero.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) linear: Linear,
    pub(crate) relation: Relation,
}

impl Comparison {
    /// What a literal says, if it compares numbers and is no disequality.
    pub(crate) fn of(store: &Store, literal: Literal) -> Option<Comparison> {
        let args = store.args(literal.atom);
        let (left, right) = (*args.first()?, *args.get(1)?);
        if !store.sort(left).is_arithmetic() {
            return None;
        }
        let (relation, is_swapped) = match (store.op(literal.atom), literal.negated) {
            (Op::Le, false) => (Relation::AtMost, false),
            (Op::Le, true) => (Relation::Below, true),
            (Op::Lt, false) => (Relation::Below, false),
            (Op::Lt, true) => (Relation::AtMost, true),
            (Op::Eq, false) => (Relation::Zero, false),
            _ => return None,
        };
        let (left, right) = if is_swapped { (right, left) } else { (left, right) };
        Some(Comparison { linear: Linear::difference(store, left, right), relation })
    }

    /// The comparison tightened over the integers, as `check` does it: below becomes at most.
    pub(crate) fn tighten(mut self, store: &Store) -> Comparison {
        let is_integral = self.linear.constant.is_integer()
            && self.linear.terms.iter().all(|(_, value)| value.is_integer())
            && self.linear.is_over_integers(store);
        if self.relation == Relation::Below && is_integral {
            self.linear.constant = &self.linear.constant + &Rat::ONE;
            self.relation = Relation::AtMost;
        }
        self
    }
}

/// Lines of a derivation in the making.
#[derive(Default)]
struct Lines {
    lines: Vec<LinearStep>,
    /// The lines of hypotheses, and of hypotheses rounded.
    hypotheses: FxHashMap<(usize, bool), usize>,
}

impl Lines {
    fn push(&mut self, line: LinearStep) -> usize {
        self.lines.push(line);
        self.lines.len() - 1
    }

    fn hypothesis(&mut self, index: usize, is_rounded: bool) -> usize {
        if let Some(line) = self.hypotheses.get(&(index, is_rounded)) {
            return *line;
        }
        let line = if is_rounded {
            let plain = self.hypothesis(index, false);
            self.push(LinearStep::Round(plain))
        } else {
            self.push(LinearStep::Hypothesis(index))
        };
        self.hypotheses.insert((index, is_rounded), line);
        line
    }
}

/// A small arithmetic of its own, about the negated literals of one clause.
struct Bench<'a> {
    store: &'a Store,
    arith: Arith,
    unknowns: FxHashMap<TermId, Form>,
    comparisons: Vec<Comparison>,
}

impl<'a> Bench<'a> {
    fn new(store: &'a Store, clause: &[Literal]) -> Option<Bench<'a>> {
        let comparisons = clause
            .iter()
            .map(|literal| Comparison::of(store, !*literal).map(|found| found.tighten(store)))
            .collect::<Option<Vec<_>>>()?;
        Some(Bench { store, arith: Arith::new(), unknowns: FxHashMap::default(), comparisons })
    }

    /// The form of a polynomial, and what the polynomial is multiplied with to be the form and a
    /// number; the number.
    fn form(&mut self, linear: &Linear) -> (Form, Rat, Rat) {
        let mut terms = Vec::new();
        for (atom, factor) in &linear.terms {
            let Bench { unknowns, arith, store, .. } = self;
            let is_int = store.sort(*atom) == SortId::INT;
            let form = *unknowns.entry(*atom).or_insert_with(|| arith.new_var(is_int));
            terms.push((form, factor.clone()));
        }
        terms.sort_unstable_by_key(|(form, _)| *form);
        let factor = crate::theories::agreement::normalizing_factor(&terms);
        terms.iter_mut().for_each(|(_, value)| *value = &*value * &factor);
        (self.arith.form(&terms), factor.clone(), &linear.constant * &factor)
    }

    /// The bounds that a comparison states.
    fn bounds(&mut self, index: usize) -> Vec<Bound> {
        let Comparison { linear, relation } = self.comparisons[index].clone();
        let (form, factor, constant) = self.form(&linear);
        let is_int = self.arith.is_int(form);
        let number = -constant;
        let is_strict = relation == Relation::Below;
        let upper =
            || Bound { var: form, side: Side::Upper, value: at_most(&number, is_strict, is_int) };
        let lower = || {
            let opposite = at_most(&-number.clone(), is_strict, is_int);
            let value = Delta { value: -opposite.value, epsilon: -opposite.epsilon };
            Bound { var: form, side: Side::Lower, value }
        };
        match (relation, factor.is_negative()) {
            (Relation::Zero, _) => vec![upper(), lower()],
            (_, false) => vec![upper()],
            (_, true) => vec![lower()],
        }
    }

    /// A certificate that the comparisons contradict each other.
    fn certificate(&mut self) -> Option<Certificate> {
        for index in 0..self.comparisons.len() {
            for bound in self.bounds(index) {
                if let Err(certificate) = self.arith.assert(bound, index as u32) {
                    return Some(certificate);
                }
            }
        }
        match self.arith.check() {
            Err(certificate) => return Some(certificate),
            Ok(Feasible::GaveUp) => return None,
            Ok(Feasible::Yes) => {}
        }
        match self.arith.check_integers(Effort::Full) {
            Integers::Conflict(certificate) => Some(certificate),
            _ => None,
        }
    }

    /// The line of a bound that comes from a comparison, and what the line is multiplied with to be
    /// the bound.
    fn line_of(&self, lines: &mut Lines, index: usize, side: Side) -> (Rat, usize) {
        let Comparison { linear, relation } = &self.comparisons[index];
        let factor = linear.primitive_factor();
        let is_rounded = linear.is_over_integers(self.store)
            && *relation != Relation::Zero
            && (!(&linear.constant * &factor).is_integer() || *relation == Relation::Below);
        let scale = if is_rounded { Rat::ONE } else { factor };
        // An equation serves both sides: as it stands it is the upper bound of its polynomial.
        // The form's sign is that of its first unknown, which need not be the polynomial's.
        let first = linear.terms.iter().min_by_key(|(atom, _)| self.unknowns.get(atom).copied());
        let is_negative = first.is_some_and(|(_, first)| first.is_negative());
        let is_turned = *relation == Relation::Zero && (is_negative != (side == Side::Lower));
        (if is_turned { -scale } else { scale }, lines.hypothesis(index, is_rounded))
    }

    /// The lines of a certificate whose tags are positions in the clause.
    fn translate(
        &self,
        certificate: &Certificate,
        place: impl Fn(u32) -> Option<usize>,
    ) -> Option<Lines> {
        let mut lines = Lines::default();
        let mut places: Vec<(Rat, usize)> = Vec::new();
        for line in &certificate.lines {
            let entry = match line {
                Line::Hypothesis(number) => {
                    let used = &certificate.hypotheses[*number];
                    self.line_of(&mut lines, place(used.tag)?, used.bound.side)
                }
                Line::Combine(parts) => {
                    let mut sum: Vec<(Rat, usize)> = Vec::new();
                    for (factor, part) in parts {
                        let (scale, line) = &places[*part];
                        let factor = factor * scale;
                        match sum.iter_mut().find(|(_, other)| other == line) {
                            Some((total, _)) => *total = &*total + &factor,
                            None => sum.push((factor, *line)),
                        }
                    }
                    sum.retain(|(factor, _)| !factor.is_zero());
                    (Rat::ONE, lines.push(LinearStep::Combine(sum)))
                }
                Line::Round(part) => {
                    let line = places[*part].1;
                    (Rat::ONE, lines.push(LinearStep::Round(line)))
                }
            };
            places.push(entry);
        }
        Some(lines)
    }
}

/// A step for a clause that holds by linear arithmetic, if it does.
pub(crate) fn linear(writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId> {
    let rule = prove(writer.store, clause)?;
    Some(writer.push(clause.to_vec(), rule))
}

/// A step for a lemma whose certificate was kept; `target` is the position of what it implies.
pub(crate) fn linear_kept(
    writer: &mut Writer<'_>,
    clause: &[Literal],
    certificate: &Certificate,
    place: impl Fn(u32) -> Option<usize>,
    implied: Option<usize>,
) -> Option<StepId> {
    let lines = kept(writer.store, clause, certificate, place, implied)?;
    Some(writer.push(clause.to_vec(), Rule::Linear(lines)))
}

/// The lines by which a clause holds whose certificate was kept.
pub(crate) fn kept(
    store: &Store,
    clause: &[Literal],
    certificate: &Certificate,
    place: impl Fn(u32) -> Option<usize>,
    implied: Option<usize>,
) -> Option<Vec<LinearStep>> {
    let bench = Bench::new(store, clause)?;
    let mut lines = bench.translate(certificate, place)?;
    if let Some(index) = implied {
        // The last line is the bound that was implied, or a stronger one on a multiple.
        let last = lines.lines.len().checked_sub(1)?;
        let line = lines.hypothesis(index, false);
        let rounded = lines.hypothesis(index, true);
        let primitive = lines.push(LinearStep::Round(last));
        let is_int = bench.comparisons[index].linear.is_over_integers(store);
        let (left, right) = if is_int { (primitive, rounded) } else { (last, line) };
        let scale = match is_int {
            true => Rat::ONE,
            false => bench.comparisons[index].linear.primitive_factor(),
        };
        lines.push(LinearStep::Combine(vec![(Rat::ONE, left), (scale, right)]));
    }
    Some(lines.lines)
}

/// The rule by which a clause holds in linear arithmetic, if it does.
pub(crate) fn prove(store: &Store, clause: &[Literal]) -> Option<Rule> {
    let mut bench = Bench::new(store, clause)?;
    // A comparison without unknowns needs no form.
    for (index, Comparison { linear, relation }) in bench.comparisons.iter().enumerate() {
        if linear.is_constant() {
            let constant = &linear.constant;
            let is_false = match relation {
                Relation::Zero => !constant.is_zero(),
                Relation::AtMost => constant.is_positive(),
                Relation::Below => !constant.is_negative(),
            };
            if is_false {
                return Some(Rule::Linear(vec![LinearStep::Hypothesis(index)]));
            }
            return None;
        }
        let is_fractional = !(&linear.constant * &linear.primitive_factor()).is_integer();
        if *relation == Relation::Zero && is_fractional && linear.is_over_integers(store) {
            let lines = vec![LinearStep::Hypothesis(index), LinearStep::Round(0)];
            return Some(Rule::Linear(lines));
        }
    }
    let certificate = bench.certificate()?;
    let lines = bench.translate(&certificate, |tag| Some(tag as usize))?;
    Some(farkas(clause.len(), &lines).unwrap_or(Rule::Linear(lines.lines)))
}

/// Multipliers alone, where nothing is rounded and every literal is used.
fn farkas(count: usize, lines: &Lines) -> Option<Rule> {
    let (LinearStep::Combine(sum), hypotheses) = lines.lines.split_last()? else { return None };
    let mut multipliers = vec![Rat::ZERO; count];
    for (factor, line) in sum {
        let LinearStep::Hypothesis(index) = hypotheses.get(*line)? else { return None };
        multipliers[*index] = factor.clone();
    }
    multipliers.iter().all(|factor| !factor.is_zero()).then_some(Rule::Farkas(multipliers))
}
