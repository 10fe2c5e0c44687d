//! Which array terms matter to an assignment.
//!
//! The search leaves literals open that nothing depends on (`justify`), so array terms that occur below
//! open literals only, in ended scopes say, need not be right. A literal is about the terms below
//! its own term, or below the unknowns of its linear form. Of those that have a value only some are needed
//! to justify the formulas, and of a conditional only one branch counts (`relevance`);
//! with the setting `arrays.relevance` at 0 this is not looked at.

use alphorn_sat::Var;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use crate::settings::ARRAYS_RELEVANCE;
use crate::theories::atoms::Meaning;
use crate::theories::kernel::Kernel;
use crate::theories::relevance::relevant_terms;

/// The array terms below literals that have a value, in the order of their first occurrence.
pub(super) fn relevant_arrays(kernel: &mut Kernel, store: &Store) -> Vec<TermId> {
    if ARRAYS_RELEVANCE.get() > 0 {
        let seen = relevant_terms(kernel, store);
        let terms = kernel.theory().arrays.terms.iter().copied();
        return terms.filter(|term| seen.contains(term)).collect();
    }
    let theory = kernel.theory();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<TermId> = Vec::new();
    let mut visit = |root: TermId| {
        stack.push(root);
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            // Connectives have no meaning to a theory; their inputs have literals of their own.
            let is_plain =
                matches!(store.op(term), Op::And | Op::Or | Op::Not | Op::Forall | Op::Exists);
            if !is_plain {
                stack.extend_from_slice(store.args(term));
            }
        }
    };
    for index in 0..kernel.search.var_count() {
        let var = Var(index as u32);
        if kernel.search.value(var.positive()).is_none() {
            continue;
        }
        match kernel.encoder.terms.get(index) {
            Some(Some(literal)) => visit(literal.atom),
            _ => {
                if let Meaning::Upper(form, _) = theory.atoms.meaning(var)
                    && let Some(terms) = theory.arithmetic.forms.get(form)
                {
                    let unknowns = terms.iter();
                    unknowns
                        .filter_map(|(form, _)| kernel.theory().arithmetic.unknowns.get(form))
                        .for_each(|term| visit(*term));
                }
            }
        }
    }
    if !kernel.theory().words.shared.is_empty() {
        // Literals about words are gates of their bits.
        let literals = kernel.encoder.literals.iter();
        let known = literals.filter(|(_, lit)| kernel.search.value(**lit).is_some());
        known.for_each(|(term, _)| visit(*term));
    }
    kernel.theory().arrays.terms.iter().copied().filter(|term| seen.contains(term)).collect()
}
