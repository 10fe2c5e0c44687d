//! Engines on random flows against brute force; `examples/random_flows.rs` does the same in bulk.

use alphorn_flow::engines::FLOW_ENGINES;
use alphorn_flow::prove::conclude;
use alphorn_flow::transform::{FLOW_TRANSFORMS, FlowTransform, simplify};
use alphorn_testkit::flow::judge::{judge, judge_padded};
use alphorn_testkit::flow::random::random_flow;
use alphorn_testkit::shrink::for_all;

#[test]
fn engines_are_right_about_small_flows_and_changed_evidence_is_refused() {
    for_all(0..40, random_flow, |small| {
        judge(small, FLOW_ENGINES, conclude, 5_000, 3);
    });
}

#[test]
fn what_is_found_of_simpler_flows_is_proved_of_the_flow_as_given() {
    let all: Vec<&'static FlowTransform> = FLOW_TRANSFORMS.iter().collect();
    for_all(0..40, random_flow, |small| {
        judge_padded(small, FLOW_ENGINES, |flow| simplify(flow, &all), conclude, 5_000);
    });
}
