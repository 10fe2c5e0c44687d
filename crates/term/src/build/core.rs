//! Constructors of the Boolean core: connectives, equality, conditionals, quantifiers.

use super::FLAT;
use crate::id::TermId;
use crate::op::Op;
use crate::sort::SortId;
use crate::store::Store;
use rustc_hash::FxHashSet;

/// Truth-valued terms without repetition, in the order of their first occurrence.
struct Literals {
    terms: Vec<TermId>,
    /// The terms, and those of which there is the negation, once there are many.
    index: Option<(FxHashSet<TermId>, FxHashSet<TermId>)>,
}

impl Literals {
    /// The most terms that are searched one by one.
    const SHORT: usize = 16;

    fn with_capacity(capacity: usize) -> Literals {
        Literals { terms: Vec::with_capacity(capacity), index: None }
    }

    /// Adds a term that is not there; says whether its negation is.
    fn add(&mut self, store: &Store, term: TermId) -> bool {
        let (atom, negated) = store.polarity(term);
        if self.index.is_none() && self.terms.len() >= Self::SHORT {
            let atoms = self.terms.iter().map(|&term| store.polarity(term));
            let negated = atoms.filter(|(_, negated)| *negated).map(|(atom, _)| atom).collect();
            self.index = Some((self.terms.iter().copied().collect(), negated));
        }
        if let Some((all, negations)) = &mut self.index {
            if all.insert(term) {
                self.terms.push(term);
                if negated {
                    negations.insert(atom);
                }
            }
            return if negated { all.contains(&atom) } else { negations.contains(&term) };
        }
        let mut opposite = false;
        for &other in &self.terms {
            if other == term {
                return false;
            }
            opposite |= if negated { other == atom } else { store.polarity(other) == (term, true) };
        }
        self.terms.push(term);
        opposite
    }
}

impl Store {
    /// Negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        self.mk(Op::Not, &[term])
    }

    /// Conjunction; true if empty.
    pub fn and(&mut self, terms: &[TermId]) -> TermId {
        self.mk(Op::And, terms)
    }

    /// Disjunction; false if empty.
    pub fn or(&mut self, terms: &[TermId]) -> TermId {
        self.mk(Op::Or, terms)
    }

    /// Implication.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        let negated = self.not(premise);
        self.or(&[negated, conclusion])
    }

    /// Exclusive or.
    pub fn xor(&mut self, left: TermId, right: TermId) -> TermId {
        let same = self.eq(left, right);
        self.not(same)
    }

    /// Equality.
    pub fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.mk(Op::Eq, &[left, right])
    }

    /// If, then, else.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.mk(Op::Ite, &[condition, then, otherwise])
    }

    /// `forall` over variables.
    pub fn forall(&mut self, vars: &[TermId], body: TermId) -> TermId {
        let args: Vec<TermId> = vars.iter().copied().chain([body]).collect();
        self.mk(Op::Forall, &args)
    }

    /// `exists` over variables.
    pub fn exists(&mut self, vars: &[TermId], body: TermId) -> TermId {
        let args: Vec<TermId> = vars.iter().copied().chain([body]).collect();
        self.mk(Op::Exists, &args)
    }

    pub(super) fn build_not(&mut self, term: TermId) -> TermId {
        match self.op(term) {
            Op::True => TermId::FALSE,
            Op::False => TermId::TRUE,
            Op::Not => self.args(term)[0],
            _ => self.raw(Op::Not, SortId::BOOL, &[term]),
        }
    }

    /// What a conjunct is the negation of, and whether it is one.
    fn polarity(&self, term: TermId) -> (TermId, bool) {
        match self.op(term) {
            Op::Not => (self.args(term)[0], true),
            _ => (term, false),
        }
    }

    pub(super) fn build_junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let (neutral, absorbing) = match op {
            Op::And => (TermId::TRUE, TermId::FALSE),
            _ => (TermId::FALSE, TermId::TRUE),
        };
        if let [single] = args {
            return *single;
        }
        let mut flat = Literals::with_capacity(args.len());
        for &arg in args {
            let nested = self.op(arg) == op && self.args(arg).len() <= FLAT;
            let inner = if nested { self.args(arg) } else { std::slice::from_ref(&arg) };
            for &term in inner {
                if term == absorbing || (term != neutral && flat.add(self, term)) {
                    return absorbing;
                }
            }
        }
        let flat = flat.terms;
        match flat.as_slice() {
            [] => neutral,
            [single] => *single,
            _ => self.raw(op, SortId::BOOL, &flat),
        }
    }

    pub(super) fn build_eq(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return TermId::TRUE;
        }
        if self.are_different_values(left, right) {
            return TermId::FALSE;
        }
        if self.sort(left) == SortId::BOOL {
            for (constant, other) in [(left, right), (right, left)] {
                match constant {
                    TermId::TRUE => return other,
                    TermId::FALSE => return self.build_not(other),
                    _ => {}
                }
            }
            // Negations meet outside: (= (not a) b) is (not (= a b)).
            let ((left, negated_left), (right, negated_right)) =
                (self.polarity(left), self.polarity(right));
            if negated_left || negated_right {
                let same = self.build_eq(left, right);
                return if negated_left == negated_right { same } else { self.build_not(same) };
            }
        }
        for (conditional, value) in [(left, right), (right, left)] {
            if let Some(term) = self.eq_of_literal_ite(conditional, value) {
                return term;
            }
        }
        // Both orders are one term: the one that was made first.
        match self.find_raw(Op::Eq, SortId::BOOL, &[right, left]) {
            Some(term) => term,
            None => self.raw(Op::Eq, SortId::BOOL, &[left, right]),
        }
    }

    /// `(= (ite c 1 2) 1)` is `c`, for literals.
    fn eq_of_literal_ite(&mut self, conditional: TermId, value: TermId) -> Option<TermId> {
        if self.op(conditional) != Op::Ite || !self.is_literal(value) {
            return None;
        }
        let [condition, then, otherwise] = *self.args(conditional) else { return None };
        if !self.is_literal(then) || !self.is_literal(otherwise) {
            return None;
        }
        Some(match (then == value, otherwise == value) {
            (true, _) => condition,
            (_, true) => self.build_not(condition),
            _ => TermId::FALSE,
        })
    }

    /// Whether two terms are known to differ: literals, or values of different constructors.
    fn are_different_values(&self, left: TermId, right: TermId) -> bool {
        match (self.op(left), self.op(right)) {
            (Op::Construct(a), Op::Construct(b)) => a != b,
            _ => left != right && self.is_literal(left) && self.is_literal(right),
        }
    }

    pub(super) fn build_distinct(&mut self, args: &[TermId]) -> TermId {
        if let [left, right] = *args {
            let same = self.build_eq(left, right);
            return self.build_not(same);
        }
        let unique: FxHashSet<TermId> = args.iter().copied().collect();
        if unique.len() < args.len() {
            return TermId::FALSE;
        }
        // There are only two truth values.
        if args.len() > 2 && self.sort(args[0]) == SortId::BOOL {
            return TermId::FALSE;
        }
        if args.len() < 2 {
            return TermId::TRUE;
        }
        self.raw(Op::Distinct, SortId::BOOL, args)
    }

    pub(super) fn build_ite(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        match self.op(condition) {
            Op::True => return then,
            Op::False => return other,
            _ if then == other => return then,
            Op::Not => {
                let condition = self.args(condition)[0];
                return self.build_ite(condition, other, then);
            }
            _ => {}
        }
        let sort = self.sort(then);
        if sort == SortId::BOOL {
            match (then, other) {
                (TermId::TRUE, TermId::FALSE) => return condition,
                (TermId::FALSE, TermId::TRUE) => return self.build_not(condition),
                (TermId::TRUE, _) => return self.build_junction(Op::Or, &[condition, other]),
                (TermId::FALSE, _) => {
                    let negated = self.build_not(condition);
                    return self.build_junction(Op::And, &[negated, other]);
                }
                (_, TermId::TRUE) => {
                    let negated = self.build_not(condition);
                    return self.build_junction(Op::Or, &[negated, then]);
                }
                (_, TermId::FALSE) => return self.build_junction(Op::And, &[condition, then]),
                _ => {}
            }
        }
        self.raw(Op::Ite, sort, &[condition, then, other])
    }

    pub(super) fn build_quantifier(&mut self, op: Op, args: &[TermId]) -> TermId {
        let body = args[args.len() - 1];
        // Every sort has an element, so a body without variables needs no quantifier.
        if args.len() == 1 || self.is_ground(body) {
            return body;
        }
        self.raw(op, SortId::BOOL, args)
    }
}
