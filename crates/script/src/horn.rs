//! Horn clauses in a dialogue: they are decided by the engines, as files of them are.
//!
//! A script says that it is about Horn clauses by `(set-logic HORN)`, or by Z3's `rule` and `query`.
//! Its commands are then kept as text, and each question is the text in force with the question at
//! its end, read and decided as a file would be. So the answer has been through `check`, against
//! what the reader of Horn clauses made of the text. Clauses that are not Horn are left to the solver.
//!
//! Invariant: the text holds the declarations and clauses in force, and no question.

use crate::Request;
use alphorn_check::accept::Checked;
use alphorn_front::evidence::{print_horn, print_interpretation};
use alphorn_front::smtlib::general::reply::horn_model;
use alphorn_front::smtlib::general::{Command, Fixedpoint};
use alphorn_front::smtlib::{self, Dialect};
use alphorn_problem::{Horn, Verdict};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Horn clauses in force, and the text that they were read from.
#[derive(Clone, Debug)]
pub struct HornQuestion {
    /// The clauses; their places are in the text.
    pub horn: Arc<Horn>,
    /// The text.
    pub text: Arc<Vec<u8>>,
}

/// What deciding Horn clauses may take.
#[derive(Clone, Copy, Debug)]
pub struct HornLimits<'a> {
    /// How long the question may take, if there is a limit.
    pub milliseconds: Option<u64>,
    /// The seed of everything random.
    pub seed: u32,
    /// Ends the search soon after it becomes true.
    pub interrupt: &'a AtomicBool,
}

/// Whoever decides Horn clauses for scripts. Engines, clocks and threads are on the other side of it,
/// and only what the gate of `check` let out comes back.
pub trait DecidesHorn {
    /// The verdict on the clauses, with checked evidence; a sentence that says why there is none.
    fn decide(
        &self,
        question: &HornQuestion,
        limits: &HornLimits<'_>,
    ) -> Result<Box<Checked<Horn>>, String>;
}

/// For those who have no engines: every question about Horn clauses is undecided.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEngines;

impl DecidesHorn for NoEngines {
    fn decide(&self, _: &HornQuestion, _: &HornLimits<'_>) -> Result<Box<Checked<Horn>>, String> {
        Err("there is no engine for Horn clauses".to_owned())
    }
}

/// The clauses of a dialogue.
#[derive(Default)]
pub(crate) struct Clauses {
    text: Vec<u8>,
    /// How long the text was before each level.
    levels: Vec<usize>,
    /// What the script has shown to be about.
    subject: Subject,
    keeps_declarations: bool,
    keeps_from_start: bool,
    pub(crate) last: Option<Answered>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Subject {
    /// Nothing so far.
    #[default]
    Open,
    Horn,
    Other,
}

/// The last answer about clauses, from which models and proofs are told.
pub(crate) struct Answered {
    horn: Arc<Horn>,
    /// The checked verdict, or why there is none.
    verdict: Result<Box<Checked<Horn>>, String>,
    /// The answer as the script has it.
    pub(crate) word: &'static str,
}

impl Clauses {
    /// No clauses; whether declarations outlive their level is up to the caller.
    pub(crate) fn new(keeps_declarations: bool) -> Clauses {
        let text: &[u8] = match keeps_declarations {
            true => b"(set-option :global-declarations true)\n",
            false => b"",
        };
        let keeps_from_start = keeps_declarations;
        let text = text.to_vec();
        Clauses { text, keeps_declarations, keeps_from_start, ..Clauses::default() }
    }

    /// Takes note of a command and its text.
    pub(crate) fn note(&mut self, command: &Command, text: &[u8]) {
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
            Command::Assert { .. } | Command::CheckSat | Command::CheckSatUsing(_)
                if self.subject == Subject::Open =>
            {
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
    pub(crate) fn are_horn(&self) -> bool {
        self.subject == Subject::Horn
    }

    /// Decides the clauses in force, with the question `question`; what is wrong if they cannot be
    /// read as Horn clauses.
    pub(crate) fn ask(
        &mut self,
        question: &[u8],
        decider: &dyn DecidesHorn,
        request: &Request,
        milliseconds: Option<u64>,
    ) -> Result<(), String> {
        self.last = None;
        let text = Arc::new([self.text.as_slice(), question].concat());
        let (script, diagnostics) = smtlib::read(&text);
        let Some(mut script) = script else {
            let first = diagnostics.list.iter().max_by_key(|found| found.severity);
            return Err(first.map_or(String::new(), |found| found.message.clone()));
        };
        let is_inverted = script.dialect == Dialect::Fixedpoint;
        let horn = Arc::new(script.more.pop().unwrap_or(script.horn));
        let asked = HornQuestion { horn: Arc::clone(&horn), text };
        let (seed, interrupt) = (request.seed, &*request.interrupt);
        let verdict = decider.decide(&asked, &HornLimits { milliseconds, seed, interrupt });
        let word = match verdict.as_ref().map(|checked| checked.verdict()) {
            Err(_) => "unknown",
            Ok(Verdict::Safe(_)) => {
                if is_inverted {
                    "unsat"
                } else {
                    "sat"
                }
            }
            Ok(Verdict::Unsafe(_)) => {
                if is_inverted {
                    "sat"
                } else {
                    "unsat"
                }
            }
        };
        self.last = Some(Answered { horn, verdict, word });
        Ok(())
    }
}

impl Answered {
    fn verdict(&self) -> Option<&Verdict<Horn>> {
        self.verdict.as_ref().ok().map(|checked| checked.verdict())
    }

    /// Whether there is no verdict.
    pub(crate) fn is_unknown(&self) -> bool {
        self.verdict.is_err()
    }

    /// Whether all clauses hold in a model.
    pub(crate) fn is_safe(&self) -> bool {
        matches!(self.verdict(), Some(Verdict::Safe(_)))
    }

    /// Why there is no verdict.
    pub(crate) fn reason(&self) -> &str {
        self.verdict.as_ref().err().map_or("", String::as_str)
    }

    /// The interpretation of the predicates in which the clauses hold.
    pub(crate) fn model(&self) -> Result<String, String> {
        let Some(Verdict::Safe(model)) = self.verdict() else {
            return Err(format!("there is no model: the last answer was {}", self.word));
        };
        let model = horn_model(&print_interpretation(&self.horn, model));
        Ok(model.trim_end().to_owned())
    }

    /// The derivation of a contradiction.
    pub(crate) fn proof(&self) -> Result<String, String> {
        match self.verdict() {
            Some(found @ Verdict::Unsafe(_)) => {
                Ok(print_horn(&self.horn, found).trim_end().to_owned())
            }
            _ => Err(format!("there is no derivation: the last answer was {}", self.word)),
        }
    }
}
