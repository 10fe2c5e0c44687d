//! The transform `one-query`: several queries become clauses of one predicate without arguments.
//!
//! The predicate means that some query can be derived; the one query that is left says that it does
//! not hold. In a derivation that query's step stands for nothing, since the step before it is a
//! query of the system before.

use super::change::{Applied, Change, Meaning, Recipe};
use super::system::System;
use alphorn_engine::Ctx;
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, SortId, Store};

pub(super) fn apply(system: &System, store: &mut Store, _: &mut Ctx<'_>) -> Applied {
    let queries = system.clauses.iter().filter(|clause| clause.head == Head::False);
    if queries.count() < 2 {
        return Ok(None);
    }
    let name = store.fresh_symbol("query");
    let name = store.name(name).to_owned();
    let func = store.declare(&name, &[], SortId::BOOL);
    let goal = PredId(system.preds.len() as u32);
    let mut preds = system.preds.clone();
    preds.push(Pred { func, span: Span::NONE });
    let mut clauses = Vec::with_capacity(system.clauses.len() + 1);
    for (at, clause) in system.clauses.iter().enumerate() {
        let mut clause = clause.clone();
        if clause.head == Head::False {
            clause.head = Head::Atom(goal, Vec::new());
        }
        clauses.push((clause, Recipe::same(at)));
    }
    let body = store.mk(Op::Apply(func), &[]);
    let (head, span) = (Head::False, Span::NONE);
    let query = Clause { vars: Vec::new(), body, head, name: None, span };
    clauses.push((query, Recipe::default()));
    let count = system.preds.len();
    let kept = (0..count as u32).map(PredId);
    let meanings = kept.map(|pred| Some(Meaning::same(system, store, pred, pred))).collect();
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; count])))
}
