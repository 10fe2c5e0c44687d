//! Horn clauses in a dialogue: they are decided by the engines, as files of them are.
//!
//! A script says that it is about Horn clauses by `(set-logic HORN)`, or by Z3's `rule` and `query`.
//! Its commands are then kept as text, and each question is the text in force with the question at
//! its end, read and decided as a file would be. So the answer has been through `check`, against
//! what the reader of Horn clauses made of the text. Clauses that are not Horn are left to the solver.
//!
//! Invariant: the text holds the declarations and clauses in force, and no question.

use super::Request;
use crate::config::{Config, Limits};
use crate::evidence::AnyEvidence;
use crate::format::Format;
use crate::open::{Opened, open_bytes};
use crate::run::{Decision, Limit, Stopper, decide};
use alphorn_front::smtlib::general::{Command, Fixedpoint};
use alphorn_report::Outcome;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked whether the run is to end.
const PERIOD: Duration = Duration::from_millis(10);

/// The clauses of a dialogue.
#[derive(Default)]
pub(super) struct Clauses {
    text: Vec<u8>,
    /// How long the text was before each level.
    levels: Vec<usize>,
    /// What the script has shown to be about.
    subject: Subject,
    keeps_declarations: bool,
    keeps_from_start: bool,
    pub(super) last: Option<Answered>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Subject {
    /// Nothing so far.
    #[default]
    Open,
    Horn,
    Other,
}

/// An answer about clauses.
pub(super) struct Answered {
    opened: Opened,
    decision: Decision,
    /// The answer as the script has it.
    pub(super) word: &'static str,
}

impl Clauses {
    /// No clauses; whether declarations outlive their level is up to the caller.
    pub(super) fn new(keeps_declarations: bool) -> Clauses {
        let text: &[u8] = match keeps_declarations {
            true => b"(set-option :global-declarations true)\n",
            false => b"",
        };
        let keeps_from_start = keeps_declarations;
        let text = text.to_vec();
        Clauses { text, keeps_declarations, keeps_from_start, ..Clauses::default() }
    }

    /// Takes note of a command and its text.
    pub(super) fn note(&mut self, command: &Command, text: &[u8]) {
        match command {
            Command::SetLogic(logic) if logic == "HORN" => self.subject = Subject::Horn,
            Command::SetLogic(_) => self.is_other(),
            Command::SetOption(option) if option.keyword == ":global-declarations" => {
                self.keeps_declarations = option.value.as_deref() == Some("true");
            }
            Command::Fixedpoint(Fixedpoint::Query) => return,
            Command::Fixedpoint(Fixedpoint::Rule) if self.subject == Subject::Open => {
                self.subject = Subject::Horn;
            }
            Command::Assert { .. } | Command::CheckSat if self.subject == Subject::Open => {
                self.is_other();
            }
            Command::Reset => {
                *self = Clauses::new(self.keeps_from_start);
                return;
            }
            Command::ResetAssertions | Command::Push(_) | Command::Pop(_) => {}
            Command::Fixedpoint(_) | Command::Assert { .. } | Command::DeclareFun(_) => {}
            Command::Declare | Command::Define { .. } => {}
            _ => return,
        }
        self.last = None;
        if self.subject == Subject::Other {
            return;
        }
        match command {
            Command::Push(count) => {
                self.levels.extend(std::iter::repeat_n(self.text.len(), *count));
            }
            Command::Pop(count) if !self.keeps_declarations => {
                let base = self.levels.len().saturating_sub(*count);
                if let Some(length) = self.levels.drain(base..).next() {
                    self.text.truncate(length);
                }
                return;
            }
            Command::Pop(count) => self.levels.truncate(self.levels.len().saturating_sub(*count)),
            Command::ResetAssertions if !self.keeps_declarations => {
                self.levels.clear();
                self.text.clear();
                if self.subject == Subject::Horn {
                    self.text.extend_from_slice(b"(set-logic HORN)\n");
                }
                return;
            }
            Command::ResetAssertions => self.levels.clear(),
            _ => {}
        }
        // Levels matter to the reader only where declarations outlive them.
        if self.keeps_declarations || !matches!(command, Command::Push(_)) {
            self.text.extend_from_slice(text);
            self.text.push(b'\n');
        }
    }

    fn is_other(&mut self) {
        self.subject = Subject::Other;
        self.text = Vec::new();
        self.levels = Vec::new();
    }

    /// Whether the script is about Horn clauses.
    pub(super) fn are_horn(&self) -> bool {
        self.subject == Subject::Horn
    }

    /// Decides the clauses in force, with the question `question`; what is wrong if they cannot be
    /// read as Horn clauses.
    pub(super) fn ask(
        &mut self,
        question: &[u8],
        request: &Request,
        time: Option<Duration>,
    ) -> Result<(), String> {
        self.last = None;
        let text = [self.text.as_slice(), question].concat();
        let opened = open_bytes("-", text, Some(Format::SmtLib));
        if opened.problem.is_none() {
            let first = opened.diagnostics.list.iter().max_by_key(|found| found.severity);
            return Err(first.map_or(String::new(), |found| found.message.clone()));
        }
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let config = Config {
            limits: Limits { deadline, ..Limits::default() },
            seed: u64::from(request.seed),
            ..Config::default()
        };
        let decided = run(&opened, &config, request);
        let decision = decided.ok_or_else(|| "there is nothing to decide".to_owned())?;
        let word = match opened.inverted {
            false => decision.answer.verdict.horn(),
            true => decision.answer.verdict.hwmcc(),
        };
        self.last = Some(Answered { opened, decision, word });
        Ok(())
    }
}

/// Runs the engines until they answer or the run is to end.
fn run(opened: &Opened, config: &Config, request: &Request) -> Option<Decision> {
    let stopper = Stopper::new();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                if request.interrupt.load(Ordering::Relaxed) {
                    return stopper.stop(Limit::Time);
                }
                std::thread::park_timeout(PERIOD);
            }
        });
        let decisions = decide(opened, config, &stopper, &mut |_| {}, &mut |_| {});
        is_over.store(true, Ordering::Relaxed);
        decisions.ok()?.into_iter().next_back()
    })
}

impl Answered {
    /// Whether there is no verdict.
    pub(super) fn is_unknown(&self) -> bool {
        self.decision.evidence.is_none()
    }

    /// Whether all clauses hold in a model.
    pub(super) fn is_safe(&self) -> bool {
        self.decision.answer.verdict == Outcome::Safe
    }

    /// Why there is no verdict.
    pub(super) fn reason(&self) -> &str {
        &self.decision.answer.detail
    }

    /// The interpretation of the predicates in which the clauses hold.
    pub(super) fn model(&self) -> Result<String, String> {
        let evidence = self.decision.evidence.as_ref();
        let definitions = evidence.and_then(|evidence| evidence.definitions(&self.opened));
        let model = definitions.map(|definitions| crate::reply::model(&definitions));
        let model = model.map(|model| model.trim_end().to_owned());
        model.ok_or_else(|| format!("there is no model: the last answer was {}", self.word))
    }

    /// The derivation of a contradiction.
    pub(super) fn proof(&self) -> Result<String, String> {
        let is_derivation = |evidence: &&AnyEvidence| evidence.outcome() == Outcome::Unsafe;
        match self.decision.evidence.as_ref().filter(is_derivation) {
            Some(evidence) => Ok(evidence.text(&self.opened).trim_end().to_owned()),
            None => Err(format!("there is no derivation: the last answer was {}", self.word)),
        }
    }
}
