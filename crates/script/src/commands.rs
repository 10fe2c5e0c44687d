//! What the commands of a script do.
//!
//! Formulas with quantifiers are not asserted: `question` says what becomes of them. Solvers catch up
//! with the assertions when a question needs them (`solvers`).

use crate::Said;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::plain::Counted;
use crate::session::{Asserted, Mark, Reply, Session};
use crate::state::State;
use alphorn_front::smtlib::general::{Command, Written};
use std::sync::atomic::Ordering;

impl<K: Kernel> Session<'_, K> {
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

    /// Asks within the limits that are set for a question.
    fn question(&mut self, assumptions: Option<&[Written]>, within: Option<u64>) -> String {
        self.has_begun = true;
        if let Some(time) = self.options.question_time(self.request).into_iter().chain(within).min()
        {
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
                self.in_force.funcs.push(*func);
                Ok(None)
            }
            Command::Declare | Command::Exit => Ok(None),
            // The dialogue has kept the rule, and has answered the query.
            Command::Fixedpoint(_) => Ok(None),
            Command::Define { funcs, axioms } => {
                for (func, axiom) in funcs.iter().zip(axioms) {
                    self.assert(*axiom, None);
                    if let Some(asserted) = self.in_force.assertions.last_mut() {
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
            Command::CheckSat => Ok(Some(self.question(None, None))),
            Command::CheckSatAssuming(assumptions) => {
                Ok(Some(self.question(Some(assumptions), None)))
            }
            Command::CheckSatUsing(within) => Ok(Some(self.question(None, *within))),
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
                let asserted =
                    self.in_force.assertions.iter().filter(|asserted| asserted.defines.is_none());
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

    fn assert(&mut self, formula: Written, name: Option<String>) {
        self.state = State::Fresh;
        let mut posted = None;
        self.has_begun = true;
        if !self.store.has_quantifier(formula.term) {
            posted = Some(self.posted);
            self.posted += 1;
        }
        self.in_force.assertions.push(Asserted { formula, name, posted, defines: None });
    }

    fn push(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let (posted, named, text) = (self.posted, self.named.len(), self.text.mark());
        self.has_begun = true;
        self.in_force.push(count, Mark { posted, named, text });
        Ok(None)
    }

    fn pop(&mut self, count: usize) -> Reply {
        self.state = State::Fresh;
        let keeps_declarations = self.options.is_on(":global-declarations");
        let mark = self.in_force.pop(count, keeps_declarations);
        let (base, assertions) = (self.in_force.level(), self.in_force.assertions.len());
        self.left_out = self.left_out.filter(|&level| level <= base);
        if let Some(mark) = mark {
            if let Some(plain) = &mut self.plain {
                plain.pop_to(base, assertions);
            }
            if let Some(instances) = &mut self.instances {
                instances.pop_to(base, assertions);
            }
            self.posted = mark.posted;
            self.named.truncate(mark.named);
            self.text.cut(mark.text);
        }
        Ok(None)
    }

    fn reset(&mut self, with_declarations: bool) -> Reply {
        self.plain = None;
        self.instances = None;
        self.counted = Counted::default();
        self.has_begun = false;
        self.state = State::Fresh;
        self.in_force.reset(!with_declarations);
        self.left_out = None;
        self.text.cut(0);
        self.posted = 0;
        self.named.clear();
        Ok(None)
    }
}
