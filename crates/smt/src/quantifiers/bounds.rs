//! Terms in place of the values that violate a body.
//!
//! A value of a model stands for one case, and a term that says why the value violates the body for
//! many: the bound that a number is at, what a word is where an equation or a comparison is undone.
//! Literals that are true in the model and imply that the body is violated say which terms there are.
//! Numbers get a bound, words a term that leaves all literals true; truth values keep their values, as does
//! whatever no literal says anything about.
//!
//! Terms that make the literals true may still be wrong about one another, so whoever asks evaluates
//! what comes out.
//!
//! After Reynolds, King, Kuncak, Solving quantified linear arithmetic by counterexample-guided
//! instantiation (FMSD 2017), and for words Niemetz, Preiner, Reynolds, Barrett, Tinelli, Solving
//! quantified bit-vectors using invertibility conditions (CAV 2018), of which those without conditions.

use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Int, Model, Op, Rat, SortId, Store, Substitution, TermId, Value};

use crate::linear::Linear;
use crate::project::{Mentions, Valuation, implicant, word_ends, word_terms};
use crate::theories::arithmetic::proof::{Comparison, Relation};

/// The value of a bound, and what it is.
type Limit = (Rat, Linear);

/// Looks for terms that violate a formula as values do.
pub(super) struct Bounds<'a> {
    store: &'a mut Store,
    probes: &'a [TermId],
    /// What is true where the formula is violated, of the model; probes that have terms are replaced.
    literals: Vec<TermId>,
    values: Valuation,
    /// Which probes have terms, over symbols and those that come later.
    chosen: Vec<(TermId, TermId)>,
}

/// How good a term is: whether it mentions other probes, and whether in a way that hides them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Closed,
    Open,
    Hidden,
}

impl<'a> Bounds<'a> {
    /// For the probes of a formula that is true in a model.
    pub(super) fn new(
        store: &'a mut Store,
        violated: TermId,
        probes: &'a [TermId],
        violation: &Model,
    ) -> Bounds<'a> {
        let mut values = Valuation::new(violation);
        let mut literals = implicant(store, &[violated], violation).unwrap_or_default();
        for literal in &mut literals {
            *literal = directed(store, *literal, &mut values);
        }
        Bounds { store, probes, literals, values, chosen: Vec::new() }
    }

    /// A term for each probe, given those that have one.
    pub(super) fn terms(mut self, given: &Substitution) -> Vec<TermId> {
        self.literals = self.store.substitute_all(&self.literals, given);
        let is_open = |probe: &TermId| !given.contains_key(probe);
        let mut open: Vec<TermId> = self.probes.iter().copied().filter(is_open).collect();
        while !open.is_empty() {
            let place = self.choose(&open);
            let (probe, term) = match place {
                Some((place, term)) => (open.remove(place), term),
                None => {
                    let probe = open.remove(0);
                    (probe, self.plain(probe))
                }
            };
            let map = Substitution::from_iter([(probe, term)]);
            self.literals = self.store.substitute_all(&self.literals, &map);
            self.literals.retain(|literal| *literal != TermId::TRUE);
            self.chosen.push((probe, term));
        }
        let mut terms = given.clone();
        for (probe, term) in self.chosen.iter().rev() {
            let term = self.store.substitute(*term, &terms);
            terms.insert(*probe, term);
        }
        self.probes.iter().map(|probe| terms[probe]).collect()
    }

    /// The probe, by its place, that has the best term, and that.
    fn choose(&mut self, open: &[TermId]) -> Option<(usize, TermId)> {
        let mut best: Option<(Worth, usize, TermId)> = None;
        let comparisons: Vec<Comparison> = self
            .literals
            .iter()
            .filter_map(|term| Comparison::of(self.store, Literal::of(self.store, *term)))
            .map(|found| found.tighten(self.store))
            .collect();
        for (place, &probe) in open.iter().enumerate() {
            let found = match self.store.width_of(self.store.sort(probe)) {
                Some(_) => self.word(probe, open),
                None if self.store.sort(probe).is_arithmetic() => {
                    self.bound(probe, open, &comparisons)
                }
                None => None,
            };
            if let Some((worth, term)) = found
                && best.is_none_or(|(least, ..)| worth < least)
            {
                best = Some((worth, place, term));
                if worth == Worth::Closed {
                    break;
                }
            }
        }
        best.map(|(_, place, term)| (place, term))
    }

    /// A term for a word that leaves the literals true.
    fn word(&mut self, probe: TermId, open: &[TermId]) -> Option<(Worth, TermId)> {
        let literals = self.touched(probe);
        let mut mentions = Mentions::new(open);
        let terms = word_terms(self.store, &literals, probe, &mut self.values);
        let mut best: Option<TermId> = None;
        for term in terms {
            let is_closed = !mentions.any(self.store, term);
            if self.store.is_literal(term)
                || best.is_some() && !is_closed
                || !fits(self.store, &literals, (probe, term), &mut self.values)
            {
                continue;
            }
            if is_closed {
                return Some((Worth::Closed, term));
            }
            best = Some(term);
        }
        best.map(|term| (Worth::Open, term))
    }

    /// A value: the end of a word's range if that leaves the literals true, as other values would come one by
    /// one; else the model's.
    fn plain(&mut self, probe: TermId) -> TermId {
        if self.store.width_of(self.store.sort(probe)).is_some() {
            let literals = self.touched(probe);
            for end in word_ends(self.store, probe) {
                if fits(self.store, &literals, (probe, end), &mut self.values) {
                    return end;
                }
            }
        }
        let value = self.values.value(self.store, probe);
        value.and_then(|value| self.store.value_term(&value)).unwrap_or(probe)
    }

    /// The literals that mention a probe.
    fn touched(&mut self, probe: TermId) -> Vec<TermId> {
        let mut mentions = Mentions::new(&[probe]);
        let literals = self.literals.iter().copied();
        literals.filter(|literal| mentions.any(self.store, *literal)).collect()
    }

    /// The nearest integer that is at least, or at most, a bound; beyond it if the bound is strict.
    fn rounded(&mut self, mut bound: Linear, is_up: bool, is_strict: bool) -> Linear {
        if !bound.is_over_integers(self.store) {
            return self.integer_part(bound, is_up, is_strict);
        }
        if is_whole(&bound) {
            return bound;
        }
        let mut divisor = bound.constant.denominator();
        for (_, value) in &bound.terms {
            divisor = divisor.lcm(&value.denominator());
        }
        // ⌈n / d⌉ is -⌊-n / d⌋.
        let sign = if is_up { -Rat::ONE } else { Rat::ONE };
        bound.scale(&(&sign * &Rat::from(divisor.clone())));
        let number = bound.to_term(self.store, SortId::INT);
        let divisor = self.store.int(divisor);
        let mut rounded = Linear::atom(self.store.mk(Op::IntDiv, &[number, divisor]));
        rounded.scale(&sign);
        rounded
    }

    /// `rounded` for a bound that is a real number.
    fn integer_part(&mut self, mut bound: Linear, is_up: bool, is_strict: bool) -> Linear {
        // The least integer above t is ⌊t⌋ + 1, and the least that is not below it -⌊-t⌋; downwards, with signs turned.
        let is_turned = is_up != is_strict;
        let sign = if is_turned { Rat::MINUS_ONE } else { Rat::ONE };
        bound.scale(&sign);
        let number = bound.to_term(self.store, SortId::REAL);
        let part = self.store.mk(Op::ToInt, &[number]);
        let mut rounded = Linear::of(self.store, part);
        rounded.scale(&sign);
        if is_strict {
            rounded.constant = &rounded.constant + &Rat::from(if is_up { 1 } else { -1 });
        }
        rounded
    }

    /// A term between the bounds of a probe.
    fn bound(
        &mut self,
        probe: TermId,
        open: &[TermId],
        comparisons: &[Comparison],
    ) -> Option<(Worth, TermId)> {
        let sort = self.store.sort(probe);
        let (mut lower, mut upper): (Option<Limit>, Option<Limit>) = (None, None);
        let mut mentions = Mentions::new(open);
        for comparison in comparisons {
            let factor = comparison.linear.coefficient(probe);
            let Some(inverse) = factor.recip() else { continue };
            // factor * probe + rest is zero at the bound.
            let mut rest = comparison.linear.clone();
            rest.terms.retain(|(atom, _)| *atom != probe);
            rest.scale(&-inverse);
            let mut own = Mentions::new(&[probe]);
            if rest.terms.iter().any(|(atom, _)| own.any(self.store, *atom)) {
                continue;
            }
            if sort == SortId::INT {
                // Integers are compared with integers by tightened bounds.
                let is_strict = comparison.relation == Relation::Below;
                rest = self.rounded(rest, factor.is_negative(), is_strict);
            }
            let Some(value) = self.values.linear(self.store, &rest) else { continue };
            let is_equation = comparison.relation == Relation::Zero;
            if (factor.is_negative() || is_equation)
                && lower.as_ref().is_none_or(|(best, _)| value > *best)
            {
                lower = Some((value.clone(), rest.clone()));
            }
            if (factor.is_positive() || is_equation)
                && upper.as_ref().is_none_or(|(best, _)| value < *best)
            {
                upper = Some((value, rest));
            }
        }
        let is_upper = lower.is_none();
        let bound = between(lower, upper, sort)?;
        let is_hidden = |(atom, _): &(TermId, Rat)| {
            mentions.any(self.store, *atom) && !mentions.is_variable(*atom)
        };
        let worth = match bound.terms.iter().any(is_hidden) {
            true => Worth::Hidden,
            false if bound.terms.iter().any(|(atom, _)| mentions.any(self.store, *atom)) => {
                Worth::Open
            }
            false => Worth::Closed,
        };
        let term = bound.to_term(self.store, sort);
        Some((worth, self.in_step(probe, term, is_upper)))
    }

    /// The integer nearest to a bound that has the remainder of the model's value, by what quotients and
    /// remainders of the probe repeat after.
    fn in_step(&mut self, probe: TermId, bound: TermId, is_upper: bool) -> TermId {
        let mut period = Int::from(1);
        let mut mentions = Mentions::new(&[probe]);
        for term in self.store.subterms(&self.literals) {
            if let (Op::Mod | Op::IntDiv, &[number, divisor]) =
                (self.store.op(term), self.store.args(term))
                && let Some(divisor) = self.store.int_value(divisor)
                && !divisor.is_zero()
                && mentions.any(self.store, number)
            {
                period = period.lcm(&divisor.abs());
            }
        }
        let value = self.values.value(self.store, probe);
        let (false, Some(Value::Int(value))) = (period == Int::from(1), value) else {
            return bound;
        };
        let (value, period) = (self.store.int(value), self.store.int(period));
        match is_upper {
            true => {
                let above = self.store.sub(bound, value);
                let step = self.store.mk(Op::Mod, &[above, period]);
                self.store.sub(bound, step)
            }
            false => {
                let below = self.store.sub(value, bound);
                let step = self.store.mk(Op::Mod, &[below, period]);
                self.store.add(&[bound, step])
            }
        }
    }
}

/// A disequation of numbers as the order that they have in a model.
fn directed(store: &mut Store, literal: TermId, values: &mut Valuation) -> TermId {
    let inside = match (store.op(literal), store.args(literal)) {
        (Op::Not, &[inside]) if store.op(inside) == Op::Eq => inside,
        _ => return literal,
    };
    let &[left, right] = store.args(inside) else { return literal };
    if !store.sort(left).is_arithmetic() {
        return literal;
    }
    let (first, second) = (values.number(store, left), values.number(store, right));
    match (first, second) {
        (Some(first), Some(second)) if first < second => store.lt(left, right),
        (Some(_), Some(_)) => store.lt(right, left),
        _ => literal,
    }
}

/// Whether literals stay true with a term in place of a variable.
fn fits(
    store: &mut Store,
    literals: &[TermId],
    (variable, term): (TermId, TermId),
    values: &mut Valuation,
) -> bool {
    let map = Substitution::from_iter([(variable, term)]);
    let replaced = store.substitute_all(literals, &map);
    replaced.iter().all(|&literal| values.holds(store, literal) == Some(true))
}

/// Whether a polynomial has integers for coefficients.
fn is_whole(linear: &Linear) -> bool {
    linear.constant.is_integer() && linear.terms.iter().all(|(_, value)| value.is_integer())
}

/// Over the reals the middle, as bounds may be strict; over the integers a bound itself.
fn between(lower: Option<Limit>, upper: Option<Limit>, sort: SortId) -> Option<Linear> {
    let is_real = sort == SortId::REAL;
    match (lower, upper) {
        (Some((_, mut low)), Some((_, high))) if is_real => {
            low.add_scaled(&high, &Rat::ONE);
            low.scale(&(&Rat::ONE / &Rat::from(2)));
            Some(low)
        }
        (Some((_, mut low)), _) => {
            low.constant = &low.constant + &Rat::from(i64::from(is_real));
            Some(low)
        }
        (None, Some((_, mut high))) => {
            high.constant = &high.constant - &Rat::from(i64::from(is_real));
            Some(high)
        }
        (None, None) => None,
    }
}
