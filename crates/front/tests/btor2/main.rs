//! BTOR2: reading, printing, witnesses.

#![allow(clippy::unwrap_used)]

mod errors;
mod files;
mod language;
mod mutate;
mod operators;
mod print;
mod witness;

use alphorn_problem::Words;
use alphorn_term::eval::Program;
use alphorn_term::{Model, Value};
use alphorn_testkit::read::words as read;

/// Asserts that all parts of a system have the sorts they must have.
fn assert_well_sorted(words: &Words) {
    let store = &words.terms;
    let bool_sort = alphorn_term::SortId::BOOL;
    for state in &words.states {
        assert!(store.var_name(state.var).is_some());
        for value in [state.init, state.next].into_iter().flatten() {
            assert_eq!(store.sort(value), store.sort(state.var));
        }
    }
    for named in words.bads.iter().chain(&words.constraints).chain(&words.fairness) {
        assert_eq!(store.sort(named.term), bool_sort);
    }
    for term in words.justice.iter().flat_map(|justice| &justice.terms) {
        assert_eq!(store.sort(*term), bool_sort);
    }
    let known: Vec<_> = words.state_vars().into_iter().chain(words.inputs.clone()).collect();
    let mut roots: Vec<_> = words.states.iter().flat_map(|s| [s.init, s.next]).flatten().collect();
    roots.extend(words.bads.iter().chain(&words.outputs).map(|named| named.term));
    assert!(store.free_vars(&roots).iter().all(|var| known.contains(var)));
    let mut earlier = Vec::new();
    for state in &words.states {
        let init: Vec<_> = state.init.into_iter().collect();
        assert!(store.free_vars(&init).iter().all(|var| earlier.contains(var)));
        earlier.push(state.var);
    }
}

/// The outputs of a system without states, for values of its inputs.
fn outputs(words: &Words, program: &mut Program, inputs: &[Value]) -> Vec<Value> {
    program.run(&words.terms, inputs, &Model::default());
    (0..words.outputs.len()).map(|index| program.output(index).unwrap().clone()).collect()
}

fn output_program(words: &Words) -> Program {
    let terms: Vec<_> = words.outputs.iter().map(|output| output.term).collect();
    Program::new(&words.terms, &words.inputs, &terms)
}
