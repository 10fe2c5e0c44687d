//! Flows: the way from what engines find to verdicts. What is asked about their runs is in `audit::flow`,
//! which is handed on.

use crate::config::Config;
use crate::prepare::{Prepared, entries};
use crate::registry::choose_transforms;
pub use alphorn_audit::flow::*;
use alphorn_cross::plan::{plan_flow, plan_temporal};
use alphorn_engine::{Ctx, Stop};
use alphorn_flow::engines::{FLOW_ENGINES, TEMPORAL_ENGINES};
use alphorn_flow::prove::{conclude, conclude_temporal};
use alphorn_flow::transform::{FLOW_TRANSFORMS, FlowTransform, simplify};
use alphorn_problem::temporal::Temporal;
use alphorn_problem::{Finding, Flow};
use std::sync::Arc;
use std::time::Instant;

/// A flow, ready for engines that ask whether every run ends.
pub(crate) fn prepare_flow(flow: &Arc<Flow>, config: &Config) -> Result<Prepared<Flow>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(FLOW_TRANSFORMS, &config.with, &config.without)?;
    let (small, back) = simplify(flow, &chosen);
    let entries = match config.engines.is_empty() {
        true => plan_flow(&small),
        false => entries(FLOW_ENGINES, &[], config)?,
    };
    let original = Arc::clone(flow);
    let conclude = move |finding: Finding<Flow>, ctx: &mut Ctx<'_>| -> Result<_, Stop> {
        if original.is_loose && matches!(finding, Finding::Fails(_)) {
            let reason = "a run was found that the program need not have";
            return Err(Stop::Unsupported(reason.to_owned()));
        }
        let finding = back.finding(finding, ctx)?;
        Ok(conclude(&original, finding, ctx)?.into())
    };
    let plain = Prepared::plain(Arc::new(small), Box::new(conclude), entries);
    Ok(Prepared { time: begun.elapsed(), ..plain })
}

/// A flow with a temporal formula, ready for engines.
pub(crate) fn prepare_temporal(
    problem: &Arc<Temporal>,
    config: &Config,
) -> Result<Prepared<Temporal>, String> {
    // A temporal formula may speak of whatever a transform would take away, so that there are none.
    choose_transforms::<FlowTransform>(&[], &config.with, &config.without)?;
    let entries = match config.engines.is_empty() {
        true => plan_temporal(),
        false => entries(TEMPORAL_ENGINES, &[], config)?,
    };
    let original = Arc::clone(problem);
    let conclude = move |finding: Finding<Temporal>, ctx: &mut Ctx<'_>| -> Result<_, Stop> {
        Ok(conclude_temporal(&original, finding, ctx)?.into())
    };
    Ok(Prepared::plain(Arc::clone(problem), Box::new(conclude), entries))
}
