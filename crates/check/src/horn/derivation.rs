//! Checks derivations of false.
//!
//! A step is an instance of a clause whose body evaluates to true when exactly the conclusions of
//! the named premises are facts. Bodies mention predicates positively, so a body that holds then
//! holds under every interpretation that satisfies the clauses used so far; so does the conclusion.
//! The last step concludes false: no interpretation satisfies all clauses.
//!
//! *Every* interpretation also ranges over what the problem leaves open, so nothing may depend on
//! it: evaluation has no values for background functions and no choices for division by zero, and
//! of an uninterpreted sort it knows one element only, since there may be no second one. For the
//! same reason arrays indexed by such a sort are refused: how many different ones there are depends
//! on the number of indices.
//!
//! A step may stand for many, which then are checked together (`progression`).
//!
//! A clause that has instances of a body as read is satisfied less often than the clause as read, so no
//! step may use one.
//!
//! Where facts depend on functions, or on arrays that are no values, there is no derivation by values: then the clauses
//! are refuted as formulas (`interpretation`).

use super::interpretation::check_refuted;
use super::values::fits;
use super::{check_system, clause_name};
use crate::{Refusal, work};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Fact, Step};
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_term::eval::bound::{self, Tables, value_ticks};
use alphorn_term::eval::{Program, Table};
use alphorn_term::{EvalError, Meter, Model, Op, Sort, SortId, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Accepts a derivation if it derives false from the clauses.
pub fn check_derivation(horn: &Horn, derivation: &Derivation) -> Result<(), Refusal> {
    check_derivation_within(horn, derivation, &work::of_derivation(horn, derivation))
}

/// `check_derivation` with the caller's limit on its work.
pub fn check_derivation_within(
    horn: &Horn,
    derivation: &Derivation,
    meter: &Meter,
) -> Result<(), Refusal> {
    check_system(horn)?;
    if horn.allows_more {
        let reason =
            "the clauses allow more than what they stand for, so a derivation proves nothing";
        return Err(Refusal::new("the system", reason));
    }
    if let Some(refuted) = &derivation.refuted {
        return check_refuted(horn, derivation, refuted, meter);
    }
    let (facts, elements, programs) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut replay = Replay { horn, facts, elements, programs, meter };
    for (position, step) in derivation.steps.iter().enumerate() {
        if step.clause.index() >= horn.clauses.len() {
            let reason = format!("there is no clause {}", step.clause.0);
            return Err(Refusal::new(format!("step {position}"), reason));
        }
        let place = || format!("step {position} ({})", clause_name(horn, step.clause));
        let fact = replay.step(step).map_err(|reason| Refusal::new(place(), reason))?;
        replay.facts.push(fact);
    }
    match replay.facts.last() {
        Some(None) => Ok(()),
        _ => Err(Refusal::new("end of the derivation", "the last step is not a query")),
    }
}

/// A derivation while it is replayed.
pub(super) struct Replay<'a> {
    pub(super) horn: &'a Horn,
    /// The conclusions of the steps; none for a query.
    facts: Vec<Option<Fact>>,
    /// The element used of each uninterpreted sort.
    elements: BTreeMap<SortId, u32>,
    /// Clauses that may be evaluated: the body, and the arguments of the head.
    programs: BTreeMap<ClauseId, Program>,
    pub(super) meter: &'a Meter,
}

impl Replay<'_> {
    /// The conclusion of a step, or why it does not follow.
    fn step(&mut self, step: &Step) -> Result<Option<Fact>, String> {
        if let Some(progression) = &step.progression {
            return self.progression(step, progression).map(Some);
        }
        let mut model = self.instance(step.clause, &step.values)?;
        let (horn, store) = (self.horn, &self.horn.terms);
        let clause = horn.clause(step.clause);
        self.assume(&mut model, clause, &step.premises)?;
        bound::evaluation(store, &roots(clause), &model, &Tables::default(), self.meter)?;
        let failed = |error: &EvalError| error.describe(store);
        let program = self.programs.get_mut(&step.clause).expect("a clause of an instance has one");
        program.run(store, &[], &model);
        if program.output(0).map_err(failed)? != &Value::Bool(true) {
            return Err("the body is false under these values and premises".to_owned());
        }
        let Head::Atom(pred, args) = &clause.head else { return Ok(None) };
        let args = (1..=args.len()).map(|output| program.output(output).cloned());
        let args = args.collect::<Result<Vec<Value>, &EvalError>>().map_err(failed)?;
        Ok(Some((horn.pred(*pred).func, args)))
    }

    /// The assignment of these values to the variables of a clause, if steps may use it with them.
    pub(super) fn instance(&mut self, id: ClauseId, values: &[Value]) -> Result<Model, String> {
        let (horn, store) = (self.horn, &self.horn.terms);
        let Some(clause) = horn.clauses.get(id.index()) else {
            return Err(format!("there is no clause {}", id.0));
        };
        if horn.quantified.contains_key(&id) {
            let reason =
                "the clause asks for all values of a variable, of which it has instances only";
            return Err(reason.to_owned());
        }
        if values.len() != clause.vars.len() {
            let (given, wanted) = (values.len(), clause.vars.len());
            return Err(format!("{given} values are given for {wanted} variables"));
        }
        let mut model = Model::new();
        for (&var, value) in clause.vars.iter().zip(values) {
            if !fits(store, value, store.sort(var), self.meter)? {
                let name = store.var_name(var).unwrap_or("?");
                return Err(format!("the value of {name} does not fit its sort"));
            }
            self.only_element(value)?;
            model.set(var, value.clone());
        }
        if !self.programs.contains_key(&id) {
            let roots = roots(clause);
            bound::free_vars(store, &roots, self.meter)?;
            refuse_open_indices(store, &roots)?;
            self.programs.insert(id, Program::new(store, &[], &roots));
        }
        Ok(model)
    }

    /// What an earlier step concludes.
    pub(super) fn fact(&self, premise: usize) -> Result<&Fact, String> {
        match self.facts.get(premise) {
            Some(Some(fact)) => Ok(fact),
            Some(None) => Err(format!("premise {premise} is a query")),
            None => Err(format!("premise {premise} is not an earlier step")),
        }
    }

    /// Makes the premises' conclusions true, and all else about the body's predicates false.
    fn assume(&self, model: &mut Model, clause: &Clause, premises: &[usize]) -> Result<(), String> {
        for atom in self.horn.atoms(clause.body) {
            if let Op::Apply(func) = self.horn.terms.op(atom) {
                model.funcs.insert(func, Table::constant(Value::Bool(false)));
            }
        }
        for &premise in premises {
            let (func, args) = self.fact(premise)?;
            let size = args.iter().map(value_ticks).sum::<u64>();
            self.meter.spend(16 + size)?;
            match model.funcs.get_mut(func) {
                Some(table) => table.entries.insert(args.clone(), Value::Bool(true)),
                None => return Err(format!("premise {premise} is of no use to the body")),
            };
        }
        Ok(())
    }

    /// Refuses a second element of an uninterpreted sort.
    fn only_element(&mut self, value: &Value) -> Result<(), String> {
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            match value {
                Value::Element(sort, number)
                    if self.elements.entry(*sort).or_insert(*number) != number =>
                {
                    let sort = self.horn.terms.show_sort(*sort);
                    return Err(format!("{sort} may have one element only"));
                }
                value => value.push_parts(&mut stack),
            }
        }
        Ok(())
    }
}

/// The terms of a clause.
fn roots(clause: &Clause) -> Vec<TermId> {
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    roots
}

/// Refuses arrays whose number of indices is open.
fn refuse_open_indices(store: &Store, roots: &[TermId]) -> Result<(), String> {
    let mut sorts: BTreeSet<SortId> = BTreeSet::new();
    for term in store.subterms(roots) {
        sorts.insert(store.sort(term));
    }
    for sort in reachable(store, sorts) {
        if let Sort::Array(index, _) = *store.sort_of(sort)
            && reachable(store, BTreeSet::from([index]))
                .iter()
                .any(|&inside| matches!(store.sort_of(inside), Sort::Uninterpreted(..)))
        {
            return Err("arrays indexed by an uninterpreted sort are not evaluated".to_owned());
        }
    }
    Ok(())
}

/// The sorts of all parts of values of these sorts.
fn reachable(store: &Store, from: BTreeSet<SortId>) -> BTreeSet<SortId> {
    let mut found = from.clone();
    let mut stack: Vec<SortId> = from.into_iter().collect();
    while let Some(sort) = stack.pop() {
        let parts: Vec<SortId> = match store.sort_of(sort) {
            Sort::Array(index, element) => vec![*index, *element],
            Sort::Data(data) => {
                let ctors = store.data(*data).ctors.iter();
                ctors.flat_map(|&ctor| store.ctor(ctor).fields.iter().map(|f| f.1)).collect()
            }
            _ => Vec::new(),
        };
        stack.extend(parts.into_iter().filter(|&part| found.insert(part)));
    }
    found
}
