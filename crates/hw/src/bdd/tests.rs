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
        let by = [None, Some(g), None, Some(h), None, None];
        let replaced = bdd.replace(f, &by, ctx)?;
        let expected = (0..64u64).fold(0, |all, p| {
            let q = p & !0b1010 | (b >> p & 1) << 1 | (c >> p & 1) << 3;
            all | (a >> q & 1) << p
        });
        assert_eq!(table(&bdd, replaced), expected);
        bdd.reorder(&[f, g, chosen, replaced], ctx)?;
        assert_eq!(table(&bdd, f), a);
        assert_eq!(table(&bdd, g), b);
        assert_eq!(table(&bdd, replaced), expected);
        let again = bdd.and(f, g, ctx)?;
        assert_eq!(table(&bdd, again), a & b);
        assert_eq!(bdd.size(&[f, g, chosen, replaced, again]), {
            bdd.collect(&[f, g, chosen, replaced, again]);
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
