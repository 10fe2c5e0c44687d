//! The proof obligations of an invariant of a word-level system, as formulas.
//!
//! An engine asks for the obligations of its invariant and has a solver refute each; the checker
//! asks for the same obligations and replays the refutations. Both see the same terms with the
//! same ids in the same order, because both call this file with the same store.
//!
//! Idea: an obligation describes a violation of one implication, so it must be unsatisfiable.
//! Together they say that the invariant holds in every state of every run that counts (one whose
//! constraints hold in every step, the last included), and that no such state is bad. The step's
//! second half has its own inputs, because constraints may look at them.
//!
//! Invariant: the terms depend on the system, the property, the store and the formula alone.

use crate::words::Words;
use alphorn_term::{SortId, Store, Substitution, TermId};
use std::collections::BTreeSet;

/// One thing a certificate must prove: that its assertions are unsatisfiable together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Which implication it stands for: `initiation`, `consecution` or `property`.
    pub name: &'static str,
    /// The formulas to refute.
    pub assertions: Vec<TermId>,
}

/// The obligations of one invariant for one safety property.
#[derive(Clone, Debug)]
pub struct Obligations {
    /// The terms of the assertions, in a store that extends the invariant's.
    pub terms: Store,
    /// Initiation, consecution and property.
    pub list: [Obligation; 3],
}

impl Obligations {
    /// The obligations of the invariant `formula`, a term of `terms`, for the safety property
    /// with position `property`, or why the invariant is malformed.
    pub fn new(
        words: &Words,
        property: usize,
        terms: &Store,
        formula: TermId,
    ) -> Result<Obligations, String> {
        let Some(bad) = words.bads.get(property) else {
            return Err(format!("the system has no safety property {property}"));
        };
        if !terms.extends(&words.terms) {
            return Err("the invariant's terms do not extend the system's".into());
        }
        check_formula(words, terms, formula)?;
        let mut terms = terms.clone();
        let constraints: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();

        let mut initiation = Vec::new();
        for state in &words.states {
            if let Some(init) = state.init {
                initiation.push(terms.eq(state.var, init));
            }
        }
        initiation.extend(&constraints);
        initiation.push(terms.not(formula));

        let later = later_variables(words, &mut terms);
        let mut consecution = vec![formula];
        consecution.extend(&constraints);
        for state in &words.states {
            if let Some(next) = state.next {
                consecution.push(terms.eq(later[&state.var], next));
            }
        }
        consecution.extend(terms.substitute_all(&constraints, &later));
        let formula_later = terms.substitute(formula, &later);
        consecution.push(terms.not(formula_later));

        let mut violation = vec![formula];
        violation.extend(&constraints);
        violation.push(bad.term);

        let list = [
            Obligation { name: "initiation", assertions: initiation },
            Obligation { name: "consecution", assertions: consecution },
            Obligation { name: "property", assertions: violation },
        ];
        Ok(Obligations { terms, list })
    }
}

/// The invariant must be a formula about states and nothing else.
fn check_formula(words: &Words, terms: &Store, formula: TermId) -> Result<(), String> {
    if formula.index() >= terms.len() {
        return Err("the invariant is not a term of its store".into());
    }
    if terms.sort(formula) != SortId::BOOL {
        return Err("the invariant is not a formula".into());
    }
    let states: BTreeSet<TermId> = words.states.iter().map(|state| state.var).collect();
    match terms.free_vars(&[formula]).iter().find(|var| !states.contains(var)) {
        Some(var) => {
            let name = terms.var_name(*var).unwrap_or("?");
            Err(format!("the invariant mentions {name}, which is not a state"))
        }
        None => Ok(()),
    }
}

/// For every state and input its copy in the next step, named by a prime.
///
/// The names depend on the system alone: the engine that proves an obligation and the checker
/// that replays the proof must mean the same variables, whatever else their stores contain.
fn later_variables(words: &Words, terms: &mut Store) -> Substitution {
    let vars = words.states.iter().map(|state| state.var).chain(words.inputs.iter().copied());
    let mut later = Substitution::default();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for var in vars {
        let mut name = format!("{}'", terms.var_name(var).unwrap_or("x"));
        while words.terms.find_symbol(&name).is_some() || !taken.insert(name.clone()) {
            name.push('\'');
        }
        let sort = terms.sort(var);
        later.insert(var, terms.var(&name, sort));
    }
    later
}
