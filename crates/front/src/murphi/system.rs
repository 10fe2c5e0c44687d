//! From a model to a transition system over words.
//!
//! Every slot of a variable is a state. An input says which rule is tried, an instance of a rule for each choice of
//! its parameters; where its condition does not hold, or there is no rule with this number, nothing changes. If
//! there is one start state it is where the system starts. Otherwise a further state says whether the model has
//! started, and the first step that does anything goes to the start state that the input chooses.
//!
//! The properties are the invariants in their order, then that nothing goes wrong (`error`), then that some rule can
//! be used (`deadlock`). What `liveness` says are home properties: from wherever the model is, it can go on to where it
//! is so. Of such a property each instance is one.

use super::assemble::assemble;
use super::scene::{Meaning, Scene, untreated};
use super::tree::{Body, Declaration, Expr, File, Over, Rule, RuleKind};
use super::value::Sym;
use super::{parse, small_words};
use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use crate::response::{ResponseWish, wrong};
use alphorn_problem::Span;
use alphorn_problem::words::Words;
use alphorn_term::{Bv, TermId};

/// The most instances of rules.
const MAX_INSTANCES: usize = 1 << 16;

/// A rule with values for its parameters.
pub(super) struct Instance {
    /// The name of the rule.
    name: Option<String>,
    pub guard: TermId,
    /// The slots that it changes, with their codes.
    pub changes: Vec<(usize, TermId)>,
    pub wrong: TermId,
}

/// What a model consists of, when all its rules are written out.
#[derive(Default)]
pub(super) struct Parts {
    pub steps: Vec<Instance>,
    pub starts: Vec<Instance>,
    /// Invariants, with their name and place; instances of one are one.
    pub invariants: Vec<(Option<String>, TermId, Span)>,
    /// What `liveness` asks for, each instance for itself.
    pub homes: Vec<(String, TermId, Span)>,
    pub assumptions: Vec<(TermId, Span)>,
    /// When the condition of a property or an assumption uses what is undefined.
    pub wrong: Vec<TermId>,
}

/// A question about a response, before the system is made.
pub(super) struct AskedResponse {
    pub from: TermId,
    pub to: TermId,
    /// Rules by their number, and whether runs are strongly fair to them.
    pub fair: Vec<(bool, usize)>,
}

/// The transition system of a model.
pub(super) fn system(file: &File, response: Option<&ResponseWish>) -> Fallible<Words> {
    let mut scene = Scene::new();
    scene.declare(&file.declarations)?;
    for procedure in &file.procedures {
        if scene.procedures.insert(&procedure.name, procedure).is_some() {
            let message = format!("`{}` is declared twice", procedure.name);
            return Err(Box::new(Diagnostic::error(Code::MurphiName, procedure.span, message)));
        }
    }
    scene.globals = scene.scope.len();
    let mut slots = Vec::new();
    for declaration in &file.declarations {
        if let Declaration::Vars(names, _) = declaration {
            for (name, span) in names {
                let Meaning::Place(_, ty) = scene.meaning(name, *span)? else { continue };
                let first = slots.len();
                scene.types.slots(ty, name, &mut slots);
                for (position, (slot, ty)) in slots.iter().enumerate().skip(first) {
                    let width = scene.types.simple(*ty).expect("a slot has a simple type").width();
                    let sort = scene.store.bv_sort(width);
                    scene.slots[position] = scene.store.var(slot, sort);
                }
            }
        }
    }
    let vars = scene.slots.clone();
    let mut parts = Parts::default();
    for rule in &file.rules {
        let mut next = parts.invariants.len();
        scene.rule(rule, &vars, &mut parts, &mut next)?;
    }
    if parts.starts.is_empty() {
        let error = Diagnostic::error(Code::MurphiSyntax, Span::NONE, "there is no start state");
        return Err(Box::new(error.hint("a model has startstate begin x := 0; end")));
    }
    let asked = response.map(|wish| scene.asked(wish, &vars, &mut parts)).transpose()?;
    Ok(assemble(scene.store, &vars, parts, asked))
}

impl Scene<'_> {
    /// Writes a rule out. Instances of one invariant are one: the next invariant has this position.
    fn rule(
        &mut self,
        rule: &Rule,
        vars: &[TermId],
        parts: &mut Parts,
        next: &mut usize,
    ) -> Fallible<()> {
        match &rule.kind {
            RuleKind::Ruleset(over, rules) => self.ruleset(over, rules, vars, parts, next),
            RuleKind::Alias(names, rules) => {
                let before = self.scope.len();
                let mut done = self.aliases(names);
                for rule in rules {
                    done = done.and_then(|()| self.rule(rule, vars, parts, next));
                }
                self.scope.truncate(before);
                done
            }
            RuleKind::Step(guard, body) => {
                let mut instance = self.instance(guard.as_ref(), body, vars)?;
                instance.name = rule.name.clone();
                parts.steps.push(instance);
                if parts.steps.len() > MAX_INSTANCES {
                    return Err(untreated(rule.span, "there are too many instances of rules"));
                }
                Ok(())
            }
            RuleKind::Start(body) => {
                // A start state is made from nothing.
                let undefined: Vec<TermId> =
                    vars.iter().map(|var| self.undefined_like(*var)).collect();
                let instance = self.instance(None, body, &undefined)?;
                parts.starts.push(instance);
                if parts.starts.len() > MAX_INSTANCES {
                    return Err(untreated(rule.span, "there are too many start states"));
                }
                Ok(())
            }
            RuleKind::Invariant(formula) => {
                let holds = self.formula(formula, vars, parts)?;
                match parts.invariants.get_mut(*next) {
                    Some((_, all, _)) => *all = self.store.and(&[*all, holds]),
                    None => parts.invariants.push((rule.name.clone(), holds, rule.span)),
                }
                *next += 1;
                Ok(())
            }
            RuleKind::Assume(formula) => {
                let holds = self.formula(formula, vars, parts)?;
                parts.assumptions.push((holds, rule.span));
                Ok(())
            }
            RuleKind::Liveness(formula) => {
                let holds = self.formula(formula, vars, parts)?;
                let name = self.instance_name(rule.name.as_deref(), parts.homes.len());
                parts.homes.push((name, holds, rule.span));
                if parts.homes.len() > MAX_INSTANCES {
                    return Err(untreated(rule.span, "there are too many instances of `liveness`"));
                }
                Ok(())
            }
        }
    }

    fn ruleset(
        &mut self,
        over: &[Over],
        rules: &[Rule],
        vars: &[TermId],
        parts: &mut Parts,
        next: &mut usize,
    ) -> Fallible<()> {
        let Some((first, rest)) = over.split_first() else {
            for rule in rules {
                self.rule(rule, vars, parts, next)?;
            }
            return Ok(());
        };
        let from = *next;
        for value in self.values(&first.range, first.span)? {
            *next = from;
            self.scope.push((first.name.clone(), Meaning::Value(value)));
            let done = self.ruleset(rest, rules, vars, parts, next);
            self.scope.pop();
            done?;
        }
        Ok(())
    }

    /// The name of an instance of a property: that of the property, and the values of parameters.
    fn instance_name(&self, name: Option<&str>, position: usize) -> String {
        let mut shown = name.map_or_else(|| format!("liveness {}", position + 1), str::to_owned);
        for (parameter, meaning) in &self.scope[self.globals..] {
            if let Meaning::Value(Sym::Known(value, class)) = meaning {
                shown.push_str(&format!(", {parameter} = {}", self.types.show(*value, *class)));
            }
        }
        shown
    }

    fn undefined_like(&mut self, var: TermId) -> TermId {
        self.store.bv(Bv::from_u64(self.store.width(var), 0))
    }

    /// Begins at the state whose codes are given.
    fn begin(&mut self, codes: &[TermId]) {
        self.slots = codes.to_vec();
        self.live = self.store.bool(true);
        self.wrong = self.store.bool(false);
        self.returned = self.store.bool(false);
    }

    fn instance(
        &mut self,
        guard: Option<&Expr>,
        body: &Body,
        codes: &[TermId],
    ) -> Fallible<Instance> {
        self.begin(codes);
        let guard = match guard {
            Some(guard) => self.truth(guard)?,
            None => self.store.bool(true),
        };
        self.slots.truncate(codes.len());
        let mut changes = Vec::new();
        self.branch(
            guard,
            |scene| {
                scene.body(body)?;
                let after = scene.slots.iter().zip(codes).enumerate();
                changes = after
                    .filter(|(_, (new, old))| new != old)
                    .map(|(slot, (new, _))| (slot, *new))
                    .collect();
                Ok(())
            },
            |_| Ok(()),
        )?;
        Ok(Instance { name: None, guard, changes, wrong: self.wrong })
    }

    /// What is asked about a response: what leads to what, and of which rules it depends on how they are fair. What
    /// uses an undefined value does not hold.
    fn asked(
        &mut self,
        wish: &ResponseWish,
        vars: &[TermId],
        parts: &mut Parts,
    ) -> Fallible<AskedResponse> {
        // Values of scalarsets have names here, as traces show them.
        for (name, value, class) in self.types.named_values() {
            if !self.scope.iter().any(|(known, _)| *known == name) {
                self.scope.push((name, Meaning::Value(Sym::Known(value, class))));
            }
        }
        let mut formula = |text: &str| -> Fallible<TermId> {
            let about =
                |diagnostic: Box<Diagnostic>| wrong(format!("`{text}`: {}", diagnostic.message));
            let expr = parse::alone(&small_words(text.as_bytes())).map_err(about)?;
            self.begin(vars);
            let holds = self.truth(&expr).map_err(about)?;
            let is_right = self.store.not(self.wrong);
            Ok(self.store.and(&[holds, is_right]))
        };
        let (from, to) = (formula(&wish.from)?, formula(&wish.to)?);
        let mut fair = Vec::new();
        for (is_strong, name) in wish.kinds()? {
            let is_meant = |step: &&Instance| name.is_none() || step.name.as_deref() == name;
            if !parts.steps.iter().any(|step| is_meant(&step)) {
                let name = name.unwrap_or("rule");
                return Err(wrong(format!("there is no rule with the name `{name}`")));
            }
            let steps = parts.steps.iter().enumerate().filter(|(_, step)| is_meant(step));
            fair.extend(steps.map(|(number, _)| (is_strong, number)));
        }
        Ok(AskedResponse { from, to, fair })
    }

    fn formula(&mut self, formula: &Expr, vars: &[TermId], parts: &mut Parts) -> Fallible<TermId> {
        self.begin(vars);
        let holds = self.truth(formula)?;
        parts.wrong.push(self.wrong);
        Ok(holds)
    }
}
