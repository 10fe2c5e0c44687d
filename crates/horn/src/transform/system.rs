//! Predicates and clauses without their terms.
//!
//! Transforms come one after the other, and each needs the system before it for its way back. Stores
//! only grow, so the last store has the terms of all of them: what is kept per transform is this.
//! The methods are those of `Horn`, with the store as an argument.

use crate::settings::DEFINITIONS_LARGE;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_smt::{Options, Smt};
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The predicates and clauses of a Horn system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The predicates; clauses refer to them by position.
    pub preds: Vec<Pred>,
    /// Clauses over them; positions change from transform to transform.
    pub clauses: Vec<Clause>,
    pred_of: FxHashMap<FuncId, PredId>,
}

impl System {
    /// A system of these predicates and clauses.
    pub fn new(preds: Vec<Pred>, clauses: Vec<Clause>) -> System {
        let ids = preds.iter().enumerate().map(|(at, pred)| (pred.func, PredId(at as u32)));
        let pred_of = ids.collect();
        System { preds, clauses, pred_of }
    }

    /// The system without its terms.
    pub fn of(horn: &Horn) -> System {
        System::new(horn.preds.clone(), horn.clauses.clone())
    }

    /// The system with its terms.
    pub fn to_horn(&self, store: Store) -> Horn {
        let mut horn = Horn::new(store);
        for pred in &self.preds {
            horn.add_pred(pred.func, pred.span);
        }
        horn.clauses = self.clauses.clone();
        horn
    }

    /// The predicate of an atom, if the term is one.
    pub fn atom(&self, store: &Store, term: TermId) -> Option<PredId> {
        match store.op(term) {
            Op::Apply(func) => self.pred_of.get(&func).copied(),
            _ => None,
        }
    }

    /// The distinct predicate atoms in a body, in the order of occurrence.
    pub fn atoms(&self, store: &Store, body: TermId) -> Vec<TermId> {
        self.parts(store, body).into_iter().filter(|&t| self.atom(store, t).is_some()).collect()
    }

    /// The distinct parts of a body, arguments first, down to atoms and to formulas without
    /// predicates.
    pub fn parts(&self, store: &Store, body: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![(body, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                if self.is_inner(store, term) {
                    stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
                }
            }
        }
        order
    }

    /// Whether a term is a conjunction or disjunction that may have atoms below.
    pub fn is_inner(&self, store: &Store, term: TermId) -> bool {
        matches!(store.op(term), Op::And | Op::Or) && store.has_apply(term)
    }

    /// Whether a part of a body is a formula without predicates.
    pub fn is_constraint(&self, store: &Store, part: TermId) -> bool {
        !self.is_inner(store, part) && self.atom(store, part).is_none()
    }

    /// A body with its atoms replaced.
    pub fn map_atoms(
        &self,
        store: &mut Store,
        body: TermId,
        mut replace: impl FnMut(&mut Store, PredId, TermId) -> TermId,
    ) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in self.parts(store, body) {
            let result = if let Some(pred) = self.atom(store, part) {
                replace(store, pred, part)
            } else if self.is_inner(store, part) {
                let args: Vec<TermId> = store.args(part).iter().map(|arg| done[arg]).collect();
                if args == store.args(part) { part } else { store.rebuild(part, &args) }
            } else {
                part
            };
            done.insert(part, result);
        }
        done[&body]
    }

    /// A solver that knows a body in which each atom is replaced by the formulas that `parts` has for it on
    /// its arguments, each switched on by its literal of `flags`, which are given for each predicate. So one
    /// solver serves for all subsets of the formulas.
    pub fn switched(
        &self,
        store: &mut Store,
        body: TermId,
        flags: &[Vec<TermId>],
        parts: impl Fn(&mut Store, PredId, &[TermId]) -> Vec<TermId>,
    ) -> Smt {
        let body = self.map_atoms(store, body, |store, pred, atom| {
            let args = store.args(atom).to_vec();
            let parts = parts(store, pred, &args);
            let mut says = Vec::with_capacity(parts.len());
            for (&flag, part) in flags[pred.index()].iter().zip(parts) {
                says.push(store.implies(flag, part));
            }
            store.and(&says)
        });
        let mut smt = Smt::new(Options::default());
        smt.assert(store, body);
        smt
    }

    /// The sorts of a predicate's arguments.
    pub fn sorts(&self, store: &Store, pred: PredId) -> Vec<SortId> {
        store.func(self.preds[pred.index()].func).args.clone()
    }

    /// Fresh variables for the arguments of a predicate.
    pub fn params(&self, store: &mut Store, pred: PredId) -> Vec<TermId> {
        let sorts = self.sorts(store, pred);
        sorts.into_iter().map(|sort| store.fresh_var("x", sort)).collect()
    }

    /// Variables for the arguments of a predicate, the same for all predicates with such arguments: for
    /// meanings, whose parameters are always substituted together. Fresh ones for every predicate and every
    /// transform would be most of the terms of a large system.
    pub fn formal_params(&self, store: &mut Store, pred: PredId) -> Vec<TermId> {
        let sorts = self.sorts(store, pred).into_iter().enumerate();
        sorts.map(|(at, sort)| store.var(&format!("formal!{at}"), sort)).collect()
    }

    /// The predicates a body mentions, without repetition.
    pub fn body_preds(&self, store: &Store, body: TermId) -> Vec<PredId> {
        let atoms = self.atoms(store, body);
        let mut preds: Vec<PredId> = atoms.iter().filter_map(|&t| self.atom(store, t)).collect();
        preds.sort_unstable();
        preds.dedup();
        preds
    }

    /// Whether the system is one large formula: no clause needs two facts, and none of its own
    /// predicate. Its parts are what an engine has to take hold of; with fewer predicates or arguments it
    /// would be as hard, and what was removed would have to be found again.
    pub fn is_one_large_formula(&self, store: &Store) -> bool {
        let goes_on = |clause: &&Clause| !self.is_standing_still(store, clause);
        let clauses: Vec<&Clause> = self.clauses.iter().filter(goes_on).collect();
        let bodies: Vec<TermId> = clauses.iter().map(|clause| clause.body).collect();
        if bodies.iter().any(|&body| self.atoms(store, body).len() > 1) {
            return false;
        }
        let needs: Vec<Vec<PredId>> =
            bodies.iter().map(|&body| self.body_preds(store, body)).collect();
        let mut clauses_of: Vec<Vec<usize>> = vec![Vec::new(); self.preds.len()];
        for (at, clause) in clauses.iter().enumerate() {
            if let Head::Atom(pred, _) = &clause.head {
                clauses_of[pred.index()].push(at);
            }
        }
        // A predicate is done when all its clauses are, and a clause when all that it needs is.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.preds.len()];
        for (at, needs) in needs.iter().enumerate() {
            needs.iter().for_each(|need| users[need.index()].push(at));
        }
        let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
        let mut left: Vec<usize> = clauses_of.iter().map(Vec::len).collect();
        let mut done_preds: Vec<usize> =
            (0..self.preds.len()).filter(|&pred| left[pred] == 0).collect();
        let mut ready: Vec<usize> = (0..clauses.len()).filter(|&at| open[at] == 0).collect();
        let mut count = 0;
        loop {
            if let Some(pred) = done_preds.pop() {
                for &user in &users[pred] {
                    open[user] -= 1;
                    if open[user] == 0 {
                        ready.push(user);
                    }
                }
            } else if let Some(at) = ready.pop() {
                count += 1;
                if let Head::Atom(pred, _) = &clauses[at].head {
                    left[pred.index()] -= 1;
                    if left[pred.index()] == 0 {
                        done_preds.push(pred.index());
                    }
                }
            } else {
                break;
            }
        }
        let is_acyclic = count == clauses.len();
        is_acyclic && store.dag_size(&bodies) > DEFINITIONS_LARGE.size()
    }

    /// Whether a clause concludes one of the facts that it needs.
    fn is_standing_still(&self, store: &Store, clause: &Clause) -> bool {
        let Head::Atom(pred, args) = &clause.head else { return false };
        let is_head =
            |&atom: &TermId| self.atom(store, atom) == Some(*pred) && store.args(atom) == args;
        conjuncts(store, clause.body).iter().any(is_head)
    }

    /// The positions of the clauses that conclude each predicate.
    pub fn clauses_of(&self) -> Vec<Vec<usize>> {
        let mut clauses_of = vec![Vec::new(); self.preds.len()];
        for (at, clause) in self.clauses.iter().enumerate() {
            if let Head::Atom(pred, _) = &clause.head {
                clauses_of[pred.index()].push(at);
            }
        }
        clauses_of
    }
}

/// The conjuncts of a formula, without repetition.
pub fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    alphorn_term::parts::conjuncts(store, &[formula])
}

/// The arguments of a head; none for a query.
pub fn head_args(clause: &Clause) -> &[TermId] {
    match &clause.head {
        Head::Atom(_, args) => args,
        Head::False => &[],
    }
}

/// The variables of a clause that occur in it, in their order.
pub fn used_vars(store: &Store, clause: &Clause) -> Vec<TermId> {
    let mut roots = vec![clause.body];
    roots.extend(head_args(clause));
    let free: FxHashSet<TermId> = store.free_vars(&roots).into_iter().collect();
    clause.vars.iter().copied().filter(|var| free.contains(var)).collect()
}
