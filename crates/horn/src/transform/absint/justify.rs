//! Facts about predicates, justified: each is proved to be inductive, or dropped.
//!
//! For each clause the solver is asked whether the facts of its body's predicates imply those of its
//! head. Facts that a counterexample breaks are dropped, and so are facts that the solver cannot
//! decide within its budget; then what relied on them is asked about again, until all that is left
//! holds together. Nothing else about the facts is believed, so a mistake in how they were found
//! costs the fact and nothing more.
//!
//! Source: Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java" (2001).

use crate::ask::ask_within;
use crate::settings::{ABSINT_FACT_CONFLICTS, ABSINT_HEAD_CONFLICTS, ABSINT_MAX_ALONE};
use crate::transform::system::{System, head_args};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::Head;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// Facts about predicates over their parameters.
pub struct Facts {
    /// For each predicate, variables for its arguments.
    pub params: Vec<Vec<TermId>>,
    /// For each predicate, formulas that hold of its facts.
    pub facts: Vec<Vec<TermId>>,
}

impl Facts {
    /// The facts about a predicate, on arguments.
    pub fn on(&self, store: &mut Store, pred: usize, args: &[TermId]) -> Vec<TermId> {
        let params = self.params[pred].iter().copied();
        let map: Substitution = params.zip(args.iter().copied()).collect();
        store.substitute_all(&self.facts[pred], &map)
    }

    /// Drops facts until those that are left are inductive.
    pub fn justify(
        &mut self,
        system: &System,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.preds.len()];
        for (at, clause) in system.clauses.iter().enumerate() {
            for pred in system.body_preds(store, clause.body) {
                users[pred.index()].push(at);
            }
        }
        let mut waiting: BTreeSet<usize> = (0..system.clauses.len()).collect();
        while let Some(at) = waiting.pop_first() {
            let Head::Atom(pred, _) = &system.clauses[at].head else { continue };
            let pred = pred.index();
            if !self.facts[pred].is_empty() && self.check(system, store, at, ctx)? {
                waiting.extend(&users[pred]);
            }
        }
        Ok(())
    }

    /// Drops facts about a clause's head that its body does not imply; says whether there were any.
    fn check(
        &mut self,
        system: &System,
        store: &mut Store,
        clause: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let clause = &system.clauses[clause];
        let Head::Atom(pred, _) = &clause.head else { return Ok(false) };
        let pred = pred.index();
        let body = system.map_atoms(store, clause.body, |store, pred, atom| {
            let args = store.args(atom).to_vec();
            let facts = self.on(store, pred.index(), &args);
            store.and(&facts)
        });
        let claims = self.on(store, pred, head_args(clause));
        let mut is_kept: Vec<bool> = vec![true; claims.len()];
        let mut smt = Smt::new(Options::default());
        smt.assert(store, body);
        loop {
            let open: Vec<TermId> =
                (0..claims.len()).filter(|&at| is_kept[at]).map(|at| claims[at]).collect();
            let all = store.and(&open);
            if all == TermId::TRUE {
                break;
            }
            let goal = goal(store, &mut smt, all);
            match ask_within(&mut smt, store, &[goal], ABSINT_HEAD_CONFLICTS.get(), ctx)? {
                Answer::Unsat => break,
                Answer::Sat => {
                    let model = smt.model(store);
                    let mut has_dropped = false;
                    for (claim, is_kept) in claims.iter().zip(&mut is_kept) {
                        let holds = eval(store, *claim, &model) == Ok(Value::Bool(true));
                        has_dropped |= *is_kept && !holds;
                        *is_kept &= holds;
                    }
                    if !has_dropped {
                        is_kept.fill(false);
                    }
                }
                Answer::Unknown => {
                    one_by_one(store, &mut smt, &claims, &mut is_kept, ctx)?;
                    break;
                }
            }
        }
        let before = self.facts[pred].len();
        let mut kept = is_kept.into_iter();
        self.facts[pred].retain(|_| kept.next() == Some(true));
        Ok(self.facts[pred].len() < before)
    }
}

/// Keeps the claims that are proved by themselves, of not too many.
fn one_by_one(
    store: &mut Store,
    smt: &mut Smt,
    claims: &[TermId],
    is_kept: &mut [bool],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let mut asked = 0;
    for (&claim, is_kept) in claims.iter().zip(is_kept) {
        if !*is_kept {
            continue;
        }
        asked += 1;
        *is_kept = asked <= ABSINT_MAX_ALONE.size() && {
            let goal = goal(store, smt, claim);
            ask_within(smt, store, &[goal], ABSINT_FACT_CONFLICTS.get(), ctx)? == Answer::Unsat
        };
    }
    Ok(())
}

/// A literal under which a formula is false.
pub(super) fn goal(store: &mut Store, smt: &mut Smt, formula: TermId) -> TermId {
    let literal = store.fresh_var("goal", SortId::BOOL);
    let negation = store.not(formula);
    let implication = store.implies(literal, negation);
    smt.assert(store, implication);
    literal
}
