//! The clauses against trying all sets of flips.

use super::*;
use crate::circuit::{Circuit, Latch};
use crate::evidence::circuit::{Property, Trace};

/// Bad if an input and a latch are equal; the latch starts as the input is and takes another input.
fn violation() -> Violation {
    let [first, second, latch] = [1, 2, 3].map(|var| Lit::new(var, false));
    let circuit = Circuit {
        inputs: 2,
        latches: vec![Latch { next: second, reset: first }],
        ands: vec![And { left: first, right: latch }, And { left: !first, right: !latch }],
        bads: vec![Lit::new(4, false)],
        ..Circuit::default()
    };
    let inputs = vec![vec![Bit::Zero, Bit::One], vec![Bit::One, Bit::Zero]];
    let trace = Trace { property: Property::Bad(0), start: vec![Bit::Zero], inputs };
    let violation = Violation::of(circuit, trace);
    assert_eq!(violation.validate(), Ok(()));
    violation
}

/// Whether flips avoid the violation, by the definition.
fn avoids(violation: &Violation, flips: &BTreeSet<(usize, u32)>) -> bool {
    let mut latch = false;
    (0..2).all(|step| {
        let row = &violation.trace.inputs[step];
        let flipped = |var: u32, value: bool| value != flips.contains(&(step, var));
        let first = flipped(1, row[0] == Bit::One);
        let second = flipped(2, row[1] == Bit::One);
        let now = flipped(3, if step == 0 { first } else { latch });
        latch = second;
        !(first && now)
    })
}

/// Whether clauses have a model in which exactly these flips are made.
fn allows(run: &Flipped<'_>, cnf: &Cnf, flips: &BTreeSet<(usize, u32)>) -> bool {
    let all = run.words().values().flat_map(|word| &word.flips);
    let mut known: BTreeSet<i32> = all
        .map(|(flip, lit)| if flips.contains(&(flip.step, flip.var)) { *lit } else { -lit })
        .collect();
    let mut is_new = true;
    while is_new {
        is_new = false;
        for clause in cnf.clauses() {
            let open: Vec<i32> =
                clause.iter().copied().filter(|lit| !known.contains(&-lit)).collect();
            match open[..] {
                [] => return false,
                [only] => is_new |= known.insert(only),
                _ => {}
            }
        }
    }
    true
}

fn subsets(of: &[(usize, u32)]) -> Vec<BTreeSet<(usize, u32)>> {
    let chosen = |number: usize| {
        let flips = of.iter().enumerate().filter(move |(at, _)| number >> at & 1 == 1);
        flips.map(|(_, flip)| *flip).collect()
    };
    (0..1 << of.len()).map(chosen).collect()
}

#[test]
fn sets_that_avoid_the_violation_are_models_unless_they_are_known_or_too_large() {
    let all: Vec<(usize, u32)> =
        (0..2).flat_map(|step| (1..=3).map(move |var| (step, var))).collect();
    let mut violation = violation();
    // The inputs of a step are one word, or each is for itself.
    for words in [vec![0, 1, 2], vec![0, 0, 1]] {
        violation.words = words;
        let known = violation.places(&[Flip { step: 1, var: 1 }]);
        for most in [Some(0), Some(1), Some(2), None] {
            for sets in [vec![], vec![known.clone()]] {
                let run = Flipped::new(&violation).expect("it is small");
                let cnf = others(&violation, &sets, most).expect("it is small");
                for flips in subsets(&all) {
                    let own: Vec<Flip> =
                        flips.iter().map(|&(step, var)| Flip { step, var }).collect();
                    let places = violation.places(&own);
                    let wanted = avoids(&violation, &flips)
                        && most.is_none_or(|most| places.len() <= most)
                        && !sets.iter().any(|set| set.is_subset(&places));
                    // What does not matter may be flipped besides.
                    let is_model = allows(&run, &cnf, &flips);
                    assert!(is_model || !wanted, "{flips:?} {most:?} {sets:?}");
                    let matters = |place: &Place| run.words().contains_key(place);
                    if places.iter().all(matters) {
                        assert_eq!(is_model, wanted, "{flips:?} {most:?} {sets:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_may_not_be_flipped_has_no_variable() {
    let mut violation = violation();
    violation.latches = false;
    let run = Flipped::new(&violation).expect("it is small");
    let vars = run.words().values().flat_map(|word| word.flips.iter().map(|(flip, _)| flip.var));
    assert!(vars.clone().count() > 0 && vars.max() <= Some(2));
}
