//! The commands of a script, one after the other, and what is in force.
//!
//! Declarations were settled when the script was read; here are the assertions with their levels,
//! the functions that models speak about, and the last answer. Formulas with quantifiers are not
//! asserted: `question` says what becomes of them.
//!
//! Invariant: the solver has the assertions that are `posted`, in their order.

use super::kernel::Kernel;
use super::question::State;
use super::settings::Options;
use super::{Request, Said, Summary};
use alphorn_front::smtlib::general::{Command, Written, text_at};
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{FuncId, Store, TermId};
use std::collections::BTreeMap;

/// An assertion in force.
#[derive(Clone, Debug)]
pub(super) struct Asserted {
    pub(super) formula: Written,
    pub(super) name: Option<String>,
    /// Its number in the solver; nothing for what the solver is not given.
    pub(super) posted: Option<usize>,
}

/// What `pop` goes back to.
#[derive(Clone, Copy, Debug)]
struct Level {
    assertions: usize,
    posted: usize,
    named: usize,
    funcs: usize,
}

/// A run of a script.
pub(super) struct Session<'a, K> {
    pub(super) store: Store,
    pub(super) bytes: &'a [u8],
    pub(super) request: &'a Request,
    make: &'a dyn Fn(&super::Settings) -> K,
    say: &'a mut dyn FnMut(Said),
    pub(super) kernel: Option<K>,
    pub(super) options: Options,
    pub(super) logic: Option<String>,
    pub(super) infos: BTreeMap<String, String>,
    pub(super) assertions: Vec<Asserted>,
    /// How many assertions the solver has.
    posted: usize,
    /// The names of formulas within the assertions.
    pub(super) named: Vec<(String, TermId)>,
    pub(super) funcs: Vec<FuncId>,
    /// Formulas without quantifiers, where they were found, for some with them.
    pub(super) eliminated: BTreeMap<TermId, Option<TermId>>,
    levels: Vec<Level>,
    pub(super) state: State,
    pub(super) summary: Summary,
}

/// What a command comes to: a reply, `None` for success, or what is wrong with it.
pub(super) type Reply = Result<Option<String>, String>;

impl<'a, K: Kernel> Session<'a, K> {
    pub(super) fn new(
        store: Store,
        bytes: &'a [u8],
        request: &'a Request,
        make: &'a dyn Fn(&super::Settings) -> K,
        say: &'a mut dyn FnMut(Said),
    ) -> Session<'a, K> {
        Session {
            store,
            bytes,
            request,
            make,
            say,
            kernel: None,
            options: Options::default(),
            logic: None,
            infos: BTreeMap::new(),
            assertions: Vec::new(),
            posted: 0,
            named: Vec::new(),
            funcs: Vec::new(),
            eliminated: BTreeMap::new(),
            levels: Vec::new(),
            state: State::Fresh,
            summary: Summary::default(),
        }
    }

    /// Runs the commands.
    pub(super) fn run(mut self, commands: &[(Command, Span)]) -> Summary {
        for (command, span) in commands {
            match self.command(command) {
                Ok(Some(reply)) => self.tell(Said::Reply(reply)),
                Ok(None) if self.options.is_on(":print-success") => {
                    self.tell(Said::Reply("success".to_owned()));
                }
                Ok(None) => {}
                Err(message) => self.error(*span, &message),
            }
        }
        self.summary
    }

    pub(super) fn tell(&mut self, said: Said) {
        (self.say)(said);
    }

    fn error(&mut self, span: Span, message: &str) {
        self.summary.errors += 1;
        let diagnostic = Diagnostic::error(Code::SmtCommand, span, message);
        self.tell(Said::Reply(super::error_reply(self.bytes, &diagnostic)));
    }

    fn command(&mut self, command: &Command) -> Reply {
        match command {
            Command::SetLogic(logic) => self.set_logic(logic),
            Command::SetOption(attribute) => self.set_option(attribute),
            Command::SetInfo(attribute) => {
                let value = attribute.value.clone().unwrap_or_default();
                self.infos.insert(attribute.keyword.clone(), value);
                Ok(None)
            }
            Command::DeclareFun(func) => {
                self.funcs.push(*func);
                Ok(None)
            }
            Command::Declare | Command::Exit => Ok(None),
            Command::Assert { formula, name, named } => {
                self.assert(*formula, name.clone());
                self.named.extend(named.iter().cloned());
                Ok(None)
            }
            Command::CheckSat => Ok(Some(self.ask(None))),
            Command::CheckSatAssuming(assumptions) => Ok(Some(self.ask(Some(assumptions)))),
            Command::Push(count) => self.push(*count),
            Command::Pop(count) => self.pop(*count),
            Command::GetModel => self.get_model(),
            Command::GetValue(terms) => self.get_value(terms),
            Command::GetAssignment => self.get_assignment(),
            Command::GetUnsatCore => self.get_unsat_core(),
            Command::GetUnsatAssumptions => self.get_unsat_assumptions(),
            Command::GetProof => self.get_proof(),
            Command::GetInterpolants(partition) => self.get_interpolants(partition),
            Command::GetAssertions => {
                let texts = self.assertions.iter().map(|asserted| self.text(asserted.formula));
                Ok(Some(format!("({})", texts.collect::<Vec<String>>().join("\n "))))
            }
            Command::GetInfo(keyword) => self.get_info(keyword),
            Command::GetOption(keyword) => Ok(Some(self.options.reply(keyword))),
            Command::Echo(text) => Ok(Some(text.clone())),
            Command::Simplify(term) => Ok(Some(self.store.show(*term))),
            Command::Reset => {
                self.options = Options::default();
                self.logic = None;
                self.infos.clear();
                self.reset(true)
            }
            Command::ResetAssertions => self.reset(!self.options.is_on(":global-declarations")),
        }
    }

    /// A term as the script has it.
    pub(super) fn text(&self, written: Written) -> String {
        text_at(self.bytes, written.span)
    }

    /// The solver, with the terms; it is made when it is first needed, when options are settled.
    pub(super) fn solver(&mut self) -> (&mut K, &mut Store) {
        let settings = || self.options.settings(self.request);
        let kernel = self.kernel.get_or_insert_with(|| (self.make)(&settings()));
        (kernel, &mut self.store)
    }

    /// Another solver, without assertions.
    pub(super) fn fresh(&self, proofs: bool) -> K {
        let settings = self.options.settings(self.request);
        (self.make)(&super::Settings { proofs, cores: false, ..settings })
    }

    fn assert(&mut self, formula: Written, name: Option<String>) {
        self.state = State::Fresh;
        let mut posted = None;
        if !self.store.has_quantifier(formula.term) {
            let (kernel, store) = self.solver();
            kernel.assert(store, formula.term);
            posted = Some(self.posted);
            self.posted += 1;
        }
        self.assertions.push(Asserted { formula, name, posted });
    }

    fn push(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let level = Level {
            assertions: self.assertions.len(),
            posted: self.posted,
            named: self.named.len(),
            funcs: self.funcs.len(),
        };
        for _ in 0..count {
            self.solver().0.push();
            self.levels.push(level);
        }
        Ok(None)
    }

    fn pop(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let base = self.levels.len().saturating_sub(count);
        for _ in base..self.levels.len() {
            self.solver().0.pop();
        }
        if let Some(level) = self.levels.drain(base..).next() {
            self.assertions.truncate(level.assertions);
            self.posted = level.posted;
            self.named.truncate(level.named);
            if !self.options.is_on(":global-declarations") {
                self.funcs.truncate(level.funcs);
            }
        }
        Ok(None)
    }

    fn reset(&mut self, with_declarations: bool) -> Reply {
        self.kernel = None;
        self.state = State::Fresh;
        self.levels.clear();
        self.assertions.clear();
        self.posted = 0;
        self.named.clear();
        if with_declarations {
            self.funcs.clear();
        }
        Ok(None)
    }

    /// How many levels there are.
    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }
}
