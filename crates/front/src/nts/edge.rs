//! What stands on an edge, as it is written.

use super::GRAMMAR;
use crate::infix::{Cursor, Fallible, Kind, Tree, parse};
use alphorn_problem::Span;

/// What stands on an edge.
#[derive(Debug)]
pub(super) struct Rule<'t> {
    /// The primed names of `(a', b') = …`, where there are several.
    pub results: Vec<(&'t str, Span)>,
    /// The formula, or the call; none for `{ }`.
    pub tree: Option<Tree>,
}

/// Takes what stands between the braces of an edge.
pub(super) fn rule<'t>(cursor: &mut Cursor<'t>) -> Fallible<Rule<'t>> {
    if cursor.is("}") {
        return Ok(Rule { results: Vec::new(), tree: None });
    }
    let results = results(cursor)?;
    Ok(Rule { results, tree: Some(parse(cursor, &GRAMMAR)?) })
}

/// Takes `(a', b') =` if it is there.
fn results<'t>(cursor: &mut Cursor<'t>) -> Fallible<Vec<(&'t str, Span)>> {
    let mut ahead = cursor.clone();
    let is_tuple = ahead.eat("(").is_some()
        && ahead.peek().kind == Kind::Name
        && ahead.peek_second().kind == Kind::Symbol(",");
    if !is_tuple {
        return Ok(Vec::new());
    }
    cursor.take();
    let names = cursor.names("a primed name")?;
    cursor.expect(")")?;
    cursor.expect("=")?;
    Ok(names)
}
