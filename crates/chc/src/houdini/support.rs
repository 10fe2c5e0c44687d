//! Which conjuncts of a model support which, asked of solvers.
//!
//! The parts are the conjuncts of all definitions. One is supported by a set if every clause whose head
//! has its predicate keeps it when the atoms of the body say no more than the set does; the property is
//! supported if the bodies of all queries are refuted likewise. For each clause one solver has the body,
//! with the conjuncts about its atoms switched on by literals. So the methods of
//! `alphorn_engine::subset`, made for invariants of one transition, serve clauses with any number of
//! atoms in their bodies.
//!
//! What a solver cannot tell within its conflicts counts as not supported.

use crate::settings::HOUDINI_SUPPORT_CONFLICTS;
use alphorn_engine::subset::{Core, Element, Support};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::transform::System;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// A conjunct of a definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conjunct {
    /// The predicate.
    pub(super) pred: usize,
    /// The formula over its parameters.
    pub(super) formula: TermId,
}

/// The questions about conjuncts.
pub(super) struct Conjuncts<'a> {
    system: &'a System,
    params: &'a [Vec<TermId>],
    store: Store,
    parts: Vec<Conjunct>,
    /// For each conjunct, the literal that makes bodies say it.
    flags: Vec<TermId>,
    part_of: FxHashMap<TermId, usize>,
    /// A solver for each clause that was asked about, with its body.
    solvers: Vec<Option<Smt>>,
    is_exact: bool,
}

impl<'a> Conjuncts<'a> {
    pub(super) fn new(
        system: &'a System,
        params: &'a [Vec<TermId>],
        mut store: Store,
        parts: Vec<Conjunct>,
    ) -> Conjuncts<'a> {
        let fresh = parts.iter().map(|_| store.fresh_var("on", SortId::BOOL));
        let flags: Vec<TermId> = fresh.collect();
        let part_of = flags.iter().enumerate().map(|(at, &flag)| (flag, at)).collect();
        let solvers = system.clauses.iter().map(|_| None).collect();
        Conjuncts { system, params, store, parts, flags, part_of, solvers, is_exact: true }
    }

    /// The members of a set with which a clause keeps a formula about its head, or excludes its body.
    fn keeps(
        &mut self,
        at: usize,
        part: Option<usize>,
        set: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let clause = &self.system.clauses[at];
        let mut smt = match self.solvers[at].take() {
            Some(smt) => smt,
            None => self.solver(clause),
        };
        let mut assumed: Vec<TermId> = set.iter().map(|&index| self.flags[index]).collect();
        if let (Head::Atom(pred, args), Some(part)) = (&clause.head, part) {
            let map = self.map(*pred, args);
            let after = self.store.substitute(self.parts[part].formula, &map);
            assumed.push(self.store.not(after));
        }
        let answer =
            ask_within(&mut smt, &mut self.store, &assumed, HOUDINI_SUPPORT_CONFLICTS.get(), ctx)?;
        self.is_exact &= answer != Answer::Unknown;
        let used = (answer == Answer::Unsat).then(|| {
            smt.failed().iter().filter_map(|flag| self.part_of.get(flag).copied()).collect()
        });
        self.solvers[at] = Some(smt);
        Ok(used)
    }

    fn map(&self, pred: PredId, args: &[TermId]) -> Substitution {
        self.params[pred.index()].iter().copied().zip(args.iter().copied()).collect()
    }

    /// A solver that knows a clause's body, with its atoms as far as flags say.
    fn solver(&mut self, clause: &Clause) -> Smt {
        let (system, params) = (self.system, self.params);
        let (parts, flags) = (&self.parts, &self.flags);
        let body = system.map_atoms(&mut self.store, clause.body, |store, pred, atom| {
            let args = store.args(atom).to_vec();
            let map: Substitution = params[pred.index()].iter().copied().zip(args).collect();
            let mut says = Vec::new();
            for (part, &flag) in parts.iter().zip(flags) {
                if part.pred == pred.index() {
                    let formula = store.substitute(part.formula, &map);
                    says.push(store.implies(flag, formula));
                }
            }
            store.and(&says)
        });
        let mut smt = Smt::new(Options::default());
        smt.assert(&mut self.store, body);
        smt
    }
}

impl Support for Conjuncts<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn supporters(&mut self, element: Element, set: &[usize], ctx: &mut Ctx<'_>) -> Core {
        let part = match element {
            Element::Property => None,
            Element::Part(index) => Some(index),
        };
        let mut is_used = vec![false; self.parts.len()];
        for at in 0..self.system.clauses.len() {
            let is_asked = match (&self.system.clauses[at].head, part) {
                (Head::False, None) => true,
                (Head::Atom(pred, _), Some(part)) => pred.index() == self.parts[part].pred,
                _ => false,
            };
            if !is_asked {
                continue;
            }
            let Some(used) = self.keeps(at, part, set, ctx)? else { return Ok(None) };
            used.into_iter().for_each(|index| is_used[index] = true);
        }
        Ok(Some(set.iter().copied().filter(|&index| is_used[index]).collect()))
    }

    fn is_exact(&self) -> bool {
        self.is_exact
    }
}
