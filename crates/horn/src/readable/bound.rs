//! Short names for the variables that a definition binds.
//!
//! Engines bind variables such as `i!27`, so that nothing is captured. A definition for people has `i`
//! instead, or `i1` where the file or the definition has an `i`: definitions must not bind variables of
//! clauses, and nothing that the file declares may be hidden.
//!
//! Invariant: the result is the definition up to the names of bound variables.

use alphorn_problem::Horn;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Names that bound variables must not have.
pub(super) fn taken(horn: &Horn, store: &Store, params: &[TermId]) -> BTreeSet<String> {
    let clauses = horn.clauses.iter().flat_map(|clause| &clause.vars);
    let vars = clauses.chain(params).filter_map(|&var| store.var_name(var).map(str::to_owned));
    let funcs = store.funcs().map(|func| store.name(store.func(func).name).to_owned());
    let mut taken: BTreeSet<String> = vars.chain(funcs).collect();
    for ctor in store.datas().flat_map(|data| &store.data(data).ctors) {
        let ctor = store.ctor(*ctor);
        taken.insert(store.name(ctor.name).to_owned());
        taken.extend(ctor.fields.iter().map(|(field, _)| store.name(*field).to_owned()));
    }
    taken
}

/// A formula whose bound variables have short names, each quantifier its own, none of them `taken`.
pub(super) fn shorten(store: &mut Store, root: TermId, mut taken: BTreeSet<String>) -> TermId {
    let all = store.subterms(&[root]);
    if are_short(store, &all, &taken) {
        return root;
    }
    taken.extend(all.iter().filter_map(|&term| store.var_name(term).map(str::to_owned)));
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in all {
        if !store.has_quantifier(term) {
            done.insert(term, term);
            continue;
        }
        let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
        let result = match (store.op(term), args.split_last()) {
            (op @ (Op::Forall | Op::Exists), Some((&body, vars))) => {
                let names: Vec<TermId> =
                    vars.iter().map(|&var| short(store, var, &mut taken)).collect();
                let body = store.rename(body, vars, &names);
                match op {
                    Op::Forall => store.forall(&names, body),
                    _ => store.exists(&names, body),
                }
            }
            _ => store.rebuild(term, &args),
        };
        done.insert(term, result);
    }
    done[&root]
}

/// Whether all bound variables have names as they should be.
fn are_short(store: &Store, terms: &[TermId], taken: &BTreeSet<String>) -> bool {
    let quantified = |term: &&TermId| matches!(store.op(**term), Op::Forall | Op::Exists);
    let mut seen = BTreeSet::new();
    terms.iter().filter(quantified).flat_map(|&term| store.bound_vars(term)).all(|&var| {
        let name = store.var_name(var).unwrap_or("!");
        !name.contains('!') && !taken.contains(name) && seen.insert(name)
    })
}

/// A variable of the same sort whose name nobody has.
fn short(store: &mut Store, var: TermId, taken: &mut BTreeSet<String>) -> TermId {
    let name = store.var_name(var).unwrap_or("i");
    let base =
        name.split('!').next().unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_digit());
    let base = if base.is_empty() { "i".to_owned() } else { base.to_owned() };
    let numbered = (1..).map(|number| format!("{base}{number}"));
    let name = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name));
    let name = name.expect("there are more numbers than names");
    let sort = store.sort(var);
    let short = store.var(&name, sort);
    taken.insert(name);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::SortId;

    #[test]
    fn names_are_short_and_nobodys() {
        let mut store = Store::new();
        let (x, bound) = (store.var("i", SortId::INT), store.fresh_var("i", SortId::INT));
        let less = store.lt(x, bound);
        let inner = store.exists(&[bound], less);
        let outer_var = store.fresh_var("n", SortId::INT);
        let (other, zero) = (store.lt(outer_var, x), store.int(0));
        let positive = store.lt(zero, x);
        let both = store.or(&[inner, other, positive]);
        let formula = store.forall(&[outer_var], both);
        let taken = ["i", "i1"].into_iter().map(str::to_owned).collect();
        let result = shorten(&mut store, formula, taken);
        let text = store.show(result);
        assert!(text.contains("((i2 Int))") && text.contains("((n Int))"), "{text}");
        assert_eq!(store.free_vars(&[result]), vec![x]);
        assert_eq!(shorten(&mut store, result, BTreeSet::new()), result);
    }
}
