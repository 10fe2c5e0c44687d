//! Commands that declare or define symbols and sorts, from behind the command's name up to its
//! closing parenthesis. The readers of Horn clauses and of general scripts share them.

use super::Fallible;
use super::context::{Context, Macro};
use super::cursor::{Cursor, shorten};
use super::lex::Kind;
use super::operators::fit;
use super::scope::{Meaning, NameId};
use super::sorts::SortMeaning;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{FuncId, SortId, TermId};
use rustc_hash::FxHashSet;

/// What a definition says before its body.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: NameId,
    pub(super) params: Vec<(NameId, SortId)>,
    pub(super) result: SortId,
}

impl Context {
    /// Reads the name of a function that is being declared.
    pub(super) fn new_name(&mut self, cursor: &mut Cursor<'_>) -> Fallible<(NameId, Span)> {
        let token = cursor.symbol("a name")?;
        let name = self.scope.name(cursor.bytes_of(token));
        if !self.scope.is_free(name) {
            return Err(self.redeclared(name, token.span()));
        }
        Ok((name, token.span()))
    }

    pub(crate) fn declare_sort_command(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let token = cursor.symbol("the name of a sort")?;
        let name = self.scope.name(cursor.bytes_of(token));
        self.check_new_sort(name, token.span())?;
        let arity = match cursor.peek().kind {
            Kind::Close => 0,
            _ => cursor.small_numeral("the number of arguments")? as usize,
        };
        self.sorts.declare(name, SortMeaning::Declared(arity));
        Ok(())
    }

    pub(crate) fn define_sort(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let token = cursor.symbol("the name of a sort")?;
        let name = self.scope.name(cursor.bytes_of(token));
        self.check_new_sort(name, token.span())?;
        cursor.open("the list of parameters")?;
        let mut params = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            let token = cursor.symbol("a parameter")?;
            let param = self.scope.name(cursor.bytes_of(token));
            if params.contains(&param) {
                return Err(self.redeclared(param, token.span()));
            }
            params.push(param);
        }
        let body = self.parse_template(cursor, &params, 0)?;
        self.sorts.declare(name, SortMeaning::Macro(params.len(), body));
        Ok(())
    }

    pub(crate) fn declare_fun(&mut self, cursor: &mut Cursor<'_>) -> Fallible<FuncId> {
        let (name, _) = self.new_name(cursor)?;
        cursor.open("the list of the arguments' sorts")?;
        let args = self.sorts(cursor)?;
        let result = self.parse_sort(cursor)?;
        Ok(self.declare(name, &args, result))
    }

    /// Reads sorts up to and with a closing parenthesis.
    pub(super) fn sorts(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Vec<SortId>> {
        let mut sorts = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            sorts.push(self.parse_sort(cursor)?);
        }
        Ok(sorts)
    }

    pub(crate) fn declare_const(&mut self, cursor: &mut Cursor<'_>) -> Fallible<FuncId> {
        let (name, _) = self.new_name(cursor)?;
        let result = self.parse_sort(cursor)?;
        Ok(self.declare(name, &[], result))
    }

    /// Declares a function.
    pub(super) fn declare(&mut self, name: NameId, args: &[SortId], result: SortId) -> FuncId {
        let func = self.store.declare(self.scope.text(name), args, result);
        self.scope.declare(name, Meaning::Func(func));
        func
    }

    pub(crate) fn define_fun(&mut self, cursor: &mut Cursor<'_>, start: u32) -> Fallible<()> {
        let signature = self.signature(cursor)?;
        self.define_body(cursor, &signature, start)
    }

    /// Reads a name that can be defined, parameters and a sort.
    pub(super) fn signature(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Signature> {
        let (name, _) = self.new_name(cursor)?;
        cursor.open("the list of parameters")?;
        let mut params: Vec<(NameId, SortId)> = Vec::new();
        let mut seen = FxHashSet::default();
        while cursor.eat(Kind::Close).is_none() {
            cursor.open("a parameter with its sort")?;
            let token = cursor.symbol("a parameter")?;
            let sort = self.parse_sort(cursor)?;
            cursor.close("a closing parenthesis after the parameter's sort")?;
            let param = self.scope.name(cursor.bytes_of(token));
            if !seen.insert(param) {
                let param = shorten(cursor.text_of(token));
                let message = format!("the parameter `{param}` is repeated");
                let diagnostic = Diagnostic::error(Code::SmtRedeclared, token.span(), message);
                return Err(Box::new(diagnostic));
            }
            params.push((param, sort));
        }
        let result = self.parse_sort(cursor)?;
        Ok(Signature { name, params, result })
    }

    /// Reads the body of a definition and makes its name known.
    pub(super) fn define_body(
        &mut self,
        cursor: &mut Cursor<'_>,
        signature: &Signature,
        start: u32,
    ) -> Fallible<()> {
        let (params, body) = self.body(cursor, signature)?;
        let name = signature.name;
        // A name inside the body may have taken this one.
        if !self.scope.is_free(name) {
            return Err(self.redeclared(name, cursor.span_from(start)));
        }
        let meaning = if params.is_empty() {
            Meaning::Value(body)
        } else {
            self.macros.push(Macro { params, body });
            Meaning::Macro(self.macros.len() as u32 - 1)
        };
        self.scope.declare(name, meaning);
        Ok(())
    }

    /// Reads the body of a definition, in which its parameters stand for variables.
    pub(super) fn body(
        &mut self,
        cursor: &mut Cursor<'_>,
        signature: &Signature,
    ) -> Fallible<(Vec<TermId>, TermId)> {
        let mark = self.scope.mark();
        let mut bind =
            |&(name, sort): &(NameId, SortId)| self.scope.bind_var(&mut self.store, name, sort);
        let params: Vec<TermId> = signature.params.iter().map(&mut bind).collect();
        let body = self.term_of(cursor, signature.result);
        self.scope.undo(mark);
        Ok((params, body?))
    }

    /// Reads a term of this sort.
    fn term_of(&mut self, cursor: &mut Cursor<'_>, sort: SortId) -> Fallible<TermId> {
        let start = cursor.peek().start;
        let mut body = [self.parse_term(cursor)?];
        fit(&mut self.store, &mut body, &[sort]);
        let [body] = body;
        let store = &self.store;
        if store.sort(body) == sort {
            return Ok(body);
        }
        let (wants, got) = (store.show_sort(sort), store.show_sort(store.sort(body)));
        let message = format!(
            "the definition should have sort {}, but has sort {}",
            shorten(&wants),
            shorten(&got)
        );
        let span = cursor.span_from(start);
        Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
    }

    pub(crate) fn define_const(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let start = cursor.peek().start;
        let (name, _) = self.new_name(cursor)?;
        let result = self.parse_sort(cursor)?;
        self.define_body(cursor, &Signature { name, params: Vec::new(), result }, start)
    }
}
