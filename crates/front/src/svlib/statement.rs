//! Statements, read straight into blocks.
//!
//! What is open (a sequence, a loop, a choice …) waits on a stack, so that depth is bounded by memory alone.

mod simple;

use super::commands::Reader;
use super::place::Place;
use crate::blocks::Builder;
use crate::smtlib::{Fallible, Kind};
use alphorn_program::form::{BlockId, Jump};

/// A statement that is open.
#[derive(Debug)]
enum Open {
    Sequence,
    /// `(if c s s)`: where the other branch begins, where both meet, and how many were read.
    If {
        otherwise: BlockId,
        end: BlockId,
        read: usize,
    },
    While {
        head: BlockId,
        exit: BlockId,
        has_body: bool,
    },
    Choice {
        from: BlockId,
        end: BlockId,
        ways: Vec<BlockId>,
    },
    /// `(! s …)`: where `s` begins, the end of the procedure if `s` is its body, and whether `s` was read.
    Annotated {
        place: Place,
        start: BlockId,
        outer: Option<BlockId>,
        is_read: bool,
    },
}

impl Reader<'_> {
    /// Reads the body of procedure `proc`.
    pub(super) fn body(&mut self, proc: usize, builder: &mut Builder) -> Fallible<()> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let is_close = self.cursor.peek().kind == Kind::Close;
            match open.last_mut() {
                Some(Open::Annotated { is_read: true, .. }) => {
                    if let Some(Open::Annotated { place, outer, .. }) = open.pop() {
                        self.end_annotated(place, outer, builder)?;
                    }
                }
                Some(_) if is_close => {
                    if let Some(last) = open.pop() {
                        self.end(last, builder)?;
                    }
                }
                Some(last) => {
                    self.next_part(last, builder)?;
                    self.statement(proc, &mut open, builder)?;
                    continue;
                }
                None => {
                    self.statement(proc, &mut open, builder)?;
                    if open.is_empty() {
                        break;
                    }
                    continue;
                }
            }
            if open.is_empty() {
                break;
            }
            if let Some(Open::Annotated { is_read, .. }) = open.last_mut() {
                *is_read = true;
            }
        }
        let exit = builder.exit;
        builder.jump(Jump::Goto(exit), exit);
        Ok(())
    }

    /// Makes room for another statement within an open one.
    fn next_part(&mut self, open: &mut Open, builder: &mut Builder) -> Fallible<()> {
        let span = self.cursor.peek().span();
        match open {
            Open::If { otherwise, end, read } => {
                if *read == 2 {
                    return Err(self.cursor.unexpected("the end of the if"));
                }
                if *read == 1 {
                    builder.jump(Jump::Goto(*end), *otherwise);
                }
                *read += 1;
            }
            Open::While { has_body, .. } => {
                if *has_body {
                    return Err(self.cursor.unexpected("the end of the loop"));
                }
                *has_body = true;
            }
            Open::Choice { end, ways, .. } => {
                let way = builder.block(span);
                if ways.is_empty() {
                    builder.here = way;
                } else {
                    builder.jump(Jump::Goto(*end), way);
                }
                ways.push(way);
            }
            Open::Sequence | Open::Annotated { .. } => {}
        }
        Ok(())
    }

    /// Ends what is open at its closing parenthesis.
    fn end(&mut self, open: Open, builder: &mut Builder) -> Fallible<()> {
        match open {
            Open::If { read: 0, .. } | Open::While { has_body: false, .. } => {
                return Err(self.cursor.unexpected("a statement"));
            }
            Open::If { otherwise, end, read } => {
                builder.jump(Jump::Goto(end), end);
                if read == 1 {
                    builder.get(otherwise).jump = Jump::Goto(end);
                }
            }
            Open::While { head, exit, .. } => builder.jump(Jump::Goto(head), exit),
            Open::Choice { from, end, ways } => {
                if ways.is_empty() {
                    return Err(self.cursor.unexpected("a statement"));
                }
                builder.jump(Jump::Goto(end), end);
                builder.get(from).jump = Jump::Choose(ways);
            }
            Open::Annotated { .. } => return Err(self.cursor.unexpected("a statement")),
            Open::Sequence => {}
        }
        self.cursor.close("a closing parenthesis")?;
        Ok(())
    }

    /// Reads a statement, or the beginning of one that has statements in it.
    fn statement(
        &mut self,
        proc: usize,
        open: &mut Vec<Open>,
        builder: &mut Builder,
    ) -> Fallible<()> {
        self.cursor.open("a statement")?;
        let is_bang = self.cursor.is_word("!");
        let token = if is_bang { self.cursor.take() } else { self.cursor.symbol("a statement")? };
        let (word, span) = (self.cursor.text_of(token), token.span());
        match word {
            "!" => {
                let before = builder.fall(span);
                let start = builder.fall(span);
                let after = builder.block(span);
                // What returns from the body leaves this statement.
                let is_body = open.iter().all(|open| matches!(open, Open::Annotated { .. }));
                let outer = is_body.then_some(builder.exit);
                if is_body {
                    builder.get(after).jump = Jump::Goto(builder.exit);
                    builder.exit = after;
                }
                let place = Place { proc, before, after, head: None, span };
                open.push(Open::Annotated { place, start, outer, is_read: false });
                return Ok(());
            }
            "sequence" => {
                open.push(Open::Sequence);
                return Ok(());
            }
            "if" => {
                let condition = self.formula()?;
                let (then, otherwise) = builder.branch(condition, span);
                let end = builder.block(span);
                builder.here = then;
                open.push(Open::If { otherwise, end, read: 0 });
                return Ok(());
            }
            "while" => {
                let head = builder.fall(span);
                builder.get(head).label = Some("loop".to_owned());
                if let Some(Open::Annotated { place, .. }) = open.last_mut() {
                    place.head = Some(head);
                }
                let condition = self.formula()?;
                let (body, exit) = builder.branch(condition, span);
                builder.here = body;
                open.push(Open::While { head, exit, has_body: false });
                return Ok(());
            }
            "choice" => {
                let end = builder.block(span);
                open.push(Open::Choice { from: builder.here, end, ways: Vec::new() });
                return Ok(());
            }
            _ => self.simple(word, span, open, builder)?,
        }
        self.cursor.close("a closing parenthesis at the end of the statement")?;
        if let Some(Open::Annotated { is_read, .. }) = open.last_mut() {
            *is_read = true;
        }
        Ok(())
    }
}
