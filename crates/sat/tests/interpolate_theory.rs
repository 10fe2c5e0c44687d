//! Lemmas of a theory as leaves of proofs that are interpolated.
//!
//! The theory here is a hidden clause set: it knows clauses of which the solver hears only when the
//! assignment violates them. Their partial interpolants are those of leaves, so that the results
//! can be checked as if the clauses had been given.

use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::interpolate::{
    InputMap, InterpolationError, Interpolator, Label, Lemma, LemmaInterpolator, Policy,
    VariableMap,
};
use alphorn_sat::{Answer, Context, FinalCheck, Lit, Options, Solver, Theory, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::interpolants::Table;
use alphorn_testkit::cnf::random::clause;

/// Clauses that hold, told when they are violated.
struct Hidden(Vec<Vec<Lit>>);

impl Theory for Hidden {
    fn assign(&mut self, _: Lit) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: u32) {}
    fn propagate(&mut self, _: &mut Context<'_>) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
    fn final_check(&mut self, context: &mut Context<'_>) -> FinalCheck {
        let violated =
            |clause: &&Vec<Lit>| clause.iter().all(|lit| context.value(*lit) == Some(false));
        if let Some(clause) = self.0.iter().find(violated) {
            context.lemma(clause);
        }
        FinalCheck::Consistent
    }
}

/// Lemmas counted as clauses of side A: valid clauses follow from either side.
struct OnSideA<'a> {
    inputs: &'a mut InputMap,
    calls: u32,
}

impl LemmaInterpolator for OnSideA<'_> {
    fn interpolate(&mut self, lemma: &Lemma<'_>, aig: &mut Aig) -> Edge {
        self.calls += 1;
        let mut edges = Vec::new();
        for (lit, label) in lemma.literals.iter().zip(lemma.labels) {
            if *label == Label::B {
                edges.push(self.inputs.edge(lit.var(), aig).xor(lit.is_negated()));
            }
        }
        aig.or_n(edges)
    }
}

#[test]
fn lemmas_get_partial_interpolants_from_outside() {
    let variables = 8;
    let mut calls = 0;
    for seed in 0..150 {
        let mut random = Rng::new(seed);
        let hidden: Vec<Vec<Lit>> = (0..12).map(|_| clause(&mut random, variables, 3)).collect();
        let options = Options { proof: 1, ..Options::default() };
        let mut solver = Solver::with_theory(options, Hidden(hidden.clone()));
        (0..variables).for_each(|_| _ = solver.new_var());
        let mut clauses = Vec::new();
        while solver.solve(&[]) == Answer::Sat {
            let (clause, partition) = (clause(&mut random, variables, 3), random.below(2));
            solver.add_clause_in(&clause, partition);
            clauses.push((clause, partition));
        }
        let (trace, goal) = (solver.trace().unwrap(), solver.conclusion().unwrap());
        for policy in [Policy::McMillan, Policy::Pudlak, Policy::DualMcMillan] {
            let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
            let mut lemma_inputs = InputMap::default();
            // Both maps must agree, so all variables get their inputs first.
            for index in 0..variables {
                let edge = inputs.edge(Var(index), &mut aig);
                assert_eq!(edge, aig.input(index));
            }
            lemma_inputs.clone_from(&inputs);
            let mut theory = OnSideA { inputs: &mut lemma_inputs, calls: 0 };
            let mut interpolator =
                Interpolator::new(trace, goal).policy(policy).theory(&mut theory);
            let edge = interpolator.sequence(2, &mut aig, &mut inputs).unwrap()[0];
            drop(interpolator);
            calls += theory.calls;
            // Modulo the hidden clauses: A implies it, B refutes it.
            let table = Table::of_edge(variables, &aig, edge, &inputs);
            for side in 0..2 {
                let mut known = Table::truth(variables);
                hidden.iter().for_each(|clause| known.add(clause));
                let own = clauses.iter().filter(|(_, partition)| *partition == side);
                own.for_each(|(clause, _)| known.add(clause));
                match side {
                    0 => assert!(known.implies(&table), "seed {seed}"),
                    _ => assert!(known.and(&table).is_false(), "seed {seed}"),
                }
            }
        }
    }
    assert!(calls > 100);
}

#[test]
fn lemmas_without_an_interpolator_are_an_error() {
    let mut solver =
        Solver::with_theory(Options { proof: 1, ..Options::default() }, Hidden(vec![]));
    let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
    solver.theory_mut().0.push(vec![!a, !b]);
    solver.add_clause_in(&[a], 0);
    solver.add_clause_in(&[b], 1);
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    let (mut aig, mut inputs) = (Aig::new(), InputMap::default());
    let mut interpolator = Interpolator::new(solver.trace().unwrap(), solver.conclusion().unwrap());
    let result = interpolator.sequence(2, &mut aig, &mut inputs);
    assert!(matches!(result, Err(InterpolationError::Lemma(_))));
}
