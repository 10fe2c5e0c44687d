//! Diagrams against tables of values.

use super::{Bdd, Halt, Ref};
use alphorn_engine::{Ctx, Rng, Stopper};

const VARS: usize = 6;

/// A random function and its table of values.
fn random(bdd: &mut Bdd, rng: &mut Rng, ctx: &mut Ctx<'_>) -> (Ref, u64) {
    let mut made: Vec<(Ref, u64)> =
        (0..VARS).map(|var| (bdd.variable(var), alphorn_sat::aig::COUNTING[var])).collect();
    for _ in 0..20 {
        let pick = |rng: &mut Rng| {
            let (f, table) = made[rng.below(made.len() as u64) as usize];
            if rng.below(2) == 0 { (f, table) } else { (!f, !table) }
        };
        let ((f, a), (g, b)) = (pick(rng), pick(rng));
        let both = bdd.and(f, g, ctx).expect("no limit");
        made.push((both, a & b));
    }
    made[made.len() - 1]
}

fn table(bdd: &Bdd, f: Ref) -> u64 {
    let value = |p: u64| {
        let mut f = f;
        while let Some((var, high, low)) = bdd.parts(f) {
            f = if p >> var & 1 == 1 { high } else { low };
        }
        f == Ref::TRUE
    };
    (0..64).fold(0, |all, p| all | u64::from(value(p)) << p)
}

fn exists(table: u64, var: usize) -> u64 {
    let (mask, by) = (alphorn_sat::aig::COUNTING[var], 1 << var);
    let (high, low) = (table & mask, table & !mask);
    high | high >> by | low | low << by
}

#[test]
fn operations_and_orders_are_right() -> Result<(), Halt> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let ctx = &mut ctx;
    let mut rng = ctx.rng(0);
    for _ in 0..300 {
        let mut bdd = Bdd::new(VARS);
        let ((f, a), (g, b)) = (random(&mut bdd, &mut rng, ctx), random(&mut bdd, &mut rng, ctx));
        let (h, c) = random(&mut bdd, &mut rng, ctx);
        let chosen = bdd.choose(f, g, h, ctx)?;
        assert_eq!(table(&bdd, chosen), a & b | !a & c);
        let cube = bdd.cube(&[1, 4]);
        let both = bdd.and_exists(f, g, cube, ctx)?;
        assert_eq!(table(&bdd, both), exists(exists(a & b, 1), 4));
        let some = bdd.exists(h, cube, ctx)?;
        assert_eq!(table(&bdd, some), exists(exists(c, 1), 4));
        let near = bdd.restrict(f, g, ctx)?;
        assert_eq!(table(&bdd, near) & b, a & b);
        let (mask, fixed) = (alphorn_sat::aig::COUNTING[2], bdd.with_value(f, 2, true, ctx)?);
        let expected = a & mask | (a & mask) >> 4;
        assert_eq!(table(&bdd, fixed), expected);
        bdd.reorder(&[f, g, chosen, fixed], ctx)?;
        assert_eq!(table(&bdd, f), a);
        assert_eq!(table(&bdd, g), b);
        assert_eq!(table(&bdd, fixed), expected);
        let again = bdd.and(f, g, ctx)?;
        assert_eq!(table(&bdd, again), a & b);
        assert_eq!(bdd.size(&[f, g, chosen, fixed, again]), {
            bdd.collect(&[f, g, chosen, fixed, again]);
            bdd.live()
        });
    }
    Ok(())
}

#[test]
fn sifting_finds_the_order_of_pairs() -> Result<(), Halt> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let ctx = &mut ctx;
    let mut bdd = Bdd::new(16);
    let mut f = Ref::FALSE;
    for pair in 0..8 {
        let (a, b) = (bdd.variable(pair), bdd.variable(pair + 8));
        let both = bdd.and(a, b, ctx)?;
        f = bdd.or(f, both, ctx)?;
    }
    assert!(bdd.size(&[f]) > 500);
    bdd.reorder(&[f], ctx)?;
    assert_eq!(bdd.size(&[f]), 16);
    Ok(())
}

#[test]
fn variables_that_are_bound_move_together() -> Result<(), Halt> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let ctx = &mut ctx;
    let mut rng = ctx.rng(0);
    let mut moved = 0;
    for _ in 0..100 {
        let mut bdd = Bdd::new(VARS);
        bdd.bind(1);
        bdd.bind(4);
        bdd.bind(5);
        let (f, a) = random(&mut bdd, &mut rng, ctx);
        let before = bdd.order.clone();
        bdd.reorder(&[f], ctx)?;
        assert_eq!(table(&bdd, f), a);
        let level = |var: usize| bdd.level[var];
        assert_eq!(level(1), level(0) + 1);
        assert_eq!((level(4), level(5)), (level(3) + 1, level(3) + 2));
        moved += usize::from(bdd.order != before);
    }
    assert!(moved > 10, "something moved");
    Ok(())
}

/// The bits of a product, for numbers of `width` bits whose bits lie side by side.
fn product(
    bdd: &mut Bdd,
    width: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, alphorn_engine::Stop> {
    let sum: Vec<usize> = (0..2 * width).map(|_| bdd.pin(Ref::FALSE)).collect();
    for shift in 0..width {
        let carry = bdd.pin(Ref::FALSE);
        for at in 0..2 * width - shift {
            let (x, y) = (bdd.variable(at.min(width - 1)), bdd.variable(width + shift));
            let (base, over) = (bdd.pin(x), at >= width);
            bdd.pin(y);
            let (old, rest) = (bdd.pinned(sum[shift + at]), bdd.pinned(carry));
            let added = bdd.whole(ctx, |bdd, ctx| match over {
                true => Ok(Ref::FALSE),
                false => bdd.and(x, y, ctx),
            })?;
            bdd.pin(added);
            let either = bdd.whole(ctx, |bdd, ctx| bdd.choose(added, !rest, rest, ctx))?;
            bdd.pin(either);
            let digit = bdd.whole(ctx, |bdd, ctx| bdd.choose(old, !either, either, ctx))?;
            bdd.pin(digit);
            let more = bdd.whole(ctx, |bdd, ctx| {
                let both = bdd.and(added, rest, ctx)?;
                bdd.hold(both);
                let with = bdd.and(old, either, ctx)?;
                bdd.hold(with);
                bdd.or(both, with, ctx)
            })?;
            bdd.set_pin(sum[shift + at], digit);
            bdd.set_pin(carry, more);
            bdd.unpin(base);
        }
        bdd.unpin(carry);
    }
    Ok(sum)
}

#[test]
fn what_is_pinned_or_held_survives_collections_and_new_orders() {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let ctx = &mut ctx;
    let width = 8;
    for first_reorder in [2_000, usize::MAX] {
        let mut bdd = Bdd::new(2 * width);
        bdd.set_room(first_reorder, usize::MAX);
        let order = bdd.order.clone();
        let sum = product(&mut bdd, width, ctx).expect("no limit");
        assert!(bdd.nodes.len() > 1 << 14, "there is something to free");
        assert_eq!(bdd.order != order, first_reorder != usize::MAX);
        let mut rng = ctx.rng(7);
        for _ in 0..2_000 {
            let (x, y) = (rng.below(1 << width), rng.below(1 << width));
            let is = |var: usize| (x | y << width) >> var & 1 == 1;
            let made = sum.iter().enumerate().fold(0, |all, (at, pin)| {
                let mut f = bdd.pinned(*pin);
                while let Some((var, high, low)) = bdd.parts(f) {
                    f = if is(var) { high } else { low };
                }
                all | u64::from(f == Ref::TRUE) << at
            });
            assert_eq!(made, x * y);
        }
    }
}

#[test]
fn the_products_of_a_cover_are_the_function_and_none_is_superfluous() {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let ctx = &mut ctx;
    let mut rng = ctx.rng(3);
    for _ in 0..200 {
        let mut bdd = Bdd::new(VARS);
        let (f, expected) = random(&mut bdd, &mut rng, ctx);
        let (cover, at) =
            bdd.cover(f, f, usize::MAX, ctx).expect("no limit").expect("there is room");
        let products = cover.products(at, usize::MAX).expect("there is room");
        let of = |product: &Vec<(usize, bool)>| {
            product.iter().fold(u64::MAX, |all, (var, value)| {
                let column = alphorn_sat::aig::COUNTING[*var];
                all & if *value { column } else { !column }
            })
        };
        assert_eq!(products.iter().fold(0, |all, product| all | of(product)), expected);
        for left_out in 0..products.len() {
            let others = products.iter().enumerate().filter(|(at, _)| *at != left_out);
            assert_ne!(others.fold(0, |all, (_, product)| all | of(product)), expected);
        }
        assert!(products.is_empty() || cover.products(at, products.len() - 1).is_none());
    }
}
