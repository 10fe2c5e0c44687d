//! Comparisons of a guessed model as outputs of the transition system.
//!
//! A guess comes from reading words as integers that do not overflow. What it compares are sums that
//! overflow all the same, so each comparison of wide sums stands beside the equation of what the words
//! themselves hold of them.

use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::obligation::blast::bits::is_atom;
use alphorn_problem::words::Named;
use alphorn_problem::{Span, Words};
use alphorn_term::{Op, Substitution, TermId};
use std::collections::BTreeSet;

/// Adds the comparisons in definitions of predicates, whose arguments stand in these states, to the
/// outputs.
pub(super) fn add(words: &mut Words, slots: &[Vec<usize>], definitions: &[Definition]) {
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    for (definition, slots) in definitions.iter().zip(slots) {
        let states = slots.iter().map(|&slot| words.states[slot].var);
        let map: Substitution = definition.params.iter().copied().zip(states).collect();
        let formula = words.terms.substitute(definition.body, &map);
        for term in words.terms.subterms(&[formula]) {
            if is_atom(&words.terms, term) {
                found.insert(term);
                found.extend(narrowed(words, term));
            }
        }
    }
    let named = |term| Named { term, name: None, span: Span::NONE };
    words.outputs.extend(found.into_iter().map(named));
}

/// The equation of the low bits of what a comparison compares, as many as its variables have.
fn narrowed(words: &mut Words, atom: TermId) -> Option<TermId> {
    let store = &mut words.terms;
    let vars = store.free_vars(&[atom]);
    let width = vars.iter().map(|&var| store.width(var)).max()?;
    let &[left, right] = store.args(atom) else { return None };
    if width == 0 || store.width(left) <= width {
        return None;
    }
    let [left, right] = [left, right].map(|side| store.mk(Op::Extract(width - 1, 0), &[side]));
    let equation = store.eq(left, right);
    (!store.is_literal(equation)).then_some(equation)
}
