//! Checked evidence of any kind: in a few words, and as the text of a file.

mod shown;

use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use crate::program;
use alphorn_check::accept::Checked;
use alphorn_front::evidence as text;
use alphorn_problem::evidence::circuit::{Invariant, Property};
use alphorn_problem::evidence::flow::Measure;
use alphorn_problem::evidence::horn::{Derivation, Interpretation};
use alphorn_problem::evidence::words::{Rows, WordInvariant};
use alphorn_problem::monitor::Monitor;
use alphorn_problem::{Circuit, Flow, Game, Horn, Temporal, Verdict, Words};
use alphorn_program::c::property::Task;
use alphorn_report::Outcome;
use alphorn_report::answer::Question;
use std::sync::Arc;

/// Evidence that was checked against the problem as read.
#[derive(Clone, Debug)]
pub enum AnyEvidence {
    /// About a Horn system.
    Horn(Box<Checked<Horn>>),
    /// About a circuit.
    Circuit(Box<Checked<Circuit>>),
    /// About a word-level system.
    Words(Box<Checked<Words>>),
    /// About a C program: the question, and the answer to it.
    C(Arc<Task>, Box<Checked<Task>>),
    /// About a flow's infinite runs.
    Flow(Box<Checked<Flow>>),
    /// About a temporal formula.
    Temporal(Box<Checked<Temporal>>),
    /// About a safety game.
    Game(Box<Checked<Game>>),
}

/// Evidence in a few words.
pub struct Summary {
    /// What it is: "after 9 steps".
    pub detail: String,
    /// What was checked: "a run of 9 steps".
    pub checked: String,
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl AnyEvidence {
    /// What the evidence shows.
    pub fn outcome(&self) -> Outcome {
        let safe = match self {
            AnyEvidence::Horn(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::Circuit(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::Words(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::C(_, checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::Flow(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::Temporal(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
            AnyEvidence::Game(checked) => matches!(checked.verdict(), Verdict::Safe(_)),
        };
        if safe { Outcome::Safe } else { Outcome::Unsafe }
    }

    /// What the evidence answers.
    pub fn question(&self) -> Question {
        match self {
            AnyEvidence::Flow(_) => Question::Termination,
            AnyEvidence::Temporal(_) => Question::Temporal,
            AnyEvidence::Game(_) => Question::Synthesis,
            _ => Question::Safety,
        }
    }

    /// The property the evidence is about, or several; nothing for Horn systems, which have one question.
    pub fn property(&self) -> Option<String> {
        let name = |property: Property| match property {
            Property::Bad(index) => format!("bad {index}"),
            Property::Justice(index) => format!("justice {index}"),
            Property::Home(index) => format!("home {index}"),
        };
        match self {
            AnyEvidence::Horn(_) => None,
            AnyEvidence::C(task, _) => {
                let names: Vec<&str> =
                    task.properties.iter().map(|property| property.name()).collect();
                Some(names.join(", "))
            }
            AnyEvidence::Flow(_) | AnyEvidence::Temporal(_) | AnyEvidence::Game(_) => None,
            AnyEvidence::Circuit(checked) => Some(match checked.verdict() {
                Verdict::Safe(certificate) => name(certificate.holds()),
                Verdict::Unsafe(trace) => name(trace.property),
            }),
            AnyEvidence::Words(checked) => Some(match checked.verdict() {
                Verdict::Safe(certificate) => name(certificate.holds()),
                Verdict::Unsafe(trace) => name(trace.property),
            }),
        }
    }

    /// The property of a program that a run violates.
    pub fn violated(&self) -> Option<String> {
        match self {
            AnyEvidence::C(_, checked) => match checked.verdict() {
                Verdict::Unsafe(run) => Some(run.violation.property.name().to_owned()),
                Verdict::Safe(_) => None,
            },
            AnyEvidence::Flow(checked) => {
                let is_unsafe = matches!(checked.verdict(), Verdict::Unsafe(_));
                is_unsafe.then(|| "termination".to_owned())
            }
            _ => None,
        }
    }

    /// The evidence in a few words.
    pub fn summary(&self, opened: &Opened) -> Summary {
        let (detail, checked) = match self {
            AnyEvidence::Horn(checked) => match checked.verdict() {
                Verdict::Safe(model) => {
                    let clauses = match &opened.problem {
                        Some(AnyProblem::Horn(horn)) => horn.clauses.len(),
                        _ => 0,
                    };
                    let preds = counted(model.preds.len(), "predicate");
                    (format!("with a model of {preds}"), format!("{clauses} of {clauses} clauses"))
                }
                Verdict::Unsafe(Derivation { refuted: Some(refuted), .. }) => {
                    let steps = counted(refuted.proof.steps.len(), "step");
                    let has_functions = match &opened.problem {
                        Some(AnyProblem::Horn(horn)) => {
                            horn.clauses.iter().any(|clause| !horn.functions(clause).is_empty())
                        }
                        _ => false,
                    };
                    let is_chosen = refuted.chosen != Interpretation::default();
                    let detail = match has_functions {
                        true => "whatever the declared functions are",
                        false if is_chosen => "for functions that satisfy the axioms",
                        false => "by a refutation of the clauses",
                    };
                    (detail.to_owned(), format!("a refutation of the clauses in {steps}"))
                }
                Verdict::Unsafe(derivation) => {
                    let steps = counted(derivation.steps.len(), "step");
                    let runs = derivation.steps.iter().filter(|step| step.progression.is_some());
                    match runs.count() {
                        0 => (format!("by a derivation of {steps}"), format!("each of {steps}")),
                        runs => {
                            let detail =
                                format!("by a derivation of {} steps", derivation.instances());
                            let runs = counted(runs, "progression");
                            (detail, format!("each of {steps}, with {runs}"))
                        }
                    }
                }
            },
            AnyEvidence::Circuit(checked) => match checked.verdict() {
                Verdict::Safe(certificate) => circuit_invariant(&certificate.invariant),
                Verdict::Unsafe(trace) => run_of(trace.inputs.len(), self.loop_start(opened)),
            },
            AnyEvidence::Words(checked) => match checked.verdict() {
                Verdict::Safe(certificate) => match &certificate.invariant {
                    WordInvariant::States(Rows { states, .. }) => {
                        invariant(&counted(states.len(), "state"))
                    }
                    WordInvariant::Formula { terms, formula, .. } => {
                        invariant(&counted(terms.dag_size(&[*formula]), "subterm"))
                    }
                    WordInvariant::Home(homing) => {
                        let states = counted(homing.rows.states.len(), "state");
                        (format!("with a way from each of {states}"), "steps and ways".to_owned())
                    }
                    WordInvariant::Bits(bits) => circuit_invariant(&bits.invariant),
                },
                Verdict::Unsafe(trace) => match &trace.trap {
                    Some(trap) => {
                        let steps = counted(trace.inputs.len().saturating_sub(1), "step");
                        let states = counted(trap.states.len(), "state");
                        let detail = format!("after {steps}, in a trap of {states}");
                        (detail, format!("a run of {steps}, and that nothing leaves the trap"))
                    }
                    None => run_of(trace.inputs.len(), self.loop_start(opened)),
                },
            },
            AnyEvidence::C(_, checked) => match checked.verdict() {
                Verdict::Safe(proof) => {
                    let preds = counted(proof.model.preds.len(), "place");
                    let clauses = counted(proof.model.proofs.len(), "clause");
                    (format!("with invariants at {preds}"), format!("{clauses} of the program"))
                }
                Verdict::Unsafe(run) => {
                    let steps = counted(usize::try_from(run.steps).unwrap_or(usize::MAX), "step");
                    let choices = counted(run.choices.len(), "choice");
                    let property = run.violation.property.name();
                    let detail = format!("{property} is violated after {steps}");
                    (detail, format!("a run of the source with {choices}"))
                }
            },
            AnyEvidence::Flow(checked) => flow_summary(checked.verdict()),
            AnyEvidence::Temporal(checked) => {
                let (Verdict::Safe(labels) | Verdict::Unsafe(labels)) = checked.verdict();
                let count = counted(labels.labelling.labels.len(), "subformula");
                let proofs = counted(labels.proofs.len(), "obligation");
                (format!("with labels of {count}"), proofs)
            }
            AnyEvidence::Game(checked) => game_summary(checked.verdict()),
        };
        Summary { detail, checked }
    }

    /// The evidence as the text of a file that `alphorn check` reads.
    pub fn text(&self, opened: &Opened) -> String {
        match (self, &opened.problem) {
            (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) => {
                text::print_horn(horn, checked.verdict())
            }
            (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) => {
                text::print_circuit(circuit, checked.verdict())
            }
            (AnyEvidence::Words(checked), Some(AnyProblem::Words(words))) => {
                text::print_words(words, checked.verdict())
            }
            (AnyEvidence::Flow(checked), Some(AnyProblem::Flow(flow))) => {
                text::print_flow(flow, checked.verdict())
            }
            (AnyEvidence::Temporal(checked), Some(AnyProblem::Temporal(problem))) => {
                text::print_temporal(problem, checked.verdict())
            }
            (AnyEvidence::Game(checked), Some(AnyProblem::Game(game))) => {
                text::print_game(game, checked.verdict())
            }
            (AnyEvidence::C(task, checked), Some(AnyProblem::C(_))) => {
                program::text(task, checked.verdict())
            }
            _ => String::new(),
        }
    }
}

/// What evidence about infinite runs says. What the file says of a transition, in a language of flows, stands
/// for its relation.
pub fn told(opened: &Opened, evidence: &AnyEvidence) -> Option<text::Told> {
    let (mut told, flow) = match (evidence, &opened.problem) {
        (AnyEvidence::Flow(checked), Some(AnyProblem::Flow(flow))) => {
            (text::flow_told(flow, checked.verdict()), &**flow)
        }
        (AnyEvidence::Temporal(checked), Some(AnyProblem::Temporal(problem))) => {
            (text::temporal_told(problem, checked.verdict()), &problem.flow)
        }
        _ => return None,
    };
    if let Some(Format::T2 | Format::Its | Format::Ari) = opened.format {
        for (told, step) in told.transitions.iter_mut().zip(&flow.transitions) {
            let (start, end) = (step.span.start as usize, step.span.end as usize);
            if let Some(bytes) = opened.bytes.get(start..end).filter(|bytes| !bytes.is_empty()) {
                told.relation = String::from_utf8_lossy(bytes).into_owned();
            }
        }
    }
    Some(told)
}

/// Ranks or a recurrence in a few words.
fn flow_summary(verdict: &Verdict<Flow>) -> (String, String) {
    match verdict {
        Verdict::Safe(termination) => {
            let what = match &termination.ranking.measure {
                Measure::Levels(levels) => {
                    format!("with {} of ranks", counted(levels.len(), "level"))
                }
                Measure::Disjunctive(union) => {
                    let parts = counted(union.functions.len(), "well-founded relation");
                    format!("with a union of {parts}")
                }
            };
            (what, counted(termination.proofs.len(), "obligation"))
        }
        Verdict::Unsafe(found) => {
            let steps = counted(found.path.steps.len(), "step");
            let proofs = counted(found.proofs.len(), "obligation");
            let detail = format!("in a recurrence set that is entered after {steps}");
            (detail, format!("a path of {steps} and {proofs}"))
        }
    }
}

/// A strategy in a few words.
fn game_summary(verdict: &Verdict<Game>) -> (String, String) {
    match verdict {
        Verdict::Safe(found) => {
            let gates = counted(found.circuit.ands.len(), "gate");
            let invariant = size(&found.certificate.invariant);
            let checked = format!("the controlled circuit, by an invariant of {invariant}");
            (format!("with a controller of {gates}"), checked)
        }
        Verdict::Unsafe(found) => {
            let steps = counted(found.steps as usize, "step");
            let invariant = size(&found.certificate.invariant);
            let checked = format!("the opposed circuit, by an invariant of {invariant}");
            (format!("as the environment forces an error within {steps}"), checked)
        }
    }
}

/// How large a circuit's invariant is.
fn size(invariant: &Invariant) -> String {
    match invariant {
        Invariant::States { states, .. } => counted(states.len(), "state"),
        Invariant::Clauses(clauses) => counted(clauses.len(), "clause"),
        Invariant::Aig(circuit) => counted(circuit.ands.len(), "gate"),
        Invariant::KInductive { k, lemmas, .. } => match lemmas.len() {
            0 => format!("induction over {k} steps"),
            count => format!("induction over {k} steps and {}", counted(count, "lemma")),
        },
        Invariant::Justice { invariant, .. } => size(invariant),
    }
}

fn invariant(size: &str) -> (String, String) {
    (format!("with an invariant of {size}"), "initial, step and property".to_owned())
}

/// The invariant of a circuit, and what follows from it.
fn circuit_invariant(found: &Invariant) -> (String, String) {
    let (detail, checked) = invariant(&size(found));
    match found {
        Invariant::Justice { monitor: Monitor::Count { most }, .. } => {
            let times = counted(*most as usize, "time");
            (format!("as it happens at most {times}, {detail}"), checked)
        }
        Invariant::Justice { monitor: Monitor::Loop, .. } => {
            (format!("as no loop has it, {detail}"), checked)
        }
        _ => (detail, checked),
    }
}

/// A run of `length` input vectors takes one step fewer: the violation shows in the last one. A run that
/// violates liveness goes on for ever from a step of it.
fn run_of(length: usize, loop_start: Option<usize>) -> (String, String) {
    let steps = counted(length.saturating_sub(1), "step");
    match loop_start {
        None => (format!("after {steps}"), format!("a run of {steps}, by simulation")),
        Some(start) => {
            let round = counted(length.saturating_sub(start), "step");
            let detail = format!("by a loop of {round} that begins at step {start}");
            (detail, format!("a run of {steps} and its loop, by simulation"))
        }
    }
}
