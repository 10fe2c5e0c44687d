//! Which engines a problem gets: a table of shares per kind of problem.

mod circuit;
mod flow;
mod game;
mod horn;
mod words;

pub use circuit::{CIRCUIT_PLANS, plan_circuit};
pub use flow::{FLOW_PLANS, TEMPORAL_PLANS, plan_flow, plan_temporal};
pub use game::{GAME_PLANS, plan_game};
pub use horn::{HORN_PLANS, plan_heaps, plan_horn};
pub use words::{WORDS_PLANS, has_large_arrays, plan_words};

#[cfg(test)]
mod tests {
    use alphorn_engine::Plan;
    use alphorn_problem::Problem;
    use std::collections::BTreeSet;

    #[track_caller]
    fn each_engine_has_one_share<P: Problem>(plans: &[&Plan<P>]) {
        for plan in plans {
            let names: BTreeSet<&str> = plan.rows.iter().map(|entry| entry.card.name).collect();
            assert_eq!(names.len(), plan.rows.len(), "{}", plan.about);
            assert!(plan.rows.iter().all(|entry| entry.weight > 0), "{}", plan.about);
            let is_alone = !plan.about.ends_with("beside the others");
            assert!(!is_alone || plan.rows.iter().any(|entry| entry.late == 0), "{}", plan.about);
        }
    }

    #[test]
    fn a_plan_gives_each_of_its_engines_one_share() {
        each_engine_has_one_share(super::HORN_PLANS);
        each_engine_has_one_share(super::CIRCUIT_PLANS);
        each_engine_has_one_share(super::WORDS_PLANS);
        each_engine_has_one_share(super::FLOW_PLANS);
        each_engine_has_one_share(super::TEMPORAL_PLANS);
        each_engine_has_one_share(super::GAME_PLANS);
    }
}
