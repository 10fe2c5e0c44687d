//! `alphorn FILE`: decide, check, answer.

#[cfg(test)]
mod tests;
mod work;

use crate::args::{Competition, Decide, Dialect, Expect, Minimize};
use crate::hint_file::Files;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;
use crate::speak;
use crate::target::Plan;
use crate::wants::Wants;
use alphorn_driver::config::DEFAULT_TIME;
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::flow::Asked;
use alphorn_driver::place::place;
use alphorn_driver::program::{Wishes, asks_termination};
use alphorn_driver::registry::set;
use alphorn_driver::reply::{self, Reply};
use alphorn_driver::report::answer::{Answer, Outcome};
use alphorn_driver::report::batch::{Row, junit};
use alphorn_driver::report::carried::Carried;
use alphorn_driver::report::exit::Convention;
use alphorn_driver::report::html::index;
use alphorn_driver::report::sarif::{Found, sarif};
use alphorn_driver::report::summary::{self, Became, FileLine};
use alphorn_driver::report::text::{self, Verbosity};
use alphorn_driver::report::timeline::Timeline;
use alphorn_driver::report::{Exit, json, printable};
use alphorn_driver::run::{
    CannotRun, Event, Limit, Note, Stopper, memory_limit, panic_text, property_named,
    resident_bytes, unanswered,
};
use alphorn_driver::{
    AnyProblem, Code, Config, Decision, Diagnostic, Effort, Format, Limits, Opened,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long after its limit a run may still report by itself.
const GRACE: Duration = Duration::from_millis(200);
/// The same after an interrupt: no time was named, and what is known is wanted.
const INTERRUPT_GRACE: Duration = Duration::from_secs(1);
/// The same where what was learned is to be written.
const JOURNAL_GRACE: Duration = Duration::from_secs(2);
/// The time limit of the hardware competition.
const COMPETITION_TIME: Duration = Duration::from_secs(60 * 60);
/// How often the speaking thread looks at the limits.
const PERIOD: Duration = Duration::from_millis(20);

/// What the working thread tells the speaking one.
enum Message {
    Opened(Box<Opened>),
    Note(Note),
    Decided(Box<Decision>),
    /// What the user should know about a journal.
    Remark(String),
    /// Hints that are wrong: the file, its text, and what is wrong.
    Hints(Box<(String, Vec<u8>, Vec<Diagnostic>)>),
    End(Result<(), CannotRun>),
}

/// How the program ends where a file was not opened: a formula that is wrong is the command line's.
fn by_formula(opened: &Opened, exit: Exit) -> Exit {
    let is_formula = |one: &Diagnostic| one.code == Code::Temporal;
    match opened.diagnostics.list.iter().any(is_formula) {
        true => Exit::Usage,
        false => exit,
    }
}

/// Decides all files.
pub fn main(mut args: Decide) -> u8 {
    if matches!(args.asked, Asked::Safety) && args.property.as_deref().is_some_and(asks_termination)
    {
        args.property = None;
        args.asked = Asked::Termination;
    }
    let called_as = called_as();
    let dialect = args.dialect.unwrap_or(called_as);
    if called_as == Dialect::Hwmcc
        && let Err((file, why)) = compete(&mut args)
    {
        speak::complain(&file, &why, args.json);
        return Exit::Usage as u8;
    }
    speak::choose_colour(args.color);
    let plan = match Plan::of(&args) {
        Ok(plan) => plan,
        Err((about, why)) => {
            speak::complain(&about, &why, args.json);
            return Exit::Usage as u8;
        }
    };
    // What cannot be set is said before any work.
    if let Err(why) = set(&args.set) {
        speak::complain("--set", &why, args.json);
        return Exit::Usage as u8;
    }
    interrupt::watch();
    let collects = [&args.sarif, &args.junit].iter().any(|path| path.as_deref() == Some("-"));
    if plan.uses_output() || collects {
        speak::leave_output_to_data();
    }
    let mut total = Total::default();
    let (mut lines, mut found): (Vec<FileLine>, Vec<Found>) = (Vec::new(), Vec::new());
    for position in 0..args.files.len() {
        let (own, line, own_found) = Speaker::new(&args, dialect, &plan, position).run();
        found.extend(own_found);
        total.add(own.exit);
        total.as_expected &= own.as_expected;
        lines.push(line);
    }
    if lines.len() > 1 {
        several(&args, dialect, &plan, &lines, &mut total);
    }
    total.add(collected(&args, &found));
    let convention = match (args.exit_codes, &args.competition) {
        (Some(codes), _) => codes.convention(),
        (None, Some(_)) => Convention::Sat,
        (None, None) => Convention::Alphorn,
    };
    match args.expect {
        Some(_) if total.exit <= Exit::Unknown => u8::from(!total.as_expected),
        _ => total.exit.code(convention),
    }
}

/// Writes what was found in the forms that other programs collect.
fn collected(args: &Decide, found: &[Found]) -> Exit {
    let rows = || junit(&found.iter().map(Row::of).collect::<Vec<_>>());
    let wanted = [
        (&args.sarif, args.sarif.as_ref().map(|_| sarif(found, env!("CARGO_PKG_VERSION")))),
        (&args.junit, args.junit.as_ref().map(|_| rows())),
    ];
    speak::write_all(wanted, args.json)
}

/// Says what became of several files.
fn several(args: &Decide, dialect: Dialect, plan: &Plan, lines: &[FileLine], total: &mut Total) {
    if let Some(path) = &plan.index {
        let path = path.to_string_lossy();
        match std::fs::write(&*path, index(lines)) {
            Ok(()) if !args.json && !args.quiet => speak::err(&format!("wrote {path}\n")),
            Ok(()) => {}
            Err(error) => {
                let message = format!("the index cannot be written: {error}");
                speak::complain(&path, &message, args.json);
                total.add(Exit::Usage);
            }
        }
    }
    if args.json {
        speak::object(&json::summary(lines));
    } else if dialect == Dialect::Human && !args.quiet {
        speak::painted(&summary::table(lines, speak::colours_answers()));
    }
}

/// The dialect that the program's name asks for, so that a competition wrapper is a link.
fn called_as() -> Dialect {
    let name = std::env::args().next().unwrap_or_default();
    let stem = std::path::Path::new(&name).file_stem().and_then(|s| s.to_str()).unwrap_or("");
    match stem.rsplit_once('-') {
        Some((_, "horn")) => Dialect::Horn,
        Some((_, "hwmcc")) => Dialect::Hwmcc,
        Some((_, "svcomp")) => Dialect::Svcomp,
        Some((_, "termcomp")) => Dialect::Termcomp,
        Some((_, "sby")) => Dialect::Sby,
        _ => Dialect::Human,
    }
}

/// Reads the arguments as the hardware competition gives them: a file, and two to write. The error is
/// about one of them.
fn compete(args: &mut Decide) -> Result<(), (String, String)> {
    if let Some(more) = args.files.get(3) {
        let why = "there is one file to decide, and two to write: the witness and the certificate";
        return Err((more.clone(), why.to_owned()));
    }
    let mut given = std::mem::take(&mut args.files).into_iter();
    args.files.extend(given.next());
    let (witness, certificate) = (given.next(), given.next());
    // Somebody may mean a second file to decide, which must not be lost.
    if let Some(path) = &witness
        && Format::of_name(path).is_some()
        && std::path::Path::new(path).exists()
    {
        let why = "a witness would overwrite this file; the files after the first are written";
        return Err((path.clone(), why.to_owned()));
    }
    args.competition = Some(Competition { witness, certificate });
    if !args.all_properties {
        args.property.get_or_insert_with(|| "0".to_owned());
    }
    args.time.get_or_insert(COMPETITION_TIME);
    Ok(())
}

struct Total {
    exit: Exit,
    as_expected: bool,
}

impl Default for Total {
    fn default() -> Total {
        Total { exit: Exit::Safe, as_expected: true }
    }
}

impl Total {
    /// Errors outweigh verdicts; a violation outweighs doubt, and doubt outweighs proof.
    fn add(&mut self, exit: Exit) {
        if weight(exit) > weight(self.exit) {
            self.exit = exit;
        }
    }
}

fn weight(exit: Exit) -> u8 {
    match exit {
        Exit::Safe => 0,
        Exit::Unknown => 1,
        Exit::Unsafe => 2,
        other => 2 + other as u8,
    }
}

struct Speaker<'a> {
    args: &'a Decide,
    dialect: Dialect,
    file: &'a str,
    total: Total,
    verbosity: Verbosity,
    progress: Option<Progress>,
    begun: Instant,
    inverted: bool,
    opened: Option<Box<Opened>>,
    /// What the engines have said about the property that is being decided.
    timeline: Timeline,
    output: Output<'a>,
    /// Decisions that came before others whose properties stand before theirs in the file, with what the
    /// engines had said by then.
    waiting: BTreeMap<usize, (Decision, Timeline)>,
    /// How many decisions have been told.
    told: usize,
    /// The properties that have an answer, by their positions.
    answered: BTreeSet<usize>,
    /// The first violation, as SBY reads it.
    sby: Option<String>,
    /// What was found, for those who collect it.
    found: Vec<Found>,
    /// The depth that SBY was told.
    bound: Option<u64>,
    /// The first property that has no answer yet.
    next: usize,
    /// The properties that have an answer, and which.
    decided: Vec<(String, Outcome)>,
    /// One phrase about the file.
    detail: String,
}

impl<'a> Speaker<'a> {
    fn new(args: &'a Decide, dialect: Dialect, plan: &'a Plan, position: usize) -> Speaker<'a> {
        let file = &args.files[position];
        let verbosity = match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, 0) => Verbosity::Normal,
            (_, 1) => Verbosity::Verbose,
            _ => Verbosity::Debug,
        };
        let is_silent = args.quiet || args.json || verbosity >= Verbosity::Debug;
        Speaker {
            args,
            dialect,
            file,
            total: Total::default(),
            verbosity,
            progress: if is_silent { None } else { Progress::on_terminal() },
            begun: Instant::now(),
            inverted: false,
            opened: None,
            timeline: Timeline::default(),
            output: Output::new(args, dialect, plan, position),
            waiting: BTreeMap::new(),
            told: 0,
            answered: BTreeSet::new(),
            sby: None,
            found: Vec::new(),
            bound: None,
            next: args.property.as_ref().and_then(|p| p.parse().ok()).unwrap_or(0),
            decided: Vec::new(),
            detail: String::new(),
        }
    }

    /// Decides the file; what it came to.
    fn run(mut self) -> (Total, FileLine, Vec<Found>) {
        match interrupt::is_pending() {
            true => self.unknown(Limit::Interrupted.describe()),
            false => self.work(),
        }
        let count = |wanted| self.decided.iter().filter(|(_, o)| *o == wanted).count() as u64;
        let line = FileLine {
            file: self.file.to_owned(),
            verdict: Became::of(self.total.exit),
            properties: [Outcome::Safe, Outcome::Unsafe, Outcome::Unknown].map(count),
            detail: std::mem::take(&mut self.detail),
            milliseconds: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            page: self.output.page_written.take(),
        };
        (self.total, line, self.found)
    }

    fn work(&mut self) {
        let deadline = self.begun + self.args.time.unwrap_or(DEFAULT_TIME);
        let stopper = Stopper::new();
        let config = Config {
            limits: Limits {
                deadline: Some(deadline),
                memory: self.args.memory,
                ticks: self.args.ticks.unwrap_or(u64::MAX),
            },
            seed: self.args.seed,
            threads: self.args.threads.unwrap_or(0),
            in_rounds: self.args.rounds,
            engines: self.args.engine.clone(),
            without: self.args.without.clone(),
            with: self.args.with.clone(),
            bound: self.args.bound,
            minimize: self.args.minimize.map(|effort| match effort {
                Minimize::Quick => Effort::Quick,
                Minimize::Nec => Effort::Nec,
                Minimize::Feas => Effort::Feas,
                Minimize::Msis => Effort::Msis,
                Minimize::Minimum => Effort::Minimum,
            }),
            witness_circuit: self.output.wants_witness_circuit(),
            ..Config::default()
        };
        let (sender, receiver) = channel();
        let property = self.args.property.clone();
        let (file, format) = (self.file.to_owned(), self.args.format);
        let work_stopper = stopper.clone();
        let wants = Wants::of(self.args);
        let files = Files {
            hints: self.args.hints.clone(),
            journal: self.args.journal.clone(),
            resume: self.args.resume.clone(),
        };
        #[cfg(feature = "cluster")]
        let join = self.args.join.clone().zip(self.args.run.clone());
        let wishes = Wishes {
            asked: self.args.asked.clone(),
            ..speak::wishes(&self.args.program, property.as_deref())
        };
        let work = move || {
            let wanted = (config.clone(), property.as_deref(), wants, wishes.clone());
            let beside = work::Beside {
                files: &files,
                #[cfg(feature = "cluster")]
                join: join.as_ref(),
            };
            let job = || work::work(&file, format, wanted, &beside, &work_stopper, &sender);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(job))
        };
        let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(work);
        let Ok(worker) = worker else {
            self.fault("no thread could be started");
            return;
        };
        let mut late: Option<(Instant, Limit)> = None;
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(message) => {
                    if self.hear(message) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if late.is_none() {
                late = self.over_limit(deadline).map(|limit| {
                    stopper.stop(limit);
                    (Instant::now() + self.grace(limit), limit)
                });
            }
            if let Some((at, limit)) = late
                && Instant::now() >= at
            {
                self.unknown(limit.describe());
                self.finish();
                return;
            }
        }
        // The channel closed before the end was announced: the worker panicked.
        let text = match worker.join() {
            Ok(Err(panic)) | Err(panic) => panic_text(&*panic),
            Ok(Ok(())) => "the work ended without a word".to_owned(),
        };
        self.fault(&text);
    }

    /// How long after its limit the run may take to report by itself: a journal has last lines.
    fn grace(&self, limit: Limit) -> Duration {
        #[cfg(feature = "cluster")]
        if self.args.join.is_some() {
            return JOURNAL_GRACE;
        }
        match self.args.journal.is_some() || self.args.resume.is_some() {
            true => JOURNAL_GRACE,
            false if limit == Limit::Interrupted => INTERRUPT_GRACE,
            false => GRACE,
        }
    }

    fn over_limit(&self, deadline: Instant) -> Option<Limit> {
        if interrupt::is_pending() {
            return Some(Limit::Interrupted);
        }
        if Instant::now() >= deadline {
            return Some(Limit::Time);
        }
        let most = memory_limit(self.args.memory)?;
        resident_bytes().is_some_and(|held| held > most).then_some(Limit::Memory)
    }

    /// Says what a message is about; true when it was the last one.
    fn hear(&mut self, message: Message) -> bool {
        match message {
            Message::Opened(opened) => {
                speak::diagnostics(&opened, self.args.json);
                self.inverted = opened.inverted;
                let exit = speak::exit_of(&opened);
                if let Some(exit) = exit.map(|exit| by_formula(&opened, exit)) {
                    self.clear();
                    self.total.add(exit);
                    self.detail = exit.about().to_owned();
                    return true;
                }
                if Wants::of(self.args).fit(&opened).is_ok() {
                    self.replies(&reply::before(&opened));
                }
                self.opened = Some(opened);
                if let Some(progress) = &self.progress {
                    progress.say(&printable::line(self.file));
                }
            }
            Message::Remark(_) if self.args.quiet => {}
            Message::Remark(remark) => speak::err(&format!("{}\n", printable::line(&remark))),
            Message::Note(note) => self.note(&note),
            Message::Decided(decision) => self.decided(*decision),
            Message::Hints(wrong) => {
                let (file, bytes, complaints) = *wrong;
                self.finish();
                speak::list(&file, &bytes, &complaints, self.args.json);
                self.total.add(Exit::Input);
                self.detail = complaints.first().map_or(String::new(), |it| it.message.clone());
                return true;
            }
            Message::End(result) => {
                self.tell_waiting();
                if result.is_ok() {
                    self.tell_untreated();
                }
                self.finish();
                match result {
                    Ok(()) => {}
                    Err(CannotRun::Request(message)) => self.refuse(message, Exit::Usage),
                    Err(CannotRun::Unsupported(message)) => {
                        self.refuse(message, Exit::Unsupported);
                    }
                    Err(CannotRun::Untreated(complaints)) => self.complain(&complaints),
                }
                return true;
            }
        }
        false
    }

    /// Says with places what is not treated.
    fn complain(&mut self, complaints: &[Diagnostic]) {
        let bytes = self.opened.as_ref().map_or(&[][..], |opened| &opened.bytes);
        speak::list(self.file, bytes, complaints, self.args.json);
        self.total.add(Exit::Unsupported);
        self.detail = complaints.first().map_or(String::new(), |first| first.message.clone());
    }

    fn refuse(&mut self, message: String, exit: Exit) {
        speak::complain(self.file, &message, self.args.json);
        self.total.add(exit);
        self.detail = message;
    }

    fn clear(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }

    /// When all is said about the file.
    fn finish(&mut self) {
        self.clear();
        if self.dialect == Dialect::Sby && !self.args.json {
            let is_safe = |(_, verdict): &(String, Outcome)| *verdict == Outcome::Safe;
            // Where nothing was asked, nothing was shown.
            let is_shown = !self.decided.is_empty() && self.decided.iter().all(is_safe);
            let word = if is_shown { "0" } else { "2" };
            let text = self.sby.take().unwrap_or_else(|| format!("{word}\nb0\n.\n"));
            speak::reply(&text);
        }
        let is_human = self.dialect == Dialect::Human && !self.args.json;
        if self.decided.len() > 1 && is_human && self.verbosity > Verbosity::Quiet {
            let file = printable::line(self.file);
            speak::out(&format!("{file}: {}\n", text::summary(&self.decided)));
        }
        self.output.finish();
        if self.output.has_failed {
            self.total.add(Exit::Usage);
        }
    }

    fn note(&mut self, note: &Note) {
        let engine = self.timeline.hear(note);
        self.tell_bound(note);
        if self.args.json && self.verbosity >= Verbosity::Verbose {
            speak::object(&json::note(note));
        } else if self.verbosity >= Verbosity::Debug || self.shows_frames(note) {
            speak::err(&format!("{}\n", text::note(note)));
        } else if let Some(progress) = &mut self.progress {
            progress.show(&self.timeline, engine);
        }
    }

    /// Tells SBY up to which depth there is no violation, where that is about all there is.
    fn tell_bound(&mut self, note: &Note) {
        let Event::Bound { depth } = note.event else { return };
        let properties = self.opened.as_ref().map_or(0, |it| unanswered(it, None, "").len());
        if self.dialect == Dialect::Sby && properties == 1 && self.bound < Some(depth) {
            self.bound = Some(depth);
            speak::reply(&format!("u{}\n", depth + 1));
        }
    }

    /// Whether an event is a row of the frame table, which is wanted and has no line on a terminal.
    fn shows_frames(&self, note: &Note) -> bool {
        self.verbosity == Verbosity::Verbose
            && self.progress.is_none()
            && matches!(note.event, Event::Frames { .. })
    }

    /// Answers are given in the order of the file, as soon as all before them are given.
    fn decided(&mut self, mut decision: Decision) {
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        decision.answer.milliseconds = milliseconds;
        let timeline = std::mem::take(&mut self.timeline);
        self.waiting.insert(decision.place, (decision, timeline));
        while let Some((decision, timeline)) = self.waiting.remove(&self.told) {
            self.tell_decision(decision, timeline);
        }
    }

    /// Gives the answers that waited for others, which will not come any more.
    fn tell_waiting(&mut self) {
        for (decision, timeline) in std::mem::take(&mut self.waiting).into_values() {
            self.tell_decision(decision, timeline);
        }
    }

    fn tell_decision(&mut self, decision: Decision, timeline: Timeline) {
        let Decision { index, answer, evidence, warnings, .. } = decision;
        self.told += 1;
        self.clear();
        self.next = index + 1;
        self.answered.insert(index);
        if let Some(opened) = &self.opened {
            speak::list(&opened.file, &opened.bytes, &warnings, self.args.json);
        }
        let now = std::mem::replace(&mut self.timeline, timeline);
        self.tell(index, answer, evidence.as_ref());
        self.timeline = now;
        if self.progress.is_some() {
            // Other properties may follow.
            self.progress = Progress::on_terminal();
        }
    }

    /// Says an answer and what belongs to it.
    fn tell(&mut self, index: usize, mut answer: Answer, evidence: Option<&AnyEvidence>) {
        let timeline = std::mem::take(&mut self.timeline);
        let Some(opened) = self.opened.as_ref().map(|opened| opened.question(index)) else {
            self.answer(&answer, &Carried::default());
            return;
        };
        self.found.push(Found {
            file: answer.file.clone(),
            property: answer.violated.clone().unwrap_or_else(|| answer.property.clone()),
            verdict: answer.verdict,
            message: answer.detail.clone(),
            place: evidence.and_then(|evidence| place(&opened, evidence)),
            milliseconds: answer.milliseconds,
        });
        let after = self.output.decided(&opened, index, &mut answer, evidence, timeline);
        let carried = match self.args.json {
            true => self.output.carried(&opened, evidence),
            false => Carried::default(),
        };
        self.answer(&answer, &carried);
        match self.dialect {
            // What is shown of a source has our colours, and all else in it is printable.
            Dialect::Human if self.args.show.is_some() => speak::painted(&after),
            Dialect::Human => speak::out(&after),
            Dialect::Horn | Dialect::Hwmcc | Dialect::Svcomp | Dialect::Termcomp => {
                speak::reply(&after)
            }
            Dialect::Sby => {
                let is_first = self.sby.is_none() && answer.verdict == Outcome::Unsafe;
                if let Some(evidence) = evidence.filter(|_| is_first) {
                    self.sby = Some(evidence.text(&opened).replace('x', "0"));
                }
            }
        }
        self.output.remarks();
        self.replies(&reply::after(&opened, index, &answer, evidence));
    }

    /// Replies to what a script asks for.
    fn replies(&self, replies: &[Reply]) {
        for reply in replies {
            match reply {
                Reply::Text(text) if self.args.json => {
                    speak::object(&json::reply(self.file, text));
                }
                // Only the answer is wanted, unless in the words of solvers.
                Reply::Text(_) if self.args.quiet && self.dialect == Dialect::Human => {}
                Reply::Text(text) if self.dialect == Dialect::Human => speak::out(text),
                Reply::Text(text) => speak::reply(text),
                Reply::Nothing(_) if self.args.quiet => {}
                Reply::Nothing(why) => {
                    speak::err(&format!("{}: {why}\n", printable::line(self.file)));
                }
            }
        }
    }

    fn answer(&mut self, answer: &Answer, carried: &Carried) {
        let exit = match answer.verdict {
            Outcome::Safe => Exit::Safe,
            Outcome::Unsafe => Exit::Unsafe,
            Outcome::Unknown => Exit::Unknown,
        };
        // The table of several files says what the worst answer says.
        if self.decided.is_empty() || weight(exit) > weight(self.total.exit) {
            self.detail.clone_from(&answer.detail);
        }
        self.decided.push((answer.property.clone(), answer.verdict));
        self.total.add(exit);
        let expected = match self.args.expect {
            None => None,
            Some(Expect::Safe) => Some(Outcome::Safe),
            Some(Expect::Unsafe) => Some(Outcome::Unsafe),
            Some(Expect::Unknown) => Some(Outcome::Unknown),
        };
        self.total.as_expected &= expected.is_none_or(|expected| expected == answer.verdict);
        if self.args.json {
            speak::object(&json::answer(answer, carried));
            return;
        }
        let in_words_of_verifiers = answer.verdict.svcomp(answer.violated.as_deref());
        let word = match self.dialect {
            Dialect::Human => {
                let colour = speak::colours_answers();
                speak::painted(&text::answer(answer, self.verbosity, colour));
                return;
            }
            // In the fixedpoint dialect the question is whether the query can be reached.
            Dialect::Horn if self.inverted => answer.verdict.hwmcc(),
            Dialect::Horn => answer.verdict.horn(),
            Dialect::Hwmcc => answer.verdict.hwmcc(),
            Dialect::Svcomp => &in_words_of_verifiers,
            Dialect::Termcomp => answer.verdict.termcomp(),
            // One answer for all properties, when all are known.
            Dialect::Sby => return,
        };
        speak::out(&format!("{word}\n"));
        if self.verbosity >= Verbosity::Verbose {
            speak::err(&text::answer(answer, self.verbosity, false));
        }
    }

    /// Answers everything that has no answer yet when the time or the memory is used up.
    fn unknown(&mut self, detail: &str) {
        self.tell_waiting();
        self.clear();
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let open = match &self.opened {
            Some(opened) => unanswered(opened, self.wanted(opened), detail),
            None => vec![(0, Answer::unknown(self.file, detail))],
        };
        for (index, answer) in open {
            if !self.answered.contains(&index) {
                self.tell(index, Answer { milliseconds, ..answer }, None);
            }
        }
    }

    /// The position of the property that is wanted, if it is one of those of a file.
    fn wanted(&self, opened: &Opened) -> Option<usize> {
        let wanted = self.args.property.as_deref()?;
        match &opened.problem {
            Some(AnyProblem::C(_) | AnyProblem::Flow(_) | AnyProblem::Temporal(_)) => None,
            Some(AnyProblem::Game(_)) => None,
            _ => property_named(opened, wanted).ok(),
        }
    }

    /// Answers what a task asks and nobody treats.
    fn tell_untreated(&mut self) {
        let Some(opened) = &self.opened else { return };
        let file = opened.file.clone();
        for (property, why) in opened.untreated.clone() {
            let answer = Answer { property, ..Answer::unknown(&file, &why) };
            self.tell(self.next, answer, None);
            self.next += 1;
        }
    }

    fn fault(&mut self, message: &str) {
        self.tell_waiting();
        self.clear();
        self.refuse(format!("a fault of this program: {message}"), Exit::Internal);
    }
}
