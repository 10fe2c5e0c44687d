//! Datatypes: values are trees of constructors, finite ones unless it is a codatatype.
//!
//! Constructors on constructors are settled when terms are made (a tester, a selector, an
//! equation of different constructors); what equal values have in common is congruence. The
//! axioms left are told apart by their shape: every value has exactly one constructor, is made of
//! its fields, constructors are injective, and no value of a datatype that is no codatatype is inside
//! itself. That values of codatatypes are equal if they cannot be told apart is the rule `bisimulation`.

use super::context::{Context, is_clause};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{CtorId, Exhausted, Op, Sort, Store, TermId};
use rustc_hash::FxHashSet;

/// The clause is an axiom of datatypes.
pub(super) fn datatype(context: &mut Context, clause: &[Literal]) -> Result<(), String> {
    if let Some((ctor, _)) = clause.first().and_then(|&l| tester(context.store(), l)) {
        let store = context.store();
        context.spend((store.data(store.ctor(ctor).data).ctors.len() * 4) as u64)?;
    }
    if is_exhaustive(context.store(), clause)
        || is_exclusive(context.store(), clause)
        || is_made_of_fields(context, clause)?
        || is_injective(context, clause)?
        || is_acyclic(context, clause)?
    {
        Ok(())
    } else {
        Err("the clause is none of the axioms of datatypes".to_owned())
    }
}

/// The constructor and the term that a tester asks about.
fn tester(store: &Store, literal: Literal) -> Option<(CtorId, TermId)> {
    match (store.op(literal.atom), store.args(literal.atom)) {
        (Op::Is(ctor), &[of]) => Some((ctor, of)),
        _ => None,
    }
}

/// x was made by one of all constructors.
fn is_exhaustive(store: &Store, clause: &[Literal]) -> bool {
    let Some((first, of)) = clause.first().and_then(|&l| tester(store, l)) else { return false };
    let mut named = FxHashSet::default();
    for &literal in clause {
        match tester(store, literal) {
            Some((ctor, other)) if other == of && !literal.negated => named.insert(ctor),
            _ => return false,
        };
    }
    store.data(store.ctor(first).data).ctors.iter().all(|ctor| named.contains(ctor))
}

/// x was not made by two constructors.
fn is_exclusive(store: &Store, clause: &[Literal]) -> bool {
    let [first, second] = *clause else { return false };
    match (tester(store, first), tester(store, second)) {
        (Some((one, of)), Some((other, same))) => {
            first.negated && second.negated && of == same && one != other
        }
        _ => false,
    }
}

/// If x was made by a constructor, it is the constructor applied to x's fields.
fn is_made_of_fields(context: &mut Context, clause: &[Literal]) -> Result<bool, String> {
    let (ctor, of, test) = match *clause {
        [test, _] if test.negated => match tester(context.store(), test) {
            Some((ctor, of)) => (ctor, of, Some(test)),
            None => return Ok(false),
        },
        // The tester of an only constructor is true and does not show.
        [equation] if !equation.negated => {
            let Some((left, right)) = context.sides(equation.atom) else { return Ok(false) };
            let made = |term| matches!(context.store().op(term), Op::Construct(_));
            let of = if made(left) { right } else { left };
            let Sort::Data(data) = *context.store().sort_of(context.store().sort(of)) else {
                return Ok(false);
            };
            let [only] = context.store().data(data).ctors[..] else { return Ok(false) };
            (only, of, None)
        }
        _ => return Ok(false),
    };
    context.spend(context.store().ctor(ctor).fields.len() as u64 * 16)?;
    let store = context.make();
    let count = store.ctor(ctor).fields.len() as u32;
    let fields: Vec<TermId> =
        (0..count).map(|field| store.mk(Op::Field(ctor, field), &[of])).collect();
    let made = store.mk(Op::Construct(ctor), &fields);
    let mut expected = vec![context.equality(of, made)?];
    expected.extend(test);
    Ok(is_clause(clause, &expected))
}

/// Equal applications of a constructor have equal arguments.
fn is_injective(context: &mut Context, clause: &[Literal]) -> Result<bool, String> {
    let Some((&first, conclusion)) = clause.split_first() else { return Ok(false) };
    let Some((left, right)) = context.sides(first.atom).filter(|_| first.negated) else {
        return Ok(false);
    };
    let store = context.store();
    let (Op::Construct(one), Op::Construct(other)) = (store.op(left), store.op(right)) else {
        return Ok(false);
    };
    let pairs: Vec<(TermId, TermId)> =
        store.args(left).iter().copied().zip(store.args(right).iter().copied()).collect();
    if one != other {
        return Ok(false);
    }
    for (a, b) in pairs {
        context.spend(16)?;
        let expected = context.equality(a, b)?;
        if is_clause(conclusion, &[expected]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The terms u₁, …, uₙ do not equal constructor terms t₁, …, tₙ such that uᵢ₊₁ is inside tᵢ, and
/// u₁ inside tₙ. The constructors are not those of codatatypes, whose values may be inside themselves.
fn is_acyclic(context: &Context, clause: &[Literal]) -> Result<bool, Exhausted> {
    let store = context.store();
    let is_made = |term| ends(store, term);
    let mut links: Vec<(TermId, TermId)> = Vec::with_capacity(clause.len());
    for literal in clause {
        match context.sides(literal.atom).filter(|_| literal.negated) {
            Some((value, made)) if is_made(made) && !is_made(value) => links.push((value, made)),
            Some((made, value)) if is_made(made) && !is_made(value) => links.push((value, made)),
            _ => return Ok(false),
        }
    }
    let next = links.iter().cycle().skip(1);
    for ((_, made), (value, _)) in links.iter().zip(next) {
        if !is_inside(context, *made, *value)? {
            return Ok(false);
        }
    }
    Ok(!links.is_empty())
}

/// Whether a term is a constructor's application whose parts are smaller than it.
fn ends(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::Construct(ctor) => !store.data(store.ctor(ctor).data).is_co,
        _ => false,
    }
}

/// Whether `value` is below `made`, with nothing but constructors above it.
fn is_inside(context: &Context, made: TermId, value: TermId) -> Result<bool, Exhausted> {
    let store = context.store();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = vec![made];
    while let Some(term) = stack.pop() {
        if term == value {
            return Ok(true);
        }
        // Arguments have smaller ids than applications.
        if term > value && ends(store, term) && seen.insert(term) {
            context.spend(4 + store.args(term).len() as u64)?;
            stack.extend(store.args(term));
        }
    }
    Ok(false)
}
