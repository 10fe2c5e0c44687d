//! What lines mean beyond their operators: names, negation, arrays, properties, comments.

use super::{assert_well_sorted, read};
use alphorn_front::btor2;
use alphorn_term::{Op, Sort, TermId};

#[test]
fn names_are_symbols_where_these_are_unique() {
    let words = read(
        "1 sort bitvec 8\n2 input 1 a\n3 input 1 a\n4 input 1\n5 state 1 state7\n6 state 1 input4\n\
         7 state 1\n8 state 1 x;y ; a comment\n9 input 1;a comment\n",
    );
    let name = |term: &TermId| words.terms.var_name(*term).unwrap().to_owned();
    let inputs: Vec<String> = words.inputs.iter().map(name).collect();
    let states: Vec<String> = words.state_vars().iter().map(name).collect();
    assert_eq!(inputs, ["a", "input3", "input4", "input9"]);
    assert_eq!(states, ["state7", "state6", "state7_", "x;y"]);
}

#[test]
fn comments_blank_lines_gaps_and_carriage_returns() {
    let words = read(
        "; a comment\n\n  \t\r\n1 sort bitvec 1\r\n;2 input 1\n  1000000000000 input 1 ; x\r\n\
         1000000000001\tstate 1 s\n1000000000002 bad -1000000000001 wrong ; why",
    );
    assert_eq!((words.inputs.len(), words.states.len()), (1, 1));
    assert_eq!(words.bads[0].name.as_deref(), Some("wrong"));
    assert_eq!(words.terms.op(words.bads[0].term), Op::Not);
}

#[test]
fn spans_cover_lines_without_comments() {
    let text = "1 sort bitvec 1\n2 state 1 s ; state\n 3 bad 2 name \n";
    let words = read(text);
    let at = |span: alphorn_problem::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(at(words.states[0].span), "2 state 1 s");
    assert_eq!(at(words.bads[0].span), "3 bad 2 name");
}

#[test]
fn conditions_of_one_bit_are_formulas() {
    let words = read(
        "1 sort bitvec 1\n2 input 1 p\n3 input 1 q\n4 and 1 2 -3\n5 ite 1 4 2 3\n6 bad 4\n7 bad 5\n\
         8 sort bitvec 4\n9 input 8 x\n10 ult 1 9 9\n11 bad 10\n12 ite 8 4 9 -9\n13 output 12\n\
         14 constraint -4\n15 fair 2\n16 justice 2 2 -3 live\n",
    );
    assert_well_sorted(&words);
    let store = &words.terms;
    let [p, q, _] = words.inputs[..] else { panic!() };
    assert_eq!(store.op(words.bads[0].term), Op::And);
    assert!(store.free_vars(&[words.bads[0].term]) == [p, q]);
    assert_eq!(words.bads[2].term, TermId::FALSE);
    assert_eq!(store.args(words.constraints[0].term), [words.bads[0].term]);
    assert_eq!(words.justice[0].terms.len(), 2);
    assert_eq!(words.justice[0].name.as_deref(), Some("live"));
    assert_eq!(words.fairness.len(), 1);
    assert_eq!(store.width(words.outputs[0].term), 4);
}

#[test]
fn arrays_are_read_written_compared_and_initialised() {
    let words = read(
        "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 zero 2\n5 state 3 mem\n6 init 3 5 4\n\
         7 input 1 at\n8 input 2 value\n9 write 3 5 7 8\n10 sort bitvec 1\n11 input 10 on\n\
         12 ite 3 11 9 5\n13 next 3 5 12\n14 read 2 5 7\n15 output 14\n16 eq 10 5 9\n17 bad -16\n\
         18 state 3 copy\n19 init 3 18 5\n20 neq 10 5 18\n21 bad 20\n",
    );
    assert_well_sorted(&words);
    let store = &words.terms;
    assert_eq!(store.op(words.states[0].init.unwrap()), Op::ConstArray);
    assert_eq!(words.states[1].init, Some(words.states[0].var));
    assert_eq!(store.op(words.states[0].next.unwrap()), Op::Ite);
    assert_eq!(store.op(words.outputs[0].term), Op::Select);
}

#[test]
fn arrays_of_arrays() {
    let words = read(
        "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 sort array 1 3\n5 one 2\n6 state 4\n\
         7 init 4 6 5\n8 input 1\n9 read 3 6 8\n10 write 3 9 8 5\n11 write 4 6 8 10\n12 next 4 6 11\n",
    );
    assert_well_sorted(&words);
    let sort = words.terms.sort(words.states[0].var);
    let Sort::Array(_, inner) = *words.terms.sort_of(sort) else { panic!() };
    assert!(matches!(words.terms.sort_of(inner), Sort::Array(..)));
    let printed = btor2::print(&words).unwrap();
    assert_eq!(btor2::print(&read(&printed)).unwrap(), printed);
}

#[test]
fn constants_in_three_notations() {
    let words = read(
        "1 sort bitvec 6\n2 const 1 101010\n3 constd 1 42\n4 consth 1 2a\n5 constd 1 -22\n6 consth 1 002A\n\
         7 constd 1 -32\n8 constd 1 63\n9 ones 1\n10 zero 1\n11 one 1\n\
         20 output 2\n21 output 3\n22 output 4\n23 output 5\n24 output 6\n25 output 7\n26 output 8\n\
         27 output 9\n28 output 10\n29 output 11\n",
    );
    let value = |i: usize| words.terms.bv_value(words.outputs[i].term).unwrap().to_u64().unwrap();
    let values: Vec<u64> = (0..10).map(value).collect();
    assert_eq!(values, [42, 42, 42, 42, 42, 32, 63, 63, 0, 1]);
}

#[test]
fn an_initial_value_may_come_after_its_state() {
    let words = read("1 sort bitvec 8\n2 state 1\n3 state 1\n4 add 1 2 2\n5 init 1 3 4\n");
    assert_well_sorted(&words);
    assert!(words.states[1].init.is_some());
}
