//! The definitions of the connectives and of conditionals, as clauses.
//!
//! The first literal of the clause is the connective, positive or negated; the rest are what its
//! definition says about its arguments. So nothing is searched for, and a clause with a hundred
//! thousand literals takes a sort.

use super::constraint::{Constraint, Relation};
use super::context::{Context, FALSE, TRUE, is_clause};
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Op, SortId, TermId};
use rustc_hash::FxHashSet;

const OTHER: &str = "the rest of the clause is not what its first literal's connective says";

/// The clause holds by the meaning of its first literal's connective, or has a literal and its
/// negation, or a literal that is true by itself.
pub(super) fn tautology(context: &mut Context, clause: &[Literal]) -> Result<(), String> {
    if has_complement(clause) || clause.contains(&TRUE) || clause.contains(&!FALSE) {
        return Ok(());
    }
    let Some((&first, rest)) = clause.split_first() else {
        return Err("the clause is empty".to_owned());
    };
    // One of many is found in a pass, which is what most steps about long formulas are.
    if let [only] = rest
        && matches!(
            (context.store().op(first.atom), first.negated),
            (Op::And, true) | (Op::Or, false)
        )
    {
        let args = context.store().args(first.atom);
        context.spend(1 + args.len() as u64)?;
        let wanted = if first.negated { *only } else { !*only };
        return match args.iter().any(|&arg| context.literal(arg) == wanted) {
            true => Ok(()),
            false => Err(OTHER.to_owned()),
        };
    }
    let args = context.store().args(first.atom).to_vec();
    context.spend(16 * args.len() as u64)?;
    let literals: Vec<Literal> = match context.store().op(first.atom) {
        Op::Distinct => Vec::new(),
        _ if args.iter().any(|&arg| context.store().sort(arg) != SortId::BOOL) => {
            return Err("the first literal is not a connective".to_owned());
        }
        _ => args.iter().map(|&arg| context.literal(arg)).collect(),
    };
    let holds = match (context.store().op(first.atom), literals.as_slice()) {
        // A conjunction implies each conjunct, and all of them imply it; a disjunction dually.
        (Op::And, _) if first.negated => false,
        (Op::Or, _) if !first.negated => false,
        (Op::And, _) => is_clause(rest, &negated(&literals)),
        (Op::Or, _) => is_clause(rest, &literals),
        (Op::Eq, &[a, b]) if first.negated => one_clause(rest, &[&[!a, b], &[a, !b]]),
        (Op::Eq, &[a, b]) => one_clause(rest, &[&[a, b], &[!a, !b]]),
        (Op::Ite, &[c, a, b]) if first.negated => one_clause(rest, &[&[!c, a], &[c, b], &[a, b]]),
        (Op::Ite, &[c, a, b]) => one_clause(rest, &[&[!c, !a], &[c, !b], &[!a, !b]]),
        (Op::Distinct, _) => distinct(context, first.negated, &args, rest)?,
        _ => return Err("the first literal is not a connective".to_owned()),
    };
    if holds { Ok(()) } else { Err(OTHER.to_owned()) }
}

fn negated(literals: &[Literal]) -> Vec<Literal> {
    literals.iter().map(|&literal| !literal).collect()
}

fn one_clause(rest: &[Literal], expected: &[&[Literal]]) -> bool {
    expected.iter().any(|clause| is_clause(rest, clause))
}

fn has_complement(clause: &[Literal]) -> bool {
    let mut literals = clause.to_vec();
    literals.sort_unstable();
    literals.dedup();
    literals.windows(2).any(|pair| pair[0].atom == pair[1].atom)
}

/// Pairwise different terms: no two are equal, and if no two are equal they are different.
fn distinct(
    context: &mut Context,
    is_negated: bool,
    args: &[TermId],
    rest: &[Literal],
) -> Result<bool, String> {
    if is_negated {
        let [Literal { atom, negated: true }] = *rest else { return Ok(false) };
        let Some((a, b)) = context.sides(atom) else { return Ok(false) };
        return Ok(a != b && args.contains(&a) && args.contains(&b));
    }
    let given: FxHashSet<Literal> = rest.iter().copied().collect();
    let mut expected = Vec::new();
    for (position, &left) in args.iter().enumerate() {
        for &right in &args[position + 1..] {
            context.spend(16)?;
            let literal = context.equality(left, right)?;
            if literal != FALSE && !given.contains(&literal) {
                return Ok(false);
            }
            expected.push(literal);
        }
    }
    Ok(is_clause(rest, &expected))
}

/// A conditional is its first branch where the condition holds, and its second where not.
///
/// Numbers may also be compared: an equation of a conditional with a literal may have become the
/// condition itself when it was made, and then only inequalities can say it.
pub(super) fn conditional(
    context: &mut Context,
    clause: &[Literal],
    term: TermId,
) -> Result<(), String> {
    context.known(term)?;
    let (Op::Ite, &[condition, then, otherwise]) =
        (context.store().op(term), context.store().args(term))
    else {
        return Err("the term is not a conditional".to_owned());
    };
    let condition = context.literal(condition);
    for (case, branch) in [(!condition, then), (condition, otherwise)] {
        if is_clause(clause, &[case, context.equality(term, branch)?]) {
            return Ok(());
        }
        if let [first, second] = *clause
            && let Some(literal) = [(first, second), (second, first)]
                .into_iter()
                .find_map(|(own, other)| (own == case).then_some(other))
            && context.store().sort(term).is_arithmetic()
        {
            let difference = Polynomial::difference(context.terms(), term, branch)?;
            let opposite = difference.negated(context.meter())?;
            for side in [opposite, difference] {
                let side = Constraint::new(Relation::AtMost, side);
                if side.is_said_by(context.terms(), literal)? {
                    return Ok(());
                }
            }
        }
    }
    Err("the clause does not say which branch the conditional equals".to_owned())
}
