//! Substitution: without capture, without touching what is bound, and meaning what it says.
//!
//! *Meaning*: a term after `x := s` evaluates like the term before with `x` mapped to the value of
//! `s`; random terms, quantifiers over finite sorts included.

use alphorn_term::{Annotations, Model, Op, SortId, Store, Substitution, TermId, Value, eval};
use alphorn_testkit::terms::World;

fn single(from: TermId, to: TermId) -> Substitution {
    Substitution::from_iter([(from, to)])
}

struct Ints {
    s: Store,
    x: TermId,
    y: TermId,
    z: TermId,
    one: TermId,
}

fn ints() -> Ints {
    let mut s = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, SortId::INT));
    let one = s.int(1);
    Ints { s, x, y, z, one }
}

#[test]
fn bound_variables_are_renamed_before_they_capture() {
    let Ints { mut s, x, y, one, .. } = ints();
    let less = s.lt(x, y);
    let some = s.exists(&[y], less);
    let next = s.add(&[y, one]);
    let replaced = s.substitute(some, &single(x, next));
    let [bound, body] = *s.args(replaced) else { panic!("a quantifier over one variable") };
    assert_ne!(bound, y);
    assert_eq!(body, s.lt(next, bound));
    assert_eq!(s.free_vars(&[replaced]), [y]);
    // Without danger the bound variable keeps its name.
    let plain = s.substitute(some, &single(x, one));
    assert_eq!(s.bound_vars(plain), [y]);
}

#[test]
fn bound_occurrences_are_not_replaced() {
    let Ints { mut s, x, y, z, .. } = ints();
    let inside = s.lt(x, y);
    let all = s.forall(&[x], inside);
    assert_eq!(s.substitute(all, &single(x, z)), all);
    let beside = s.lt(x, z);
    let both = s.and(&[beside, all]);
    let replaced = s.substitute(both, &single(x, y));
    let expected = [s.lt(y, z), all];
    assert_eq!(s.args(replaced), expected);
    // Outside x, inside the shadowing x: only the free one goes.
    let nested = s.and(&[inside, all]);
    let nested = s.exists(&[y], nested);
    let replaced = s.substitute(nested, &single(x, z));
    let expected = s.lt(z, y);
    let expected = s.and(&[expected, all]);
    assert_eq!(replaced, s.exists(&[y], expected));
}

#[test]
fn replacements_are_simultaneous() {
    let Ints { mut s, x, y, .. } = ints();
    let less = s.lt(x, y);
    let swap = Substitution::from_iter([(x, y), (y, x)]);
    assert_eq!(s.substitute(less, &swap), s.lt(y, x));
    assert_eq!(s.rename(less, &[x, y], &[y, x]), s.lt(y, x));
    let next = s.add(&[x, y]);
    assert_eq!(s.substitute(less, &single(x, next)), s.lt(next, y));
}

#[test]
fn compound_terms_are_replaced() {
    let Ints { mut s, x, y, z, one } = ints();
    let product = s.mul(&[x, y]);
    let sum = s.add(&[product, one]);
    let less = s.lt(sum, x);
    let expected = s.add(&[z, one]);
    assert_eq!(s.substitute(less, &single(product, z)), s.lt(expected, x));
    // Inside a quantifier over y the product is another term.
    let hidden = s.exists(&[y], less);
    assert_eq!(s.substitute(hidden, &single(product, z)), hidden);
    let seen = s.exists(&[z], less);
    let replaced = s.substitute(seen, &single(product, y));
    let expected = s.add(&[y, one]);
    let expected = s.lt(expected, x);
    let expected = s.exists(&[z], expected);
    assert_eq!(replaced, expected);
    // The value mentions what is bound around the key.
    let outer = s.lt(product, z);
    let outer = s.exists(&[z], outer);
    let replaced = s.substitute(outer, &single(product, z));
    assert_eq!(s.free_vars(&[replaced]), [z]);
    assert_eq!(s.op(replaced), Op::Exists);
}

#[test]
fn nested_binders_of_the_same_name() {
    let Ints { mut s, x, y, z, .. } = ints();
    // exists y. (x < y and exists y. x = y), for x := y.
    let (less, same) = (s.lt(x, y), s.eq(x, y));
    let inner = s.exists(&[y], same);
    let body = s.and(&[less, inner]);
    let outer = s.exists(&[y], body);
    let replaced = s.substitute(outer, &single(x, y));
    assert_eq!(s.free_vars(&[replaced]), [y]);
    let [first, body] = *s.args(replaced) else { panic!("one bound variable") };
    let [less, inner] = *s.args(body) else { panic!("two conjuncts") };
    let [second, same] = *s.args(inner) else { panic!("one bound variable") };
    assert!(first != y && second != y);
    assert_eq!(less, s.lt(y, first));
    assert_eq!(same, s.eq(y, second));
    // A renamed variable must not meet a variable of its fresh name.
    let again = s.substitute(replaced, &Substitution::from_iter([(y, first), (z, second)]));
    assert_eq!(s.free_vars(&[again]), [first]);
}

#[test]
fn sharing_keeps_substitution_fast() {
    let Ints { mut s, x, y, z, .. } = ints();
    let mut term = x;
    for _ in 0..200 {
        // A tree of 2^200 leaves, as 400 shared nodes.
        let less = s.lt(term, y);
        let product = s.mul(&[term, term]);
        term = s.ite(less, product, term);
    }
    assert_eq!(s.tree_size(term), u64::MAX);
    let size = s.dag_size(&[term]);
    let replaced = s.substitute(term, &single(x, z));
    assert_eq!(s.dag_size(&[replaced]), size);
    assert_eq!(s.free_vars(&[replaced]), [z, y]);
}

/// Every level uses the level below under two different binders.
fn quantifier_tower(s: &mut Store, height: usize, free: TermId) -> TermId {
    let mut term = s.lt(free, free);
    let base = s.var("base", SortId::INT);
    term = if term == TermId::FALSE { s.lt(base, free) } else { term };
    for level in 0..height {
        let sides = ["l", "r"].map(|side| {
            let var = s.var(&format!("{side}{level}"), SortId::INT);
            let less = s.lt(var, free);
            let body = s.and(&[less, term]);
            s.exists(&[var], body)
        });
        term = s.and(&sides);
    }
    term
}

#[test]
fn shared_quantifiers_keep_substitution_fast() {
    let Ints { mut s, x, z, .. } = ints();
    let tower = quantifier_tower(&mut s, 60, x);
    let base = s.var("base", SortId::INT);
    let mut free = s.free_vars(&[tower]);
    free.sort();
    assert_eq!(free, [x, base]);
    let size = s.dag_size(&[tower]);
    let replaced = s.substitute(tower, &single(x, z));
    assert_eq!(s.dag_size(&[replaced]), size);
    let back = s.substitute(replaced, &single(z, x));
    assert_eq!(back, tower);
    assert_eq!(s.substitute(tower, &single(z, x)), tower);
}

#[test]
fn substitution_means_assignment() {
    for seed in 0..12 {
        let mut world = World::new(seed).with_vars(2).with_values(2);
        for step in 0..300 {
            let (op, args) = world.application();
            let mut term = world.store.app(op, &args).expect("generated terms are well-sorted");
            if step % 4 == 0 && world.store.sort(term) == SortId::BOOL {
                let sort = world.rng.pick(&world.finite.clone());
                let var = world.vars[2 * world.position(sort) + world.rng.below(2)];
                term = world.store.forall(&[var], term);
            }
            if world.store.dag_size(&[term]) < 40 {
                world.add(term);
            }
            if step < 100 {
                continue;
            }
            let mut map = Substitution::default();
            for var in world.vars.clone() {
                if world.rng.one_in(3) {
                    let to = world.term(world.store.sort(var));
                    map.insert(var, to);
                }
            }
            let term = world.term(SortId::BOOL);
            let replaced = world.store.substitute(term, &map);
            let model = world.model();
            let mut assigned: Model = model.clone();
            for (&from, &to) in &map {
                // Values are total here: the model records all choices.
                let value = eval(&world.store, to, &model).expect("all is defined");
                assigned.set(from, value);
            }
            let expected = eval(&world.store, term, &assigned);
            assert!(matches!(expected, Ok(Value::Bool(_))));
            let shown = (world.store.show(term), world.store.show(replaced));
            assert_eq!(eval(&world.store, replaced, &model), expected, "{seed} {shown:?}");
        }
    }
}

#[test]
fn free_variables_in_order() {
    let Ints { mut s, x, y, z, .. } = ints();
    let (a, b) = (s.lt(z, x), s.lt(x, y));
    let all = s.forall(&[x], b);
    let both = s.and(&[a, all]);
    assert_eq!(s.free_vars(&[both]), [z, x, y]);
    assert_eq!(s.free_vars(&[all]), [y]);
    assert_eq!(s.free_vars(&[all, a]), [y, z, x]);
    let closed = s.exists(&[x, y, z], both);
    assert_eq!(s.free_vars(&[closed]), []);
    assert!(!s.is_ground(closed), "bound variables are variables");
}

#[test]
fn what_is_said_about_a_quantifier_is_carried_along() {
    let Ints { mut s, x, y, z, one } = ints();
    let f = s.declare("f", &[SortId::INT, SortId::INT], SortId::INT);
    let applied = s.mk(Op::Apply(f), &[x, y]);
    let body = s.lt(applied, x);
    let all = s.forall(&[y], body);
    let said = Annotations {
        patterns: vec![vec![applied]],
        weight: Some(2),
        qid: Some("q".to_owned()),
        ..Annotations::default()
    };
    s.annotate(all, said.clone());
    let replaced = s.substitute(all, &single(x, z));
    let expected = s.mk(Op::Apply(f), &[z, y]);
    assert_eq!(s.annotations(replaced), Some(&said.with_terms(&[expected])));
    // With the bound variable renamed, its pattern is about the other one.
    let next = s.add(&[y, one]);
    let renamed = s.substitute(all, &single(x, next));
    let [bound, _] = *s.args(renamed) else { panic!("a quantifier over one variable") };
    let expected = s.mk(Op::Apply(f), &[next, bound]);
    assert_eq!(s.annotations(renamed), Some(&said.with_terms(&[expected])));
    let rebuilt = s.rebuild(all, &[z, body]);
    assert_eq!(s.annotations(rebuilt).map(|said| said.patterns.len()), Some(1));
    // Patterns that do not mention all variables are not kept, nor those of other terms.
    let two = s.forall(&[y, z], body);
    s.annotate(two, Annotations { patterns: vec![vec![applied]], ..Annotations::default() });
    assert_eq!(s.annotations(two).map(|said| said.patterns.len()), Some(0));
    s.annotate(body, said);
    assert_eq!(s.annotations(body), None);
}
