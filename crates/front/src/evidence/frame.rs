//! What models have around their definitions, whoever wrote them: commands one after the other, alone,
//! in parentheses, or in `(model …)`; and the parameters of a definition.

use super::Fallible;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_term::{SortId, TermId};

/// Reads commands to the end of the text. `read` is called after the opening parenthesis of each; it reads
/// up to the closing one, and says what that one ends. Where it says nothing it has read nothing, and
/// `wanted` names the commands there are.
pub(super) fn commands(
    cursor: &mut Cursor<'_>,
    wanted: &str,
    mut read: impl FnMut(&mut Cursor<'_>) -> Fallible<Option<&'static str>>,
) -> Fallible<()> {
    let mut around = 0;
    loop {
        match cursor.peek().kind {
            Kind::End if around == 0 => return Ok(()),
            Kind::Close if around > 0 => {
                cursor.take();
                around -= 1;
                continue;
            }
            _ => {}
        }
        cursor.open("a definition")?;
        if let Some(end) = read(cursor)? {
            cursor.close(end)?;
        } else if around == 0 && (cursor.is_word("model") || cursor.peek().kind == Kind::Open) {
            if cursor.is_word("model") {
                cursor.take();
            }
            around += 1;
        } else if around == 0 && cursor.peek().kind == Kind::Close {
            cursor.take();
        } else {
            return Err(cursor.unexpected(wanted));
        }
    }
}

/// Reads parameters in parentheses, each a name and a sort, and binds the names to what `variable` makes.
pub(super) fn parameters(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    mut variable: impl FnMut(&mut Context, &str, SortId) -> TermId,
) -> Fallible<Vec<TermId>> {
    let mut params: Vec<TermId> = Vec::new();
    cursor.open("the parameters")?;
    while cursor.peek().kind != Kind::Close {
        cursor.open("a parameter")?;
        let token = cursor.symbol("the parameter's name")?;
        let (name, sort) = (cursor.text_of(token).to_owned(), context.parse_sort(cursor)?);
        let var = variable(context, &name, sort);
        context.bind(&name, var);
        params.push(var);
        cursor.close("the end of the parameter")?;
    }
    cursor.take();
    Ok(params)
}
