//! Quantifiers: instances, and witnesses.
//!
//! An instance is made by substitution and compared by its id. A witness is a variable that
//! nothing depends on yet, so its value can be chosen: one for which the body of a quantifier
//! holds, if there is one, or an index at which two arrays differ, if they do. `Context::introduce`
//! keeps witnesses new.

use super::context::{Context, is_clause};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::eval::bound;
use alphorn_term::{Op, Sort, Substitution, TermId};

/// A universal formula implies its instance; an instance implies the existential formula.
pub(super) fn instantiate(
    context: &mut Context,
    clause: &[Literal],
    terms: &[TermId],
) -> Result<(), String> {
    let (first, op) = first_quantifier(context, clause)?;
    if first.negated != (op == Op::Forall) {
        return Err("this quantifier with this sign has witnesses, not instances".to_owned());
    }
    let instance = instance(context, first.atom, terms)?;
    let expected = if first.negated { instance } else { !instance };
    compare(clause, &[first, expected])
}

/// An existential formula implies its instance with witnesses, a universal formula follows from
/// it; arrays that agree at the witness are equal.
pub(super) fn skolem(
    context: &mut Context,
    clause: &[Literal],
    witnesses: &[TermId],
) -> Result<(), String> {
    if let Some(&first) = clause.first()
        && let Some((left, right)) = context.sides(first.atom)
    {
        return extensionality(context, clause, (left, right), witnesses);
    }
    let (first, op) = first_quantifier(context, clause)?;
    if first.negated != (op == Op::Exists) {
        return Err("this quantifier with this sign has instances, not witnesses".to_owned());
    }
    context.introduce(witnesses, &[first.atom])?;
    let instance = instance(context, first.atom, witnesses)?;
    let expected = if first.negated { instance } else { !instance };
    compare(clause, &[first, expected])
}

fn extensionality(
    context: &mut Context,
    clause: &[Literal],
    (left, right): (TermId, TermId),
    witnesses: &[TermId],
) -> Result<(), String> {
    let Sort::Array(index, _) = *context.store().sort_of(context.store().sort(left)) else {
        return Err("the first literal is not an equation of arrays".to_owned());
    };
    let &[witness] = witnesses else {
        return Err("arrays differ at one witness".to_owned());
    };
    context.introduce(witnesses, &[left, right])?;
    if context.store().sort(witness) != index {
        return Err("the witness is not an index of the arrays".to_owned());
    }
    let (at_left, at_right) =
        (context.make().select(left, witness), context.make().select(right, witness));
    let (arrays, elements) = (context.equality(left, right)?, context.equality(at_left, at_right)?);
    compare(clause, &[arrays, !elements])
}

fn first_quantifier(context: &Context, clause: &[Literal]) -> Result<(Literal, Op), String> {
    match clause.first().map(|&first| (first, context.store().op(first.atom))) {
        Some((first, op @ (Op::Forall | Op::Exists))) => Ok((first, op)),
        _ => Err("the first literal is not a quantifier".to_owned()),
    }
}

fn compare(clause: &[Literal], expected: &[Literal]) -> Result<(), String> {
    if is_clause(clause, expected) {
        Ok(())
    } else {
        Err("the second literal is not the instance with these terms".to_owned())
    }
}

/// The body of a quantifier with terms for the bound variables.
fn instance(
    context: &mut Context,
    quantifier: TermId,
    terms: &[TermId],
) -> Result<Literal, String> {
    let store = context.store();
    let vars = store.bound_vars(quantifier);
    if vars.len() != terms.len() {
        let (bound, given) = (vars.len(), terms.len());
        return Err(format!("{given} terms are given for {bound} bound variables"));
    }
    for (&var, &term) in vars.iter().zip(terms) {
        context.known(term)?;
        if store.sort(var) != store.sort(term) {
            return Err("a term has another sort than the bound variable".to_owned());
        }
    }
    let map: Substitution = vars.iter().copied().zip(terms.iter().copied()).collect();
    let body = *store.args(quantifier).last().expect("a quantifier has a body");
    bound::substitution(store, &[body], &map, context.meter())?;
    let term = context.make().substitute(body, &map);
    Ok(context.literal(term))
}
