//! Hints: what users think of the predicates of a Horn system.
//!
//! ```text
//! (initial-predicates inv ((x Int) (y Int)) (<= x y) (= x 0))
//! (templates inv ((x Int) (y Int)) (term (- x y) 1) (inequality-term x 2) (predicate (= x y) 3))
//! (define-fun inv ((x Int) (y Int)) Bool (<= x y))
//! ```
//!
//! The first two are Eldarica's: formulas to begin an abstraction with, and terms in which formulas may be
//! said, each with a price. Formulas that only count by their truth are `predicate`s. A definition is what a
//! model would say. All of them are hints: nothing here is true because it is written.
//!
//! An inequality term is taken as a term: which of its values are the same on both sides says all
//! that which is the larger one does.

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::{Context, Cursor, Kind};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_problem::hint::{Hint, HintKind, Hints};
use alphorn_problem::horn::{Horn, PredId};
use alphorn_term::{SortId, TermId};

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// The commands of a file of hints.
const COMMANDS: &str = "`initial-predicates`, `templates` or `define-fun`";

/// Reads hints about a system; the first thing that is wrong ends it.
pub fn read(bytes: &[u8], horn: &Horn) -> Read<Hints> {
    let mut context = Context::over(horn.terms.clone());
    for &var in horn.clauses.iter().flat_map(|clause| &clause.vars) {
        context.adopt_sort(horn.terms.sort(var));
    }
    context.limit_effort(bytes.len());
    let mut reader = Reader { horn, context, all: Vec::new() };
    let mut diagnostics = Diagnostics::default();
    match reader.commands(&mut Cursor::new(bytes)) {
        Ok(()) => {
            let Reader { context, all, .. } = reader;
            (Some(Hints { terms: context.into_store(), all }), diagnostics)
        }
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(Code::Hint, span, message)))
}

struct Reader<'h> {
    horn: &'h Horn,
    context: Context,
    all: Vec<Hint>,
}

impl Reader<'_> {
    fn commands(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        while cursor.peek().kind != Kind::End {
            cursor.open(COMMANDS)?;
            let token = cursor.peek();
            let kind = match cursor.text_of(token) {
                "initial-predicates" => Command::Initial,
                "templates" => Command::Templates,
                "define-fun" => Command::Define,
                _ => return Err(cursor.unexpected(COMMANDS)),
            };
            cursor.take();
            let pred = self.pred(cursor)?;
            let Reader { horn, context, all } = self;
            read_about((context, horn), cursor, pred, kind, all)?;
            cursor.close("the end of the command")?;
        }
        Ok(())
    }

    /// Reads the name of a predicate.
    fn pred(&mut self, cursor: &mut Cursor<'_>) -> Fallible<PredId> {
        let token = cursor.symbol("the predicate's name")?;
        let name = cursor.text_of(token);
        if let Some(pred) = self.horn.pred_ids().find(|&pred| self.horn.pred_name(pred) == name) {
            return Ok(pred);
        }
        let mut diagnostic = Diagnostic::error(
            Code::Hint,
            token.span(),
            "the problem has no predicate of this name",
        );
        let known = self.horn.pred_ids().map(|pred| self.horn.pred_name(pred));
        if let Some(near) = nearest(name, known) {
            diagnostic = diagnostic.hint(format!("there is {near}"));
        }
        Err(Box::new(diagnostic))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Initial,
    Templates,
    Define,
}

/// Reads parameters and what is said of them.
fn read_about(
    (context, horn): (&mut Context, &Horn),
    cursor: &mut Cursor<'_>,
    pred: PredId,
    command: Command,
    all: &mut Vec<Hint>,
) -> Fallible<()> {
    context.scoped(|context| {
        let params = parameters(context, horn, cursor, pred)?;
        let mut push = |(term, span): (TermId, Span), kind: HintKind| {
            all.push(Hint { pred, params: params.clone(), term, kind, span });
        };
        match command {
            Command::Initial => {
                while cursor.peek().kind != Kind::Close {
                    push(formula(context, cursor)?, HintKind::Formula);
                }
            }
            Command::Define => {
                let start = cursor.peek().start;
                if context.parse_sort(cursor)? != SortId::BOOL {
                    return wrong(cursor.span_from(start), "a predicate's value has sort Bool");
                }
                push(formula(context, cursor)?, HintKind::Formula);
            }
            Command::Templates => {
                while cursor.peek().kind != Kind::Close {
                    let (term, kind) = template(context, cursor)?;
                    push(term, kind);
                }
            }
        }
        Ok(())
    })
}

/// Reads parameters, which must fit the predicate, and binds their names.
fn parameters(
    context: &mut Context,
    horn: &Horn,
    cursor: &mut Cursor<'_>,
    pred: PredId,
) -> Fallible<Vec<TermId>> {
    let sorts = horn.pred_args(pred);
    let opening = cursor.open("the parameters")?;
    let mut params: Vec<TermId> = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a parameter")?;
        let token = cursor.symbol("the parameter's name")?;
        let name = cursor.text_of(token).to_owned();
        let start = cursor.peek().start;
        let sort = context.parse_sort(cursor)?;
        match sorts.get(params.len()) {
            Some(&wanted) if wanted == sort => {}
            Some(&wanted) => {
                let wanted = horn.terms.show_sort(wanted);
                return wrong(
                    cursor.span_from(start),
                    format!("argument {} of this predicate has sort {wanted}", params.len() + 1),
                );
            }
            None => return wrong(cursor.span_from(opening.start), arity(horn, pred)),
        }
        let var = context.store_mut().fresh_var(&name, sort);
        context.bind(&name, var);
        params.push(var);
        cursor.close("the end of the parameter")?;
    }
    cursor.take();
    if params.len() != sorts.len() {
        return wrong(cursor.span_from(opening.start), arity(horn, pred));
    }
    Ok(params)
}

fn arity(horn: &Horn, pred: PredId) -> String {
    let count = horn.pred_args(pred).len();
    let s = if count == 1 { "" } else { "s" };
    format!("this predicate has {count} argument{s}")
}

/// Reads a formula without predicates.
fn formula(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<(TermId, Span)> {
    let (term, span) = plain(context, cursor)?;
    if context.store().sort(term) != SortId::BOOL {
        return wrong(span, "a formula is wanted here");
    }
    Ok((term, span))
}

/// Reads a term without functions of the problem.
fn plain(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<(TermId, Span)> {
    let start = cursor.peek().start;
    let term = context.parse_term(cursor)?;
    let span = cursor.span_from(start);
    if context.store().has_apply(term) {
        return wrong(span, "a hint has no predicates and functions in it");
    }
    Ok((term, span))
}

/// Reads a template with its price.
fn template(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
) -> Fallible<((TermId, Span), HintKind)> {
    const KINDS: &str = "`term`, `inequality-term` or `predicate`";
    cursor.open("a template")?;
    let token = cursor.peek();
    let kind: fn(u32) -> HintKind = match cursor.text_of(token) {
        "term" => |cost| HintKind::Term { cost },
        "inequality-term" => |cost| HintKind::Bound { cost },
        "predicate" => |cost| HintKind::Truth { cost },
        _ => return Err(cursor.unexpected(KINDS)),
    };
    let is_formula = cursor.text_of(token) == "predicate";
    let is_bounded = cursor.text_of(token) == "inequality-term";
    cursor.take();
    let (term, span) = if is_formula { formula(context, cursor)? } else { plain(context, cursor)? };
    if is_bounded && !context.store().sort(term).is_arithmetic() {
        return wrong(span, "bounds are of numbers; write `term` for what is none");
    }
    let cost = cursor.small_numeral("the template's price")?;
    cursor.close("the end of the template")?;
    Ok(((term, span), kind(cost)))
}
