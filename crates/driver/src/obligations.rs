//! Obligations of accepted evidence as SMT-LIB scripts, for outside solvers.
//!
//! A proof of safety comes down to a few formulas that must be unsatisfiable: one per clause of a
//! Horn system, three per invariant of a transition system, one per goal of ranks, recurrences and labels of
//! a flow, those of the circuit that a strategy leaves of a game. Our checker replays their refutations; anybody who wants a second opinion can have the formulas.
//! Evidence of a violation is evaluated and has no obligations, but where the run goes on for ever.

mod tables;

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_front::smtlib::print_script;
use alphorn_problem::circuit::{And, Circuit, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::flow::{Recurrence, Termination};
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::evidence::temporal::Labels;
use alphorn_problem::evidence::words::{Rows, WordInvariant};
use alphorn_problem::obligation::blast::blast;
use alphorn_problem::obligation::flow::{LevelGoal, RankingGoal, RecurrenceGoal};
use alphorn_problem::obligation::game::{controlled, opposed};
use alphorn_problem::obligation::temporal::TemporalGoal;
use alphorn_problem::obligation::{circuit, flow, horn, temporal, words};
use alphorn_problem::{Flow, Horn, Temporal, Verdict, Words};
use alphorn_term::{Store, TermId};
use std::fmt::Write;
use std::path::Path;
use tables::tables;

/// A script whose answer is `unsat` if the obligation holds.
pub struct Script {
    /// What it is about: `clause-3`, `consecution`.
    pub name: String,
    /// The whole script, in SMT-LIB.
    pub text: String,
}

/// Writes scripts into a folder; the files' names come back.
pub fn write(scripts: Vec<Script>, folder: &str) -> Result<Vec<String>, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("the folder cannot be made: {e}"))?;
    let mut files = Vec::with_capacity(scripts.len());
    for script in scripts {
        let path = Path::new(folder).join(format!("{}.smt2", script.name));
        std::fs::write(&path, script.text)
            .map_err(|e| format!("a script cannot be written: {e}"))?;
        files.push(path.to_string_lossy().into_owned());
    }
    Ok(files)
}

/// Whether a file that `write` writes may be called so.
pub fn is_script_name(name: &str) -> bool {
    let is_begun = |prefix: &&str| name.starts_with(prefix);
    ["clause-", "property-", "justice-", "ranks-", "recurrence-", "labels-", "strategy-"]
        .iter()
        .any(is_begun)
        && name.ends_with(".smt2")
}

/// The obligations of evidence that was checked against the problem of `opened`; none if it is
/// evidence of a violation.
pub fn scripts(opened: &Opened, evidence: &AnyEvidence) -> Result<Vec<Script>, String> {
    let mut all = Vec::new();
    match (evidence, &opened.problem) {
        (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(problem))) => {
            if let Verdict::Safe(model) = checked.verdict() {
                horn_scripts(problem, model, &mut all)?;
            }
        }
        (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(problem))) => {
            if let Verdict::Safe(certificate) = checked.verdict() {
                let (property, invariant) = (certificate.property, certificate.invariant.clone());
                watched_scripts(problem, (property, property), invariant, &mut all)?;
            }
        }
        (AnyEvidence::Words(checked), Some(AnyProblem::Words(problem))) => {
            if let Verdict::Safe(certificate) = checked.verdict() {
                let invariant = certificate.invariant.clone();
                word_scripts(problem, certificate.property, invariant, &mut all)?;
            }
        }
        (AnyEvidence::Flow(checked), Some(AnyProblem::Flow(problem))) => match checked.verdict() {
            Verdict::Safe(found) => ranking_scripts(problem, found, &mut all)?,
            Verdict::Unsafe(found) => recurrence_scripts(problem, found, &mut all),
        },
        (AnyEvidence::Temporal(checked), Some(AnyProblem::Temporal(problem))) => {
            let (Verdict::Safe(labels) | Verdict::Unsafe(labels)) = checked.verdict();
            label_scripts(problem, labels, &mut all)?;
        }
        (AnyEvidence::Game(checked), Some(AnyProblem::Game(problem))) => {
            let (left, certificate) = match checked.verdict() {
                Verdict::Safe(found) => (controlled(problem, &found.circuit)?, &found.certificate),
                Verdict::Unsafe(found) => (opposed(problem, found)?, &found.certificate),
            };
            let invariant = as_formula(&left, certificate.invariant.clone())?;
            circuit_scripts(&left, 0, "strategy", &invariant, &mut all)?;
        }
        (AnyEvidence::C(..), _) => {
            return Err("obligations of programs are not written as scripts".to_owned());
        }
        _ => return Err("the evidence is about another problem".to_owned()),
    }
    Ok(all)
}

/// The goals of ranks: of starts, of transitions, of levels, of a union.
fn ranking_scripts(
    problem: &Flow,
    found: &Termination,
    all: &mut Vec<Script>,
) -> Result<(), String> {
    let ranking = &found.ranking;
    for goal in flow::ranking_goals(problem, ranking)? {
        let name = match goal {
            RankingGoal::Start(start) => format!("start-{start}"),
            RankingGoal::Step(step) => format!("transition-{step}"),
            RankingGoal::Level(goal) => level_name(goal),
            RankingGoal::First(cut, step) => format!("cut-{cut}-first-{step}"),
            RankingGoal::Further(cut, step) => format!("cut-{cut}-further-{step}"),
            RankingGoal::Covered(cut) => format!("cut-{cut}-covered"),
        };
        let mut store = ranking.terms.clone();
        let assertions = flow::ranking_assertions(problem, ranking, goal, &mut store);
        let text = print_script(&store, &assertions);
        all.push(Script { name: format!("ranks-{name}"), text });
    }
    Ok(())
}

fn level_name(goal: LevelGoal) -> String {
    match goal {
        LevelGoal::Kept(level, edge) => format!("level-{level}-keeps-{edge}"),
        LevelGoal::Removed(level, edge) => format!("level-{level}-removes-{edge}"),
    }
}

/// The goals of a recurrence: that there is a choice everywhere, and that choices stay in the sets. The way
/// there is evaluated.
fn recurrence_scripts(problem: &Flow, found: &Recurrence, all: &mut Vec<Script>) {
    for goal in flow::recurrence_goals(&found.sets, &found.choices) {
        let name = match goal {
            RecurrenceGoal::Covered(at) => format!("location-{}", at.index()),
            RecurrenceGoal::Stays(choice) => format!("choice-{choice}"),
        };
        let mut store = found.terms.clone();
        let (sets, choices) = (&found.sets, &found.choices);
        let assertions = flow::recurrence_assertions(problem, sets, choices, goal, &mut store);
        let text = print_script(&store, &assertions);
        all.push(Script { name: format!("recurrence-{name}"), text });
    }
}

/// The goals of labels, by their positions.
fn label_scripts(problem: &Temporal, labels: &Labels, all: &mut Vec<Script>) -> Result<(), String> {
    let labelling = &labels.labelling;
    let mut terms = labelling.terms.clone();
    let nodes = problem.labelled(labelling.initial.is_some(), &mut terms);
    for goal in temporal::temporal_goals(problem, &nodes, labelling)? {
        let name = match goal {
            TemporalGoal::Start(start) => format!("start-{start}"),
            TemporalGoal::Within(node, at) => format!("{node}-location-{}", at.index()),
            TemporalGoal::Step(node, step) => format!("{node}-transition-{step}"),
            TemporalGoal::Chosen(node, choice) => format!("{node}-choice-{choice}"),
            TemporalGoal::Stopped(node, step) => format!("{node}-stopped-{step}"),
            TemporalGoal::Level(node, goal) => format!("{node}-{}", level_name(goal)),
        };
        let mut store = terms.clone();
        let assertions =
            temporal::temporal_assertions(problem, &nodes, labelling, goal, &mut store);
        let text = print_script(&store, &assertions);
        all.push(Script { name: format!("labels-{name}"), text });
    }
    Ok(())
}

fn horn_scripts(problem: &Horn, model: &HornModel, all: &mut Vec<Script>) -> Result<(), String> {
    for (id, clause) in problem.clauses() {
        let mut store = model.terms.clone();
        let mut assertions = horn::assertions(
            problem,
            &model.preds,
            (&model.folds, &model.funcs),
            clause,
            &mut store,
        )?;
        assertions.extend(tables(&mut store, model)?);
        all.push(Script {
            name: format!("clause-{}", id.0),
            text: print_script(&store, &assertions),
        });
    }
    Ok(())
}

fn word_scripts(
    problem: &Words,
    property: usize,
    invariant: WordInvariant,
    all: &mut Vec<Script>,
) -> Result<(), String> {
    let (terms, formula) = match invariant {
        WordInvariant::Bits(bits) => {
            let circuit = blast(problem, bits.goal(property), &bits.abstraction)?.circuit;
            return watched_scripts(&circuit, (0, property), bits.invariant, all);
        }
        WordInvariant::Formula { terms, formula, .. } => (*terms, formula),
        WordInvariant::Home(_) => {
            return Err("ways home are evaluated, and have no obligations".to_owned());
        }
        WordInvariant::States(Rows { vars, states }) => {
            let mut store: Store = problem.terms.clone();
            let mut rows: Vec<TermId> = Vec::with_capacity(states.len());
            for state in states {
                let mut row = Vec::with_capacity(vars.len());
                for (&var, value) in vars.iter().zip(&state) {
                    let value = store.value_term(value).ok_or("a value cannot be written")?;
                    row.push(store.eq(problem.states[var].var, value));
                }
                rows.push(store.and(&row));
            }
            let formula = store.or(&rows);
            (store, formula)
        }
    };
    let obligations = words::Obligations::new(problem, property, &terms, formula)?;
    for obligation in &obligations.list {
        all.push(Script {
            name: format!("property-{property}-{}", obligation.name),
            text: print_script(&obligations.terms, &obligation.assertions),
        });
    }
    Ok(())
}

/// A list of states as a circuit: a disjunction of conjunctions over the latches.
fn as_formula(problem: &Circuit, invariant: Invariant) -> Result<Invariant, String> {
    let Invariant::States { latches, states } = invariant else { return Ok(invariant) };
    let inputs = u32::try_from(problem.latches.len()).map_err(|_| "too many latches")?;
    if latches.iter().any(|&latch| latch >= inputs) {
        return Err("the circuit has no such latch".to_owned());
    }
    let mut aig = Circuit { inputs, ..Circuit::default() };
    let conjoin = |aig: &mut Circuit, left: Lit, right: Lit| {
        let (left, right) = if left > right { (left, right) } else { (right, left) };
        aig.ands.push(And { left, right });
        aig.gate(aig.ands.len() - 1)
    };
    let mut none = Lit::TRUE;
    for state in states {
        let mut row = Lit::TRUE;
        for (&latch, bit) in latches.iter().zip(state) {
            let literal = Lit::new(1 + latch, !bit);
            row = conjoin(&mut aig, row, literal);
        }
        none = conjoin(&mut aig, none, !row);
    }
    aig.outputs.push(!none);
    Ok(Invariant::Aig(Box::new(aig)))
}

/// The obligations of a circuit's invariant for its property `index`, which the user knows as `property`;
/// those of a justice property are about the circuit with its monitor.
fn watched_scripts(
    problem: &Circuit,
    (index, property): (usize, usize),
    invariant: Invariant,
    all: &mut Vec<Script>,
) -> Result<(), String> {
    match invariant {
        Invariant::Justice { monitor, invariant } => {
            let watched = monitor.build(problem, index)?;
            let invariant = as_formula(&watched, *invariant)?;
            circuit_scripts(&watched, 0, &format!("justice-{property}"), &invariant, all)
        }
        invariant => {
            let invariant = as_formula(problem, invariant)?;
            circuit_scripts(problem, index, &format!("property-{property}"), &invariant, all)
        }
    }
}

/// The obligations of a circuit's invariant for its safety property `index`, in scripts whose names begin
/// with `prefix`.
fn circuit_scripts(
    problem: &Circuit,
    index: usize,
    prefix: &str,
    invariant: &Invariant,
    all: &mut Vec<Script>,
) -> Result<(), String> {
    let obligations = circuit::Obligations::new(problem, index, invariant)?;
    for number in 0..obligations.count() {
        let obligation = obligations.build(number)?;
        let mut out = String::from("(set-logic QF_UF)\n");
        for variable in 1..=obligation.cnf.variables() {
            let _ = writeln!(out, "(declare-const v{variable} Bool)");
        }
        for clause in obligation.cnf.clauses() {
            out.push_str("(assert (or false");
            for &literal in clause {
                let variable = literal.unsigned_abs();
                let _ = match literal < 0 {
                    true => write!(out, " (not v{variable})"),
                    false => write!(out, " v{variable}"),
                };
            }
            out.push_str("))\n");
        }
        out.push_str("(check-sat)\n");
        let name = format!("{prefix}-{}", obligation.name.replace(' ', "-"));
        all.push(Script { name, text: out });
    }
    Ok(())
}
