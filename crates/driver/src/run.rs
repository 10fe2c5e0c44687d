//! Deciding a problem: every property, by a portfolio, within the limits, with checked evidence.

mod program;

use crate::advice;
use crate::config::Config;
use crate::evidence::AnyEvidence;
use crate::flow::{prepare_flow, prepare_temporal};
use crate::game::prepare_game;
use crate::journal::keeper::{Judge, Keeper, State};
use crate::journal::{Line, answers};
use crate::open::{AnyProblem, Opened};
use crate::partial::{Collector, Progress, with_origins};
use crate::prepare::{
    Concluded, Prepared, PreparedWords, Unprepared, prepare_circuit, prepare_horn, prepare_words,
};
use crate::program::ProgramTask;
use crate::role::turned;
use crate::several::{self, Several};
use crate::source::assumptions;
use crate::speech::Speech;
use crate::vacuity::Vacuity;
use crate::wire::heard;
use alphorn_check::RefusalKind;
use alphorn_check::accept::{AskedProperty, Checkable, Checked, accept};
use alphorn_engine::{Attempt, Ctx, Ended, Entry, Exchange, Portfolio, Stop};
pub use alphorn_engine::{Event, Limit, Note, Stopper};
use alphorn_front::Diagnostic;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::horn::Head;
use alphorn_problem::{Finding, Horn, Problem, Verdict};
use alphorn_report::answer::{self, Answer, AttemptLine, Phase, Question};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use alphorn_engine::portfolio::panic_text;
pub use alphorn_engine::watchdog::{memory_limit, resident_bytes};

/// How long engines may take to notice that they must stop.
const GRACE: Duration = Duration::from_millis(100);

/// An answer about one property, with its evidence if there is a verdict.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The position of the property that was decided.
    pub index: usize,
    /// Its place among those that are decided in this run, in the order of the file.
    pub place: usize,
    /// The answer as data for reports.
    pub answer: Answer,
    /// The checked evidence; there exactly when the answer is a verdict.
    pub evidence: Option<AnyEvidence>,
    /// What the user should know about the verdict.
    pub warnings: Vec<Diagnostic>,
}

/// Why a run could not begin.
#[derive(Clone, Debug)]
pub enum CannotRun {
    /// The caller asked for an engine or a property that does not exist.
    Request(String),
    /// The file states nothing this program decides.
    Unsupported(String),
    /// Parts of the program that its runs may come to are not treated.
    Untreated(Vec<Diagnostic>),
}

/// Decides the properties of an opened file, in order. `listen` hears the engines' events, and
/// `decided` each decision as it is made (of circuits not always in order, see `Decision::place`); `stopper` ends the run from outside.
pub fn decide(
    opened: &Opened,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
    decided: &mut dyn FnMut(&Decision),
) -> Result<Vec<Decision>, CannotRun> {
    let Some(problem) = &opened.problem else {
        return Err(CannotRun::Unsupported("the file states no problem".to_owned()));
    };
    let memory = memory_limit(config.limits.memory);
    let _watchdog = config.watch(stopper, config.limits.deadline, memory);
    let properties = properties(problem, opened, config)?;
    if let AnyProblem::Circuit(circuit) = problem
        && several::is_for(&properties, config)
    {
        let vacuity = Vacuity::default();
        let mut several = Several { opened, circuit, config, stopper, listen, decided, vacuity };
        return several.decide(&properties);
    }
    let mut vacuity = Vacuity::default();
    let mut decisions = Vec::with_capacity(properties.len());
    for (position, property) in properties.iter().enumerate() {
        // Each gets its share of what is left.
        let ends = config.limits.deadline.map(|deadline| {
            let begun = Instant::now();
            let rest = deadline.saturating_duration_since(begun);
            begun + rest / u32::try_from(properties.len() - position).unwrap_or(u32::MAX)
        });
        let mut run = Run {
            opened,
            config,
            stopper,
            listen,
            ends,
            property: property.clone(),
            known: &[],
            share: Stopper::new(),
        };
        let mut decision = match run.known_answer() {
            Some(decision) => decision,
            None => run.decide(problem)?,
        };
        decision.place = position;
        vacuity.judge(opened, &mut decision);
        tell_decision(opened, config, &decision);
        decided(&decision);
        decisions.push(decision);
    }
    Ok(decisions)
}

/// Tells other runs what a decision is worth to them.
pub(crate) fn tell_decision(opened: &Opened, config: &Config, decision: &Decision) {
    let Decision { index, answer, evidence: Some(evidence), .. } = decision else { return };
    if !config.wires.is_empty() {
        let lines = answers::lines(opened, *index, answer, evidence);
        config.wires.iter().for_each(|wire| wire.tell_answer(&lines));
    }
}

/// The position of the property that a user names: by its position, by its name in the file, or as
/// answers name it (`bad 0`, `b0`).
pub fn property_named(opened: &Opened, wanted: &str) -> Result<usize, CannotRun> {
    let Some(problem) = &opened.problem else {
        return Err(CannotRun::Unsupported("the file states no problem".to_owned()));
    };
    let all = properties(problem, opened, &Config::default())?;
    if let Ok(position) = wanted.parse::<usize>() {
        let missing = || CannotRun::Request(format!("the file has no property {wanted}"));
        return (position < all.len()).then_some(position).ok_or_else(missing);
    }
    let short = |label: &str| {
        let (kind, number) = label.split_once(' ')?;
        Some(format!("{}{number}", kind.chars().next()?))
    };
    let is_wanted = |line: &PropertyLine| {
        line.name.as_deref() == Some(wanted)
            || line.label == wanted
            || short(&line.label).as_deref() == Some(wanted)
    };
    let found = all.iter().position(is_wanted);
    found.ok_or_else(|| CannotRun::Request(format!("the file has no property '{wanted}'")))
}

/// For each property of a file, or for the one that is wanted: its position, and an answer that says nothing yet.
pub fn unanswered(opened: &Opened, wanted: Option<usize>, detail: &str) -> Vec<(usize, Answer)> {
    let Some(problem) = &opened.problem else { return Vec::new() };
    let config = Config { property: wanted, ..Config::default() };
    let all = properties(problem, opened, &config).unwrap_or_default();
    let one = |line: PropertyLine| (line.index, blank(opened, &line, detail));
    all.into_iter().map(one).collect()
}

fn blank(opened: &Opened, property: &PropertyLine, detail: &str) -> Answer {
    Answer {
        property: property.label.clone(),
        name: property.name.clone(),
        question: match &opened.problem {
            Some(AnyProblem::Flow(_)) => Question::Termination,
            Some(AnyProblem::Temporal(_)) => Question::Temporal,
            Some(AnyProblem::Game(_)) => Question::Synthesis,
            _ => Question::Safety,
        },
        ..Answer::unknown(&opened.file, detail)
    }
}

/// A property as the user sees it.
#[derive(Clone, Debug)]
pub(crate) struct PropertyLine {
    pub(crate) index: usize,
    label: String,
    name: Option<String>,
    pub(crate) kind: PropertyKind,
}

/// What a property speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyKind {
    /// What is met on a run; any question of a problem that has no kinds.
    Safety,
    /// What happens again and again.
    Justice,
    /// What stays within reach.
    Home,
}

fn properties(
    problem: &AnyProblem,
    opened: &Opened,
    config: &Config,
) -> Result<Vec<PropertyLine>, CannotRun> {
    let line = |kind: &str, index: usize, name: Option<&str>| PropertyLine {
        index,
        label: format!("{kind} {index}"),
        name: name.map(str::to_owned),
        kind: match kind {
            "justice" => PropertyKind::Justice,
            "home" => PropertyKind::Home,
            _ => PropertyKind::Safety,
        },
    };
    let all: Vec<PropertyLine> = match problem {
        AnyProblem::Horn(horn) if !opened.more.is_empty() => {
            let word = if opened.inverted { "query" } else { "check-sat" };
            let questions = std::iter::once(horn).chain(&opened.more).enumerate();
            questions.map(|(index, horn)| line(word, index, query_name(horn))).collect()
        }
        AnyProblem::Horn(_) => {
            let label = "horn".to_owned();
            vec![PropertyLine { label, ..line("horn", 0, None) }]
        }
        AnyProblem::Circuit(circuit) => {
            let kind = circuit.safety_kind();
            let word = if kind == b'o' { "output" } else { "bad" };
            let safety = (0..circuit.safety().len())
                .map(|index| line(word, index, circuit.symbols.name(kind, index)));
            let justice = (0..circuit.justice.len())
                .map(|index| line("justice", index, circuit.symbols.name(b'j', index)));
            safety.chain(justice).collect()
        }
        AnyProblem::Words(words) => {
            let safety = (words.bads.iter().enumerate())
                .map(|(index, bad)| line("bad", index, bad.name.as_deref()));
            let justice = (words.justice.iter().enumerate())
                .map(|(index, j)| line("justice", index, j.name.as_deref()));
            let homes = (words.homes.iter().enumerate())
                .map(|(index, home)| line("home", index, home.name.as_deref()));
            safety.chain(justice).chain(homes).collect()
        }
        AnyProblem::C(program) => {
            let tasks = program.tasks.iter().enumerate();
            let named = |(index, task): (usize, &ProgramTask)| PropertyLine {
                label: task.name.clone(),
                ..line("program", index, None)
            };
            tasks.map(named).collect()
        }
        AnyProblem::Flow(_) => {
            let label = "termination".to_owned();
            vec![PropertyLine { label, ..line("flow", 0, None) }]
        }
        AnyProblem::Temporal(problem) => {
            let label = "temporal".to_owned();
            vec![PropertyLine { label, ..line("flow", 0, Some(&problem.said.formula)) }]
        }
        AnyProblem::Game(_) => {
            let label = "game".to_owned();
            vec![PropertyLine { label, ..line("game", 0, None) }]
        }
    };
    if all.is_empty() {
        return Err(CannotRun::Unsupported("the file states no property".to_owned()));
    }
    match config.property {
        None => Ok(all),
        Some(wanted) => match all.into_iter().nth(wanted) {
            Some(property) => Ok(vec![property]),
            None => Err(CannotRun::Request(format!("the file has no property {wanted}"))),
        },
    }
}

/// The name of a Horn system's query, if it has one query.
fn query_name(horn: &Horn) -> Option<&str> {
    let mut queries = horn.clauses.iter().filter(|clause| clause.head == Head::False);
    let (query, None) = (queries.next()?, queries.next()) else { return None };
    query.name.as_deref()
}

/// A run of engines on one property, or on several at once.
pub(crate) struct Run<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) config: &'a Config,
    pub(crate) stopper: &'a Stopper,
    pub(crate) listen: &'a mut dyn FnMut(Note),
    /// When the time for it is over.
    pub(crate) ends: Option<Instant>,
    pub(crate) property: PropertyLine,
    /// Clauses over the latches of a circuit that hold in all its reachable states.
    pub(crate) known: &'a [Vec<Lit>],
    /// The flag that ends this run alone.
    pub(crate) share: Stopper,
}

/// What a portfolio's run came to: an answer, with who gave it.
pub(crate) struct Ran<A> {
    pub(crate) answer: Option<(&'static str, A)>,
    /// An answer that came from elsewhere, with who gave it.
    pub(crate) heard: Option<(String, AnyEvidence)>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) collector: Collector,
    /// How long the transforms took.
    pub(crate) transform: Duration,
    /// How long the engines took.
    pub(crate) time: Duration,
}

/// What a portfolio is given beside a problem and engines.
pub(crate) struct Brought<S: Problem> {
    /// For each clause, those as read that it was made of.
    pub(crate) origins: Option<Vec<Vec<u64>>>,
    /// What engines are told at the beginning.
    pub(crate) hints: Vec<S::Lemma>,
    /// How what they tell is said of the problem as read.
    pub(crate) speech: Option<Arc<dyn Speech<S>>>,
    /// Whether an answer about the property from elsewhere is one to what is asked.
    pub(crate) takes_answers: bool,
}

impl<S: Problem> Brought<S> {
    /// Nothing.
    fn nothing() -> Brought<S> {
        Brought { origins: None, hints: Vec::new(), speech: None, takes_answers: false }
    }
}

/// A checked verdict, and what it took after it was found.
pub(crate) type Accepted<P> = (Checked<P>, Afterwards);

/// How long it took to make an answer of what an engine found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Afterwards {
    /// To carry it back and to prove it on the problem as read, turns of others not counted.
    prove: Duration,
    /// To check the evidence.
    check: Duration,
}

impl Run<'_> {
    pub(crate) fn decide(&mut self, problem: &AnyProblem) -> Result<Decision, CannotRun> {
        let index = self.property.index;
        match problem {
            AnyProblem::Horn(horn) => {
                let further = index.checked_sub(1).and_then(|index| self.opened.more.get(index));
                let horn = further.unwrap_or(horn);
                // Hints are about the predicates of the first system.
                let hints = if further.is_none() { &self.config.hints[..] } else { &[] };
                let (config, stopper) = (self.config, self.stopper);
                let prepared = prepare_horn(horn, hints, config, stopper, &mut *self.listen);
                let ran = self.run(horn, prepared.map_err(CannotRun::Request)?, ());
                Ok(self.decision(ran, AnyEvidence::Horn))
            }
            AnyProblem::Circuit(circuit) => {
                let asked = self.asked();
                let (config, stopper, known) = (self.config, self.stopper, self.known);
                let prepared = prepare_circuit(
                    circuit,
                    asked.property,
                    known,
                    config,
                    stopper,
                    &mut *self.listen,
                );
                let ran = self.run(circuit, prepared.map_err(CannotRun::Request)?, asked);
                Ok(self.decision(ran, AnyEvidence::Circuit))
            }
            AnyProblem::Words(words) => {
                let asked = self.asked();
                let (config, stopper) = (self.config, self.stopper);
                let prepared =
                    prepare_words(words, asked.property, config, stopper, &mut *self.listen);
                let ran = match prepared {
                    Ok(PreparedWords::Bits(prepared)) => self.run(words, prepared, asked),
                    Ok(PreparedWords::Words(prepared)) => self.run(words, prepared, asked),
                    Err(Unprepared::Request(reason)) => return Err(CannotRun::Request(reason)),
                    Err(Unprepared::NotBits(reason)) => return Ok(self.undecided(&reason)),
                };
                Ok(self.decision(ran, AnyEvidence::Words))
            }
            AnyProblem::C(program) => {
                let task = &program.tasks[index].task;
                let mut decision = self.decide_program(task, program.encoding)?;
                decision.answer.assumptions = assumptions(task);
                Ok(decision)
            }
            AnyProblem::Flow(flow) => {
                let prepared = prepare_flow(flow, self.config).map_err(CannotRun::Request)?;
                let ran = self.run(flow, prepared, ());
                Ok(self.decision(ran, AnyEvidence::Flow))
            }
            AnyProblem::Temporal(problem) => {
                let prepared = prepare_temporal(problem, self.config);
                let ran = self.run(problem, prepared.map_err(CannotRun::Request)?, ());
                Ok(self.decision(ran, AnyEvidence::Temporal))
            }
            AnyProblem::Game(game) => {
                let prepared = prepare_game(game, self.config).map_err(CannotRun::Request)?;
                let ran = self.run(game, prepared, ());
                Ok(self.decision(ran, AnyEvidence::Game))
            }
        }
    }

    /// The decision that an earlier run or another process came to, if its evidence is accepted.
    pub(crate) fn known_answer(&mut self) -> Option<Decision> {
        if !self.takes_answers() {
            return None;
        }
        let begun = Instant::now();
        let judge = self.judge();
        let known = heard(&self.config.wires).into_iter().find_map(|line| match line {
            Line::Answer { property, by, evidence, .. } if property == self.property.label => {
                judge(&evidence).map(|evidence| (by, evidence))
            }
            _ => None,
        })?;
        let ran: Ran<Accepted<Horn>> = Ran {
            answer: None,
            heard: Some(known),
            attempts: Vec::new(),
            collector: Collector::default(),
            transform: Duration::ZERO,
            time: begun.elapsed(),
        };
        Some(self.decision(ran, AnyEvidence::Horn))
    }

    /// Whether an answer from elsewhere has what is asked for: nothing about a bound or a form.
    fn takes_answers(&self) -> bool {
        let Config { bound, minimize, witness_circuit, .. } = self.config;
        bound.is_none() && minimize.is_none() && !witness_circuit
    }

    /// Judges evidence about the property from elsewhere.
    fn judge(&self) -> Box<Judge<'static>> {
        let (opened, index) = (self.opened.clone(), self.property.index);
        let property = self.asked().property;
        Box::new(move |text| answers::judge(&opened, index, property, text))
    }

    /// What is asked about the property.
    fn asked(&self) -> AskedProperty {
        let index = self.property.index;
        let property = match self.property.kind {
            PropertyKind::Safety => Property::Bad(index),
            PropertyKind::Justice => Property::Justice(index),
            PropertyKind::Home => Property::Home(index),
        };
        AskedProperty { property, bound: self.config.bound }
    }

    /// Runs the portfolio on a transformed problem; what engines find is carried back, proved and checked
    /// on the problem as read.
    fn run<P: Checkable, S: Problem>(
        &mut self,
        as_read: &Arc<P>,
        prepared: Prepared<P, S>,
        asked: P::Asked,
    ) -> Ran<Accepted<P>> {
        let Prepared { small, conclude, entries, origins, hints, speech, time: transform } =
            prepared;
        let original = Arc::clone(as_read);
        let accept = move |_: &S, finding: Finding<S>, ctx: &mut Ctx<'_>| {
            let (begun, had) = (Instant::now(), ctx.time_used());
            let Concluded { verdict, open } = conclude(finding, ctx).map_err(Ended::Stopped)?;
            let prove = ctx
                .time_used()
                .zip(had)
                .map_or(begun.elapsed(), |(has, had)| has.saturating_sub(had));
            let (checked, times) = checked(&*original, asked.clone(), verdict)
                .map_err(|ended| missing(ended, open))?;
            Ok((checked, Afterwards { prove, ..times }))
        };
        let brought = Brought { origins, hints, speech, takes_answers: self.takes_answers() };
        let ran = self.portfolio(small, &entries, brought, accept);
        Ran { transform, ..ran }
    }

    /// Runs the portfolio on a problem until an answer is accepted.
    pub(crate) fn portfolio<S: Problem, A: Send + 'static>(
        &mut self,
        small: Arc<S>,
        entries: &[Entry<S>],
        brought: Brought<S>,
        accept: impl Fn(&S, Finding<S>, &mut Ctx<'_>) -> Result<A, Ended> + Send + Sync + 'static,
    ) -> Ran<A> {
        let begun = Instant::now();
        let bound = self.config.bound;
        let share = self.share.clone();
        let Brought { origins, hints, speech, takes_answers } = brought;
        let wires = &self.config.wires[..];
        let exchange = if wires.is_empty() { Exchange::default() } else { Exchange::recorded() };
        let exchange = Arc::new(exchange);
        hints.into_iter().for_each(|lemma| exchange.bring(lemma));
        let threads = match self.config.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let entries = &turned(entries, self.config.role)[..];
        let portfolio = Portfolio {
            entries,
            threads,
            in_rounds: self.config.in_rounds,
            ticks: self.config.limits.ticks,
            bound,
            seed: self.config.seed,
            stopper: self.stopper.clone(),
            grace: GRACE,
            share: share.clone(),
            exchange: Arc::clone(&exchange),
        };
        let _share_watch = self.config.watch(&share, self.ends, None);
        let mut collector = Collector::default();
        let deepest = Arc::new(AtomicU64::new(0));
        let judge = takes_answers.then(|| self.judge());
        let mut keeper = Keeper {
            wires,
            speech,
            exchange,
            engines: entries.iter().map(|entry| entry.card.name).collect(),
            property: self.property.label.clone(),
            judge,
            share: share.clone(),
            bound: Arc::clone(&deepest),
            // What does not change was taken when the problem was prepared.
            taken: (wires.iter())
                .map(|wire| if wire.is_live() { 0 } else { wire.heard(0).len() })
                .collect(),
            state: State::default(),
        };
        let mut listen = |mut note: Note| {
            if let Some(origins) = &origins {
                note.event = with_origins(note.event, origins);
            }
            collector.hear(&note);
            if let Event::Bound { depth } = note.event {
                deepest.fetch_max(depth.saturating_add(1), Ordering::Relaxed);
            }
            if bound.is_some() && collector.bound() >= bound {
                share.stop(Limit::Bound);
            }
            (self.listen)(note);
        };
        let (answer, attempts) = match wires.is_empty() {
            true => portfolio.run(small, Arc::new(accept), &mut listen),
            false => {
                let is_over = AtomicBool::new(false);
                let ran = std::thread::scope(|scope| {
                    let keeping = scope.spawn(|| keeper.keep(&is_over));
                    let ran = portfolio.run(small, Arc::new(accept), &mut listen);
                    is_over.store(true, Ordering::Release);
                    // A fault in the record is no fault of the run.
                    let _ = keeping.join();
                    ran
                });
                keeper.finish(&ran.1);
                ran
            }
        };
        let (transform, heard) = (Duration::ZERO, keeper.state.answer.take());
        Ran { answer, heard, attempts, collector, transform, time: begun.elapsed() }
    }

    fn blank(&self) -> Answer {
        blank(self.opened, &self.property, "")
    }

    fn undecided(&self, reason: &str) -> Decision {
        let answer = Answer { detail: reason.to_owned(), ..self.blank() };
        Decision {
            index: self.property.index,
            place: 0,
            answer,
            evidence: None,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn decision<P: Checkable>(
        &self,
        ran: Ran<Accepted<P>>,
        wrap: impl Fn(Box<Checked<P>>) -> AnyEvidence,
    ) -> Decision {
        let index = self.property.index;
        let total = self.opened.time + ran.transform + ran.time;
        let mut answer = Answer {
            bound: ran.collector.bound(),
            milliseconds: milliseconds(total),
            phases: vec![
                Phase { name: "read", milliseconds: milliseconds(self.opened.time) },
                Phase { name: "transform", milliseconds: milliseconds(ran.transform) },
                Phase { name: "run", milliseconds: milliseconds(ran.time) },
            ],
            attempts: (ran.attempts.iter())
                .map(|a| attempt_line(a, &ran.collector, self.opened))
                .collect(),
            ..self.blank()
        };
        let found = ran
            .answer
            .map(|(engine, (checked, times))| (engine.to_owned(), wrap(Box::new(checked)), times));
        let heard = || ran.heard.map(|(by, evidence)| (by, evidence, Afterwards::default()));
        match found.or_else(heard) {
            Some((engine, evidence, times)) => {
                answer.verdict = evidence.outcome();
                let summary = evidence.summary(&self.opened.question(index));
                answer.detail = summary.detail;
                answer.violated = evidence.violated();
                answer.engine = Some(engine.clone());
                // Others may have answered in the same moment; one answer counts.
                for (line, attempt) in answer.attempts.iter_mut().zip(&ran.attempts) {
                    if attempt.ended == Ended::Answered && attempt.engine != engine {
                        line.ended = "answered as well, later".to_owned();
                    }
                }
                let [prove, time] = [times.prove, times.check].map(milliseconds);
                answer.checked =
                    Some(answer::Checked { what: summary.checked, milliseconds: time });
                answer.phases.push(Phase { name: "prove", milliseconds: prove });
                answer.phases.push(Phase { name: "check", milliseconds: time });
                let (evidence, warnings) = (Some(evidence), Vec::new());
                Decision { index, place: 0, answer, evidence, warnings }
            }
            None => {
                answer.partial = ran.collector.partial();
                let question = self.opened.question(index);
                let advice = advice::Run {
                    opened: &question,
                    config: self.config,
                    attempts: &ran.attempts,
                    collector: &ran.collector,
                    partial: answer.partial.as_ref(),
                    stopped: self.stopper.reason(),
                    time: ran.time,
                };
                let advice = advice.advice();
                (answer.detail, answer.why) = (advice.detail, advice.why);
                answer.hints = advice.hints;
                if let Some(bound) = self.config.bound
                    && ran.collector.bound() >= Some(bound)
                {
                    answer.detail = format!("no violation up to {bound} steps, as asked");
                    (answer.why, answer.hints) = (Vec::new(), Vec::new());
                }
                Decision { index, place: 0, answer, evidence: None, warnings: Vec::new() }
            }
        }
    }
}

/// The verdict, if its evidence is accepted as an answer to what was asked.
pub(crate) fn checked<P: Checkable>(
    original: &P,
    asked: P::Asked,
    verdict: Verdict<P>,
) -> Result<Accepted<P>, Ended> {
    let started = Instant::now();
    let checked = accept(original, asked, verdict).map_err(|refusal| match refusal.kind {
        // An engine may look further than it was asked to; that is no fault.
        RefusalKind::BeyondBound => Ended::Stopped(Stop::Budget(Limit::Bound)),
        _ => Ended::Refused(refusal.to_string()),
    })?;
    Ok((checked, Afterwards { check: started.elapsed(), ..Afterwards::default() }))
}

/// Evidence that leaves clauses without a proof and is refused is not wrong: a proof is missing.
fn missing(ended: Ended, open: Vec<u64>) -> Ended {
    match ended {
        Ended::Refused(refusal) if !open.is_empty() => Ended::Stopped(Stop::Unproved {
            clauses: open,
            reason: format!("no proof was found, and it is not evaluated ({refusal})"),
        }),
        other => other,
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn attempt_line(attempt: &Attempt, collector: &Collector, opened: &Opened) -> AttemptLine {
    let Progress { bound, lemmas } = collector.progress(attempt.engine);
    let ended = advice::ending(opened, &attempt.ended);
    AttemptLine {
        engine: attempt.engine.to_owned(),
        ended,
        milliseconds: milliseconds(attempt.time),
        ticks: attempt.ticks,
        bound,
        lemmas,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_evidence_is_a_missing_proof_only_where_clauses_are_open() {
        let refused = || Ended::Refused("clause 2: it fails".to_owned());
        assert_eq!(missing(refused(), Vec::new()), refused());
        let Ended::Stopped(Stop::Unproved { clauses, reason }) = missing(refused(), vec![1]) else {
            panic!("a proof is missing");
        };
        assert_eq!(clauses, [1]);
        assert!(reason.contains("clause 2: it fails"), "{reason}");
        let beyond = || Ended::Stopped(Stop::Budget(Limit::Bound));
        assert_eq!(missing(beyond(), vec![1]), beyond());
    }
}
