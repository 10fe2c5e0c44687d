//! The formats: one table of names, endings, first bytes and readers.
//!
//! A format is a row: what people call it, how its files are recognised, and how they are read. Opening,
//! the command line and the messages about files of another kind go by the table.

use crate::compressed::inner_name;
use crate::flow::{Asked, Ends, of_program, temporal};
use crate::horn_to_flow::horn_to_flow;
use crate::preprocess;
use crate::program::{CProgram, Wishes};
use alphorn_front::smtlib::{Dialect, Request};
use alphorn_front::{
    Code, Diagnostic, Diagnostics, Severity, aiger, boogie, btor2, c, counters, cubicle, fts, its,
    murphi, nts, prolog, response, sdn, smtlib, svlib, t2, timed,
};
use alphorn_problem::{Circuit, Flow, Game, Horn, Span, Temporal, Words};
use alphorn_program::c::lower::Untreated;
use alphorn_program::clauses::clauses;
use alphorn_program::{Program, program_to_flow};
use std::path::Path;
use std::sync::Arc;

/// A problem of any kind.
#[derive(Clone, Debug)]
pub enum AnyProblem {
    /// A Horn system.
    Horn(Arc<Horn>),
    /// A circuit.
    Circuit(Arc<Circuit>),
    /// A word-level transition system.
    Words(Arc<Words>),
    /// A C program.
    C(Arc<CProgram>),
    /// A flow, asked whether every run ends.
    Flow(Arc<Flow>),
    /// A flow, asked about a temporal formula.
    Temporal(Arc<Temporal>),
    /// A safety game.
    Game(Arc<Game>),
}

/// What a file comes to: a problem, and what it asks of it.
pub(crate) struct Stated {
    pub(crate) problem: AnyProblem,
    /// The problems of further questions.
    pub(crate) more: Vec<Arc<Horn>>,
    /// What is asked for besides verdicts, and after how many questions.
    pub(crate) requests: Vec<(usize, Request)>,
    /// Whether `sat` and `unsat` mean the opposite of what Horn users expect.
    pub(crate) inverted: bool,
}

/// A file that is read.
pub(crate) struct Source<'s> {
    /// Its name.
    pub(crate) file: &'s str,
    /// Its content.
    pub(crate) bytes: &'s [u8],
    /// What is asked if it is a program.
    pub(crate) wishes: &'s Wishes,
}

/// What a reader makes of a file.
type Reader = fn(&Source<'_>) -> (Option<Stated>, Diagnostics);

/// A format as the manual sees it, and as files are opened.
pub struct FormatCard {
    /// The format that the card is about.
    pub format: Format,
    /// Its name on the command line.
    pub name: &'static str,
    /// Endings of file names that say so where the content does not.
    pub endings: &'static [&'static str],
    /// What the format is for, in a phrase for manuals.
    pub about: &'static str,
    /// What its files are and who takes them, for who was given one and cannot read it.
    belongs: &'static str,
    /// Whether files with this content, and this text after comments that begin with a semicolon, are
    /// of the format.
    begins: fn(&[u8], &[u8]) -> bool,
    /// Its reader.
    pub(crate) read: Reader,
}

/// Makes of the table of formats the type of them and their cards.
macro_rules! formats {
    ($($(#[$about:meta])* $format:ident { $($field:ident: $value:expr,)* },)*) => {
        /// A format of problems.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Format {
            $($(#[$about])* $format,)*
        }

        /// All formats.
        pub const FORMATS: &[FormatCard] =
            &[$(FormatCard { format: Format::$format, $($field: $value,)* },)*];
    };
}

formats! {
    /// Horn clauses in SMT-LIB.
    SmtLib {
        name: "smtlib",
        endings: &["smt2", "smt", "chc"],
        about: "Horn clauses in SMT-LIB 2.7, or in the fixedpoint dialect",
        belongs: "this is a script in SMT-LIB, run by: alphorn smt FILE",
        begins: |bytes, text| {
            text.starts_with(b"(") && !text.starts_with(b"(*") && !is_svlib(text) && !its::begins(bytes) && !its::begins_ari(bytes)
        },
        read: script,
    },
    /// Transition systems of the termination competition.
    Its {
        name: "its",
        endings: &["its"],
        about: "integer transition systems of the termination competition, in SMT-LIB",
        belongs: "this is an integer transition system, decided by: alphorn terminate FILE",
        begins: |bytes, _| its::begins(bytes),
        read: |source| flow(its::read(source.bytes), source.wishes, Ends::Stutter),
    },
    /// Rewrite rules of the termination competition.
    Ari {
        name: "ari",
        endings: &["ari"],
        about: "integer transition systems of the termination competition, as rewrite rules (ARI)",
        belongs: "this is an integer transition system, decided by: alphorn terminate FILE",
        begins: |bytes, _| its::begins_ari(bytes),
        read: |source| flow(its::read_ari(source.bytes), source.wishes, Ends::Stutter),
    },
    /// Circuits in AIGER, text or binary.
    Aiger {
        name: "aiger",
        endings: &["aig", "aag"],
        about: "circuits in AIGER 1.9, text or binary",
        belongs: "this is a circuit in AIGER, decided by: alphorn FILE",
        begins: |bytes, _| bytes.starts_with(b"aig ") || bytes.starts_with(b"aag "),
        read: |source| one(asked_circuit(source), AnyProblem::Circuit),
    },
    /// Word-level transition systems in BTOR2.
    Btor2 {
        name: "btor2",
        endings: &["btor2", "btor"],
        about: "word-level transition systems in BTOR2",
        belongs: "this is a transition system in BTOR2, decided by: alphorn FILE",
        begins: |bytes, text| is_numbered_line(text) && !counters::tts::begins(bytes),
        read: |source| one(asked_words(source), AnyProblem::Words),
    },
    /// Programs in C.
    C {
        name: "c",
        endings: &["c", "i", "h"],
        about: "programs in C, preprocessed or not",
        belongs: "this is a program in C, decided by: alphorn FILE",
        begins: |bytes, _| bytes.starts_with(b"#include"),
        read: c_program,
    },
    /// Horn clauses in Prolog's syntax.
    Prolog {
        name: "prolog",
        endings: &["pl", "horn", "clp"],
        about: "Horn clauses over integers in Prolog's syntax",
        belongs: "these are Horn clauses in Prolog's syntax, decided by: alphorn FILE",
        begins: |bytes, _| is_clause(bytes),
        read: |source| one(prolog::read(source.bytes), AnyProblem::Horn),
    },
    /// Numerical transition systems.
    Nts {
        name: "nts",
        endings: &["nts"],
        about: "numerical transition systems with calls (NTS)",
        belongs: "this is a numerical transition system, decided by: alphorn FILE",
        begins: |bytes, _| begins_with(bytes, b"nts "),
        read: |source| program(nts::read(source.bytes), source.wishes),
    },
    /// Programs in SV-LIB.
    SvLib {
        name: "svlib",
        endings: &["svlib"],
        about: "programs in SV-LIB 1.0",
        belongs: "this is a program in SV-LIB, decided by: alphorn FILE",
        begins: |_, text| is_svlib(text),
        read: |source| program(svlib::read(source.bytes), source.wishes),
    },
    /// Transition systems in T2's language.
    T2 {
        name: "t2",
        endings: &["t2"],
        about: "transition systems in T2's language",
        belongs: "this is a transition system for T2, decided by: alphorn FILE",
        begins: |bytes, _| begins_with(bytes, b"START:"),
        read: t2_system,
    },
    /// Petri nets and their extensions.
    Spec {
        name: "spec",
        endings: &["spec"],
        about: "Petri nets with transfers, resets and tests, in mist's language",
        belongs: "this is a Petri net, decided by: alphorn FILE",
        begins: |bytes, _| counters::spec::begins(bytes),
        read: |source| one(counters::spec::read(source.bytes), AnyProblem::Horn),
    },
    /// Thread transition systems.
    Tts {
        name: "tts",
        endings: &["tts", "ttd"],
        about: "thread transition systems: any number of threads with finitely many states",
        belongs: "this is a thread transition system, decided by: alphorn FILE --target 'S|L'",
        begins: |bytes, _| counters::tts::begins(bytes),
        read: threads,
    },
    /// Boolean programs with threads.
    Bp {
        name: "bp",
        endings: &["bp"],
        about: "Boolean programs with any number of threads, in CProver's language",
        belongs: "this is a Boolean program, decided by: alphorn FILE",
        begins: |bytes, _| counters::bp::begins(bytes),
        read: |source| one(counters::bp::read(source.bytes), AnyProblem::Horn),
    },
    /// Networks of timed automata in TChecker's text.
    Tck {
        name: "tck",
        endings: &["tck", "ta"],
        about: "networks of timed automata in TChecker's text",
        belongs: "this is a network of timed automata, decided by: alphorn FILE --target 'LABEL:LABEL'",
        begins: |bytes, _| timed::begins(bytes),
        read: |source| {
            one(timed::read(source.bytes, &source.wishes.network()), AnyProblem::Horn)
        },
    },
    /// Networks of timed automata in UPPAAL's XML.
    Uppaal {
        name: "uppaal",
        endings: &["xml"],
        about: "networks of timed automata in UPPAAL's XML",
        belongs: "this is a network of timed automata, decided by: alphorn FILE",
        begins: |bytes, _| timed::uppaal::begins(bytes),
        read: |source| {
            one(timed::uppaal::read(source.bytes, &source.wishes.network()), AnyProblem::Horn)
        },
    },
    /// Protocols of any number of processes.
    Cubicle {
        name: "cubicle",
        endings: &["cub"],
        about: "protocols of any number of processes, in Cubicle's language",
        belongs: "this is a protocol in Cubicle's language, decided by: alphorn FILE",
        begins: |bytes, _| cubicle::begins(bytes),
        read: |source| {
            one(cubicle::read(source.bytes, source.wishes.processes), AnyProblem::Horn)
        },
    },
    /// Protocols in the Murphi language.
    Murphi {
        name: "murphi",
        endings: &["m"],
        about: "protocols in the Murphi language: rules over records and arrays of finite values",
        belongs: "this is a model in the Murphi language, decided by: alphorn FILE",
        begins: |bytes, _| murphi::begins(bytes),
        read: |source| {
            one(murphi::read(source.bytes, source.wishes.response()), AnyProblem::Words)
        },
    },
    /// Fair transition systems.
    Fts {
        name: "fts",
        endings: &["fts"],
        about: "fair transition systems with numbered states, and what leads to what in them",
        belongs: "this is a fair transition system, decided by: alphorn FILE",
        begins: |bytes, _| fts::begins(bytes),
        read: |source| one(fts::read(source.bytes), AnyProblem::Words),
    },
    /// Software-defined networks.
    Sdn {
        name: "sdn",
        endings: &["sdn"],
        about: "software-defined networks: switches, tables of rules, and a controller that changes them",
        belongs: "this is a software-defined network, decided by: alphorn FILE",
        begins: |bytes, _| sdn::begins(bytes),
        read: |source| one(sdn::read(source.bytes), AnyProblem::Words),
    },
    /// Programs in Boogie.
    Boogie {
        name: "boogie",
        endings: &["bpl"],
        about: "programs in Boogie: integers, Booleans, words, maps, procedures with contracts",
        belongs: "this is a program in Boogie, decided by: alphorn FILE",
        begins: |bytes, _| begins_with(bytes, b"procedure "),
        read: |source| program(boogie::read(source.bytes), source.wishes),
    },
}

/// A circuit, with the question about a response if there is one.
fn asked_circuit(source: &Source<'_>) -> (Option<Circuit>, Diagnostics) {
    let (mut circuit, mut diagnostics) = aiger::read(source.bytes);
    if let (Some(found), Some(wish)) = (&mut circuit, source.wishes.response()) {
        match response::ask_circuit(found, wish) {
            Ok(asked) => *found = asked,
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    (circuit, diagnostics)
}

/// A system in BTOR2, with the question about a response if there is one.
fn asked_words(source: &Source<'_>) -> (Option<Words>, Diagnostics) {
    let (mut words, mut diagnostics) = btor2::read(source.bytes);
    if let (Some(words), Some(wish)) = (&mut words, source.wishes.response())
        && let Err(diagnostic) = response::ask(words, wish)
    {
        diagnostics.push(*diagnostic);
    }
    (words, diagnostics)
}

/// The one problem of a file.
fn one<P>(
    (problem, diagnostics): (Option<P>, Diagnostics),
    kind: fn(Arc<P>) -> AnyProblem,
) -> (Option<Stated>, Diagnostics) {
    let stated = problem.map(|problem| Stated {
        problem: kind(Arc::new(problem)),
        more: Vec::new(),
        requests: Vec::new(),
        inverted: false,
    });
    (stated, diagnostics)
}

/// A program, by the clauses it stands for, or by the flow whose runs are its runs.
fn program(
    (program, diagnostics): (Option<Program>, Diagnostics),
    wishes: &Wishes,
) -> (Option<Stated>, Diagnostics) {
    match wishes.asked {
        Asked::Safety | Asked::Response(_) | Asked::Synthesis => {
            one((program.map(|program| clauses(&program).horn), diagnostics), AnyProblem::Horn)
        }
        Asked::Termination | Asked::Temporal(_) => {
            runs(program, diagnostics, wishes, Ends::Stutter)
        }
    }
}

/// A program by the flow whose runs are its runs.
fn runs(
    program: Option<Program>,
    mut diagnostics: Diagnostics,
    wishes: &Wishes,
    ends: Ends,
) -> (Option<Stated>, Diagnostics) {
    let found = program.and_then(|program| match program_to_flow(&program) {
        Ok(flow) => Some(flow),
        Err(untreated) => {
            let Untreated { what, span, .. } = untreated;
            let message = format!("infinite runs are not treated here: {what}");
            let code = Code::PropertyUntreated;
            diagnostics.push(Diagnostic::unsupported(code, span, message));
            None
        }
    });
    flow((found, diagnostics), wishes, ends)
}

/// A flow, with what is asked about it.
fn flow(
    (flow, mut diagnostics): (Option<Flow>, Diagnostics),
    wishes: &Wishes,
    ends: Ends,
) -> (Option<Stated>, Diagnostics) {
    let Some(flow) = flow.filter(|_| diagnostics.is_clean()) else {
        return (None, diagnostics);
    };
    match temporal(&flow, wishes, ends) {
        Ok(None) => one((Some(flow), diagnostics), AnyProblem::Flow),
        Ok(Some(problem)) => one((Some(problem), diagnostics), AnyProblem::Temporal),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

fn t2_system(source: &Source<'_>) -> (Option<Stated>, Diagnostics) {
    match source.wishes.asked {
        Asked::Safety | Asked::Response(_) | Asked::Synthesis => {
            program(t2::read_safety(source.bytes), source.wishes)
        }
        Asked::Termination | Asked::Temporal(_) => {
            let (program, diagnostics) = t2::read_runs(source.bytes);
            runs(program, diagnostics, source.wishes, Ends::Vacuous)
        }
    }
}

fn script(source: &Source<'_>) -> (Option<Stated>, Diagnostics) {
    let (script, mut diagnostics) = smtlib::read(source.bytes);
    if !matches!(source.wishes.asked, Asked::Safety) {
        // Facts are where runs begin, rules how they go on; queries say nothing about that.
        let found = script.and_then(|script| match horn_to_flow(&script.horn) {
            Ok(flow) => Some(flow),
            Err(why) => {
                let message = format!("infinite runs are not treated here: {why}");
                let code = Code::PropertyUntreated;
                diagnostics.push(Diagnostic::unsupported(code, Span::NONE, message));
                None
            }
        });
        return flow((found, diagnostics), source.wishes, Ends::Stutter);
    }
    let stated = script.map(|script| Stated {
        inverted: script.dialect == Dialect::Fixedpoint,
        more: script.more.into_iter().map(Arc::new).collect(),
        requests: script.requests,
        problem: AnyProblem::Horn(Arc::new(script.horn)),
    });
    (stated, diagnostics)
}

/// Threads, with the target that was asked for, or the one that a file beside theirs says.
fn threads(source: &Source<'_>) -> (Option<Stated>, Diagnostics) {
    let path = Path::new(source.file);
    let beside = || {
        let name = path.with_extension("prop");
        preprocess::included(path.parent()?, name.file_name()?.to_str()?)
    };
    let said = source.wishes.target.clone().map(String::into_bytes);
    let said = said.or_else(|| if source.file == "-" { None } else { beside() });
    let target = match said.map(|text| counters::tts::Target::read(&text)).transpose() {
        Ok(target) => target,
        Err(diagnostic) => {
            let mut diagnostics = Diagnostics::default();
            let hint = "a target is written SHARED|LOCAL,LOCAL… with numbers";
            let message = format!("the target is wrong: {}", diagnostic.message);
            let error = Diagnostic::error(diagnostic.code, Span::NONE, message);
            diagnostics.push(error.hint(hint));
            return (None, diagnostics);
        }
    };
    one(counters::tts::read(source.bytes, target.as_ref()), AnyProblem::Horn)
}

/// A C program with the questions about it. Files that it includes by name are looked for beside it.
fn c_program(source: &Source<'_>) -> (Option<Stated>, Diagnostics) {
    let Source { file, bytes, wishes } = *source;
    let folder = Path::new(file).parent().filter(|_| file != "-");
    let model = wishes.model.unwrap_or_default();
    let include = |name: &str| preprocess::included(folder?, name);
    let options = c::Options { name: file, include: &include, defines: Vec::new(), model };
    let (unit, mut diagnostics) = c::read(bytes, &options);
    let unit = unit.filter(|_| diagnostics.is_clean());
    if let (Some(unit), Asked::Termination | Asked::Temporal(_)) = (&unit, &wishes.asked) {
        // Nothing is checked besides: what is not defined ends a run.
        let plain = Wishes { questions: vec![(String::new(), Vec::new())], ..wishes.clone() };
        let task = CProgram::new(unit.clone(), &plain).map(|program| program.tasks[0].task.clone());
        let found =
            match task.map_err(|diagnostic| vec![diagnostic]).and_then(|task| of_program(&task)) {
                Ok(found) => Some(found),
                Err(list) => {
                    list.into_iter().for_each(|one| diagnostics.push(one));
                    None
                }
            };
        return flow((found, diagnostics), wishes, Ends::Stutter);
    }
    let program = unit.and_then(|unit| {
        CProgram::new(unit, wishes).map_err(|diagnostic| diagnostics.push(diagnostic)).ok()
    });
    one((program, diagnostics), AnyProblem::C)
}

/// Whether a text begins with a line that has a number first.
fn is_numbered_line(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_line = line.len() < 4096 && line.is_ascii() && line.contains(&b' ');
    is_line && line.first().is_some_and(u8::is_ascii_digit)
}

/// Whether a script has commands of SV-LIB: some line at its beginning is one.
fn is_svlib(text: &[u8]) -> bool {
    const MAX_LOOKED_AT: usize = 1 << 20;
    let lines = text[..text.len().min(MAX_LOOKED_AT)].split(|&byte| byte == b'\n');
    let is_command =
        |line: &[u8]| line.starts_with(b"(define-proc") || line.starts_with(b"(verify-call");
    text.starts_with(b"(") && lines.into_iter().any(is_command)
}

/// Whether a text begins with a word, after comments that begin with two slashes.
fn begins_with(bytes: &[u8], word: &[u8]) -> bool {
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"//") {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    rest.starts_with(word)
}

/// Whether a text begins with a clause in Prolog's syntax that has a body: comments, a name, what may
/// stand between the parentheses of a head, and `:-`.
fn is_clause(bytes: &[u8]) -> bool {
    const MAX_HEAD: usize = 4096;
    let mut rest = bytes.trim_ascii_start();
    while rest.first() == Some(&b'%') {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    let rest = &rest[..rest.len().min(MAX_HEAD)];
    let Some(end) = rest.windows(2).position(|pair| pair == b":-") else { return false };
    let is_head =
        |&byte: &u8| byte.is_ascii_alphanumeric() || b"_'$()[]-+*, \t\r\n".contains(&byte);
    rest[0].is_ascii_alphabetic() && rest[..end].iter().all(is_head)
}

impl Format {
    /// The row of the table that the format is.
    pub fn card(self) -> &'static FormatCard {
        FORMATS.iter().find(|card| card.format == self).expect("every format has a card")
    }

    /// The format that a file's name suggests; how it is compressed does not matter.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = inner_name(name).rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let card = FORMATS.iter().find(|card| card.endings.contains(&ending.as_str()))?;
        Some(card.format)
    }

    /// The format that a file's first bytes suggest.
    pub fn of_content(bytes: &[u8]) -> Option<Format> {
        let text = after_comments(bytes);
        FORMATS.iter().find(|card| (card.begins)(bytes, text)).map(|card| card.format)
    }

    /// The format that a user names.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.iter().find(|card| card.name == name).map(|card| card.format)
    }
}

/// The text after comments: two formats begin them with a semicolon, and what matters comes after.
fn after_comments(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes.trim_ascii_start();
    while rest.first() == Some(&b';') {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    rest
}

/// Whether this is a CNF formula in DIMACS' format, which states no problem with properties.
pub fn is_formula(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_comment = |line: &[u8]| line.is_empty() || line == b"c" || line.starts_with(b"c ");
    lines.find(|line| !is_comment(line)).is_some_and(|line| line.starts_with(b"p cnf"))
}

/// The verb that a file belongs to, for readers that were given one of another kind; nothing if nobody
/// can tell.
fn belongs_to(bytes: &[u8]) -> Option<&'static str> {
    if is_formula(bytes) {
        return Some("this is a CNF formula, decided by: alphorn sat FILE");
    }
    Format::of_content(bytes).map(|format| format.card().belongs)
}

/// Adds to the first error of a reader that its file is of another kind, if it is.
pub fn hint_at_kind(bytes: &[u8], diagnostics: &mut Diagnostics) {
    let mut errors = diagnostics.list.iter_mut().filter(|d| d.severity != Severity::Warning);
    if let (Some(first), Some(hint)) = (errors.next(), belongs_to(bytes)) {
        first.hint = Some(hint.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_found_by_its_name_and_by_each_of_its_endings() {
        for card in FORMATS {
            assert_eq!(Format::named(card.name), Some(card.format));
            for ending in card.endings {
                assert_eq!(Format::of_name(&format!("a.{ending}")), Some(card.format), "{ending}");
            }
        }
        assert_eq!(Format::named("SMTLIB"), None);
    }

    #[test]
    fn comments_of_both_text_formats_say_nothing_about_the_format() {
        assert_eq!(Format::of_content(b"; 1 sort\n ;(\n(check-sat)"), Some(Format::SmtLib));
        assert_eq!(Format::of_content(b"; (check-sat)\n1 sort bitvec 1"), Some(Format::Btor2));
        assert_eq!(Format::of_content(b"; (check-sat)"), None);
        assert_eq!(Format::of_content(b"12\n"), None);
    }

    #[test]
    fn a_clause_with_a_body_is_recognised_and_little_else_is() {
        for text in ["p :- q.", "% (c)\n\n p(X, 1+Y) :-\n q.", "false-[] :- p-[X]."] {
            assert_eq!(Format::of_content(text.as_bytes()), Some(Format::Prolog), "{text}");
        }
        for text in
            ["", "%", "p(X). q :- p(X).", "int main() { return x ? 1:-1; }", "a; b :- c", ":- p."]
        {
            assert_eq!(Format::of_content(text.as_bytes()), None, "{text}");
        }
    }
}
