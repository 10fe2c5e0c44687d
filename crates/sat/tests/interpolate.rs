//! Interpolants of random formulas against truth tables, with fixed seeds.

use alphorn_sat::aig::Aig;
use alphorn_sat::interpolate::{Cuts, InputMap, Policy};
use alphorn_sat::{Lit, Options, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::interpolants::{Counts, Instance, Table, run};
use alphorn_testkit::cnf::random::random_options;

/// `examples/fuzz_interpolate.rs` runs the same from any seed, for as long as one likes.
#[test]
fn random_interpolants_agree_with_their_definition() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let options = match seed % 3 {
            0 => Options::default(),
            1 => Options { inprocess: 0, minimize: 0, ..Options::default() },
            _ => random_options(&mut Rng::new(seed)),
        };
        if let Err(what) = run(seed, options, &mut counts) {
            panic!("seed {seed}: {what}");
        }
    }
    assert!(counts.interpolants > 3000);
    assert!(counts.colorized_clauses > counts.clauses, "{counts:?}");
    assert!(counts.colorized >= counts.clausal, "{counts:?}");
}

/// Theorem 4 of Jančík et al.: interpolants under different assignments that fit together are
/// inductive under both.
#[test]
fn fitting_assignments_are_inductive() {
    let mut applied = 0;
    for seed in 0..600 {
        let mut random = Rng::new(seed);
        let instance = Instance::random(&mut random, Options::default());
        let proof = instance.proof(true);
        let mut cuts = Cuts::sequence(instance.partitions);
        let assignments: Vec<Vec<Lit>> = (0..cuts.len())
            .map(|_| {
                let some = (0..instance.variables).filter(|_| random.one_in(6));
                some.map(|index| Var(index).lit(index % 2 == 0)).collect::<Vec<Lit>>()
            })
            .collect();
        for cut in 0..cuts.len() {
            cuts.assign(cut, &assignments[cut as usize]);
        }
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(&proof, Policy::McMillan);
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs).unwrap();
        for cut in 1..cuts.len() {
            let (before, after) = (&assignments[cut as usize - 1], &assignments[cut as usize]);
            if !fits(&instance, cut, before, after) {
                continue;
            }
            applied += 1;
            let table = |edge| Table::of_edge(instance.variables, &aig, edge, &inputs);
            let mut known = table(edges[cut as usize - 1]);
            before.iter().chain(after).for_each(|lit| known.add(&[*lit]));
            let own = instance.clauses.iter().filter(|(_, partition)| *partition == cut);
            own.for_each(|(clause, _)| known.add(clause));
            assert!(known.implies(&table(edges[cut as usize])), "seed {seed}, cut {cut}");
        }
    }
    assert!(applied > 50, "{applied}");
}

/// The premises of the theorem, between the cut before `cut` and `cut`, for McMillan's labels.
fn fits(instance: &Instance, cut: u32, before: &[Lit], after: &[Lit]) -> bool {
    let satisfies =
        |assignment: &[Lit], clause: &[Lit]| clause.iter().any(|lit| assignment.contains(lit));
    let occurs = |var: Var, assignment: &[Lit], has: &dyn Fn(u32) -> bool| {
        instance.clauses.iter().any(|(clause, partition)| {
            has(*partition)
                && !satisfies(assignment, clause)
                && clause.iter().any(|lit| lit.var() == var)
        })
    };
    let sides_fit = instance.clauses.iter().all(|(clause, partition)| {
        let (old, new) = (satisfies(before, clause), satisfies(after, clause));
        // What counts on side A stays, what counts on side B was there before.
        if *partition < cut { old || !new } else { *partition == cut || new || !old }
    });
    let assigned_later = after.iter().filter(|lit| !before.contains(lit)).all(|lit| {
        let is_local = occurs(lit.var(), before, &|partition| partition < cut)
            && !occurs(lit.var(), before, &|partition| partition >= cut);
        !is_local
    });
    let assigned_before = before.iter().filter(|lit| !after.contains(lit)).all(|lit| {
        let is_local = occurs(lit.var(), after, &|partition| partition > cut)
            && !occurs(lit.var(), after, &|partition| partition <= cut);
        !is_local
    });
    sides_fit && assigned_later && assigned_before
}
