//! C programs: what is asked about them, and evidence about them as text.
//!
//! Every property that is asked about, or group of them, is a question of its own with an answer of its
//! own.

use crate::flow::Asked;
use alphorn_check::Refusal;
use alphorn_check::accept::{Checked, accept};
pub use alphorn_front::cubicle::Processes;
use alphorn_front::evidence::{
    ProgramEvidence, ProgramQuestion, data_model_name, print_horn, print_program_proof,
    print_program_run, program_pieces, read_horn, read_program,
};
use alphorn_front::property::{self, GROUPS, Named, Specification, Wanted, named};
use alphorn_front::response::ResponseWish;
use alphorn_front::timed::Reading;
pub use alphorn_front::timed::{ENCODINGS, Encoding};
use alphorn_front::{Code, Diagnostic, Diagnostics, Severity};
use alphorn_problem::{Span, Verdict};
use alphorn_program::Unit;
use alphorn_program::c::evidence::{Numbers, ProgramProof, clauses_of};
use alphorn_program::c::lower::{Untreated, lower};
pub use alphorn_program::c::property::Malloc;
use alphorn_program::c::property::Task;
pub use alphorn_program::c::{DataModel, Property};
use alphorn_program::form::Action;
use std::ops::Range;
use std::sync::Arc;

/// What a user asks about programs and flows.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// How wide integers are, if it is said.
    pub model: Option<DataModel>,
    /// The function where runs begin; `main` if none is named.
    pub entry: Option<String>,
    /// Whether allocation may fail.
    pub malloc: Malloc,
    /// The questions: names, and properties that must all hold. If there are none, whether assertions
    /// hold and the functions that report errors are not called.
    pub questions: Vec<(String, Vec<Property>)>,
    /// What is asked about runs.
    pub asked: Asked,
    /// What must not be reached, where the file does not say it: a state of threads, or labels of a network.
    pub target: Option<String>,
    /// How many processes a protocol of any number of them is read for, if it is said.
    pub processes: Option<Processes>,
    /// The clauses that a network of timed automata, or threads, become, if it is said.
    pub encoding: Option<Encoding>,
    /// The template of a network of which there are copies, if it is said.
    pub copies: Option<String>,
}

impl Wishes {
    /// What is asked about a network of timed automata.
    pub(crate) fn network(&self) -> Reading<'_> {
        let Wishes { encoding, processes, .. } = *self;
        let (target, template) = (self.target.as_deref(), self.copies.as_deref());
        Reading { target, encoding, template, processes }
    }

    /// What should lead to what, if that is asked.
    pub fn response(&self) -> Option<&ResponseWish> {
        match &self.asked {
            Asked::Response(wish) => Some(wish),
            _ => None,
        }
    }
}

/// Why a question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unasked {
    /// There is no such property, or no such file.
    Wrong(String),
    /// The property is understood and not treated.
    Untreated(String),
}

impl Unasked {
    /// The reason, in words.
    pub fn words(&self) -> &str {
        match self {
            Unasked::Wrong(why) | Unasked::Untreated(why) => why,
        }
    }
}

/// The questions that names separated by commas ask: of properties, of groups of them, and of property
/// files (`.prp`).
pub fn questions(names: &str) -> Result<Vec<(String, Vec<Property>)>, Unasked> {
    names.split(',').map(|name| question_of(name.trim())).collect()
}

/// Whether names, or a property file, ask whether every run ends, and nothing else.
pub fn asks_termination(names: &str) -> bool {
    let wanted = match names.ends_with(".prp") {
        true => property_file(names).map(|asked| asked.wanted).unwrap_or_default(),
        false => match named(names) {
            Named::Known(wanted) => wanted,
            Named::Unknown(_) => Vec::new(),
        },
    };
    wanted == [Wanted::Untreated(property::Untreated::Termination)]
}

/// The question that one name asks.
pub(crate) fn question_of(name: &str) -> Result<(String, Vec<Property>), Unasked> {
    let wanted = match name.ends_with(".prp") {
        true => property_file(name)?.wanted,
        false => match named(name) {
            Named::Known(wanted) => wanted,
            Named::Unknown(Some(other)) => {
                let why = format!("programs have no property `{name}`; is `{other}` meant?");
                return Err(Unasked::Wrong(why));
            }
            Named::Unknown(None) => {
                let groups = GROUPS.iter().map(|group| group.name);
                let names: Vec<&str> =
                    Property::ALL.into_iter().map(Property::name).chain(groups).collect();
                let names = names.join(", ");
                let why = format!("programs have no property `{name}`: there are {names}");
                return Err(Unasked::Wrong(why));
            }
        },
    };
    let asked = Specification { entry: None, wanted };
    match asked.untreated().first() {
        Some(property) => Err(Unasked::Untreated(property.sentence().to_owned())),
        None => {
            let stem = std::path::Path::new(name).file_stem().and_then(|stem| stem.to_str());
            let label = if name.ends_with(".prp") { stem.unwrap_or(name) } else { name };
            Ok((label.to_owned(), asked.properties()))
        }
    }
}

/// What a property file asks.
fn property_file(name: &str) -> Result<Specification, Unasked> {
    let bytes = std::fs::read(name)
        .map_err(|error| Unasked::Wrong(format!("{name} cannot be read: {error}")))?;
    let (found, diagnostics) = property::read(&bytes);
    let entry = found.as_ref().and_then(|found| found.entry.clone());
    if let Some(entry) = entry.filter(|entry| entry != "main") {
        let why =
            format!("{name} has runs begin in {entry}; ask for its properties by their names");
        return Err(Unasked::Wrong(why));
    }
    found.ok_or_else(|| {
        let first = diagnostics.list.first();
        let message = first.map_or("it cannot be read", |first| &first.message);
        let why = format!("{name}: {message}");
        match diagnostics.worst() {
            Some(Severity::Unsupported) => Unasked::Untreated(why),
            _ => Unasked::Wrong(why),
        }
    })
}

/// A question about a program.
#[derive(Clone, Debug)]
pub struct ProgramTask {
    /// What it is called in answers.
    pub name: String,
    /// The program, and what is asked.
    pub task: Arc<Task>,
}

/// A C program with the questions about it.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// The typed tree, which all questions share.
    pub unit: Arc<Unit>,
    /// A question for each property that is asked.
    pub tasks: Vec<ProgramTask>,
    /// The clauses that its threads become, if it is said.
    pub encoding: Option<Encoding>,
}

impl CProgram {
    /// The questions that are wished for; an error if there is no function to begin with.
    pub(crate) fn new(unit: Unit, wishes: &Wishes) -> Result<CProgram, Diagnostic> {
        let unit = Arc::new(unit);
        let name = wishes.entry.as_deref().unwrap_or("main");
        let defined = unit.find_function(name).filter(|&f| unit.function(f).body.is_some());
        let Some(entry) = defined else {
            let message = format!("the program has no function `{name}` to begin with");
            let hint = "name the function where runs begin with --entry";
            return Err(Diagnostic::error(Code::CEntry, Span::NONE, message).hint(hint));
        };
        let task = |(name, mut properties): (String, Vec<Property>)| {
            properties.sort();
            properties.dedup();
            let (unit, malloc) = (Arc::clone(&unit), wishes.malloc);
            ProgramTask { name, task: Arc::new(Task { unit, entry, properties, malloc }) }
        };
        let mut tasks: Vec<ProgramTask> = wishes.questions.iter().cloned().map(task).collect();
        if tasks.is_empty() {
            tasks = questions(ASSERTIONS).expect("there are such").into_iter().map(task).collect();
            if !asserts(&tasks[0].task) {
                // A program that asserts nothing is asked whether all it does is defined.
                tasks = questions(DEFINED).expect("there are such").into_iter().map(task).collect();
            }
        }
        Ok(CProgram { tasks, unit: Arc::clone(&unit), encoding: wishes.encoding })
    }
}

/// What a program is asked if nobody says anything.
const ASSERTIONS: &str = "assertions";
/// What a program without assertions is asked.
const DEFINED: &str = "no-overflow,no-division-by-zero,array-bounds,valid-memsafety";

/// Whether a program can come to an assertion, or to a function that reports an error.
fn asserts(task: &Task) -> bool {
    let lowered = [Numbers::Integers, Numbers::Words].map(|numbers| lower(task, numbers));
    let mut lowered = lowered.into_iter().flatten();
    let Some(lowered) = lowered.next() else { return true };
    let blocks = lowered.program.procs.iter().flat_map(|proc| &proc.blocks);
    let mut steps = blocks.flat_map(|block| &block.steps);
    steps.any(|step| matches!(step.action, Action::Check(_)))
}

/// What is not treated, as complaints with places.
pub fn complaints(untreated: &[Untreated]) -> Vec<Diagnostic> {
    let complaint = |one: &Untreated| {
        let message = format!("this is not treated: {}", one.what);
        Diagnostic::unsupported(Code::CUntreated, one.span, message)
    };
    untreated.iter().filter(|one| !one.needs_words).map(complaint).collect()
}

fn question(task: &Task) -> ProgramQuestion {
    ProgramQuestion {
        properties: task.properties.clone(),
        entry: task.unit.function(task.entry).name.clone(),
        model: task.unit.types.model,
        malloc: task.malloc,
    }
}

/// The evidence of a verdict about a program, as the text of a file.
pub fn text(task: &Task, verdict: &Verdict<Task>) -> String {
    match verdict {
        Verdict::Unsafe(run) => print_program_run(&question(task), run),
        Verdict::Safe(proof) => match clauses_of(task, proof.encoding) {
            Ok((_, made)) => {
                let model = print_horn(&made.horn, &Verdict::Safe(proof.model.clone()));
                print_program_proof(&question(task), proof.encoding, &model)
            }
            Err(_) => String::new(),
        },
    }
}

/// What became of evidence about a program from a file.
pub enum Judged {
    /// It is evidence, and an answer to what is asked.
    Accepted(Arc<Task>, Box<Checked<Task>>),
    /// The checker refuses it.
    Refused(Refusal),
    /// It is no evidence about programs, or about another one.
    Unreadable(Diagnostics),
}

/// Checks the pieces of evidence in a file against a program; each says itself what it answers, and that must be
/// what is asked.
pub fn judge(program: &CProgram, is_asked: bool, bytes: &[u8]) -> Vec<Judged> {
    let pieces = program_pieces(bytes).into_iter();
    pieces.map(|piece| judge_piece(program, is_asked, bytes, piece)).collect()
}

/// Checks one piece of evidence, which stands at this place of a file.
fn judge_piece(program: &CProgram, is_asked: bool, bytes: &[u8], piece: Range<usize>) -> Judged {
    let end = piece.end;
    let unreadable = |diagnostic: Diagnostic| {
        let mut all = Diagnostics::default();
        all.push(diagnostic);
        Judged::Unreadable(all)
    };
    let (claimed, evidence) = match read_program(bytes, piece) {
        Ok(read) => read,
        Err(diagnostic) => return unreadable(*diagnostic),
    };
    let other =
        |message: String| unreadable(Diagnostic::error(Code::Evidence, Span::NONE, message));
    if claimed.model != program.unit.types.model {
        let (is, was) = (data_model_name(claimed.model), data_model_name(program.unit.types.model));
        return other(format!(
            "the evidence is for the data model {is}, and the file was read for {was}"
        ));
    }
    let Some(entry) = program.unit.find_function(&claimed.entry) else {
        return other(format!("the program has no function `{}`", claimed.entry));
    };
    if program.unit.function(entry).body.is_none() {
        return other(format!("the function `{}` is not defined", claimed.entry));
    }
    let ProgramQuestion { properties, malloc, .. } = claimed;
    let task = Arc::new(Task { unit: Arc::clone(&program.unit), entry, properties, malloc });
    let is_same = |asked: &ProgramTask| {
        let asked = &asked.task;
        asked.entry == task.entry
            && asked.properties == task.properties
            && asked.malloc == task.malloc
    };
    if is_asked && !program.tasks.iter().any(is_same) {
        return other("the evidence answers another question than was asked".to_owned());
    }
    let verdict = match evidence {
        ProgramEvidence::Unsafe(run) => Verdict::Unsafe(run),
        ProgramEvidence::Safe(encoding, at) => {
            let horn = match clauses_of(&task, encoding) {
                Ok((_, made)) => made.horn,
                Err(untreated) => {
                    let what = untreated.first().map_or("", |one| one.what.as_str());
                    return other(format!("the program has no such clauses: {what}"));
                }
            };
            let (verdicts, mut diagnostics) = read_horn(&bytes[at..end], &horn);
            // Places in the model are told as places in the file.
            let moved = |span: Span| Span::new(span.start as usize + at, span.end as usize + at);
            diagnostics.list.iter_mut().for_each(|found| found.span = moved(found.span));
            let is_clean = diagnostics.is_clean();
            match verdicts.filter(|_| is_clean).map(|mut all| all.pop()) {
                Some(Some(Verdict::Safe(model))) => Verdict::Safe(ProgramProof { encoding, model }),
                _ if !is_clean => return Judged::Unreadable(diagnostics),
                _ => return other("there is no model in the evidence".to_owned()),
            }
        }
    };
    match accept(&*task, (), verdict) {
        Ok(checked) => Judged::Accepted(task, Box::new(checked)),
        Err(refusal) => Judged::Refused(refusal),
    }
}
