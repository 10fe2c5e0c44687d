//! Substitution of terms for variables (or for any subterms), without capture and without
//! recursion.
//!
//! A quantifier opens a *scope*: its own variables are not replaced inside it, and where a
//! replacement mentions a variable that the quantifier binds, the bound variable is renamed
//! first. Results are remembered per scope, so shared subterms are rebuilt once.

use crate::op::Op;
use crate::store::{Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What to put for what.
pub type Substitution = FxHashMap<TermId, TermId>;

struct Scope {
    map: Substitution,
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
        let mut walk = Walk { scopes: Vec::new(), inner: BTreeMap::new() };
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
    /// The scope and the new bound variables of a quantifier met in a scope.
    inner: BTreeMap<(usize, TermId), (usize, Vec<TermId>)>,
}

impl Walk {
    fn open(&mut self, store: &Store, map: Substitution) -> usize {
        let values: Vec<TermId> = map.values().copied().collect();
        let mentioned = store.free_vars(&values).into_iter().collect();
        self.scopes.push(Scope { map, mentioned, done: FxHashMap::default() });
        self.scopes.len() - 1
    }

    fn run(&mut self, store: &mut Store, roots: &[TermId]) {
        let mut args: Vec<TermId> = Vec::new();
        let mut stack: Vec<(usize, TermId, bool)> =
            roots.iter().rev().map(|&root| (0, root, false)).collect();
        while let Some((scope, term, ready)) = stack.pop() {
            if self.scopes[scope].done.contains_key(&term) {
                continue;
            }
            let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
            let result = if let Some(&to) = self.scopes[scope].map.get(&term) {
                to
            } else if store.args(term).is_empty() {
                term
            } else if !ready {
                stack.push((scope, term, true));
                if is_quantifier {
                    let inner = self.enter(store, scope, term);
                    stack.push((inner, store.args(term)[store.args(term).len() - 1], false));
                } else {
                    stack.extend(store.args(term).iter().rev().map(|&arg| (scope, arg, false)));
                }
                continue;
            } else if is_quantifier {
                let (inner, mut vars) = self.inner[&(scope, term)].clone();
                let body = store.args(term)[store.args(term).len() - 1];
                vars.push(self.scopes[inner].done[&body]);
                store.mk(store.op(term), &vars)
            } else {
                args.clear();
                args.extend(store.args(term).iter().map(|arg| self.scopes[scope].done[arg]));
                if args == store.args(term) { term } else { store.rebuild(term, &args) }
            };
            self.scopes[scope].done.insert(term, result);
        }
    }

    fn enter(&mut self, store: &mut Store, scope: usize, quantifier: TermId) -> usize {
        let bound = store.bound_vars(quantifier).to_vec();
        let mut map = self.scopes[scope].map.clone();
        // A key that mentions a bound variable is another term inside.
        let keys: Vec<TermId> = map.keys().copied().collect();
        for key in keys {
            let hidden = match store.op(key) {
                Op::Var(_) => bound.contains(&key),
                _ => store.free_vars(&[key]).iter().any(|var| bound.contains(var)),
            };
            if hidden {
                map.remove(&key);
            }
        }
        let mut vars = bound.clone();
        if !map.is_empty() {
            for var in &mut vars {
                if self.scopes[scope].mentioned.contains(var) {
                    let hint = store.var_name(*var).unwrap_or("x").to_owned();
                    let fresh = store.fresh_var(&hint, store.sort(*var));
                    map.insert(*var, fresh);
                    *var = fresh;
                }
            }
        }
        let inner = self.open(store, map);
        self.inner.insert((scope, quantifier), (inner, vars));
        inner
    }
}
