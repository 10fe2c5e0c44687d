//! The frames of a run as bars: how many lemmas are at each level.

use super::{escape, palette};
use crate::timeline::EngineLine;
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 30.0;
const TOP: f64 = 14.0;

/// The frames of the engine at a position, if it has any.
pub(super) fn frames(position: usize, line: &EngineLine) -> Option<String> {
    let (sizes, infinite) = line.frames.as_ref()?;
    let bars: Vec<u32> = sizes.iter().copied().chain([*infinite]).collect();
    let most = bars.iter().copied().max().filter(|most| *most > 0)?;
    let wide = (WIDTH - LEFT - 8.0) / bars.len() as f64;
    let label = escape(&format!("lemmas per level of {}", line.engine));
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">");
    let floor = HEIGHT - BOTTOM;
    for (level, size) in bars.iter().enumerate() {
        let tall = (floor - TOP) * f64::from(*size) / f64::from(most);
        let x = LEFT + wide * level as f64;
        let name = if level == sizes.len() { "∞".to_owned() } else { (level + 1).to_string() };
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" class=\"fill {}\" height=\"{tall:.1}\">\
             <title>level {name}: {size}</title></rect>",
            x + 0.1 * wide,
            floor - tall,
            0.8 * wide,
            palette::class(position)
        );
        // A label where there is room for it.
        let every = (28.0 / wide).ceil().max(1.0) as usize;
        if level % every == 0 || level == sizes.len() {
            let _ = write!(
                out,
                "<text class=\"soft\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                x + wide / 2.0,
                HEIGHT - 12.0
            );
        }
    }
    let _ = write!(
        out,
        "<text class=\"soft\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{most}</text>\
         <text class=\"soft\" x=\"{}\" y=\"{floor}\" text-anchor=\"end\">0</text>\
         <line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{floor}\" y2=\"{floor}\"/></svg>",
        LEFT - 6.0,
        TOP + 4.0,
        LEFT - 6.0,
        WIDTH - 8.0
    );
    Some(out)
}
