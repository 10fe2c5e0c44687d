//! Justification and lifting on circuits small enough to try every assignment of their leaves.

use super::lit;
use alphorn_sat::cores::{Effort, Found, Justifier, Node, lift};
use alphorn_sat::{Lit, Solver, Var};
use alphorn_testkit::Rng;

/// Leaves first, then gates; a gate's inputs come before it.
struct Circuit {
    leaves: u32,
    gates: Vec<(Lit, Lit)>,
}

impl Circuit {
    fn random(random: &mut Rng) -> Circuit {
        let leaves = 3 + random.below(3);
        let mut gates = Vec::new();
        for index in 0..3 + random.below(9) {
            let input = |random: &mut Rng| Var(random.below(leaves + index)).lit(random.one_in(2));
            gates.push((input(random), input(random)));
        }
        Circuit { leaves, gates }
    }

    fn node(&self, var: Var) -> Node {
        match var.index().checked_sub(self.leaves as usize) {
            None => Node::Leaf,
            Some(index) => Node::And(self.gates[index].0, self.gates[index].1),
        }
    }

    fn values(&self, leaves: u32) -> Vec<bool> {
        let mut values: Vec<bool> = (0..self.leaves).map(|var| leaves >> var & 1 == 1).collect();
        for (a, b) in &self.gates {
            values.push(value(&values, *a) && value(&values, *b));
        }
        values
    }

    /// Whether all leaves that agree with `cube` give the target literals the value true.
    fn forces(&self, cube: &[Lit], targets: &[Lit]) -> bool {
        (0..1 << self.leaves).map(|leaves| self.values(leaves)).all(|values| {
            !cube.iter().all(|lit| value(&values, *lit))
                || targets.iter().all(|lit| value(&values, *lit))
        })
    }

    fn solver(&self) -> Solver {
        let mut solver = Solver::default();
        for _ in 0..self.leaves as usize + self.gates.len() {
            solver.new_var();
        }
        for (index, (a, b)) in self.gates.iter().enumerate() {
            let gate = Var(self.leaves + index as u32).positive();
            solver.add_clause(&[!gate, *a]);
            solver.add_clause(&[!gate, *b]);
            solver.add_clause(&[gate, !*a, !*b]);
        }
        solver
    }

    /// One or two literals of the last gates that are true.
    fn targets(&self, values: &[bool], random: &mut Rng) -> Vec<Lit> {
        let count = 1 + random.below(2);
        let last = values.len() as u32 - 1;
        (0..count).map(|back| Var(last - back)).map(|var| var.lit(values[var.index()])).collect()
    }
}

fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.var().index()] != lit.is_negated()
}

#[test]
fn justifications_force_their_targets() {
    let mut random = Rng::new(6);
    let mut justifier = Justifier::default();
    let (mut kept, mut all) = (0, 0);
    for _ in 0..400 {
        let circuit = Circuit::random(&mut random);
        let netlist = |var: Var| circuit.node(var);
        for leaves in 0..1 << circuit.leaves {
            let values = circuit.values(leaves);
            let targets = circuit.targets(&values, &mut random);
            let weight = |var: Var| 1 + var.0;
            let cube = justifier.justify(&netlist, |lit| value(&values, lit), weight, &targets);
            assert!(cube.iter().all(|lit| value(&values, *lit) && lit.var().0 < circuit.leaves));
            assert!(circuit.forces(&cube, &targets), "{:?} {cube:?}", circuit.gates);
            kept += cube.len();
            all += circuit.leaves as usize;
        }
    }
    assert!(kept * 2 < all, "{kept} of {all} leaves kept");
}

#[test]
fn the_cheaper_reason_is_taken_and_what_is_there_is_free() {
    // Leaves 1 to 4 are false; 5 = 1 ∧ 2, 6 = 2 ∧ 3, 7 = ¬5 ∧ ¬6.
    let gates = [(lit(1), lit(2)), (lit(2), lit(3)), (lit(-5), lit(-6))];
    let circuit = Circuit { leaves: 4, gates: gates.to_vec() };
    let values = circuit.values(0);
    let justify = |weights: [u32; 4]| {
        let netlist = |var: Var| circuit.node(var);
        let weight = |var: Var| weights[var.index()];
        let mut justifier = Justifier::default();
        justifier.justify(&netlist, |lit| value(&values, lit), weight, &[lit(7)])
    };
    assert_eq!(justify([2, 1, 2, 1]), [lit(-2)]);
    let mut apart = justify([1, 9, 1, 1]);
    apart.sort_unstable();
    assert_eq!(apart, [lit(-1), lit(-3)]);
}

#[test]
fn constants_need_no_reason() {
    let netlist = |var: Var| match var.0 {
        0 => Node::Constant,
        1 => Node::Leaf,
        _ => Node::And(lit(1), lit(2)),
    };
    let cube = Justifier::default().justify(&netlist, |lit| lit.is_negated(), |_| 1, &[lit(-3)]);
    assert_eq!(cube, []);
}

/// A chain of gates deeper than any stack.
#[test]
fn deep_circuits_are_no_problem() {
    let depth = 300_000;
    let netlist = |var: Var| match var.0 {
        0 | 1 => Node::Leaf,
        // Two false inputs each time, so that costs are computed all the way down.
        index => Node::And(Var(index - 1).positive(), Var(index - 2).positive()),
    };
    let cube = Justifier::default().justify(
        &netlist,
        |lit| lit.is_negated(),
        |_| 1,
        &[Var(depth).negative()],
    );
    assert_eq!(cube.len(), 1);
}

#[test]
fn lifted_cubes_are_minimal_under_their_inputs() {
    let mut random = Rng::new(7);
    for _ in 0..150 {
        let circuit = Circuit::random(&mut random);
        let mut solver = circuit.solver();
        for leaves in 0..1 << circuit.leaves {
            let values = circuit.values(leaves);
            let targets = circuit.targets(&values, &mut random);
            let leaf_literals: Vec<Lit> =
                (0..circuit.leaves).map(|var| Var(var).lit(values[var as usize])).collect();
            let (inputs, state) = leaf_literals.split_at(random.below(3) as usize);
            let lifted = lift(&mut solver, inputs, state, &targets, Effort::default());
            let cube = lifted.into_core().expect("the leaves determine the gates");
            let forces = |cube: &[Lit]| circuit.forces(&[inputs, cube].concat(), &targets);
            assert!(cube.is_minimal && forces(&cube.elements));
            for index in 0..cube.elements.len() {
                let mut fewer = cube.elements.clone();
                fewer.remove(index);
                assert!(!forces(&fewer));
            }
            let quick = lift(&mut solver, inputs, state, &targets, Effort::ONE_QUERY);
            assert!(forces(&quick.into_core().expect("as before").elements));
        }
    }
}

#[test]
fn what_is_not_forced_is_not_lifted() {
    let circuit = Circuit { leaves: 2, gates: vec![(lit(1), lit(2))] };
    let mut solver = circuit.solver();
    assert_eq!(lift(&mut solver, &[], &[lit(1)], &[lit(3)], Effort::default()), Found::Satisfiable);
}
