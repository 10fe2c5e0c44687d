//! Templates: which functions of words to look for in a circuit.
//!
//! ```text
//! (words (A a2 a1 a0) (B b2 b1 b0)) (control k1 k0) (outputs o2 o1 o0)
//! (and (=> (value v1 control) (= outputs (bv-add (permute p A) (permute q B))))
//!      (=> (value v2 control) (= outputs (ite (bv-slt (permute p A) (permute q B)) 1 0))))
//! ```
//!
//! Bits are named as in the circuit, or `i0`, `o0` … by their position where it has no names; the highest stands first. A
//! numeral is as wide as what it stands beside. Operators are those of SMT-LIB, with or without a hyphen behind `bv`.
//!
//! After the template language of Gascón, Subramanyan, Dutertre, Tiwari, Jovanović, Malik, Template-based
//! circuit understanding (FMCAD 2014); `(permute t outputs)` on the left is their permutation of outputs.

mod expression;

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::{Cursor, Fallible, Kind, Token};
use alphorn_problem::Span;
use alphorn_problem::circuit::Circuit;
use alphorn_problem::matching::{Case, Group, Matching, Permutation, Template};
use alphorn_term::MAX_WIDTH;

/// Reads a template for a circuit.
pub fn read(bytes: &[u8], circuit: Circuit) -> Read<Matching> {
    let mut diagnostics = Diagnostics::default();
    let mut reader = Reader { circuit, template: Template::default(), depth: 0 };
    let mut cursor = Cursor::new(bytes);
    let found = match reader.whole(&mut cursor) {
        Ok(()) => Some(Matching { circuit: reader.circuit, template: reader.template }),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    };
    let found = found.filter(|matching| match matching.validate() {
        Ok(()) => true,
        Err(why) => {
            diagnostics.push(Diagnostic::error(Code::Template, Span::NONE, why));
            false
        }
    });
    (found, diagnostics)
}

struct Reader {
    circuit: Circuit,
    template: Template,
    depth: u32,
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(Code::Template, span, message)))
}

impl Reader {
    fn whole(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        if !self.circuit.latches.is_empty() {
            let message = "the circuit has latches, and templates are about functions of inputs";
            return Err(Box::new(
                Diagnostic::unsupported(Code::Template, Span::NONE, message)
                    .hint("unfold it first, or cut it at its latches"),
            ));
        }
        let (mut has_words, mut has_outputs, mut has_control) = (false, false, false);
        loop {
            let mut ahead = cursor.clone();
            ahead.open("`(words …)`, `(control …)`, `(outputs …)` or the formula")?;
            let section = ahead.text_of(ahead.peek()).to_owned();
            let span = ahead.peek().span();
            let is_known = match section.as_str() {
                "words" => &mut has_words,
                "control" => &mut has_control,
                "outputs" => &mut has_outputs,
                _ => break,
            };
            if std::mem::replace(is_known, true) {
                return wrong(span, format!("there are two lists of {section}"));
            }
            ahead.take();
            *cursor = ahead;
            match section.as_str() {
                "words" => self.words(cursor)?,
                "control" => self.template.control = self.bits(cursor, b'i')?,
                _ => self.template.outputs = self.bits(cursor, b'o')?,
            }
        }
        if !has_outputs || self.template.outputs.is_empty() {
            return wrong(cursor.peek().span(), "there is no list of outputs before the formula");
        }
        self.formula(cursor, None)?;
        match cursor.peek().kind {
            Kind::End => Ok(()),
            _ => Err(cursor.unexpected("the end: there is one formula")),
        }
    }

    /// Reads names up to the closing parenthesis; the lowest bit comes first in the result.
    fn bits(&self, cursor: &mut Cursor<'_>, kind: u8) -> Fallible<Vec<usize>> {
        let mut bits = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            let token = cursor.symbol("the name of a bit")?;
            bits.push(self.bit(cursor, token, kind)?);
        }
        bits.reverse();
        Ok(bits)
    }

    fn bit(&self, cursor: &Cursor<'_>, token: Token, kind: u8) -> Fallible<usize> {
        let name = cursor.text_of(token);
        let (count, what) = match kind {
            b'i' => (self.circuit.inputs as usize, "input"),
            _ => (self.circuit.outputs.len(), "output"),
        };
        let symbols = &self.circuit.symbols.entries;
        let named = symbols.iter().find(|(of, _, own)| *of == kind && own == name);
        let position = named.map(|(_, position, _)| *position as usize).or_else(|| {
            let number = name.strip_prefix(kind as char)?.parse().ok()?;
            let has_name = self.circuit.symbols.name(kind, number).is_some();
            (!has_name).then_some(number)
        });
        match position.filter(|position| *position < count) {
            Some(position) => Ok(position),
            None => Err(Box::new(
                Diagnostic::error(
                    Code::Template,
                    token.span(),
                    format!("the circuit has no {what} `{name}`"),
                )
                .hint(format!("it has {count} {what}s")),
            )),
        }
    }

    fn words(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        while cursor.eat(Kind::Close).is_none() {
            cursor.open("a word: (NAME BIT …)")?;
            let token = cursor.symbol("the name of a word")?;
            let name = cursor.text_of(token).to_owned();
            if name == "outputs" || self.template.words.iter().any(|word| word.name == name) {
                return wrong(token.span(), format!("the word `{name}` is there already"));
            }
            let bits = self.bits(cursor, b'i')?;
            if bits.is_empty() || bits.len() > MAX_WIDTH as usize {
                let message = format!("a word has 1 to {MAX_WIDTH} bits");
                return wrong(token.span(), message);
            }
            let terms = &mut self.template.terms;
            let sort = terms.bv_sort(bits.len() as u32);
            let variable = terms.fresh_var(&name, sort);
            self.template.words.push(Group { name, bits, variable });
        }
        Ok(())
    }

    /// Reads a conjunction of cases, of a setting if one is known.
    fn formula(&mut self, cursor: &mut Cursor<'_>, value: Option<usize>) -> Fallible<()> {
        let start = cursor.open("a formula")?.start;
        let token = cursor.symbol("`and`, `=>` or `=`")?;
        match cursor.text_of(token) {
            "and" => {
                self.enter(token.span())?;
                while cursor.eat(Kind::Close).is_none() {
                    self.formula(cursor, value)?;
                }
                self.depth -= 1;
                return Ok(());
            }
            "=>" if value.is_none() => {
                let value = self.value(cursor)?;
                self.formula(cursor, Some(value))?;
            }
            "=" => {
                let order = self.outputs(cursor)?;
                let width = self.template.outputs.len() as u32;
                let function = self.word(cursor, Some(width))?;
                if self.template.terms.width(function) != width {
                    let own = self.template.terms.width(function);
                    let message = format!("a function of {own} bits, and {width} outputs");
                    return wrong(cursor.span_from(start), message);
                }
                self.template.cases.push(Case { value, order, function });
            }
            other => {
                let message = format!("`{other}` is no formula of a template");
                let error = Diagnostic::error(Code::Template, token.span(), message);
                let hint = "(=> (value v control) (= outputs FUNCTION)), or several below `and`";
                return Err(Box::new(error.hint(hint)));
            }
        }
        cursor.close("a closing parenthesis")?;
        Ok(())
    }

    fn enter(&mut self, span: Span) -> Fallible<()> {
        const MAX_DEPTH: u32 = 200;
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => wrong(span, "the template is nested too deeply"),
            false => Ok(()),
        }
    }

    /// Reads `(value v control)`.
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Fallible<usize> {
        cursor.open("(value NAME control)")?;
        for word in ["value", "control"] {
            if word == "control" {
                let token = cursor.symbol("the name of a value")?;
                let name = cursor.text_of(token).to_owned();
                expect(cursor, word)?;
                cursor.close("a closing parenthesis")?;
                let values = &mut self.template.values;
                let place = values.iter().position(|known| *known == name);
                return Ok(place.unwrap_or_else(|| {
                    values.push(name);
                    values.len() - 1
                }));
            }
            expect(cursor, word)?;
        }
        Err(cursor.unexpected("a value"))
    }

    /// Reads `outputs` or `(permute NAME outputs)`.
    fn outputs(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Option<usize>> {
        if cursor.is_word("outputs") {
            cursor.take();
            return Ok(None);
        }
        cursor.open("`outputs` or (permute NAME outputs)")?;
        expect(cursor, "permute")?;
        let token = cursor.symbol("the name of a permutation")?;
        expect(cursor, "outputs")?;
        cursor.close("a closing parenthesis")?;
        let width = self.template.outputs.len();
        let place = self.permutation(cursor, token, width)?;
        self.template.permutations[place].is_of_outputs = true;
        Ok(Some(place))
    }

    /// The permutation with a name, for words of a width.
    fn permutation(&mut self, cursor: &Cursor<'_>, token: Token, width: usize) -> Fallible<usize> {
        let name = cursor.text_of(token).to_owned();
        let all = &mut self.template.permutations;
        if let Some(place) = all.iter().position(|known| known.name == name) {
            let known = all[place].width;
            return match known == width {
                true => Ok(place),
                false => wrong(
                    token.span(),
                    format!(
                        "the permutation `{name}` orders {known} bits elsewhere, and {width} here"
                    ),
                ),
            };
        }
        all.push(Permutation { name, width, uses: Vec::new(), is_of_outputs: false });
        Ok(all.len() - 1)
    }
}

/// Takes a word that has to be there.
fn expect(cursor: &mut Cursor<'_>, word: &str) -> Fallible<()> {
    match cursor.is_word(word) {
        true => {
            cursor.take();
            Ok(())
        }
        false => Err(cursor.unexpected(&format!("`{word}`"))),
    }
}
