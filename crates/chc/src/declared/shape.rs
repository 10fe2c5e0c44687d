//! What an interpretation of the functions must exclude, learned from a derivation.
//!
//! A derivation under one interpretation is a shape: which clauses, with which premises. Over fresh
//! variables for each step it is a formula about the functions; interpretations for which the formula
//! has no solution exclude all derivations of that shape, with whatever values. Variables that
//! equations determine are replaced, so that little is quantified.
//!
//! Invariant: an interpretation under which all clauses hold satisfies what is learned.

use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::horn::unfold;
use alphorn_term::{FuncId, Op, Store, Substitution, TermId};

/// That no derivation of this shape is one: a closed formula about the functions.
pub(super) fn excluded(
    horn: &Horn,
    derivation: &Derivation,
    store: &mut Store,
) -> Result<TermId, String> {
    let mut facts: Vec<Option<(FuncId, Vec<TermId>)>> = Vec::new();
    let (mut parts, mut vars) = (Vec::new(), Vec::new());
    for step in &derivation.steps {
        let clause = horn.clause(step.clause);
        let mut fresh = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            let hint = horn.terms.var_name(var).unwrap_or("x").to_owned();
            fresh.push(store.fresh_var(&hint, store.sort(var)));
        }
        let body = unfold(horn, clause, store, |store, atom, args| {
            let mut ways = Vec::new();
            for &premise in &step.premises {
                if let Some(Some((func, values))) = facts.get(premise)
                    && horn.terms.op(atom) == Op::Apply(*func)
                {
                    let pairs = args.iter().zip(values);
                    let equal: Vec<TermId> = pairs.map(|(a, b)| store.eq(*a, *b)).collect();
                    ways.push(store.and(&equal));
                }
            }
            Ok(Some(store.or(&ways)))
        })?;
        parts.push(store.rename(body, &clause.vars, &fresh));
        facts.push(match &clause.head {
            Head::False => None,
            Head::Atom(pred, args) => {
                let args = args.iter().map(|arg| store.rename(*arg, &clause.vars, &fresh));
                Some((horn.pred(*pred).func, args.collect()))
            }
        });
        vars.extend(fresh);
    }
    let whole = store.and(&parts);
    let possible = without_determined(store, whole, &vars);
    let free = store.free_vars(&[possible]);
    let impossible = store.not(possible);
    Ok(store.forall(&free, impossible))
}

/// A conjunction without variables that its equations determine.
fn without_determined(store: &mut Store, mut whole: TermId, vars: &[TermId]) -> TermId {
    loop {
        let parts = match store.op(whole) {
            Op::And => store.args(whole).to_vec(),
            _ => vec![whole],
        };
        let solved = parts.iter().find_map(|&part| {
            let (Op::Eq, &[left, right]) = (store.op(part), store.args(part)) else { return None };
            [(left, right), (right, left)]
                .into_iter()
                .find(|(var, term)| vars.contains(var) && !store.free_vars(&[*term]).contains(var))
        });
        let Some((var, term)) = solved else { return whole };
        whole = store.substitute(whole, &Substitution::from_iter([(var, term)]));
    }
}
