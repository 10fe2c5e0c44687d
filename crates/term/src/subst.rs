//! Substitution of terms for variables (or for any subterms), without capture and without
//! recursion.
//!
//! A quantifier opens a *scope*: its own variables are not replaced inside it, and where a
//! replacement mentions a variable that the quantifier binds, the bound variable is renamed
//! first. A scope's map is cut down to what occurs free in the quantifier, and scopes with equal
//! maps are one scope, in which results are remembered: shared subterms are rebuilt once, and
//! quantifiers that the map does not touch are not entered.

use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What to put for what.
pub type Substitution = FxHashMap<TermId, TermId>;

struct Scope {
    map: Rc<Substitution>,
    /// Variables that occur in some replacement: binding one of them would capture it.
    mentioned: FxHashSet<TermId>,
    done: FxHashMap<TermId, TermId>,
}

impl Store {
    /// `root` with every free occurrence of a key of `map` replaced by its value. Sorts must
    /// agree.
    pub fn substitute(&mut self, root: TermId, map: &Substitution) -> TermId {
        self.substitute_all(&[root], map)[0]
    }

    /// `substitute` on several terms, sharing the work.
    pub fn substitute_all(&mut self, roots: &[TermId], map: &Substitution) -> Vec<TermId> {
        if map.is_empty() {
            return roots.to_vec();
        }
        let mut walk = Walk {
            scopes: Vec::new(),
            scope_of: FxHashMap::default(),
            inner: FxHashMap::default(),
            free: self.free_vars_of_quantifiers(roots),
            only_vars: map.keys().all(|&key| matches!(self.op(key), Op::Var(_))),
        };
        walk.open(self, map.clone());
        walk.run(self, roots);
        roots.iter().map(|root| walk.scopes[0].done[root]).collect()
    }

    /// `root` with its free variables `from` replaced by `to`, position by position.
    pub fn rename(&mut self, root: TermId, from: &[TermId], to: &[TermId]) -> TermId {
        let map = from.iter().copied().zip(to.iter().copied()).collect();
        self.substitute(root, &map)
    }
}

struct Walk {
    scopes: Vec<Scope>,
    scope_of: FxHashMap<Vec<(TermId, TermId)>, usize>,
    /// The scope and the new bound variables of a quantifier met in a scope.
    inner: FxHashMap<(usize, TermId), (usize, Vec<TermId>)>,
    /// The free variables of the quantifiers.
    free: FxHashMap<TermId, Vec<TermId>>,
    /// Whether all keys are variables.
    only_vars: bool,
}

impl Walk {
    /// The scope of a map.
    fn open(&mut self, store: &Store, map: Substitution) -> usize {
        let mut content: Vec<(TermId, TermId)> = map.iter().map(|(&k, &v)| (k, v)).collect();
        content.sort_unstable();
        if let Some(&scope) = self.scope_of.get(&content) {
            return scope;
        }
        // Nothing is captured where nothing is bound.
        let mentioned = if !self.free.is_empty() {
            let values: Vec<TermId> = content.iter().map(|&(_, value)| value).collect();
            store.free_vars(&values).into_iter().collect()
        } else {
            FxHashSet::default()
        };
        self.scopes.push(Scope { map: Rc::new(map), mentioned, done: FxHashMap::default() });
        self.scope_of.insert(content, self.scopes.len() - 1);
        self.scopes.len() - 1
    }

    fn run(&mut self, store: &mut Store, roots: &[TermId]) {
        let mut args: Vec<TermId> = Vec::new();
        let mut stack: Vec<(usize, TermId, bool)> =
            roots.iter().rev().map(|&root| (0, root, false)).collect();
        while let Some((scope, term, ready)) = stack.pop() {
            let Scope { map, done, .. } = &self.scopes[scope];
            if done.contains_key(&term) {
                continue;
            }
            let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
            let result = if let Some(&to) = map.get(&term) {
                to
            } else if store.args(term).is_empty() || (self.only_vars && store.is_ground(term)) {
                term
            } else if !ready {
                if is_quantifier {
                    match self.enter(store, scope, term) {
                        Some(inner) => {
                            let body = store.args(term)[store.args(term).len() - 1];
                            stack.push((scope, term, true));
                            stack.push((inner, body, false));
                        }
                        None => {
                            self.scopes[scope].done.insert(term, term);
                        }
                    }
                } else {
                    stack.push((scope, term, true));
                    stack.extend(store.args(term).iter().rev().map(|&arg| (scope, arg, false)));
                }
                continue;
            } else if is_quantifier {
                let (inner, mut vars) = self.inner[&(scope, term)].clone();
                let body = store.args(term)[store.args(term).len() - 1];
                vars.push(self.scopes[inner].done[&body]);
                let result = store.mk(store.op(term), &vars);
                store.carry_annotations(term, result, &Rc::clone(&self.scopes[inner].map));
                result
            } else {
                args.clear();
                args.extend(store.args(term).iter().map(|arg| done[arg]));
                if args == store.args(term) { term } else { store.rebuild(term, &args) }
            };
            self.scopes[scope].done.insert(term, result);
        }
    }

    /// The scope inside a quantifier; `None` if nothing is replaced there.
    fn enter(&mut self, store: &mut Store, scope: usize, quantifier: TermId) -> Option<usize> {
        let bound = store.bound_vars(quantifier).to_vec();
        let outer = Rc::clone(&self.scopes[scope].map);
        let mut map: Substitution = if self.only_vars {
            let free = self.free[&quantifier].iter();
            free.filter_map(|var| outer.get(var).map(|&value| (*var, value))).collect()
        } else {
            // A key that mentions a bound variable is another term inside.
            let hidden = |key: &TermId| {
                let mut vars = match store.op(*key) {
                    Op::Var(_) => vec![*key],
                    _ => store.free_vars(&[*key]),
                };
                vars.retain(|var| bound.contains(var));
                !vars.is_empty()
            };
            outer.iter().filter(|(key, _)| !hidden(key)).map(|(&k, &v)| (k, v)).collect()
        };
        if map.is_empty() {
            return None;
        }
        let mut inner = self.open(store, map.clone());
        let mut vars = bound;
        for var in &mut vars {
            if self.scopes[inner].mentioned.contains(var) {
                let hint = store.var_name(*var).unwrap_or("x").to_owned();
                let fresh = store.fresh_var(&hint, store.sort(*var));
                map.insert(*var, fresh);
                *var = fresh;
            }
        }
        if vars != store.bound_vars(quantifier) {
            inner = self.open(store, map);
        }
        self.inner.insert((scope, quantifier), (inner, vars));
        Some(inner)
    }
}
