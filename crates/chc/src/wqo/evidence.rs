//! What a search found, as evidence: a model by the complement of the set, a derivation by firing what is noted.

use super::antichain::Antichain;
use super::net::{Net, Vector};
use super::sums::Search;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::readable::Names;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, Step};
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Store, TermId, Value};

/// What no run reaches.
pub(super) struct Excluded<'a> {
    /// An upward-closed set.
    pub set: &'a Antichain,
    /// Which counters can be more than 0, by location.
    pub marked: &'a [Option<Vec<bool>>],
    pub sums: &'a Search,
}

/// A way from a start to a target.
pub(super) struct Path {
    pub start: usize,
    /// How large counters are at least where it begins.
    pub least: Vector,
    pub transitions: Vec<usize>,
    pub target: usize,
}

/// The claim that nothing in the set can be reached.
pub(super) fn claim(
    horn: &Horn,
    excluded: &Excluded<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<HornClaim, Stop> {
    let (names, mut terms) = (Names::of(horn), horn.terms.clone());
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        ctx.tick(1 + excluded.set.len_at(pred.index()) as u64)?;
        let params = names.parameters(&mut terms, pred);
        let body = invariant(&mut terms, &params, pred.index(), excluded);
        preds.push(Definition { params, body });
    }
    Ok(HornClaim::of(terms, preds))
}

fn invariant(
    terms: &mut Store,
    params: &[TermId],
    location: usize,
    excluded: &Excluded<'_>,
) -> TermId {
    let Some(marked) = &excluded.marked[location] else { return TermId::FALSE };
    let zero = terms.int(0);
    let mut parts = Vec::new();
    for (&param, &can) in params.iter().zip(marked) {
        parts.push(if can { terms.ge(param, zero) } else { terms.eq(param, zero) });
    }
    let sums = excluded.sums;
    let used = sums.found.iter().zip(&sums.used).filter(|(_, used)| **used);
    for (weights, _) in used {
        let mut sum = vec![terms.int(weights.numbers[location].clone())];
        for (weight, &param) in weights.weights.iter().zip(params) {
            let weight = terms.int(weight.clone());
            sum.push(terms.mul(&[weight, param]));
        }
        let sum = terms.add(&sum);
        parts.push(terms.le(sum, zero));
    }
    for least in excluded.set.least(location) {
        let mut smaller = Vec::new();
        for (&value, &param) in least.iter().zip(params).filter(|(value, _)| **value > 0) {
            let value = terms.int(Int::from(value as i128));
            smaller.push(terms.lt(param, value));
        }
        parts.push(terms.or(&smaller));
    }
    terms.and(&parts)
}

/// The derivation that goes along a path.
pub(super) fn derivation(
    horn: &Horn,
    net: &Net,
    path: &Path,
    ctx: &mut Ctx<'_>,
) -> Result<Derivation, Stop> {
    let start = &net.starts[path.start];
    let first = start.least.iter().zip(&path.least);
    let mut state: Vec<Int> =
        first.map(|(&least, &wanted)| Int::from(least.max(wanted) as i128)).collect();
    let mut firing = Firing { horn, smt: Smt::new(Options::default()), store: horn.terms.clone() };
    let mut steps = vec![firing.step(start.clause, &[], Some(&state), ctx)?];
    for &transition in &path.transitions {
        let rule = &net.transitions[transition];
        let after: Vec<Int> = rule
            .sums
            .iter()
            .map(|sum| {
                let parts = sum.parts.iter();
                parts.fold(Int::from(sum.constant), |total, &(counter, factor)| {
                    &total + &(&state[counter] * &Int::from(factor as i128))
                })
            })
            .collect();
        let mut step = firing.step(rule.clause, &state, Some(&after), ctx)?;
        step.premises.push(steps.len() - 1);
        steps.push(step);
        state = after;
    }
    let target = &net.targets[path.target];
    let mut step = firing.step(target.clause, &state, None, ctx)?;
    step.premises.push(steps.len() - 1);
    steps.push(step);
    Ok(Derivation::of(steps))
}

/// Finds values for the variables of clauses whose atoms are known.
struct Firing<'h> {
    horn: &'h Horn,
    smt: Smt,
    store: Store,
}

impl Firing<'_> {
    /// The instance of a clause between two configurations.
    fn step(
        &mut self,
        id: ClauseId,
        before: &[Int],
        after: Option<&[Int]>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        let clause = self.horn.clause(id);
        let (atoms, mut parts) = self.horn.conjunctive(id).unwrap_or_default();
        let mut known: Vec<(TermId, &Int)> = Vec::new();
        if let [atom] = atoms[..] {
            known.extend(self.horn.terms.args(atom).iter().copied().zip(before));
        }
        if let (Head::Atom(_, args), Some(after)) = (&clause.head, after) {
            known.extend(args.iter().copied().zip(after));
        }
        for (term, value) in known {
            let value = self.store.int(value.clone());
            parts.push(self.store.eq(term, value));
        }
        let formula = self.store.and(&parts);
        self.smt.push();
        self.smt.assert(&mut self.store, formula);
        let answer = ask_within(&mut self.smt, &mut self.store, &[], u64::MAX, ctx);
        let model = self.smt.model_of(&self.store, &clause.vars);
        self.smt.pop();
        if answer? != Answer::Sat {
            return Err(Stop::Stuck("a step that was noted cannot be fired".to_owned()));
        }
        let value = |var: &TermId| match model.vars.get(var) {
            Some(value) => value.clone(),
            None => Value::Int(Int::ZERO),
        };
        Ok(Step::new(id, clause.vars.iter().map(value).collect(), Vec::new()))
    }
}
