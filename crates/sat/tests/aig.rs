//! Graphs against tables of their functions: rewriting, copies, simulation, clauses.

use alphorn_sat::aig::{Aig, COUNTING, ClauseSink, Edge, Encoder, Encoding, Node, Polarity};
use alphorn_sat::{Answer, Cnf, Lit, Solver, Var};
use alphorn_testkit::Rng;

fn graph(inputs: u32) -> (Aig, Vec<Edge>) {
    let mut aig = Aig::new();
    let edges = (0..inputs).map(|_| aig.add_input()).collect();
    (aig, edges)
}

/// A random graph over six inputs: edges with the tables they should have.
fn random_graph(random: &mut Rng, steps: u32) -> (Aig, Vec<(Edge, u64)>) {
    let (mut aig, inputs) = graph(6);
    let mut known: Vec<(Edge, u64)> = inputs.into_iter().zip(COUNTING).collect();
    for _ in 0..steps {
        let pick = |random: &mut Rng| {
            // Recent edges make deep graphs.
            let span = known.len().min(if random.one_in(3) { usize::MAX } else { 10 }) as u32;
            let (edge, table) = known[known.len() - 1 - random.below(span) as usize];
            if random.one_in(2) { (!edge, !table) } else { (edge, table) }
        };
        let (a, b, c) = (pick(random), pick(random), pick(random));
        known.push(match random.below(7) {
            0 => (aig.xor(a.0, b.0), a.1 ^ b.1),
            1 => (aig.ite(a.0, b.0, c.0), a.1 & b.1 | !a.1 & c.1),
            2 => (aig.or(a.0, b.0), a.1 | b.1),
            3 => (aig.and_n([a.0, b.0, c.0]), a.1 & b.1 & c.1),
            4 => (aig.or_n([a.0, b.0, c.0, a.0]), a.1 | b.1 | c.1),
            _ => (aig.and(a.0, b.0), a.1 & b.1),
        });
    }
    (aig, known)
}

/// Every conjunction of two edges out of all two-level ones over four inputs has its function.
#[test]
fn rewriting_preserves_functions_exhaustively() {
    let (mut aig, inputs) = graph(4);
    let mut literals: Vec<(Edge, u64)> = vec![(Edge::FALSE, 0), (Edge::TRUE, !0)];
    for (edge, table) in inputs.into_iter().zip(COUNTING) {
        literals.extend([(edge, table), (!edge, !table)]);
    }
    let mut conjunctions = literals.clone();
    for (left, first) in &literals {
        for (right, second) in &literals {
            let edge = aig.and(*left, *right);
            conjunctions.extend([(edge, first & second), (!edge, !(first & second))]);
        }
    }
    let mut results = Vec::new();
    for (left, first) in &conjunctions {
        for (right, second) in &conjunctions {
            results.push((aig.and(*left, *right), first & second));
        }
    }
    let simulation = aig.simulate(&COUNTING);
    for (edge, table) in results {
        assert_eq!(simulation.value(edge), table, "{edge:?}");
    }
}

#[test]
fn rewriting_preserves_functions_of_deep_graphs() {
    let mut random = Rng::new(1);
    for _ in 0..200 {
        let (aig, known) = random_graph(&mut random, 60);
        let simulation = aig.simulate(&COUNTING);
        for (edge, table) in &known {
            assert_eq!(simulation.value(*edge), *table);
        }
        let roots: Vec<Edge> = known.iter().map(|(edge, _)| *edge).collect();
        let assignment = random.below(64);
        let values = aig.evaluate(&roots, |index| COUNTING[index as usize] >> assignment & 1 == 1);
        for (value, (_, table)) in values.iter().zip(&known) {
            assert_eq!(*value, table >> assignment & 1 == 1);
        }
    }
}

/// The rules of the paper, by what they must find without a new node.
#[test]
fn two_level_rules_apply() {
    let (mut aig, inputs) = graph(4);
    let [a, b, c, d] = inputs[..] else { unreachable!() };
    let ab = aig.and(a, b);
    let cd = aig.and(c, d);
    let na_c = aig.and(!a, c);
    let before = aig.len();
    assert_eq!(aig.and(ab, !a), Edge::FALSE);
    assert_eq!(aig.and(ab, na_c), Edge::FALSE);
    assert_eq!(aig.and(!ab, !a), !a);
    assert_eq!(aig.and(!ab, na_c), na_c);
    assert_eq!(aig.and(ab, b), ab);
    assert_eq!(aig.len(), before);
    let a_nb = aig.and(a, !b);
    assert_eq!(aig.and(!ab, !a_nb), !a);
    assert_eq!(aig.and(!ab, a), a_nb);
    let bc = aig.and(b, c);
    let expected = aig.and(!a, bc);
    assert_eq!(aig.and(!ab, bc), expected);
    let expected = aig.and(ab, c);
    assert_eq!(aig.and(ab, bc), expected);
    assert_eq!(aig.and_n([ab, cd, !d, !ab, a]), Edge::FALSE);
}

#[test]
fn operands_precede_their_nodes_and_nodes_are_unique() {
    let (aig, _) = random_graph(&mut Rng::new(2), 2000);
    let mut seen = std::collections::BTreeSet::new();
    for node in 0..aig.len() {
        if let Node::And(left, right) = aig.node(node) {
            assert!(left < right && right.node() < node);
            assert!(seen.insert((left, right)));
        }
    }
}

#[test]
fn copies_and_substitutions_are_compositions() {
    let mut random = Rng::new(3);
    for _ in 0..100 {
        let (mut aig, known) = random_graph(&mut random, 40);
        let roots: Vec<Edge> = known[known.len() - 5..].iter().map(|(edge, _)| *edge).collect();
        // Input i becomes input 5 - i in the copy.
        let (mut other, inputs) = graph(6);
        let copies = other.import(&aig, &roots, |_, index| inputs[5 - index as usize]);
        let mut columns = COUNTING;
        columns.reverse();
        let (there, here) = (other.simulate(&columns), aig.simulate(&COUNTING));
        for (copy, root) in copies.iter().zip(&roots) {
            assert_eq!(there.value(*copy), here.value(*root));
        }
        // Input 0 becomes a function of the others.
        let (one, two) = (aig.input(1), aig.input(2));
        let image = aig.xor(one, two);
        let replaced = aig.substitute(&roots, |index| (index == 0).then_some(image));
        let mut columns = COUNTING;
        columns[0] = columns[1] ^ columns[2];
        let (there, here) = (aig.simulate(&columns), aig.simulate(&COUNTING));
        for (new, root) in replaced.iter().zip(&roots) {
            assert_eq!(here.value(*new), there.value(*root));
            assert!(!aig.support(&[*new]).contains(&0));
        }
    }
}

/// Which assignments of the first `inputs` variables extend to models, one bit each.
fn projection(cnf: &Cnf, inputs: u32) -> u64 {
    let mut solver = Solver::default();
    for _ in 0..cnf.variables {
        solver.new_var();
    }
    cnf.clauses.iter().for_each(|clause| solver.add_clause(clause));
    let mut table = 0;
    for assignment in 0..1u64 << inputs {
        let lit = |index: u32| Var(index).lit(assignment >> index & 1 == 1);
        let assumptions: Vec<Lit> = (0..inputs).map(lit).collect();
        table |= u64::from(solver.solve(&assumptions) == Answer::Sat) << assignment;
    }
    table
}

fn bound(aig: &Aig, encoding: Encoding) -> (Encoder, Cnf) {
    let mut encoder = Encoder::new(encoding);
    let mut cnf = Cnf::default();
    for index in 0..aig.inputs() {
        encoder.bind(aig.input(index), cnf.fresh().positive());
    }
    (encoder, cnf)
}

#[test]
fn encodings_have_the_models_of_the_graph() {
    let mut random = Rng::new(4);
    for round in 0..60 {
        let (aig, known) = random_graph(&mut random, 5 + round);
        let (edge, table) = known[known.len() - 1];
        for encoding in [Encoding::Tseitin, Encoding::PlaistedGreenbaum] {
            for (polarity, positive, negative) in [
                (Polarity::Positive, table, !0),
                (Polarity::Negative, !0, !table),
                (Polarity::Both, table, !table),
            ] {
                let (mut encoder, mut cnf) = bound(&aig, encoding);
                let lit = encoder.encode(&aig, edge, polarity, &mut cnf);
                let both = encoding == Encoding::Tseitin;
                let mut with = |lit: Lit| {
                    cnf.clauses.push(vec![lit]);
                    let models = projection(&cnf, 6);
                    cnf.clauses.pop();
                    models
                };
                // A one-sided encoding leaves the other direction open.
                assert_eq!(with(lit), if both || positive == table { table } else { with(lit) });
                assert_eq!(
                    with(!lit),
                    if both || negative == !table { !table } else { with(!lit) }
                );
                assert_eq!(with(lit) & table, table);
                assert_eq!(with(!lit) & !table, !table);
            }
            let (mut encoder, mut cnf) = bound(&aig, encoding);
            encoder.assert(&aig, edge, &mut cnf);
            assert_eq!(projection(&cnf, 6), table);
        }
    }
}

/// What one call leaves unsaid, later calls say.
#[test]
fn encoders_are_incremental() {
    let mut random = Rng::new(5);
    for _ in 0..40 {
        let (aig, known) = random_graph(&mut random, 50);
        for encoding in [Encoding::Tseitin, Encoding::PlaistedGreenbaum] {
            let (mut encoder, mut cnf) = bound(&aig, encoding);
            for _ in 0..12 {
                let (edge, table) = known[random.below(known.len() as u32) as usize];
                let (edge, table) = if random.one_in(2) { (edge, table) } else { (!edge, !table) };
                match random.below(3) {
                    0 => {
                        let lit = encoder.encode(&aig, edge, Polarity::Both, &mut cnf);
                        let mut cnf = cnf.clone();
                        cnf.clauses.push(vec![lit]);
                        assert_eq!(projection(&cnf, 6), table);
                    }
                    1 => {
                        let lit = encoder.encode(&aig, edge, Polarity::Negative, &mut cnf);
                        let mut cnf = cnf.clone();
                        cnf.clauses.push(vec![!lit]);
                        assert_eq!(projection(&cnf, 6), !table);
                    }
                    _ => {
                        // Asserting ends the use of a formula, so a copy of it is asserted.
                        let mut cnf = cnf.clone();
                        let mut copy = encoder.clone();
                        copy.assert(&aig, edge, &mut cnf);
                        assert_eq!(projection(&cnf, 6), table);
                    }
                }
            }
        }
    }
}

#[test]
fn gates_need_no_inner_variables() {
    let (mut aig, inputs) = graph(6);
    let xor = aig.xor(inputs[0], inputs[1]);
    let ite = aig.ite(inputs[2], inputs[3], inputs[4]);
    let many = aig.and_n([xor, ite, inputs[5], inputs[0]]);
    let (mut encoder, mut cnf) = bound(&aig, Encoding::Tseitin);
    encoder.encode(&aig, many, Polarity::Both, &mut cnf);
    // The conjunction, the exclusive or, the if-then-else.
    assert_eq!(cnf.variables, 6 + 3);
    assert_eq!(cnf.clauses.len(), 5 + 4 + 6);
    let (mut encoder, mut cnf) = bound(&aig, Encoding::PlaistedGreenbaum);
    encoder.assert(&aig, many, &mut cnf);
    assert_eq!(cnf.variables, 6 + 2);
}

/// A million nodes are no recursion.
#[test]
fn large_graphs_are_loops() {
    let (mut aig, inputs) = graph(6);
    let mut random = Rng::new(6);
    let mut edge = inputs[0];
    let extra: Vec<Edge> = (0..1000).map(|_| aig.add_input()).collect();
    while aig.ands() < 1_000_000 {
        let other = extra[random.below(1000) as usize];
        edge = if random.one_in(2) { aig.xor(edge, other) } else { aig.or(edge, other) };
    }
    assert!(aig.size(&[edge]) > 900_000);
    assert!(aig.depth(&[edge]) > 100_000);
    let mut cnf = Cnf::default();
    Encoder::new(Encoding::PlaistedGreenbaum).assert(&aig, edge, &mut cnf);
    assert!(cnf.variables < 700_000);
    let copy = Aig::new().import(&aig, &[edge], |aig, _| aig.add_input());
    assert_eq!(copy.len(), 1);
}
