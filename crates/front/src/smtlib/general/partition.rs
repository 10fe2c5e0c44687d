//! What interpolants are to separate: a sequence of parts, or a tree of them.
//!
//! The parts of a tree come in post-order, and what stands between parentheses is a subtree
//! beside the one before it. So `a b c` is a chain with the root `c`; in `a (b) c` both `a` and
//! `b` are below `c`; in `a b (c d) e` the root `e` has the chains `a b` and `c d` below it. A part
//! is a name, or several as `(and n m)`.
//!
//! After Christ, Hoenicke, "Interpolation in SMTLIB 2.0" (2012), and the trees of SMTInterpol.

use crate::diag::{Code, Diagnostic};
use crate::smtlib::context::Context;
use crate::smtlib::{Cursor, Fallible, Kind};
use alphorn_problem::Span;

/// Parts in post-order, the root last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The names of the assertions of each part.
    pub parts: Vec<Vec<String>>,
    /// The part above each part; nothing for the root.
    pub parents: Vec<Option<usize>>,
}

impl Partition {
    /// The position of the first part in the subtree of each part.
    pub fn subtree_starts(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = (0..self.parts.len()).collect();
        for (part, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = *parent {
                starts[parent] = starts[parent].min(starts[part]);
            }
        }
        starts
    }
}

fn wrong<T>(span: Span, message: &str) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)))
}

/// Reads a partition up to the closing parenthesis of the command, which it leaves.
pub(super) fn read(context: &Context, cursor: &mut Cursor<'_>) -> Fallible<Partition> {
    let mut parts: Vec<Vec<String>> = Vec::new();
    // Where the subtree of each part starts, and where the groups that are open do.
    let mut starts: Vec<usize> = Vec::new();
    let mut groups: Vec<(usize, u32)> = Vec::new();
    let mut ends_with_part = false;
    let begin = cursor.peek().start;
    loop {
        let token = cursor.peek();
        match token.kind {
            Kind::Open => {
                cursor.take();
                if cursor.is_word("and") {
                    cursor.take();
                    parts.push(conjunction(context, cursor)?);
                    starts.push(groups.last().map_or(0, |group| group.0));
                    ends_with_part = true;
                } else {
                    groups.push((parts.len(), token.start));
                    ends_with_part = false;
                }
            }
            Kind::Close => {
                if !ends_with_part {
                    let start = groups.last().map_or(begin, |group| group.1);
                    let span = Span { start, end: token.end };
                    return wrong(span, "a tree of parts ends with its root, a part");
                }
                if groups.pop().is_none() {
                    break;
                }
                cursor.take();
                ends_with_part = false;
            }
            _ => {
                parts.push(vec![name(context, cursor)?]);
                starts.push(groups.last().map_or(0, |group| group.0));
                ends_with_part = true;
            }
        }
    }
    if parts.len() < 2 {
        return wrong(cursor.span_from(begin), "interpolants separate at least two parts");
    }
    Ok(Partition { parents: parents(&starts), parts })
}

fn parents(starts: &[usize]) -> Vec<Option<usize>> {
    let mut parents = vec![None; starts.len()];
    for (part, &start) in starts.iter().enumerate() {
        // The subtrees of the children lie side by side, up to the part itself.
        let mut end = part;
        while end > start {
            let child = end - 1;
            parents[child] = Some(part);
            end = starts[child];
        }
    }
    parents
}

fn conjunction(context: &Context, cursor: &mut Cursor<'_>) -> Fallible<Vec<String>> {
    let mut names = Vec::new();
    while cursor.peek().kind != Kind::Close || names.is_empty() {
        names.push(name(context, cursor)?);
    }
    cursor.take();
    Ok(names)
}

fn name(context: &Context, cursor: &mut Cursor<'_>) -> Fallible<String> {
    let token = cursor.symbol("the name of an assertion")?;
    let text = cursor.text_of(token);
    if !context.is_declared(text) {
        return Err(context.undeclared(cursor, token));
    }
    Ok(text.to_owned())
}
