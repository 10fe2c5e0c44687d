//! Commands that ask for something, and those that set what is said about the answers.

use super::reader::Reader;
use super::{Attribute, Command, Written, text_at};
use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use crate::smtlib::commands::refused;
use crate::smtlib::cursor::shorten;
use crate::smtlib::lex::Kind;
use alphorn_problem::Span;
use alphorn_term::SortId;

/// What the value of an option looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Truth,
    Numeral,
    Text,
}

/// The options with a meaning of their own; the values of others may be anything.
const OPTIONS: &[(&str, Shape)] = &[
    (":diagnostic-output-channel", Shape::Text),
    (":global-declarations", Shape::Truth),
    (":interactive-mode", Shape::Truth),
    (":print-success", Shape::Truth),
    (":produce-assertions", Shape::Truth),
    (":produce-assignments", Shape::Truth),
    (":produce-interpolants", Shape::Truth),
    (":produce-models", Shape::Truth),
    (":produce-proofs", Shape::Truth),
    (":produce-unsat-assumptions", Shape::Truth),
    (":produce-unsat-cores", Shape::Truth),
    (":random-seed", Shape::Numeral),
    (":regular-output-channel", Shape::Text),
    (":reproducible-resource-limit", Shape::Numeral),
    (":rlimit", Shape::Numeral),
    (":timeout", Shape::Numeral),
    (":tlimit-per", Shape::Numeral),
    (":verbosity", Shape::Numeral),
];

/// Whether an option takes this value; what it takes if not.
pub fn option_shape(keyword: &str, value: &str) -> Result<(), &'static str> {
    let known = OPTIONS.iter().find(|(known, _)| *known == keyword);
    match known.map(|(_, shape)| *shape) {
        Some(Shape::Truth) if !matches!(value, "true" | "false") => Err("true or false"),
        Some(Shape::Numeral) if value.parse::<u64>().is_err() => Err("a number of 64 bits"),
        Some(Shape::Text) if !value.starts_with('"') => Err("a string"),
        _ => Ok(()),
    }
}

/// Z3's names of options, with those of the standard.
const NAMES_OF_Z3: &[(&str, &str)] = &[
    (":global-decls", ":global-declarations"),
    (":model", ":produce-models"),
    (":proof", ":produce-proofs"),
    (":unsat_core", ":produce-unsat-cores"),
];

impl Reader<'_> {
    /// Reads a keyword and the value after it, if there is one.
    fn attribute(&mut self) -> Fallible<(Attribute, Span)> {
        let token = self.cursor.keyword()?;
        let keyword = self.cursor.text_of(token).to_owned();
        let mut value = None;
        let mut place = token.span();
        if self.cursor.peek().kind != Kind::Close {
            place = self.cursor.skip_expression("a value")?;
            value = Some(text_at(self.cursor.text(), place));
        }
        Ok((Attribute { keyword, value }, place))
    }

    pub(super) fn set_info(&mut self) -> Fallible<Command> {
        self.attribute().map(|(attribute, _)| Command::SetInfo(attribute))
    }

    pub(super) fn set_option(&mut self) -> Fallible<Command> {
        let (mut attribute, place) = self.attribute()?;
        let named = NAMES_OF_Z3.iter().find(|(theirs, _)| *theirs == attribute.keyword);
        if let Some((_, standard)) = named {
            (*standard).clone_into(&mut attribute.keyword);
        }
        let value = attribute.value.as_deref().unwrap_or_default();
        let Err(wants) = option_shape(&attribute.keyword, value) else {
            return Ok(Command::SetOption(attribute));
        };
        let message = format!("the option {} takes {wants}", attribute.keyword);
        Err(Box::new(Diagnostic::error(Code::SmtOption, place, message)))
    }

    pub(super) fn get_info(&mut self) -> Fallible<Command> {
        let token = self.cursor.keyword()?;
        Ok(Command::GetInfo(self.cursor.text_of(token).to_owned()))
    }

    pub(super) fn get_option(&mut self) -> Fallible<Command> {
        let token = self.cursor.keyword()?;
        Ok(Command::GetOption(self.cursor.text_of(token).to_owned()))
    }

    pub(super) fn echo(&mut self) -> Fallible<Command> {
        let Some(token) = self.cursor.eat(Kind::String) else {
            return Err(self.cursor.unexpected("a string"));
        };
        let text = String::from_utf8_lossy(self.cursor.bytes_of(token)).into_owned();
        Ok(Command::Echo(text))
    }

    pub(super) fn term(&mut self) -> Fallible<Written> {
        let start = self.cursor.peek().start;
        let term = self.context.parse_term(&mut self.cursor)?;
        Ok(Written { term, span: self.cursor.span_from(start) })
    }

    pub(super) fn formula(&mut self) -> Fallible<Written> {
        let written = self.term()?;
        let store = self.context.store();
        let sort = store.sort(written.term);
        if sort == SortId::BOOL {
            return Ok(written);
        }
        let sort = shorten(&store.show_sort(sort));
        let message = format!("a formula expected, but the term has sort {sort}");
        Err(Box::new(Diagnostic::error(Code::SmtSort, written.span, message)))
    }

    pub(super) fn assert(&mut self) -> Fallible<Command> {
        let formula = self.formula()?;
        let mut name = None;
        let mut named = Vec::new();
        for given in std::mem::take(&mut self.context.named) {
            let text = self.context.scope.text(given.name).to_owned();
            if given.is_whole && name.is_none() {
                name = Some(text.clone());
            }
            if self.context.store.sort(given.term) == SortId::BOOL {
                named.push((text, given.term));
            }
        }
        Ok(Command::Assert { formula, name, named })
    }

    pub(super) fn check_sat_assuming(&mut self) -> Fallible<Command> {
        self.cursor.open("the list of assumptions")?;
        let mut assumptions = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            assumptions.push(self.formula()?);
        }
        Ok(Command::CheckSatAssuming(assumptions))
    }

    /// A tactic of Z3: a name, or one within a number of milliseconds, which is what is kept of it. Those that are made of
    /// others may change what is asked.
    pub(super) fn tactic(&mut self, span: Span) -> Fallible<Option<u64>> {
        let mut depth = 0_usize;
        while self.cursor.eat(Kind::Open).is_some() {
            if !self.cursor.is_word("try-for") {
                return Err(refused(span, "tactics that are made of others are not treated"));
            }
            self.cursor.take();
            depth += 1;
        }
        self.cursor.symbol("a tactic")?;
        let mut within = None;
        for _ in 0..depth {
            let own = u64::from(self.cursor.small_numeral("a number of milliseconds")?);
            within = within.into_iter().chain([own]).min();
            self.cursor.close("a closing parenthesis after the milliseconds")?;
        }
        Ok(within)
    }

    pub(super) fn get_value(&mut self) -> Fallible<Command> {
        let open = self.cursor.open("the list of terms")?;
        let mut terms = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            terms.push(self.term()?);
        }
        if terms.is_empty() {
            let span = self.cursor.span_from(open.start);
            let message = "get-value needs at least one term";
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        Ok(Command::GetValue(terms))
    }
}
