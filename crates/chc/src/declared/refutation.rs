//! A derivation at terms as a refutation of the clauses.
//!
//! Bodies with axioms are not evaluated, and a clause may be had at arrays that are no values. Then its instances at
//! terms are given to the solver as formulas, beside what defines arrays; what it proves of them is proved of
//! the clauses, since each instance follows from its clause.

use super::axioms::instance;
use crate::settings::{AXIOMS_MODEL_ROUNDS, DECLARED_CONFLICTS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Interpretation};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::obligation::horn::formulas;
use alphorn_problem::obligation::interpretation::assertions;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Store, Substitution, TermId};

/// A clause with a term for each of its variables.
pub(super) type At = (ClauseId, Vec<TermId>);

/// A refutation of the clauses by instances at the values of a derivation.
pub(super) fn at_values(
    horn: &Horn,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let mut terms = horn.terms.clone();
    let mut instances = Vec::with_capacity(derivation.steps.len());
    for step in &derivation.steps {
        let values = step.values.iter().map(|value| terms.value_term(value));
        let Some(values) = values.collect::<Option<Vec<TermId>>>() else { return Ok(None) };
        instances.push((step.clause, values));
    }
    let (chosen, rounds) = (Interpretation::default(), AXIOMS_MODEL_ROUNDS.short());
    refutation(horn, terms, chosen, (&instances, rounds), ctx)
}

/// A refutation of the clauses by instances, and by what is chosen, for which instances of quantifiers are looked for so
/// many times; `horn` has its sorts as chosen, and `terms` extends its store.
pub(super) fn refutation(
    horn: &Horn,
    mut terms: Store,
    chosen: Interpretation,
    (instances, rounds): (&[At], u32),
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let all = formulas(horn, &mut terms);
    let definitions = assertions(horn, &chosen, &mut terms).split_off(all.len());
    let options = Options { proofs: true, instance_rounds: rounds, ..Options::default() };
    let mut smt = Smt::new(options);
    let mut used = Vec::with_capacity(instances.len());
    for (clause, values) in instances {
        let at = clause.index();
        let vars = horn.clauses[at].vars.iter().copied();
        let map: Substitution = vars.zip(values.iter().copied()).collect();
        let (formula, values) = match terms.op(all[at]) {
            Op::Forall => {
                let vars = terms.bound_vars(all[at]);
                let values: Vec<TermId> =
                    vars.iter().filter_map(|var| map.get(var).copied()).collect();
                (instance(&mut terms, all[at], &values), values)
            }
            _ => (all[at], Vec::new()),
        };
        smt.assert(&mut terms, formula);
        used.push(Used { at, formula, values });
    }
    for &definition in &definitions {
        smt.assert(&mut terms, definition);
    }
    let conflicts = DECLARED_CONFLICTS.get() * u64::from(rounds);
    if ask_within(&mut smt, &mut terms, &[], conflicts, ctx)? != Answer::Unsat {
        return Ok(None);
    }
    let Some(found) = smt.refutation(&mut terms) else { return Ok(None) };
    let proof = from_formulas(&terms, &all, &used, found.proof);
    Ok(Some(Derivation::refutation_under(chosen, terms, proof)))
}

/// An instance of a clause as a formula.
struct Used {
    /// The clause's position.
    at: usize,
    formula: TermId,
    /// Values for the variables of the formula; none if it has none.
    values: Vec<TermId>,
}

/// The proof with what it asserts derived from the formulas that have it as instances; what it asserts besides are
/// definitions, which come after the formulas.
fn from_formulas(terms: &Store, all: &[TermId], used: &[Used], proof: Proof) -> Proof {
    let mut steps: Vec<ProofStep> = Vec::with_capacity(proof.steps.len() + 2 * used.len());
    let mut moved: Vec<StepId> = Vec::with_capacity(proof.steps.len());
    for ProofStep { clause, rule } in proof.steps {
        let rule = match rule {
            Rule::Assert(number) => match used.get(number) {
                None => Rule::Assert(all.len() + number - used.len()),
                Some(Used { at, values, .. }) if values.is_empty() => Rule::Assert(*at),
                Some(Used { at, formula, values }) => {
                    let whole = Literal::of(terms, all[*at]);
                    let part = Literal::of(terms, *formula);
                    let first = StepId(steps.len() as u32);
                    let clause = vec![whole];
                    steps.push(ProofStep { clause, rule: Rule::Assert(*at) });
                    let (clause, rule) = (vec![!whole, part], Rule::Instantiate(values.clone()));
                    steps.push(ProofStep { clause, rule });
                    Rule::Rup(vec![first, StepId(first.0 + 1)])
                }
            },
            Rule::Rup(hints) => {
                Rule::Rup(hints.into_iter().map(|hint| moved[hint.0 as usize]).collect())
            }
            other => other,
        };
        moved.push(StepId(steps.len() as u32));
        steps.push(ProofStep { clause, rule });
    }
    Proof { steps }
}
