//! Progress on a terminal: a line per engine, drawn in place and wiped at the end.
//!
//! Nothing is drawn when standard error is no terminal, so that logs hold no control characters.

use alphorn_driver::report::timeline::Timeline;
use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// How often the clock in front of the lines moves.
const PERIOD: Duration = Duration::from_millis(100);
/// How far an engine's line is from the left.
const INDENT: usize = 7;
/// More engines than this share the last line.
const MAX_LINES: usize = 12;

/// The lines.
pub struct Progress {
    lines: MultiProgress,
    /// The time since the beginning, and what is going on.
    clock: ProgressBar,
    bars: Vec<ProgressBar>,
}

impl Progress {
    /// Lines on standard error; none if that is no terminal.
    pub fn on_terminal() -> Option<Progress> {
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let lines = MultiProgress::new();
        let clock = lines.add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed:>4}  {wide_msg}") {
            clock.set_style(style);
        }
        clock.enable_steady_tick(PERIOD);
        Some(Progress { lines, clock, bars: Vec::new() })
    }

    /// Says what is going on.
    pub fn say(&self, text: &str) {
        self.clock.set_message(text.to_owned());
    }

    /// Shows what an engine said last.
    pub fn show(&mut self, timeline: &Timeline, position: usize) {
        while self.bars.len() <= position.min(MAX_LINES - 1) {
            let bar = self.lines.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("       {wide_msg}") {
                bar.set_style(style);
            }
            self.bars.push(bar);
        }
        let line = &timeline.engines[position];
        if let Some(bar) = self.bars.get(position).or(self.bars.last()) {
            let (_, width) = Term::stderr().size();
            bar.set_message(line.text(usize::from(width).saturating_sub(INDENT)));
        }
    }

    /// Wipes the lines.
    pub fn clear(&mut self) {
        self.bars.drain(..).for_each(|bar| bar.finish_and_clear());
        self.clock.finish_and_clear();
        let _ = self.lines.clear();
    }
}
