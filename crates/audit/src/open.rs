//! Opening a file: its bytes, its format, and the problem it states.
//!
//! Compressed files are expanded first, and a byte order mark is no part of a text. The format is what
//! the caller says, else what the content says beyond doubt, else what the name says: a name that is
//! wrong is a warning.

use crate::compressed::{expanded, inner_name};
use crate::flow::{Asked, not_a_flow};
pub use crate::format::AnyProblem;
use crate::format::{FORMATS, Format, Source, is_formula};
use crate::game;
use crate::program::{CProgram, Encoding, Wishes};
use crate::task;
use alphorn_front::smtlib::Request;
use alphorn_front::{Code, Diagnostic, Diagnostics};
use alphorn_problem::temporal::Ends;
use alphorn_problem::{Game, Horn, Span};
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A file that was opened: perhaps with a problem in it, surely with all that is to be said
/// about it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The file, as the user named it.
    pub file: String,
    /// Its content, expanded if it was compressed.
    pub bytes: Arc<Vec<u8>>,
    /// Its format, if it was recognized.
    pub format: Option<Format>,
    /// The problem, if the file is sound.
    pub problem: Option<AnyProblem>,
    /// The problems of further questions, where a script asks several.
    pub more: Vec<Arc<Horn>>,
    /// What a script asks for besides verdicts, and after how many questions.
    pub requests: Vec<(usize, Request)>,
    /// Everything the reader noticed.
    pub diagnostics: Diagnostics,
    /// Whether `sat` and `unsat` mean the opposite of what Horn users expect, as in the
    /// fixedpoint dialect.
    pub inverted: bool,
    /// Properties that a task definition asks about and that are not treated: their names, and why.
    pub untreated: Vec<(String, String)>,
    /// How long reading took, which counts against the time limit.
    pub time: Duration,
}

impl Opened {
    /// The temporal formula that is asked about, with what it means that runs end and which runs count.
    pub fn formula(&self) -> Option<String> {
        let Some(AnyProblem::Temporal(problem)) = &self.problem else { return None };
        let ends = match problem.ends {
            Ends::Vacuous => "ends are vacuous",
            Ends::Stutter => "ends stutter",
        };
        let fair = problem.said.fairness.as_ref();
        let fair = fair.map_or(String::new(), |(often, then)| format!(", fair: {often}, {then}"));
        Some(format!("{} ({ends}{fair})", problem.said.formula))
    }
}

/// How many characters at the beginning tell UTF-16.
const WIDE_PAIRS: usize = 6;

/// The mark that some editors put before UTF-8 text.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The largest file that is read; offsets in the input are 32 bits wide.
pub const MAX_BYTES: u64 = u32::MAX as u64 - 1;

/// Opens the file at `path`; `-` is standard input. The format is what `format` says, else what
/// the content says, else what the name says. A compressed file is expanded within `memory`, what the run
/// may take.
pub fn open(path: &str, format: Option<Format>, memory: Option<u64>) -> Opened {
    open_program(path, format, memory, &Wishes::default())
}

/// `open`, with what is asked where the file is a program.
pub fn open_program(
    path: &str,
    format: Option<Format>,
    memory: Option<u64>,
    wishes: &Wishes,
) -> Opened {
    let begun = Instant::now();
    match read_bytes(path, memory) {
        Ok(bytes) => {
            let mut opened = open_asking(path, bytes, format, wishes);
            opened.time = begun.elapsed();
            opened
        }
        Err(diagnostic) => {
            let mut opened = Opened::empty(path, Vec::new());
            opened.diagnostics.push(diagnostic);
            opened
        }
    }
}

/// The bytes of a file, or of standard input for `-`: expanded if they are compressed, and without a
/// byte order mark; `memory` is what the run may take.
pub fn read_bytes(path: &str, memory: Option<u64>) -> Result<Vec<u8>, Diagnostic> {
    readable(read_raw(path)?, memory)
}

/// What bytes stand for: what is in an archive, without a byte order mark; text must be UTF-8.
fn readable(bytes: Vec<u8>, memory: Option<u64>) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = expanded(bytes, memory)?;
    if bytes.starts_with(UTF8_MARK) {
        bytes.drain(..UTF8_MARK.len());
    }
    // Text begins with ASCII in every format there is; binary proofs have zeros, but not so many.
    let is_wide = |high: usize| {
        let pairs = bytes.chunks_exact(2).take(WIDE_PAIRS);
        let is_ascii =
            |pair: &[u8]| pair[high] == 0 && pair[1 - high].is_ascii() && pair[1 - high] != 0;
        pairs.len() == WIDE_PAIRS && pairs.clone().all(is_ascii)
    };
    let is_marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_marked || is_wide(0) || is_wide(1) {
        let message = "the text is in UTF-16, which no format here has";
        let hint = "save it as UTF-8: iconv -f UTF-16 -t UTF-8";
        return Err(Diagnostic::error(Code::FileEncoding, Span::NONE, message).hint(hint));
    }
    Ok(bytes)
}

/// The bytes of a file as they are, or of standard input for `-`.
fn read_raw(path: &str) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |message: String| Diagnostic::error(Code::FileUnreadable, Span::NONE, message);
    let mut bytes = Vec::new();
    if path == "-" {
        let result = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
        result.map_err(|error| unreadable(format!("standard input cannot be read: {error}")))?;
    } else {
        let meta = std::fs::metadata(path).map_err(|error| {
            unreadable(match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
                _ => format!("the file cannot be read: {error}"),
            })
        })?;
        if meta.is_dir() {
            let hint = "name a file in it";
            return Err(unreadable("this is a directory".to_owned()).hint(hint));
        }
        if meta.len() > MAX_BYTES {
            return Err(Diagnostic::unsupported(
                Code::FileTooLarge,
                Span::NONE,
                "the file is larger than 4 GiB",
            ));
        }
        bytes = std::fs::read(path)
            .map_err(|error| unreadable(format!("the file cannot be read: {error}")))?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        let message = "the input is larger than 4 GiB";
        return Err(Diagnostic::unsupported(Code::FileTooLarge, Span::NONE, message));
    }
    Ok(bytes)
}

/// Reads a problem from bytes, which may be compressed; `file` names them in diagnostics and may
/// suggest the format.
pub fn open_bytes(file: &str, bytes: Vec<u8>, format: Option<Format>) -> Opened {
    match readable(bytes, None) {
        Ok(bytes) => open_expanded(file, bytes, format),
        Err(diagnostic) => {
            let mut opened = Opened::empty(file, Vec::new());
            opened.diagnostics.push(diagnostic);
            opened
        }
    }
}

/// `open_bytes` of bytes that are not compressed, or not any more.
pub fn open_expanded(file: &str, bytes: Vec<u8>, format: Option<Format>) -> Opened {
    open_asking(file, bytes, format, &Wishes::default())
}

/// `open_expanded`, with what is asked where the file is a program or the definition of a task.
pub fn open_asking(file: &str, bytes: Vec<u8>, format: Option<Format>, wishes: &Wishes) -> Opened {
    if format.is_none() && task::is_task(file) {
        return match task::read(file, &bytes, wishes) {
            Ok(asked) => open_task(&asked),
            Err(diagnostics) => Opened { diagnostics, ..Opened::empty(file, bytes) },
        };
    }
    let begun = Instant::now();
    let mut opened = Opened::empty(file, bytes);
    if opened.bytes.trim_ascii().is_empty() {
        let diagnostic = Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty");
        opened.diagnostics.push(diagnostic);
        return opened;
    }
    let (of_name, of_content) = (Format::of_name(file), Format::of_content(&opened.bytes));
    let Some(chosen) = format.or(of_content).or(of_name).filter(|_| {
        // A formula is none of the formats, whatever its name says.
        format.is_some() || !is_formula(&opened.bytes)
    }) else {
        opened.diagnostics.push(unknown_format(file, &opened.bytes));
        return opened;
    };
    // Systems of the termination competition are SMT-LIB as far as their names go.
    let fits =
        |of_name: Format| of_name == chosen || (of_name, chosen) == (Format::SmtLib, Format::Its);
    let misnamed = of_name.filter(|&of_name| format.is_none() && !fits(of_name));
    let format = chosen;
    opened.format = Some(format);
    let bytes = Arc::clone(&opened.bytes);
    let (stated, diagnostics) = (format.card().read)(&Source { file, bytes: &bytes, wishes });
    let problem = stated.map(|stated| {
        opened.inverted = stated.inverted;
        opened.more = stated.more;
        opened.requests = stated.requests;
        stated.problem
    });
    let mut diagnostics = diagnostics;
    let mut problem = problem.filter(|_| diagnostics.is_clean());
    if let (Some(found), Asked::Synthesis) = (&problem, &wishes.asked) {
        match played(found, format) {
            Ok(game) => problem = Some(AnyProblem::Game(Arc::new(game))),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    let what = match &problem {
        Some(AnyProblem::Flow(_) | AnyProblem::Temporal(_)) | None => None,
        Some(_) => {
            let is_fine =
                matches!(wishes.asked, Asked::Safety | Asked::Response(_) | Asked::Synthesis);
            (!is_fine).then(|| format.card().about)
        }
    };
    if let Some(what) = what {
        diagnostics.push(not_a_flow(what));
    }
    let is_asked_of = matches!(format, Format::Aiger | Format::Btor2 | Format::Murphi);
    if matches!(wishes.asked, Asked::Response(_)) && !is_asked_of {
        let about = format.card().about;
        let message =
            format!("Murphi, BTOR2 and AIGER are asked what leads to what; these are {about}");
        diagnostics.push(Diagnostic::error(Code::Response, Span::NONE, message));
    }
    for diagnostic in unfitting(wishes, format) {
        diagnostics.push(diagnostic);
    }
    // A problem read with errors is not the problem the file states.
    opened.problem = problem.filter(|_| diagnostics.is_clean());
    let is_clean = diagnostics.is_clean();
    if let Some(of_name) = misnamed {
        let (is, says) = (format.card().name, of_name.card().name);
        let message = format!("the name says {says}, but this is {is} and was read as such");
        let hint = format!("--format {says} insists on the name");
        let warning = Diagnostic::warning(Code::FormatMismatch, Span::NONE, message);
        opened.diagnostics.push(warning.hint(hint));
    }
    opened.diagnostics.list.extend(diagnostics.list);
    if let Some(found) = of_content.filter(|&found| found != format && !is_clean) {
        let (is, says) = (found.card().name, format.card().name);
        let message = format!("this does not look like {says} but like {is}");
        let hint = format!("read it with --format {is}");
        let warning = Diagnostic::warning(Code::FormatMismatch, Span::NONE, message);
        opened.diagnostics.push(warning.hint(hint));
    }
    opened.time = begun.elapsed();
    opened
}

/// What is wished for about processes and networks and is not for files of a format.
fn unfitting(wishes: &Wishes, format: Format) -> Vec<Diagnostic> {
    let is_network = matches!(format, Format::Tck | Format::Uppaal);
    let is_any = wishes.encoding == Some(Encoding::Parameterised);
    let all = [
        (
            wishes.target.is_some() && !is_network && format != Format::Tts,
            Code::ThreadTarget,
            "a target is for thread transition systems and timed automata",
        ),
        (
            wishes.processes.is_some() && !is_network && format != Format::Cubicle,
            Code::CubicleProcesses,
            "a number of processes is for protocols and templates",
        ),
        (
            wishes.encoding.is_some() && !is_network && format != Format::C,
            Code::TimedTarget,
            "an encoding is for timed automata and threads",
        ),
        (
            (wishes.copies.is_some() || is_any) && !is_network,
            Code::TimedTemplate,
            "copies of a template are for timed automata",
        ),
    ];
    let wrong = all.into_iter().filter(|(is_wrong, _, _)| *is_wrong);
    let said = |(_, code, what)| {
        let message = format!("{what}, and this is {}", format.card().name);
        Diagnostic::error(code, Span::NONE, message)
    };
    wrong.map(said).collect()
}

/// The game that a problem of a file is, or why it is none.
fn played(problem: &AnyProblem, format: Format) -> Result<Game, Diagnostic> {
    match problem {
        AnyProblem::Circuit(circuit) => game::of_circuit(circuit),
        AnyProblem::Words(words) => game::of_words(words),
        _ => Err(game::not_a_game(format.card().about)),
    }
}

/// Opens the program of a task.
fn open_task(asked: &task::Found) -> Opened {
    let (program, untreated) = (&asked.program, asked.untreated.clone());
    let opened = match read_bytes(program, None) {
        // The definition of a task names no other one.
        Ok(bytes) => open_asking(program, bytes, Some(Format::C), &asked.wishes),
        Err(diagnostic) => {
            let mut opened = Opened::empty(program, Vec::new());
            opened.diagnostics.push(diagnostic);
            opened
        }
    };
    Opened { untreated, ..opened }
}

fn unknown_format(file: &str, bytes: &[u8]) -> Diagnostic {
    if is_formula(bytes) || inner_name(file).ends_with(".cnf") {
        let message = "this is a CNF formula, which states no property of a system";
        let hint = format!("it is decided by: alphorn sat {file}");
        return Diagnostic::error(Code::FormatUnknown, Span::NONE, message).hint(hint);
    }
    let names: Vec<&str> = FORMATS.iter().map(|card| card.name).collect();
    let message = "neither the name nor the content says which format this is";
    let hint = format!("say it with --format {}", names.join("|"));
    Diagnostic::error(Code::FormatUnknown, Span::NONE, message).hint(hint)
}

impl Opened {
    /// The file as if it asked only its question number `index`.
    pub fn question(&self, index: usize) -> Opened {
        let mut one = self.clone();
        if let Some(horn) = index.checked_sub(1).and_then(|further| self.more.get(further)) {
            one.problem = Some(AnyProblem::Horn(Arc::clone(horn)));
        }
        if let Some(AnyProblem::C(program)) = &self.problem {
            let tasks = program.tasks.get(index).cloned().into_iter().collect();
            let unit = Arc::clone(&program.unit);
            one.problem =
                Some(AnyProblem::C(Arc::new(CProgram { unit, tasks, encoding: program.encoding })));
        }
        one.more.clear();
        one
    }

    /// Horn clauses that were read already, from this text.
    pub fn of_horn(file: &str, horn: Arc<Horn>, text: Arc<Vec<u8>>) -> Opened {
        let format = Some(Format::SmtLib);
        let problem = Some(AnyProblem::Horn(horn));
        Opened { bytes: text, format, problem, ..Opened::empty(file, Vec::new()) }
    }

    pub(crate) fn empty(file: &str, bytes: Vec<u8>) -> Opened {
        Opened {
            file: file.to_owned(),
            bytes: Arc::new(bytes),
            format: None,
            problem: None,
            more: Vec::new(),
            requests: Vec::new(),
            diagnostics: Diagnostics::default(),
            inverted: false,
            untreated: Vec::new(),
            time: Duration::ZERO,
        }
    }
}
