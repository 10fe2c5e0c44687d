//! What engines said in the course of a run, as numbers over time.
//!
//! One listener for two readers: the line per engine on a terminal shows the latest numbers, the
//! page of a run draws all of them. Engines may say a lot, so a series that gets long loses every
//! other point; its first and its last stay.

use crate::text::{frames, seconds};
use alphorn_engine::{Event, Note, UnwoundInstance};
use std::fmt::Write;

/// The most points of a series.
const MAX_POINTS: usize = 1000;

/// A row of the frame table is not worth its place in fewer characters.
const LEAST_ROOM: usize = 20;

/// A number over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Milliseconds since the run began, and the value from then on.
    pub points: Vec<(u64, u64)>,
}

impl Series {
    fn push(&mut self, at: u64, value: u64) {
        if self.last() == Some(value) {
            return;
        }
        if self.points.len() >= MAX_POINTS {
            let mut position = 0;
            self.points.retain(|_| {
                position += 1;
                position % 2 == 1
            });
        }
        self.points.push((at, value));
    }

    /// The latest value.
    pub fn last(&self) -> Option<u64> {
        self.points.last().map(|(_, value)| *value)
    }
}

/// What one engine said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineLine {
    /// Its name.
    pub engine: String,
    /// When it said something last, in milliseconds since the run began.
    pub at: u64,
    /// The depth without a counterexample.
    pub bound: Series,
    /// The lemmas it had.
    pub lemmas: Series,
    /// The states or facts it had seen.
    pub seen: Series,
    /// Random steps.
    pub steps: Series,
    /// The latest frames: the lemmas per level, and those that hold at all.
    pub frames: Option<(Vec<u32>, u32)>,
    /// The instances of its unwinding that it told of, and how many there were.
    pub unwinding: (Vec<UnwoundInstance>, u64),
}

impl EngineLine {
    /// The engine's latest numbers in a line; the frames take what `width` characters leave them.
    pub fn text(&self, width: usize) -> String {
        let mut out = format!("{:<12}", self.engine);
        let mut tell = |value: Option<u64>, before: &str, after: &str| {
            if let Some(value) = value {
                let _ = write!(out, "  {before}{value}{after}");
            }
        };
        tell(self.bound.last(), "depth ", "");
        tell(self.lemmas.last(), "", " lemmas");
        tell(self.seen.last(), "", " seen");
        tell(self.steps.last(), "", " random steps");
        let _ = write!(out, "  {}", seconds(self.at));
        if let Some((sizes, infinite)) = &self.frames {
            let room = width.saturating_sub(out.chars().count() + 2);
            if room >= LEAST_ROOM {
                let _ = write!(out, "  {}", frames(sizes, *infinite, room));
            }
        }
        out
    }
}

/// What all engines said, in the order in which they first spoke.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// One entry per engine.
    pub engines: Vec<EngineLine>,
}

impl Timeline {
    /// Takes note, and gives the position of the engine that spoke.
    pub fn hear(&mut self, note: &Note) -> usize {
        let position = self.engines.iter().position(|line| line.engine == note.engine);
        let position = position.unwrap_or_else(|| {
            let engine = note.engine.to_owned();
            self.engines.push(EngineLine { engine, ..EngineLine::default() });
            self.engines.len() - 1
        });
        let line = &mut self.engines[position];
        let at = u64::try_from(note.at.as_millis()).unwrap_or(u64::MAX);
        line.at = line.at.max(at);
        match &note.event {
            Event::Bound { depth } => line.bound.push(at, *depth),
            Event::Lemmas { count } => line.lemmas.push(at, *count),
            Event::Explored { seen, .. } => line.seen.push(at, *seen),
            Event::Simulated { steps } => line.steps.push(at, *steps),
            Event::Frames { sizes, infinite } => {
                let all = sizes.iter().chain([infinite]).map(|&size| u64::from(size)).sum();
                line.lemmas.push(at, all);
                line.frames = Some((sizes.clone(), *infinite));
            }
            Event::Unwinding { instances, count } => line.unwinding = (instances.clone(), *count),
            Event::Proved { .. } | Event::Candidate { .. } | Event::Remark(_) => {}
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn note(engine: &'static str, at: u64, event: Event) -> Note {
        Note { engine, at: Duration::from_millis(at), event }
    }

    #[test]
    fn each_engine_has_a_line_with_its_latest_numbers() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.hear(&note("pdr", 10, Event::Bound { depth: 1 })), 0);
        assert_eq!(timeline.hear(&note("bmc", 20, Event::Bound { depth: 7 })), 1);
        assert_eq!(timeline.hear(&note("pdr", 1250, Event::Lemmas { count: 12 })), 0);
        timeline.hear(&note("pdr", 1260, Event::Bound { depth: 2 }));
        assert_eq!(timeline.engines[0].text(80), "pdr           depth 2  12 lemmas  1.26 s");
        assert_eq!(timeline.engines[1].text(80), "bmc           depth 7  0.02 s");
        assert_eq!(timeline.engines[0].bound.points, [(10, 1), (1260, 2)]);
    }

    #[test]
    fn frames_fit_the_line() {
        let mut timeline = Timeline::default();
        let sizes: Vec<u32> = (0..60).map(|level| 100 + level).collect();
        timeline.hear(&note("ic3", 10, Event::Frames { sizes, infinite: 7 }));
        for width in [40, 60, 80, 100] {
            let text = timeline.engines[0].text(width);
            assert!(text.chars().count() <= width, "{width}: {text}");
        }
        let text = timeline.engines[0].text(80);
        assert!(text.contains("60 : ...") && text.ends_with(" 158 159  ∞ 7"), "{text}");
        assert_eq!(timeline.engines[0].lemmas.last(), Some(60 * 100 + 59 * 30 + 7));
    }

    #[test]
    fn long_series_are_thinned() {
        let mut timeline = Timeline::default();
        for at in 0..100_000 {
            timeline.hear(&note("pdr", at, Event::Lemmas { count: at }));
        }
        let points = &timeline.engines[0].lemmas.points;
        assert!(points.len() <= MAX_POINTS);
        assert_eq!((points[0], points[points.len() - 1]), ((0, 0), (99_999, 99_999)));
        assert!(points.is_sorted());
    }
}
