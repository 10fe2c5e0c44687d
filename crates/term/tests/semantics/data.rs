//! Datatypes: constructors, testers, selectors, and the limits on values.

use super::{check, check_error, int, value_of};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::value::{ArrayValue, MAX_VALUE_DEPTH, cardinality, elements};
use alphorn_term::{CtorId, EvalError, Op, SortId, Store, Value};
use std::sync::Arc;

struct Lists {
    store: Store,
    list: SortId,
    nil: CtorId,
    cons: CtorId,
}

fn lists() -> Lists {
    let mut store = Store::new();
    let data = store.declare_data("List", &[]);
    let list = store.data(data).sort;
    let fields = vec![("head".to_owned(), SortId::INT), ("tail".to_owned(), list)];
    store.define_data(data, &[("nil", vec![]), ("cons", fields)]);
    let (nil, cons) = (store.data(data).ctors[0], store.data(data).ctors[1]);
    Lists { store, list, nil, cons }
}

#[test]
fn constructors_testers_selectors() {
    let Lists { mut store, nil, cons, .. } = lists();
    let store = &mut store;
    let empty = Value::data(nil, vec![]).expect("a shallow value");
    let one = Value::data(cons, vec![int(1), empty.clone()]).expect("a shallow value");
    let two = Value::data(cons, vec![int(2), one.clone()]).expect("a shallow value");
    check(store, Op::Construct(nil), &[], empty.clone());
    check(store, Op::Construct(cons), &[int(1), empty.clone()], one.clone());
    for (value, is_nil) in [(&empty, true), (&one, false), (&two, false)] {
        let arg = std::slice::from_ref(value);
        check(store, Op::Is(nil), arg, Value::Bool(is_nil));
        check(store, Op::Is(cons), arg, Value::Bool(!is_nil));
    }
    check(store, Op::Field(cons, 0), std::slice::from_ref(&two), int(2));
    check(store, Op::Field(cons, 1), std::slice::from_ref(&two), one.clone());
    check(store, Op::Eq, &[two.clone(), one.clone()], Value::Bool(false));
    check(store, Op::Eq, &[one.clone(), empty.clone()], Value::Bool(false));
    check(store, Op::Distinct, &[one, two, empty], Value::Bool(true));
}

#[test]
fn selectors_of_other_constructors() {
    let Lists { mut store, nil, cons, .. } = lists();
    let store = &mut store;
    let empty = Value::data(nil, vec![]).expect("a shallow value");
    for field in 0..2 {
        let error = EvalError::WrongField(cons, field);
        check_error(store, Op::Field(cons, field), std::slice::from_ref(&empty), error);
    }
    let mut choices = Choices::default();
    choices.fields.insert((cons, 0), Table::constant(int(17)));
    let head = value_of(store, Op::Field(cons, 0), std::slice::from_ref(&empty), &choices);
    assert_eq!(head, Ok(int(17)));
    // A choice for one selector is none for another, and none where the selector is defined.
    let tail = value_of(store, Op::Field(cons, 1), std::slice::from_ref(&empty), &choices);
    assert_eq!(tail, Err(EvalError::WrongField(cons, 1)));
    let one = Value::data(cons, vec![int(1), empty]).expect("a shallow value");
    assert_eq!(value_of(store, Op::Field(cons, 0), &[one], &choices), Ok(int(1)));
}

#[test]
fn a_choice_may_differ_by_argument() {
    let mut store = Store::new();
    let data = store.declare_data("Shape", &[]);
    let radius = vec![("radius".to_owned(), SortId::INT)];
    store.define_data(data, &[("point", vec![]), ("line", vec![]), ("circle", radius)]);
    let [point, line, circle] = store.data(data).ctors[..] else { panic!("three constructors") };
    let value = |ctor| Value::data(ctor, vec![]).expect("a shallow value");
    let mut table = Table::default();
    table.entries.insert(vec![value(point)], int(0));
    table.entries.insert(vec![value(line)], int(-1));
    let mut choices = Choices::default();
    choices.fields.insert((circle, 0), table);
    for (ctor, expected) in [(point, int(0)), (line, int(-1))] {
        let got = value_of(&mut store, Op::Field(circle, 0), &[value(ctor)], &choices);
        assert_eq!(got, Ok(expected));
    }
}

#[test]
fn finite_datatypes() {
    let store = &mut Store::new();
    let colour = store.declare_data("Colour", &[]);
    store.define_data(colour, &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
    let colour = store.data(colour).sort;
    let option = store.declare_data("Option", &[colour]);
    let some = vec![("value".to_owned(), colour), ("sure".to_owned(), SortId::BOOL)];
    store.define_data(option, &[("none", vec![]), ("some", some)]);
    let option = store.data(option).sort;
    assert_eq!(cardinality(store, colour), Some(3));
    assert_eq!(cardinality(store, option), Some(7));
    let mut all = elements(store, option, 7).expect("seven elements");
    all.dedup();
    assert_eq!(all.len(), 7);
    assert_eq!(elements(store, option, 6), None);
    let Lists { store, list, .. } = lists();
    assert_eq!(cardinality(&store, list), None);
}

#[test]
fn defaults() {
    let Lists { mut store, list, nil, .. } = lists();
    let store = &mut store;
    assert_eq!(Value::default_of(store, list), Value::data(nil, vec![]));
    // The first constructor does not end.
    let data = store.declare_data("Nat", &[]);
    let nat = store.data(data).sort;
    store.define_data(data, &[("succ", vec![("pred".to_owned(), nat)]), ("zero", vec![])]);
    let zero = store.data(data).ctors[1];
    assert_eq!(Value::default_of(store, nat), Value::data(zero, vec![]));
    let data = store.declare_data("Stream", &[]);
    let stream = store.data(data).sort;
    store.define_data(data, &[("next", vec![("rest".to_owned(), stream)])]);
    assert_eq!(Value::default_of(store, stream), None);
    let arrays = store.array_sort(nat, list);
    let value = Value::default_of(store, arrays).expect("arrays of lists have values");
    assert!(value.has_sort(store, arrays));
}

/// A sort of which every level uses the one below twice must not cost twice as much each level.
#[test]
fn sorts_that_share_their_parts() {
    let store = &mut Store::new();
    let mut sort = SortId::BOOL;
    for level in 0..40 {
        let data = store.declare_data(&format!("Twice{level}"), &[]);
        let fields = vec![(format!("l{level}"), sort), (format!("r{level}"), sort)];
        store.define_data(data, &[(&format!("twice{level}"), fields)]);
        sort = store.data(data).sort;
    }
    assert_eq!(cardinality(store, sort), None);
    assert_eq!(Value::default_of(store, sort), None, "the value would be larger than values are");
    let mut array = SortId::INT;
    for _ in 0..60 {
        array = store.array_sort(array, array);
    }
    assert_eq!(cardinality(store, array), None);
    assert!(Value::default_of(store, array).is_some());
}

fn in_thread(stack: usize, run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(stack).spawn(run);
    thread.expect("a thread starts").join().expect("the thread ends well");
}

/// The deepest values must survive everything that recurses on values, on an ordinary stack.
#[test]
fn the_depth_limit_protects_the_stack() {
    in_thread(2 << 20, || {
        let Lists { mut store, list, nil, cons } = lists();
        let chain = |last: i64| {
            let mut value = Value::data(nil, vec![]).expect("a shallow value");
            for n in 1..MAX_VALUE_DEPTH {
                let number = if n == 1 { last } else { i64::from(n) };
                value = Value::data(cons, vec![int(number), value]).expect("within the limit");
            }
            value
        };
        let (a, b, c) = (chain(0), chain(0), chain(1));
        assert_eq!(a, b);
        assert!(a < c);
        let set: rustc_hash::FxHashSet<Value> = [a.clone(), b, c].into_iter().collect();
        assert_eq!(set.len(), 2);
        assert!(a.has_sort(&store, list));
        let term = store.value_term(&a).expect("lists have terms");
        assert_eq!(alphorn_term::eval(&store, term, &Default::default()), Ok(a.clone()));
        assert!(format!("{a:?}").len() > 1000);
        assert_eq!(Value::data(cons, vec![int(0), a.clone()]), None);
        check_error(&mut store, Op::Construct(cons), &[int(0), a], EvalError::TooLarge);
    });
}

/// A datatype whose values hold arrays of its values: both kinds of nesting in turn.
#[test]
fn arrays_inside_have_the_same_limit() {
    in_thread(2 << 20, || {
        let mut store = Store::new();
        let data = store.declare_data("Tree", &[]);
        let tree = store.data(data).sort;
        let children = store.array_sort(SortId::INT, tree);
        let fields = vec![("children".to_owned(), children)];
        store.define_data(data, &[("leaf", vec![]), ("mark", vec![]), ("node", fields)]);
        let [leaf, mark, node] = store.data(data).ctors[..] else { panic!("three constructors") };
        let empty = Value::data(leaf, vec![]).expect("a shallow value");
        let deep = |lowest| {
            let mut value = Value::data(lowest, vec![]).expect("a shallow value");
            for _ in 0..(MAX_VALUE_DEPTH - 1) / 2 {
                let array = ArrayValue::constant(&store, SortId::INT, empty.clone());
                let array = array.and_then(|array| array.with(&store, int(0), value));
                let array = Value::Array(Arc::new(array.expect("within the limit")));
                value = Value::data(node, vec![array]).expect("within the limit");
            }
            value
        };
        let (a, b, c) = (deep(leaf), deep(leaf), deep(mark));
        assert_eq!(a, b);
        assert!(a < c && a.has_sort(&store, tree));
        let set: rustc_hash::FxHashSet<Value> = [a.clone(), b, c].into_iter().collect();
        assert_eq!(set.len(), 2);
        let term = store.value_term(&a).expect("trees have terms");
        assert_eq!(alphorn_term::eval(&store, term, &Default::default()), Ok(a.clone()));
        assert!(format!("{a:?}").len() > 1000);
        let wider = ArrayValue::constant(&store, SortId::INT, a);
        let wider = wider.map(|array| Value::data(node, vec![Value::Array(Arc::new(array))]));
        assert_eq!(wider.flatten(), None);
    });
}

/// A full binary tree that shares its subtrees is small in memory, but not to walk.
#[test]
fn shared_values_are_limited_by_their_size() {
    let store = &mut Store::new();
    let data = store.declare_data("Tree", &[]);
    let tree = store.data(data).sort;
    let fields = vec![("left".to_owned(), tree), ("right".to_owned(), tree)];
    store.define_data(data, &[("leaf", vec![]), ("node", fields)]);
    let (leaf, node) = (store.data(data).ctors[0], store.data(data).ctors[1]);
    let mut left = store.mk(Op::Construct(leaf), &[]);
    let var = store.var("t", tree);
    let mut right = var;
    for _ in 0..60 {
        left = store.mk(Op::Construct(node), &[left, left]);
        right = store.mk(Op::Construct(node), &[right, right]);
    }
    let same = store.eq(left, right);
    let mut model = alphorn_term::Model::new();
    model.set(var, Value::data(leaf, vec![]).expect("a shallow value"));
    assert_eq!(alphorn_term::eval(store, same, &model), Err(EvalError::TooLarge));
}
