//! Datatypes: what has a model and what has not, with models evaluated and refutations replayed.

use alphorn_smt::quantifiers::{Quantified, QuantifierLimits, decide};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{CtorId, DataId, Model, Op, Sort, SortId, Store, TermId, eval};
use alphorn_testkit::formulas::check_answer;

/// A datatype with constructors and their fields.
fn data(store: &mut Store, name: &str, ctors: &[(&str, &[(&str, SortId)])]) -> DataId {
    let id = store.declare_data(name, &[]);
    define(store, id, ctors);
    id
}

fn define(store: &mut Store, id: DataId, ctors: &[(&str, &[(&str, SortId)])]) {
    let named = |fields: &[(&str, SortId)]| {
        fields.iter().map(|(name, sort)| ((*name).to_owned(), *sort)).collect()
    };
    let ctors: Vec<(&str, Vec<(String, SortId)>)> =
        ctors.iter().map(|(name, fields)| (*name, named(fields))).collect();
    store.define_data(id, &ctors);
}

fn sort(store: &Store, id: DataId) -> SortId {
    store.data(id).sort
}

fn ctor(store: &Store, id: DataId, number: usize) -> CtorId {
    store.data(id).ctors[number]
}

/// Lists of integers: nil, cons.
fn lists(store: &mut Store) -> DataId {
    let id = store.declare_data("List", &[]);
    let list = sort(store, id);
    define(store, id, &[("nil", &[]), ("cons", &[("head", SortId::INT), ("tail", list)])]);
    id
}

fn is(store: &mut Store, id: DataId, number: usize, of: TermId) -> TermId {
    let ctor = ctor(store, id, number);
    store.mk(Op::Is(ctor), &[of])
}

fn field(store: &mut Store, id: DataId, number: usize, place: u32, of: TermId) -> TermId {
    let ctor = ctor(store, id, number);
    store.mk(Op::Field(ctor, place), &[of])
}

fn make(store: &mut Store, id: DataId, number: usize, args: &[TermId]) -> TermId {
    let ctor = ctor(store, id, number);
    store.mk(Op::Construct(ctor), args)
}

/// The answer, of which a model or a refutation was checked.
fn ask(store: &mut Store, formulas: &[TermId]) -> Answer {
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    for formula in formulas {
        smt.assert(store, *formula);
    }
    let answer = smt.check(store, &[]);
    check_answer(&smt, store, answer, "datatypes");
    if answer == Answer::Sat {
        let model: Model = smt.model(store);
        for formula in formulas {
            let value = eval(store, *formula, &model);
            let is_true = value.as_ref().is_ok_and(|value| value.as_bool() == Some(true));
            assert!(is_true, "{} is {value:?} in {model:?}", store.show(*formula));
        }
    }
    answer
}

#[test]
fn constructors_are_injective_and_different() {
    let store = &mut Store::new();
    let list = lists(store);
    let sort = sort(store, list);
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
    let (l, m, n) = (store.var("l", sort), store.var("m", sort), store.var("n", sort));
    let (a, b) = (make(store, list, 1, &[x, l]), make(store, list, 1, &[y, m]));
    let nil = make(store, list, 0, &[]);
    let (is_a, is_b, is_nil) = (store.eq(n, a), store.eq(n, b), store.eq(n, nil));
    let less = store.mk(Op::Lt, &[x, y]);
    assert_eq!(ask(store, &[is_a, is_b]), Answer::Sat);
    assert_eq!(ask(store, &[is_a, is_b, less]), Answer::Unsat);
    let same = store.eq(l, m);
    let different = store.not(same);
    assert_eq!(ask(store, &[is_a, is_b, different]), Answer::Unsat);
    assert_eq!(ask(store, &[is_a, is_nil]), Answer::Unsat);
}

#[test]
fn trees_are_told_apart_only_if_somebody_asks() {
    let store = &mut Store::new();
    let fields: &[(&str, &[(&str, SortId)])] =
        &[("word", &[("tag", SortId::INT)]), ("number", &[("value", SortId::INT)])];
    let cell = data(store, "Cell", fields);
    let sort = sort(store, cell);
    let (mut formulas, mut numbers) = (Vec::new(), Vec::new());
    for tag in 0..8 {
        let x = store.var(&format!("x{tag}"), sort);
        let (text, value) = (field(store, cell, 0, 0, x), field(store, cell, 1, 0, x));
        let (tag, zero, two) = (store.int(tag), store.int(0), store.int(2));
        let is_word = is(store, cell, 0, x);
        let is_tagged = store.eq(text, tag);
        let bounds = [store.mk(Op::Le, &[zero, value]), store.mk(Op::Le, &[value, two])];
        formulas.extend([is_word, is_tagged]);
        formulas.extend(bounds);
        numbers.push(make(store, cell, 1, &[value]));
    }
    // The cells are words, so what they would be as numbers is nothing to anybody.
    let mut smt = Smt::default();
    for formula in &formulas {
        smt.assert(store, *formula);
    }
    assert_eq!(smt.check(store, &[]), Answer::Sat);
    assert_eq!(smt.theory_stats().arrangements, 0);
    assert_eq!(ask(store, &formulas), Answer::Sat);
    // There are three values, and so three different numbers.
    let different = |store: &mut Store, count: usize| {
        let mut all = formulas.clone();
        for left in 0..count {
            for right in 0..left {
                let same = store.eq(numbers[left], numbers[right]);
                all.push(store.not(same));
            }
        }
        all
    };
    let (three, four) = (different(store, 3), different(store, 4));
    assert_eq!(ask(store, &three), Answer::Sat);
    assert_eq!(ask(store, &four), Answer::Unsat);
}

#[test]
fn testers_and_selectors_fit_constructors() {
    let store = &mut Store::new();
    let list = lists(store);
    let sort = sort(store, list);
    let x = store.var("x", SortId::INT);
    let (l, m) = (store.var("l", sort), store.var("m", sort));
    let (is_cons, is_nil) = (is(store, list, 1, l), is(store, list, 0, l));
    let (no_cons, no_nil) = (store.not(is_cons), store.not(is_nil));
    assert_eq!(ask(store, &[no_cons, no_nil]), Answer::Unsat);
    assert_eq!(ask(store, &[is_cons, is_nil]), Answer::Unsat);
    let (head, tail) = (field(store, list, 1, 0, l), field(store, list, 1, 1, l));
    let made = make(store, list, 1, &[x, m]);
    let (head_is_x, tail_is_m) = (store.eq(head, x), store.eq(tail, m));
    let same = store.eq(l, made);
    let different = store.not(same);
    assert_eq!(ask(store, &[is_cons, head_is_x, tail_is_m, different]), Answer::Unsat);
    // The fields of nil are anything, but always the same.
    assert_eq!(ask(store, &[is_nil, head_is_x, tail_is_m, different]), Answer::Sat);
    let other = field(store, list, 1, 0, m);
    let (heads, lists) = (store.eq(head, other), store.eq(l, m));
    let heads_differ = store.not(heads);
    assert_eq!(ask(store, &[is_nil, lists, heads_differ]), Answer::Unsat);
}

#[test]
fn values_are_not_inside_themselves() {
    let store = &mut Store::new();
    let (tree, forest) = (store.declare_data("Tree", &[]), store.declare_data("Forest", &[]));
    let (t, f) = (sort(store, tree), sort(store, forest));
    define(store, tree, &[("node", &[("below", f)])]);
    define(store, forest, &[("none", &[]), ("some", &[("item", t), ("rest", f)])]);
    let (x, y) = (store.var("x", t), store.var("y", t));
    let [u, v, w] = ["u", "v", "w"].map(|name| store.var(name, f));
    let (node_u, node_v) = (make(store, tree, 0, &[u]), make(store, tree, 0, &[v]));
    let (some_x, some_y) = (make(store, forest, 1, &[x, v]), make(store, forest, 1, &[y, w]));
    let links = [store.eq(x, node_u), store.eq(u, some_y), store.eq(y, node_v)];
    assert_eq!(ask(store, &links), Answer::Sat);
    let back = store.eq(v, some_x);
    assert_eq!(ask(store, &[links[0], links[1], links[2], back]), Answer::Unsat);
    let (below, is_some) = (field(store, tree, 0, 0, x), is(store, forest, 1, u));
    let item = field(store, forest, 1, 0, u);
    let (below_is_u, item_is_x) = (store.eq(below, u), store.eq(item, x));
    assert_eq!(ask(store, &[below_is_u, item_is_x]), Answer::Sat);
    assert_eq!(ask(store, &[below_is_u, item_is_x, is_some]), Answer::Unsat);
}

#[test]
fn finite_types_run_out_of_values() {
    let store = &mut Store::new();
    let colour = data(store, "Colour", &[("red", &[]), ("green", &[]), ("blue", &[])]);
    let c = sort(store, colour);
    let pair = data(store, "Pair", &[("pair", &[("one", c), ("two", SortId::BOOL)])]);
    let p = sort(store, pair);
    for (sort, count) in [(c, 3), (p, 6)] {
        for extra in [0, 1] {
            let vars: Vec<TermId> =
                (0..count + extra).map(|n| store.var(&format!("v{n}"), sort)).collect();
            let distinct = store.mk(Op::Distinct, &vars);
            let expected = if extra == 0 { Answer::Sat } else { Answer::Unsat };
            assert_eq!(ask(store, &[distinct]), expected);
        }
    }
}

#[test]
fn infinite_types_do_not() {
    let store = &mut Store::new();
    let nat = store.declare_data("Nat", &[]);
    let n = sort(store, nat);
    define(store, nat, &[("zero", &[]), ("succ", &[("pred", n)])]);
    let mut vars: Vec<TermId> = (0..12).map(|i| store.var(&format!("n{i}"), n)).collect();
    // Successors of some must differ from all others as well.
    for at in 0..5 {
        let next = make(store, nat, 1, &[vars[at]]);
        vars.push(next);
    }
    let distinct = store.mk(Op::Distinct, &vars);
    assert_eq!(ask(store, &[distinct]), Answer::Sat);
}

#[test]
fn functions_take_and_give_trees() {
    let store = &mut Store::new();
    let list = lists(store);
    let sort = sort(store, list);
    let length = store.declare("length", &[sort], SortId::INT);
    let (l, m) = (store.var("l", sort), store.var("m", sort));
    let x = store.var("x", SortId::INT);
    let length_of = |store: &mut Store, l| store.mk(Op::Apply(length), &[l]);
    let (of_l, of_m) = (length_of(store, l), length_of(store, m));
    let less = store.mk(Op::Lt, &[of_l, of_m]);
    let made = make(store, list, 1, &[x, m]);
    let (is_made, tail) = (store.eq(l, made), field(store, list, 1, 1, l));
    assert_eq!(ask(store, &[less, is_made]), Answer::Sat);
    let of_tail = length_of(store, tail);
    let same = store.eq(of_tail, of_l);
    assert_eq!(ask(store, &[less, is_made, same]), Answer::Unsat);
}

#[test]
fn truth_values_are_fields() {
    let store = &mut Store::new();
    let flag = data(store, "Flag", &[("flag", &[("value", SortId::BOOL), ("n", SortId::INT)])]);
    let s = sort(store, flag);
    let (x, n) = (store.var("x", s), store.var("n", SortId::INT));
    let value = field(store, flag, 0, 0, x);
    let opposite = store.not(value);
    let made = make(store, flag, 0, &[opposite, n]);
    let same = store.eq(x, made);
    assert_eq!(ask(store, &[same]), Answer::Unsat);
    let b = store.var("b", SortId::BOOL);
    let other = store.not(b);
    let (left, right) = (make(store, flag, 0, &[b, n]), make(store, flag, 0, &[other, n]));
    let same = store.eq(left, right);
    assert_eq!(ask(store, &[same]), Answer::Unsat);
}

#[test]
fn scopes_leave_nothing_behind() {
    let store = &mut Store::new();
    let list = lists(store);
    let sort = sort(store, list);
    let (l, m) = (store.var("l", sort), store.var("m", sort));
    let is_cons = is(store, list, 1, l);
    let tail = field(store, list, 1, 1, l);
    let (loops, goes) = (store.eq(tail, l), store.eq(tail, m));
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    smt.assert(store, is_cons);
    for _ in 0..3 {
        smt.push();
        smt.assert(store, loops);
        assert_eq!(smt.check(store, &[]), Answer::Unsat);
        check_answer(&smt, store, Answer::Unsat, "in the scope");
        smt.pop();
        assert_eq!(smt.check(store, &[goes]), Answer::Sat);
    }
}

/// Trees whose children are in an array: leaf, node.
fn wide_trees(store: &mut Store) -> DataId {
    let id = store.declare_data("Wide", &[]);
    let tree = sort(store, id);
    let kids = store.array_sort(SortId::INT, tree);
    define(store, id, &[("leaf", &[]), ("node", &[("kids", kids)])]);
    id
}

#[test]
fn models_with_children_in_arrays_are_evaluated() {
    let mut store = Store::default();
    let id = wide_trees(&mut store);
    let tree = sort(&store, id);
    let (t, u) = (store.var("t", tree), store.var("u", tree));
    let (is_node, is_node_too) = (is(&mut store, id, 1, t), is(&mut store, id, 1, u));
    let kids = field(&mut store, id, 1, 0, t);
    let zero = store.int(0);
    let first = store.select(kids, zero);
    let below = store.eq(first, u);
    assert_eq!(ask(&mut store, &[is_node, is_node_too, below]), Answer::Sat);
    let differ = store.eq(t, u);
    let differ = store.not(differ);
    assert_eq!(ask(&mut store, &[is_node, is_node_too, below, differ]), Answer::Sat);
    let other_kids = field(&mut store, id, 1, 0, u);
    let same = store.eq(kids, other_kids);
    assert_eq!(ask(&mut store, &[is_node, is_node_too, same, differ]), Answer::Unsat);
}

#[test]
fn a_tree_below_itself_by_way_of_an_array_is_no_model() {
    let mut store = Store::default();
    let id = wide_trees(&mut store);
    let t = store.var("t", sort(&store, id));
    let is_node = is(&mut store, id, 1, t);
    let kids = field(&mut store, id, 1, 0, t);
    let zero = store.int(0);
    let first = store.select(kids, zero);
    let inside = store.eq(first, t);
    let mut smt = Smt::new(Options::default());
    smt.assert(&mut store, is_node);
    smt.assert(&mut store, inside);
    assert_ne!(smt.check(&mut store, &[]), Answer::Sat);
}

#[test]
fn pairs_of_trees_are_as_many_as_are_needed() {
    let mut store = Store::default();
    let nat = store.declare_data("Nat", &[]);
    let tree = sort(&store, nat);
    define(&mut store, nat, &[("zero", &[]), ("next", &[("before", tree)])]);
    let pair = data(&mut store, "Pair", &[("pair", &[("first", tree), ("second", tree)])]);
    let pairs = sort(&store, pair);
    let wrapped = data(&mut store, "Wrapped", &[("wrap", &[("inside", pairs)])]);
    let outer = sort(&store, wrapped);
    // A value that nobody chose is that of the default, which must not be what others differ from.
    for sort in [pairs, outer] {
        let zero = make(&mut store, nat, 0, &[]);
        let zeros = make(&mut store, pair, 0, &[zero, zero]);
        let first = match sort == outer {
            true => make(&mut store, wrapped, 0, &[zeros]),
            false => zeros,
        };
        let mut all = vec![first];
        all.extend(["a", "b", "c"].map(|name| store.var(name, sort)));
        let formula = store.mk(Op::Distinct, &all);
        assert_eq!(ask(&mut store, &[formula]), Answer::Sat);
    }
}

#[test]
fn quantified_formulas_beside_arrays_inside_of_data_have_models() {
    let store = &mut Store::new();
    let name = store.symbol("U");
    let element = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
    let set = store.array_sort(element, SortId::BOOL);
    let boxes = data(store, "Box", &[("empty", &[]), ("box", &[("content", set)])]);
    let of_box = sort(store, boxes);
    let [u, v, x] = ["u", "v", "x"].map(|name| store.var(name, element));
    let z = store.var("z", of_box);
    let full = is(store, boxes, 1, z);
    let content = field(store, boxes, 1, 0, z);
    let (here, there) = (store.select(content, u), store.select(content, v));
    let inside = store.select(content, x);
    let is_u = store.eq(x, u);
    let same = store.eq(inside, is_u);
    let (only_u, one) = (store.forall(&[x], same), store.forall(&[x], is_u));
    let equal = store.eq(u, v);
    let different = store.not(equal);
    let limits = QuantifierLimits { rounds: 60, ..QuantifierLimits::default() };
    let found = decide(store, &[full, only_u, different], &limits);
    assert!(matches!(found, Quantified::Model(_)));
    let agree = store.eq(here, there);
    let differs = store.not(agree);
    let found = decide(store, &[full, one, differs], &limits);
    assert!(matches!(found, Quantified::Refuted(_)), "one element has one truth value");
}
