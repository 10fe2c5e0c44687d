//! Games: the way from what engines find to verdicts.

use crate::config::Config;
use crate::prepare::{Prepared, entries};
use crate::registry::choose_transforms;
use alphorn_cross::plan::plan_game;
use alphorn_engine::{Ctx, Stop};
use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_hw::transform::CircuitTransform;
use alphorn_problem::{Finding, Game};
use std::sync::Arc;

/// A game, ready for engines.
pub(crate) fn prepare_game(game: &Arc<Game>, config: &Config) -> Result<Prepared<Game>, String> {
    // Transforms of circuits know nothing of two sides, so that there are none.
    choose_transforms::<CircuitTransform>(&[], &config.with, &config.without)?;
    let entries = match config.engines.is_empty() && config.bound.is_none() {
        true => plan_game(),
        false => entries(GAME_ENGINES, &[], config)?,
    };
    let original = Arc::clone(game);
    let conclude = move |finding: Finding<Game>, ctx: &mut Ctx<'_>| -> Result<_, Stop> {
        Ok(settle_game(&original, finding, ctx)?.into())
    };
    Ok(Prepared::plain(Arc::clone(game), Box::new(conclude), entries))
}
