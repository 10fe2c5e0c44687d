//! Fronts of parameters: what is found, by enumeration, and evidence that must be refused.

use crate::with_ctx;
use alphorn_check::accept::{Checkable, accept};
use alphorn_check::parameters::AskedFront;
use alphorn_front::evidence::{print_front, read_front};
use alphorn_hw::pareto::{Found, search};
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::{Bit, Lrat, Property};
use alphorn_problem::evidence::front::{Front, Monotony};
use alphorn_problem::parameters::{Cost, Parametric};
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, or};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::circuit_with;
use std::collections::BTreeSet;

fn cost(name: &str, weights: &[u64]) -> Cost {
    Cost { name: name.into(), base: 0, weights: weights.to_vec() }
}

/// The first latches of a circuit as parameters.
fn parametric(mut circuit: Circuit, count: usize, costs: &[&[u64]]) -> Parametric {
    for index in 0..count {
        let own = circuit.latch(index);
        circuit.latches[index] = Latch { next: own, reset: own };
    }
    let costs = costs.iter().enumerate().map(|(at, weights)| cost(&format!("c{at}"), weights));
    let (params, costs) = ((0..count).collect(), costs.collect());
    Parametric { circuit, property: 0, params, costs }
}

/// Bad becomes 1 unless u1, or u2 and u3: the example of the paper's notes.
fn example() -> Parametric {
    let mut circuit = circuit(1, 4);
    let [u1, u2, u3, bad] = [0, 1, 2, 3].map(|index| circuit.latch(index));
    let both = and(&mut circuit, u2, u3);
    let fails = and(&mut circuit, !u1, !both);
    let fails = and(&mut circuit, fails, Lit::new(1, false));
    circuit.latches[3].next = or(&mut circuit, bad, fails);
    circuit.bads = vec![bad];
    parametric(circuit, 3, &[&[5, 1, 1], &[1, 3, 3]])
}

fn front_of(problem: &Parametric, is_monotone: bool) -> Front {
    let mut valid = 0;
    let mut hear = |found: Found| valid += usize::from(matches!(found, Found::Valid(_)));
    let (front, _) = with_ctx(u64::MAX, |ctx| search(problem, is_monotone, ctx, &mut hear))
        .expect("the search ends");
    assert!(valid >= front.points.len(), "every point is reported");
    front
}

fn verdict(front: Front) -> Verdict<Parametric> {
    if front.points.is_empty() { Verdict::Unsafe(front) } else { Verdict::Safe(front) }
}

/// Why the checker refuses a front, if it does.
fn refused(problem: &Parametric, front: Front) -> Option<String> {
    let verdict = verdict(front);
    let asked = Parametric::claimed(&verdict);
    accept(problem, asked, verdict).err().map(|refusal| refusal.to_string())
}

fn prices(problem: &Parametric, front: &Front) -> BTreeSet<Vec<u64>> {
    front.points.iter().map(|point| problem.price(&point.valuation)).collect()
}

/// The front by trying all valuations.
fn enumerated(problem: &Parametric) -> BTreeSet<Vec<u64>> {
    let count = problem.params.len();
    let valuation = |number: usize| (0..count).map(|bit| number >> bit & 1 == 1).collect();
    let valuations: Vec<Vec<bool>> = (0..1usize << count).map(valuation).collect();
    let valid = valuations.iter().filter(|g| shortest_violation(&problem.at(g)).is_none());
    let prices: BTreeSet<Vec<u64>> = valid.map(|g| problem.price(g)).collect();
    let below =
        |low: &[u64], high: &[u64]| low != high && low.iter().zip(high).all(|(a, b)| a <= b);
    let is_least = |price: &&Vec<u64>| !prices.iter().any(|other| below(other, price));
    prices.iter().filter(is_least).cloned().collect()
}

#[test]
fn the_example_has_two_points_and_its_property_is_monotone() {
    let problem = example();
    let front = front_of(&problem, false);
    assert_eq!(prices(&problem, &front), [vec![2, 6], vec![5, 1]].into());
    assert!(matches!(front.monotony, Monotony::Proved(_)));
    assert_eq!(refused(&problem, front.clone()), None);
    let text = print_front(&problem, &verdict(front.clone()));
    let (read, diagnostics) = read_front(text.as_bytes(), &problem.circuit);
    let (asked, again) = read.unwrap_or_else(|| panic!("{:?}", diagnostics.list));
    assert_eq!(asked, problem);
    assert!(matches!(again, Verdict::Safe(again) if again == front));
}

#[test]
fn where_nothing_helps_there_is_no_valuation_and_where_nothing_is_needed_the_point_is_free() {
    let mut none = example();
    none.circuit.latches[3].next = Lit::TRUE;
    let front = front_of(&none, false);
    assert!(front.points.is_empty());
    assert_eq!(refused(&none, front), None);
    let mut all = example();
    all.circuit.latches[3].next = Lit::FALSE;
    let front = front_of(&all, false);
    assert_eq!(prices(&all, &front), [vec![0, 0]].into());
    assert_eq!(refused(&all, front), None);
}

#[test]
fn random_fronts_are_those_of_enumeration_and_are_accepted() {
    let mut rng = Rng::new(23);
    let mut kinds = [0usize; 3];
    for _ in 0..150 {
        let count = 1 + rng.below(3);
        let (inputs, gates) = (rng.below(2) as u32, 2 + rng.below(8));
        let circuit = circuit_with(&mut rng, inputs, count + 2, gates);
        if circuit.safety().is_empty() {
            continue;
        }
        let weights: Vec<Vec<u64>> = (0..1 + rng.below(2))
            .map(|_| (0..count).map(|_| rng.below(4) as u64).collect())
            .collect();
        let weights: Vec<&[u64]> = weights.iter().map(Vec::as_slice).collect();
        let problem = parametric(circuit, count, &weights);
        if problem.validate().is_err() {
            continue;
        }
        let mut hear = |_| {};
        let found = with_ctx(u64::MAX, |ctx| search(&problem, false, ctx, &mut hear));
        // Resets that read inputs are beyond IC3, which says so.
        let Ok((front, _)) = found else { continue };
        assert_eq!(prices(&problem, &front), enumerated(&problem), "{problem:?}");
        kinds[match (&front.monotony, front.points.is_empty()) {
            (_, true) => 0,
            (Monotony::Unused, _) => 1,
            _ => 2,
        }] += 1;
        assert_eq!(refused(&problem, front), None, "{problem:?}");
    }
    assert!(kinds.iter().all(|count| *count > 3), "{kinds:?}");
}

#[test]
fn points_that_are_not_valid_or_not_needed_are_refused() {
    let problem = example();
    let front = front_of(&problem, false);
    let changed = |change: &dyn Fn(&mut Front)| {
        let mut front = front.clone();
        change(&mut front);
        refused(&problem, front).expect("it is refused")
    };
    let text = changed(&|front| {
        front.points.truncate(1);
        front.points[0].valuation = vec![false; 3];
    });
    assert!(text.starts_with("point 0"), "{text}");
    let text = changed(&|front| front.points[0].valuation = vec![true; 2]);
    assert_eq!(text, "point 0: 2 values for 3 parameters");
    let text = changed(&|front| front.points.push(front.points[0].clone()));
    assert!(text.contains("costs at most as much in all respects"), "{text}");
    let text = changed(&|front| drop(front.points.remove(0)));
    assert!(text.starts_with("coverage"), "{text}");
    let text = changed(&|front| front.points[0].certificate.property = 1);
    assert!(text.contains("not about safety property 0"), "{text}");
    let text = changed(&|front| front.points[0].certificate.obligations.clear());
    assert!(text.contains("proofs for 3 obligations"), "{text}");
    let text = changed(&|front| front.points.clear());
    assert!(text.starts_with("coverage"), "{text}");
}

#[test]
fn runs_and_coverage_that_do_not_fit_are_refused() {
    let problem = example();
    let front = front_of(&problem, false);
    let changed = |change: &dyn Fn(&mut Front)| {
        let mut front = front.clone();
        change(&mut front);
        refused(&problem, front).expect("it is refused")
    };
    let text = changed(&|front| drop(front.failed.pop()));
    assert!(text.starts_with("coverage"), "{text}");
    let text = changed(&|front| front.failed[0].start[0] = Bit::One);
    assert!(text.starts_with("run 0"), "{text}");
    let text = changed(&|front| front.failed[0].start[..3].fill(Bit::X));
    assert!(text.starts_with("run 0"), "{text}");
    let text = changed(&|front| front.failed[0].property = Property::Bad(1));
    assert_eq!(text, "run 0: it is about another property");
    let text = changed(&|front| front.coverage = Some(Lrat::default()));
    assert!(text.starts_with("coverage, end of the proof"), "{text}");
    let text = changed(&|front| front.monotony = Monotony::Unused);
    assert!(text.starts_with("coverage"), "runs alone exclude less: {text}");
    let Monotony::Proved(certificate) = &front.monotony else { panic!("it is proved") };
    let mut wrong = certificate.clone();
    wrong.obligations.swap(0, 1);
    let text = changed(&|front| front.monotony = Monotony::Proved(wrong.clone()));
    assert!(text.starts_with("monotony"), "{text}");
}

#[test]
fn what_is_asserted_or_left_open_is_refused_unless_it_was_asked_so() {
    let problem = example();
    let asserted = front_of(&problem, true);
    assert_eq!(asserted.monotony, Monotony::Asserted);
    let asks = |is_whole, is_monotone| AskedFront { is_whole, is_monotone };
    let refuses = |asked, front: &Front| {
        let refusal = accept(&problem, asked, verdict(front.clone())).err();
        refusal.map(|refusal| refusal.reason)
    };
    assert_eq!(refuses(asks(true, true), &asserted), None);
    let reason = refuses(asks(true, false), &asserted).expect("nobody asserts it");
    assert!(reason.contains("monotone"), "{reason}");
    let points = Front {
        failed: Vec::new(),
        coverage: None,
        monotony: Monotony::Unused,
        ..asserted.clone()
    };
    assert_eq!(refuses(asks(false, false), &points), None);
    let reason = refuses(asks(true, false), &points).expect("it is not the whole front");
    assert!(reason.contains("no other points"), "{reason}");
    let none = Front { points: Vec::new(), ..points };
    assert!(accept(&problem, asks(false, false), Verdict::Unsafe(none.clone())).is_err());
    assert!(accept(&problem, asks(false, false), Verdict::Safe(none)).is_err());
}

#[test]
fn another_question_than_that_of_the_evidence_is_refused() {
    let problem = example();
    let front = front_of(&problem, false);
    let mut dear = problem.clone();
    dear.costs[0].weights = vec![1, 1, 1];
    assert!(refused(&dear, front.clone()).is_some(), "another point is cheaper");
    let mut fewer = problem.clone();
    fewer.params.pop();
    fewer.costs.iter_mut().for_each(|cost| cost.weights.truncate(2));
    assert!(refused(&fewer, front.clone()).is_some());
    let mut wrong = problem;
    wrong.params = vec![0, 1, 3];
    let text = refused(&wrong, front).expect("bad is no parameter");
    assert!(text.contains("latch 3 does not start with anything"), "{text}");
}

#[test]
fn a_property_that_is_not_monotone_is_not_proved_to_be_so() {
    // Bad if exactly one of two parameters is raised: nothing and both are valid.
    let mut circuit = circuit(0, 2);
    let [one, other] = [0, 1].map(|index| circuit.latch(index));
    let both = and(&mut circuit, one, other);
    let none = and(&mut circuit, !one, !other);
    let bad = and(&mut circuit, !both, !none);
    circuit.bads = vec![bad];
    let problem = parametric(circuit, 2, &[&[1, 1]]);
    let front = front_of(&problem, false);
    assert_eq!(front.monotony, Monotony::Unused);
    assert_eq!(prices(&problem, &front), [vec![0]].into());
    assert_eq!(refused(&problem, front), None);
}

#[test]
fn a_run_has_the_resets_of_its_valuation_also_beside_the_property() {
    // The second parameter is the first value of a latch that nothing reads.
    let mut circuit = circuit(0, 4);
    let [u1, u2] = [0, 1].map(|index| circuit.latch(index));
    circuit.latches[2].next = !u1;
    circuit.latches[3].reset = !u2;
    circuit.bads = vec![circuit.latch(2)];
    let problem = parametric(circuit, 2, &[&[1, 0]]);
    for is_monotone in [false, true] {
        let front = front_of(&problem, is_monotone);
        assert_eq!(prices(&problem, &front), [vec![1]].into());
        assert_eq!(refused(&problem, front), None);
    }
}
