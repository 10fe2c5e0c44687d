//! From what was found out about a transition system to evidence about the Horn system.
//!
//! An invariant on a predicate's location, with the parameters in its columns, is the predicate's
//! definition. A path is a derivation once each of its steps has a rule and values for the rule's
//! variables; a small question per step finds them.

use super::fold::{Fold, Rule, fixed};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_horn::model::parameters;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, Substitution, TermId, Value};

impl Fold {
    /// The definitions of the predicates that an invariant gives; terms are added to `store`, which
    /// extends the system's.
    pub(crate) fn definitions(
        &self,
        horn: &Horn,
        store: &mut Store,
        invariant: TermId,
    ) -> Result<Vec<Definition>, Stop> {
        let mut definitions = Vec::with_capacity(self.places.len());
        for pred in horn.pred_ids() {
            let params = parameters(store, horn, pred);
            let Some(place) = &self.places[pred.index()] else {
                // Left out because it has no facts, or because nothing depends on it.
                let has_facts = alphorn_horn::graph::derivable(horn)[pred.index()];
                definitions.push(Definition { params, body: store.bool(has_facts) });
                continue;
            };
            let mut map = Substitution::default();
            for (&truth, &bit) in place.location.iter().zip(&self.system.state) {
                map.insert(bit, store.bool(truth));
            }
            for (&column, &param) in place.columns.iter().zip(&params) {
                map.insert(self.system.state[column], param);
            }
            for &column in &self.system.state {
                if let std::collections::hash_map::Entry::Vacant(entry) = map.entry(column) {
                    entry.insert(fixed(store, column)?);
                }
            }
            definitions.push(Definition { params, body: store.substitute(invariant, &map) });
        }
        Ok(definitions)
    }

    /// What an invariant claims of the clauses.
    pub(crate) fn claim(
        &self,
        horn: &Horn,
        mut store: Store,
        invariant: TermId,
    ) -> Result<HornClaim, Stop> {
        let definitions = self.definitions(horn, &mut store, invariant)?;
        Ok(HornClaim::of(store, definitions))
    }

    /// The derivation that a query without predicates is, if one fires.
    pub(crate) fn at_once(
        &self,
        horn: &Horn,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        let mut store = self.system.store.clone();
        for rule in self.rules.iter().filter(|rule| rule.from.is_none() && rule.to.is_none()) {
            if let Some(values) = values(horn, &mut store, rule, &[], ctx)? {
                let step = Step::new(rule.clause, values, Vec::new());
                return Ok(Some(Derivation::of(vec![step])));
            }
        }
        Ok(None)
    }

    /// The derivation along a path of states.
    pub(crate) fn derivation(
        &self,
        horn: &Horn,
        states: &[Vec<Value>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        let mut store = self.system.store.clone();
        let mut steps: Vec<Step> = Vec::with_capacity(states.len() + 1);
        for place in 0..=states.len() {
            let before = place.checked_sub(1).map(|before| states[before].as_slice());
            let after = states.get(place).map(Vec::as_slice);
            let (clause, values) = self.step(horn, &mut store, (before, after), ctx)?;
            let premises = place.checked_sub(1).into_iter().collect();
            steps.push(Step::new(clause, values, premises));
        }
        Ok(Derivation::of(steps))
    }

    /// A clause that leads from a state, or from nothing, to another, or to a contradiction; with
    /// values for its variables.
    fn step(
        &self,
        horn: &Horn,
        store: &mut Store,
        (before, after): (Option<&[Value]>, Option<&[Value]>),
        ctx: &mut Ctx<'_>,
    ) -> Result<(ClauseId, Vec<Value>), Stop> {
        for rule in &self.rules {
            let Some(from) = self.matches(store, rule.from.as_ref(), before) else { continue };
            let Some(to) = self.matches(store, rule.to.as_ref(), after) else { continue };
            if let Some(values) = values(horn, store, rule, &[from, to].concat(), ctx)? {
                return Ok((rule.clause, values));
            }
        }
        Err(Stop::Stuck("a step of a path is no step of the clauses".to_owned()))
    }

    /// What it means for an atom to be at a state, as equations; none if it cannot be.
    fn matches(
        &self,
        store: &mut Store,
        atom: Option<&(usize, Vec<TermId>)>,
        state: Option<&[Value]>,
    ) -> Option<Vec<TermId>> {
        let ((pred, args), state) = match (atom, state) {
            (None, None) => return Some(Vec::new()),
            (Some(atom), Some(state)) => (atom, state),
            _ => return None,
        };
        let place = self.places[*pred].as_ref()?;
        let mut at = place.location.iter().zip(state);
        if at.any(|(&truth, value)| *value != Value::Bool(truth)) {
            return None;
        }
        let mut equations = Vec::with_capacity(args.len());
        for (&column, &arg) in place.columns.iter().zip(args) {
            let value = store.value_term(&state[column])?;
            equations.push(store.eq(arg, value));
        }
        Some(equations)
    }
}

/// Values for a rule's variables under which it fires, if there are any.
fn values(
    horn: &Horn,
    store: &mut Store,
    rule: &Rule,
    equations: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Value>>, Stop> {
    let mut smt = Smt::new(Options::default());
    for &equation in equations {
        smt.assert(store, equation);
    }
    smt.assert(store, rule.body);
    match ask(&mut smt, store, &[], ctx)? {
        Answer::Sat => {}
        Answer::Unsat => return Ok(None),
        Answer::Unknown => return Err(Stop::Stuck("a clause is too hard to fire".to_owned())),
    }
    let model = smt.model(store);
    let value = |&var: &TermId| match model.vars.get(&var) {
        Some(value) => Ok(value.clone()),
        None => Value::default_of(store, store.sort(var))
            .ok_or_else(|| Stop::Stuck("a variable's sort has no values".to_owned())),
    };
    let values: Result<Vec<Value>, Stop> =
        horn.clause(rule.clause).vars.iter().map(value).collect();
    values.map(Some)
}
