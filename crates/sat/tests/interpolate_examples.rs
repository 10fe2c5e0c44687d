//! Worked examples: formulas whose interpolants are known.

use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::interpolate::{
    CutError, Cuts, InputMap, InterpolationError, Interpolator, Policy, VariableMap,
};
use alphorn_sat::{Answer, Lit, Options, Solver, Var};
use alphorn_testkit::cnf::interpolants::{Instance, Table, check, check_inductive, edge_of};

const POLICIES: [Policy<'static>; 3] = [Policy::McMillan, Policy::Pudlak, Policy::DualMcMillan];

/// Clauses as DIMACS numbers, one list for each partition.
fn instance(partitions: &[&[&[i32]]]) -> Instance {
    let lit = |number: &i32| Lit::from_dimacs(*number).expect("literals are not 0");
    let mut clauses = Vec::new();
    for (partition, list) in partitions.iter().enumerate() {
        for clause in *list {
            clauses.push((clause.iter().map(lit).collect::<Vec<Lit>>(), partition as u32));
        }
    }
    let last = clauses.iter().flat_map(|(clause, _)| clause).map(|lit| lit.var().0).max();
    Instance::new(last.map_or(0, |last| last + 1), partitions.len() as u32, &clauses)
}

/// The conjunction of clauses, as a table.
fn table(instance: &Instance, clauses: &[&[i32]]) -> Table {
    let mut table = Table::truth(instance.variables);
    for clause in clauses {
        let lits: Vec<Lit> = clause.iter().filter_map(|number| Lit::from_dimacs(*number)).collect();
        table.add(&lits);
    }
    table
}

/// Checks that the sequence is the expected one, for all policies and for the clausal form, and
/// that colorizing leaves nothing but clauses.
#[track_caller]
fn check_sequence(partitions: &[&[&[i32]]], expected: &[&[&[i32]]]) {
    let instance = instance(partitions);
    let proof = instance.proof(true);
    let cuts = Cuts::sequence(instance.partitions);
    let expected: Vec<Table> = expected.iter().map(|clauses| table(&instance, clauses)).collect();
    for policy in POLICIES {
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(&proof, policy);
        let edges = interpolator
            .cuts(&cuts, &mut aig, &mut inputs)
            .expect("the formula is contradictory and labelled");
        let tables = check(&instance, &cuts, &aig, &edges, &inputs)
            .expect("the formula is contradictory and labelled");
        check_inductive(&instance, &cuts, &tables, &[])
            .expect("the formula is contradictory and labelled");
        assert_eq!(tables, expected);
    }
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = instance.interpolator(&proof, Policy::McMillan);
    let clausal = interpolator
        .clausal_sequence(instance.partitions, true, &mut aig, &mut inputs)
        .expect("the formula is contradictory and labelled");
    assert!(clausal.rests.iter().all(|rest| *rest == Edge::TRUE), "{clausal:?}");
    let edges = clausal.conjoin(&mut aig, &mut inputs);
    assert_eq!(
        check(&instance, &cuts, &aig, &edges, &inputs)
            .expect("the formula is contradictory and labelled"),
        expected
    );
}

/// Choosing the connectives the other way round gives true or false here.
#[test]
fn disjunction_is_for_pivots_of_side_a() {
    check_sequence(&[&[&[1], &[-1, 2]], &[&[-2]]], &[&[&[2]]]);
}

#[test]
fn colorizing_splits_a_refutation_of_three_partitions() {
    check_sequence(&[&[&[1, 2], &[-1, 2]], &[&[-2, 3]], &[&[-3]]], &[&[&[2]], &[&[3]]]);
}

/// A counter of two bits does not show 3 after two steps from 0: the low bit is enough to see it.
#[test]
fn two_bit_counter() {
    // a0 a1 = 1 2, b0 b1 = 3 4, c0 c1 = 5 6; a step flips the low bit and adds it to the high one.
    let step = |old: [i32; 2], new: [i32; 2]| {
        vec![
            vec![old[0], new[0]],
            vec![-old[0], -new[0]],
            vec![-new[1], old[1], old[0]],
            vec![-new[1], -old[1], -old[0]],
            vec![new[1], -old[1], old[0]],
            vec![new[1], old[1], -old[0]],
        ]
    };
    let mut first = vec![vec![-1], vec![-2]];
    first.extend(step([1, 2], [3, 4]));
    let lists = [first, step([3, 4], [5, 6]), vec![vec![5], vec![6]]];
    let lists: Vec<Vec<&[i32]>> =
        lists.iter().map(|list| list.iter().map(Vec::as_slice).collect()).collect();
    let lists: Vec<&[&[i32]]> = lists.iter().map(Vec::as_slice).collect();
    let instance = instance(&lists);
    let proof = instance.proof(true);
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = instance.interpolator(&proof, Policy::McMillan);
    let clausal = interpolator.clausal_sequence(3, true, &mut aig, &mut inputs).unwrap();
    let edges = clausal.conjoin(&mut aig, &mut inputs);
    let cuts = Cuts::sequence(3);
    let tables = check(&instance, &cuts, &aig, &edges, &inputs).unwrap();
    check_inductive(&instance, &cuts, &tables, &[]).unwrap();
    // Proofs differ in which of the two bits they use.
    assert!(clausal.rests.iter().all(|rest| *rest == Edge::TRUE), "{clausal:?}");
}

#[test]
fn two_ways_meet_in_one_variable() {
    check_sequence(
        &[&[&[1, 2], &[-1, 3]], &[&[-2, 4, 5], &[-2, 4, -5], &[-3, 4]], &[&[-4]]],
        &[&[&[2, 3]], &[&[4]]],
    );
}

/// The disjunction of k conjunctions has no small CNF, but a small interpolant.
#[test]
fn interpolants_of_disjoint_pairs_grow_linearly() {
    let mut sizes = Vec::new();
    for k in 1..12i32 {
        let (x, a, b) = (|i: i32| i, |i: i32| k + i, |i: i32| 2 * k + i);
        let mut first = vec![(1..=k).map(x).collect::<Vec<i32>>()];
        let mut second = Vec::new();
        for i in 1..=k {
            first.extend([vec![-x(i), a(i)], vec![-x(i), b(i)]]);
            second.push(vec![-a(i), -b(i)]);
        }
        let first: Vec<&[i32]> = first.iter().map(Vec::as_slice).collect();
        let second: Vec<&[i32]> = second.iter().map(Vec::as_slice).collect();
        let instance = instance(&[&first, &second]);
        let proof = instance.proof(true);
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(&proof, Policy::McMillan);
        let edge = interpolator.sequence(2, &mut aig, &mut inputs).unwrap()[0];
        let pairs: Vec<Edge> = (1..=k)
            .map(|i| {
                let [left, right] = [a(i), b(i)].map(|number| {
                    edge_of(Lit::from_dimacs(number).unwrap(), &mut aig, &mut inputs)
                });
                aig.and(left, right)
            })
            .collect();
        let expected = aig.or_n(pairs);
        if k < 5 {
            let table = |edge| Table::of_edge(instance.variables, &aig, edge, &inputs);
            assert_eq!(table(edge), table(expected));
        }
        sizes.push(aig.size(&[edge]));
        assert!(aig.size(&[edge]) <= 2 * k as usize, "{k}: {}", aig.size(&[edge]));
    }
}

/// `max` of an unknown and 0 is not negative, as an abstract reachability graph: under the
/// assignment of a node, its interpolant speaks only about what is in scope there.
#[test]
fn nodes_of_a_graph_have_interpolants_in_scope() {
    // Nodes 1 to 6 are variables 1 to 6; ineg, jneg, rneg are 7, 8, 9.
    let clauses: [(&[i32], u32); 14] = [
        (&[1], 0),
        (&[-1, 2], 0),
        (&[-1, -2, -8], 0),
        (&[-2, 3, 4], 1),
        (&[-2, -3, 8, -7], 1),
        (&[-2, -4, -8, 7], 1),
        (&[-3, 5], 2),
        (&[-3, -5, -9, 7], 2),
        (&[-3, -5, 9, -7], 2),
        (&[-4, 5], 3),
        (&[-4, -5, -9, 8], 3),
        (&[-4, -5, 9, -8], 3),
        (&[-5, 6], 4),
        (&[-5, -6, 9], 4),
    ];
    let lit = |number: &i32| Lit::from_dimacs(*number).unwrap();
    let clause = |(clause, at): &(&[i32], u32)| (clause.iter().map(lit).collect(), *at);
    let list: Vec<(Vec<Lit>, u32)> = clauses.iter().map(clause).collect();
    let instance = Instance::new(9, 6, &list);
    let proof = instance.proof(true);
    let mut cuts = Cuts::sequence(6);
    // Cut j separates the clauses of nodes 1 to j + 1 from those of later nodes: node j + 2.
    let nodes: [&[i32]; 5] = [&[2], &[3, -4], &[4, -3], &[5], &[6]];
    for (cut, literals) in nodes.iter().enumerate() {
        let literals: Vec<Lit> = literals.iter().map(lit).collect();
        cuts.assign(cut as u32, &literals);
    }
    let expected: [&[&[i32]]; 5] = [&[&[-8]], &[&[-7]], &[&[-8]], &[&[-9]], &[&[]]];
    for policy in POLICIES {
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(&proof, policy);
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs).unwrap();
        let tables = check(&instance, &cuts, &aig, &edges, &inputs).unwrap();
        interpolator.verify(&cuts, &edges, &mut aig, &mut inputs).unwrap();
        for (cut, clauses) in expected.iter().enumerate() {
            assert_eq!(tables[cut], table(&instance, clauses), "node {}", cut + 2);
        }
    }
    // Without assignments the interpolants at nodes 3 and 4 mention more than is in scope.
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = instance.interpolator(&proof, Policy::McMillan);
    let edges = interpolator.sequence(6, &mut aig, &mut inputs).unwrap();
    assert!(aig.support(&[edges[1]]).len() > 1);
}

/// Siblings that share a variable cannot both count it for side A.
#[test]
fn trees_are_inductive_for_all_policies() {
    // Partitions 1 and 2 are children of 0; x = 1 is in all of them.
    let instance =
        instance(&[&[&[-1, -2], &[1, 2]], &[&[1, 3], &[-3, 1]], &[&[2, 4], &[-4, 2, -1]]]);
    let proof = instance.proof(true);
    let cuts = Cuts::tree(&[None, Some(0), Some(0)]).unwrap();
    for policy in POLICIES {
        let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
        let mut interpolator = instance.interpolator(&proof, policy);
        let edges = interpolator.cuts(&cuts, &mut aig, &mut inputs).unwrap();
        assert_eq!(edges[0], Edge::FALSE);
        let tables = check(&instance, &cuts, &aig, &edges, &inputs).unwrap();
        check_inductive(&instance, &cuts, &tables, &[]).unwrap();
    }
}

#[test]
fn families_that_are_not_laminar_are_refused() {
    let overlap = Cuts::laminar(3, &[vec![0, 1], vec![1, 2]]);
    assert_eq!(overlap.unwrap_err(), CutError::Overlap(0, 1));
    assert_eq!(Cuts::laminar(2, &[vec![2]]).unwrap_err(), CutError::NoSuchPartition(2));
    assert_eq!(Cuts::tree(&[Some(1), Some(0)]).unwrap_err(), CutError::Cycle(0));
    assert_eq!(Cuts::tree(&[Some(7)]).unwrap_err(), CutError::NoSuchPartition(7));
    let nested = Cuts::laminar(4, &[vec![0], vec![0, 1, 2], vec![2], vec![0, 1, 2]]).unwrap();
    let parents: Vec<Option<u32>> = (0..4).map(|cut| nested.parent(cut)).collect();
    assert_eq!(parents, [Some(1), Some(3), Some(1), None]);
}

#[test]
fn what_has_no_partition_is_an_error() {
    let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
    let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
    solver.add_clause_in(&[!a, b], 0);
    assert_eq!(solver.solve(&[a, !b]), Answer::Unsat);
    let (trace, goal) = (solver.trace().unwrap(), solver.conclusion().unwrap());
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let result = Interpolator::new(trace, goal).sequence(2, &mut aig, &mut inputs);
    assert!(matches!(result, Err(InterpolationError::NoAssumptionPartition(_))));
    let labelled = || Interpolator::new(trace, goal).assumption(a, 0).assumption(!b, 1);
    let edges = labelled().sequence(2, &mut aig, &mut inputs).unwrap();
    assert_eq!(edges, [inputs.known(b.var()).unwrap()]);
    let result = labelled().relabel(&|_, _| 5).sequence(2, &mut aig, &mut inputs);
    assert!(matches!(result, Err(InterpolationError::NoPartition(_))));
}

/// Engines map the copies of a state variable in all frames to one input.
#[test]
fn maps_may_fold_frames_onto_each_other() {
    // x0 = 1; x1 = x0; x2 = x1; not x2.
    let mut solver = Solver::new(Options { proof: 1, ..Options::default() });
    let x: Vec<Lit> = (0..3).map(|_| solver.new_var().positive()).collect();
    solver.add_clause_in(&[x[0]], 0);
    for step in 0..2 {
        solver.add_clause_in(&[!x[step], x[step + 1]], step as u32);
    }
    solver.add_clause_in(&[!x[2]], 2);
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    let mut aig = Aig::new();
    let state = aig.add_input();
    let mut map = |_: Var, _: &mut Aig| state;
    let mut interpolator = Interpolator::new(solver.trace().unwrap(), solver.conclusion().unwrap());
    let edges = interpolator.sequence(3, &mut aig, &mut map).unwrap();
    assert_eq!(edges, [state, state]);
    assert_eq!(VariableMap::edge(&mut map, x[0].var(), &mut aig), state);
}
