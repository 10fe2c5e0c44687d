//! Values and tables of values as SMT-LIB text.
//!
//! A value is written as a term that denotes it and read by evaluating the term; so every
//! notation for a value is understood, and what is read is a value of the right sort or an error.

use super::{Fallible, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_term::eval::Table;
use alphorn_term::{Model, SortId, Store, Value, eval};
use std::collections::BTreeMap;

/// A value as text. Elements of uninterpreted sorts have no notation and are written `?`, which
/// no reader accepts.
pub fn show(store: &mut Store, value: &Value) -> String {
    match store.value_term(value) {
        Some(term) => store.show(term),
        None => "?".to_owned(),
    }
}

/// Reads a value of the given sort.
pub fn read(context: &mut Context, cursor: &mut Cursor<'_>, sort: SortId) -> Fallible<Value> {
    let start = cursor.peek().start;
    let term = context.parse_term(cursor)?;
    let span = cursor.span_from(start);
    let store = context.store_mut();
    // A numeral may stand for a real, as everywhere.
    let term = if store.sort(term) == SortId::INT && sort == SortId::REAL {
        store.mk(alphorn_term::Op::ToReal, &[term])
    } else {
        term
    };
    if store.sort(term) != sort {
        let (found, wanted) = (store.show_sort(store.sort(term)), store.show_sort(sort));
        return wrong(span, format!("a value of sort {wanted} is expected, not of sort {found}"));
    }
    match eval(store, term, &Model::new()) {
        Ok(value) => Ok(value),
        Err(error) => wrong(span, format!("this is not a value: {}", error.describe(store))),
    }
}

/// A table as text: `(case (1 2) 3) … (else 4)`.
pub fn show_table(store: &mut Store, table: &Table) -> String {
    let mut out = String::new();
    for (args, value) in &table.entries {
        let args: Vec<String> = args.iter().map(|arg| show(store, arg)).collect();
        out.push_str(&format!(" (case ({}) {})", args.join(" "), show(store, value)));
    }
    if let Some(default) = &table.default {
        out.push_str(&format!(" (else {})", show(store, default)));
    }
    out
}

/// Reads the cases of a table up to the closing parenthesis, which it leaves.
pub fn read_table(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    args: &[SortId],
    result: SortId,
) -> Fallible<Table> {
    let mut table = Table { entries: BTreeMap::new(), default: None };
    while cursor.peek().kind != Kind::Close {
        let open = cursor.open("a case")?;
        if cursor.is_word("case") {
            cursor.take();
            cursor.open("the arguments of the case")?;
            let mut values = Vec::with_capacity(args.len());
            for &sort in args {
                values.push(read(context, cursor, sort)?);
            }
            cursor.close("the end of the arguments")?;
            let value = read(context, cursor, result)?;
            if table.entries.insert(values, value).is_some() {
                return wrong(cursor.span_from(open.start), "this case stands twice");
            }
        } else if cursor.is_word("else") && table.default.is_none() {
            cursor.take();
            table.default = Some(read(context, cursor, result)?);
        } else {
            return Err(cursor.unexpected("`case` or `else`"));
        }
        cursor.close("the end of the case")?;
    }
    Ok(table)
}
