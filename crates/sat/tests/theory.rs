//! A theory that exercises every call, against enumeration.
//!
//! At most so many of some literals are true: propagated with lazy reasons. And the parity of some
//! literals is even: checked on complete assignments only, refuted by lemmas; every other lemma is
//! split in two by a fresh variable.

use alphorn_sat::{Answer, Context, FinalCheck, Lit, Options, Solver, Theory, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::calls;
use alphorn_testkit::cnf::random::clause;
use alphorn_testkit::cnf::random::random_options;

#[derive(Default)]
struct Counting {
    bounded: Vec<Lit>,
    most: usize,
    even: Vec<Lit>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    lemmas: u32,
    decisions: u32,
    explained: u32,
}

impl Counting {
    fn true_ones(&self) -> Vec<Lit> {
        self.trail.iter().copied().filter(|lit| self.bounded.contains(lit)).collect()
    }
}

impl Theory for Counting {
    fn assign(&mut self, lit: Lit) {
        assert!(!self.trail.contains(&lit) && !self.trail.contains(&!lit));
        self.trail.push(lit);
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: u32) {
        self.trail.truncate(self.levels[level as usize]);
        self.levels.truncate(level as usize);
    }

    fn propagate(&mut self, context: &mut Context<'_>) {
        let ones = self.true_ones();
        if ones.len() > self.most {
            let clause: Vec<Lit> = ones[..=self.most].iter().map(|lit| !*lit).collect();
            context.lemma(&clause);
        } else if ones.len() == self.most {
            for lit in &self.bounded {
                if context.value(*lit).is_none() {
                    context.imply(!*lit);
                }
            }
        }
    }

    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>) {
        self.explained += 1;
        let place = self.trail.iter().position(|other| *other == lit);
        let before = &self.trail[..place.unwrap_or(self.trail.len())];
        let ones = before.iter().copied().filter(|other| self.bounded.contains(other));
        others.extend(ones.take(self.most).map(|other| !other));
        assert_eq!(others.len(), self.most);
    }

    fn decide(&mut self, context: &mut Context<'_>) -> Option<Lit> {
        let open = self.even.iter().find(|lit| context.value(**lit).is_none());
        self.decisions += u32::from(open.is_some());
        open.copied()
    }

    fn final_check(&mut self, context: &mut Context<'_>) -> FinalCheck {
        let is_true = |lit: &Lit| context.value(*lit) == Some(true);
        if self.even.iter().filter(|lit| is_true(lit)).count() % 2 == 1 {
            let clause: Vec<Lit> = self.even.iter().map(|lit| lit.xor(is_true(lit))).collect();
            self.lemmas += 1;
            if self.lemmas.is_multiple_of(2) && clause.len() > 1 {
                let fresh = context.new_var().positive();
                let (left, right) = clause.split_at(clause.len() / 2);
                context.lemma(&[left, &[fresh]].concat());
                context.lemma(&[right, &[!fresh]].concat());
            } else {
                context.lemma(&clause);
            }
        }
        FinalCheck::Consistent
    }
}

fn random_lits(random: &mut Rng, variables: u32, count: u32) -> Vec<Lit> {
    let mut lits: Vec<Lit> = clause(random, variables, count);
    lits.sort_unstable();
    lits.dedup_by_key(|lit| lit.var());
    lits
}

#[test]
fn counting_agrees_with_enumeration() {
    let mut random = Rng::new(11);
    let (mut explained, mut decisions, mut answers) = (0, 0, [0, 0]);
    for round in 0..800 {
        let variables = 4 + random.below(7);
        let bounded = random_lits(&mut random, variables, variables);
        let even = random_lits(&mut random, variables, 4);
        let most = random.below(bounded.len() as u32 + 1) as usize;
        let clauses: Vec<Vec<Lit>> = (0..variables * 5 / 2)
            .map(|_| {
                let size = 2 + random.below(2);
                random_lits(&mut random, variables, size)
            })
            .collect();
        let assumptions = random_lits(&mut random, variables, 2);
        let mut options = random_options(&mut random);
        options.proof = round % 2;
        let theory =
            Counting { bounded: bounded.clone(), most, even: even.clone(), ..Counting::default() };
        let mut solver = Solver::with_theory(options, theory);
        for _ in 0..variables {
            solver.new_var();
        }
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        for assumed in [&assumptions[..], &[], &assumptions[..1]] {
            let expected = (0..1u32 << variables).any(|model| {
                let holds = |lit: &&Lit| (model >> lit.var().0 & 1 == 1) != lit.is_negated();
                clauses.iter().all(|clause| clause.iter().any(|lit| holds(&lit)))
                    && assumed.iter().all(|lit| holds(&lit))
                    && bounded.iter().filter(holds).count() <= most
                    && even.iter().filter(holds).count() % 2 == 0
            });
            let answer = solver.solve(assumed);
            assert_eq!(answer == Answer::Sat, expected, "round {round}");
            answers[usize::from(expected)] += 1;
            if answer == Answer::Unsat {
                check_proof(&solver);
            }
        }
        explained += solver.theory().explained;
        decisions += solver.theory().decisions;
    }
    assert!(explained > 100 && decisions > 100 && answers[0] > 100 && answers[1] > 100);
}

fn check_proof(solver: &Solver<Counting>) {
    if let (Some(trace), Some(goal)) = (solver.trace(), solver.conclusion()) {
        calls::replay(&trace.refutation(goal)).expect("the proof from lemmas checks");
    }
}

/// The clauses alone define the variables that the theory speaks about, so that elimination and
/// substitution would be glad to take them out; the theory would then never hear of them.
#[test]
fn variables_are_not_taken_out_of_sight_of_a_theory() {
    for seed in 0..20 {
        let mut random = Rng::new(seed);
        let options = Options {
            inprocess_first: 1,
            inprocess_interval: 1,
            proof: (seed % 2) as u32,
            ..Options::default()
        };
        // Of the outputs, which are equivalent to the inputs, at most two are true.
        let outputs: Vec<Lit> = (10..20).map(|index| Var(index).positive()).collect();
        let theory = Counting {
            bounded: outputs.clone(),
            most: 2,
            even: outputs[..3].to_vec(),
            ..Counting::default()
        };
        let mut solver = Solver::with_theory(options, theory);
        (0..20).for_each(|_| {
            solver.new_var();
        });
        for index in 0..10 {
            let (input, output) = (Var(index).positive(), outputs[index as usize]);
            solver.add_clause(&[!input, output]);
            solver.add_clause(&[input, !output]);
        }
        for _ in 0..12 {
            let clause = random_lits(&mut random, 10, 4);
            solver.add_clause(&clause);
        }
        for _ in 0..10 {
            let assumptions = random_lits(&mut random, 10, 2);
            if solver.solve(&assumptions) == Answer::Sat {
                let is_true = |lit: &&Lit| solver.value(**lit) == Some(true);
                assert!(outputs.iter().filter(is_true).count() <= 2, "seed {seed}");
                assert_eq!(outputs[..3].iter().filter(is_true).count() % 2, 0, "seed {seed}");
            }
        }
        let stats = solver.stats();
        assert!(stats.conflicts == 0 || stats.inprocessings > 0);
        assert_eq!((stats.eliminated, stats.substituted), (0, 0), "seed {seed}");
    }
}
