//! Clauses that were given to the search, as steps.
//!
//! An assertion stands as it is; the definition of a connective is a tautology; the defining property
//! of an operator is an axiom, from which, where it is an equation, the bounds follow that the search
//! was given; a lemma is proved by its theory. Literals are then exchanged for those that
//! represent them.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_sat::Lit;
use alphorn_term::{Op, TermId};

use super::Writer;
use crate::euf;
use crate::theories::Table;
use crate::theories::encode::Leaf;

impl Writer<'_> {
    /// A step for a given clause: `clause` is what represents `lits`.
    pub(crate) fn leaf(&mut self, lits: &[Lit], clause: Vec<Literal>) -> Option<StepId> {
        let mut key = lits.to_vec();
        key.sort_unstable();
        key.dedup();
        let leaf = self.kernel.encoder.leaves.as_ref()?.get(&key).cloned();
        match leaf.unwrap_or(Leaf::Theory) {
            Leaf::Truth => None,
            Leaf::Assertion(number) => {
                let term = self.kernel.assertions.get(number)?.term;
                let step = self.assert(number, term);
                self.represent(step, &[Literal::of(self.store, term)], &clause)
            }
            Leaf::Tautology(terms) => {
                let step = self.push(terms.clone(), Rule::Tautology);
                self.represent(step, &terms, &clause)
            }
            Leaf::Conditional(term) => self.conditional(term, clause),
            Leaf::Of(term, prove) => prove(self, term, clause),
            Leaf::Lemma(lemma) => lemma.prove(self, &clause),
            Leaf::Instance(terms, values) => {
                let step = self.push(stated(&terms), Rule::Instantiate(values));
                self.represent(step, &terms, &clause)
            }
            Leaf::Witness(terms, witnesses) => {
                let step = self.push(stated(&terms), Rule::Skolem(witnesses));
                self.represent(step, &terms, &clause)
            }
            Leaf::Bits => Some(self.push(clause, Rule::Bits)),
            Leaf::Axiom(terms, rule) => {
                let step = self.push(terms.clone(), rule);
                self.represent(step, &terms, &clause)
            }
            // Equality takes all operators for functions, so it comes after those who know them.
            Leaf::Theory if self.is_of_tokens(&clause) => {
                euf::prove_clause(self.store, &clause, &mut self.steps)
                    .or_else(|| Table::prove(self, &key, &clause))
            }
            Leaf::Theory => Table::prove(self, &key, &clause)
                .or_else(|| euf::prove_clause(self.store, &clause, &mut self.steps)),
        }
    }

    /// Whether a clause compares tokens, and nothing else.
    fn is_of_tokens(&self, clause: &[Literal]) -> bool {
        let equality = &self.kernel.theory().equality;
        clause.iter().all(|literal| equality.is_of_tokens(self.store, literal.atom))
    }

    /// What a conditional comes to, in the terms that it has.
    fn conditional(&mut self, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
        let args = self.store.args(term).to_vec();
        let condition = Literal::of(self.store, args[0]);
        let is_token = self.kernel.theory().equality.tokens.contains(&term);
        let is_number = self.store.sort(term).is_arithmetic() && !is_token;
        for (condition, branch) in [(!condition, args[1]), (condition, args[2])] {
            let conclusions = match is_number {
                true => [[term, branch], [branch, term]].map(|args| self.store.mk(Op::Le, &args)),
                false => [self.store.eq(term, branch); 2],
            };
            for conclusion in conclusions {
                let terms = [condition, Literal::of(self.store, conclusion)];
                let before = self.steps.len();
                let step = self.push(terms.to_vec(), Rule::Conditional(term));
                if let Some(step) = self.represent(step, &terms, &clause) {
                    return Some(step);
                }
                self.steps.truncate(before);
            }
        }
        None
    }
}

/// A clause without literals that are false by themselves.
pub(crate) fn stated(clause: &[Literal]) -> Vec<Literal> {
    let is_false = |literal: &&Literal| match literal.atom {
        TermId::TRUE => literal.negated,
        TermId::FALSE => !literal.negated,
        _ => false,
    };
    clause.iter().filter(|literal| !is_false(literal)).copied().collect()
}
