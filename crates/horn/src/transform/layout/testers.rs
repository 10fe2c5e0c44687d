//! Comparisons of tags as testers.
//!
//! What is said about a tag comes back as a comparison of a number with a choice of numbers by testers:
//! `(= (ite (is-a x) 0 (ite (is-b x) 1 2)) 1)` is `(is-b x)`. People read the testers, and a solver need
//! not find out that the tests exclude each other. Where a heap was written to, the tag is that of what was written at
//! one place, and of what was there at others: the comparison goes inside such choices.

use alphorn_term::{CtorId, Op, Store, TermId};
use rustc_hash::FxHashMap;

/// The formula with testers for comparisons of tags with numbers.
pub(super) fn with_testers(store: &mut Store, formula: TermId) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in store.subterms(&[formula]) {
        let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
        let rebuilt = if args == store.args(term) { term } else { store.rebuild(term, &args) };
        let result = tested(store, rebuilt).unwrap_or(rebuilt);
        done.insert(term, result);
    }
    done[&formula]
}

/// A comparison of a tag with a number, as testers.
fn tested(store: &mut Store, comparison: TermId) -> Option<TermId> {
    let op = store.op(comparison);
    let (Op::Eq | Op::Le | Op::Lt, &[left, right]) = (op, store.args(comparison)) else {
        return None;
    };
    let (tag, is_left) = match (store.int_value(left), store.int_value(right)) {
        (None, Some(_)) => (left, true),
        (Some(_), None) => (right, false),
        _ => return None,
    };
    let number = if is_left { right } else { left };
    compared(store, &Comparison { op, number, is_left }, tag, MAX_CHOICES)
}

/// How many choices a comparison goes inside of, one in the other.
const MAX_CHOICES: usize = 8;

/// A comparison of something with a number.
struct Comparison {
    op: Op,
    number: TermId,
    /// Whether what is compared is on the left.
    is_left: bool,
}

impl Comparison {
    fn of(&self, store: &mut Store, term: TermId) -> TermId {
        let sides = if self.is_left { [term, self.number] } else { [self.number, term] };
        store.mk(self.op, &sides)
    }
}

/// What a comparison comes to for a tag, or for a choice of tags.
fn compared(
    store: &mut Store,
    comparison: &Comparison,
    tag: TermId,
    choices: usize,
) -> Option<TermId> {
    if store.int_value(tag).is_some() {
        return Some(comparison.of(store, tag));
    }
    let Some((value, numbers)) = numbers(store, tag) else {
        let (Op::Ite, &[condition, then, otherwise]) = (store.op(tag), store.args(tag)) else {
            return None;
        };
        let choices = choices.checked_sub(1)?;
        let then = compared(store, comparison, then, choices)?;
        let otherwise = compared(store, comparison, otherwise, choices)?;
        return Some(store.ite(condition, then, otherwise));
    };
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for (ctor, number) in numbers {
        let tester = store.mk(Op::Is(ctor), &[value]);
        match comparison.of(store, number) {
            TermId::TRUE => holds.push(tester),
            TermId::FALSE => fails.push(tester),
            _ => return None,
        }
    }
    if holds.len() <= fails.len() {
        return Some(store.or(&holds));
    }
    let otherwise = store.or(&fails);
    Some(store.not(otherwise))
}

/// The number for each constructor of the value that testers of a choice of numbers ask about.
fn numbers(store: &Store, choice: TermId) -> Option<(TermId, Vec<(CtorId, TermId)>)> {
    let (mut rest, mut of) = (choice, None);
    let mut found: Vec<(CtorId, TermId)> = Vec::new();
    while store.op(rest) == Op::Ite {
        let &[condition, then, otherwise] = store.args(rest) else { return None };
        let Op::Is(ctor) = store.op(condition) else { return None };
        let value = store.args(condition)[0];
        let is_new = found.iter().all(|(other, _)| *other != ctor);
        if *of.get_or_insert(value) != value || !is_new || store.int_value(then).is_none() {
            return None;
        }
        found.push((ctor, then));
        rest = otherwise;
    }
    store.int_value(rest)?;
    let all = store.data(store.ctor(found.first()?.0).data).ctors.clone();
    for ctor in all {
        if found.iter().all(|(other, _)| *other != ctor) {
            found.push((ctor, rest));
        }
    }
    Some((of?, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_testers() {
        let mut store = Store::new();
        let data = store.declare_data("object", &[]);
        store.define_data(data, &["a", "b", "c", "d"].map(|name| (name, Vec::new())));
        let ctors = store.data(data).ctors.clone();
        let sort = store.data(data).sort;
        let x = store.var("x", sort);
        let mut tag = store.int(3);
        for (at, &ctor) in ctors[..3].iter().enumerate().rev() {
            let (tester, number) = (store.mk(Op::Is(ctor), &[x]), store.int(at as i64));
            tag = store.ite(tester, number, tag);
        }
        let [zero, two, nine] = [0, 2, 9].map(|number| store.int(number));
        let shown = |store: &mut Store, formula: TermId| {
            let result = with_testers(store, formula);
            store.show(result).to_string()
        };
        let equation = store.eq(tag, two);
        assert_eq!(shown(&mut store, equation), "((_ is c) x)");
        let above = store.lt(zero, tag);
        assert_eq!(shown(&mut store, above), "(not ((_ is a) x))");
        let never = store.eq(tag, nine);
        assert_eq!(shown(&mut store, never), "false");
        let condition = store.var("c", alphorn_term::SortId::BOOL);
        let written = store.ite(condition, two, tag);
        let inside = store.eq(written, two);
        assert_eq!(shown(&mut store, inside), "(or c ((_ is c) x))");
        let y = store.var("y", alphorn_term::SortId::INT);
        let open = store.le(y, tag);
        assert_eq!(with_testers(&mut store, open), open, "a number that is not known stays");
    }
}
