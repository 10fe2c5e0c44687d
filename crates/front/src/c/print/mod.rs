//! Formulas as C expressions.
//!
//! A formula speaks about numbers; a C expression about types, which overflow, wrap and convert. What is
//! printed here has the formula's value whatever the values of the variables are, and no evaluation of it is
//! undefined: every operation is done in a type that holds its result, and operands are cast where C would
//! not choose that type itself. What no type holds, and what C has no words for, is not printed. In ACSL
//! numbers are numbers, and no cast is needed.
//!
//! Source: C11 6.3.1.8 (the usual arithmetic conversions), 6.5; the ACSL language, 2.2.

mod number;
mod word;

use alphorn_program::c::{DataModel, IntKind};
use alphorn_term::{Op, SortId, Store, TermId};

/// The language that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// C.
    C,
    /// ACSL, in which arithmetic is that of numbers.
    Acsl,
}

/// How a term is written in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text: a variable, an element, a member.
    pub text: String,
    /// The type.
    pub kind: IntKind,
}

/// How many characters an expression has at most.
const MAX_LENGTH: usize = 2_000;
/// How deep expressions are nested at most.
const MAX_DEPTH: u32 = 100;

/// How tightly an expression holds together.
pub(crate) mod level {
    pub(crate) const CHOICE: u8 = 0;
    pub(crate) const OR: u8 = 1;
    pub(crate) const AND: u8 = 2;
    pub(crate) const EQUAL: u8 = 3;
    pub(crate) const LESS: u8 = 4;
    pub(crate) const SUM: u8 = 5;
    pub(crate) const PRODUCT: u8 = 6;
    pub(crate) const UNARY: u8 = 7;
    pub(crate) const NAME: u8 = 8;
}

/// Writes formulas of a store.
pub struct Printer<'a> {
    /// The terms.
    pub store: &'a Store,
    /// How terms are written that stand for something in the source: variables, and other terms whose
    /// place in the source is defined whatever happens.
    pub names: &'a dyn Fn(TermId) -> Option<Name>,
    /// The data model.
    pub model: DataModel,
    /// The language.
    pub style: Style,
}

/// A condition and how tightly it holds together.
struct Condition {
    text: String,
    level: u8,
}

impl Condition {
    fn within(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl Printer<'_> {
    /// A formula as an expression; none if it cannot be said.
    pub fn formula(&self, term: TermId) -> Option<String> {
        let condition = self.condition(term, 0)?;
        (condition.text.len() <= MAX_LENGTH).then_some(condition.text)
    }

    /// The conjuncts of a formula that can be said, and whether these are all.
    pub fn conjuncts(&self, term: TermId) -> (Vec<String>, bool) {
        let mut open = vec![term];
        let (mut said, mut is_all) = (Vec::new(), true);
        while let Some(term) = open.pop() {
            match self.store.op(term) {
                Op::And => open.extend(self.store.args(term).iter().rev()),
                Op::True => {}
                _ => match self.formula(term) {
                    Some(text) if text == "1" || text == "\\true" => {}
                    Some(text) => said.push(text),
                    None => is_all = false,
                },
            }
        }
        (said, is_all)
    }

    fn condition(&self, term: TermId, depth: u32) -> Option<Condition> {
        if depth > MAX_DEPTH {
            return None;
        }
        let plain = |text: &str, level: u8| Some(Condition { text: text.to_owned(), level });
        let is_acsl = self.style == Style::Acsl;
        let args = self.store.args(term);
        match self.store.op(term) {
            Op::True => plain(if is_acsl { "\\true" } else { "1" }, level::NAME),
            Op::False => plain(if is_acsl { "\\false" } else { "0" }, level::NAME),
            Op::Not => self.negation(args[0], depth),
            Op::And => self.joined(args, " && ", level::AND, depth),
            Op::Or => self.joined(args, " || ", level::OR, depth),
            Op::Le => self.comparison(args[0], "<=", args[1], depth),
            Op::Lt => self.comparison(args[0], "<", args[1], depth),
            Op::Eq => self.comparison(args[0], "==", args[1], depth),
            Op::BvUle => self.word_comparison(args[0], "<=", args[1], false, depth),
            Op::BvUlt => self.word_comparison(args[0], "<", args[1], false, depth),
            Op::BvSle => self.word_comparison(args[0], "<=", args[1], true, depth),
            Op::BvSlt => self.word_comparison(args[0], "<", args[1], true, depth),
            Op::Distinct => {
                let mut parts = Vec::new();
                for (at, &left) in args.iter().enumerate() {
                    for &right in &args[at + 1..] {
                        parts.push(self.comparison(left, "!=", right, depth)?.within(level::EQUAL));
                    }
                }
                Some(Condition { text: parts.join(" && "), level: level::AND })
            }
            Op::Ite => {
                let parts = [args[0], args[1], args[2]];
                let [test, then, otherwise] = parts.map(|part| self.condition(part, depth + 1));
                let text = format!(
                    "{} ? {} : {}",
                    test?.within(level::OR),
                    then?.within(level::OR),
                    otherwise?.within(level::OR)
                );
                Some(Condition { text, level: level::CHOICE })
            }
            _ => {
                let name = (self.names)(term)?;
                Some(Condition { text: name.text, level: level::NAME })
            }
        }
    }

    fn joined(&self, args: &[TermId], sign: &str, level: u8, depth: u32) -> Option<Condition> {
        let mut text = String::new();
        for &arg in args {
            let part = self.condition(arg, depth + 1)?;
            if !text.is_empty() {
                text.push_str(sign);
            }
            // Compilers warn of && inside || without parentheses.
            text.push_str(&part.within(if level == level::OR { level::EQUAL } else { level + 1 }));
            if text.len() > MAX_LENGTH {
                return None;
            }
        }
        Some(Condition { text, level })
    }

    fn negation(&self, inner: TermId, depth: u32) -> Option<Condition> {
        let args = self.store.args(inner);
        match self.store.op(inner) {
            Op::Le => self.comparison(args[0], ">", args[1], depth),
            Op::Lt => self.comparison(args[0], ">=", args[1], depth),
            Op::Eq => self.comparison(args[0], "!=", args[1], depth),
            Op::BvUle => self.word_comparison(args[0], ">", args[1], false, depth),
            Op::BvUlt => self.word_comparison(args[0], ">=", args[1], false, depth),
            Op::BvSle => self.word_comparison(args[0], ">", args[1], true, depth),
            Op::BvSlt => self.word_comparison(args[0], ">=", args[1], true, depth),
            _ => {
                let inner = self.condition(inner, depth + 1)?;
                Some(Condition {
                    text: format!("!{}", inner.within(level::UNARY)),
                    level: level::UNARY,
                })
            }
        }
    }

    /// A comparison of numbers, words or truth values.
    fn comparison(&self, left: TermId, sign: &str, right: TermId, depth: u32) -> Option<Condition> {
        let sort = self.store.sort(left);
        if sort == SortId::INT {
            return self.number_comparison(left, sign, right, depth);
        }
        if sort != SortId::BOOL {
            return self.word_comparison(left, sign, right, false, depth);
        }
        let parts = [left, right].map(|part| self.condition(part, depth + 1));
        let [left, right] = parts;
        // In ACSL truth values are no numbers.
        let text = match (self.style, sign) {
            (Style::Acsl, "==") => {
                format!("({} <==> {})", left?.within(level::NAME), right?.within(level::NAME))
            }
            (Style::Acsl, _) => {
                format!("!({} <==> {})", left?.within(level::NAME), right?.within(level::NAME))
            }
            (Style::C, _) => {
                // Both are 0 or 1, which names need not be.
                let whole = |condition: Condition| format!("!{}", condition.within(level::UNARY));
                format!("{} {sign} {}", whole(left?), whole(right?))
            }
        };
        Some(Condition { text, level: level::EQUAL })
    }
}
