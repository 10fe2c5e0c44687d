//! Words as gates: what the bits of words show about comparisons of them.
//!
//! The atoms of the clause are translated into one graph of gates (`problem::obligation::blast::bits`),
//! which makes no gate twice. The first literal is then evaluated, two gates deep, where the others
//! are false. That is enough for the clauses that define a gate, and for an atom and the gate that it
//! is: equal gates are one.

use super::context::Context;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::proof::Literal;
use alphorn_problem::obligation::blast::aig::Aig;

/// How many gates deep the first literal is evaluated: as deep as an exclusive disjunction.
const DEPTH: u32 = 2;

/// The first literal is true where the others are false, as evaluating its gates shows.
pub(super) fn bits(context: &mut Context, clause: &[Literal]) -> Result<(), String> {
    let mut lits = Vec::with_capacity(clause.len());
    let (terms, bits) = context.gates();
    for literal in clause {
        let &[lit] = bits.of_within(terms.store, literal.atom, terms.meter)? else {
            return Err("a literal is not one bit".to_owned());
        };
        lits.push(lit.xor(literal.negated));
    }
    let Some((first, others)) = lits.split_first() else {
        return Err("the clause is empty".to_owned());
    };
    match value(&bits.aig, others, *first, DEPTH) {
        Some(true) => Ok(()),
        _ => Err("the first literal is not seen to be true where the others are false".to_owned()),
    }
}

/// The value of a literal where all of `others` are false, as far as a few gates show.
fn value(aig: &Aig, others: &[Lit], lit: Lit, depth: u32) -> Option<bool> {
    if lit.var() == 0 {
        return Some(lit == Lit::TRUE);
    }
    if let Some(other) = others.iter().find(|other| other.var() == lit.var()) {
        return Some(*other != lit);
    }
    let gate = aig.fan_ins(lit.var()).filter(|_| depth > 0)?;
    let sides = [gate.left, gate.right].map(|side| value(aig, others, side, depth - 1));
    let gate = match sides {
        [Some(false), _] | [_, Some(false)] => Some(false),
        [Some(true), Some(true)] => Some(true),
        _ => None,
    }?;
    Some(gate != lit.is_negated())
}
