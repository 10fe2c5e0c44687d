//! Engines on random flows against brute force; `examples/random_flows.rs` does the same in bulk.

use alphorn_flow::engines::FLOW_ENGINES;
use alphorn_flow::prove::conclude;
use alphorn_testkit::flow::judge::judge;
use alphorn_testkit::flow::random::random_flow;
use alphorn_testkit::shrink::for_all;

#[test]
fn engines_are_right_about_small_flows_and_changed_evidence_is_refused() {
    for_all(0..40, random_flow, |small| {
        judge(small, FLOW_ENGINES, conclude, 5_000, 3);
    });
}
