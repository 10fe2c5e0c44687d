//! Conjunctions and disjunctions without what their other parts say already.
//!
//! Everything is written for conjunctions; a disjunction is one of negations, so that where a
//! conjunction may assume a literal `l` in its other parts a disjunction may assume `not l`.
//!
//! - of literals where one implies the other one stays: `x <= 5 and x <= 7` is `x <= 5`;
//! - literals that exclude each other are false together, two bounds that meet are an equation;
//! - a part `a or b` goes when `a` is implied, and becomes `b` when `a` is excluded;
//! - a part `a or b or c` goes when there is a part `a or b`;
//! - parts `a or x <= 5` and `a or x >= 5` are `a or x = 5`.
//!
//! Invariant: every step keeps the meaning for all values of all variables.

use super::literal::View;
use crate::settings::{READABLE_MAX_COMPARED, READABLE_ROUNDS};
use alphorn_term::{Op, Rat, Store, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a literal is about: only literals about the same can say something about each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Polynomial(Vec<(TermId, Rat)>),
    Atom(TermId),
}

/// Literals with what they say, worked out once each.
#[derive(Default)]
pub(super) struct Junctions {
    known: FxHashMap<TermId, (Rc<View>, u32)>,
    subjects: FxHashMap<Subject, u32>,
}

/// A junction of one kind, whose parts may be junctions of the other.
#[derive(Clone, Copy)]
struct Kind {
    op: Op,
    inner: Op,
    neutral: TermId,
    absorbing: TermId,
}

const AND: Kind =
    Kind { op: Op::And, inner: Op::Or, neutral: TermId::TRUE, absorbing: TermId::FALSE };
const OR: Kind =
    Kind { op: Op::Or, inner: Op::And, neutral: TermId::FALSE, absorbing: TermId::TRUE };

impl Junctions {
    fn view(&mut self, store: &Store, literal: TermId) -> (Rc<View>, u32) {
        if let Some((view, subject)) = self.known.get(&literal) {
            return (Rc::clone(view), *subject);
        }
        let view = View::of(store, literal);
        let subject = match view.subject() {
            Some(terms) => Subject::Polynomial(terms),
            None => Subject::Atom(atom_of(store, literal)),
        };
        let next = u32::try_from(self.subjects.len()).expect("fewer than 2^32 literals");
        let subject = *self.subjects.entry(subject).or_insert(next);
        let view = Rc::new(view);
        self.known.insert(literal, (Rc::clone(&view), subject));
        (view, subject)
    }

    /// A literal in the form that people read.
    pub(super) fn literal(&mut self, store: &mut Store, literal: TermId) -> TermId {
        let (view, _) = self.view(store, literal);
        view.literal(store).unwrap_or(literal)
    }

    fn negation(&mut self, store: &mut Store, literal: TermId) -> TermId {
        let (view, _) = self.view(store, literal);
        match view.negated(store).literal(store) {
            Some(term) => term,
            None => store.not(literal),
        }
    }

    /// Whether one literal says at least as much as another.
    fn implies(&mut self, store: &Store, literal: TermId, other: TermId) -> bool {
        if literal == other {
            return true;
        }
        let ((mine, subject), (theirs, other_subject)) =
            (self.view(store, literal), self.view(store, other));
        subject == other_subject && mine.implies(store, &theirs)
    }

    /// A conjunction, or a disjunction, of parts that are simplified already.
    pub(super) fn simplify(&mut self, store: &mut Store, op: Op, parts: &[TermId]) -> TermId {
        let kind = if op == Op::And { AND } else { OR };
        let mut parts = parts.to_vec();
        for _ in 0..READABLE_ROUNDS.size() {
            let Some(flat) = flatten(store, kind, &parts) else { return kind.absorbing };
            let (literals, junctions): (Vec<TermId>, Vec<TermId>) =
                flat.into_iter().partition(|&part| store.op(part) != kind.inner);
            let Some(literals) = self.literals(store, kind, literals) else {
                return kind.absorbing;
            };
            let count = literals.len();
            let mut next = literals;
            let mut changed = false;
            for part in junctions {
                let reduced = self.under(store, kind, &next[..count], part);
                changed |= reduced != part;
                next.push(reduced);
            }
            parts = next;
            if changed {
                continue;
            }
            self.subsume(store, kind, &mut parts, count);
            if !self.unite(store, kind, &mut parts, count) {
                break;
            }
        }
        store.mk(kind.op, &parts)
    }

    /// Literals without those that others make superfluous; none if they exclude each other.
    fn literals(
        &mut self,
        store: &mut Store,
        kind: Kind,
        literals: Vec<TermId>,
    ) -> Option<Vec<TermId>> {
        let mut about: FxHashMap<u32, Vec<TermId>> = FxHashMap::default();
        let mut order: Vec<u32> = Vec::new();
        for mut literal in literals {
            let subject = self.view(store, literal).1;
            let kept = about.entry(subject).or_insert_with(|| {
                order.push(subject);
                Vec::new()
            });
            let mut others = std::mem::take(kept);
            if others.iter().any(|&other| self.covers(store, kind, other, literal)) {
                about.insert(subject, others);
                continue;
            }
            others.retain(|&other| !self.covers(store, kind, literal, other));
            if others.iter().any(|&other| self.clash(store, kind, literal, other)) {
                return None;
            }
            let merged = others.iter().position(|&other| {
                self.merge(store, kind, [literal, other]).map(|term| literal = term).is_some()
            });
            if let Some(at) = merged {
                others.remove(at);
                let mut rest = std::mem::take(&mut others);
                rest.retain(|&other| !self.covers(store, kind, literal, other));
                others = rest;
            }
            others.push(literal);
            about.insert(subject, others);
        }
        Some(order.iter().flat_map(|subject| about[subject].iter().copied()).collect())
    }

    /// Whether one part makes another superfluous.
    fn covers(&mut self, store: &Store, kind: Kind, part: TermId, other: TermId) -> bool {
        match kind.op {
            Op::And => self.implies(store, part, other),
            _ => self.implies(store, other, part),
        }
    }

    /// Whether two parts together are the absorbing value.
    fn clash(&mut self, store: &mut Store, kind: Kind, part: TermId, other: TermId) -> bool {
        let negation = self.negation(store, other);
        self.covers(store, kind, part, negation)
    }

    /// One literal for two.
    fn merge(&mut self, store: &mut Store, kind: Kind, pair: [TermId; 2]) -> Option<TermId> {
        let [part, other] = pair;
        let ((mine, _), (theirs, _)) = (self.view(store, part), self.view(store, other));
        let merged = match kind.op {
            Op::And => mine.meet(&theirs),
            _ => mine.join(store, &theirs),
        };
        merged?.literal(store)
    }

    /// A part that is a junction of the other kind, where `literals` are parts beside it.
    fn under(
        &mut self,
        store: &mut Store,
        kind: Kind,
        literals: &[TermId],
        part: TermId,
    ) -> TermId {
        let mut about: FxHashMap<u32, Vec<TermId>> = FxHashMap::default();
        for &literal in literals {
            let subject = self.view(store, literal).1;
            about.entry(subject).or_default().push(literal);
        }
        let members = store.args(part).to_vec();
        let mut kept = Vec::with_capacity(members.len());
        for &member in &members {
            let subject = self.view(store, member).1;
            let beside = about.get(&subject).map_or(&[][..], |found| found);
            if beside.iter().any(|&literal| self.covers(store, kind, literal, member)) {
                return kind.neutral;
            }
            if !beside.iter().any(|&literal| self.clash(store, kind, literal, member)) {
                kept.push(member);
            }
        }
        match kept.len() == members.len() {
            true => part,
            false => store.mk(kind.inner, &kept),
        }
    }

    /// Removes parts from position `from` on, junctions of the other kind, that others cover.
    fn subsume(&mut self, store: &Store, kind: Kind, parts: &mut Vec<TermId>, from: usize) {
        if parts.len() - from > READABLE_MAX_COMPARED.size() {
            return;
        }
        let mut at = from;
        while at < parts.len() {
            let weaker = parts[at];
            let by = (from..parts.len())
                .find(|&other| other != at && self.part_covers(store, kind, parts[other], weaker));
            match by {
                Some(_) => {
                    parts.remove(at);
                }
                None => at += 1,
            }
        }
    }

    /// Makes one of two parts from position `from` on that differ in one literal, where both
    /// literals together are one; says whether there were such parts.
    fn unite(
        &mut self,
        store: &mut Store,
        kind: Kind,
        parts: &mut Vec<TermId>,
        from: usize,
    ) -> bool {
        if parts.len() - from > READABLE_MAX_COMPARED.size() {
            return false;
        }
        let mut changed = false;
        let mut at = from;
        while at < parts.len() {
            let mut other = at + 1;
            while other < parts.len() {
                match self.united(store, kind, [parts[at], parts[other]]) {
                    Some(part) => {
                        parts[at] = part;
                        parts.remove(other);
                        changed = true;
                    }
                    None => other += 1,
                }
            }
            at += 1;
        }
        changed
    }

    /// One part for two that differ in one literal.
    fn united(&mut self, store: &mut Store, kind: Kind, pair: [TermId; 2]) -> Option<TermId> {
        let [part, other] = pair;
        let (mine, theirs) = (store.args(part), store.args(other));
        if store.op(part) != kind.inner || store.op(other) != kind.inner {
            return None;
        }
        let only = |left: &[TermId], right: &[TermId]| -> Option<TermId> {
            let mut single = left.iter().filter(|member| !right.contains(member));
            let first = single.next().copied();
            first.filter(|_| single.next().is_none())
        };
        if mine.len() != theirs.len() {
            return None;
        }
        let (a, b) = (only(mine, theirs)?, only(theirs, mine)?);
        let mut members = mine.to_vec();
        members.retain(|&member| member != a);
        if !self.clash(store, kind, a, b) {
            members.push(self.merge(store, kind, [a, b])?);
        }
        Some(store.mk(kind.inner, &members))
    }

    /// Whether each member of a part has one of another part's that it covers.
    fn part_covers(&mut self, store: &Store, kind: Kind, part: TermId, other: TermId) -> bool {
        let (mine, theirs) = (store.args(part).to_vec(), store.args(other).to_vec());
        mine.len() <= theirs.len()
            && mine
                .iter()
                .all(|&member| theirs.iter().any(|&their| self.covers(store, kind, member, their)))
    }
}

/// What a literal is a literal of.
fn atom_of(store: &Store, literal: TermId) -> TermId {
    match store.op(literal) {
        Op::Not => store.args(literal)[0],
        _ => literal,
    }
}

/// The parts, those of parts of the same kind among them, each once; none if one is absorbing.
fn flatten(store: &Store, kind: Kind, parts: &[TermId]) -> Option<Vec<TermId>> {
    let mut flat = Vec::with_capacity(parts.len());
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack: Vec<TermId> = parts.iter().rev().copied().collect();
    while let Some(part) = stack.pop() {
        if part == kind.absorbing {
            return None;
        }
        if !seen.insert(part) {
            continue;
        }
        if store.op(part) == kind.op {
            stack.extend(store.args(part).iter().rev());
        } else if part != kind.neutral {
            flat.push(part);
        }
    }
    Some(flat)
}
