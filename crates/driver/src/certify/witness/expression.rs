//! Expressions of witnesses, before they become part of a program: they must have no effects.
//!
//! The reader of C understands them at their place. What it would understand and a witness may not say is
//! refused here by its characters alone: assignments, steps, calls, statements, and what would end the
//! expression early.

use alphorn_program::c::tree::Arith;
use alphorn_program::c::walk::{Visit, below_expr, below_place};
use alphorn_program::c::{Expr, ExprKind, Place, PlaceKind, Types};

/// An expression that can be put into a program, in parentheses; or why not.
pub(super) fn pure(text: &str) -> Result<String, &'static str> {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let bytes = text.as_bytes();
    let mut depth = 0_i32;
    if text.trim().is_empty() {
        return Err("the expression is empty");
    }
    if ["++", "--", "//", "/*"].iter().any(|bad| text.contains(bad)) {
        return Err("an expression of a witness changes nothing");
    }
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(at + 1).copied();
        match byte {
            b'(' | b'[' => {
                depth += 1;
                if byte == b'(' && is_call(&text[..at]) {
                    return Err("an expression of a witness calls nothing");
                }
            }
            b')' | b']' => depth -= 1,
            b'=' => {
                let is_comparison = after == Some(b'=')
                    || matches!(before, Some(b'=' | b'!'))
                    || (matches!(before, Some(b'<' | b'>'))
                        && !matches!(at.checked_sub(2).map(|at| bytes[at]), Some(b'<' | b'>')));
                if !is_comparison {
                    return Err("an expression of a witness assigns nothing");
                }
            }
            b';' | b'{' | b'}' | b'"' | b'#' | b'\\' | b'`' | b'@' | b'$' => {
                return Err("this is no C expression");
            }
            0x80.. => return Err("this is no C expression"),
            _ => {}
        }
        if depth < 0 {
            return Err("the parentheses do not balance");
        }
    }
    match depth {
        0 => Ok(format!("({text})")),
        _ => Err("the parentheses do not balance"),
    }
}

/// Whether the value of an expression may be undefined: it divides or shifts by what is no fitting constant,
/// or looks into memory.
pub(super) fn may_be_undefined(expr: &Expr, types: &Types) -> bool {
    let mut look = Look { types, found: false };
    look.expr(expr);
    look.found
}

struct Look<'t> {
    types: &'t Types,
    found: bool,
}

impl Visit for Look<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Arith(op, _, right) = &expr.kind {
            let constant = match &right.kind {
                ExprKind::Int(value) => Some(*value),
                ExprKind::Cast(inner, _) => match inner.kind {
                    ExprKind::Int(value) => Some(value),
                    _ => None,
                },
                _ => None,
            };
            let bits = self.types.int_kind(expr.ty).map_or(0, |kind| kind.bits(self.types.model));
            self.found |= match op {
                // The least value divided by -1 is undefined, too.
                Arith::Div | Arith::Rem => constant.is_none_or(|value| value == 0 || value == -1),
                Arith::Shl | Arith::Shr => {
                    constant.is_none_or(|value| value < 0 || value >= i128::from(bits))
                }
                _ => false,
            };
        }
        self.found |= matches!(expr.kind, ExprKind::Untreated(_) | ExprKind::Distance(..));
        below_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        self.found |= matches!(place.kind, PlaceKind::Deref(_) | PlaceKind::Element(..));
        below_place(self, place);
    }
}

/// Whether what stands before a parenthesis is the name of something that is called.
fn is_call(before: &str) -> bool {
    let before = before.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word: String = before.chars().rev().take_while(|&c| is_name(c)).collect();
    let word: String = word.chars().rev().collect();
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_word && !matches!(word.as_str(), "sizeof" | "return")) || before.ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::pure;

    #[test]
    fn comparisons_pass_and_effects_do_not() {
        for good in [
            "1",
            "0 <= i && i <= 9",
            "(long long)x + y == 3 || !(a[i] != 'a')",
            "x >= 0 ? y : z",
            "s <= i*255",
            "sizeof(int) == 4",
            "p->next == 0 && (*q).n < 3",
        ] {
            assert_eq!(pure(good), Ok(format!("({good})")));
        }
        for bad in [
            "",
            "x = 1",
            "x += 1",
            "x <<= 1",
            "x++",
            "--x",
            "f(1)",
            "f (1)",
            "a[0](1)",
            "1) || (1",
            "(1",
            "x; y",
            "\"s\"",
            "x == 1 // y",
            "({ x; })",
            "\\result == 1",
        ] {
            assert!(pure(bad).is_err(), "{bad}");
        }
    }
}
