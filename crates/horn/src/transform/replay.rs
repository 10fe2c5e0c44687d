//! Derivations carried back through one transform, by evaluation.
//!
//! Each step of the changed system's derivation names a changed clause, whose recipe says which
//! instances of clauses before to try. An instance's variables are evaluated from the step's values;
//! its atoms are looked up among the facts derived so far, and variables that the transform left out
//! are read off these facts. If the body holds by such facts, the instance is a step of the
//! derivation before. Nothing is searched for: the checker sees every step again.
//!
//! Facts are told apart by their *key*, all arguments or those that the transform kept. The first
//! fact with a key stands for all of them.

use super::change::{Change, Instance, Rounds, Values};
use super::layout::value_of_parts;
use super::system::{System, conjuncts, head_args};
use crate::accel::Way;
use crate::derivation::needed;
use alphorn_engine::{Ctx, Lost};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Op, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// The derivation of the system before that a derivation of the changed system stands for.
pub fn replay(
    before: &System,
    change: &Change,
    store: &Store,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Derivation, Lost> {
    let (facts, bodies, steps) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
    let compiled = Compiled { store, programs: RefCell::default() };
    let mut replay =
        Replay { before, change, store, compiled, facts, bodies, steps, is_done: false, ctx };
    let is_reversed = |step: &Step| {
        change.recipes.get(step.clause.index()).is_some_and(|recipe| recipe.is_reversed)
    };
    for (position, step) in derivation.steps.iter().enumerate() {
        if is_reversed(step) {
            continue;
        }
        let is_carried = match &step.progression {
            Some(run) => replay.progress(run, false),
            None => replay.step(step),
        };
        if !is_carried {
            return Err(Lost(format!("step {position} of a derivation cannot be carried back")));
        }
        if replay.is_done {
            return Ok(needed(replay.steps));
        }
    }
    // Steps that lead nowhere cannot be replayed from where they lead, and are not needed.
    for step in derivation.steps.iter().rev().filter(|step| is_reversed(step)) {
        let is_carried = match &step.progression {
            Some(run) => replay.progress(run, true),
            None => replay.step(step),
        };
        if is_carried && replay.is_done {
            return Ok(needed(replay.steps));
        }
    }
    Err(Lost("a derivation carried back does not derive false".to_owned()))
}

/// A derivation on its way back through a transform.
pub(super) struct Replay<'a, 'c> {
    pub(super) before: &'a System,
    change: &'a Change,
    store: &'a Store,
    compiled: Compiled<'a>,
    /// The step that derived the fact with this key, and its arguments.
    facts: FxHashMap<(PredId, Vec<Value>), (usize, Vec<Value>)>,
    /// What was made of bodies that occurred before.
    bodies: FxHashMap<TermId, Rc<Body>>,
    pub(super) steps: Vec<Step>,
    is_done: bool,
    /// Rounds of loops are looked for.
    ctx: &'a mut Ctx<'c>,
}

/// A body in parts.
struct Body {
    /// Arguments first.
    parts: Vec<TermId>,
    on_top: FxHashSet<TermId>,
    /// The variables whose values facts may tell: those in arguments that are not part of keys.
    read: FxHashSet<TermId>,
}

/// Terms that are evaluated again and again, compiled once each.
struct Compiled<'a> {
    store: &'a Store,
    programs: RefCell<FxHashMap<TermId, Program>>,
}

impl Compiled<'_> {
    /// The value of a term; none if it has none.
    fn value(&self, term: TermId, model: &Model) -> Option<Value> {
        match self.store.op(term) {
            Op::Var(_) => model.vars.get(&term).cloned(),
            Op::True => Some(Value::Bool(true)),
            _ => {
                let mut programs = self.programs.borrow_mut();
                let made = || Program::new(self.store, &[], &[term]);
                let program = programs.entry(term).or_insert_with(made);
                program.run(self.store, &[], model);
                program.output(0).ok().cloned()
            }
        }
    }

    fn values(&self, terms: &[TermId], model: &Model) -> Option<Vec<Value>> {
        terms.iter().map(|&term| self.value(term, model)).collect()
    }
}

/// How a part of a body is true.
#[derive(Clone, Debug)]
enum Truth {
    /// Not at all.
    None,
    /// By its own.
    Plain,
    /// By a fact, with values for variables that are read off it.
    Fact(usize, Vec<(TermId, Value)>),
    /// By this argument.
    By(TermId),
    /// By all arguments.
    All,
}

impl Replay<'_, '_> {
    /// Derives what a step of the changed system derived.
    pub(super) fn step(&mut self, step: &Step) -> bool {
        let clause = step.clause.index();
        let Some(changed) = self.change.system.clauses.get(clause) else { return false };
        let mut model = Model::new();
        for (&var, value) in changed.vars.iter().zip(&step.values) {
            model.set(var, value.clone());
        }
        let recipe = &self.change.recipes[clause];
        let is_certain = match &recipe.instances[..] {
            // Values may depend on what fields of other constructors are.
            [Instance { values: Values::Parts(_), .. }] => false,
            instances => instances.len() == 1,
        };
        for rounds in &recipe.rounds {
            if self.compiled.value(rounds.condition, &model) == Some(Value::Bool(true)) {
                self.tell(rounds, &model);
            }
        }
        for instance in &recipe.instances {
            if self.compiled.value(instance.condition, &model) != Some(Value::Bool(true)) {
                continue;
            }
            let fired = self.fire(instance, &model, is_certain).is_some();
            if fired && instance.is_root {
                return true;
            }
        }
        recipe.instances.is_empty()
    }

    /// Derives what rounds of a loop conclude, if they are found and nobody has derived it.
    fn tell(&mut self, rounds: &Rounds, model: &Model) -> Option<()> {
        let (of, closure) = &*rounds.of;
        let store = self.store;
        let from = self.compiled.values(&rounds.from, model)?;
        let to = self.compiled.values(&rounds.to, model)?;
        let Value::Int(number) = self.compiled.value(rounds.number, model)? else { return None };
        let (start, end) = ((of.pred, self.key(of.pred, &from)), (of.pred, self.key(of.pred, &to)));
        let premise = self.facts.get(&start)?.0;
        if self.facts.contains_key(&end) {
            return None;
        }
        let mut scratch = store.clone();
        let mut way = Way { store: &mut scratch, of, closure };
        way.append(&from, &to, &number, &[premise], &mut self.steps, self.ctx).ok()?;
        self.insert(of.pred, to, self.steps.len() - 1);
        Some(())
    }

    /// Derives what an instance concludes, if its body holds.
    fn fire(&mut self, instance: &Instance, outer: &Model, is_certain: bool) -> Option<()> {
        let clause = &self.before.clauses[instance.clause];
        let mut model = Model::new();
        for (at, &var) in clause.vars.iter().enumerate() {
            let value = match &instance.values {
                Values::Same => outer.vars.get(&var).cloned(),
                Values::Terms(terms) => Some(self.compiled.value(terms[at], outer)?),
                Values::Parts(all) => {
                    let (layout, parts) = &all[at];
                    let values = parts.iter().map(|part| outer.vars.get(part).cloned());
                    let values: Vec<Value> = values.collect::<Option<_>>()?;
                    Some(value_of_parts(self.store, layout, &values)?)
                }
            };
            if let Some(value) = value {
                model.set(var, value);
            }
        }
        let body = self.body(clause.body);
        self.set_defaults(clause, &mut model, |var| !body.read.contains(&var))?;
        let premises = self.premises(clause.body, &body, &mut model, is_certain)?;
        self.set_defaults(clause, &mut model, |_| true)?;
        let args = self.compiled.values(head_args(clause), &model)?;
        let position = self.steps.len();
        match clause.head {
            Head::False => self.is_done = true,
            Head::Atom(pred, _) => {
                let key = (pred, self.key(pred, &args));
                if self.facts.contains_key(&key) {
                    return Some(());
                }
                self.facts.insert(key, (position, args));
            }
        }
        let values = clause.vars.iter().map(|var| model.vars[var].clone()).collect();
        self.steps.push(Step::new(ClauseId(instance.clause as u32), values, premises));
        Some(())
    }

    /// The arguments of what a step of the system before concludes.
    pub(super) fn arguments(&self, step: &Step) -> Option<Vec<Value>> {
        let clause = &self.before.clauses[step.clause.index()];
        let mut model = Model::new();
        for (&var, value) in clause.vars.iter().zip(&step.values) {
            model.set(var, value.clone());
        }
        self.compiled.values(head_args(clause), &model)
    }

    /// Remembers that a step concludes a fact.
    pub(super) fn insert(&mut self, pred: PredId, args: Vec<Value>, position: usize) {
        let key = (pred, self.key(pred, &args));
        self.facts.entry(key).or_insert((position, args));
    }

    fn body(&mut self, body: TermId) -> Rc<Body> {
        if let Some(known) = self.bodies.get(&body) {
            return Rc::clone(known);
        }
        let made = Rc::new(Body {
            parts: self.before.parts(self.store, body),
            on_top: conjuncts(self.store, body).into_iter().collect(),
            read: self.read_off(body),
        });
        self.bodies.insert(body, Rc::clone(&made));
        made
    }

    fn read_off(&self, body: TermId) -> FxHashSet<TermId> {
        let mut found = FxHashSet::default();
        if self.change.keys.iter().all(Option::is_none) {
            return found;
        }
        for atom in self.before.atoms(self.store, body) {
            let pred = self.before.atom(self.store, atom);
            let Some(kept) = pred.and_then(|pred| self.change.keys[pred.index()].as_ref()) else {
                continue;
            };
            let args = self.store.args(atom).iter().enumerate();
            found.extend(args.filter(|(at, _)| !kept.contains(at)).map(|(_, &arg)| arg));
        }
        found
    }

    /// Gives variables without values that may have any value one.
    fn set_defaults(
        &self,
        clause: &Clause,
        model: &mut Model,
        may: impl Fn(TermId) -> bool,
    ) -> Option<()> {
        for &var in &clause.vars {
            if !model.vars.contains_key(&var) && may(var) {
                model.set(var, Value::default_of(self.store, self.store.sort(var))?);
            }
        }
        Some(())
    }

    fn key(&self, pred: PredId, args: &[Value]) -> Vec<Value> {
        match &self.change.keys[pred.index()] {
            None => args.to_vec(),
            Some(kept) => kept.iter().map(|&at| args[at].clone()).collect(),
        }
    }

    /// The steps whose facts make a body true; variables without values get those of the facts.
    /// Constraints on the top level are taken to hold if the instance is the only one.
    fn premises(
        &self,
        body: TermId,
        known: &Body,
        model: &mut Model,
        is_certain: bool,
    ) -> Option<Vec<usize>> {
        if is_certain && self.before.is_constraint(self.store, body) {
            return Some(Vec::new());
        }
        let mut truths: FxHashMap<TermId, Truth> = FxHashMap::default();
        let nothing = FxHashSet::default();
        let on_top = if is_certain { &known.on_top } else { &nothing };
        for &part in &known.parts {
            let truth = self.truth(part, model, &truths, on_top);
            truths.insert(part, truth);
        }
        let (mut premises, mut stack) = (Vec::new(), vec![body]);
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        while let Some(part) = stack.pop() {
            match &truths[&part] {
                _ if !seen.insert(part) => {}
                Truth::None => return None,
                Truth::Plain => {}
                Truth::By(arg) => stack.push(*arg),
                Truth::All => stack.extend(self.store.args(part).iter().rev()),
                Truth::Fact(step, values) => {
                    if !premises.contains(step) {
                        premises.push(*step);
                    }
                    for (var, value) in values {
                        model.set(*var, value.clone());
                    }
                }
            }
        }
        Some(premises)
    }

    fn truth(
        &self,
        part: TermId,
        model: &Model,
        truths: &FxHashMap<TermId, Truth>,
        on_top: &FxHashSet<TermId>,
    ) -> Truth {
        let holds = |arg: &&TermId| !matches!(truths[*arg], Truth::None);
        let args = self.store.args(part);
        if let Some(pred) = self.before.atom(self.store, part) {
            self.look_up(pred, args, model)
        } else if self.before.is_inner(self.store, part) {
            if self.store.op(part) == Op::And {
                if args.iter().all(|arg| holds(&arg)) { Truth::All } else { Truth::None }
            } else {
                args.iter().find(holds).map_or(Truth::None, |&arg| Truth::By(arg))
            }
        } else if on_top.contains(&part)
            || self.compiled.value(part, model) == Some(Value::Bool(true))
        {
            Truth::Plain
        } else {
            Truth::None
        }
    }

    /// The fact that makes an atom true.
    fn look_up(&self, pred: PredId, args: &[TermId], model: &Model) -> Truth {
        let key: Option<Vec<Value>> = match &self.change.keys[pred.index()] {
            None => self.compiled.values(args, model),
            Some(kept) => kept.iter().map(|&at| self.compiled.value(args[at], model)).collect(),
        };
        let Some((step, fact)) = key.and_then(|key| self.facts.get(&(pred, key))) else {
            return Truth::None;
        };
        let mut read: Vec<(TermId, Value)> = Vec::new();
        for (&arg, value) in args.iter().zip(fact) {
            match self.store.op(arg) {
                Op::Var(_) if !model.vars.contains_key(&arg) => read.push((arg, value.clone())),
                _ => {}
            }
        }
        Truth::Fact(*step, read)
    }
}
