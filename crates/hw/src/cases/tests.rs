//! Bits that are counted, in proofs that take steps apart.

use super::define::{FALSE, TRUE};
use super::{Known, Proof};
use alphorn_check::lrat;
use alphorn_engine::{Ctx, Stopper};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_problem::evidence::circuit::{Invariant, Lrat, LratStep};
use alphorn_problem::obligation::circuit::{Obligation, Obligations};

/// Bits that are set for good, and the inputs that say which one is next.
const BITS: usize = 6;
const SELECT: usize = 3;

struct Graph(Circuit);

impl Graph {
    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        if left == Lit::FALSE || right == Lit::FALSE {
            return Lit::FALSE;
        }
        self.0.ands.push(And { left: left.max(right), right: left.min(right) });
        self.0.gate(self.0.ands.len() - 1)
    }

    fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    /// Whether as many as `most` of the bits are set, or fewer.
    fn at_most(&mut self, bits: &[Lit], most: usize) -> Lit {
        let Some((bit, rest)) = bits.split_first() else { return Lit::TRUE };
        let without = self.at_most(rest, most);
        let with = if most == 0 { Lit::FALSE } else { self.at_most(rest, most - 1) };
        let (one, zero) = (self.and(*bit, with), self.and(!*bit, without));
        self.or(one, zero)
    }
}

/// Each step sets one of the bits, or also the one after it if it sets `two`; steps are counted up to three.
fn circuit(two: bool) -> Circuit {
    let latch = Latch { next: Lit::FALSE, reset: Lit::FALSE };
    let latches = vec![latch; BITS + 2];
    let mut graph = Graph(Circuit { inputs: SELECT as u32, latches, ..Circuit::default() });
    let mut selected = Vec::new();
    for bit in 0..BITS {
        let inputs = (0..SELECT).map(|at| graph.0.input(at).xor(bit >> at & 1 == 0));
        let inputs: Vec<Lit> = inputs.collect();
        selected.push(inputs[1..].iter().fold(inputs[0], |all, input| graph.and(all, *input)));
    }
    for bit in 0..BITS {
        let sofar = graph.0.latch(bit);
        let mut next = graph.or(sofar, selected[bit]);
        if two && bit > 0 {
            next = graph.or(next, selected[bit - 1]);
        }
        graph.0.latches[bit].next = next;
    }
    let (low, high) = (graph.0.latch(BITS), graph.0.latch(BITS + 1));
    let end = graph.and(low, high);
    graph.0.latches[BITS].next = graph.or(!low, end);
    graph.0.latches[BITS + 1].next = graph.or(low, high);
    // Bad is what the invariant excludes in the first state.
    let bad = graph.and(!low, !high);
    let first = graph.0.latch(0);
    let bad = graph.and(bad, first);
    graph.0.bads.push(bad);
    graph.0.validate().expect("a circuit");
    graph.0
}

/// That no more bits are set than steps have passed, until three have.
fn invariant() -> Invariant {
    let mut graph = Graph(Circuit { inputs: BITS as u32 + 2, ..Circuit::default() });
    let bits: Vec<Lit> = (0..BITS).map(|bit| graph.0.input(bit)).collect();
    let (low, high) = (graph.0.input(BITS), graph.0.input(BITS + 1));
    let mut holds = Lit::FALSE;
    for step in 0..4 {
        let now = graph.and(low.xor(step & 1 == 0), high.xor(step & 2 == 0));
        let few = if step == 3 { Lit::TRUE } else { graph.at_most(&bits, step) };
        let case = graph.and(now, few);
        holds = graph.or(holds, case);
    }
    graph.0.outputs.push(holds);
    Invariant::Aig(Box::new(graph.0))
}

fn step_of(circuit: &Circuit, invariant: &Invariant) -> (Obligation, Vec<u32>, Vec<u32>) {
    let obligations = Obligations::new(circuit, 0, invariant).expect("an invariant");
    let latches = 0..circuit.latches.len();
    let later = latches.filter_map(|latch| obligations.variable(latch, 1)).collect();
    let cases = [BITS, BITS + 1].map(|latch| obligations.variable(latch, 0).expect("in the cone"));
    (obligations.build(1).expect("not too large"), cases.to_vec(), later)
}

/// The proof of each case with its step taken apart, and whether that was enough.
fn by_parts(obligation: &Obligation, cases: &[u32], later: &[u32]) -> Vec<bool> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let mut proof = Proof::new(&obligation.cnf, later);
    let mut shown = Vec::new();
    for value in 0..4 {
        let case = [0, 1].map(|at| if value >> at & 1 == 1 { 1 } else { -1 } * cases[at] as i32);
        let mut constants = proof.constants(&case);
        let known = proof.by_parts(&mut constants, &mut ctx).expect("no limit");
        shown.push(matches!(known, Known::Refuted(_)));
    }
    shown
}

#[test]
fn counting_is_shown_with_the_step_taken_apart() {
    let (circuit, invariant) = (circuit(false), invariant());
    let (obligation, cases, later) = step_of(&circuit, &invariant);
    // After two steps everything holds, and there is nothing to take apart.
    assert_eq!(by_parts(&obligation, &cases, &later)[..2], [true, true]);
}

#[test]
fn what_a_step_does_not_keep_is_not_shown() {
    let (circuit, invariant) = (circuit(true), invariant());
    let (obligation, cases, later) = step_of(&circuit, &invariant);
    assert_eq!(by_parts(&obligation, &cases, &later)[..2], [false, false]);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let mut proof = Proof { ticks: 0, ..Proof::new(&obligation.cnf, &later) };
    assert!(!proof.all(&cases, &mut ctx).expect("no limit"));
}

#[test]
fn proofs_with_definitions_are_accepted_and_mutated_ones_refused() {
    let (circuit, invariant) = (circuit(false), invariant());
    let (obligation, cases, later) = step_of(&circuit, &invariant);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let mut proof = Proof { ticks: 0, ..Proof::new(&obligation.cnf, &later) };
    assert!(proof.all(&cases, &mut ctx).expect("no limit"));
    let steps = proof.steps;
    lrat::refute(obligation.cnf.clauses(), &Lrat { steps: steps.clone() }).expect("a proof");
    let largest = obligation.cnf.variables() as i32;
    let is_definition = |step: &LratStep| match step {
        LratStep::Add { clause, .. } => clause.first().is_some_and(|lit| lit.abs() > largest),
        LratStep::Delete(_) => false,
    };
    let definitions: Vec<usize> =
        (0..steps.len()).filter(|at| is_definition(&steps[*at])).collect();
    assert!(definitions.len() > 20, "{} definitions", definitions.len());
    // A definition that says something else contradicts the others of its variable, or what was made with it fails.
    let mut refused = 0;
    for at in &definitions {
        let mut steps = steps.clone();
        let LratStep::Add { clause, .. } = &mut steps[*at] else { continue };
        let Some(last) = clause.last_mut() else { continue };
        *last = -*last;
        refused += usize::from(lrat::refute(obligation.cnf.clauses(), &Lrat { steps }).is_err());
    }
    assert_eq!(refused, definitions.len());
}

#[test]
fn a_choice_by_what_it_chooses_is_no_definition_by_itself() {
    let (circuit, invariant) = (circuit(false), invariant());
    let (obligation, _, later) = step_of(&circuit, &invariant);
    let mut proof = Proof::new(&obligation.cnf, &later);
    let other = proof.choice(2, 3, 4);
    assert_eq!(proof.choice(other, other, -other), -FALSE);
    assert_eq!(proof.choice(other, -other, other), FALSE);
    assert_eq!(proof.choice(other, other, FALSE), other);
    assert_eq!(proof.choice(-other, 5, other), proof.choice(other, TRUE, 5));
    let is_proper = |step: &LratStep| match step {
        LratStep::Add { clause, .. } => clause.iter().all(|lit| !clause.contains(&-lit)),
        LratStep::Delete(_) => false,
    };
    assert!(proof.steps.iter().all(is_proper));
}
