//! The system in which predicates speak of one index that stands for all.
//!
//! `P(x)` becomes `P'(x, i)` and means `∀i. P'(x, i)`. A clause's head has a fresh index; its body's atoms become
//! instances at that index, at the indices at which the clause reads or writes arrays, and at the pointers
//! that its atoms hand on. Every model of the result is one of the system as given. Unlike that of `cells`
//! this view keeps the arrays, so that a formula may read what a cell points to.

use super::pointers::Heap;
use crate::settings::HEAPS_MAX_PLACES;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::{System, head_args};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{FuncId, Op, SortId, TermId};

/// The system with an index more for each predicate.
pub(super) fn with_indices(horn: &Horn, heaps: &[Heap], ctx: &mut Ctx<'_>) -> Result<Horn, Stop> {
    let system = System::of(horn);
    let mut store = horn.terms.clone();
    let mut funcs: Vec<FuncId> = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let mut sorts = horn.pred_args(pred).to_vec();
        sorts.push(SortId::INT);
        funcs.push(store.declare(horn.pred_name(pred), &sorts, SortId::BOOL));
    }
    let mut clauses = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        ctx.tick(1)?;
        let index = store.fresh_var("i", SortId::INT);
        let mut places = vec![index];
        places.extend(places_of(horn, heaps, clause));
        let body = system.map_atoms(&mut store, clause.body, |store, pred, atom| {
            let mut args = store.args(atom).to_vec();
            let mut instances = Vec::with_capacity(places.len());
            for &place in &places {
                args.push(place);
                instances.push(store.mk(Op::Apply(funcs[pred.index()]), &args));
                args.pop();
            }
            store.and(&instances)
        });
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => {
                let mut args = args.clone();
                args.push(index);
                Head::Atom(*pred, args)
            }
        };
        let mut vars = clause.vars.clone();
        vars.push(index);
        clauses.push(Clause { vars, body, head, ..clause.clone() });
    }
    let mut result = Horn::new(store);
    for (pred, func) in horn.preds.iter().zip(funcs) {
        result.add_pred(func, pred.span);
    }
    result.clauses = clauses;
    Ok(result)
}

/// The indices that a clause speaks of.
fn places_of(horn: &Horn, heaps: &[Heap], clause: &Clause) -> Vec<TermId> {
    let store = &horn.terms;
    let mut places: Vec<TermId> = Vec::new();
    let mut add = |place: TermId| {
        let is_new = places.len() < HEAPS_MAX_PLACES.size() && !places.contains(&place);
        if is_new && !store.is_literal(place) && !store.has_apply(place) {
            places.push(place);
        }
    };
    let mut roots = vec![clause.body];
    roots.extend(head_args(clause));
    for term in store.subterms(&roots) {
        if let (Op::Select | Op::Store, &[_, index, ..]) = (store.op(term), store.args(term))
            && store.sort(index) == SortId::INT
        {
            add(index);
        }
    }
    for atom in horn.atoms(clause.body) {
        if let Some(pred) = horn.atom(atom) {
            heaps[pred.index()].pointers.iter().for_each(|&at| add(store.args(atom)[at]));
        }
    }
    if let Head::Atom(pred, args) = &clause.head {
        heaps[pred.index()].pointers.iter().for_each(|&at| add(args[at]));
    }
    places
}
