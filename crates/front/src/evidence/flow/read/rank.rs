//! Reading what shows that a flow ends: levels of ranking functions, and unions of relations.

use super::FlowReader;
use crate::evidence::{Fallible, wrong};
use crate::smtlib::Kind;
use alphorn_problem::evidence::flow::{Disjunctive, Level};
use alphorn_problem::flow::LocId;
use alphorn_term::{SortId, TermId};

impl<'a> FlowReader<'a> {
    pub(super) fn formulas(&mut self, what: &str, unsaid: TermId) -> Fallible<Vec<TermId>> {
        let mut formulas = self.per_location(unsaid);
        while self.enter(what) {
            let at = self.location()?;
            formulas[at] = self.term(SortId::BOOL)?;
            self.cursor.close("the end of the formula")?;
        }
        Ok(formulas)
    }

    /// A positive constant, which says the sort of what it belongs to.
    fn least(&mut self) -> Fallible<(TermId, SortId)> {
        let start = self.cursor.peek().start;
        let least = self.reader.context.parse_term(&mut self.cursor)?;
        let sort = self.reader.context.store().sort(least);
        match sort.is_arithmetic() {
            true => Ok((least, sort)),
            false => wrong(self.cursor.span_from(start), "a number is expected"),
        }
    }

    pub(super) fn levels(&mut self) -> Fallible<Vec<Level>> {
        let mut levels = Vec::new();
        while self.enter("level") {
            let (least, sort) = self.least()?;
            self.expect("removed")?;
            let mut removed = Vec::new();
            while self.cursor.eat(Kind::Close).is_none() {
                removed.push(self.cursor.small_numeral("a transition")? as usize);
            }
            let mut functions = Vec::new();
            while self.enter("function") {
                let zero = self.reader.context.store_mut().number(sort, &0.into());
                functions.push(self.by_location(sort, zero)?);
            }
            self.cursor.close("the end of the level")?;
            levels.push(Level { functions, removed, least });
        }
        Ok(levels)
    }

    /// Terms of this sort for locations, up to the closing parenthesis.
    fn by_location(&mut self, sort: SortId, unsaid: TermId) -> Fallible<Vec<TermId>> {
        let mut terms = self.per_location(unsaid);
        while self.cursor.eat(Kind::Close).is_none() {
            self.cursor.open("`(LOCATION TERM)`")?;
            let at = self.location()?;
            terms[at] = self.term(sort)?;
            self.cursor.close("the end of the term")?;
        }
        Ok(terms)
    }

    pub(super) fn union(&mut self) -> Fallible<Disjunctive> {
        self.expect("union")?;
        self.expect("cuts")?;
        let mut cuts = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            cuts.push(LocId(self.location()? as u32));
        }
        self.expect("saved")?;
        let mut saved = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            saved.push(self.reader.context.parse_term(&mut self.cursor)?);
        }
        let (mut relations, mut functions, mut leasts) = (Vec::new(), Vec::new(), Vec::new());
        while self.enter("relation") {
            relations.push(self.by_location(SortId::BOOL, TermId::TRUE)?);
        }
        while self.enter("function") {
            let start = self.cursor.peek().start;
            let function = self.reader.context.parse_term(&mut self.cursor)?;
            let (least, sort) = self.least()?;
            if self.reader.context.store().sort(function) != sort {
                return wrong(self.cursor.span_from(start), "both must have one sort");
            }
            self.cursor.close("the end of the function")?;
            functions.push(function);
            leasts.push(least);
        }
        self.cursor.close("the end of the union")?;
        Ok(Disjunctive { cuts, saved, relations, functions, least: leasts })
    }
}
