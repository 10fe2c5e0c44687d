//! Tags and what must hold where they stand.

use super::commands::{Reader, error};
use super::place::Place;
use crate::blocks::Builder;
use crate::diag::{Code, Diagnostic};
use crate::smtlib::{Fallible, Kind};
use alphorn_problem::Span;
use alphorn_program::form::{Action, Block, BlockId, Check, Jump, Step};
use alphorn_term::{SortId, TermId};

/// What is said of a place.
#[derive(Clone, Debug, Default)]
struct Said {
    checks: Vec<(TermId, Span)>,
    invariants: Vec<(TermId, Span)>,
    requires: Vec<TermId>,
    ensures: Vec<(TermId, Span)>,
}

impl Reader<'_> {
    /// Reads what follows a statement in `(! s …)` with the closing parenthesis.
    pub(super) fn end_annotated(
        &mut self,
        place: Place,
        outer: Option<BlockId>,
        builder: &mut Builder,
    ) -> Fallible<()> {
        builder.jump(Jump::Goto(place.after), place.after);
        match outer {
            Some(exit) => {
                builder.exit = exit;
                builder.leave(Jump::Goto(exit), place.span);
            }
            None => {
                builder.fall(place.span);
            }
        }
        let mut tag = None;
        let said = self.said(Some((&mut tag, place)))?;
        self.cursor.close("a closing parenthesis")?;
        let name = tag.as_deref().unwrap_or("check-true").to_owned();
        self.hold(place, &name, said, &mut builder.blocks);
        Ok(())
    }

    /// `(annotate-tag t …)`: what is said of all places of the tag.
    pub(super) fn annotate_tag(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("a tag")?;
        let name = self.cursor.text_of(token).to_owned();
        let places = self.tags.get(&name).cloned().unwrap_or_default();
        if places.is_empty() {
            let message = format!("no statement has the tag `{name}`");
            return error(Code::SvlibTag, token.span(), message);
        }
        let start = self.cursor.clone();
        for place in places {
            self.cursor = start.clone();
            let mark = self.context.declared();
            self.bind_variables(place.proc);
            let said = self.said(None);
            self.context.undeclare(mark);
            let mut blocks = std::mem::take(&mut self.program.procs[place.proc].blocks);
            let result = said.map(|said| self.hold(place, &name, said, &mut blocks));
            self.program.procs[place.proc].blocks = blocks;
            result?;
        }
        Ok(())
    }

    /// Reads attributes up to the closing parenthesis; within a statement `:tag` is one of them.
    fn said(&mut self, mut within: Option<(&mut Option<String>, Place)>) -> Fallible<Said> {
        let mut said = Said::default();
        while self.cursor.peek().kind != Kind::Close {
            let keyword = self.cursor.keyword()?;
            let span = keyword.span();
            match (self.cursor.text_of(keyword), &mut within) {
                (":tag", Some((tag, place))) => {
                    let token = self.cursor.symbol("a tag")?;
                    let name = self.cursor.text_of(token).to_owned();
                    self.tags.entry(name.clone()).or_default().push(*place);
                    **tag = Some(name);
                }
                (":check-true", _) => said.checks.push((self.formula()?, span)),
                (":invariant", _) => said.invariants.push((self.formula()?, span)),
                (":requires", _) => said.requires.push(self.formula()?),
                (":ensures", _) => said.ensures.push((self.formula()?, span)),
                (":decreases" | ":decreases-lex" | ":recurring" | ":not-recurring", _) => {
                    let message = "annotations about termination are not treated";
                    let code = Code::SvlibUnsupported;
                    return Err(Box::new(Diagnostic::unsupported(code, span, message)));
                }
                (word, _) => {
                    let message = format!("there is no annotation {word}");
                    return error(Code::SvlibTag, span, message);
                }
            }
        }
        Ok(said)
    }

    /// Puts checks where they belong.
    fn hold(&mut self, place: Place, name: &str, said: Said, blocks: &mut [Block]) {
        let mut check = |block: BlockId, formula: TermId, span: Span| {
            let check = Check { property: name.to_owned(), formula };
            blocks[block.0 as usize].steps.push(Step { action: Action::Check(check), span });
        };
        for (formula, span) in said.checks {
            check(place.before, formula, span);
        }
        for (formula, span) in said.invariants {
            check(place.head.unwrap_or(place.before), formula, span);
        }
        if said.requires.is_empty() {
            for (formula, span) in said.ensures {
                check(place.after, formula, span);
            }
            return;
        }
        if said.ensures.is_empty() {
            return;
        }
        // Whether it was required is remembered from before the statement.
        let required = self.context.store_mut().and(&said.requires);
        let flag = self.add_var(&format!("{name} requires"), SortId::BOOL, place.span);
        self.program.procs[place.proc].locals.push(flag);
        let held = self.program.term(flag);
        for (formula, span) in said.ensures {
            let implied = self.context.store_mut().implies(held, formula);
            let check = Check { property: name.to_owned(), formula: implied };
            let step = Step { action: Action::Check(check), span };
            blocks[place.after.0 as usize].steps.push(step);
        }
        let action = Action::Assign(vec![(flag, required)]);
        blocks[place.before.0 as usize].steps.push(Step { action, span: place.span });
    }
}
