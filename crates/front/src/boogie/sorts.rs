//! Types.

use super::declare::Reader;
use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible};
use alphorn_problem::Span;
use alphorn_term::SortId;

/// The widest word; wider ones are mistakes, or meant to exhaust memory.
const MAX_WIDTH: u32 = 1 << 16;

/// Skips a type.
pub(super) fn skip(cursor: &mut Cursor<'_>) -> Fallible<Span> {
    let start = cursor.peek().span;
    // Parentheses are counted, so that deep ones need no deep recursion.
    let mut open = 0usize;
    loop {
        skip_indices(cursor)?;
        match cursor.eat("(") {
            Some(_) => open += 1,
            None => break,
        }
    }
    cursor.name("a type")?;
    for _ in 0..open {
        cursor.expect(")")?;
    }
    Ok(cursor.span_from(start))
}

/// Skips the indices of maps: a map's type ends with the type of its elements.
fn skip_indices(cursor: &mut Cursor<'_>) -> Fallible<()> {
    while cursor.eat("[").is_some() {
        let mut depth = 1;
        while depth > 0 {
            if cursor.is_at_end() || cursor.is(";") {
                return Err(cursor.unexpected("`]`"));
            }
            if cursor.is("[") {
                depth += 1;
            } else if cursor.is("]") {
                depth -= 1;
            }
            cursor.take();
        }
    }
    Ok(())
}

impl<'t> Reader<'t> {
    /// The sort of the type at a place.
    pub(super) fn sort_at(&mut self, span: Span) -> Fallible<SortId> {
        let mut cursor = self.cursor.at(span.start);
        self.sort(&mut cursor, 0)
    }

    fn sort(&mut self, cursor: &mut Cursor<'t>, depth: usize) -> Fallible<SortId> {
        const MAX_DEPTH: usize = 100;
        let place = cursor.peek().span;
        if depth > MAX_DEPTH {
            let message = format!("types are nested deeper than {MAX_DEPTH} levels");
            let hint = "give inner types names of their own";
            let diagnostic = Diagnostic::error(Code::BoogieUnsupported, place, message).hint(hint);
            return Err(Box::new(diagnostic));
        }
        if cursor.eat("[").is_some() {
            let mut indices = vec![self.sort(cursor, depth + 1)?];
            while cursor.eat(",").is_some() {
                indices.push(self.sort(cursor, depth + 1)?);
            }
            cursor.expect("]")?;
            let element = self.sort(cursor, depth + 1)?;
            let store = &mut self.program.terms;
            return Ok(indices.into_iter().rev().fold(element, |e, i| store.array_sort(i, e)));
        }
        if cursor.eat("(").is_some() {
            let sort = self.sort(cursor, depth + 1)?;
            cursor.expect(")")?;
            return Ok(sort);
        }
        let (name, span) = cursor.name("a type")?;
        match name {
            "int" => return Ok(SortId::INT),
            "bool" => return Ok(SortId::BOOL),
            "real" => return Ok(SortId::REAL),
            _ => {}
        }
        let width = name.strip_prefix("bv").and_then(|digits| digits.parse::<u32>().ok());
        if let Some(width) = width {
            if width == 0 || width > MAX_WIDTH {
                let message = format!("words of {width} bits are not treated");
                let code = Code::BoogieUnsupported;
                return Err(Box::new(Diagnostic::unsupported(code, span, message)));
            }
            return Ok(self.program.terms.bv_sort(width));
        }
        match self.types.get(name) {
            Some(&sort) => Ok(sort),
            None => self.undeclared(name, span, "type"),
        }
    }
}
