//! A file as it is written.

use super::{GRAMMAR, LEXIS};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Cursor, Fallible, Kind, Tree, parse as expression};
use alphorn_problem::Span;

/// A step of a transition.
#[derive(Debug)]
pub(super) enum Command {
    /// `x := e`, the name by its place.
    Assign(Span, Tree),
    /// `assume(e)`, with the place of the word.
    Assume(Tree),
}

/// A transition.
#[derive(Debug)]
pub(super) struct Transition<'t> {
    pub from: &'t str,
    pub to: &'t str,
    pub commands: Vec<(Command, Span)>,
    pub span: Span,
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct File<'t> {
    pub start: Option<(&'t str, Span)>,
    pub cutpoint: Option<(&'t str, Span)>,
    pub shadows: Vec<(Span, Span)>,
    pub transitions: Vec<Transition<'t>>,
}

/// Parses a file; what is wrong is reported, and the rest is read on.
pub(super) fn parse<'t>(bytes: &'t [u8], diagnostics: &mut Diagnostics) -> File<'t> {
    let mut cursor = Cursor::new(bytes, 0, &LEXIS, Code::T2Syntax);
    let mut file = File::default();
    while !cursor.is_at_end() && !diagnostics.is_full() {
        if let Err(diagnostic) = item(&mut cursor, &mut file) {
            diagnostics.push(*diagnostic);
            if !cursor.is_at_end() {
                cursor.recover(&[], &["FROM", "START", "CUTPOINT", "SHADOW"]);
            }
        }
    }
    if file.start.is_none() && diagnostics.is_clean() {
        let diagnostic = Diagnostic::error(Code::T2Syntax, Span::NONE, "the file has no START");
        diagnostics.push(diagnostic.hint("add: START: l;"));
    }
    file
}

fn item<'t>(cursor: &mut Cursor<'t>, file: &mut File<'t>) -> Fallible<()> {
    let word = cursor.peek().span;
    if cursor.eat("START").is_some() {
        once(&file.start, word)?;
        file.start = Some(place(cursor)?);
    } else if cursor.eat("CUTPOINT").is_some() {
        once(&file.cutpoint, word)?;
        file.cutpoint = Some(place(cursor)?);
    } else if cursor.eat("SHADOW").is_some() {
        cursor.expect("(")?;
        let (_, of) = cursor.name("a variable")?;
        cursor.expect(",")?;
        let (_, shadow) = cursor.name("a variable")?;
        cursor.expect(")")?;
        cursor.expect(";")?;
        file.shadows.push((of, shadow));
    } else if cursor.eat("FROM").is_some() {
        let (from, _) = place(cursor)?;
        let mut commands = Vec::new();
        while !cursor.is("TO") {
            commands.push(command(cursor)?);
        }
        cursor.take();
        let (to, _) = place(cursor)?;
        let span = cursor.span_from(word);
        file.transitions.push(Transition { from, to, commands, span });
    } else {
        return Err(cursor.unexpected("FROM, START, CUTPOINT or SHADOW"));
    }
    Ok(())
}

fn once(before: &Option<(&str, Span)>, word: Span) -> Fallible<()> {
    match before {
        None => Ok(()),
        Some(_) => {
            let message = "this was said before";
            Err(Box::new(Diagnostic::error(Code::T2Syntax, word, message)))
        }
    }
}

/// Takes `: location ;`.
fn place<'t>(cursor: &mut Cursor<'t>) -> Fallible<(&'t str, Span)> {
    cursor.expect(":")?;
    let start = cursor.peek().span;
    cursor.eat("-");
    if !matches!(cursor.peek().kind, Kind::Name | Kind::Number) {
        return Err(cursor.unexpected("a location"));
    }
    cursor.take();
    let span = cursor.span_from(start);
    cursor.expect(";")?;
    Ok((cursor.text(span), span))
}

/// Takes a command; what `AT(…)` says about another file has no effect.
fn command(cursor: &mut Cursor<'_>) -> Fallible<(Command, Span)> {
    if cursor.is("AT") && cursor.peek_second().kind == Kind::Symbol("(") {
        cursor.take();
        while !cursor.is(")") {
            if cursor.is_at_end() || cursor.is(";") {
                return Err(cursor.unexpected("`)`"));
            }
            cursor.take();
        }
        cursor.take();
    }
    let start = cursor.peek().span;
    let command = if cursor.is("assume") && cursor.peek_second().kind == Kind::Symbol("(") {
        cursor.take();
        cursor.take();
        let tree = expression(cursor, &GRAMMAR)?;
        cursor.expect(")")?;
        Command::Assume(tree)
    } else {
        if cursor.is("FROM") {
            return Err(cursor.unexpected("a command, or TO"));
        }
        let (_, name) = cursor.name("a command, or TO")?;
        cursor.expect(":=")?;
        Command::Assign(name, expression(cursor, &GRAMMAR)?)
    };
    let span = cursor.span_from(start);
    cursor.expect(";")?;
    Ok((command, span))
}
