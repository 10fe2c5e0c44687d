//! Codatatypes: infinite trees, which are equal exactly if they cannot be told apart.

use super::{check, check_error, int};
use alphorn_term::value::codata::{MAX_NODES, Node, Part};
use alphorn_term::value::{cardinality, elements};
use alphorn_term::{CtorId, DataId, EvalError, Op, SortId, Store, Value};

struct Streams {
    store: Store,
    data: DataId,
    cons: CtorId,
    end: CtorId,
}

fn streams() -> Streams {
    let mut store = Store::new();
    let data = store.declare_data_or_codata("Stream", &[], true);
    let sort = store.data(data).sort;
    let fields = vec![("head".to_owned(), SortId::INT), ("tail".to_owned(), sort)];
    store.define_data(data, &[("cons", fields), ("end", vec![])]);
    let (cons, end) = (store.data(data).ctors[0], store.data(data).ctors[1]);
    Streams { store, data, cons, end }
}

/// The stream of these numbers again and again, after others.
fn cycle(cons: CtorId, before: &[i64], again: &[i64]) -> Value {
    let numbers: Vec<i64> = before.iter().chain(again).copied().collect();
    let node = |(at, number): (usize, &i64)| {
        let next = if at + 1 < numbers.len() { at + 1 } else { before.len() };
        Node { ctor: cons, args: vec![Part::Value(int(*number)), Part::Node(next as u32)] }
    };
    Value::codata(numbers.iter().enumerate().map(node).collect(), 0).expect("it is small")
}

#[test]
fn trees_that_cannot_be_told_apart_are_equal() {
    let Streams { mut store, cons, .. } = streams();
    let store = &mut store;
    let zeros = cycle(cons, &[], &[0]);
    assert_eq!(cycle(cons, &[], &[0, 0, 0]), zeros);
    assert_eq!(cycle(cons, &[0, 0], &[0]), zeros);
    assert_eq!(cycle(cons, &[0], &[1, 0]), cycle(cons, &[], &[0, 1]));
    assert_ne!(cycle(cons, &[1], &[0]), zeros);
    assert_ne!(cycle(cons, &[], &[0, 1]), cycle(cons, &[], &[1, 0]));
    check(store, Op::Eq, &[cycle(cons, &[0], &[0, 0]), zeros.clone()], Value::Bool(true));
    check(store, Op::Distinct, &[cycle(cons, &[2], &[0]), zeros], Value::Bool(true));
}

#[test]
fn constructors_testers_and_selectors_go_round() {
    let Streams { mut store, cons, end, .. } = streams();
    let store = &mut store;
    let zeros = cycle(cons, &[], &[0]);
    let two = cycle(cons, &[], &[0, 1]);
    let only = std::slice::from_ref;
    check(store, Op::Construct(cons), &[int(0), zeros.clone()], zeros.clone());
    check(store, Op::Construct(cons), &[int(1), two.clone()], cycle(cons, &[], &[1, 0]));
    check(store, Op::Construct(cons), &[int(0), two.clone()], cycle(cons, &[0], &[0, 1]));
    check(store, Op::Field(cons, 1), only(&two), cycle(cons, &[], &[1, 0]));
    check(store, Op::Field(cons, 0), only(&two), int(0));
    check(store, Op::Field(cons, 1), only(&cycle(cons, &[7], &[0])), zeros.clone());
    check(store, Op::Is(cons), only(&zeros), Value::Bool(true));
    check(store, Op::Is(end), only(&zeros), Value::Bool(false));
    let empty = Value::made(store, end, vec![]).expect("it is small");
    check_error(store, Op::Field(cons, 0), only(&empty), EvalError::WrongField(cons, 0));
}

#[test]
fn only_trees_that_end_are_terms() {
    let Streams { mut store, cons, end, .. } = streams();
    let empty = Value::made(&store, end, vec![]).expect("it is small");
    let one = Value::made(&store, cons, vec![int(1), empty]).expect("it is small");
    let term = store.value_term(&one).expect("it ends");
    assert_eq!(store.show(term), "(cons 1 end)");
    assert_eq!(store.value_term(&cycle(cons, &[1], &[0])), None);
}

#[test]
fn values_of_datatypes_are_none_of_codatatypes() {
    let Streams { store, data, cons, end } = streams();
    let sort = store.data(data).sort;
    assert!(cycle(cons, &[1], &[0]).has_sort(&store, sort));
    assert!(!Value::data(end, vec![]).expect("it is small").has_sort(&store, sort));
    let wrong = vec![Node { ctor: cons, args: vec![Part::Node(0), Part::Node(0)] }];
    assert!(!Value::codata(wrong, 0).expect("it is small").has_sort(&store, sort));
    let missing = vec![Node { ctor: cons, args: vec![Part::Value(int(0)), Part::Node(1)] }];
    assert_eq!(Value::codata(missing, 0), None);
}

#[test]
fn codatatypes_without_a_choice_have_one_value() {
    let mut store = Store::new();
    let one = store.declare_data_or_codata("One", &[], true);
    let one_sort = store.data(one).sort;
    store.define_data(one, &[("again", vec![("once".to_owned(), one_sort)])]);
    assert_eq!(cardinality(&store, one_sort), Some(1));
    assert_eq!(elements(&store, one_sort, 5).map(|all| all.len()), Some(1));
    let finite = store.declare_data_or_codata("Finite", &[], true);
    let finite_sort = store.data(finite).sort;
    let fields = vec![("chosen".to_owned(), SortId::BOOL), ("only".to_owned(), one_sort)];
    store.define_data(finite, &[("pick", fields), ("none", vec![])]);
    assert_eq!(cardinality(&store, finite_sort), Some(3));
    assert_eq!(elements(&store, finite_sort, 5).map(|all| all.len()), Some(3));
    let bits = store.declare_data_or_codata("Bits", &[], true);
    let bits_sort = store.data(bits).sort;
    let fields = vec![("first".to_owned(), SortId::BOOL), ("rest".to_owned(), bits_sort)];
    store.define_data(bits, &[("bit", fields)]);
    assert_eq!(cardinality(&store, bits_sort), None);
    assert!(Value::default_of(&store, bits_sort).is_some_and(|v| v.has_sort(&store, bits_sort)));
    let array = store.array_sort(SortId::INT, one_sort);
    assert_eq!(cardinality(&store, array), Some(1));
}

#[test]
fn trees_have_a_greatest_size() {
    let Streams { store, cons, end, .. } = streams();
    let mut value = Value::made(&store, end, vec![]).expect("it is small");
    for number in 1..MAX_NODES as i64 {
        value = Value::made(&store, cons, vec![int(number), value]).expect("within the limit");
    }
    assert_eq!(Value::made(&store, cons, vec![int(0), value]), None);
}
