//! Z3's fixedpoint dialect: `declare-rel`, `declare-var`, `rule`, `query`.
//!
//! Variables are declared once and are universally quantified in each rule that mentions them. A
//! query asks whether a formula can be derived; as a clause, that formula implies false. So the
//! answer's words are the other way round: Z3 says `sat` where the query can be reached.
//!
//! Every query is a question of its own, about the rules before it; it adds nothing to them.
//!
//! After Hoder, Bjørner, de Moura, "µZ: An Efficient Engine for Fixed Points with Constraints"
//! (CAV 2011).

use super::Fallible;
use super::lex::Kind;
use super::scope::Meaning;
use super::script::{Dialect, Reader};
use super::term::Assertion;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{FuncId, Op, SortId, TermId};

impl Reader<'_> {
    fn speak_fixedpoint(&mut self, start: u32) -> Fallible<()> {
        let span = Span { start, end: self.cursor.last_end() };
        self.speak(Dialect::Fixedpoint, span)
    }

    pub(super) fn declare_rel(&mut self, start: u32) -> Fallible<()> {
        self.speak_fixedpoint(start)?;
        let (name, _) = self.context.new_name(&mut self.cursor)?;
        self.cursor.open("the list of the arguments' sorts")?;
        let args = self.context.sorts(&mut self.cursor)?;
        let func = self.context.declare(name, &args, SortId::BOOL);
        self.note_function(func, start);
        self.skip_hints("representation")
    }

    /// Skips what else a command says to Z3's engines.
    fn skip_hints(&mut self, what: &str) -> Fallible<()> {
        while self.cursor.peek().kind != Kind::Close {
            let span = self.cursor.skip_expression("a closing parenthesis")?;
            let message = format!("this {what} has no effect here");
            let warning = Diagnostic::warning(Code::SmtIgnored, span, message);
            self.context.warn_once(what, warning);
        }
        Ok(())
    }

    pub(super) fn declare_var(&mut self, start: u32) -> Fallible<()> {
        self.speak_fixedpoint(start)?;
        let (name, _) = self.context.new_name(&mut self.cursor)?;
        let sort = self.context.parse_sort(&mut self.cursor)?;
        let context = &mut self.context;
        let var = context.scope.bind_var(&mut context.store, name, sort);
        context.scope.keep_bindings();
        context.scope.declare(name, Meaning::Value(var));
        Ok(())
    }

    pub(super) fn rule(&mut self, start: u32) -> Fallible<()> {
        self.speak_fixedpoint(start)?;
        let mut assertion = self.context.parse_assertion(&mut self.cursor)?;
        if matches!(self.cursor.peek().kind, Kind::Symbol | Kind::Quoted) {
            let token = self.cursor.symbol("the rule's name")?;
            assertion.name = Some(self.cursor.text_of(token).to_owned());
            // Names of rules are no symbols here, but names of assertions are.
            self.context.has_mixed_names = true;
        }
        self.skip_hints("annotation of a rule")?;
        let formula = assertion.body.unwrap_or(TermId::TRUE);
        let span = Span { start, end: self.cursor.peek().end };
        if self.asked.is_some() {
            self.unasked.push(span);
        }
        self.add_declared_vars(&mut assertion, formula);
        self.add_clauses(assertion, formula, span);
        Ok(())
    }

    /// The declared variables a formula mentions are the clause's.
    fn add_declared_vars(&mut self, assertion: &mut Assertion, formula: TermId) {
        for var in self.context.store.free_vars(&[formula]) {
            if !assertion.vars.contains(&var) {
                assertion.vars.push(var);
            }
        }
    }

    pub(super) fn query(&mut self, start: u32) -> Fallible<()> {
        self.speak_fixedpoint(start)?;
        let mut assertion = Assertion::default();
        let goal = match self.queried_predicate() {
            Some(func) => {
                let token = self.cursor.take();
                let args = self.context.store.func(func).args.clone();
                let fresh = |sort: SortId| self.context.store.fresh_var("x", sort);
                assertion.vars = args.into_iter().map(fresh).collect();
                let atom = self.context.store.mk(Op::Apply(func), &assertion.vars);
                self.context.atoms = vec![(atom, token.span())];
                atom
            }
            None => self.formula()?,
        };
        while self.cursor.peek().kind != Kind::Close {
            self.skip_hints("option of a query")?;
        }
        let formula = self.context.store.not(goal);
        self.add_declared_vars(&mut assertion, formula);
        let span = Span { start, end: self.cursor.peek().end };
        let rules = self.clauses.len();
        self.add_clauses(assertion, formula, span);
        self.ask(span);
        self.clauses.truncate(rules);
        Ok(())
    }

    /// The predicate ahead, if a predicate with arguments stands there alone.
    fn queried_predicate(&self) -> Option<FuncId> {
        let token = self.cursor.peek();
        if !matches!(token.kind, Kind::Symbol | Kind::Quoted) {
            return None;
        }
        let name = self.context.scope.find(self.cursor.bytes_of(token))?;
        match self.context.scope.meaning(name) {
            Meaning::Func(func) if self.context.store.func(func).result == SortId::BOOL => {
                Some(func)
            }
            _ => None,
        }
    }

    fn formula(&mut self) -> Fallible<TermId> {
        let start = self.cursor.peek().start;
        let term = self.context.parse_term(&mut self.cursor)?;
        if self.context.store.sort(term) == SortId::BOOL {
            return Ok(term);
        }
        let message = "a query must be a formula";
        let span = self.cursor.span_from(start);
        Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
    }
}
