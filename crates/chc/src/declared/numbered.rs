//! Elements of declared sorts as integers.
//!
//! Engines know no elements of declared sorts. Of these a clause says only whether they are the same, and what functions
//! give for them, so integers can stand for them: a model that says no more of its integers than that is one of the
//! system, whatever the elements are. What says more, that one is less than another or which number one is, is
//! left out of the model, and whether it is one even so is seen when it is proved.
//!
//! A derivation comes back without values: what makes its clauses fire has to be found again.

use super::Interpreted;
use alphorn_engine::{Back, Lost};
use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// The system with integers for elements of declared sorts, and the way back; none if there are no such elements, or
/// datatypes or quantifiers as well.
pub(super) fn numbered(horn: &Horn) -> Option<Interpreted> {
    let mut roots: Vec<TermId> = Vec::new();
    for clause in &horn.clauses {
        roots.extend(clause.vars.iter().chain([&clause.body]));
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
    }
    let terms = horn.terms.subterms(&roots);
    let is_foreign = |term: &TermId| {
        matches!(horn.terms.op(*term), Op::Forall | Op::Exists)
            || matches!(horn.terms.sort_of(horn.terms.sort(*term)), Sort::Data(_))
    };
    let speaks = |sort: SortId| has_elements(&horn.terms, sort);
    let is_element = |term: &TermId| speaks(horn.terms.sort(*term));
    if terms.iter().any(is_foreign) || !terms.iter().any(is_element) {
        return None;
    }
    let mut numbers =
        Numbers { store: horn.terms.clone(), preds: BTreeMap::new(), done: BTreeMap::new() };
    let mut result = Horn::default();
    for pred in &horn.preds {
        let declared = numbers.store.func(pred.func).clone();
        let name = numbers.store.name(declared.name).to_owned();
        let args: Vec<SortId> = declared.args.iter().map(|&sort| numbers.sort(sort)).collect();
        let func = numbers.store.declare(&name, &args, SortId::BOOL);
        numbers.preds.insert(pred.func, func);
        result.add_pred(func, pred.span);
    }
    for clause in &horn.clauses {
        let vars = clause.vars.iter().map(|&var| numbers.term(var)).collect();
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => {
                Head::Atom(*pred, args.iter().map(|&arg| numbers.term(arg)).collect())
            }
        };
        let body = numbers.term(clause.body);
        result.clauses.push(Clause { vars, body, head, ..clause.clone() });
    }
    result.terms = numbers.store;
    let (original, same) = (horn.clone(), horn.clone());
    let back = Back::new(
        move |claim: HornClaim| Ok(without_numbers(&original, claim)),
        move |derivation: Derivation| with_elements(&same, derivation),
    );
    Some((result, back))
}

/// The derivation with some elements for the integers that stood for elements.
fn with_elements(horn: &Horn, mut derivation: Derivation) -> Result<Derivation, Lost> {
    let lost = || Lost("integers stood for elements of declared sorts".to_owned());
    if derivation.refuted.is_some() {
        return Err(lost());
    }
    for step in &mut derivation.steps {
        step.progression = None;
        for (&var, value) in horn.clause(step.clause).vars.iter().zip(&mut step.values) {
            let sort = horn.terms.sort(var);
            if has_elements(&horn.terms, sort) {
                *value = Value::default_of(&horn.terms, sort).ok_or_else(lost)?;
            }
        }
    }
    Ok(derivation)
}

fn has_elements(store: &Store, sort: SortId) -> bool {
    match store.sort_of(sort) {
        Sort::Uninterpreted(..) => true,
        Sort::Array(index, element) => has_elements(store, *index) || has_elements(store, *element),
        _ => false,
    }
}

/// Terms with integers for elements.
struct Numbers {
    store: Store,
    preds: BTreeMap<FuncId, FuncId>,
    done: BTreeMap<TermId, TermId>,
}

impl Numbers {
    fn sort(&mut self, sort: SortId) -> SortId {
        match *self.store.sort_of(sort) {
            Sort::Uninterpreted(..) => SortId::INT,
            Sort::Array(index, element) => {
                let (index, element) = (self.sort(index), self.sort(element));
                self.store.array_sort(index, element)
            }
            _ => sort,
        }
    }

    fn term(&mut self, root: TermId) -> TermId {
        for term in self.store.subterms(&[root]) {
            if self.done.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> =
                self.store.args(term).iter().map(|arg| self.done[arg]).collect();
            let sort = self.store.sort(term);
            let seen = match self.store.op(term) {
                Op::Var(_) if has_elements(&self.store, sort) => {
                    let name = self.store.var_name(term).unwrap_or("x").to_owned();
                    let sort = self.sort(sort);
                    self.store.fresh_var(&name, sort)
                }
                Op::ConstArray => {
                    let sort = self.sort(sort);
                    self.store.const_array(sort, args[0])
                }
                Op::Apply(func) => {
                    let func = self.preds.get(&func).copied().unwrap_or(func);
                    self.store.mk(Op::Apply(func), &args)
                }
                _ => self.store.rebuild(term, &args),
            };
            self.done.insert(term, seen);
        }
        self.done[&root]
    }
}

/// The claim with definitions about elements: what they say of elements as numbers is left out.
fn without_numbers(horn: &Horn, claim: HornClaim) -> HornClaim {
    let HornClaim { mut terms, preds, .. } = claim;
    let mut definitions = Vec::with_capacity(preds.len());
    for (pred, Definition { params, body }) in horn.pred_ids().zip(preds) {
        let mut own = Vec::with_capacity(params.len());
        for (&param, &sort) in params.iter().zip(horn.pred_args(pred)) {
            let name = terms.var_name(param).unwrap_or("x").to_owned();
            own.push(terms.fresh_var(&name, sort));
        }
        let mut done: BTreeMap<TermId, Option<TermId>> =
            params.iter().copied().zip(own.iter().copied().map(Some)).collect();
        let parts = conjuncts(&terms, body);
        let parts: Vec<TermId> =
            parts.into_iter().filter_map(|part| of_elements(&mut terms, &mut done, part)).collect();
        definitions.push(Definition { params: own, body: terms.and(&parts) });
    }
    HornClaim::of(terms, definitions)
}

/// A term with elements where integers stood for them; none if it needs them to be integers.
fn of_elements(
    store: &mut Store,
    done: &mut BTreeMap<TermId, Option<TermId>>,
    root: TermId,
) -> Option<TermId> {
    for term in store.subterms(&[root]) {
        if done.contains_key(&term) {
            continue;
        }
        let old = store.args(term).to_vec();
        let args: Option<Vec<TermId>> = old.iter().map(|arg| done[arg]).collect();
        let seen = match (store.op(term), args) {
            (_, Some(args)) if args == old => Some(term),
            (_, None) | (Op::Forall | Op::Exists | Op::ConstArray, _) => None,
            // What is done with numbers is not done with elements.
            (op, Some(args)) => store.app(op, &args).ok(),
        };
        done.insert(term, seen);
    }
    done[&root]
}
