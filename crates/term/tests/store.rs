//! The arena: equal things have equal ids, stores only grow, and `extends` can tell.

use alphorn_term::{Op, Sort, SortId, Store, TermId};
use alphorn_testkit::terms::World;

#[test]
fn a_clone_that_grows_extends_its_base() {
    let mut world = World::new(1).with_vars(1).with_values(2);
    let mut base = world.store.clone();
    for step in 0..300 {
        let (op, args) = world.application();
        let term = world.store.app(op, &args).expect("generated terms are well-sorted");
        world.add(term);
        assert!(world.store.extends(&base));
        assert_eq!(base.extends(&world.store), base.len() == world.store.len() || step == 0);
        if step % 50 == 0 {
            base = world.store.clone();
        }
    }
}

#[test]
fn every_store_extends_itself_and_the_empty_one() {
    let world = World::new(2).with_vars(2).with_values(2);
    assert!(world.store.extends(&world.store));
    assert!(world.store.extends(&Store::new()));
    assert!(!Store::new().extends(&world.store));
}

/// Each way of growing differently makes two stores strangers.
#[test]
fn stores_that_part_ways_do_not_extend_each_other() {
    type Growth = fn(&mut Store);
    let growths: [(Growth, Growth); 11] = [
        (|s| _ = s.var("x", SortId::INT), |s| _ = s.var("y", SortId::INT)),
        (|s| _ = s.var("x", SortId::INT), |s| _ = s.var("x", SortId::BOOL)),
        (|s| _ = s.int(1), |s| _ = s.int(2)),
        (|s| _ = s.real(1), |s| _ = s.real(2)),
        (|s| _ = s.bv_sort(77), |s| _ = s.bv_sort(78)),
        (|s| _ = s.symbol("x"), |s| _ = s.symbol("y")),
        (|s| _ = s.declare("f", &[], SortId::INT), |s| _ = s.declare("f", &[], SortId::BOOL)),
        (|s| _ = s.declare("f", &[], SortId::INT), |s| _ = s.declare("g", &[], SortId::INT)),
        (
            |s| _ = s.bv(alphorn_term::Bv::from_u64(8, 1)),
            |s| _ = s.bv(alphorn_term::Bv::from_u64(8, 2)),
        ),
        (
            |s| {
                let data = s.declare_data("D", &[]);
                s.define_data(data, &[("a", vec![]), ("b", vec![])]);
            },
            |s| {
                let data = s.declare_data("D", &[]);
                s.define_data(data, &[("b", vec![]), ("a", vec![])]);
            },
        ),
        (
            |s| {
                let [x, y] = ["x", "y"].map(|name| s.var(name, SortId::INT));
                s.lt(x, y);
            },
            |s| {
                let [x, y] = ["x", "y"].map(|name| s.var(name, SortId::INT));
                s.lt(y, x);
            },
        ),
    ];
    for (case, (left, right)) in growths.into_iter().enumerate() {
        let base = World::new(3).store;
        let (mut a, mut b, mut c) = (base.clone(), base.clone(), base.clone());
        left(&mut a);
        right(&mut b);
        left(&mut c);
        assert!(a.extends(&base) && b.extends(&base), "case {case}");
        assert!(!a.extends(&b) && !b.extends(&a), "case {case}");
        assert!(a.extends(&c) && c.extends(&a), "case {case}: the same growth");
        right(&mut a);
        assert!(a.extends(&c) && !a.extends(&b), "case {case}");
    }
}

/// What a store is made of decides its ids, not who shares parts of it.
#[test]
fn clones_of_clones_are_what_they_would_be_alone() {
    fn grow(s: &mut Store, seed: u32) -> Vec<TermId> {
        let mut terms = Vec::new();
        for n in 0..40 + seed % 400 {
            let name = format!("v{}", (n * seed) % 300);
            let var = s.var(&name, SortId::INT);
            let number = s.int(i64::from(n * seed % 97));
            terms.push(s.add(&[var, number]));
            terms.push(s.lt(var, number));
            let wide: Vec<TermId> =
                terms.iter().copied().filter(|&t| s.sort(t) == SortId::BOOL).collect();
            terms.push(s.and(&wide[wide.len().saturating_sub(n as usize % 9)..]));
            if n % 50 == 0 {
                terms.push(s.and(&wide));
                let f = s.declare(&name, &[SortId::INT], SortId::BOOL);
                terms.push(s.mk(Op::Apply(f), &[var]));
            }
        }
        terms
    }
    // A tree of clones; each remembers the seeds along its branch.
    let mut family: Vec<(Store, Vec<u32>)> = vec![(Store::new(), Vec::new())];
    for seed in 1..40u32 {
        let parent = (seed as usize * 5) % family.len();
        let (mut store, mut seeds) = family[parent].clone();
        grow(&mut store, seed);
        seeds.push(seed);
        if seed % 3 == 0 {
            // The parent grows, too, while the child has its pages.
            grow(&mut family[parent].0, seed + 100);
            family[parent].1.push(seed + 100);
        }
        family.push((store, seeds));
    }
    for (store, seeds) in &mut family {
        let mut alone = Store::new();
        seeds.iter().for_each(|&seed| _ = grow(&mut alone, seed));
        assert!(store.extends(&alone) && alone.extends(store), "{seeds:?}");
        assert_eq!(store.effort(), alone.effort());
        assert_eq!(grow(store, 7), grow(&mut alone, 7), "{seeds:?}");
    }
}

#[test]
fn growing_beside_a_clone_changes_only_the_one_that_grows() {
    let mut store = Store::new();
    for n in 0..2000 {
        let before = store.clone();
        let len = before.len();
        let data = store.declare_data("D", &[]);
        store.define_data(data, &[("nil", vec![])]);
        let var = store.fresh_var("w", SortId::INT);
        let name = store.var_name(var).expect("a variable has a name");
        assert_eq!((before.len(), before.find_symbol(name)), (len, None));
        assert_eq!(before.datas().count(), n, "the datatype is the original's alone");
        assert!(store.extends(&before) && !before.extends(&store));
    }
}

#[test]
fn equal_things_have_equal_ids() {
    let s = &mut Store::new();
    assert_eq!(s.bv_sort(8), s.sort_id(Sort::BitVec(8)));
    assert_ne!(s.bv_sort(8), s.bv_sort(9));
    assert_eq!(s.var("x", SortId::INT), s.var("x", SortId::INT));
    assert_ne!(s.var("x", SortId::INT), s.var("x", SortId::REAL));
    assert_ne!(s.declare("f", &[], SortId::INT), s.declare("f", &[], SortId::INT));
    let (x, y) = (s.var("x", SortId::INT), s.var("y", SortId::INT));
    let before = s.len();
    let sum = s.add(&[x, y]);
    assert_eq!(s.len(), before + 1);
    assert_eq!(s.add(&[x, y]), sum);
    assert_eq!(s.len(), before + 1);
    assert_eq!(s.bool(true), TermId::TRUE);
    assert_eq!((s.op(TermId::TRUE), s.op(TermId::FALSE)), (Op::True, Op::False));
}

/// Terms with few and with many arguments live in different places.
#[test]
fn arguments_of_any_number_come_back() {
    let s = &mut Store::new();
    let vars: Vec<TermId> = (0..40).map(|n| s.var(&format!("v{n}"), SortId::INT)).collect();
    let sorts = [SortId::INT; 40];
    let mut made = Vec::new();
    for count in 0..40 {
        let f = s.declare("f", &sorts[..count], SortId::INT);
        let term = s.mk(Op::Apply(f), &vars[..count]);
        made.push((f, term));
    }
    for (count, &(f, term)) in made.iter().enumerate() {
        assert_eq!(s.args(term), &vars[..count]);
        assert_eq!(s.op(term), Op::Apply(f));
        assert_eq!(s.mk(Op::Apply(f), &vars[..count]), term);
        assert_eq!(s.is_ground(term), count == 0);
        assert!(s.has_apply(term) && !s.has_quantifier(term));
    }
}

#[test]
fn fresh_names_are_fresh() {
    let s = &mut Store::new();
    s.symbol("x!1");
    s.symbol("x!3");
    let fresh: Vec<TermId> = (0..4).map(|_| s.fresh_var("x", SortId::INT)).collect();
    let shown: Vec<String> = fresh.iter().map(|&var| s.show(var)).collect();
    let mut unique = shown.clone();
    unique.dedup();
    assert_eq!(unique.len(), 4);
    assert!(shown.iter().all(|name| name != "x!1" && name != "x!3" && name.starts_with("x!")));
    let again = s.fresh_var(&shown[0], SortId::INT);
    assert!(s.show(again).starts_with("x!"), "names do not grow by being made fresh again");
}
