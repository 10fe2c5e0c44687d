//! The text of the commands in force: replies show terms as the script has them.
//!
//! A script in a file is kept as it is. Of a dialogue, which may go on for days, only the text that
//! a place may still point to is kept: the assertions in force, and the command at hand.
//!
//! Invariant: what `pop` cuts off belongs to assertions that are no longer in force.

use alphorn_front::smtlib::general::{Command, Written, text_at};
use alphorn_problem::Span;
use std::sync::Arc;

/// The text that places point into.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    /// The whole script.
    Whole(Arc<[u8]>),
    /// What was kept of the commands.
    Kept(Kept),
}

/// The text of assertions, then that of the last assumptions, then that of the last command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    text: Vec<u8>,
    /// Where the assertions end.
    asserted: usize,
    /// Where the assumptions end.
    assumed: usize,
}

impl Text {
    /// Keeps the text of the terms of a command, and lets their places point to it.
    pub(crate) fn keep(&mut self, command: &mut Command, text: &[u8]) {
        let Text::Kept(kept) = self else { return };
        match command {
            Command::Assert { .. } | Command::Define { .. } => {
                let formulas = match command {
                    Command::Define { axioms, .. } => axioms.as_mut_slice(),
                    Command::Assert { formula, .. } => std::slice::from_mut(formula),
                    _ => return,
                };
                kept.text.truncate(kept.asserted);
                move_to(&mut kept.text, formulas, text);
                kept.asserted = kept.text.len();
                kept.assumed = kept.text.len();
            }
            Command::CheckSatAssuming(terms) => {
                kept.text.truncate(kept.asserted);
                move_to(&mut kept.text, terms, text);
                kept.assumed = kept.text.len();
            }
            Command::GetValue(terms) => {
                kept.text.truncate(kept.assumed);
                move_to(&mut kept.text, terms, text);
            }
            _ => {}
        }
    }

    /// How much is kept of the assertions.
    pub(crate) fn mark(&self) -> usize {
        match self {
            Text::Whole(_) => 0,
            Text::Kept(kept) => kept.asserted,
        }
    }

    /// Forgets what came after the mark.
    pub(crate) fn cut(&mut self, mark: usize) {
        if let Text::Kept(kept) = self {
            kept.text.truncate(mark);
            (kept.asserted, kept.assumed) = (mark, mark);
        }
    }

    /// The text at a place, on one line.
    pub(crate) fn at(&self, span: Span) -> String {
        match self {
            Text::Whole(text) => text_at(text, span),
            Text::Kept(kept) => text_at(&kept.text, span),
        }
    }
}

fn move_to(kept: &mut Vec<u8>, terms: &mut [Written], text: &[u8]) {
    for written in terms {
        let (start, end) = (written.span.start as usize, written.span.end as usize);
        // More than 4 GiB of assertions do not fit the store either.
        let place = u32::try_from(kept.len()).unwrap_or(u32::MAX);
        kept.extend_from_slice(&text[start..end]);
        kept.push(b'\n');
        let end = place.saturating_add(written.span.end - written.span.start);
        written.span = Span { start: place, end };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::TermId;

    fn assert(text: &str) -> Command {
        let span = Span { start: 0, end: text.len() as u32 };
        let formula = Written { term: TermId::TRUE, span };
        Command::Assert { formula, name: None, named: Vec::new() }
    }

    #[test]
    fn what_is_kept_does_not_grow_with_what_was_popped_and_asked() {
        let mut text = Text::Kept(Kept::default());
        let mut first = assert("(p x)");
        text.keep(&mut first, b"(p x)");
        let mark = text.mark();
        for _ in 0..10 {
            let mut other = assert("(q y)");
            text.keep(&mut other, b"(q y)");
            let Command::Assert { formula, .. } = &other else { panic!("an assertion") };
            assert_eq!(text.at(formula.span), "(q y)");
            let term = Written { term: TermId::TRUE, span: Span { start: 0, end: 1 } };
            let mut assuming = Command::CheckSatAssuming(vec![term; 2]);
            text.keep(&mut assuming, b"a");
            let mut asking = Command::GetValue(vec![term]);
            text.keep(&mut asking, b"b");
            let mut asking = Command::GetValue(vec![term]);
            text.keep(&mut asking, b"b");
            let (Command::CheckSatAssuming(terms), Command::GetValue(values)) = (assuming, asking)
            else {
                panic!("as they were made")
            };
            assert_eq!((text.at(terms[1].span), text.at(values[0].span)), ("a".into(), "b".into()));
            assert!(matches!(&text, Text::Kept(kept) if kept.text.len() == 18), "{text:?}");
            text.cut(mark);
        }
        let Command::Assert { formula, .. } = &first else { panic!("an assertion") };
        assert_eq!(text.at(formula.span), "(p x)");
        assert!(matches!(&text, Text::Kept(kept) if kept.text.len() == 6), "{text:?}");
    }
}
