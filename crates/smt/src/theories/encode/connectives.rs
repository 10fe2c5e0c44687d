//! Connectives as gates, conditionals as clauses.
//!
//! A connective is a variable with the clauses that define it, and a gate of the justification, which
//! so need not be told of the clauses. What is no connective is an atom of a theory, or opaque.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, SortId, TermId};

use super::{Encoding, Leaf};
use crate::theories::Table;

impl Encoding<'_> {
    /// The literal of a Boolean term that is no negation.
    pub(super) fn formula(&mut self, term: TermId) -> Lit {
        match self.store.op(term) {
            Op::And => self.junction(term, true),
            Op::Or => self.junction(term, false),
            Op::Eq if self.store.sort(self.store.args(term)[0]) == SortId::BOOL => self.same(term),
            Op::Ite => self.choice(term),
            Op::Distinct => self.distinct(term),
            op => {
                if let Some(lit) = Table::atom(self, term) {
                    return lit;
                }
                if !matches!(op, Op::Var(_) | Op::Apply(_)) {
                    self.theory_mut().mark_unclear();
                }
                self.opaque(term)
            }
        }
    }

    fn literal_of(&self, term: TermId) -> Literal {
        Literal::of(self.store, term)
    }

    /// A conjunction, or a disjunction.
    fn junction(&mut self, term: TermId, is_and: bool) -> Lit {
        let args = self.store.args(term).to_vec();
        let whole = self.opaque(term).xor(!is_and);
        let tw = self.literal_of(term);
        let tw = if is_and { tw } else { !tw };
        let (mut clause, mut terms) = (vec![whole], vec![tw]);
        // A disjunction is the negated conjunction of the negations.
        let inputs: Vec<Lit> = args.iter().map(|arg| self.lit(*arg).xor(!is_and)).collect();
        self.theory_mut().justification.define_and(whole, inputs.iter().copied());
        for (arg, lit) in args.into_iter().zip(inputs) {
            let literal = self.literal_of(arg);
            let literal = if is_and { literal } else { !literal };
            self.lemma(&[!whole, lit], Leaf::Tautology(vec![!tw, literal]));
            clause.push(!lit);
            terms.push(!literal);
        }
        self.lemma(&clause, Leaf::Tautology(terms));
        whole.xor(!is_and)
    }

    /// An equation of truth values.
    fn same(&mut self, term: TermId) -> Lit {
        let args = [0, 1].map(|place| self.store.args(term)[place]);
        let [a, b] = args.map(|arg| self.lit(arg));
        let e = self.opaque(term);
        let [te, ta, tb] = [term, args[0], args[1]].map(|term| self.literal_of(term));
        self.theory_mut().justification.define_same(e, a, b);
        for (signs, terms) in [
            ([!e, !a, b], [!te, !ta, tb]),
            ([!e, a, !b], [!te, ta, !tb]),
            ([e, a, b], [te, ta, tb]),
            ([e, !a, !b], [te, !ta, !tb]),
        ] {
            self.lemma(&signs, Leaf::Tautology(terms.to_vec()));
        }
        e
    }

    fn choice(&mut self, term: TermId) -> Lit {
        let args = [0, 1, 2].map(|place| self.store.args(term)[place]);
        let i = self.opaque(term);
        let [c, a, b] = args.map(|arg| self.lit(arg));
        let ti = self.literal_of(term);
        self.theory_mut().justification.define_choice(i, [c, a, b]);
        let [tc, ta, tb] = args.map(|arg| self.literal_of(arg));
        for (signs, terms) in [
            ([!i, !c, a], [!ti, !tc, ta]),
            ([!i, c, b], [!ti, tc, tb]),
            ([i, !c, !a], [ti, !tc, !ta]),
            ([i, c, !b], [ti, tc, !tb]),
        ] {
            self.lemma(&signs, Leaf::Tautology(terms.to_vec()));
        }
        i
    }

    fn distinct(&mut self, term: TermId) -> Lit {
        let args = self.store.args(term).to_vec();
        let whole = self.opaque(term);
        let tw = self.literal_of(term);
        let (mut clause, mut terms) = (vec![whole], vec![tw]);
        for (place, left) in args.iter().enumerate() {
            for right in &args[place + 1..] {
                let equation = self.store.eq(*left, *right);
                let (lit, literal) = (self.sub_literal(equation), self.literal_of(equation));
                self.lemma(&[!whole, !lit], Leaf::Tautology(vec![!tw, !literal]));
                clause.push(lit);
                terms.push(literal);
            }
        }
        self.lemma(&clause, Leaf::Tautology(terms));
        let inputs = clause[1..].iter().map(|lit| !*lit);
        self.theory_mut().justification.define_and(whole, inputs);
        whole
    }

    /// Says of a conditional that is neither a truth value nor a number that it is one of its branches.
    pub(super) fn define_conditional(&mut self, term: TermId) {
        let (Op::Ite, &[condition, then, other]) = (self.store.op(term), self.store.args(term))
        else {
            return;
        };
        let condition = self.sub_literal(condition);
        for (condition, branch) in [(condition, then), (!condition, other)] {
            let equation = self.store.eq(term, branch);
            let same = self.sub_literal(equation);
            self.clause(&[!condition, same], Leaf::Conditional(term));
        }
    }
}
