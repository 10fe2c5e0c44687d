//! A script as a dialogue: commands are read as they arrive, and each is answered before the next.
//!
//! A script in a file is the same dialogue with all of the text there at once. What cannot be read
//! is answered where it stands and changes nothing, as the standard has it, and the dialogue goes
//! on. One thing is remembered: a part of the script that is right and not treated here. While it
//! is in force, `sat` would be about less than the script says.

use crate::horn::Clauses;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::session::Session;
use crate::text::Text;
use crate::{Deciders, DecidesHorn, Request, Said, Summary};
use alphorn_front::smtlib::general::{Command, Fixedpoint, Live, Splitter, reply, unreadable};
use alphorn_front::{Code, Diagnostic, Severity};
use alphorn_problem::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Something to say about the text, with the text it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What there is to say; its place is in the text here.
    pub diagnostic: Diagnostic,
    /// The text that the diagnostic's place points into.
    pub text: Arc<[u8]>,
    /// How many lines came before the text, and how many columns before its first line.
    pub before: (usize, usize),
}

impl Notice {
    /// The line and the column, from 1, of a place in the text.
    pub fn place(&self) -> Option<(usize, usize)> {
        let (line, column) = self.diagnostic.place(&self.text)?;
        Some((self.before.0 + line, column + if line == 1 { self.before.1 } else { 0 }))
    }

    /// As the reply `(error "line …")`.
    pub fn reply(&self) -> String {
        crate::error_reply(self.place(), &self.diagnostic.message)
    }

    /// As a comment among the replies.
    fn remark(&self) -> String {
        let message = self.diagnostic.message.replace(['\n', '\r'], " ");
        format!("; warning: {}{message}", crate::shown_place(self.place()))
    }
}

/// Commands that arrive piece by piece, each answered before the next is read.
pub struct Dialogue<'a, K> {
    live: Live,
    session: Session<'a, K>,
    splitter: Splitter,
    /// How many lines, and columns of the last line, were read.
    before: (usize, usize),
    has_begun: bool,
    is_over: bool,
    clauses: Clauses,
    horn: &'a dyn DecidesHorn,
    /// What was remarked about commands.
    remarks: BTreeSet<&'static str>,
}

impl<'a, K: Kernel> Dialogue<'a, K> {
    /// A dialogue with these deciders; what is to be said goes to `say`.
    pub fn new(
        request: &'a Request,
        deciders: &Deciders<'a, K>,
        say: &'a mut dyn FnMut(Said),
    ) -> Dialogue<'a, K> {
        let keeps = Options::new(request).is_on(":global-declarations");
        let (live, store) = Live::new(keeps);
        Dialogue {
            live,
            session: Session::new(store, request, deciders.solver, say),
            splitter: Splitter::default(),
            before: (0, 0),
            has_begun: false,
            is_over: false,
            clauses: Clauses::new(keeps),
            horn: deciders.horn,
            remarks: BTreeSet::new(),
        }
    }

    /// Takes a piece of the script, and answers the commands that it completes. Whether the
    /// dialogue goes on.
    pub fn hear(&mut self, piece: &[u8]) -> bool {
        self.splitter.feed(piece);
        while !self.is_over {
            let Some(text) = self.splitter.next_command() else { return true };
            self.read(&Arc::from(text), false);
        }
        false
    }

    /// Takes a script as a whole, from memory that the dialogue then shares.
    pub fn hear_all(&mut self, text: &Arc<[u8]>) {
        match unreadable(text) {
            Some(diagnostic) => self.notice(diagnostic, text),
            None => {
                self.session.text = Text::Whole(Arc::clone(text));
                self.read(text, true);
            }
        }
        self.has_begun = true;
    }

    /// Nothing more will be said.
    pub fn end(mut self) -> Summary {
        let rest: Arc<[u8]> = Arc::from(self.splitter.rest());
        if !self.is_over {
            self.read(&rest, false);
        }
        if !self.has_begun
            && let Some(diagnostic) = unreadable(b"")
        {
            self.notice(diagnostic, &rest);
        }
        self.session.summary
    }

    fn read(&mut self, text: &Arc<[u8]>, is_whole: bool) {
        let mut at = 0;
        while !self.is_over {
            let next = self.live.next(&mut self.session.store, text, &mut at);
            for warning in self.live.warnings() {
                self.notice(warning, text);
            }
            let Some(next) = next else { break };
            self.has_begun = true;
            match next {
                Err(diagnostic) => self.notice(diagnostic, text),
                Ok((mut command, span)) => {
                    if !is_whole {
                        self.session.text.keep(&mut command, text);
                    }
                    self.run(&command, span, text);
                }
            }
        }
        if !is_whole {
            let lines = text.iter().filter(|&&byte| byte == b'\n').count();
            let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            let columns = String::from_utf8_lossy(last).chars().count();
            self.before = match lines {
                0 => (self.before.0, self.before.1 + columns),
                _ => (self.before.0 + lines, columns),
            };
        }
    }

    fn run(&mut self, command: &Command, span: Span, text: &Arc<[u8]>) {
        self.is_over = *command == Command::Exit;
        self.clauses.note(command, &text[span.start as usize..span.end as usize]);
        let result = match self.run_on_clauses(command, text, span) {
            Some(result) => result.map(|reply| self.session.tell(Said::Reply(reply))),
            None => self.session.run(command),
        };
        if let Some(remark) = self.session.remark.take()
            && self.remarks.insert(remark)
        {
            self.notice(Diagnostic::warning(Code::SmtIgnored, span, remark), text);
        }
        if let Err(message) = result {
            let diagnostic = Diagnostic::error(Code::SmtCommand, span, message);
            self.session.summary.errors += 1;
            let reply = self.at(diagnostic, text).reply();
            self.session.tell(Said::Reply(reply));
        }
    }

    /// Runs a command that is about Horn clauses; nothing if it is not, or they are not.
    fn run_on_clauses(
        &mut self,
        command: &Command,
        text: &[u8],
        span: Span,
    ) -> Option<Result<String, String>> {
        let last = self.clauses.last.as_ref();
        let is_horn = self.clauses.are_horn();
        let question: Vec<u8> = match command {
            Command::GetModel => return last.map(|last| last.model()),
            Command::GetProof => return last.map(|last| last.proof()),
            Command::GetInfo(keyword) if keyword == ":reason-unknown" => {
                let last = last.filter(|last| last.is_unknown())?;
                return Some(Ok(format!("(:reason-unknown {})", reply::string(last.reason()))));
            }
            Command::Fixedpoint(Fixedpoint::Query) => {
                text[span.start as usize..span.end as usize].to_vec()
            }
            Command::CheckSat | Command::CheckSatUsing(_) if is_horn => b"(check-sat)".to_vec(),
            Command::CheckSatAssuming(assumptions) if is_horn => {
                let asserts = assumptions
                    .iter()
                    .map(|written| format!("(assert {})\n", self.session.text(*written)));
                format!("{}(check-sat)", asserts.collect::<String>()).into_bytes()
            }
            _ => return None,
        };
        self.session.tell(Said::Asked);
        let within = if let Command::CheckSatUsing(within) = command { *within } else { None };
        let time = self.session.options.question_time(self.session.request);
        let time = time.into_iter().chain(within).min();
        if let Err(message) = self.clauses.ask(&question, self.horn, self.session.request, time) {
            return match command {
                Command::Fixedpoint(_) => Some(Err(message)),
                // The solver may know more about clauses that are not Horn.
                _ => None,
            };
        }
        let last = self.clauses.last.as_ref()?;
        let word = last.word.to_owned();
        if last.is_unknown() {
            self.session.summary.undecided += 1;
        } else if last.is_safe() && self.session.leaves_out() {
            // What was left out may be a clause that does not hold.
            self.clauses.last = None;
            self.session.summary.undecided += 1;
            return Some(Ok("unknown".to_owned()));
        }
        Some(Ok(word))
    }

    fn at(&self, diagnostic: Diagnostic, text: &Arc<[u8]>) -> Notice {
        Notice { diagnostic, text: Arc::clone(text), before: self.before }
    }

    /// Tells what was noticed in the text; where it is wrong, also as a reply.
    fn notice(&mut self, diagnostic: Diagnostic, text: &Arc<[u8]>) {
        let notice = self.at(diagnostic, text);
        let severity = notice.diagnostic.severity;
        let reply = match severity {
            Severity::Warning => {
                self.session.options.are_remarks_replies().then(|| notice.remark())
            }
            _ => Some(notice.reply()),
        };
        self.session.tell(Said::Noticed(Box::new(notice)));
        match severity {
            Severity::Warning => {}
            Severity::Unsupported => {
                self.session.summary.unsupported += 1;
                self.session.leave_out();
            }
            Severity::Error => self.session.summary.errors += 1,
        }
        if let Some(reply) = reply {
            self.session.tell(Said::Reply(reply));
        }
    }
}
