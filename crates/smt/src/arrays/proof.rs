//! Steps for clauses about paths of writes.
//!
//! Along the path the reads at the first index are equal, one by one: reads from equal arrays by
//! congruence or the array axiom, reads from a write and from what was written by the axiom. The
//! chain of these equations is closed by equality; one step of propagation gives the clause.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Op, TermId};

use super::lemma::{Hop, Path};
use crate::euf;
use crate::proof::Writer;
use crate::proof::leaf::stated;

impl Writer<'_> {
    /// A step for the clause of a path, where `clause` is what represents its literals.
    pub(crate) fn array_path(&mut self, path: &Path, clause: &[Literal]) -> Option<StepId> {
        let index = path.indices[0];
        let (mut from, mut hints, mut equations) = (Vec::new(), Vec::new(), Vec::new());
        for hop in &path.hops {
            match hop {
                Hop::Equal(left, right, lits) => {
                    let mut reason = Vec::with_capacity(lits.len() + 1);
                    for lit in lits {
                        reason.push(!self.literal(*lit)?);
                    }
                    from.extend_from_slice(&reason);
                    let equation = self.equation(*left, *right);
                    if !reason.contains(&!equation) {
                        reason.push(equation);
                        hints.push(euf::prove_clause(self.store, &reason, &mut self.steps)?);
                    }
                    let reads = [*left, *right].map(|array| self.store.select(array, index));
                    let equal = self.equation(reads[0], reads[1]);
                    if reads[0] != reads[1] {
                        hints.push(self.push(stated(&[!equation, equal]), Rule::Array(index)));
                        equations.push(equal);
                    }
                }
                Hop::Write(write) => {
                    let &[older, written, _] = self.store.args(*write) else { return None };
                    let same = self.equation(written, index);
                    from.push(same);
                    let reads = [*write, older].map(|array| self.store.select(array, index));
                    if reads[0] != reads[1] {
                        let equal = self.equation(reads[0], reads[1]);
                        hints.push(self.push(stated(&[same, equal]), Rule::Array(reads[0])));
                        equations.push(equal);
                    }
                }
            }
        }
        let same = self.equation(index, path.indices[1]);
        from.push(!same);
        let reads = path.indices.map(|index| self.store.select(path.last, index));
        if reads[0] != reads[1] {
            let equal = self.equation(reads[0], reads[1]);
            hints.push(self.same_index(path.last, reads, &stated(&[!same, equal]))?);
            equations.push(equal);
        }
        let conclusion = self.equation(path.values[0], path.values[1]);
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
            hints.push(euf::prove_clause(self.store, &chain, &mut self.steps)?);
        }
        let from = stated(&from);
        let step = self.rup(from.clone(), hints);
        self.represent(step, &from, clause)
    }

    /// A step that reads from one array at equal indices are equal.
    fn same_index(
        &mut self,
        array: TermId,
        reads: [TermId; 2],
        clause: &[Literal],
    ) -> Option<StepId> {
        let store = &self.store;
        let is_read = |term: TermId| store.op(term) == Op::Select && store.args(term)[0] == array;
        // One of them may be what was written, or a read from below.
        let read = *reads.iter().find(|read| is_read(**read))?;
        let other = if read == reads[0] { reads[1] } else { reads[0] };
        let is_written = store.op(array) == Op::Store && store.args(array)[2] == other;
        let rule = if is_written { Rule::Array(read) } else { Rule::Congruence };
        Some(self.push(clause.to_vec(), rule))
    }

    fn equation(&mut self, left: TermId, right: TermId) -> Literal {
        let equation = self.store.eq(left, right);
        Literal::of(self.store, equation)
    }
}
