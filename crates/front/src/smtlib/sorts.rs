//! Sorts in the text: names, `Array`, `(_ BitVec n)`, abbreviations and parameters.
//!
//! Inside a datatype with parameters or a `define-sort`, a sort is a template over the
//! parameters. Everywhere else a template is closed and comes to a sort of the store at once.
//!
//! Templates grow by substitution, doubling at every step if the input wants it. So the size of
//! every sort, written out, is bounded by `MAX_SORT_NODES`; whoever walks a sort may recurse.

mod instantiate;

use super::Fallible;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::datatypes::ROUNDING_MODES;
use super::heaps::not_treated;
use super::lex::{Kind, Token};
use super::scope::NameId;
use crate::diag::{Code, Diagnostic};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::{MAX_WIDTH, SortId};
use instantiate::expand;
use rustc_hash::FxHashMap;

/// The largest sort, in nodes when written out.
pub(super) const MAX_SORT_NODES: usize = 500;
/// The deepest nesting of parentheses in a sort.
const MAX_SORT_DEPTH: usize = 100;

/// A sort over parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Template {
    /// A sort without parameters.
    Sort(SortId),
    /// A parameter, by its position.
    Param(usize),
    /// An array sort.
    Array(Box<Template>, Box<Template>),
    /// A declared sort, applied.
    Declared(NameId, Vec<Template>),
    /// A datatype, by its position, applied.
    Data(usize, Vec<Template>),
}

/// What a name stands for among sorts.
#[derive(Clone, Debug)]
pub(super) enum SortMeaning {
    /// A sort.
    Sort(SortId),
    /// `Array`.
    Array,
    /// A sort of `declare-sort` with this many arguments.
    Declared(usize),
    /// A datatype, by its position.
    Data(usize),
    /// An abbreviation with this many parameters.
    Macro(usize, Template),
}

/// The names of sorts in force.
#[derive(Clone, Debug, Default)]
pub(super) struct SortNames {
    meanings: FxHashMap<NameId, SortMeaning>,
    log: Vec<(NameId, Option<SortMeaning>)>,
    sizes: FxHashMap<SortId, usize>,
}

impl SortNames {
    /// What a name means.
    pub(super) fn meaning(&self, name: NameId) -> Option<&SortMeaning> {
        self.meanings.get(&name)
    }

    /// Gives a name a meaning for the rest of the level.
    pub(super) fn declare(&mut self, name: NameId, meaning: SortMeaning) {
        let before = self.meanings.insert(name, meaning);
        self.log.push((name, before));
    }

    /// The place in the log of declarations.
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back the declarations since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        for (name, before) in self.log.drain(mark.min(self.log.len())..).rev() {
            match before {
                Some(meaning) => self.meanings.insert(name, meaning),
                None => self.meanings.remove(&name),
            };
        }
    }
}

fn too_large(span: Span) -> Box<Diagnostic> {
    let message = format!("the sort has more than {MAX_SORT_NODES} parts");
    Box::new(Diagnostic::unsupported(Code::SmtSort, span, message))
}

impl Context {
    /// Reads a sort.
    pub fn parse_sort(&mut self, cursor: &mut Cursor<'_>) -> Fallible<SortId> {
        let token = cursor.peek();
        if token.kind == Kind::Symbol
            && let Some(name) = self.scope.find(cursor.bytes_of(token))
            && let Some(&SortMeaning::Sort(sort)) = self.sorts.meaning(name)
        {
            cursor.take();
            return Ok(sort);
        }
        let template = self.parse_template(cursor, &[], 0)?;
        self.instantiate(&template, &[], cursor.span_from(token.start))
    }

    /// Reads a sort over the parameters `params`.
    pub(super) fn parse_template(
        &mut self,
        cursor: &mut Cursor<'_>,
        params: &[NameId],
        depth: usize,
    ) -> Fallible<Template> {
        let start = cursor.peek().start;
        if depth > MAX_SORT_DEPTH {
            return Err(too_large(cursor.peek().span()));
        }
        if cursor.eat(Kind::Open).is_none() {
            let token = cursor.symbol("a sort")?;
            return self.sort_application(cursor, token, Vec::new(), params, token.span());
        }
        if cursor.is_word("_") {
            cursor.take();
            return self.indexed_sort(cursor, start);
        }
        let token = cursor.symbol("the name of a sort")?;
        let mut args = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            args.push(self.parse_template(cursor, params, depth + 1)?);
        }
        if args.is_empty() {
            let message = format!("`{}` stands between parentheses but has no arguments", {
                shorten(cursor.text_of(token))
            });
            let place = cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, place, message)));
        }
        let place = cursor.span_from(start);
        self.sort_application(cursor, token, args, params, place)
    }

    fn indexed_sort(&mut self, cursor: &mut Cursor<'_>, start: u32) -> Fallible<Template> {
        let token = cursor.symbol("the name of a sort")?;
        if cursor.bytes_of(token) != b"BitVec" {
            let name = shorten(cursor.text_of(token));
            let message = format!("there is no treatment of the sort (_ {name} …)");
            return Err(Box::new(Diagnostic::unsupported(Code::SmtSort, token.span(), message)));
        }
        let width = cursor.small_numeral("the width")?;
        cursor.close("a closing parenthesis")?;
        if width == 0 || width > MAX_WIDTH {
            let message = format!("the width of a word must be between 1 and {MAX_WIDTH}");
            let place = cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSort, place, message)));
        }
        Ok(Template::Sort(self.store.bv_sort(width)))
    }

    fn sort_application(
        &mut self,
        cursor: &Cursor<'_>,
        token: Token,
        args: Vec<Template>,
        params: &[NameId],
        span: Span,
    ) -> Fallible<Template> {
        let name = self.scope.name(cursor.bytes_of(token));
        if let Some(position) = params.iter().position(|&param| param == name) {
            self.check_sort_arity(token.span(), name, 0, args.len())?;
            return Ok(Template::Param(position));
        }
        if self.sorts.meaning(name).is_none() && cursor.bytes_of(token) == ROUNDING_MODES {
            self.declare_rounding_modes(token.span())?;
        }
        if self.sorts.meaning(name).is_none() {
            self.declare_from_below(cursor, token)?;
        }
        let Some(meaning) = self.sorts.meaning(name).cloned() else {
            return Err(self.unknown_sort(token.span(), name));
        };
        let template = match meaning {
            SortMeaning::Sort(sort) => {
                self.check_sort_arity(span, name, 0, args.len())?;
                Template::Sort(sort)
            }
            SortMeaning::Array => {
                self.check_sort_arity(span, name, 2, args.len())?;
                let mut args = args.into_iter();
                let (Some(index), Some(element)) = (args.next(), args.next()) else {
                    return Err(self.unknown_sort(span, name));
                };
                Template::Array(Box::new(index), Box::new(element))
            }
            SortMeaning::Declared(arity) => {
                self.check_sort_arity(span, name, arity, args.len())?;
                Template::Declared(name, args)
            }
            SortMeaning::Data(data) => {
                let arity = self.datatypes.arity(data);
                self.check_sort_arity(span, name, arity, args.len())?;
                Template::Data(data, args)
            }
            SortMeaning::Macro(arity, body) => {
                self.check_sort_arity(span, name, arity, args.len())?;
                let mut budget = MAX_SORT_NODES;
                expand(&body, &args, &mut budget).ok_or_else(|| too_large(span))?
            }
        };
        self.collapse(template, span)
    }

    /// A template without parameters becomes a sort as soon as everything in it is defined.
    fn collapse(&mut self, template: Template, span: Span) -> Fallible<Template> {
        let is_sort = |template: &Template| matches!(template, Template::Sort(_));
        let closed = match &template {
            Template::Sort(_) | Template::Param(_) => false,
            Template::Array(index, element) => is_sort(index) && is_sort(element),
            Template::Declared(_, args) => args.iter().all(is_sort),
            Template::Data(data, args) => {
                args.iter().all(is_sort) && self.datatypes.is_defined(*data)
            }
        };
        if closed {
            return Ok(Template::Sort(self.instantiate(&template, &[], span)?));
        }
        Ok(template)
    }

    fn check_sort_arity(&self, span: Span, name: NameId, wants: usize, got: usize) -> Fallible<()> {
        if wants == got {
            return Ok(());
        }
        let name = shorten(self.scope.text(name));
        let message = format!("the sort `{name}` takes {wants} arguments, but got {got}");
        Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
    }

    fn unknown_sort(&self, span: Span, name: NameId) -> Box<Diagnostic> {
        let text = self.scope.text(name);
        if self.heap.as_ref().is_some_and(|heap| heap.leaves_out(text)) {
            return not_treated(span, &format!("the sort `{}`", shorten(text)));
        }
        const OTHER: &[&str] = &["String", "RegLan", "Seq", "Set", "Bag", "->"];
        if OTHER.contains(&text) || text.starts_with("Float") {
            let message = format!("there is no treatment of the sort `{text}`");
            return Box::new(Diagnostic::unsupported(Code::SmtSort, span, message));
        }
        let message = format!("the sort `{}` is not declared", shorten(text));
        let diagnostic = Diagnostic::error(Code::SmtUndeclared, span, message);
        let mut names: Vec<&str> =
            self.sorts.meanings.keys().map(|&name| self.scope.text(name)).collect();
        names.sort_unstable();
        Box::new(match nearest(text, names.into_iter()) {
            Some(known) => diagnostic.hint(format!("did you mean `{known}`?")),
            None => diagnostic,
        })
    }
}
