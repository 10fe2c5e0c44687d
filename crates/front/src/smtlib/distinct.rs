//! Names that can be printed: different things have different names.
//!
//! In a store, variables of one name and different sorts are different terms, functions may share
//! a name, and a variable may be named like a function. In a text they would be mixed up. Here a
//! system gets names such that, within each clause, a name belongs to one variable, and variables,
//! functions and clauses share none; and no quantifier binds a variable that is one of the
//! clause's, or that another one around or inside binds. The reader keeps to that as it goes, and
//! comes here only for the cases it cannot foresee; the printer makes sure.

use super::operators::theory_symbols;
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_term::{FuncId, Op, Store, Substitution, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Other names for variables and functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Renaming {
    pub(super) vars: FxHashMap<TermId, TermId>,
    pub(super) funcs: FxHashMap<FuncId, FuncId>,
}

impl Renaming {
    pub(super) fn is_empty(&self) -> bool {
        self.vars.is_empty() && self.funcs.is_empty()
    }

    /// The terms with the other names, bound variables included.
    pub(super) fn apply(&self, store: &mut Store, roots: &[TermId]) -> Vec<TermId> {
        let mut renamed: FxHashMap<TermId, TermId> = FxHashMap::default();
        let hints = store.annotated_terms(roots);
        for term in store.subterms(&[&hints, roots].concat()) {
            let args: Vec<TermId> = store.args(term).iter().map(|arg| renamed[arg]).collect();
            let result = match store.op(term) {
                Op::Var(_) => self.vars.get(&term).copied().unwrap_or(term),
                Op::Apply(func) => {
                    let func = self.funcs.get(&func).copied().unwrap_or(func);
                    store.mk(Op::Apply(func), &args)
                }
                _ if args == store.args(term) => term,
                op @ (Op::Forall | Op::Exists) => {
                    let result = store.mk(op, &args);
                    if let Some(said) = store.annotations(term).cloned() {
                        let terms: Vec<TermId> = said.terms().iter().map(|t| renamed[t]).collect();
                        store.annotate(result, said.with_terms(&terms));
                    }
                    result
                }
                _ => store.rebuild(term, &args),
            };
            renamed.insert(term, result);
        }
        roots.iter().map(|root| renamed[root]).collect()
    }
}

/// The names of the theories, the datatypes and `funcs`; functions whose name is taken get
/// another one.
pub(super) fn global_names(
    store: &mut Store,
    funcs: &[FuncId],
    renaming: &mut Renaming,
) -> FxHashSet<SymbolId> {
    let mut names: FxHashSet<SymbolId> = FxHashSet::default();
    names.extend(theory_symbols().filter_map(|name| store.find_symbol(name)));
    for data in store.datas() {
        for &ctor in &store.data(data).ctors {
            let ctor = store.ctor(ctor);
            names.insert(ctor.name);
            names.extend(ctor.fields.iter().map(|(selector, _)| *selector));
        }
    }
    for &func in funcs {
        let decl = store.func(func).clone();
        if !names.insert(decl.name) {
            let hint = store.name(decl.name).to_owned();
            let name = store.fresh_symbol(&hint);
            let text = store.name(name).to_owned();
            let other = store.declare(&text, &decl.args, decl.result);
            renaming.funcs.insert(func, other);
            names.insert(name);
        }
    }
    names
}

/// Gives variables in `roots` other names where theirs belongs to something else.
pub(super) fn rename_vars(
    store: &mut Store,
    roots: &[TermId],
    names: &FxHashSet<SymbolId>,
    renaming: &mut Renaming,
) {
    let mut owner: FxHashMap<SymbolId, TermId> = FxHashMap::default();
    for term in store.subterms(roots) {
        let Op::Var(name) = store.op(term) else { continue };
        if names.contains(&name) || *owner.entry(name).or_insert(term) != term {
            let hint = store.name(name).to_owned();
            let other = store.fresh_var(&hint, store.sort(term));
            renaming.vars.insert(term, other);
        }
    }
}

/// Up to this many quantifiers in a clause, only those get other variables that have to.
const FEW_QUANTIFIERS: usize = 500;

/// Gives quantifiers other variables where theirs are among `free`, or bound inside them as well.
fn separate_binders(store: &mut Store, free: &[TermId], roots: Vec<TermId>) -> Vec<TermId> {
    if !roots.iter().any(|&root| store.has_quantifier(root)) {
        return roots;
    }
    let is_quantifier = |store: &Store, t| matches!(store.op(t), Op::Forall | Op::Exists);
    let all = store.subterms(&roots);
    let open: Vec<TermId> = all.into_iter().filter(|&term| store.has_quantifier(term)).collect();
    let few = open.iter().filter(|&&t| is_quantifier(store, t)).count() <= FEW_QUANTIFIERS;
    let mut inside: FxHashMap<TermId, BTreeSet<TermId>> = FxHashMap::default();
    let mut everywhere: FxHashSet<TermId> = free.iter().copied().collect();
    let mut clashing: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for &term in &open {
        let mut bound: BTreeSet<TermId> = BTreeSet::new();
        for arg in store.args(term) {
            bound.extend(inside.get(arg).into_iter().flatten());
        }
        if is_quantifier(store, term) {
            let vars = store.bound_vars(term);
            let clashes = |var: &TermId| everywhere.contains(var) || bound.contains(var);
            let clashing_vars: Vec<TermId> = vars.iter().copied().filter(clashes).collect();
            if !clashing_vars.is_empty() {
                clashing.insert(term, clashing_vars);
            }
            // Of many quantifiers, all get variables of their own: sets would grow too large.
            if few {
                bound.extend(vars);
            } else {
                everywhere.extend(vars);
            }
        }
        inside.insert(term, bound);
    }
    if clashing.is_empty() {
        return roots;
    }
    let mut rebuilt: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &term in &open {
        let current = |arg: &TermId| rebuilt.get(arg).copied().unwrap_or(*arg);
        let mut args: Vec<TermId> = store.args(term).iter().map(current).collect();
        if let Some(vars) = clashing.get(&term) {
            let mut map = Substitution::default();
            for &var in vars {
                let hint = store.var_name(var).unwrap_or("x").to_owned();
                map.insert(var, store.fresh_var(&hint, store.sort(var)));
            }
            let body = args.len() - 1;
            args[body] = store.substitute(args[body], &map);
            for arg in &mut args[..body] {
                *arg = map.get(arg).copied().unwrap_or(*arg);
            }
        }
        let result = store.rebuild(term, &args);
        rebuilt.insert(term, result);
    }
    roots.into_iter().map(|root| rebuilt.get(&root).copied().unwrap_or(root)).collect()
}

/// The functions a system mentions: its predicates, then the others in the store's order.
pub(super) fn functions(horn: &Horn) -> Vec<FuncId> {
    let mut funcs: Vec<FuncId> = horn.preds.iter().map(|pred| pred.func).collect();
    let mut others: Vec<FuncId> = Vec::new();
    let mut seen: FxHashSet<FuncId> = funcs.iter().copied().collect();
    if horn.terms.funcs().count() > funcs.len() {
        let roots: Vec<TermId> = horn.clauses.iter().flat_map(clause_terms).collect();
        for term in horn.terms.subterms(&roots) {
            if let Op::Apply(func) = horn.terms.op(term)
                && seen.insert(func)
            {
                others.push(func);
            }
        }
    }
    others.sort_unstable();
    funcs.extend(others);
    funcs
}

/// All terms of a clause.
pub(super) fn clause_terms(clause: &Clause) -> Vec<TermId> {
    let mut terms = clause.vars.clone();
    terms.push(clause.body);
    if let Head::Atom(_, args) = &clause.head {
        terms.extend(args);
    }
    terms
}

/// The system with names that can be printed; `None` if it has them already.
pub(crate) fn distinct_names(horn: &Horn) -> Option<Horn> {
    let mut store = horn.terms.clone();
    let mut common = Renaming::default();
    let mut names = global_names(&mut store, &functions(horn), &mut common);
    let mut clauses = horn.clauses.clone();
    let mut changed = !common.is_empty() | rename_clauses(&store, &mut clauses, &names);
    for name in clauses.iter().filter_map(|clause| clause.name.as_ref()) {
        names.extend(store.find_symbol(name));
    }
    for clause in &mut clauses {
        let terms = clause_terms(clause);
        let mut renaming = common.clone();
        rename_vars(&mut store, &terms, &names, &mut renaming);
        let renamed = match renaming.is_empty() {
            true => terms.clone(),
            false => renaming.apply(&mut store, &terms),
        };
        let free = renamed[..clause.vars.len()].to_vec();
        let renamed = separate_binders(&mut store, &free, renamed);
        if renamed == terms {
            continue;
        }
        changed = true;
        let mut renamed = renamed.into_iter();
        clause.vars = renamed.by_ref().take(clause.vars.len()).collect();
        clause.body = renamed.next().unwrap_or(clause.body);
        if let Head::Atom(_, args) = &mut clause.head {
            *args = renamed.collect();
        }
    }
    if !changed {
        return None;
    }
    let mut result = Horn::new(store);
    for pred in &horn.preds {
        result.add_pred(common.funcs.get(&pred.func).copied().unwrap_or(pred.func), pred.span);
    }
    result.clauses = clauses;
    Some(result)
}

/// Gives clauses other names where theirs is taken.
fn rename_clauses(store: &Store, clauses: &mut [Clause], names: &FxHashSet<SymbolId>) -> bool {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut changed = false;
    for clause in clauses {
        let Some(name) = &mut clause.name else { continue };
        let is_taken = |text: &str| store.find_symbol(text).is_some_and(|s| names.contains(&s));
        while is_taken(name) || used.contains(name) || theory_symbols().any(|symbol| symbol == name)
        {
            name.push('\'');
            changed = true;
        }
        used.insert(name.clone());
    }
    changed
}
