//! Random systems as BTOR2 text with every operator, and runs of them.

use crate::Rng;
use alphorn_problem::Words;
use alphorn_term::eval::Program;
use alphorn_term::{Model, TermId, Value, eval};
use std::fmt::Write as _;

const SAME: &[&str] = &[
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul",
    "sdiv", "udiv", "smod", "srem", "urem", "sub",
];
const BIT: &[&str] = &[
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "saddo", "uaddo",
    "sdivo", "udivo", "smulo", "umulo", "ssubo", "usubo",
];
const UNARY: &[&str] = &["not", "inc", "dec", "neg"];
const REDUCE: &[&str] = &["redand", "redor", "redxor"];

/// A random system of about `size` lines over words of 1, 3 and 4 bits and an array.
pub fn system(rng: &mut Rng, size: usize) -> String {
    let mut text = String::from(
        "1 sort bitvec 1\n2 sort bitvec 3\n3 sort bitvec 4\n4 sort array 2 3\n5 sort bitvec 7\n\
         6 zero 1\n7 zero 2\n8 constd 3 9\n",
    );
    let mut id = 8;
    // The lines of each sort, by the sort's line.
    let mut known: Vec<Vec<usize>> = vec![vec![], vec![6], vec![7], vec![8], vec![], vec![]];
    let mut states = Vec::new();
    for sort in [1, 2, 3, 4, 1, 2] {
        id += 1;
        writeln!(text, "{id} state {sort}").expect("a string takes it");
        states.push((id, sort));
        // Values so far are constants and earlier states.
        let at_hand = if sort == 4 { &known[3] } else { &known[sort] };
        if rng.below(3) > 0 {
            let value = at_hand[rng.below(at_hand.len())];
            writeln!(text, "{} init {sort} {id} {value}", id + 1).expect("a string takes it");
            known[sort].push(id);
            id += 1;
        } else {
            known[sort].push(id);
        }
    }
    for sort in [1, 2, 3, 1] {
        id += 1;
        writeln!(text, "{id} input {sort} in{id}").expect("a string takes it");
        known[sort].push(id);
    }
    for _ in 0..size {
        id += 1;
        line(rng, &mut text, id, &mut known);
    }
    for (state, sort) in states {
        if rng.below(6) > 0 {
            id += 1;
            let value = known[sort][rng.below(known[sort].len())];
            writeln!(text, "{id} next {sort} {state} {value}").expect("a string takes it");
        }
    }
    for kind in ["bad", "constraint", "fair", "output", "justice 1", "bad"] {
        id += 1;
        let value = known[1][known[1].len() - 1 - rng.below(known[1].len().min(8))];
        writeln!(text, "{id} {kind} {value}").expect("a string takes it");
    }
    text
}

fn line(rng: &mut Rng, text: &mut String, id: usize, known: &mut [Vec<usize>]) {
    let sort = 1 + rng.below(3);
    let pick = |rng: &mut Rng, sort: usize| {
        let value = known[sort][rng.below(known[sort].len())];
        if sort != 4 && rng.below(4) == 0 { format!("-{value}") } else { value.to_string() }
    };
    let (a, b) = (pick(rng, sort), pick(rng, sort));
    let (result, line) = match rng.below(10) {
        0..3 => (sort, format!("{} {sort} {a} {b}", SAME[rng.below(SAME.len())])),
        3..5 => (1, format!("{} 1 {a} {b}", BIT[rng.below(BIT.len())])),
        5 => (sort, format!("{} {sort} {a}", UNARY[rng.below(UNARY.len())])),
        6 => (1, format!("{} 1 {a}", REDUCE[rng.below(REDUCE.len())])),
        7 => (sort, format!("ite {sort} {} {a} {b}", pick(rng, 1))),
        8 => match rng.below(4) {
            0 => (3, format!("uext 3 {} 1", pick(rng, 2))),
            1 => (3, format!("concat 3 {} {}", pick(rng, 1), pick(rng, 2))),
            2 => (2, format!("slice 2 {} 3 1", pick(rng, 3))),
            _ => (1, format!("slice 1 {} 2 2", pick(rng, 2))),
        },
        _ => match rng.below(3) {
            0 => (4, format!("write 4 {} {} {}", pick(rng, 4), pick(rng, 2), pick(rng, 3))),
            1 => (4, format!("ite 4 {} {} {}", pick(rng, 1), pick(rng, 4), pick(rng, 4))),
            _ => (3, format!("read 3 {} {}", pick(rng, 4), pick(rng, 2))),
        },
    };
    writeln!(text, "{id} {line}").expect("a string takes it");
    known[result].push(id);
}

/// Everything a system shows in a run of some steps: values come from `rng`.
pub fn run(words: &Words, rng: &mut Rng, steps: usize) -> Vec<Value> {
    let store = &words.terms;
    let mut model = Model::new();
    let mut seen = Vec::new();
    for state in &words.states {
        let any = any_value(words, state.var, rng);
        let value =
            state.init.map_or(any, |init| eval(store, init, &model).expect("terms have values"));
        model.set(state.var, value);
    }
    let mut state: Vec<Value> =
        words.states.iter().map(|state| model.vars[&state.var].clone()).collect();
    let mut vars = words.state_vars();
    vars.extend(&words.inputs);
    let named = words.bads.iter().chain(&words.constraints).chain(&words.fairness);
    let named = named.chain(&words.homes);
    let mut shown: Vec<TermId> = named.chain(&words.outputs).map(|named| named.term).collect();
    shown.extend(words.justice.iter().flat_map(|justice| &justice.terms));
    let nexts = shown.len();
    shown.extend(words.states.iter().filter_map(|state| state.next));
    let mut program = Program::new(store, &vars, &shown);
    for _ in 0..steps {
        let mut values = state.clone();
        for input in &words.inputs {
            values.push(any_value(words, *input, rng));
        }
        program.run(store, &values, &Model::default());
        seen.extend(
            (0..nexts).map(|index| program.output(index).expect("terms have values").clone()),
        );
        seen.extend(state.iter().cloned());
        let mut index = nexts;
        for (place, declared) in words.states.iter().enumerate() {
            let any = any_value(words, declared.var, rng);
            state[place] = match declared.next {
                Some(_) => {
                    index += 1;
                    program.output(index - 1).expect("terms have values").clone()
                }
                None => any,
            };
        }
    }
    seen
}

fn any_value(words: &Words, var: TermId, rng: &mut Rng) -> Value {
    let store = &words.terms;
    let sort = store.sort(var);
    match store.width_of(sort) {
        Some(width) => Value::Bv(alphorn_term::Bv::from_u64(width, rng.next_u64())),
        None => Value::default_of(store, sort).expect("terms have values"),
    }
}
