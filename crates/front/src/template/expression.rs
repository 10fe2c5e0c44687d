//! The functions of a template: terms over words and truth values.

use super::{Reader, wrong};
use crate::diag::{Code, Diagnostic};
use crate::smtlib::{Cursor, Fallible, Kind};
use alphorn_problem::Span;
use alphorn_term::{Bv, Int, MAX_WIDTH, Op, SortId, TermId};

/// What an operator takes and gives.
enum Shape {
    /// Words of one width, as wide as the result; of so many arguments, or of two or more.
    Word(Op, Option<usize>),
    /// Two words of one width, and a truth value; the arguments may be exchanged, the result negated.
    Compare(Op, bool, bool),
}

fn operator(name: &str) -> Option<Shape> {
    use Shape::{Compare, Word};
    let rest = name.strip_prefix("bv")?;
    Some(match rest.strip_prefix('-').unwrap_or(rest) {
        "add" => Word(Op::BvAdd, None),
        "mul" => Word(Op::BvMul, None),
        "and" => Word(Op::BvAnd, None),
        "or" => Word(Op::BvOr, None),
        "xor" => Word(Op::BvXor, None),
        "sub" => Word(Op::BvSub, Some(2)),
        "udiv" => Word(Op::BvUdiv, Some(2)),
        "urem" => Word(Op::BvUrem, Some(2)),
        "sdiv" => Word(Op::BvSdiv, Some(2)),
        "srem" => Word(Op::BvSrem, Some(2)),
        "smod" => Word(Op::BvSmod, Some(2)),
        "shl" => Word(Op::BvShl, Some(2)),
        "lshr" => Word(Op::BvLshr, Some(2)),
        "ashr" => Word(Op::BvAshr, Some(2)),
        "not" => Word(Op::BvNot, Some(1)),
        "neg" => Word(Op::BvNeg, Some(1)),
        "ult" => Compare(Op::BvUlt, false, false),
        "ule" => Compare(Op::BvUle, false, false),
        "ugt" => Compare(Op::BvUlt, true, false),
        "uge" => Compare(Op::BvUle, true, false),
        "slt" => Compare(Op::BvSlt, false, false),
        "sle" => Compare(Op::BvSle, false, false),
        "sgt" => Compare(Op::BvSlt, true, false),
        "sge" => Compare(Op::BvSle, true, false),
        _ => return None,
    })
}

impl Reader {
    /// Reads a word; a truth value is a word of one bit.
    pub(super) fn word(&mut self, cursor: &mut Cursor<'_>, width: Option<u32>) -> Fallible<TermId> {
        let term = self.expression(cursor, width)?;
        let terms = &mut self.template.terms;
        if terms.sort(term) != SortId::BOOL {
            return Ok(term);
        }
        let [zero, one] = [0, 1].map(|bit| terms.bv(Bv::from_u64(1, bit)));
        Ok(terms.ite(term, one, zero))
    }

    /// Reads a truth value; a word of one bit is one.
    fn truth(&mut self, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
        let start = cursor.peek().start;
        let term = self.expression(cursor, Some(1))?;
        let terms = &mut self.template.terms;
        if terms.sort(term) == SortId::BOOL {
            return Ok(term);
        }
        if terms.width(term) != 1 {
            return wrong(
                cursor.span_from(start),
                "a truth value or a single bit is expected here",
            );
        }
        let one = terms.bv(Bv::from_u64(1, 1));
        Ok(terms.eq(term, one))
    }

    fn expression(&mut self, cursor: &mut Cursor<'_>, width: Option<u32>) -> Fallible<TermId> {
        let token = cursor.peek();
        let text = cursor.text_of(token).to_owned();
        match token.kind {
            Kind::Numeral => {
                cursor.take();
                self.numeral(&text, width, token.span())
            }
            Kind::Binary | Kind::Hex => {
                cursor.take();
                self.literal(&text, token.span())
            }
            Kind::Open => {
                self.enter(token.span())?;
                cursor.take();
                let term = self.application(cursor, width)?;
                cursor.close("a closing parenthesis")?;
                self.depth -= 1;
                Ok(term)
            }
            _ => {
                let token = cursor.symbol("a word, a number or an application")?;
                match text.as_str() {
                    "true" => return Ok(TermId::TRUE),
                    "false" => return Ok(TermId::FALSE),
                    _ => {}
                }
                let place = self.named(&text, token.span())?;
                Ok(self.template.words[place].variable)
            }
        }
    }

    fn named(&self, name: &str, span: Span) -> Fallible<usize> {
        let place = self.template.words.iter().position(|word| word.name == name);
        match place {
            Some(place) => Ok(place),
            None => wrong(span, format!("there is no word `{name}`")),
        }
    }

    fn numeral(&mut self, text: &str, width: Option<u32>, span: Span) -> Fallible<TermId> {
        let Some(width) = width else {
            let error = Diagnostic::error(
                Code::Template,
                span,
                "how wide this number is cannot be seen from where it stands",
            );
            return Err(Box::new(error.hint("write it in bits: #b0101")));
        };
        match text.parse::<u64>() {
            Ok(value) if width >= 64 || value >> width == 0 => {
                let value = Bv::from_int(width, &Int::from(value));
                Ok(self.template.terms.bv(value))
            }
            _ => wrong(span, format!("the number {text} has more than {width} bits")),
        }
    }

    fn literal(&mut self, text: &str, span: Span) -> Fallible<TermId> {
        let (radix, per_digit) = if text.starts_with("#x") { (16, 4) } else { (2, 1) };
        let digits = &text[2..];
        let width = digits.len() as u32 * per_digit;
        if width == 0 || width > MAX_WIDTH {
            return wrong(span, "the literal has no width that words can have");
        }
        let mut value = Int::from(0);
        for digit in digits.chars() {
            let digit = i64::from(digit.to_digit(radix).unwrap_or(0));
            value = &(&value * &Int::from(i64::from(radix))) + &Int::from(digit);
        }
        Ok(self.template.terms.bv(Bv::from_int(width, &value)))
    }

    /// Reads an application behind its opening parenthesis, up to the closing one.
    fn application(&mut self, cursor: &mut Cursor<'_>, width: Option<u32>) -> Fallible<TermId> {
        let token = cursor.symbol("an operator")?;
        let name = cursor.text_of(token).to_owned();
        match operator(&name) {
            Some(Shape::Word(op, count)) => {
                let args = self.words_of_one_width(cursor, width)?;
                let is_right = count.map_or(args.len() >= 2, |count| args.len() == count);
                if !is_right {
                    let message = format!("`{name}` does not take {} arguments", args.len());
                    return wrong(token.span(), message);
                }
                let terms = &mut self.template.terms;
                let (&first, rest) = args.split_first().unwrap_or((&TermId::FALSE, &[]));
                if rest.is_empty() {
                    return Ok(terms.mk(op, &[first]));
                }
                return Ok(rest.iter().fold(first, |sum, &arg| terms.mk(op, &[sum, arg])));
            }
            Some(Shape::Compare(op, is_exchanged, is_negated)) => {
                let args = self.words_of_one_width(cursor, None)?;
                let &[mut first, mut second] = &args[..] else {
                    return wrong(token.span(), format!("`{name}` takes two arguments"));
                };
                if is_exchanged {
                    std::mem::swap(&mut first, &mut second);
                }
                let terms = &mut self.template.terms;
                let term = terms.mk(op, &[first, second]);
                return Ok(if is_negated { terms.not(term) } else { term });
            }
            None => {}
        }
        match name.as_str() {
            "permute" => {
                let order = cursor.symbol("the name of a permutation")?;
                let word = cursor.symbol("the name of a word")?;
                let place = self.named(cursor.text_of(word), word.span())?;
                let bits = self.template.words[place].bits.len();
                let order = self.permutation(cursor, order, bits)?;
                Ok(self.permuted(order, place))
            }
            "ite" => {
                let condition = self.truth(cursor)?;
                let branches = self.words_of_one_width(cursor, width)?;
                let &[yes, no] = &branches[..] else {
                    return wrong(token.span(), "`ite` takes three arguments");
                };
                Ok(self.template.terms.ite(condition, yes, no))
            }
            "=" => {
                let args = self.words_of_one_width(cursor, None)?;
                let &[first, second] = &args[..] else {
                    return wrong(token.span(), "`=` takes two arguments");
                };
                Ok(self.template.terms.eq(first, second))
            }
            "and" | "or" | "not" | "xor" => self.connective(cursor, &name, token.span()),
            "concat" => {
                let mut parts = Vec::new();
                while cursor.peek().kind != Kind::Close {
                    parts.push(self.word(cursor, None)?);
                }
                let Some((&first, rest)) = parts.split_first() else {
                    return wrong(token.span(), "`concat` takes words");
                };
                let total: u64 =
                    parts.iter().map(|part| u64::from(self.template.terms.width(*part))).sum();
                if total > u64::from(MAX_WIDTH) {
                    return wrong(token.span(), "the word would be too wide");
                }
                let terms = &mut self.template.terms;
                Ok(rest.iter().fold(first, |high, &low| terms.mk(Op::Concat, &[high, low])))
            }
            "extract" => {
                let high = cursor.small_numeral("the highest bit")?;
                let low = cursor.small_numeral("the lowest bit")?;
                let word = self.word(cursor, None)?;
                if low > high || high >= self.template.terms.width(word) {
                    return wrong(token.span(), "the word does not have these bits");
                }
                Ok(self.template.terms.mk(Op::Extract(high, low), &[word]))
            }
            "zero-extend" | "sign-extend" => {
                let by = cursor.small_numeral("how many bits")?;
                let word = self.word(cursor, None)?;
                if u64::from(by) + u64::from(self.template.terms.width(word)) > u64::from(MAX_WIDTH)
                {
                    return wrong(token.span(), "the word would be too wide");
                }
                let op =
                    if name == "zero-extend" { Op::ZeroExtend(by) } else { Op::SignExtend(by) };
                Ok(self.template.terms.mk(op, &[word]))
            }
            _ => wrong(token.span(), format!("the operator `{name}` is unknown in templates")),
        }
    }

    /// The variable of a word in the order of a permutation.
    fn permuted(&mut self, order: usize, word: usize) -> TermId {
        let template = &mut self.template;
        let uses = &mut template.permutations[order].uses;
        if let Some((_, variable)) = uses.iter().find(|(of, _)| *of == word) {
            return *variable;
        }
        let sort = template.terms.sort(template.words[word].variable);
        let variable = template.terms.fresh_var(&template.words[word].name, sort);
        uses.push((word, variable));
        variable
    }

    /// Reads arguments up to the closing parenthesis, all as wide as the first or as is known.
    fn words_of_one_width(
        &mut self,
        cursor: &mut Cursor<'_>,
        mut width: Option<u32>,
    ) -> Fallible<Vec<TermId>> {
        let mut args = Vec::new();
        while cursor.peek().kind != Kind::Close {
            let start = cursor.peek().start;
            let arg = self.word(cursor, width)?;
            let own = self.template.terms.width(arg);
            if width.is_some_and(|width| width != own) {
                let message = format!("{own} bits, where {} are expected", width.unwrap_or(0));
                return wrong(cursor.span_from(start), message);
            }
            width = Some(own);
            args.push(arg);
        }
        Ok(args)
    }

    fn connective(&mut self, cursor: &mut Cursor<'_>, name: &str, span: Span) -> Fallible<TermId> {
        let mut args = Vec::new();
        while cursor.peek().kind != Kind::Close {
            args.push(self.truth(cursor)?);
        }
        let terms = &mut self.template.terms;
        match (name, &args[..]) {
            ("not", &[arg]) => Ok(terms.not(arg)),
            ("xor", &[first, second]) => {
                let same = terms.eq(first, second);
                Ok(terms.not(same))
            }
            ("and", [_, ..]) => Ok(terms.and(&args)),
            ("or", [_, ..]) => Ok(terms.or(&args)),
            _ => wrong(span, format!("`{name}` does not take {} arguments", args.len())),
        }
    }
}
