//! Random flows in bulk: `random_flows [FIRST_SEED [COUNT]]`. Each is given to all engines, one in four also
//! with things that transforms take away; every answer is checked and held against brute force, and so is changed
//! evidence. The first that fails is made small, and ends
//! the program with the flow as text.

use alphorn_flow::engines::FLOW_ENGINES;
use alphorn_flow::prove::conclude;
use alphorn_flow::transform::{FLOW_TRANSFORMS, FlowTransform, simplify};
use alphorn_problem::Flow;
use alphorn_testkit::flow::judge::{Tally, judge, judge_padded};
use alphorn_testkit::flow::random::random_flow;
use alphorn_testkit::shrink::for_all;

/// The budget of each engine: enough for most of these, and little enough for many of them.
const TICKS: u64 = 1_000;
/// How often each piece of evidence is changed.
const CHANGES: usize = 2;

fn main() {
    let all: Vec<&'static FlowTransform> = FLOW_TRANSFORMS.iter().collect();
    let (mut total, mut flows, mut decided) = (Tally::default(), 0u64, 0u64);
    for seed in alphorn_testkit::seeds("random_flows") {
        let mut tally = Tally::default();
        for_all(seed..seed + 1, random_flow, |small| {
            tally = judge(small, FLOW_ENGINES, conclude, TICKS, CHANGES);
            if seed.is_multiple_of(4) {
                let simplify = |flow: &Flow| simplify(flow, &all);
                tally += judge_padded(small, FLOW_ENGINES, simplify, conclude, TICKS);
            }
        });
        flows += 1;
        decided += u64::from(tally.ends + tally.runs > 0);
        total += tally;
        if flows.is_multiple_of(1000) {
            println!("{flows} flows, {decided} decided, {total:?}");
        }
    }
    println!("{flows} flows, {decided} decided, {total:?}");
}
