//! Clauses about a cell told apart: where it is the one that is read, and where it is another.
//!
//! A step of a loop reads and writes one element, and what it does to the cell of the head is a matter of whether
//! that is the one. Where it is, the instances at both are one. Where it is not, the element that is read often says
//! nothing about the cell: then the instance goes. What is left has fewer atoms in bodies, mostly one, and a model of it
//! is one of the clauses before, whose bodies imply one of those here. A derivation need not be one.

use super::abstraction::{Abstraction, Shape};
use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// The most instances of a clause that are told apart from the head's cell.
const MAX_READ: usize = 2;

/// The system of one cell of each array, with its clauses told apart.
pub(super) fn apart(cells: &Abstraction) -> Horn {
    let mut result = cells.horn.clone();
    let clauses = std::mem::take(&mut result.clauses);
    for clause in clauses {
        let ways = ways(cells, &mut result.terms, &clause);
        result.clauses.extend(ways);
    }
    result
}

/// An instance at another cell than the head's.
struct Read {
    atom: TermId,
    /// That its cell is the head's.
    is_same: TermId,
    /// Its elements.
    elements: Vec<TermId>,
}

/// What becomes of a clause.
fn ways(cells: &Abstraction, store: &mut Store, clause: &Clause) -> Vec<Clause> {
    let parts = conjuncts(store, clause.body);
    let Some(reads) = reads(cells, store, clause, &parts) else { return vec![clause.clone()] };
    let mut ways = Vec::new();
    for chosen in 0..1u32 << reads.len() {
        let mut parts = parts.clone();
        let mut said = Vec::new();
        let mut known = Substitution::default();
        for (at, read) in reads.iter().enumerate() {
            let is_same = chosen >> at & 1 == 1;
            said.push(if is_same { read.is_same } else { store.not(read.is_same) });
            known.insert(read.is_same, if is_same { TermId::TRUE } else { TermId::FALSE });
        }
        let mut head = clause.head.clone();
        for part in parts.iter_mut().filter(|part| !reads.iter().any(|read| read.atom == **part)) {
            *part = store.substitute(*part, &known);
        }
        if let Head::Atom(_, args) = &mut head {
            *args = store.substitute_all(args, &known);
        }
        let others = reads.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 0);
        others.for_each(|(_, read)| drop_read(store, &mut parts, &head, read));
        parts.extend(said);
        let body = store.and(&parts);
        if body == TermId::FALSE {
            continue;
        }
        let mut roots = vec![body];
        if let Head::Atom(_, args) = &head {
            roots.extend(args);
        }
        let free: FxHashSet<TermId> = store.free_vars(&roots).into_iter().collect();
        let vars = clause.vars.iter().copied().filter(|var| free.contains(var)).collect();
        ways.push(Clause { vars, body, head, ..clause.clone() });
    }
    ways
}

/// The instances at other cells than the head's; nothing if there are none or too many, or if a part of the body is a
/// choice between instances.
fn reads(
    cells: &Abstraction,
    store: &mut Store,
    clause: &Clause,
    parts: &[TermId],
) -> Option<Vec<Read>> {
    let Head::Atom(pred, args) = &clause.head else { return None };
    let shape = &cells.shapes[pred.index()];
    let own = indices(shape, args).to_vec();
    if own.is_empty() {
        return None;
    }
    let mut reads = Vec::new();
    for atom in cells.horn.atoms(clause.body) {
        if !parts.contains(&atom) {
            return None;
        }
        let shape = &cells.shapes[cells.horn.atom(atom)?.index()];
        let args = store.args(atom).to_vec();
        let other = indices(shape, &args);
        if other.is_empty() || other == own {
            continue;
        }
        let is_fitting = |(one, two): (&TermId, &TermId)| store.sort(*one) == store.sort(*two);
        if other.len() != own.len() || !own.iter().zip(other).all(is_fitting) {
            return None;
        }
        let pairs = own.iter().zip(other);
        let equal: Vec<TermId> = pairs.map(|(one, two)| store.eq(*one, *two)).collect();
        let elements = args[shape.plain.len() + shape.slots.len()..].to_vec();
        reads.push(Read { atom, is_same: store.and(&equal), elements });
    }
    (!reads.is_empty() && reads.len() <= MAX_READ).then_some(reads)
}

/// The cell of an instance or a head.
fn indices<'a>(shape: &Shape, args: &'a [TermId]) -> &'a [TermId] {
    &args[shape.plain.len()..shape.plain.len() + shape.slots.len()]
}

/// Takes an instance away, and what is said of its elements, if nothing else depends on them.
fn drop_read(store: &Store, parts: &mut Vec<TermId>, head: &Head, read: &Read) {
    let own: FxHashSet<TermId> = store.free_vars(&read.elements).into_iter().collect();
    let mentions = |terms: &[TermId]| store.free_vars(terms).iter().any(|var| own.contains(var));
    if matches!(head, Head::Atom(_, args) if mentions(args)) {
        return;
    }
    let others = |part: &TermId| *part != read.atom && mentions(&[*part]);
    let is_alone = |part: &TermId| store.free_vars(&[*part]).iter().all(|var| own.contains(var));
    if parts.iter().filter(|part| others(part)).all(is_alone) {
        parts.retain(|part| *part != read.atom && !others(part));
    }
}
