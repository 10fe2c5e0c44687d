//! Sets of a given form: the guard and inequalities whose numbers are unknown.
//!
//! For a round that is affine with a linear guard, that it keeps the inequalities is a matter of nonnegative
//! multipliers (Farkas): of numbers for the guard, and of 0, 1 or 2 for the unknown rows, whose products with
//! unknowns are sums of conditionals then. The solver chooses rows and multipliers together, such that a state
//! that a run comes to is in the set. After Gupta et al., "Proving non-termination" (POPL 2008), and the
//! closed recurrence sets of Cook et al. (FMCAD 2014).

use super::grow::Round;
use super::houdini::relevant;
use super::options::comparison;
use super::solve::{find_model, value};
use crate::settings::{RECUR_TEMPLATE_GUARD, RECUR_TEMPLATE_VARS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId, Value};

/// The largest number in a row.
const LARGEST: i64 = 3;

/// A round in numbers: rows that are at most zero, and the values afterwards.
struct Affine {
    vars: Vec<TermId>,
    guard: Vec<Linear>,
    next: Vec<Linear>,
}

impl Affine {
    fn of(flow: &Flow, store: &Store, round: &Round) -> Option<Affine> {
        let used = relevant(flow, store, &round.guard, &round.next);
        let vars: Vec<TermId> =
            flow.vars.iter().copied().filter(|var| used.contains(var)).collect();
        let sort = store.sort(*vars.first()?);
        if vars.len() > RECUR_TEMPLATE_VARS.size()
            || vars.iter().any(|&var| store.sort(var) != sort)
        {
            return None;
        }
        let is_over = |form: &Linear| form.terms.iter().all(|(atom, _)| vars.contains(atom));
        let mut guard = Vec::new();
        for &literal in &round.guard {
            let (mut form, relation) = comparison(store, literal)?;
            if relation == Op::Lt {
                if sort != SortId::INT {
                    return None;
                }
                form.constant = &form.constant + &Rat::ONE;
            }
            if relation == Op::Eq {
                guard.push(form.negated());
            }
            guard.push(form);
        }
        let next: Vec<Linear> = (flow.vars.iter().zip(&round.next))
            .filter(|(var, _)| used.contains(var))
            .filter(|(var, _)| store.sort(**var).is_arithmetic())
            .map(|(_, &term)| Linear::of(store, term))
            .collect();
        let fits =
            guard.len() <= RECUR_TEMPLATE_GUARD.size() && guard.iter().chain(&next).all(is_over);
        (fits && next.len() == vars.len()).then_some(Affine { vars, guard, next })
    }
}

/// Unknown numbers of a row: its factors and its bound.
struct Row {
    factors: Vec<TermId>,
    bound: TermId,
}

/// The guard with so many inequalities more, kept by the round and true in a state; none if none was found.
pub(super) fn fit(
    flow: &Flow,
    store: &mut Store,
    round: &Round,
    state: &[Value],
    rows: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<TermId>>, Stop> {
    let Some(affine) = Affine::of(flow, store, round) else { return Ok(None) };
    let mut unknown = Unknown { store, formulas: Vec::new() };
    let rows: Vec<Row> = (0..rows).map(|_| unknown.row(affine.vars.len())).collect();
    for row in &rows {
        unknown.holds_in(flow, &affine, row, state);
    }
    for target in &affine.guard {
        let (factors, constant) = unknown.after(&affine, target);
        unknown.follows(&affine, &rows, &factors, constant);
    }
    for row in &rows {
        let (factors, constant) = unknown.row_after(&affine, row);
        unknown.follows(&affine, &rows, &factors, constant);
    }
    let formulas = std::mem::take(&mut unknown.formulas);
    let Some(model) = find_model(store, &formulas, ctx)? else { return Ok(None) };
    let mut set = round.guard.clone();
    for row in &rows {
        let number = |term: TermId| match value(store, term, &model) {
            Some(Value::Real(number)) => Some(number),
            _ => None,
        };
        let mut form = Linear::default();
        for (&var, &factor) in affine.vars.iter().zip(&row.factors) {
            let Some(factor) = number(factor) else { return Ok(None) };
            form.add_scaled(&Linear::atom(var), &factor);
        }
        let Some(bound) = number(row.bound) else { return Ok(None) };
        form.constant = -bound;
        let mut scale: Int = form.constant.denominator();
        for (_, factor) in &form.terms {
            scale = scale.lcm(&factor.denominator());
        }
        form.scale(&Rat::from(&scale));
        let sort = store.sort(affine.vars[0]);
        let term = form.to_term(store, sort);
        let zero = store.number(sort, &Int::ZERO);
        set.push(store.le(term, zero));
    }
    Ok(Some(set))
}

/// What is asked of unknown numbers.
struct Unknown<'a> {
    store: &'a mut Store,
    formulas: Vec<TermId>,
}

impl Unknown<'_> {
    fn number(&mut self) -> TermId {
        self.store.fresh_var("q", SortId::REAL)
    }

    fn row(&mut self, count: usize) -> Row {
        let factors: Vec<TermId> = (0..count).map(|_| self.number()).collect();
        for &factor in &factors {
            let (low, high) = (self.store.real(-LARGEST), self.store.real(LARGEST));
            let both = [self.store.ge(factor, low), self.store.le(factor, high)];
            self.formulas.extend(both);
        }
        Row { factors, bound: self.number() }
    }

    /// The product of a number and an unknown one.
    fn times(&mut self, number: &Rat, unknown: TermId) -> TermId {
        let number = self.store.real(number.clone());
        self.store.mul(&[number, unknown])
    }

    fn sum(&mut self, parts: Vec<TermId>) -> TermId {
        match parts[..] {
            [] => self.store.real(0),
            [only] => only,
            _ => self.store.add(&parts),
        }
    }

    /// A state is within a row.
    fn holds_in(&mut self, flow: &Flow, affine: &Affine, row: &Row, state: &[Value]) {
        let mut parts = Vec::new();
        for (&var, &factor) in affine.vars.iter().zip(&row.factors) {
            let place = flow.vars.iter().position(|&other| other == var);
            let number = match place.map(|place| &state[place]) {
                Some(Value::Int(number)) => Rat::from(number),
                Some(Value::Real(number)) => number.clone(),
                _ => Rat::ZERO,
            };
            parts.push(self.times(&number, factor));
        }
        let sum = self.sum(parts);
        let within = self.store.le(sum, row.bound);
        self.formulas.push(within);
    }

    /// A known polynomial after the round: the factors of the variables, and the constant.
    fn after(&mut self, affine: &Affine, form: &Linear) -> (Vec<TermId>, TermId) {
        let mut after = Linear::constant(form.constant.clone());
        for (atom, factor) in &form.terms {
            if let Some(place) = affine.vars.iter().position(|var| var == atom) {
                after.add_scaled(&affine.next[place], factor);
            }
        }
        let factors = affine.vars.iter().map(|&var| after.coefficient(var));
        let factors = factors.map(|factor| self.store.real(factor)).collect();
        (factors, self.store.real(after.constant))
    }

    /// A row after the round, less its bound.
    fn row_after(&mut self, affine: &Affine, row: &Row) -> (Vec<TermId>, TermId) {
        let mut factors = Vec::new();
        for &var in &affine.vars {
            let mut parts = Vec::new();
            for (next, &factor) in affine.next.iter().zip(&row.factors) {
                let times = next.coefficient(var);
                if !times.is_zero() {
                    parts.push(self.times(&times, factor));
                }
            }
            factors.push(self.sum(parts));
        }
        let mut parts = vec![self.store.neg(row.bound)];
        for (next, &factor) in affine.next.iter().zip(&row.factors) {
            if !next.constant.is_zero() {
                parts.push(self.times(&next.constant, factor));
            }
        }
        (factors, self.sum(parts))
    }

    /// That a polynomial is at most zero follows from the guard and the rows.
    fn follows(&mut self, affine: &Affine, rows: &[Row], factors: &[TermId], constant: TermId) {
        let mut sums: Vec<Vec<TermId>> = vec![Vec::new(); factors.len()];
        let mut constants = Vec::new();
        let zero = self.store.real(0);
        for form in &affine.guard {
            let multiplier = self.number();
            let positive = self.store.ge(multiplier, zero);
            self.formulas.push(positive);
            for (place, &var) in affine.vars.iter().enumerate() {
                let factor = form.coefficient(var);
                if !factor.is_zero() {
                    sums[place].push(self.times(&factor, multiplier));
                }
            }
            if !form.constant.is_zero() {
                constants.push(self.times(&form.constant, multiplier));
            }
        }
        for row in rows {
            for _ in 0..2 {
                let is_in = self.store.fresh_var("m", SortId::BOOL);
                for (place, &factor) in row.factors.iter().enumerate() {
                    let part = self.store.ite(is_in, factor, zero);
                    sums[place].push(part);
                }
                let bound = self.store.neg(row.bound);
                constants.push(self.store.ite(is_in, bound, zero));
            }
        }
        for (parts, &factor) in sums.into_iter().zip(factors) {
            let sum = self.sum(parts);
            let same = self.store.eq(sum, factor);
            self.formulas.push(same);
        }
        let sum = self.sum(constants);
        let enough = self.store.le(constant, sum);
        self.formulas.push(enough);
    }
}
