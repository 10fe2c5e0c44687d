//! From a model of steps to the states that they can begin in.
//!
//! Literals over numbers that are compared by size, or added up, are taken as inequalities, since each
//! half of an equation may be enough for a lemma. Numbers that are only ever equal or not, as codes are,
//! have no halves: an order between them would be an accident of the model, and there are too many.

use crate::pdr::literal::{normal, split_equations};
use crate::ts::System;
use alphorn_engine::Stop;
use alphorn_smt::project::project;
use alphorn_term::{Model, Op, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes cubes of models.
pub(super) struct Cubes {
    state: Vec<TermId>,
    /// The state's variables that are compared by size or added up.
    ordered: FxHashSet<TermId>,
}

impl Cubes {
    /// For the states of a system.
    pub(super) fn new(system: &System) -> Cubes {
        Cubes { state: system.state.clone(), ordered: Order::of(system) }
    }

    /// Literals over the state, true in the model, from which there are values for the variables that
    /// are `gone` which make the formulas true.
    pub(super) fn before(
        &self,
        store: &mut Store,
        formulas: &[TermId],
        gone: &[TermId],
        mut model: Model,
    ) -> Result<Vec<TermId>, Stop> {
        for &var in self.state.iter().chain(gone) {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(store, store.sort(var))
            {
                model.set(var, value);
            }
        }
        let projection = project(store, formulas, gone, &model);
        let literals = projection.and_then(|projection| projection.with_values(store, &model));
        let Some(literals) = literals else {
            return Err(Stop::Stuck("a model could not be generalized".to_owned()));
        };
        let (codes, others): (Vec<TermId>, Vec<TermId>) =
            literals.into_iter().partition(|&literal| self.is_about_codes(store, literal));
        let others = normal(store, &others, &model);
        let mut cube = split_equations(store, &others);
        cube.extend(codes);
        Ok(cube)
    }

    /// Whether a literal equates numbers, or not, that have no order.
    fn is_about_codes(&self, store: &Store, literal: TermId) -> bool {
        let atom = match store.op(literal) {
            Op::Not => store.args(literal)[0],
            _ => literal,
        };
        store.op(atom) == Op::Eq
            && store.sort(store.args(atom)[0]).is_arithmetic()
            && store.free_vars(&[atom]).iter().all(|var| !self.ordered.contains(var))
    }
}

/// Which variables may have the same values, and which of these are ordered.
struct Order {
    parents: FxHashMap<TermId, TermId>,
    ordered: Vec<TermId>,
}

impl Order {
    /// The state's variables that are ordered.
    fn of(system: &System) -> FxHashSet<TermId> {
        let store = &system.store;
        let mut order = Order { parents: FxHashMap::default(), ordered: Vec::new() };
        for term in store.subterms(&[system.init, system.trans, system.bad]) {
            let args = store.args(term);
            match store.op(term) {
                Op::Eq if store.sort(args[0]).is_arithmetic() => order.compare(store, args, false),
                Op::Le | Op::Lt => order.compare(store, args, true),
                _ => {}
            }
        }
        for (&before, &after) in system.state.iter().zip(&system.next) {
            order.join(before, after);
        }
        let ordered = std::mem::take(&mut order.ordered);
        let roots: FxHashSet<TermId> = ordered.into_iter().map(|var| order.root(var)).collect();
        system.state.iter().copied().filter(|&var| roots.contains(&order.root(var))).collect()
    }

    /// Terms are compared, by size or for equality.
    fn compare(&mut self, store: &Store, terms: &[TermId], mut is_ordered: bool) {
        let (mut stack, mut vars) = (terms.to_vec(), Vec::new());
        let mut seen = FxHashSet::default();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match store.op(term) {
                Op::Var(_) => vars.push(term),
                Op::Ite => stack.extend(&store.args(term)[1..]),
                _ if store.is_literal(term) => {}
                _ => {
                    is_ordered = true;
                    stack.extend(store.args(term));
                }
            }
        }
        if is_ordered {
            self.ordered.extend(&vars);
        }
        for pair in vars.windows(2) {
            self.join(pair[0], pair[1]);
        }
    }

    fn root(&mut self, var: TermId) -> TermId {
        let mut root = var;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        if root != var {
            self.parents.insert(var, root);
        }
        root
    }

    fn join(&mut self, left: TermId, right: TermId) {
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            self.parents.insert(left, right);
        }
    }
}
