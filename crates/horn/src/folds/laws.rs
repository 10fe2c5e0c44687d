//! Laws of folds, proved by induction.

use super::data::{ctors, field_sorts};
use super::instances::Instances;
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::fold::{Folds, LawCase};
use alphorn_problem::obligation::fold::induction;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};

/// The folds with proofs of their laws.
pub fn with_laws(mut folds: Folds, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Folds, Stop> {
    let mut proved = folds.laws.clone();
    for law in &mut proved {
        for ctor in ctors(store, store.sort(law.var)) {
            let sorts = field_sorts(store, ctor);
            let fields: Vec<TermId> =
                sorts.into_iter().map(|sort| store.fresh_var("z", sort)).collect();
            let mut claims = induction(&folds, law, ctor, &fields, store);
            let equations = alphorn_problem::obligation::fold::equations(&folds, store).len();
            claims.truncate(claims.len() - equations);
            let instances = Instances::of_equations(&folds, store, &claims);
            claims.extend(instances.formulas());
            let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
            for &claim in &claims {
                smt.assert(store, claim);
            }
            let refutation = match ask(&mut smt, store, &[], ctx)? {
                Answer::Unsat => smt.refutation(store),
                _ => None,
            };
            let Some(refutation) = refutation else {
                return Err(Stop::Stuck("a law of folds was not proved".to_owned()));
            };
            let proof = instances.instantiated(store, refutation.proof);
            law.cases.push(LawCase { fields, proof });
        }
    }
    folds.laws = proved;
    Ok(folds)
}
