//! What the commands of a script do, and what is in force.
//!
//! Declarations were settled when the command was read; here are the assertions with their levels,
//! the functions that models speak about, and the last answer. Formulas with quantifiers are not
//! asserted: `question` says what becomes of them.
//!
//! Solvers catch up with the assertions when a question needs them (`plain`, `instances`).

use crate::instances::Instances;
use crate::kernel::{Kernel, Settings};
use crate::plain::{Counted, Plain};
use crate::question::State;
use crate::settings::Options;
use crate::text::{Kept, Text};
use crate::{Request, Said, Summary};
use alphorn_engine::Alarm;
use alphorn_front::smtlib::general::{Command, Written};
use alphorn_term::{FuncId, Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An assertion in force.
#[derive(Clone, Debug)]
pub(crate) struct Asserted {
    pub(crate) formula: Written,
    pub(crate) name: Option<String>,
    /// Its number in the solver; nothing for what the solver is not given.
    pub(crate) posted: Option<usize>,
    /// The function of which it says what it is, if it is a definition.
    pub(crate) defines: Option<FuncId>,
}

/// What `pop` goes back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) assertions: usize,
    posted: usize,
    named: usize,
    funcs: usize,
    text: usize,
}

/// A run of a script.
pub(crate) struct Session<'a, K> {
    pub(crate) store: Store,
    pub(crate) text: Text,
    pub(crate) request: &'a Request,
    pub(crate) make: &'a dyn Fn(&Settings) -> K,
    say: &'a mut dyn FnMut(Said),
    /// The solver for formulas without quantifiers.
    pub(crate) plain: Option<Plain<K>>,
    /// The solver for formulas with quantifiers.
    pub(crate) instances: Option<Instances>,
    /// What solvers that are no more have counted.
    pub(crate) counted: Counted,
    /// Whether there was an assertion or a level, so that options for solvers are settled.
    pub(crate) has_begun: bool,
    pub(crate) options: Options,
    pub(crate) logic: Option<String>,
    pub(crate) infos: BTreeMap<String, String>,
    pub(crate) assertions: Vec<Asserted>,
    /// How many assertions are for the solver without quantifiers.
    posted: usize,
    /// The names of formulas within the assertions.
    pub(crate) named: Vec<(String, TermId)>,
    pub(crate) funcs: Vec<FuncId>,
    /// Formulas without quantifiers, where they were found, for some with them.
    pub(crate) eliminated: BTreeMap<TermId, Option<TermId>>,
    pub(crate) levels: Vec<Level>,
    /// The outermost number of levels at which a part of the script was left out.
    left_out: Option<usize>,
    alarm: Alarm,
    /// Something to say about the command at hand.
    pub(crate) remark: Option<&'static str>,
    pub(crate) state: State,
    pub(crate) summary: Summary,
}

/// What a command comes to: a reply, `None` for success, or what is wrong with it.
pub(crate) type Reply = Result<Option<String>, String>;

impl<'a, K: Kernel> Session<'a, K> {
    pub(crate) fn new(
        store: Store,
        request: &'a Request,
        make: &'a dyn Fn(&Settings) -> K,
        say: &'a mut dyn FnMut(Said),
    ) -> Session<'a, K> {
        Session {
            store,
            text: Text::Kept(Kept::default()),
            request,
            make,
            say,
            plain: None,
            instances: None,
            counted: Counted::default(),
            has_begun: false,
            options: Options::new(request),
            logic: None,
            infos: BTreeMap::new(),
            assertions: Vec::new(),
            posted: 0,
            named: Vec::new(),
            funcs: Vec::new(),
            eliminated: BTreeMap::new(),
            levels: Vec::new(),
            left_out: None,
            alarm: Alarm::new(Arc::clone(&request.interrupt)),
            remark: None,
            state: State::Fresh,
            summary: Summary::default(),
        }
    }

    /// Runs a command; what is wrong with it if it is out of place.
    pub(crate) fn run(&mut self, command: &Command) -> Result<(), String> {
        match self.command(command)? {
            Some(reply) => self.tell(Said::Reply(reply)),
            None if self.options.is_on(":print-success") => {
                self.tell(Said::Reply("success".to_owned()));
            }
            None => {}
        }
        Ok(())
    }

    pub(crate) fn tell(&mut self, said: Said) {
        (self.say)(said);
    }

    /// A part of the script is not treated: until its level ends, nothing is satisfiable for sure.
    pub(crate) fn leave_out(&mut self) {
        self.state = State::Fresh;
        self.left_out = self.left_out.or(Some(self.levels.len()));
    }

    /// Whether a part of the script that is in force is not treated.
    pub(crate) fn leaves_out(&self) -> bool {
        self.left_out.is_some()
    }

    /// Asks within the limits that are set for a question.
    fn question(&mut self, assumptions: Option<&[Written]>) -> String {
        self.has_begun = true;
        if let Some(time) = self.options.question_time(self.request) {
            self.alarm.ring_in(time);
        }
        let answer = self.ask(assumptions);
        let has_rung = self.alarm.quiet();
        if has_rung && self.request.stopped_by.get().is_some() {
            self.request.interrupt.store(true, Ordering::Relaxed);
        }
        match &mut self.state {
            State::Unknown(reason) if has_rung => "out of time".clone_into(reason),
            State::Sat(_) if self.left_out.is_some() => {
                let reason = "a part of the script is not treated";
                self.state = State::Unknown(reason.to_owned());
                self.summary.undecided += 1;
                return "unknown".to_owned();
            }
            State::Sat(_) if self.request.dumps_models => {
                self.tell(Said::Reply(answer));
                return self.get_model().ok().flatten().unwrap_or_default();
            }
            _ => {}
        }
        answer
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
            // The dialogue has kept the rule, and has answered the query.
            Command::Fixedpoint(_) => Ok(None),
            Command::Define { funcs, axioms } => {
                for (func, axiom) in funcs.iter().zip(axioms) {
                    self.assert(*axiom, None);
                    if let Some(asserted) = self.assertions.last_mut() {
                        asserted.defines = Some(*func);
                    }
                }
                Ok(None)
            }
            Command::Assert { formula, name, named } => {
                self.assert(*formula, name.clone());
                self.named.extend(named.iter().cloned());
                Ok(None)
            }
            Command::CheckSat => Ok(Some(self.question(None))),
            Command::CheckSatAssuming(assumptions) => Ok(Some(self.question(Some(assumptions)))),
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
                let asserted = self.assertions.iter().filter(|asserted| asserted.defines.is_none());
                let texts = asserted.map(|asserted| self.text(asserted.formula));
                Ok(Some(format!("({})", texts.collect::<Vec<String>>().join("\n "))))
            }
            Command::GetInfo(keyword) => self.get_info(keyword),
            Command::GetOption(keyword) => Ok(Some(self.options.reply(keyword))),
            // Programs get it as it is, as the standard has it; people see it through `cli`.
            Command::Echo(text) => Ok(Some(text.clone())),
            Command::Simplify(term) => Ok(Some(self.store.show(*term))),
            Command::Reset => {
                self.options = Options::new(self.request);
                self.logic = None;
                self.infos.clear();
                self.reset(true)
            }
            Command::ResetAssertions => self.reset(!self.options.is_on(":global-declarations")),
        }
    }

    /// A term as the script has it.
    pub(crate) fn text(&self, written: Written) -> String {
        self.text.at(written.span)
    }

    fn assert(&mut self, formula: Written, name: Option<String>) {
        self.state = State::Fresh;
        let mut posted = None;
        self.has_begun = true;
        if !self.store.has_quantifier(formula.term) {
            posted = Some(self.posted);
            self.posted += 1;
        }
        self.assertions.push(Asserted { formula, name, posted, defines: None });
    }

    fn push(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let level = Level {
            assertions: self.assertions.len(),
            posted: self.posted,
            named: self.named.len(),
            funcs: self.funcs.len(),
            text: self.text.mark(),
        };
        self.has_begun = true;
        self.levels.extend(std::iter::repeat_n(level, count));
        Ok(None)
    }

    fn pop(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let base = self.levels.len().saturating_sub(count);
        self.left_out = self.left_out.filter(|&level| level <= base);
        if let Some(level) = self.levels.drain(base..).next() {
            if let Some(plain) = &mut self.plain {
                plain.pop_to(base, level.assertions);
            }
            if let Some(instances) = &mut self.instances {
                instances.pop_to(base, level.assertions);
            }
            self.assertions.truncate(level.assertions);
            self.posted = level.posted;
            self.named.truncate(level.named);
            self.text.cut(level.text);
            if !self.options.is_on(":global-declarations") {
                self.funcs.truncate(level.funcs);
            }
        }
        Ok(None)
    }

    fn reset(&mut self, with_declarations: bool) -> Reply {
        self.plain = None;
        self.instances = None;
        self.counted = Counted::default();
        self.has_begun = false;
        self.state = State::Fresh;
        self.levels.clear();
        self.left_out = None;
        self.text.cut(0);
        self.assertions.clear();
        self.posted = 0;
        self.named.clear();
        if with_declarations {
            self.funcs.clear();
        }
        Ok(None)
    }

    /// How many assertions there were before each level.
    pub(crate) fn level_starts(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.assertions).collect()
    }

    /// How many levels there are.
    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }
}
