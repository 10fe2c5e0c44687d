//! What rules see: the terms, the assertions, and which variables are taken.
//!
//! Rules compare clauses with axioms *as the constructors make them*. Where an axiom speaks of a
//! term that need not exist yet (the equality of two sides, an instance of a body), it is made in
//! the context's store and compared by its id. The store is copied when the first such term is
//! made; proofs that make none never copy it.
//!
//! Invariant: literals of the proof name terms below `base`, the terms there were at the start.

use alphorn_problem::evidence::proof::Literal;
use alphorn_problem::obligation::blast::bits::Bits;
use alphorn_term::eval::bound;
use alphorn_term::{Exhausted, Meter, Op, Store, TermId};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The literal that is always true.
pub(super) const TRUE: Literal = Literal { atom: TermId::TRUE, negated: false };
/// The literal that is always false.
pub(super) const FALSE: Literal = Literal { atom: TermId::FALSE, negated: false };

/// Terms to look at, and the meter on which looking is counted.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) store: &'a Store,
    pub(super) meter: &'a Meter,
}

impl Terms<'_> {
    /// A term in a message; none if it is large.
    pub(super) fn shown(&self, term: TermId) -> Option<String> {
        const MAX_TICKS: u64 = 300;
        let walk = Meter::new(MAX_TICKS);
        bound::free_vars(self.store, &[term], &walk).ok()?;
        (self.store.tree_size(term) <= 30).then(|| self.store.show(term))
    }
}

/// What rules see.
pub(super) struct Context<'a, 'b> {
    store: &'a mut Cow<'b, Store>,
    meter: &'a Meter,
    assertions: &'a [TermId],
    base: usize,
    /// The subterms of assertions and of what witnesses stand for; empty until a rule asks.
    taken: FxHashSet<TermId>,
    has_marked_assertions: bool,
    /// The gates of words that the rule `bits` has met.
    bits: Bits,
}

impl<'a, 'b> Context<'a, 'b> {
    pub(super) fn new(
        store: &'a mut Cow<'b, Store>,
        assertions: &'a [TermId],
        meter: &'a Meter,
    ) -> Self {
        let base = store.len();
        let taken = FxHashSet::default();
        let bits = Bits::default();
        Context { store, meter, assertions, base, taken, has_marked_assertions: false, bits }
    }

    pub(super) fn store(&self) -> &Store {
        self.store
    }

    /// The terms, to be looked at on the meter.
    pub(super) fn terms(&self) -> Terms<'_> {
        Terms { store: self.store, meter: self.meter }
    }

    /// The meter.
    pub(super) fn meter(&self) -> &'a Meter {
        self.meter
    }

    /// Counts work that is about to be done.
    pub(super) fn spend(&self, ticks: u64) -> Result<(), Exhausted> {
        self.meter.spend(ticks)
    }

    /// The store, to make terms in; what that takes is counted after each step.
    pub(super) fn make(&mut self) -> &mut Store {
        self.store.to_mut()
    }

    /// How many terms a proof can name.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    pub(super) fn assertions(&self) -> &[TermId] {
        self.assertions
    }

    /// Whether a proof may name this term.
    pub(super) fn known(&self, term: TermId) -> Result<(), String> {
        if term.index() < self.base {
            Ok(())
        } else {
            Err(format!("there is no term {} in the store", term.index()))
        }
    }

    /// The terms, and the gates of words made of them so far.
    pub(super) fn gates(&mut self) -> (Terms<'_>, &mut Bits) {
        (Terms { store: self.store, meter: self.meter }, &mut self.bits)
    }

    /// The literal of a Boolean term.
    pub(super) fn literal(&self, term: TermId) -> Literal {
        Literal::of(self.store, term)
    }

    /// The literal that says two terms are equal.
    pub(super) fn equality(&mut self, left: TermId, right: TermId) -> Result<Literal, String> {
        if self.store.sort(left) != self.store.sort(right) {
            return Err("terms of different sorts cannot be equal".to_owned());
        }
        let term = self.make().eq(left, right);
        Ok(self.literal(term))
    }

    /// The sides of an equation that is an atom.
    pub(super) fn sides(&self, atom: TermId) -> Option<(TermId, TermId)> {
        match (self.store.op(atom), self.store.args(atom)) {
            (Op::Eq, &[left, right]) => Some((left, right)),
            _ => None,
        }
    }

    /// Makes `witness` a variable that the definition `terms` may introduce, or says why not.
    ///
    /// It must be new to the assertions, to this definition and to all earlier ones. Lemmas that
    /// mention it are no harm, as they hold for all of its values.
    pub(super) fn introduce(
        &mut self,
        witnesses: &[TermId],
        terms: &[TermId],
    ) -> Result<(), String> {
        if !self.has_marked_assertions {
            self.has_marked_assertions = true;
            self.mark(self.assertions)?;
        }
        self.mark(terms)?;
        for &witness in witnesses {
            self.known(witness)?;
            let Op::Var(_) = self.store.op(witness) else {
                return Err("a witness is not a variable".to_owned());
            };
            if !self.taken.insert(witness) {
                let name = self.store.var_name(witness).unwrap_or("?");
                return Err(format!("the witness {name} is not new"));
            }
        }
        Ok(())
    }

    fn mark(&mut self, roots: &[TermId]) -> Result<(), Exhausted> {
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if self.taken.insert(term) {
                self.meter.spend(4 + self.store.args(term).len() as u64)?;
                stack.extend(self.store.args(term));
            }
        }
        Ok(())
    }
}

/// Whether a clause is the expected one: the same literals in any order, repeated or not.
///
/// Literals that are false by themselves do not count.
pub(super) fn is_clause(clause: &[Literal], expected: &[Literal]) -> bool {
    as_set(clause) == as_set(expected)
}

fn as_set(clause: &[Literal]) -> Vec<Literal> {
    let is_false = |literal: &Literal| *literal == FALSE || *literal == !TRUE;
    let mut literals: Vec<Literal> = clause.iter().copied().filter(|l| !is_false(l)).collect();
    literals.sort_unstable();
    literals.dedup();
    literals
}
