//! Datatypes that are used before they are declared.
//!
//! SMT-LIB wants datatypes that mention each other in one command, and every other sort declared before its
//! use. Solidity's checker writes them in the order in which it meets them, so that a structure may have a
//! field whose datatype comes a few lines below. What is meant is not in doubt: the declaration is read
//! where it is needed, with a warning, and passed over where it stands.
//!
//! Only declarations and settings are looked past. So the datatype is declared at the same level of the
//! script, and nothing was asked in between.

use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use crate::smtlib::context::Context;
use crate::smtlib::cursor::{Cursor, shorten};
use crate::smtlib::lex::{Kind, Token};

/// How many commands are looked past for one name: a hostile text has many names and many commands.
const MAX_PASSED: usize = 1_000;

/// How many declarations may be begun inside each other; each takes a part of the stack.
const MAX_NESTED: usize = 50;

impl Context {
    /// Declares the datatype that a declaration mentions at `token`, if it is declared further below; whether
    /// it is.
    pub(in crate::smtlib) fn declare_from_below(
        &mut self,
        cursor: &Cursor<'_>,
        token: Token,
    ) -> Fallible<bool> {
        let nested = self.datatypes.nested;
        if nested == 0 || nested > MAX_NESTED {
            return Ok(false);
        }
        let Some((mut below, is_single)) = declaration(cursor, cursor.bytes_of(token)) else {
            return Ok(false);
        };
        let name = shorten(cursor.text_of(token));
        let message = format!("the datatype `{name}` is used before it is declared");
        let hint = "it is read here, but other readers want its declaration first";
        self.warn(Diagnostic::warning(Code::SmtDatatype, token.span(), message).hint(hint));
        let place = below.peek().start;
        if is_single {
            self.declare_datatype(&mut below)?;
        } else {
            self.declare_datatypes(&mut below)?;
        }
        self.datatypes.read_before.insert(place);
        Ok(true)
    }

    /// Passes over a declaration that was read before its turn; whether it was.
    pub(super) fn was_read_before(&mut self, cursor: &mut Cursor<'_>) -> Fallible<bool> {
        if !self.datatypes.read_before.remove(&cursor.peek().start) {
            return Ok(false);
        }
        while cursor.peek().kind != Kind::Close {
            cursor.skip_expression("a datatype's declaration")?;
        }
        Ok(true)
    }
}

/// Where the arguments of the command begin that declares a datatype of this name, among the declarations
/// that follow the one the cursor is in, and whether the command declares one alone.
fn declaration<'t>(cursor: &Cursor<'t>, name: &[u8]) -> Option<(Cursor<'t>, bool)> {
    let mut ahead = cursor.clone();
    while ahead.depth() > 0 {
        pass(&mut ahead)?;
    }
    for _ in 0..MAX_PASSED {
        ahead.eat(Kind::Open)?;
        let command = ahead.symbol("the name of a command").ok()?;
        let arguments = ahead.clone();
        match ahead.bytes_of(command) {
            b"declare-datatypes" => {
                ahead.eat(Kind::Open)?;
                while ahead.eat(Kind::Open).is_some() {
                    let declared = ahead.symbol("the name of a datatype").ok()?;
                    if ahead.bytes_of(declared) == name {
                        return Some((arguments, false));
                    }
                    ahead.eat(Kind::Numeral)?;
                    ahead.eat(Kind::Close)?;
                }
            }
            b"declare-datatype" => {
                let declared = ahead.symbol("the name of a datatype").ok()?;
                if ahead.bytes_of(declared) == name {
                    return Some((arguments, true));
                }
            }
            other if other.starts_with(b"declare-") || other.starts_with(b"set-") => {}
            _ => return None,
        }
        while ahead.depth() > 0 {
            pass(&mut ahead)?;
        }
    }
    None
}

/// Passes over a token; nothing where the text ends or is malformed.
fn pass(cursor: &mut Cursor<'_>) -> Option<()> {
    if matches!(cursor.peek().kind, Kind::End | Kind::Bad(_)) {
        return None;
    }
    cursor.take();
    Some(())
}
