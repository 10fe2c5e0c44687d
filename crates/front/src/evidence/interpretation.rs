//! What a refutation of clauses chooses of what they leave open, as text.
//!
//! ```text
//! (interpretation
//!   (sort Heap (Array Int Int))
//!   (var h!1 Int "h")
//!   (array next (Array Int Int) ((x Int)) (+ x 1)))
//! ```
//!
//! Elements of a declared sort are values of another sort that the problem has. An array is a variable with its sort,
//! indices, and what it is there; arrays before it may occur in that. Names stand as in `names`. The sorts come first,
//! since everything else is said about the problem with these sorts.

use super::names::{Names, read_variable};
use super::{Fallible, frame, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::horn::{Definition, Interpretation};
use alphorn_problem::horn::Horn;
use alphorn_problem::obligation::interpretation::with_sorts;
use alphorn_term::{SortId, Store, TermId};
use std::fmt::Write;

/// An interpretation as text, with the end of its line; nothing if nothing is chosen.
pub fn print(store: &Store, chosen: &Interpretation) -> String {
    if chosen.sorts.is_empty() && chosen.arrays.is_empty() {
        return String::new();
    }
    let mut out = String::from("(interpretation");
    for &(from, to) in &chosen.sorts {
        let _ = write!(out, "\n  (sort {} {})", store.show_sort(from), store.show_sort(to));
    }
    let mut roots: Vec<TermId> = Vec::new();
    for (array, Definition { params, body }) in &chosen.arrays {
        roots.extend([array, body].into_iter().chain(params));
    }
    let mut names = Names::of(store, &roots);
    for declaration in names.declarations(&[]) {
        let _ = write!(out, "\n  (var {declaration})");
    }
    for (array, Definition { params, body }) in &chosen.arrays {
        let array = names.show_variable(*array);
        let params: Vec<String> =
            params.iter().map(|&param| format!("({})", names.show_variable(param))).collect();
        let _ = write!(out, "\n  (array {array} ({}) {})", params.join(" "), names.show(*body));
    }
    out + ")\n"
}

/// Reads an interpretation; the terms that come with it are those of the problem under the sorts that are chosen.
pub fn read(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<(Store, Interpretation)> {
    let start = cursor.peek().start;
    cursor.open("an interpretation")?;
    word(cursor, "interpretation")?;
    let length = cursor.text().len();
    let mut chosen = Interpretation::default();
    let mut context = context(horn, length);
    let mut is_seen = false;
    while cursor.peek().kind != Kind::Close {
        cursor.open("`(sort …)`, `(var …)` or `(array …)`")?;
        if cursor.is_word("sort") && !is_seen {
            cursor.take();
            let from = read_sort(cursor, &mut context, horn)?;
            let to = read_sort(cursor, &mut context, horn)?;
            chosen.sorts.push((from, to));
            cursor.close("the end of the sort")?;
            continue;
        }
        if !is_seen {
            is_seen = true;
            context = under(cursor, horn, &chosen, start)?;
        }
        if cursor.is_word("var") {
            cursor.take();
            read_variable(&mut context, cursor)?;
            cursor.close("the end of the variable")?;
            continue;
        }
        word(cursor, "array")?;
        let array = read_variable(&mut context, cursor)?;
        let definition = context.scoped(|context| {
            let params = frame::parameters(context, cursor, Context::variable)?;
            Ok(Definition { params, body: context.parse_term(cursor)? })
        })?;
        chosen.arrays.push((array, definition));
        cursor.close("the end of the array")?;
    }
    cursor.take();
    if !is_seen {
        context = under(cursor, horn, &chosen, start)?;
    }
    Ok((context.into_store(), chosen))
}

/// A reader of terms of the problem under the sorts that are chosen.
fn under(
    cursor: &Cursor<'_>,
    horn: &Horn,
    chosen: &Interpretation,
    start: u32,
) -> Fallible<Context> {
    match with_sorts(horn, &chosen.sorts) {
        Ok(seen) => Ok(context(&seen, cursor.text().len())),
        Err(reason) => wrong(cursor.span_from(start), reason),
    }
}

fn context(horn: &Horn, length: usize) -> Context {
    let mut context = Context::over(horn.terms.clone());
    context.keep_names();
    context.limit_effort(length);
    for &var in horn.clauses.iter().flat_map(|clause| &clause.vars) {
        context.adopt_sort(horn.terms.sort(var));
    }
    context
}

fn read_sort(cursor: &mut Cursor<'_>, context: &mut Context, horn: &Horn) -> Fallible<SortId> {
    let start = cursor.peek().start;
    let sort = context.parse_sort(cursor)?;
    match sort.index() < horn.terms.sort_count() {
        true => Ok(sort),
        false => wrong(cursor.span_from(start), "the problem has no such sort"),
    }
}
