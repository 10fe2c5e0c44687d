//! Arrays: read over write, constant arrays, and equality as equality at all indices.
//!
//! The model of an array over a finite sort is the list of its elements. Random writes go to both;
//! two arrays must be equal, hash alike and be ordered alike exactly when the lists are equal.

use super::{check, int};
use alphorn_term::eval::{Choices, apply};
use alphorn_term::value::{ArrayValue, cardinality, elements};
use alphorn_term::{Op, SortId, Store, Value};
use alphorn_testkit::Rng;
use rustc_hash::FxHashSet;

fn constant(store: &Store, sort: SortId, value: Value) -> Value {
    apply(store, Op::ConstArray, sort, &[value], &Choices::default()).expect("a constant array")
}

fn write(store: &Store, sort: SortId, array: &Value, index: Value, value: Value) -> Value {
    let args = [array.clone(), index, value];
    apply(store, Op::Store, sort, &args, &Choices::default()).expect("a write")
}

/// Random writes over `index`, with elements of `element`; returns how many different arrays came.
#[track_caller]
fn against_lists(store: &mut Store, index: SortId, element: SortId, rounds: usize) -> usize {
    let sort = store.array_sort(index, element);
    let indices = elements(store, index, 1 << 10).expect("few indices");
    let values = elements(store, element, 1 << 10).expect("few elements");
    let rng = &mut Rng::new(index.index() as u64 * 100 + element.index() as u64);
    let mut seen: Vec<(Vec<Value>, Value)> = Vec::new();
    for round in 0..rounds {
        let first = values[rng.below(values.len())].clone();
        let mut list = vec![first.clone(); indices.len()];
        let mut array = constant(store, sort, first);
        for _ in 0..round % (3 * indices.len()) {
            let (at, with) = (rng.below(indices.len()), rng.below(values.len()));
            list[at] = values[with].clone();
            array = write(store, sort, &array, indices[at].clone(), values[with].clone());
        }
        for (at, expected) in indices.iter().zip(&list) {
            let args = [array.clone(), at.clone()];
            let read = apply(store, Op::Select, element, &args, &Choices::default());
            assert_eq!(read.as_ref(), Ok(expected));
        }
        assert!(array.has_sort(store, sort));
        let term = store.value_term(&array).expect("these arrays have terms");
        assert_eq!(alphorn_term::eval(store, term, &Default::default()), Ok(array.clone()));
        seen.push((list, array));
    }
    for (list, array) in seen.iter().take(60) {
        for (other_list, other) in &seen {
            assert_eq!(list == other_list, array == other, "{array:?} and {other:?}");
            assert_eq!(array == other, array.cmp(other).is_eq());
        }
    }
    let lists: FxHashSet<&Vec<Value>> = seen.iter().map(|(list, _)| list).collect();
    let arrays: FxHashSet<&Value> = seen.iter().map(|(_, array)| array).collect();
    assert_eq!(lists.len(), arrays.len());
    arrays.len()
}

#[test]
fn finite_index_sorts() {
    let store = &mut Store::new();
    let (one, two, three) = (store.bv_sort(1), store.bv_sort(2), store.bv_sort(3));
    let colour = store.declare_data("Colour", &[]);
    store.define_data(colour, &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
    let colour = store.data(colour).sort;
    let wrapped = store.declare_data("Wrapped", &[]);
    let fields = vec![("shade".to_owned(), colour), ("lit".to_owned(), SortId::BOOL)];
    store.define_data(wrapped, &[("dark", vec![]), ("wrap", fields)]);
    let wrapped = store.data(wrapped).sort;
    let unit = store.declare_data("Unit", &[]);
    store.define_data(unit, &[("unit", vec![])]);
    let unit = store.data(unit).sort;
    let nested = store.array_sort(one, SortId::BOOL);
    let twice = store.array_sort(nested, one);

    assert_eq!(against_lists(store, SortId::BOOL, SortId::BOOL, 200), 4);
    assert_eq!(against_lists(store, SortId::BOOL, one, 200), 4);
    assert_eq!(against_lists(store, one, two, 400), 16);
    assert_eq!(against_lists(store, two, SortId::BOOL, 400), 16);
    assert_eq!(against_lists(store, unit, two, 100), 4);
    assert_eq!(against_lists(store, two, unit, 100), 1);
    assert_eq!(against_lists(store, colour, SortId::BOOL, 300), 8);
    assert_eq!(against_lists(store, SortId::BOOL, colour, 300), 9);
    assert_eq!(against_lists(store, one, nested, 600), 16);
    assert_eq!(against_lists(store, nested, SortId::BOOL, 600), 16);
    assert_eq!(against_lists(store, SortId::BOOL, twice, 2000), 256);
    against_lists(store, wrapped, two, 200);
    against_lists(store, three, colour, 200);
}

#[test]
fn elements_are_all_and_different() {
    let store = &mut Store::new();
    let (one, two) = (store.bv_sort(1), store.bv_sort(2));
    let unit = store.declare_data("Unit", &[]);
    store.define_data(unit, &[("unit", vec![])]);
    let unit = store.data(unit).sort;
    let to_bool = store.array_sort(two, SortId::BOOL);
    let nested = store.array_sort(one, to_bool);
    let to_unit = store.array_sort(SortId::INT, unit);
    for (sort, count) in [(SortId::BOOL, 2), (two, 4), (to_bool, 16), (nested, 256), (to_unit, 1)] {
        assert_eq!(cardinality(store, sort), Some(count));
        let all = elements(store, sort, 1 << 16).expect("a small sort");
        assert!(all.iter().all(|value| value.has_sort(store, sort)));
        let unique: FxHashSet<&Value> = all.iter().collect();
        assert_eq!((all.len() as u64, unique.len() as u64), (count, count));
        assert_eq!(elements(store, sort, count - 1), None);
    }
    for sort in [SortId::INT, SortId::REAL] {
        assert_eq!(cardinality(store, sort), None);
    }
}

#[test]
fn infinite_index_sorts() {
    let store = &mut Store::new();
    let sort = store.array_sort(SortId::INT, SortId::INT);
    let (a, b) = (constant(store, sort, int(0)), constant(store, sort, int(1)));
    check(store, Op::Eq, &[a.clone(), b.clone()], Value::Bool(false));
    check(store, Op::Select, &[a.clone(), int(5)], int(0));
    let c = write(store, sort, &a, int(5), int(9));
    check(store, Op::Store, &[a.clone(), int(5), int(9)], c.clone());
    check(store, Op::Select, &[c.clone(), int(5)], int(9));
    check(store, Op::Select, &[c.clone(), int(-5)], int(0));
    // Undone and repeated writes leave no trace; the order of writes at different indices neither.
    check(store, Op::Eq, &[write(store, sort, &c, int(5), int(0)), a.clone()], Value::Bool(true));
    check(store, Op::Eq, &[write(store, sort, &c, int(5), int(9)), c.clone()], Value::Bool(true));
    let left = write(store, sort, &c, int(6), int(1));
    let right = write(store, sort, &write(store, sort, &a, int(6), int(1)), int(5), int(9));
    check(store, Op::Eq, &[left.clone(), right], Value::Bool(true));
    check(store, Op::Distinct, &[a, b, left], Value::Bool(true));
}

#[test]
fn constant_arrays_through_terms() {
    let store = &mut Store::new();
    let two = store.bv_sort(2);
    let sort = store.array_sort(two, SortId::INT);
    let seven = store.int(7);
    let everywhere = store.const_array(sort, seven);
    let index = store.var("i", two);
    assert_eq!(store.select(everywhere, index), seven);
    let value = alphorn_term::eval(store, everywhere, &Default::default());
    assert_eq!(value, Ok(constant(store, sort, int(7))));
}

#[test]
fn large_finite_index_sorts_stay_sparse() {
    let store = &mut Store::new();
    let (wide, huge) = (store.bv_sort(32), store.bv_sort(100));
    for index in [wide, huge] {
        let array = ArrayValue::constant(store, index, int(0)).expect("a shallow array");
        let width = store.width_of(index).expect("a sort of words");
        let written = (0..100u64).fold(array, |array, at| {
            array.with(store, super::bv(width, at), int(1)).expect("few entries")
        });
        assert_eq!(*written.default(), int(0));
        assert_eq!(written.entries().count(), 100);
    }
}
