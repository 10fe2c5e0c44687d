//! Hints of users, tried on a system.
//!
//! Of the formulas that somebody thinks to hold, the largest part that all clauses keep is found (Houdini). What is
//! left holds of everything that can be derived, so bodies may say it as well: `strengthen` puts it there, and
//! every engine and transform has it. Models of the stronger clauses, with the formulas, are models of the
//! clauses as they were, and derivations are the same. The way back claims no more than that; the proof of
//! what is claimed is of the clauses as read, like all proofs.

use super::domain::Domain;
use super::global::fixpoint;
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::hint::HintKind;
use alphorn_problem::horn::PredId;
use alphorn_problem::lemma::HornLemma;
use alphorn_problem::obligation::horn::unfold;

/// A system whose bodies say what was found to hold.
pub struct Strengthened {
    /// The system; clauses have their positions and variables.
    pub horn: Horn,
    /// The way back.
    pub back: Back<Horn, Horn>,
    /// How many formulas hold.
    pub held: usize,
}

/// Puts those of the hints into bodies that hold together; none if there is no such.
pub fn strengthen(
    horn: &Horn,
    hints: &[HornLemma],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Strengthened>, Stop> {
    let mut domain = Domain::new(horn)?;
    let mut formulas = Vec::new();
    for hint in hints.iter().filter(|hint| hint.is_formula()) {
        let pred = hint.pred.index();
        let Some(params) = domain.system.params.get(pred).cloned() else { continue };
        if domain.system.relevant[pred]
            && let Some(formula) = hint.read(&mut domain.store, &params)
        {
            formulas.push((pred, formula));
        }
    }
    if domain.add(formulas).is_none() {
        return Ok(None);
    }
    let versions = fixpoint(&mut domain, ctx)?;
    let mut lemmas: Vec<HornLemma> = Vec::new();
    for (pred, label) in versions.labels() {
        let id = PredId(u32::try_from(pred).expect("predicates have small numbers"));
        let params = &domain.system.params[pred];
        for formula in domain.predicates.formulas(label) {
            let kind = HintKind::Formula;
            lemmas.extend(HornLemma::of_hint(&domain.store, id, params, formula, kind));
        }
    }
    if lemmas.is_empty() {
        return Ok(None);
    }
    let held = lemmas.len();
    let horn = stronger(horn, &lemmas)?;
    Ok(Some(Strengthened { horn, back: way_back(lemmas), held }))
}

/// The clauses with what holds of the facts that they use.
fn stronger(horn: &Horn, lemmas: &[HornLemma]) -> Result<Horn, Stop> {
    let mut result = horn.clone();
    let mut store = std::mem::take(&mut result.terms);
    for (id, clause) in horn.clauses() {
        // What stands for quantified predicates says how by its form.
        if horn.quantified.contains_key(&id) {
            continue;
        }
        let body = unfold(horn, clause, &mut store, |store, atom, args| {
            let of = |lemma: &&HornLemma| Some(lemma.pred) == horn.atom(atom);
            let mut parts = vec![atom];
            for lemma in lemmas.iter().filter(of) {
                parts.extend(lemma.read(store, args));
            }
            Ok(Some(store.and(&parts)))
        });
        result.clauses[id.index()].body = body.map_err(Stop::Stuck)?;
    }
    result.terms = store;
    Ok(result)
}

fn way_back(lemmas: Vec<HornLemma>) -> Back<Horn, Horn> {
    Back::new(
        move |mut claim: HornClaim| {
            for lemma in &lemmas {
                let Some(definition) = claim.preds.get_mut(lemma.pred.index()) else {
                    return Err(Lost("a model does not fit the system it is about".to_owned()));
                };
                if let Some(formula) = lemma.read(&mut claim.terms, &definition.params) {
                    definition.body = claim.terms.and(&[definition.body, formula]);
                }
            }
            claim.hints.clear();
            Ok(claim)
        },
        Ok,
    )
}
