//! Meaning and stability on random terms.
//!
//! *Meaning*: what a constructor returns evaluates like the application asked for, computed by the
//! semantics from the arguments' values. Where that is an error the constructor may know better
//! (`0 * (div x 0)` is 0), so only values are compared. *Stability*: rebuilding a term from its
//! root and arguments gives the term.

use alphorn_term::eval::apply;
use alphorn_term::value::elements;
use alphorn_term::{EvalError, Model, Op, Sort, SortId, TermId, Value, eval};
use alphorn_testkit::terms::World;

/// The value of the application asked for, from the arguments' values.
fn asked(
    world: &World,
    op: Op,
    sort: SortId,
    args: &[TermId],
    model: &Model,
) -> Result<Value, EvalError> {
    let store = &world.store;
    if let (Op::Forall | Op::Exists, [var, body]) = (op, args) {
        let domain = elements(store, store.sort(*var), 1 << 8).ok_or(EvalError::Quantifier)?;
        let mut model = model.clone();
        let mut settled = op == Op::Forall;
        for value in domain {
            model.set(*var, value);
            let truth = eval(store, *body, &model)? == Value::Bool(true);
            settled = if op == Op::Forall { settled && truth } else { settled || truth };
        }
        return Ok(Value::Bool(settled));
    }
    let values: Result<Vec<Value>, EvalError> =
        args.iter().map(|&arg| eval(store, arg, model)).collect();
    apply(store, op, sort, &values?, &model.choices)
}

/// Applies a random operator; quantifiers and constant arrays now and then.
fn random_term(world: &mut World) -> (Op, Vec<TermId>, TermId) {
    match world.rng.below(16) {
        0 => {
            let sort = world.rng.pick(&world.finite.clone());
            let var = world.vars[2 * world.position(sort) + world.rng.below(2)];
            let args = vec![var, world.term(SortId::BOOL)];
            let op = world.rng.pick(&[Op::Forall, Op::Exists]);
            let term = world.store.mk(op, &args);
            (op, args, term)
        }
        1 => {
            let sort = world.rng.pick(&world.arrays.clone());
            let Sort::Array(_, element) = *world.store.sort_of(sort) else {
                unreachable!("array sorts are sorts of arrays")
            };
            let args = vec![world.term(element)];
            let term = world.store.const_array(sort, args[0]);
            (Op::ConstArray, args, term)
        }
        _ => {
            let (op, args) = world.application();
            let term = world.store.app(op, &args).expect("generated terms are well-sorted");
            (op, args, term)
        }
    }
}

#[test]
fn results_mean_what_was_asked_for() {
    for seed in 0..30 {
        let mut world = World::new(seed).with_vars(2).with_values(3);
        let models: Vec<Model> = (0..5)
            .map(|round| {
                let mut model = world.model();
                if round == 0 {
                    model.choices = Default::default();
                }
                model
            })
            .collect();
        for _ in 0..500 {
            let (op, args, term) = random_term(&mut world);
            let sort = world.store.sort(term);
            for model in &models {
                let Ok(expected) = asked(&world, op, sort, &args, model) else { continue };
                let got = eval(&world.store, term, model);
                let shown: Vec<String> = args.iter().map(|&arg| world.store.show(arg)).collect();
                assert_eq!(got, Ok(expected), "seed {seed}: {op:?} {shown:?}");
            }
            if world.store.dag_size(&[term]) < 60 {
                world.add(term);
            }
        }
    }
}

#[test]
fn terms_are_stable() {
    for seed in 100..110 {
        let mut world = World::new(seed).with_vars(2).with_values(3);
        let mut made = Vec::new();
        for _ in 0..3000 {
            let (_, _, term) = random_term(&mut world);
            made.push(term);
            world.add(term);
        }
        let before = world.store.len();
        for term in world.store.subterms(&made) {
            let args = world.store.args(term).to_vec();
            let again = world.store.rebuild(term, &args);
            assert_eq!(again, term, "seed {seed}: {}", world.store.show(term));
        }
        // Rebuilding may note a helper term, but what exists is found again.
        let after = world.store.len();
        assert!(after - before < before / 10, "{before} terms became {after}");
    }
}

#[test]
fn equality_and_products_do_not_depend_on_the_order() {
    let mut world = World::new(5).with_vars(2).with_values(3);
    for _ in 0..2000 {
        let sort = world.rng.pick(&world.sorts.clone());
        let (a, b) = (world.term(sort), world.term(sort));
        let (left, right) = (world.store.eq(a, b), world.store.eq(b, a));
        assert_eq!(left, right);
        if sort.is_arithmetic() {
            let (left, right) = (world.store.mul(&[a, b]), world.store.mul(&[b, a]));
            // Longer products keep their factors' order.
            if [a, b].iter().all(|&factor| world.store.op(factor) != Op::Mul) {
                assert_eq!(left, right);
            }
        }
        let (op, args) = world.application();
        let term = world.store.app(op, &args).expect("generated terms are well-sorted");
        world.add(term);
    }
}

/// Applications that do not fit are refused with a reason, and never panic.
#[test]
fn ill_sorted_applications_are_refused() {
    let mut world = World::new(6).with_vars(2).with_values(1);
    let (mut refused, mut made) = (0, 0);
    for _ in 0..20_000 {
        let (op, mut args) = world.application();
        let sort = world.rng.pick(&world.sorts.clone());
        match (world.rng.below(3), args.len()) {
            (0, 1..) => {
                args.pop();
            }
            (1, 1..) => {
                let at = world.rng.below(args.len());
                args[at] = world.term(sort);
            }
            _ => args.push(world.term(sort)),
        }
        match world.store.app(op, &args) {
            Ok(_) => made += 1,
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty() && !error.describe(&world.store).is_empty());
            }
        }
    }
    assert!(refused > 10_000 && made > 500, "{refused} refused, {made} made");
}

#[test]
fn indices_out_of_range_are_refused() {
    let mut world = World::new(7).with_vars(1);
    let eight = world.store.bv_sort(8);
    let (x, n) = (world.term(eight), world.term(SortId::INT));
    let list = world.term(world.list);
    let huge = u32::MAX;
    let refused: [(Op, TermId); 14] = [
        (Op::Extract(8, 0), x),
        (Op::Extract(2, 3), x),
        (Op::Extract(huge, huge), x),
        (Op::Extract(huge, 0), x),
        (Op::Repeat(0), x),
        (Op::Repeat(huge), x),
        (Op::ZeroExtend(huge), x),
        (Op::SignExtend(huge), x),
        (Op::ZeroExtend(alphorn_term::MAX_WIDTH), x),
        (Op::IntToBv(0), n),
        (Op::IntToBv(huge), n),
        (Op::Field(world.cons, 2), list),
        (Op::Field(world.pair, 0), list),
        (Op::Is(world.pair), list),
    ];
    for (op, arg) in refused {
        assert!(world.store.app(op, &[arg]).is_err(), "{op:?}");
    }
}

/// The widest word is wide enough to notice work that grows with the square of the width.
#[test]
fn folding_the_widest_words_is_fast() {
    let mut world = World::new(8);
    let store = &mut world.store;
    let bit = store.bv(alphorn_term::Bv::from_bool(true));
    let wide = store.mk(Op::Repeat(alphorn_term::MAX_WIDTH), &[bit]);
    assert!(store.bv_value(wide).is_some_and(alphorn_term::Bv::is_ones));
    let minus_one = store.int(-1);
    assert_eq!(store.mk(Op::IntToBv(alphorn_term::MAX_WIDTH), &[minus_one]), wide);
    let zero = store.mk(Op::BvNot, &[wide]);
    let extended = store.mk(Op::SignExtend(alphorn_term::MAX_WIDTH - 1), &[bit]);
    assert_eq!(extended, wide);
    let sum = store.mk(Op::BvXor, &[wide, zero]);
    assert_eq!(sum, wide);
}
