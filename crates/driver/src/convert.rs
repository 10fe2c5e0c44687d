//! Conversion of problems between formats, where that makes sense.
//!
//! Circuits are word-level systems of one-bit words; word-level systems are Horn systems with one
//! predicate; word-level systems over words and small arrays are circuits; linear Horn systems
//! over words are word-level systems. Flows are written as what asks about infinite runs. Everything else has no
//! counterpart, and we say so.
//!
//! Invariant: the file written asks all that the file read asks, in the same order. Several safety
//! properties become several questions of a script, and several questions about the same clauses
//! become several properties. What the target cannot ask is refused, by its name. What changes no
//! answer and has no place in the target (names, outputs, comments) is a warning.

mod comments;
mod lost;
mod questions;

use crate::compressed::inner_name;
use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use crate::program::{CProgram, Encoding, complaints, ways};
use alphorn_flow::horn::as_horn as flow_to_horn;
use alphorn_front::{Code, Diagnostic, aiger, boogie, btor2, its, nts, prolog, smtlib, svlib, t2};
use alphorn_hw::select::{
    select_circuit, select_circuit_justice, select_words, select_words_justice,
};
use alphorn_problem::{Circuit, Flow, Horn, Span};
use alphorn_program::c::lower::Untreated;
use comments::Comments;
use questions::{circuit, script, words};
use std::sync::Arc;

/// What a problem can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Horn clauses in SMT-LIB.
    SmtLib,
    /// Binary AIGER.
    AigerBinary,
    /// AIGER as text.
    AigerText,
    /// BTOR2.
    Btor2,
    /// Horn clauses in Prolog's syntax.
    Prolog,
    /// A program in SV-LIB.
    SvLib,
    /// A flow as the termination competition has it.
    Its,
    /// A flow in T2's language.
    T2,
}

impl Target {
    const ALL: [Target; 8] = [
        Target::SmtLib,
        Target::AigerBinary,
        Target::AigerText,
        Target::Btor2,
        Target::Prolog,
        Target::SvLib,
        Target::Its,
        Target::T2,
    ];

    /// The format that the name of a file to write suggests.
    pub fn of_name(name: &str) -> Option<Target> {
        // Nothing is written compressed.
        if inner_name(name) != name {
            return None;
        }
        let format = Format::of_name(name)?;
        let is_text = name.to_ascii_lowercase().ends_with(".aag");
        let fits = |target: &Target| match target {
            Target::AigerText => is_text,
            Target::AigerBinary => !is_text,
            Target::SmtLib | Target::Btor2 | Target::Prolog | Target::SvLib => true,
            Target::Its | Target::T2 => true,
        };
        Target::ALL.into_iter().find(|target| target.format() == format && fits(target))
    }

    /// The format that reads it.
    pub fn format(self) -> Format {
        match self {
            Target::SmtLib => Format::SmtLib,
            Target::AigerBinary | Target::AigerText => Format::Aiger,
            Target::Btor2 => Format::Btor2,
            Target::Prolog => Format::Prolog,
            Target::SvLib => Format::SvLib,
            Target::Its => Format::Its,
            Target::T2 => Format::T2,
        }
    }

    /// Whether it is about infinite runs, and nothing else.
    pub fn is_about_runs(self) -> bool {
        matches!(self, Target::Its | Target::T2)
    }

    /// What people call it.
    fn name(self) -> &'static str {
        match self {
            Target::SmtLib => "a script of Horn clauses",
            Target::AigerBinary | Target::AigerText => "AIGER",
            Target::Btor2 => "BTOR2",
            Target::Prolog => "a text in Prolog's syntax",
            Target::SvLib => "a program in SV-LIB",
            Target::Its => "a transition system of the termination competition",
            Target::T2 => "a transition system for T2",
        }
    }
}

/// A problem in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// What is to be written.
    pub bytes: Vec<u8>,
    /// What of the file read is not in it. No answer depends on it.
    pub warnings: Vec<Diagnostic>,
}

fn meaningless(message: impl Into<String>) -> Diagnostic {
    Diagnostic::unsupported(Code::ConvertMeaningless, Span::NONE, message)
}

/// The problem of `opened`, which has one, in another format: all its properties, or the one with
/// the position given, which exists.
pub fn convert(
    opened: &Opened,
    target: Target,
    property: Option<usize>,
) -> Result<Converted, Diagnostic> {
    let whole = opened.problem.as_ref().ok_or_else(|| meaningless("there is no problem"))?;
    if target == Target::SvLib {
        return program(opened, whole, property);
    }
    if let AnyProblem::Flow(flow) = whole {
        return runs(opened, flow, target);
    }
    if target.is_about_runs() {
        return Err(meaningless(format!("this is no flow, as {} is", target.name())));
    }
    let (whole, all_more) = match whole {
        AnyProblem::C(program) => as_clauses(program)?,
        other => (other.clone(), opened.more.clone()),
    };
    let (problem, more) = match property {
        Some(index) => (selected(&whole, &all_more, index)?, &[][..]),
        None => (whole, &all_more[..]),
    };
    if matches!(&problem, AnyProblem::Words(words) if !words.homes.is_empty()) {
        return Err(out_of_reach());
    }
    let asks_for_all = |horn: &Arc<Horn>| !horn.quantified.is_empty();
    let is_quantified = matches!(&problem, AnyProblem::Horn(horn) if asks_for_all(horn));
    if target != Target::SmtLib && (is_quantified || more.iter().any(asks_for_all)) {
        return Err(meaningless(
            "a body asks for all values of a variable, as only SMT-LIB can say",
        ));
    }
    let comments = Comments::of(opened);
    let warnings = lost::warnings(opened, &problem, target, &comments);
    let bytes = match target {
        Target::SmtLib => {
            let requests = if property.is_some() { &[][..] } else { &opened.requests[..] };
            comments.before(script(&problem, more, requests)?, target)
        }
        Target::Btor2 => comments.before(btor2::print(&words(&problem, more)?)?, target),
        Target::Prolog => match (&problem, more) {
            (AnyProblem::Horn(horn), []) => comments.before(prolog::write(horn)?, target),
            (AnyProblem::Horn(_), _) => {
                let message = "clauses in Prolog's syntax ask one question, and the script several";
                return Err(meaningless(message).hint("choose one of them with --property"));
            }
            _ => return Err(meaningless("Prolog's clauses are about integers, not about words")),
        },
        Target::SvLib | Target::Its | Target::T2 => {
            unreachable!("programs are written from their form, and flows from themselves")
        }
        Target::AigerBinary | Target::AigerText => {
            let mut circuit = circuit(&problem, more)?;
            if circuit.comments.is_empty() {
                circuit.comments = comments.as_section();
            }
            match target {
                Target::AigerBinary => aiger::write_binary(&circuit),
                _ => aiger::write_ascii(&circuit).into_bytes(),
            }
        }
    };
    Ok(Converted { bytes, warnings })
}

/// A flow, for those who ask about its infinite runs: a system of transitions, or the clauses that say what runs
/// reach, whose derivations are runs.
fn runs(opened: &Opened, flow: &Flow, target: Target) -> Result<Converted, Diagnostic> {
    if flow.is_loose {
        let message = "the program has fewer runs than any flow that could be written for it";
        return Err(meaningless(message));
    }
    let text = match target {
        Target::Its => its::write(flow)?,
        Target::T2 => t2::write(flow)?,
        Target::SmtLib => smtlib::print_questions(&[&flow_to_horn(flow)], &[]),
        _ => {
            let message = "a flow asks about infinite runs, which that format cannot ask";
            return Err(meaningless(message).hint("--to its, t2 or smtlib can"));
        }
    };
    let comments = Comments::of(opened);
    let problem = AnyProblem::Flow(Arc::new(flow.clone()));
    let warnings = lost::warnings(opened, &problem, target, &comments);
    Ok(Converted { bytes: comments.before(text, target), warnings })
}

/// A program in SV-LIB, from its form.
fn program(
    opened: &Opened,
    problem: &AnyProblem,
    property: Option<usize>,
) -> Result<Converted, Diagnostic> {
    let form = match problem {
        AnyProblem::C(program) => {
            let asked = match (property, &program.tasks[..]) {
                (Some(index), tasks) => tasks.get(index),
                (None, [only]) => Some(only),
                (None, _) => {
                    let message = "a program in SV-LIB asks one question, and the file has several";
                    return Err(meaningless(message).hint("choose one of them with --property"));
                }
            };
            let asked = asked.ok_or_else(|| meaningless("the file has no such property"))?;
            let way =
                ways(&asked.task, Some(Encoding::Product)).pop().expect("one way was asked for");
            if way.as_ref().is_ok_and(|(seen, _)| seen.lowered.leaves_out_threads()) {
                return Err(more_threads());
            }
            let form = way.map(|(seen, _)| seen.lowered.program);
            let first = |untreated: Vec<Untreated>| complaints(&untreated).into_iter().next();
            Some(form.map_err(|untreated| {
                first(untreated).unwrap_or_else(|| meaningless("it is not treated"))
            })?)
        }
        _ => match opened.format {
            Some(Format::Nts) => nts::read(&opened.bytes).0,
            Some(Format::SvLib) => svlib::read(&opened.bytes).0,
            Some(Format::T2) => t2::read_safety(&opened.bytes).0,
            Some(Format::Boogie) => boogie::read(&opened.bytes).0,
            _ => None,
        },
    };
    let form = form.ok_or_else(|| meaningless("this is no program, but a system without one"))?;
    let comments = Comments::of(opened);
    let warnings = lost::warnings(opened, problem, Target::SvLib, &comments);
    Ok(Converted { bytes: comments.before(svlib::write(&form), Target::SvLib), warnings })
}

/// Why a program with threads without bound is not written down as one with some of them.
fn more_threads() -> Diagnostic {
    meaningless("the program has threads without bound, and what can be written has a few")
}

/// A program as clauses: a system for each question about it.
fn as_clauses(program: &CProgram) -> Result<(AnyProblem, Vec<Arc<Horn>>), Diagnostic> {
    let mut systems = Vec::new();
    for asked in &program.tasks {
        // Without a wish it is the clauses that say neither more nor less.
        let encoding = program.encoding.unwrap_or(Encoding::Product);
        let way = ways(&asked.task, Some(encoding)).pop().expect("one way was asked for");
        let (seen, _) = way.map_err(|untreated| {
            complaints(&untreated)
                .into_iter()
                .next()
                .unwrap_or_else(|| meaningless("it is not treated"))
        })?;
        if seen.lowered.leaves_out_threads() {
            return Err(more_threads()
                .hint("--encoding rely-guarantee has clauses about any number of threads"));
        }
        systems.push(Arc::clone(&seen.seen.problem));
    }
    let mut systems = systems.into_iter();
    let first = systems.next().ok_or_else(|| meaningless("nothing is asked"))?;
    Ok((AnyProblem::Horn(first), systems.collect()))
}

/// The problem with one of its properties.
fn selected(
    problem: &AnyProblem,
    more: &[Arc<Horn>],
    index: usize,
) -> Result<AnyProblem, Diagnostic> {
    let missing = || meaningless(format!("the file has no property {index}"));
    Ok(match problem {
        AnyProblem::Horn(first) => {
            let mut questions = std::iter::once(first).chain(more);
            AnyProblem::Horn(Arc::clone(questions.nth(index).ok_or_else(missing)?))
        }
        AnyProblem::Circuit(circuit) => {
            let safety = circuit.safety().len();
            let one = match index.checked_sub(safety) {
                None => select_circuit(circuit, index).0,
                Some(index) if index < circuit.justice.len() => {
                    select_circuit_justice(circuit, index).0
                }
                Some(_) => return Err(missing()),
            };
            AnyProblem::Circuit(Arc::new(Circuit { comments: circuit.comments.clone(), ..one }))
        }
        AnyProblem::Words(words) => {
            let one = match index.checked_sub(words.bads.len()) {
                None => select_words(words, index).0,
                Some(index) if index < words.justice.len() => select_words_justice(words, index).0,
                Some(index) if index - words.justice.len() < words.homes.len() => {
                    return Err(out_of_reach());
                }
                Some(_) => return Err(missing()),
            };
            AnyProblem::Words(Arc::new(one))
        }
        AnyProblem::C(_) => return Err(meaningless("a program is converted as clauses")),
        AnyProblem::Flow(_) | AnyProblem::Temporal(_) | AnyProblem::Game(_) => problem.clone(),
    })
}

/// Why a home property is in no other format.
fn out_of_reach() -> Diagnostic {
    let why = "no other format can say that something stays within reach (`liveness`)";
    meaningless(why).hint("choose another property with --property")
}
