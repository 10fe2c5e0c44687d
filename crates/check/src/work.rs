//! How much work evidence may take: in proportion to the sizes of problem and evidence.
//!
//! Whoever wrote the evidence need not be kind. A few bytes can name a word of sixteen million bits,
//! a formula that doubles with each line, an unrolling of a million steps. So every rule counts its
//! work in ticks on one `Meter` per piece of evidence, before it does it, and what would exceed
//! the limit is refused. A tick is a few nanoseconds and about a machine word of memory.
//!
//! The limit is a floor, so that small problems may be enumerated, plus a multiple of the *size* of
//! problem and evidence as they are in memory; readers keep that in proportion to the text. A run
//! may besides take a pass over the problem for each of its steps, and the words of a problem may be
//! written out as gates: a product of words is short, and its circuit is not. `bench/notes/evidence.md` has what
//! real evidence takes.

use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat, LratStep, Trace};
use alphorn_problem::evidence::flips::Avoidance;
use alphorn_problem::evidence::front::{Front, Monotony};
use alphorn_problem::evidence::horn::{ClauseProof, Derivation, HornModel, Progression};
use alphorn_problem::evidence::proof::{LinearStep, Proof, Rule};
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::evidence::words::{Homing, Rows, WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::blast::gates::{arrays_ticks, words_ticks};
use alphorn_problem::{Circuit, Flow, Horn, Matching, Parametric, Question, Violation, Words};
use alphorn_term::eval::bound::value_ticks;
use alphorn_term::eval::{Choices, Table};
use alphorn_term::meter::words_of;
use alphorn_term::{Meter, Sort, Store, TermId, Value};

/// The ticks that any evidence may take.
pub const FLOOR: u64 = 1 << 25;
/// The ticks for each unit of size.
pub const PER_UNIT: u64 = 64;

/// The size of a gate or latch: there are obligations that write it down for each step of many.
const GATE: u64 = 256;
/// The size of a literal or hint of a clausal proof.
const HINT: u64 = 64;
/// The size of a step, a row or a line besides what is in it.
const LINE: u64 = 8;
/// The passes over a problem that a step of a run may take.
const PASSES: u64 = 8;
/// How often the gates of a problem's words may be written down, as gates and as clauses.
const COPIES: u64 = 8;

/// The meter for problem and evidence of this size together.
pub fn meter(size: u64) -> Meter {
    Meter::new(FLOOR.saturating_add(size.saturating_mul(PER_UNIT)))
}

/// The meter for a refutation of formulas of a store.
pub fn of_refutation(store: &Store, assertions: &[TermId], proof: &Proof) -> Meter {
    let gates = gates_size(store, assertions);
    meter(sum([store.effort(), proof_size(proof), gates].into_iter()))
}

/// The meter for a model of a Horn system.
pub fn of_model(horn: &Horn, model: &HornModel) -> Meter {
    let proofs = model.proofs.iter().map(|proof| match proof {
        ClauseProof::Evaluate => LINE,
        ClauseProof::Refute(proof) => proof_size(proof),
        ClauseProof::Cases(cases) => sum(cases.iter().map(|case| {
            let puts = case.rounds.iter().map(|round| LINE + 2 * round.len() as u64);
            LINE + sum(puts) + proof_size(&case.proof)
        })),
    });
    let folds = model.folds.functions.iter().map(|fold| {
        let cases = fold.cases.iter().map(|case| LINE + case.fields.len() as u64);
        LINE + fold.params.len() as u64 + cases.sum::<u64>()
    });
    let laws = model.folds.laws.iter().flat_map(|law| &law.cases);
    let laws = laws.map(|case| LINE + case.fields.len() as u64 + proof_size(&case.proof));
    let tables = model.funcs.values().map(table_size).chain([choices_size(&model.choices)]);
    let parts = proofs.chain(folds).chain(laws).chain(tables);
    let params = model.preds.iter().map(|definition| LINE + definition.params.len() as u64);
    meter(sum(parts.chain(params).chain([horn_size(horn), model.terms.effort()])))
}

/// The meter for a derivation from a Horn system.
pub fn of_derivation(horn: &Horn, derivation: &Derivation) -> Meter {
    let steps = derivation.steps.iter().map(|step| {
        let values: u64 = step.values.iter().map(value_ticks).sum();
        let progression = step.progression.as_ref().map_or(0, |run| progression_size(run));
        LINE + values + step.premises.len() as u64 + progression
    });
    let refuted = derivation.refuted.iter();
    let refuted = refuted.map(|refuted| {
        let chosen = refuted.chosen.arrays.iter();
        let chosen = chosen.map(|(_, definition)| LINE + definition.params.len() as u64);
        refuted.terms.effort() + proof_size(&refuted.proof) + chosen.sum::<u64>()
    });
    meter(sum(steps.chain(refuted).chain([horn_size(horn)])))
}

/// The ticks of giving so many declared sorts others: each sort's parts are looked at for it, and each term is made again.
pub(crate) fn of_sorts(store: &Store, given: usize) -> u64 {
    let datas = store.sorts().filter_map(|sort| match store.sort_of(sort) {
        Sort::Data(data) => Some(store.data(*data)),
        _ => None,
    });
    let fields = |ctor| LINE + store.ctor(ctor).fields.len() as u64;
    let parts = datas.flat_map(|data| data.ctors.iter().map(|&ctor| fields(ctor)));
    let count = store.sort_count() as u64;
    let walks = count.saturating_add(given as u64);
    sum(parts.chain([count])).saturating_mul(walks).saturating_add(store.effort())
}

/// The size of a progression.
fn progression_size(progression: &Progression) -> u64 {
    let members = progression.members.iter().map(|member| {
        let values: u64 = member.start.iter().map(value_ticks).sum();
        LINE + values + member.growth.iter().map(|rat| words_of(rat.bit_len())).sum::<u64>()
    });
    members.sum()
}

/// The meter for evidence about a flow, with the terms and proofs that it brings along and so many steps.
pub fn of_flow(flow: &Flow, terms: &Store, proofs: &[Proof], steps: usize) -> Meter {
    let starts = flow.starts.iter().map(|start| start.formula);
    let roots: Vec<TermId> =
        flow.transitions.iter().map(|step| step.formula).chain(starts).collect();
    let own = flow.locations.len() + flow.vars.len() + roots.len();
    let parts = [terms.effort(), own as u64 * LINE, gates_size(&flow.terms, &roots)];
    let size = sum(proofs.iter().map(proof_size).chain(parts));
    run(size, steps, flow.terms.effort())
}

/// The meter for a model of a script's formulas.
pub fn of_script_model(question: &Question, evidence: &ScriptModel) -> Meter {
    let proofs = evidence.reasons.iter().map(|reason| match reason {
        Reason::Evaluate | Reason::Define { .. } => LINE,
        Reason::Refute(proof) => proof_size(proof),
    });
    let model = &evidence.model;
    let values = model.vars.values().map(value_ticks);
    let tables = model.funcs.values().map(table_size).chain([choices_size(&model.choices)]);
    let gates = gates_size(&question.terms, &question.formulas);
    let terms = [question.terms.effort(), evidence.terms.effort(), gates];
    meter(sum(proofs.chain(values).chain(tables).chain(terms)))
}

/// The meter for a certificate about a circuit.
pub fn of_certificate(circuit: &Circuit, certificate: &Certificate) -> Meter {
    let invariant = invariant_size(&certificate.invariant);
    meter(circuit_size(circuit) + invariant + lrats_size(&certificate.obligations))
}

/// The meter for what is said about a circuit and a template, with so many lines of evidence.
pub fn of_matching(matching: &Matching, lines: u64) -> Meter {
    let row = LINE.saturating_add(u64::from(matching.circuit.inputs));
    let terms = matching.template.terms.effort();
    let parts = [circuit_size(&matching.circuit), terms, row.saturating_mul(lines)];
    meter(sum(parts.into_iter()))
}

/// The meter for clausal proofs about a circuit.
pub fn of_proofs(circuit: &Circuit, proofs: &[Lrat]) -> Meter {
    meter(circuit_size(circuit).saturating_add(lrats_size(proofs)))
}

/// The meter for a run of a circuit.
pub fn of_trace(circuit: &Circuit, trace: &Trace) -> Meter {
    let inputs = trace.inputs.iter().map(|row| LINE + row.len() as u64);
    let size = sum(inputs.chain([circuit_size(circuit), trace.start.len() as u64]));
    run(size, trace.inputs.len(), circuit.max_var().into())
}

/// The meter for a front of parameters: certificates of the circuit and of its twin, runs, and the coverage.
pub fn of_front(problem: &Parametric, front: &Front) -> Meter {
    let twin = match &front.monotony {
        Monotony::Proved(certificate) => Some(&**certificate),
        Monotony::Unused | Monotony::Asserted => None,
    };
    let certificates = front.points.iter().map(|point| &point.certificate).chain(twin);
    let certificates = certificates.map(|certificate| {
        invariant_size(&certificate.invariant) + lrats_size(&certificate.obligations)
    });
    let points = front.points.iter().map(|point| LINE + point.valuation.len() as u64);
    let costs = problem.costs.iter().map(|cost| LINE + cost.weights.len() as u64);
    let rows = front.failed.iter().flat_map(|trace| trace.inputs.iter().chain([&trace.start]));
    let rows = rows.map(|row| LINE + row.len() as u64);
    let circuits =
        [3 * circuit_size(&problem.circuit), front.coverage.as_ref().map_or(0, lrat_size)];
    let size = sum(certificates.chain(points).chain(costs).chain(rows).chain(circuits));
    let steps = front.failed.iter().map(|trace| trace.inputs.len() + 1).sum();
    run(size, steps, problem.circuit.max_var().into())
}

/// The meter for what avoids a violation: the run with each set, and written down with what may be flipped.
pub fn of_avoidance(violation: &Violation, avoidance: &Avoidance) -> Meter {
    let Violation { circuit, trace, .. } = violation;
    let rows = trace.inputs.iter().chain([&trace.start]).map(|row| LINE + row.len() as u64);
    let sets = avoidance.sets.iter().map(|set| LINE + set.len() as u64);
    let proof = avoidance.others.as_ref().map_or(0, |others| lrat_size(&others.proof));
    let size = sum(rows.chain(sets).chain([circuit_size(circuit), proof]));
    let steps = trace.inputs.len().saturating_mul(PASSES as usize + avoidance.sets.len());
    run(size, steps, circuit.max_var().into())
}

/// The meter for a certificate about a word-level system.
pub fn of_word_certificate(words: &Words, certificate: &WordCertificate) -> Meter {
    let size = match &certificate.invariant {
        WordInvariant::States(rows) => rows_size(rows),
        WordInvariant::Home(Homing { rows, inputs }) => {
            let inputs = inputs.iter().flatten().flatten().map(value_ticks);
            sum(inputs.chain([rows_size(rows)]))
        }
        WordInvariant::Formula { terms, proofs, .. } => {
            sum(proofs.iter().map(proof_size).chain([terms.effort()]))
        }
        WordInvariant::Bits(bits) => {
            let followed = bits.abstraction.states.len() + bits.abstraction.cells.len();
            let proofs = lrats_size(&bits.proofs);
            proofs + invariant_size(&bits.invariant) + followed as u64 * LINE
        }
    };
    meter(words_size(words).saturating_add(size))
}

/// The meter for a run of a word-level system.
pub fn of_word_trace(words: &Words, trace: &WordTrace) -> Meter {
    let states = trace.states.iter().map(|row| {
        let given = row.iter().map(|value| value.as_ref().map_or(1, value_ticks));
        LINE + given.sum::<u64>()
    });
    let inputs = trace.inputs.iter().map(|row| row.iter().map(value_ticks).sum::<u64>());
    let trap = trace.trap.as_ref().map_or(0, rows_size);
    let size = sum(states.chain(inputs).chain([words_size(words), trap]));
    run(size, trace.inputs.len(), words.terms.effort())
}

/// The size of rows of values.
fn rows_size(rows: &Rows) -> u64 {
    let each = rows.states.iter().map(|row| LINE + row.iter().map(value_ticks).sum::<u64>());
    sum(each.chain([rows.vars.len() as u64]))
}

/// The meter for a run of `steps` steps, each of which is a pass over `pass` things.
fn run(size: u64, steps: usize, pass: u64) -> Meter {
    let passes = (steps as u64).saturating_mul(PASSES).saturating_mul(pass);
    Meter::new(meter(size).limit().saturating_add(passes))
}

fn sum(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, u64::saturating_add)
}

fn horn_size(horn: &Horn) -> u64 {
    let clauses = horn.clauses.iter().map(|clause| LINE + clause.vars.len() as u64);
    let bodies = horn.clauses.iter().map(|clause| clause.body);
    let heads = horn.clauses.iter().filter_map(|clause| match &clause.head {
        Head::Atom(_, args) => Some(args.iter().copied()),
        Head::False => None,
    });
    let roots: Vec<TermId> = bodies.chain(heads.flatten()).collect();
    let gates = gates_size(&horn.terms, &roots);
    sum(clauses.chain([horn.terms.effort(), horn.preds.len() as u64, gates]))
}

fn words_size(words: &Words) -> u64 {
    let states = words.states.iter().flat_map(|state| [Some(state.var), state.init, state.next]);
    let named = words.bads.iter().chain(&words.constraints).chain(&words.fairness);
    let named = named.chain(&words.homes);
    let justice = words.justice.iter().flat_map(|justice| justice.terms.iter().copied());
    let named = named.map(|named| named.term).chain(justice);
    let roots: Vec<TermId> = states.flatten().chain(named).collect();
    let gates = gates_size(&words.terms, &roots);
    let arrays = copies_size(arrays_ticks(&words.terms, &known(&words.terms, &roots)));
    // Every bit may become a latch.
    let bits = words.states.iter().map(|state| u64::from(words.terms.width(state.var)));
    sum(bits.chain([words.terms.effort().saturating_mul(LINE), gates, arrays]))
}

/// The size of the gates of words, which count a few times.
fn gates_size(store: &Store, roots: &[TermId]) -> u64 {
    copies_size(words_ticks(store, &known(store, roots)))
}

/// The roots that there are: whether the problem is one is looked at later.
fn known(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    roots.iter().copied().filter(|root| root.index() < store.len()).collect()
}

/// The size for which so many ticks may be spent a few times.
fn copies_size(ticks: u64) -> u64 {
    ticks.saturating_mul(COPIES) / PER_UNIT
}

fn circuit_size(circuit: &Circuit) -> u64 {
    u64::from(circuit.max_var()) * GATE
}

fn invariant_size(invariant: &Invariant) -> u64 {
    let clauses = |clauses: &[Vec<alphorn_problem::circuit::Lit>]| {
        sum(clauses.iter().map(|clause| LINE + clause.len() as u64 * HINT))
    };
    match invariant {
        Invariant::States { latches, states } => {
            let rows = states.iter().map(|row| LINE + row.len() as u64);
            sum(rows.chain([latches.len() as u64]))
        }
        Invariant::Clauses(all) | Invariant::KInductive { lemmas: all, .. } => clauses(all),
        Invariant::Aig(aig) => circuit_size(aig),
        Invariant::Justice { invariant, .. } => invariant_size(invariant),
    }
}

fn lrats_size(proofs: &[Lrat]) -> u64 {
    sum(proofs.iter().map(lrat_size))
}

/// The size of a clausal proof.
pub(crate) fn lrat_size(proof: &Lrat) -> u64 {
    let steps = proof.steps.iter().map(|step| match step {
        LratStep::Add { clause, hints, .. } => LINE + (clause.len() + hints.len()) as u64 * HINT,
        LratStep::Delete(ids) => LINE + ids.len() as u64 * HINT,
    });
    sum(steps.chain([LINE]))
}

fn choices_size(choices: &Choices) -> u64 {
    let tables = choices.int_div.iter().chain(&choices.modulo).chain(&choices.real_div);
    sum(tables.chain(choices.fields.values()).map(table_size))
}

fn table_size(table: &Table) -> u64 {
    let values = |values: &[Value]| values.iter().map(value_ticks).sum::<u64>();
    let entries =
        table.entries.iter().map(|(args, value)| LINE + values(args) + value_ticks(value));
    sum(entries.chain(table.default.iter().map(value_ticks)))
}

fn proof_size(proof: &Proof) -> u64 {
    let steps = proof.steps.iter().map(|step| {
        let rule = match &step.rule {
            Rule::Rup(hints) => hints.len() as u64,
            Rule::Farkas(multipliers) => {
                multipliers.iter().map(|multiplier| words_of(multiplier.bit_len())).sum()
            }
            Rule::Linear(lines) => lines.iter().map(line_size).sum(),
            Rule::Bisimulation(terms) | Rule::Instantiate(terms) | Rule::Skolem(terms) => {
                terms.len() as u64
            }
            _ => 0,
        };
        LINE + step.clause.len() as u64 + rule
    });
    sum(steps)
}

fn line_size(line: &LinearStep) -> u64 {
    let parts = match line {
        LinearStep::Combine(parts) => parts.as_slice(),
        _ => &[],
    };
    1 + parts.iter().map(|(multiplier, _)| 1 + words_of(multiplier.bit_len())).sum::<u64>()
}
