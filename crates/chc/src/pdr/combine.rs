//! One inequality in the place of several: the sum of a cube's inequalities, times small numbers.
//!
//! A cube such as x >= 5, y <= 3 may be excluded because x - y >= 2 is. The sum says less than the
//! parts, so its exclusion says more, and unlike the parts it is often about what stays the same
//! along a loop. Interpolation finds the multipliers in a proof (Farkas). Here they are found from
//! counterexamples: a sum that a rule can conclude gives a point at which it holds, and the next
//! multipliers must make it fail at all such points. Wherever a proof would give one inequality,
//! these multipliers exist, if small numbers will do.

use super::literal::Inequality;
use super::rules::holds;
use super::search::Search;
use super::system::Pred;
use crate::settings::{
    PDR_MAX_PARTS, PDR_MAX_POINTS, PDR_MULTIPLIER_CONFLICTS, PDR_MULTIPLIER_TICKS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Budget, Linear, Options, Smt};
use alphorn_term::{Int, Model, Rat, SortId, Store, TermId, Value, eval};

/// The largest multipliers, in the order in which they are tried.
const BOUNDS: [i64; 2] = [1, 4];

/// The search for multipliers.
struct Multipliers {
    smt: Smt,
    vars: Vec<TermId>,
}

impl Search<'_> {
    /// A cube that is excluded at a level, with one inequality instead of those of `literals`,
    /// which are excluded.
    pub(super) fn combine(
        &mut self,
        pred: Pred,
        level: usize,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let (mut parts, mut others) = (Vec::new(), Vec::new());
        for &literal in literals {
            match Inequality::of(&self.store, literal) {
                Some(part) => parts.push(part),
                None => others.push(literal),
            }
        }
        if parts.len() < 2 || parts.len() > PDR_MAX_PARTS.size() {
            return Ok(None);
        }
        let mut multipliers = Multipliers::new(&mut self.store, parts.len());
        let mut factors = vec![Rat::ONE; parts.len()];
        for _ in 0..PDR_MAX_POINTS.size() {
            let sum = sum(&parts, &factors).tightened(&self.store).to_literal(&mut self.store);
            if sum != TermId::TRUE {
                let mut cube = others.clone();
                cube.push(sum);
                match self.inductive(pred, level, &cube, ctx)? {
                    Ok(core) => return Ok(Some(core)),
                    Err(point) => {
                        let values: Option<Vec<Rat>> = parts
                            .iter()
                            .map(|part| value_at(&self.store, &part.form, &point))
                            .collect();
                        let Some(values) = values else { return Ok(None) };
                        multipliers.add_point(&mut self.store, &parts, &values);
                    }
                }
            }
            match multipliers.next(&mut self.store) {
                Some(next) => factors = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The values of the head's and of the used atoms' parameters in the last model of a rule.
    pub(super) fn points(&self, number: usize) -> Result<(Model, Vec<(Pred, Model)>), Stop> {
        let rule = &self.system.rules[number];
        let model = self.solvers.model(&self.store, rule, number);
        let point = |pred: Pred, args: &[TermId]| {
            let mut point = Model::new();
            for (&param, &arg) in self.system.params[pred].iter().zip(args) {
                point.set(param, self.value(arg, &model)?);
            }
            Ok::<Model, Stop>(point)
        };
        let mut atoms = Vec::with_capacity(rule.atoms.len());
        for atom in &rule.atoms {
            if holds(&self.store, atom.used, &model) {
                atoms.push((atom.pred, point(atom.pred, &atom.on.args)?));
            }
        }
        Ok((point(rule.head, &rule.on.args)?, atoms))
    }
}

/// The sum of inequalities, times numbers that are not negative.
fn sum(parts: &[Inequality], factors: &[Rat]) -> Inequality {
    let mut form = Linear::default();
    let mut is_strict = false;
    for (part, factor) in parts.iter().zip(factors) {
        form.add_scaled(&part.form, factor);
        is_strict |= part.is_strict && !factor.is_zero();
    }
    Inequality { form, is_strict }
}

/// The value of a polynomial at a point.
pub(super) fn value_at(store: &Store, form: &Linear, point: &Model) -> Option<Rat> {
    let mut total = form.constant.clone();
    for (atom, coefficient) in &form.terms {
        let number = match eval(store, *atom, point).ok()? {
            Value::Int(number) => Rat::from(number),
            Value::Real(number) => number,
            _ => return None,
        };
        total = &total + &(coefficient * &number);
    }
    Some(total)
}

impl Multipliers {
    fn new(store: &mut Store, count: usize) -> Multipliers {
        let mut smt = Smt::new(Options::default());
        let (conflicts, ticks) =
            (Some(PDR_MULTIPLIER_CONFLICTS.get()), Some(PDR_MULTIPLIER_TICKS.get()));
        smt.set_budget(Budget { conflicts, ticks, ..Budget::default() });
        let vars: Vec<TermId> = (0..count)
            .map(|place| store.var(&format!("multiplier!{place}"), SortId::INT))
            .collect();
        let zero = store.int(0);
        for &var in &vars {
            let bound = store.le(zero, var);
            smt.assert(store, bound);
        }
        Multipliers { smt, vars }
    }

    /// The sum must not hold where its parts have these values.
    fn add_point(&mut self, store: &mut Store, parts: &[Inequality], values: &[Rat]) {
        let mut form = Linear::default();
        for (&var, value) in self.vars.iter().zip(values) {
            form.add_scaled(&Linear::atom(var), value);
        }
        form.scale(&form.primitive_factor());
        let total = form.to_term(store, SortId::INT);
        // Strict parts may have multiplier zero, so that the sum must be positive to be sure.
        let is_strict = parts.iter().all(|part| part.is_strict);
        let least = store.int(if is_strict { 0 } else { 1 });
        let positive = store.le(least, total);
        self.smt.assert(store, positive);
    }

    /// Multipliers for which the sum holds at none of the points.
    fn next(&mut self, store: &mut Store) -> Option<Vec<Rat>> {
        let one = store.int(1);
        let total = store.add(&self.vars);
        let some = store.le(one, total);
        for bound in BOUNDS {
            let bound = store.int(Int::from(bound));
            let mut assumed = vec![some];
            assumed.extend(self.vars.iter().map(|&var| store.le(var, bound)));
            if self.smt.check(store, &assumed) == Answer::Sat {
                let model = self.smt.model(store);
                let number = |var: &TermId| match eval(store, *var, &model) {
                    Ok(Value::Int(number)) => Some(Rat::from(number)),
                    _ => None,
                };
                return self.vars.iter().map(number).collect();
            }
        }
        None
    }
}
