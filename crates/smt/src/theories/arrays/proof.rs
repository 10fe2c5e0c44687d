//! Steps for clauses about paths of writes.
//!
//! Along the path the reads at the first index are equal, one by one: reads from equal arrays by
//! congruence or the array axiom, reads from a write and from what was written by the axiom. The
//! chain of these equations is closed by equality; one step of propagation gives the clause.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Op, SortId, TermId};

use super::lemma::{Hop, Path};
use crate::euf;
use crate::theories::encode::Lemma;
use crate::theories::proof::Writer;
use crate::theories::proof::leaf::stated;

impl Lemma for Path {
    fn prove(&self, writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId> {
        path(writer, self, clause)
    }
}

/// A step for the clause of a path, where `clause` is what represents its literals.
fn path(writer: &mut Writer<'_>, path: &Path, clause: &[Literal]) -> Option<StepId> {
    let index = path.indices[0];
    let (mut from, mut hints, mut equations) = (Vec::new(), Vec::new(), Vec::new());
    for hop in &path.hops {
        match hop {
            Hop::Equal(left, right, lits) => {
                let mut reason = Vec::with_capacity(lits.len() + 1);
                for lit in lits {
                    reason.push(!writer.literal(*lit)?);
                }
                from.extend_from_slice(&reason);
                let equation = equation_of(writer, *left, *right);
                if !reason.contains(&!equation) {
                    reason.push(equation);
                    hints.push(euf::prove_clause(writer.store, &reason, &mut writer.steps)?);
                }
                let reads = [*left, *right].map(|array| writer.store.select(array, index));
                let equal = equation_of(writer, reads[0], reads[1]);
                if reads[0] != reads[1] {
                    hints.push(writer.push(stated(&[!equation, equal]), Rule::Array(index)));
                    equations.push(equal);
                }
            }
            Hop::Write(write) => {
                let &[older, written, _] = writer.store.args(*write) else { return None };
                let same = equation_of(writer, written, index);
                from.push(same);
                let reads = [*write, older].map(|array| writer.store.select(array, index));
                if reads[0] != reads[1] {
                    let equal = equation_of(writer, reads[0], reads[1]);
                    hints.push(writer.push(stated(&[same, equal]), Rule::Array(reads[0])));
                    equations.push(equal);
                }
            }
        }
    }
    let same = equation_of(writer, index, path.indices[1]);
    from.push(!same);
    let reads = path.indices.map(|index| writer.store.select(path.last, index));
    if reads[0] != reads[1] {
        let equal = equation_of(writer, reads[0], reads[1]);
        hints.push(same_index(writer, path.last, path.indices, !same)?);
        equations.push(equal);
    }
    let conclusion = equation_of(writer, path.values[0], path.values[1]);
    from.push(conclusion);
    let mut chain: Vec<Literal> = equations.iter().map(|equation| !*equation).collect();
    chain.push(conclusion);
    let chain = stated(&chain);
    // Where constructors make an equation false, its step is the conflict.
    let is_true = |literal: &Literal| match literal.atom {
        TermId::TRUE => !literal.negated,
        atom => atom == TermId::FALSE && literal.negated,
    };
    if !chain.is_empty() && !chain.iter().any(is_true) {
        hints.push(euf::prove_clause(writer.store, &chain, &mut writer.steps)?);
    }
    let from = stated(&from);
    let step = writer.rup(from.clone(), hints);
    writer.represent(step, &from, clause)
}

/// A step that reads from one array at equal indices are equal; `premise` says that they are not.
fn same_index(
    writer: &mut Writer<'_>,
    array: TermId,
    indices: [TermId; 2],
    premise: Literal,
) -> Option<StepId> {
    let reads = indices.map(|index| writer.store.select(array, index));
    let equal = equation_of(writer, reads[0], reads[1]);
    let clause = stated(&[premise, equal]);
    let is_read =
        |term: TermId| writer.store.op(term) == Op::Select && writer.store.args(term)[0] == array;
    let place = reads.iter().position(|read| is_read(*read))?;
    let is_plain = is_read(reads[1 - place]) || writer.store.sort(indices[0]) != SortId::BOOL;
    // Reads of writes at a truth value need the write gone first, as `p = true` is `p`.
    let (Op::Store, &[older, written, value]) = (writer.store.op(array), writer.store.args(array))
    else {
        return Some(writer.push(clause, Rule::Congruence));
    };
    if written == indices[1 - place] && value == reads[1 - place] {
        return Some(writer.push(clause, Rule::Array(reads[place])));
    }
    if is_plain {
        return Some(writer.push(clause, Rule::Congruence));
    }
    let read = reads[place];
    let below = indices.map(|index| writer.store.select(older, index));
    let step = equation_of(writer, read, below[place]);
    let mut hints = vec![writer.push(stated(&[premise, step]), Rule::Array(read))];
    let rest = equation_of(writer, below[0], below[1]);
    if below[0] != below[1] {
        hints.push(same_index(writer, older, indices, premise)?);
    }
    let chain = stated(&[!step, !rest, equal]);
    hints.push(euf::prove_clause(writer.store, &chain, &mut writer.steps)?);
    Some(writer.rup(clause, hints))
}

fn equation_of(writer: &mut Writer<'_>, left: TermId, right: TermId) -> Literal {
    let equation = writer.store.eq(left, right);
    Literal::of(writer.store, equation)
}
