//! A model of a program's clauses as invariants of its loops and contracts of its functions.
//!
//! A predicate's definition speaks about the variables of the program's form; those that are variables of
//! the source, or members and elements of them, have a name there if nothing else has it at the place. The
//! conjuncts that can be said so are said, the others stay in the evidence: what is said holds, and may be
//! less than what was proved. A loop of a function that was put in place of several calls has several
//! predicates; at the loop one of them holds.

mod name;

use super::lines::Lines;
use alphorn_front::c::print::{Name, Printer, Style};
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::Definition;
use alphorn_program::c::evidence::ProgramProof;
use alphorn_program::c::evidence::clauses_of;
use alphorn_program::c::lower::{Lowered, Origin, ScalarPart};
use alphorn_program::c::property::Task;
use alphorn_program::c::tree::Variable;
use alphorn_program::c::{Type, Unit, VarId};
use alphorn_program::clauses::{Argument, Clauses, Site, Spot};
use alphorn_program::form;
use alphorn_program::form::{Action, ProcId};
use alphorn_term::{Op, Store, TermId};
use name::{Said, Shape, walk};
use std::collections::BTreeMap;

/// When what an annotation says holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Holds whenever the condition of a loop is about to be evaluated.
    Loop,
    /// Holds whenever a label is passed.
    Label,
    /// Holds whenever a function is called.
    Requires,
    /// Holds whenever a function returns.
    Ensures,
}

impl Kind {
    /// What annotation languages call it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Loop | Kind::Label => "invariant",
            Kind::Requires => "requires",
            Kind::Ensures => "ensures",
        }
    }
}

/// A formula at a place of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// When it holds.
    pub kind: Kind,
    /// The place: the first character of a loop or label, the name of a function.
    pub span: Span,
    /// The function that it stands in.
    pub function: Option<String>,
    /// The formulas that together hold.
    pub formulas: Vec<String>,
    /// Whether they are all that was proved there.
    pub is_all: bool,
}

/// The annotations that a proof is, by their places.
pub fn annotations(
    task: &Task,
    proof: &ProgramProof,
    source: &[u8],
    style: Style,
) -> Vec<Annotation> {
    let Ok((lowered, made)) = clauses_of(task, proof.encoding) else { return Vec::new() };
    // What holds where threads rest is no invariant of a loop.
    if lowered.is_woven {
        return Vec::new();
    }
    let writer =
        Writer { task, lowered: &lowered, clauses: &made, lines: Lines::of(source), style };
    let store = &proof.model.terms;
    let mut all: BTreeMap<(u32, Kind), Vec<Annotation>> = BTreeMap::new();
    for (spot, definition) in made.spots.iter().zip(&proof.model.preds) {
        if let Some(annotation) = writer.annotation(store, spot, definition) {
            all.entry((annotation.span.start, annotation.kind)).or_default().push(annotation);
        }
    }
    let joined = all.into_values().filter_map(joined);
    joined.filter(|annotation| !annotation.formulas.is_empty()).collect()
}

/// What holds where one of several does.
fn joined(mut all: Vec<Annotation>) -> Option<Annotation> {
    // Where nothing comes by nothing is to be said, unless it is so for all.
    if all.len() > 1 {
        all.retain(|one| !matches!(&one.formulas[..], [only] if only == "0" || only == "\\false"));
    }
    let first = all.pop()?;
    if all.iter().all(|other| other.formulas == first.formulas) {
        return Some(first);
    }
    all.push(first.clone());
    if all.iter().any(|one| one.formulas.is_empty()) {
        return Some(Annotation { formulas: Vec::new(), ..first });
    }
    let mut parts: Vec<String> = Vec::new();
    for one in &all {
        let part = match &one.formulas[..] {
            [only] => format!("({only})"),
            several => {
                let inner: Vec<String> = several.iter().map(|one| format!("({one})")).collect();
                format!("({})", inner.join(" && "))
            }
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let is_all = all.iter().all(|one| one.is_all);
    Some(Annotation { formulas: vec![parts.join(" || ")], is_all, ..first })
}

struct Writer<'a> {
    task: &'a Task,
    lowered: &'a Lowered,
    clauses: &'a Clauses,
    lines: Lines<'a>,
    style: Style,
}

impl Writer<'_> {
    fn unit(&self) -> &Unit {
        &self.task.unit
    }

    fn annotation(
        &self,
        store: &Store,
        spot: &Spot,
        definition: &Definition,
    ) -> Option<Annotation> {
        let (proc, kind, span) = match spot.site {
            Site::Head(proc, block) => {
                let span = self.clauses.program.proc(proc).blocks[block.0 as usize].span;
                if span == Span::NONE {
                    return None;
                }
                let text = self.lines.from(span.start);
                let is_loop = [&b"while"[..], b"for", b"do"].iter().any(|word| {
                    let next = text.get(word.len());
                    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
                    text.starts_with(word) && !next.is_some_and(is_word)
                });
                (proc, if is_loop { Kind::Loop } else { Kind::Label }, span)
            }
            Site::Context(proc) => (proc, Kind::Requires, self.clauses.program.proc(proc).span),
            Site::Summary(proc) => (proc, Kind::Ensures, self.clauses.program.proc(proc).span),
            Site::Effect(_) => return None,
        };
        let mut names: BTreeMap<TermId, Said> = BTreeMap::new();
        for (&param, &arg) in definition.params.iter().zip(&spot.args) {
            if let Some(said) = self.said(proc, kind, span, arg) {
                names.insert(param, said);
            }
        }
        let name = |term: TermId| self.name(store, &names, term);
        let model = self.unit().types.model;
        let printer = Printer { store, names: &name, model, style: self.style };
        let (mut formulas, is_all) = printer.conjuncts(definition.body);
        let mut seen: Vec<String> = Vec::new();
        formulas.retain(|formula| {
            let is_new = !seen.contains(formula);
            seen.push(formula.clone());
            is_new
        });
        let function = self.function_at(span).or_else(|| {
            let name = &self.clauses.program.proc(proc).name;
            self.unit().find_function(name).map(|_| name.clone())
        });
        Some(Annotation { kind, span, function, formulas, is_all })
    }

    /// The function whose body has a place in it.
    fn function_at(&self, span: Span) -> Option<String> {
        let has = |body: Span| body.start <= span.start && span.start < body.end;
        let functions = self.unit().functions.iter();
        let mut inside = functions.filter(|f| f.body.as_ref().is_some_and(|body| has(body.span)));
        inside.next().map(|function| function.name.clone())
    }

    /// How a variable of the form is written at a place.
    fn said(&self, proc: ProcId, kind: Kind, span: Span, arg: Argument) -> Option<Said> {
        let (var, is_before) = match arg {
            Argument::Now(var) => (var, false),
            Argument::Before(var) => (var, true),
        };
        let (source, path) = match self.lowered.origins.get(var.0 as usize)? {
            Origin::Variable { var, path, part: ScalarPart::Value } => (*var, path),
            Origin::Result(function) => {
                let types = &self.unit().types;
                let Type::Function(signature) = types.get(self.unit().function(*function).ty)
                else {
                    return None;
                };
                let text = "\\result".to_owned();
                return match types.get(signature.result) {
                    Type::Int(kind) if self.style == Style::Acsl => {
                        Some(Said { text, ty: Shape::Int(*kind) })
                    }
                    _ => None,
                };
            }
            _ => return None,
        };
        let variable = self.unit().var(source);
        let text = match kind {
            Kind::Loop | Kind::Label => {
                // What a variable was at the call is what it is only if nothing changes it.
                if is_before && self.is_changed(proc, var) {
                    return None;
                }
                self.is_visible(source, variable, span).then(|| variable.name.clone())?
            }
            Kind::Requires => variable.name.clone(),
            Kind::Ensures if is_before => match self.style {
                Style::Acsl => format!("\\old({})", variable.name),
                Style::C => return None,
            },
            Kind::Ensures => variable.name.clone(),
        };
        let (text, ty) = walk(&self.unit().types, variable.ty, path, text)?;
        Some(Said { text, ty })
    }

    /// Whether a name means this variable at a place.
    fn is_visible(&self, var: VarId, variable: &Variable, span: Span) -> bool {
        let holds = |scope: Span| scope.start <= span.start && span.start < scope.end;
        let is_hidden = self.unit().vars.iter().enumerate().any(|(at, other)| {
            at != var.0 as usize
                && other.name == variable.name
                && holds(other.scope)
                && other.scope.start >= variable.scope.start
        });
        holds(variable.scope) && !is_hidden
    }

    /// Whether something in a procedure, or for a global in any, changes a variable.
    fn is_changed(&self, proc: ProcId, var: form::VarId) -> bool {
        let program = &self.clauses.program;
        let is_global = program.globals.contains(&var);
        let procs = program.procs.iter().enumerate();
        let procs = procs.filter(|(at, _)| is_global || *at == proc.0 as usize);
        let steps = procs.flat_map(|(_, proc)| &proc.blocks).flat_map(|block| &block.steps);
        let mut actions = steps.map(|step| &step.action);
        actions.any(|action| match action {
            Action::Assign(pairs) => pairs.iter().any(|(to, _)| *to == var),
            Action::Havoc(vars) => vars.contains(&var),
            Action::Relate(pairs, _) => pairs.iter().any(|(to, _)| *to == var),
            Action::Call { results, .. } => results.contains(&var),
            Action::Assume(_) | Action::Check(_) | Action::Observe(_) | Action::Thread(_) => false,
        })
    }

    /// How a term is written: a variable, or an element of an array by a number within its bounds.
    fn name(&self, store: &Store, names: &BTreeMap<TermId, Said>, term: TermId) -> Option<Name> {
        match names.get(&term) {
            Some(Said { text, ty: Shape::Int(kind) }) => {
                return Some(Name { text: text.clone(), kind: *kind });
            }
            Some(_) => return None,
            None => {}
        }
        let (Op::Select, &[array, index]) = (store.op(term), store.args(term)) else {
            return None;
        };
        let Said { text, ty: Shape::Array(kind, length) } = names.get(&array)? else {
            return None;
        };
        let index = store.int_value(index)?.to_i64()?;
        let index = u64::try_from(index).ok().filter(|index| index < length)?;
        Some(Name { text: text.replacen("[]", &format!("[{index}]"), 1), kind: *kind })
    }
}
