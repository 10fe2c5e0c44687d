//! Why clauses over records mean what they mean over heaps, and what is refused so that they do.
//!
//! Call a record *canonical* if its array has the default at all indices outside 1 to its length, and if
//! all addresses in it are numbers from 0 on. Canonical records are the heaps of the theory: there is one
//! for each, and all functions give canonical ones of canonical ones, as do selectors (`heaps`). A clause
//! is universal, so what makes it true for all values makes it true for canonical ones: a model over
//! records is one over heaps.
//!
//! A derivation over records becomes one over heaps by cutting every array to its length, and by moving the
//! numbers below 0 to addresses that are valid in no heap of the derivation, different ones to different
//! ones. All functions commute with that, provided that lengths are not negative; for the variables of a
//! clause its body says so. All constraints stay true, except that heaps which differ may become equal. So
//! these are refused:
//!
//! - a constraint that heaps differ (also hidden in a condition, an argument or an equivalence);
//! - quantifiers over heaps and addresses within a constraint: a clause would not be universal;
//! - arrays with heaps in them or with addresses for indices, and declared functions over either;
//! - heaps in datatypes with several constructors or with recursion, for want of a body that says that
//!   their lengths are not negative.

use super::clause::Extracted;
use super::heaps::{Heap, contains};
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// Where a formula stands: whether making it true can only make the body true, or false, or either.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Polarity {
    Positive,
    Negative,
    Either,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Either => Polarity::Either,
        }
    }
}

/// Adds to the clause's body that the lengths of its heaps are not negative; or says what is not treated.
pub(super) fn restrict(
    store: &mut Store,
    heap: &Heap,
    clause: &mut Extracted,
) -> Result<(), &'static str> {
    check(store, heap, clause)?;
    let mut conjuncts = Vec::new();
    for &var in &clause.vars {
        bound_lengths(store, heap, var, &mut conjuncts)?;
    }
    if !conjuncts.is_empty() {
        match store.op(clause.body) {
            Op::And => conjuncts.extend_from_slice(store.args(clause.body)),
            _ => conjuncts.push(clause.body),
        }
        clause.body = store.and(&conjuncts);
    }
    Ok(())
}

/// That all heaps in a term have lengths, for terms of records only.
fn bound_lengths(
    store: &mut Store,
    heap: &Heap,
    root: TermId,
    conjuncts: &mut Vec<TermId>,
) -> Result<(), &'static str> {
    let mut stack = vec![(root, Vec::new())];
    while let Some((term, above)) = stack.pop() {
        let sort = store.sort(term);
        if !contains(store, sort, &[heap.heap]) {
            continue;
        }
        let ctor = match store.sort_of(sort) {
            Sort::Data(data) if !above.contains(&sort) => match store.data(*data).ctors[..] {
                [ctor] => ctor,
                _ => return Err("a heap in a datatype with several constructors"),
            },
            Sort::Data(_) => return Err("a heap in a recursive datatype"),
            _ => return Err("an array with heaps in it"),
        };
        if ctor == heap.ctor {
            let zero = store.int(0);
            let size = store.mk(Op::Field(ctor, 1), &[term]);
            conjuncts.push(store.le(zero, size));
            continue;
        }
        for field in 0..store.ctor(ctor).fields.len() {
            let part = store.mk(Op::Field(ctor, field as u32), &[term]);
            let above = above.iter().copied().chain([sort]).collect();
            stack.push((part, above));
        }
    }
    Ok(())
}

fn check(store: &Store, heap: &Heap, clause: &Extracted) -> Result<(), &'static str> {
    let vars = clause.vars.iter().map(|&var| (var, Polarity::Either));
    let parts = [(clause.head, Polarity::Either), (clause.body, Polarity::Positive)];
    let mut stack: Vec<(TermId, Polarity)> = vars.chain(parts).collect();
    let mut seen = FxHashSet::default();
    while let Some((term, polarity)) = stack.pop() {
        if !seen.insert((term, polarity)) {
            continue;
        }
        check_sort(store, heap, store.sort(term))?;
        let args = store.args(term);
        match store.op(term) {
            Op::Not => stack.push((args[0], polarity.flipped())),
            Op::And | Op::Or => stack.extend(args.iter().map(|&arg| (arg, polarity))),
            Op::Ite => {
                stack.push((args[0], Polarity::Either));
                stack.extend(args[1..].iter().map(|&arg| (arg, polarity)));
            }
            op @ (Op::Eq | Op::Distinct) => {
                let wanted = if op == Op::Eq { Polarity::Positive } else { Polarity::Negative };
                let is_heap = contains(store, store.sort(args[0]), &[heap.heap, heap.contents]);
                if is_heap && polarity != wanted {
                    return Err("a constraint that heaps differ");
                }
                stack.extend(args.iter().map(|&arg| (arg, Polarity::Either)));
            }
            Op::Forall | Op::Exists => {
                let (&body, bound) = args.split_last().expect("a quantifier has a body");
                let parts = [heap.heap, heap.addr, heap.contents];
                if bound.iter().any(|&var| contains(store, store.sort(var), &parts)) {
                    return Err("a quantifier over heaps or addresses in a constraint");
                }
                stack.push((body, polarity));
            }
            Op::Apply(func) => {
                let decl = store.func(func);
                let parts = [heap.heap, heap.addr];
                let mut sorts = decl.args.iter().chain([&decl.result]);
                if decl.result != SortId::BOOL && sorts.any(|&sort| contains(store, sort, &parts)) {
                    return Err("a declared function over heaps or addresses");
                }
                stack.extend(args.iter().map(|&arg| (arg, Polarity::Either)));
            }
            _ => stack.extend(args.iter().map(|&arg| (arg, Polarity::Either))),
        }
    }
    Ok(())
}

/// Refuses arrays with heaps in them, or with addresses for indices.
fn check_sort(store: &Store, heap: &Heap, sort: SortId) -> Result<(), &'static str> {
    let (mut stack, mut seen) = (vec![sort], FxHashSet::default());
    while let Some(sort) = stack.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match store.sort_of(sort) {
            Sort::Array(index, element) => {
                if contains(store, *index, &[heap.heap, heap.addr]) {
                    return Err("an array with heaps or addresses for indices");
                }
                if contains(store, *element, &[heap.heap]) {
                    return Err("an array with heaps in it");
                }
                stack.extend([*index, *element]);
            }
            Sort::Data(data) => {
                for &ctor in &store.data(*data).ctors {
                    stack.extend(store.ctor(ctor).fields.iter().map(|field| field.1));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
