//! Evidence about questions of SMT-LIB scripts: proofs are replayed, models evaluated.
//!
//! A script asks a question at each `check-sat`; what is asked are the assertions in force there and
//! the assumptions. A model of any solver gives functions by terms, and the checker takes tables: a
//! definition by cases becomes one exactly, and of any other the table has the cases that the formulas
//! without quantifiers meet. That is an interpretation too, and whether the formulas hold in it is for
//! the checker to say.

use super::{Answered, Certified, Request};
use crate::format::Format;
use crate::open::Opened;
use crate::smt::{Script, complete};
use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_front::evidence::{ScriptEvidence, read_script};
use alphorn_front::smtlib::general::{Command, Written};
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::{Question, Verdict};
use alphorn_smt::quantifiers::{QuantifierLimits, show, universes};
use alphorn_term::eval::Table;
use alphorn_term::{FuncId, Model, Op, Sort, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// The most cases of functions that are not given by cases, each of which costs an evaluation.
const MOST_CASES: usize = 1 << 14;

/// A question of a script: what is asserted and assumed, and the functions in force.
pub struct Asked {
    formulas: Vec<TermId>,
    funcs: Vec<FuncId>,
}

/// Whether a file is a script that is not about Horn clauses, and so one for `alphorn smt`.
pub fn is_other_script(opened: &Opened) -> bool {
    let is_logic = |diagnostic: &Diagnostic| diagnostic.code == Code::SmtLogic;
    opened.format == Some(Format::SmtLib)
        && opened.problem.is_none()
        && opened.diagnostics.list.iter().any(is_logic)
}

/// The questions that a script asks, in order.
pub fn questions(script: &Script) -> Vec<Asked> {
    let (mut assertions, mut funcs) = (Vec::<TermId>::new(), Vec::<FuncId>::new());
    let mut levels: Vec<(usize, usize)> = Vec::new();
    let mut is_global = false;
    let mut asked = Vec::new();
    for (command, _) in &script.commands {
        match command {
            Command::SetOption(attribute) if attribute.keyword == ":global-declarations" => {
                is_global = attribute.value.as_deref() == Some("true");
            }
            Command::DeclareFun(func) => funcs.push(*func),
            Command::Assert { formula, .. } => assertions.push(formula.term),
            Command::Define { axioms, .. } => {
                assertions.extend(axioms.iter().map(|axiom| axiom.term));
            }
            Command::Push(count) => {
                levels.extend(std::iter::repeat_n((assertions.len(), funcs.len()), *count));
            }
            Command::Pop(count) => {
                let base = levels.len().saturating_sub(*count);
                if let Some((before, declared)) = levels.drain(base..).next() {
                    assertions.truncate(before);
                    funcs.truncate(if is_global { funcs.len() } else { declared });
                }
            }
            Command::Reset | Command::ResetAssertions => {
                assertions.clear();
                levels.clear();
                if !is_global || *command == Command::Reset {
                    funcs.clear();
                }
                is_global &= *command != Command::Reset;
            }
            Command::CheckSat => asked.push(question(&assertions, &[], &funcs)),
            Command::CheckSatAssuming(assumptions) => {
                asked.push(question(&assertions, assumptions, &funcs));
            }
            Command::Exit => break,
            _ => {}
        }
    }
    asked
}

fn question(assertions: &[TermId], assumptions: &[Written], funcs: &[FuncId]) -> Asked {
    let assumed = assumptions.iter().map(|written| written.term);
    Asked { formulas: assertions.iter().copied().chain(assumed).collect(), funcs: funcs.to_vec() }
}

/// What the bytes of a file show about a question of a script.
pub fn certify_script(
    script: &Script,
    asked: &Asked,
    bytes: &[u8],
    request: &Request,
) -> Certified {
    let (found, diagnostics) = read_script(bytes, &script.store, &asked.funcs);
    let Some((terms, found)) = found.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    let count = asked.formulas.len();
    let all = format!("{count} of {count} formulas");
    match found {
        ScriptEvidence::Proof(proof) => {
            let steps = proof.steps.len();
            let question = Question { terms, formulas: asked.formulas.clone() };
            let detail = "by a proof".to_owned();
            let checked = format!("a refutation of the formulas in {steps} steps");
            let answered = Answered { verdict: "unsat", detail, checked };
            told(accept(&question, (), Verdict::Safe(proof)).map(|_| answered))
        }
        ScriptEvidence::Model { definitions, elements } => {
            let detail = "with a model".to_owned();
            let answered = Answered { verdict: "sat", detail, checked: all };
            let question = Question { terms, formulas: asked.formulas.clone() };
            match model(&question, asked, &definitions, &elements) {
                Ok(model) => certify_model(&question, &model, answered, request),
                Err(reason) => Certified::Unproved(reason),
            }
        }
    }
}

fn told(accepted: Result<Answered, Refusal>) -> Certified {
    match accepted {
        Ok(answered) => Certified::Answered(answered),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// Checks a model: with declared sorts that are infinite, or with the elements that it names, or with
/// proofs of what cannot be evaluated.
fn certify_model(
    question: &Question,
    model: &Model,
    answered: Answered,
    request: &Request,
) -> Certified {
    let Question { terms, formulas } = question;
    let reasons = vec![Reason::Evaluate; formulas.len()];
    let plain = ScriptModel { model: model.clone(), reasons, ..ScriptModel::default() };
    let infinite = match accept(question, (), Verdict::Unsafe(plain.clone())) {
        Ok(_) => return Certified::Answered(answered),
        Err(refusal) => refusal,
    };
    let universes = universes(terms, formulas, model);
    if !universes.is_empty() {
        let finite = ScriptModel { universes, ..plain };
        if accept(question, (), Verdict::Unsafe(finite)).is_ok() {
            return Certified::Answered(answered);
        }
    }
    // Without quantifiers evaluation says whether the model is right.
    let (open, plain): (Vec<TermId>, Vec<TermId>) =
        formulas.iter().partition(|&&formula| terms.has_quantifier(formula));
    let is_false = |formula: &TermId| eval(terms, *formula, model) == Ok(Value::Bool(false));
    if open.is_empty() || plain.iter().any(is_false) {
        return Certified::Refused(infinite);
    }
    if !request.prove {
        let reason = "the model comes without proofs, and evaluating it does not suffice";
        return Certified::Unproved(format!("{reason} ({infinite}); --prove looks for them"));
    }
    let limits =
        QuantifierLimits { interrupt: request.interrupt.clone(), ..QuantifierLimits::default() };
    match show(terms, formulas, model, &limits) {
        Some(found) => told(accept(question, (), Verdict::Unsafe(found)).map(|_| answered)),
        None => Certified::Unproved(format!("no proof was found ({infinite})")),
    }
}

/// The model with a table for each function, or why there is none.
fn model(
    question: &Question,
    asked: &Asked,
    definitions: &BTreeMap<FuncId, Definition>,
    elements: &Model,
) -> Result<Model, String> {
    let Question { terms, formulas } = question;
    let mut model = Model::new();
    let mut open: BTreeMap<FuncId, &Definition> = BTreeMap::new();
    let mut waiting: Vec<(&FuncId, &Definition)> = definitions.iter().collect();
    // A definition may use functions that are defined after it.
    loop {
        let before = waiting.len();
        waiting.retain(|&(func, definition)| {
            let known = with(elements, &model);
            let table = by_cases(terms, definition, &known);
            let Some(table) = table.or_else(|| by_elements(terms, definition, &known)) else {
                return true;
            };
            model.funcs.insert(*func, table);
            false
        });
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    for (func, definition) in waiting {
        if definition.params.is_empty() {
            let name = terms.name(terms.func(*func).name);
            return Err(format!("the value of `{name}` cannot be evaluated"));
        }
        open.insert(*func, definition);
    }
    let points = points(terms, formulas, &open)?;
    for (func, args) in points {
        let Some(definition) = open.get(&func) else { continue };
        let known = with(elements, &model);
        let args: Result<Vec<Value>, _> =
            args.iter().map(|&arg| eval(terms, arg, &known)).collect();
        // What stands under a quantifier has no value; the checker will say so.
        let Ok(args) = args else { continue };
        let mut local = known;
        for (&param, value) in definition.params.iter().zip(&args) {
            local.set(param, value.clone());
        }
        if let Ok(value) = eval(terms, definition.body, &local) {
            model.funcs.entry(func).or_default().entries.insert(args, value);
        }
    }
    for func in open.keys() {
        let result = terms.func(*func).result;
        let table = model.funcs.entry(*func).or_default();
        table.default = Value::default_of(terms, result);
    }
    complete(terms, &asked.funcs, formulas, &mut model);
    Ok(model)
}

/// The model with the elements that names stand for.
fn with(elements: &Model, model: &Model) -> Model {
    Model { vars: elements.vars.clone(), ..model.clone() }
}

/// The applications of functions in the formulas, arguments before what they are arguments of.
fn points(
    terms: &Store,
    formulas: &[TermId],
    open: &BTreeMap<FuncId, &Definition>,
) -> Result<Vec<(FuncId, Vec<TermId>)>, String> {
    let mut points = Vec::new();
    if open.is_empty() {
        return Ok(points);
    }
    let mut subterms: Vec<TermId> = terms.subterms(formulas).into_iter().collect();
    subterms.sort_unstable();
    for term in subterms {
        if let Op::Apply(func) = terms.op(term)
            && open.contains_key(&func)
        {
            points.push((func, terms.args(term).to_vec()));
        }
    }
    match points.len() > MOST_CASES {
        true => Err("a function is not given by cases, and is applied too often".to_owned()),
        false => Ok(points),
    }
}

/// A definition by cases as a table: a value, or a choice between values by equations of parameters.
fn by_cases(terms: &Store, definition: &Definition, known: &Model) -> Option<Table> {
    let mut table = Table::default();
    let mut rest = definition.body;
    loop {
        if let Ok(value) = eval(terms, rest, known) {
            table.default = Some(value);
            return Some(table);
        }
        if terms.op(rest) != Op::Ite {
            // A formula is true in some cases, or in all but some.
            let (cases, value) = match (terms.op(rest), terms.args(rest)) {
                (Op::Not, &[condition]) => (vec![condition], false),
                (Op::Or, conditions) => (conditions.to_vec(), true),
                _ => (vec![rest], true),
            };
            for condition in cases {
                let args = case(terms, definition, condition, known)?;
                table.entries.entry(args).or_insert(Value::Bool(value));
            }
            table.default = Some(Value::Bool(!value));
            return Some(table);
        }
        let [condition, then, other] = *terms.args(rest) else { return None };
        let args = case(terms, definition, condition, known)?;
        let value = eval(terms, then, known).ok()?;
        // The first case that fits counts.
        table.entries.entry(args).or_insert(value);
        rest = other;
    }
}

/// A definition as a table of all that its arguments can be, if they are truth values and elements of
/// declared sorts, of which there are those that have names.
fn by_elements(terms: &Store, definition: &Definition, known: &Model) -> Option<Table> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for &param in &definition.params {
        let sort = terms.sort(param);
        let is_of = |value: &&Value| matches!(value, Value::Element(of, _) if *of == sort);
        let values: Vec<Value> = match terms.sort_of(sort) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Uninterpreted(..) => known.vars.values().filter(is_of).cloned().collect(),
            _ => return None,
        };
        if rows.len().checked_mul(values.len())? > MOST_CASES {
            return None;
        }
        let longer =
            |row: &Vec<Value>, value: &Value| [&row[..], std::slice::from_ref(value)].concat();
        rows = rows.iter().flat_map(|row| values.iter().map(|v| longer(row, v))).collect();
    }
    let mut table = Table::default();
    for row in rows {
        let mut local = known.clone();
        for (&param, value) in definition.params.iter().zip(&row) {
            local.set(param, value.clone());
        }
        let value = eval(terms, definition.body, &local).ok()?;
        table.entries.insert(row, value);
    }
    table.default = table.entries.values().next().cloned();
    Some(table)
}

/// The arguments that a condition stands for, if it says exactly what they are.
fn case(
    terms: &Store,
    definition: &Definition,
    condition: TermId,
    known: &Model,
) -> Option<Vec<Value>> {
    let mut args: Vec<Option<Value>> = vec![None; definition.params.len()];
    let parts = match terms.op(condition) {
        Op::And => terms.args(condition).to_vec(),
        _ => vec![condition],
    };
    for part in parts {
        let (param, value) = match (terms.op(part), terms.args(part)) {
            (Op::Eq, &[left, right]) if definition.params.contains(&left) => (left, right),
            (Op::Eq, &[left, right]) if definition.params.contains(&right) => (right, left),
            (Op::Not, &[param]) if definition.params.contains(&param) => {
                let at = definition.params.iter().position(|&other| other == param)?;
                args[at] = Some(Value::Bool(false));
                continue;
            }
            (Op::Var(_), []) if definition.params.contains(&part) => {
                let at = definition.params.iter().position(|&other| other == part)?;
                args[at] = Some(Value::Bool(true));
                continue;
            }
            _ => return None,
        };
        let at = definition.params.iter().position(|&other| other == param)?;
        let value = eval(terms, value, known).ok()?;
        if args[at].replace(value).is_some() {
            return None;
        }
    }
    args.into_iter().collect()
}
