//! A run with threads as lanes: a column for each thread, and a row for each statement that changes something.

use super::lines::Lines;
use super::story::{Line, Story};
use alphorn_report::html::{LaneRow, Lanes};

/// The longest text of a statement in a lane.
const MAX_TEXT: usize = 48;

/// How many threads pass something.
pub fn count(story: &Story) -> usize {
    story.lines.iter().map(|line| line.thread as usize + 1).max().unwrap_or(0)
}

/// What stands before a row of a text: a mark in the lane of its thread.
pub fn mark(story: &Story, line: &Line) -> String {
    match count(story) {
        0 | 1 => String::new(),
        lanes => {
            (0..lanes as u32).map(|lane| if lane == line.thread { "●" } else { "│" }).collect()
        }
    }
}

/// The lanes of a run; none if it has one thread.
pub fn lanes(source: &[u8], story: &Story) -> Option<Lanes> {
    let threads = count(story);
    if threads < 2 {
        return None;
    }
    let lines = Lines::of(source);
    let begins = |thread: u32| story.lines.iter().find(|line| line.thread == thread);
    let name = |thread: u32| match begins(thread) {
        Some(line) => format!("{thread}: {}", line.function),
        None => thread.to_string(),
    };
    let last = story.lines.len().saturating_sub(1);
    let told = story.lines.iter().enumerate();
    let told = told.filter(|(index, line)| !line.values.is_empty() || *index == last);
    let row = |(_, line): (usize, &Line)| {
        let values = line.values.iter().map(|(name, value)| format!("{name} = {value}"));
        LaneRow {
            thread: line.thread,
            line: line.line,
            text: lines.text(line.line).trim().chars().take(MAX_TEXT).collect(),
            values: values.collect::<Vec<_>>().join(", "),
        }
    };
    Some(Lanes { threads: (0..threads as u32).map(name).collect(), rows: told.map(row).collect() })
}
