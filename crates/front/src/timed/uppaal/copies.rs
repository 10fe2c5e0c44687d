//! A template of which there may be any number of copies.
//!
//! `system P;` gives the template `P(const id_t pid)` a process for each value of `id_t`, which is `int[a, N]`, `int[a, N - 1]` and so
//! on for a constant N of the file. Read for any number of copies, N is not known: bounds of integers may depend on it, sizes of arrays
//! and ranges of `select` may not. So the question is that of the file, for all N.

use super::Reader;
use super::declare::Type;
use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible, Kind};
use crate::timed::family::Template;
use crate::timed::value::Thing;
use alphorn_problem::Span;
use alphorn_term::{SortId, Substitution, TermId};
use std::collections::BTreeSet;

/// A template of which there are copies.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    /// The element of the document.
    pub element: usize,
    /// The constant that says how many there are, and what stands for its value.
    pub constant: String,
    pub size: TermId,
    /// What stands for all copies, as soon as it has been read.
    pub template: Option<Template>,
}

fn refused(span: Span, message: String, hint: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::TimedTemplate, span, message).hint(hint))
}

const HINT: &str =
    "a template P(const int[1,N] pid) does, where N is a constant, if `system` names P itself";

/// Refuses a process of the template that is made with arguments.
pub(super) fn not_copied(name: &str, span: Span) -> Box<Diagnostic> {
    refused(span, format!("{name} is one process, and not any number of copies"), HINT)
}

impl<'d> Reader<'d> {
    pub(super) fn is_copied(&self, element: usize) -> bool {
        self.family.as_ref().is_some_and(|family| family.element == element)
    }

    /// The process that stands for all copies.
    pub(super) fn standing_in(&self) -> Option<usize> {
        Some(self.family.as_ref()?.template.as_ref()?.process)
    }

    /// The template with a name, or the only one of which there can be copies.
    pub(super) fn copied(&mut self, wanted: Option<&str>) -> Fallible<Copied> {
        let document = self.document;
        let mut fitting: Vec<(usize, &str, &'d str)> = Vec::new();
        for element in document.children(0, "template") {
            let name = document.child(element, "name").map_or("", |child| document.text(child));
            let constant = self.constant_of(element);
            match (wanted == Some(name), constant) {
                (true, Some(constant)) => {
                    return Ok(self.known(element, constant));
                }
                (true, None) => {
                    let message =
                        format!("the template {name} does not stand for any number of copies");
                    return Err(refused(document.elements[element].span, message, HINT));
                }
                (false, Some(constant)) => fitting.push((element, name, constant)),
                (false, None) => {}
            }
        }
        match (wanted, fitting.as_slice()) {
            (None, &[(element, _, constant)]) => Ok(self.known(element, constant)),
            (Some(name), _) => {
                let message = format!("there is no template {name}");
                let names: Vec<&str> = fitting.iter().map(|(_, name, _)| *name).collect();
                let hint = match names.is_empty() {
                    true => HINT.to_owned(),
                    false => format!("there can be copies of {}", names.join(", ")),
                };
                Err(refused(Span::NONE, message, &hint))
            }
            (None, []) => {
                let message = "no template stands for any number of copies".to_owned();
                Err(refused(Span::NONE, message, HINT))
            }
            (None, many) => {
                let names: Vec<&str> = many.iter().map(|(_, name, _)| *name).collect();
                let message = format!("there can be copies of {}", names.join(", "));
                Err(refused(Span::NONE, message, "--copies says of which there are"))
            }
        }
    }

    fn known(&mut self, element: usize, constant: &str) -> Copied {
        let size = self.network.terms.var(constant, SortId::INT);
        Copied { element, constant: constant.to_owned(), size, template: None }
    }

    /// The constant that the range of the only parameter of a template ends with.
    fn constant_of(&self, element: usize) -> Option<&'d str> {
        let document = self.document;
        let params = document.child(element, "parameter")?;
        let mut cursor = self.cursor(document.elements[params].text);
        cursor.eat("const");
        let constant = match cursor.is("int") {
            true => ends_with(&mut cursor)?,
            false => {
                let wanted = cursor.name("a type").ok()?.0;
                self.typedef(wanted)?
            }
        };
        cursor.name("a parameter").ok()?;
        cursor.is_at_end().then_some(constant)
    }

    /// The constant that the range of a type with a name ends with.
    fn typedef(&self, wanted: &str) -> Option<&'d str> {
        let document = self.document;
        let declaration = document.child(0, "declaration")?;
        let mut cursor = self.cursor(document.elements[declaration].text);
        while !cursor.is_at_end() {
            if cursor.take().kind == Kind::Name
                && cursor.is("int")
                && cursor.peek_second().kind == Kind::Symbol("[")
            {
                let mut range = cursor.clone();
                let constant = ends_with(&mut range);
                if range.is(wanted) && range.peek_second().kind == Kind::Symbol(";") {
                    return constant;
                }
            }
        }
        None
    }

    /// Reads the template, with an unknown name for a copy.
    pub(super) fn stand_in(&mut self, name: &str, element: usize, span: Span) -> Fallible<()> {
        let params = self.params_of(element)?;
        let Some(family) = &self.family else { return Ok(()) };
        let (size, is_first) = (family.size, family.template.is_none());
        let &[super::Param { kind: Type::Int(least, most), is_reference: false, .. }] =
            params.as_slice()
        else {
            return Err(not_copied(name, span));
        };
        let terms = &mut self.network.terms;
        let zero = terms.int(0);
        let at_zero: Substitution = [(size, zero)].into_iter().collect();
        let more = terms.substitute(most, &at_zero);
        let (Some(least), Some(more)) =
            (terms.int_value(least).cloned(), terms.int_value(more).cloned())
        else {
            return Err(not_copied(name, span));
        };
        let id = terms.var(&format!("{name}.id"), SortId::INT);
        let template = Template {
            process: self.network.processes.len(),
            clocks: 0..0,
            numbers: 0..0,
            id,
            least,
            size,
            more,
        };
        if !is_first || template.last(&mut self.network.terms) != most {
            let message = format!(
                "how many copies of {name} there are is not a constant, or one more or less"
            );
            return Err(refused(span, message, HINT));
        }
        let (clocks, numbers) = (self.network.clocks.len(), self.network.numbers.len());
        // Edges of copies meet those of other copies, which the moves ask for.
        self.process(name, element, &[Thing::Unknown(id)])?;
        let clocks = clocks..self.network.clocks.len();
        let numbers = numbers..self.network.numbers.len();
        // A location of the template is not that of any copy in particular.
        if let Some(globals) = self.globals.names.first_mut() {
            let prefix = format!("{name}.");
            globals.retain(|key, _| !key.starts_with(&prefix));
        }
        let family = self.family.as_mut().expect("there is one");
        family.template = Some(Template { clocks, numbers, ..template });
        Ok(())
    }
}

/// Reads `int[a, N…]`, and gives back the only name behind the comma.
fn ends_with<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    cursor.eat("int")?;
    cursor.eat("[")?;
    while !cursor.is(",") {
        if cursor.is_at_end() {
            return None;
        }
        cursor.take();
    }
    let mut names = BTreeSet::new();
    while cursor.eat("]").is_none() {
        if cursor.is_at_end() {
            return None;
        }
        let token = cursor.take();
        if token.kind == Kind::Name {
            names.insert(cursor.text(token.span));
        }
    }
    match names.len() {
        1 => names.pop_first(),
        _ => None,
    }
}
