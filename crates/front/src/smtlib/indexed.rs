//! Identifiers with indices: `(_ extract 7 0)`, `(_ is cons)`, `(_ bv5 8)` and the like.

use super::Fallible;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::lex::Kind;
use super::operators::{Place, sort_error};
use super::scope::NameId;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Bv, Int, MAX_WIDTH, Op, Sort, SortError, SortId, TermId};

/// What an identifier with indices stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Indexed {
    /// A literal.
    Value(TermId),
    /// An operator of the store.
    Plain(Op),
    /// Rotation to the left.
    RotateLeft(u32),
    /// Rotation to the right.
    RotateRight(u32),
    /// `divisible`, with the divisor as a term.
    Divisible(TermId),
    /// Whether a value was made by the constructor of this name.
    Is(NameId),
}

impl Context {
    /// Reads an identifier after `(_`, up to and with the closing parenthesis.
    pub(super) fn parse_indexed(
        &mut self,
        cursor: &mut Cursor<'_>,
        start: u32,
    ) -> Fallible<Indexed> {
        let token = cursor.symbol("an identifier")?;
        let name = cursor.bytes_of(token);
        let count = "an index";
        let indexed = match name {
            b"extract" => {
                let high = cursor.small_numeral("the highest bit")?;
                Indexed::Plain(Op::Extract(high, cursor.small_numeral("the lowest bit")?))
            }
            b"repeat" => Indexed::Plain(Op::Repeat(cursor.small_numeral(count)?)),
            b"zero_extend" => Indexed::Plain(Op::ZeroExtend(cursor.small_numeral(count)?)),
            b"sign_extend" => Indexed::Plain(Op::SignExtend(cursor.small_numeral(count)?)),
            b"int_to_bv" | b"int2bv" | b"nat2bv" => {
                Indexed::Plain(Op::IntToBv(cursor.small_numeral("the width")?))
            }
            b"rotate_left" => Indexed::RotateLeft(cursor.small_numeral(count)?),
            b"rotate_right" => Indexed::RotateRight(cursor.small_numeral(count)?),
            b"divisible" => Indexed::Divisible(self.parse_divisor(cursor)?),
            b"is" => {
                let token = cursor.symbol("a constructor")?;
                let ctor = self.scope.name(cursor.bytes_of(token));
                if self.datatypes.candidates(ctor).is_empty() {
                    return Err(self.undeclared(cursor, token));
                }
                Indexed::Is(ctor)
            }
            [b'b', b'v', digits @ ..]
                if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) =>
            {
                Indexed::Value(self.parse_word_literal(cursor, digits, start)?)
            }
            _ => {
                let name = shorten(cursor.text_of(token));
                let message = format!("there is no treatment of (_ {name} …)");
                let diagnostic = Diagnostic::unsupported(Code::SmtSyntax, token.span(), message);
                return Err(Box::new(diagnostic));
            }
        };
        cursor.close("a closing parenthesis after the indices")?;
        Ok(indexed)
    }

    fn parse_divisor(&mut self, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
        let wanted = "a positive divisor";
        let Some(token) = cursor.eat(Kind::Numeral) else { return Err(cursor.unexpected(wanted)) };
        match Int::parse_decimal(cursor.bytes_of(token)) {
            Some(value) if value.is_positive() => Ok(self.store.int(value)),
            _ => {
                let message = "the divisor must be positive";
                Err(Box::new(Diagnostic::error(Code::SmtSyntax, token.span(), message)))
            }
        }
    }

    fn parse_word_literal(
        &mut self,
        cursor: &mut Cursor<'_>,
        digits: &[u8],
        start: u32,
    ) -> Fallible<TermId> {
        let width = cursor.small_numeral("the width")?;
        let fits = |value: &Int| value.bit_len() <= width as usize;
        match Int::parse_decimal(digits).filter(fits) {
            Some(value) if (1..=MAX_WIDTH).contains(&width) => {
                Ok(self.store.bv(Bv::from_int(width, &value)))
            }
            _ => {
                let message = format!("the number does not fit a word of {width} bits");
                let span = Span { start, end: cursor.peek().end };
                Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
            }
        }
    }

    /// An identifier with indices, applied.
    pub(super) fn apply_indexed(
        &mut self,
        indexed: Indexed,
        args: &[TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        let store = &mut self.store;
        let result = match indexed {
            Indexed::Value(_) => return Err(takes_no_arguments(place.name, place.whole)),
            Indexed::Plain(op) => store.app(op, args),
            // The negation is there for its check that there is one argument, a word.
            Indexed::RotateLeft(by) => {
                store.app(Op::BvNot, args).map(|_| store.rotate_left(by, args[0]))
            }
            Indexed::RotateRight(by) => {
                store.app(Op::BvNot, args).map(|_| store.rotate_right(by, args[0]))
            }
            Indexed::Divisible(divisor) => {
                let divisor = store.int_value(divisor).cloned().unwrap_or(Int::from(1i64));
                store.app(Op::Abs, args).map(|_| store.divisible(&divisor, args[0]))
            }
            Indexed::Is(name) => return self.apply_tester(name, args, place),
        };
        result.map_err(|error| {
            let diagnostic = sort_error(&self.store, place, &error, |index| index);
            match (indexed, &error, args) {
                (Indexed::Plain(Op::Extract(..)), SortError::Index(_), [word]) => {
                    Box::new(diagnostic.hint(self.bits_of(*word)))
                }
                _ => diagnostic,
            }
        })
    }

    /// Which bits a word has.
    fn bits_of(&self, word: TermId) -> String {
        match *self.store.sort_of(self.store.sort(word)) {
            Sort::BitVec(width) => {
                let high = width - 1;
                format!(
                    "a word of {width} bits has the bits {high} to 0, the higher is named first"
                )
            }
            _ => "only words have bits".to_owned(),
        }
    }

    /// Whether a value was made by the constructor called `name`.
    pub(super) fn apply_tester(
        &mut self,
        name: NameId,
        args: &[TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        if let [arg] = *args
            && let Some(data) = self.data_of(self.store.sort(arg))
            && let Some(ctor) = self.constructor_in(name, data)
        {
            return Ok(self.store.mk(Op::Is(ctor), &[arg]));
        }
        let sort = args.first().map_or(SortId::BOOL, |&arg| self.store.sort(arg));
        let name = shorten(self.scope.text(name));
        let message = match args.len() {
            1 => {
                let sort = shorten(&self.store.show_sort(sort));
                format!("`{name}` is no constructor of the sort {sort}")
            }
            count => format!("a tester takes one argument, but got {count}"),
        };
        let span = place.spans.first().copied().unwrap_or(place.whole);
        Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
    }
}

/// What to say about a constant that is applied.
pub(super) fn takes_no_arguments(name: &str, span: Span) -> Box<Diagnostic> {
    let message = format!("`{}` takes no arguments", shorten(name));
    Box::new(Diagnostic::error(Code::SmtSort, span, message))
}
