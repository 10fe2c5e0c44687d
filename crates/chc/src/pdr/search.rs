//! What the search knows, and one step of it: settle an obligation, or find what it needs.
//!
//! An obligation at level k is looked at rule by rule. If no rule concludes its cube from the lemmas
//! of level k - 1, the cube is excluded. If a rule concludes it from facts alone, the model of that,
//! projected to the head's parameters, is another fact. Otherwise there is a greatest number of
//! atoms that can be facts while the others are as the lemmas allow; the next atom, projected to its
//! parameters, is an obligation at level k - 1. If that is derived, more atoms can be facts; if it is
//! excluded, the model is. So each step makes progress, and projection has finitely many results.

use super::Settings;
use super::frames::{Frames, INFINITY, Lemma};
use super::guidance::Guidance;
use super::literal::{normal, split_equations};
use super::queue::{Obligation, Queue};
use super::rules::{Reading, Solvers, holds};
use super::system::{Pred, System, View};
use super::witness::Witnesses;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::readable::Names;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::PredId;
use alphorn_smt::project::{Cone, implicant, project};
use alphorn_term::{Model, Store, TermId, Value, eval};
use rustc_hash::FxHashMap;

/// A fact, by its position.
pub(super) type FactId = usize;

/// A cube all of which can be derived.
pub(super) struct Fact {
    /// The literals over the predicate's parameters.
    pub(super) cube: Vec<TermId>,
    /// Their conjunction.
    pub(super) formula: TermId,
    /// The rule that concludes it.
    pub(super) rule: usize,
    /// The facts for the atoms that the rule uses.
    pub(super) premises: Vec<Option<FactId>>,
    /// A point of the cube.
    pub(super) point: Model,
}

/// What became of an obligation.
pub(super) enum Step {
    /// These literals of its cube cannot be derived together at its level.
    Excluded(Vec<TermId>),
    /// It meets a fact.
    Derived(FactId),
    /// It needs this first, at the level below.
    Needs(Pred, Vec<TermId>),
}

/// The state of the search.
pub(super) struct Search<'a> {
    pub(super) horn: &'a Horn,
    pub(super) store: Store,
    pub(super) system: System,
    pub(super) solvers: Solvers,
    pub(super) frames: Frames,
    pub(super) facts: Vec<Fact>,
    pub(super) facts_of: Vec<Vec<FactId>>,
    pub(super) queue: Queue,
    pub(super) guidance: Guidance,
    pub(super) cone: Cone,
    pub(super) settings: Settings,
    pub(super) witnesses: Witnesses,
    /// How many lemmas each literal is part of, or was.
    pub(super) activity: FxHashMap<TermId, u32>,
    /// The highest level.
    pub(super) top: usize,
    /// The rule that did not keep the lemma asked about last.
    pub(super) breaking: Option<usize>,
    /// Cubes that interpolation made weaker.
    pub(super) separated: u64,
    /// What the clauses call arguments.
    pub(super) names: Names<'a>,
}

impl Search<'_> {
    /// Whether a fact is known to meet a cube.
    pub(super) fn known_fact(&self, pred: Pred, cube: &[TermId]) -> Option<FactId> {
        let meets = |fact: &&FactId| {
            let point = &self.facts[**fact].point;
            cube.iter().all(|&literal| holds(&self.store, literal, point))
        };
        self.facts_of[pred].iter().find(meets).copied()
    }

    /// One step for an obligation.
    pub(super) fn expand(
        &mut self,
        obligation: &Obligation,
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        let Obligation { pred, level, cube, .. } = obligation;
        if let Some(fact) = self.known_fact(*pred, cube) {
            return Ok(Step::Derived(fact));
        }
        let literals = split_equations(&mut self.store, cube);
        let reading = Reading { level: level - 1, must: 0 };
        let mut core = Vec::new();
        for rule in self.system.rules_of[*pred].clone() {
            if self.excludes(rule, reading, &core, &[], ctx)?.is_some() {
                continue;
            }
            match self.excludes(rule, reading, &literals, &[], ctx)? {
                Some(needed) => {
                    core.extend(needed.iter().filter(|lit| !core.contains(lit)).collect::<Vec<_>>())
                }
                None => return self.descend(rule, *level, &literals, ctx),
            }
        }
        Ok(Step::Excluded(core))
    }

    /// Literals which a rule cannot conclude together under a reading and assumptions.
    pub(super) fn excludes(
        &mut self,
        rule: usize,
        reading: Reading,
        literals: &[TermId],
        assumed: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let on = &mut self.system.rules[rule].on;
        let mut instances = Vec::with_capacity(literals.len());
        for &literal in literals {
            instances.push(on.of(&mut self.store, literal));
        }
        if let Some(place) = instances.iter().position(|&instance| instance == TermId::FALSE) {
            return Ok(Some(vec![literals[place]]));
        }
        self.tidy(rule);
        let mut assumptions = assumed.to_vec();
        assumptions.extend(instances.iter().filter(|&&instance| instance != TermId::TRUE));
        if self.solvers.check(&mut self.store, ctx, (rule, Some(reading)), &assumptions)? {
            return Ok(None);
        }
        let failed = self.solvers.failed(rule);
        let is_needed = |(instance, _): &(TermId, TermId)| failed.contains(instance);
        let both = instances.into_iter().zip(literals.iter().copied());
        Ok(Some(both.filter(is_needed).map(|(_, literal)| literal).collect()))
    }

    /// Makes the solver of a rule anew if it is cluttered.
    fn tidy(&mut self, rule: usize) {
        if !self.settings.is_tidy || !self.solvers.is_cluttered(rule) {
            return;
        }
        let atoms = &self.system.rules[rule].atoms;
        let formulas =
            |pred: Pred| self.facts_of[pred].iter().map(|&fact| self.facts[fact].formula);
        let facts: Vec<Vec<TermId>> =
            atoms.iter().map(|atom| formulas(atom.pred).collect()).collect();
        let known = (&self.frames, &facts[..]);
        self.solvers.rebuild(&mut self.store, &mut self.system, rule, known);
    }

    /// A rule can conclude the literals as far as lemmas say: from facts, or from what else?
    fn descend(
        &mut self,
        rule: usize,
        level: usize,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        let mut model = self.solvers.model(&self.store, &self.system.rules[rule], rule);
        let count = self.system.rules[rule].atoms.len();
        let mut must = (0..count)
            .find(|&atom| self.solvers.lacks_facts(rule, &self.system, atom))
            .unwrap_or(count);
        while must > 0 {
            let reading = Reading { level: level - 1, must };
            if self.excludes(rule, reading, literals, &[], ctx)?.is_none() {
                model = self.solvers.model(&self.store, &self.system.rules[rule], rule);
                break;
            }
            must -= 1;
        }
        let mut formulas = Vec::new();
        let mut premises = vec![None; count];
        let target = (must < count).then_some(must);
        for (atom, premise) in premises.iter_mut().enumerate().take(must) {
            *premise = self.premise(rule, atom, &model)?;
        }
        for (atom, fact) in premises.iter().enumerate() {
            if let Some(fact) = fact {
                let cube = self.facts[*fact].formula;
                formulas.push(self.view_atom(rule, target, atom, cube));
            }
        }
        if let Some(target) = target {
            for &literal in literals {
                let view = &mut self.system.rules[rule].atom_views[target];
                formulas.push(view.head.of(&mut self.store, literal));
            }
            self.add_lemmas(rule, target, level - 1, &model, &mut formulas);
            let cube = self.project_to(rule, Some(target), formulas, model)?.0;
            return Ok(Step::Needs(self.system.rules[rule].atoms[target].pred, cube));
        }
        let (cube, point) = self.project_to(rule, None, formulas, model)?;
        Ok(Step::Derived(self.add_fact(rule, cube, premises, point)))
    }

    /// The fact that an atom is in a model, if it is used.
    fn premise(&mut self, rule: usize, atom: usize, model: &Model) -> Result<Option<FactId>, Stop> {
        let place = &mut self.system.rules[rule].atoms[atom];
        if !holds(&self.store, place.used, model) {
            return Ok(None);
        }
        for &fact in &self.facts_of[place.pred] {
            let instance = place.on.of(&mut self.store, self.facts[fact].formula);
            if holds(&self.store, instance, model) {
                return Ok(Some(fact));
            }
        }
        Err(Stop::Stuck("a model does not use the facts that it should".to_owned()))
    }

    /// The lemmas of a level for the used atoms after `target`, in its view.
    fn add_lemmas(
        &mut self,
        rule: usize,
        target: usize,
        level: usize,
        model: &Model,
        formulas: &mut Vec<TermId>,
    ) {
        for atom in target + 1..self.system.rules[rule].atoms.len() {
            let place = &self.system.rules[rule].atoms[atom];
            if !holds(&self.store, place.used, model) {
                continue;
            }
            let above = self.frames.of(place.pred).iter().filter(|lemma| lemma.level >= level);
            let lemmas: Vec<TermId> = above.map(|lemma| lemma.formula).collect();
            for lemma in lemmas {
                formulas.push(self.view_atom(rule, Some(target), atom, lemma));
            }
        }
    }

    fn view_mut(&mut self, rule: usize, target: Option<usize>) -> &mut View {
        let rule = &mut self.system.rules[rule];
        match target {
            Some(atom) => &mut rule.atom_views[atom],
            None => &mut rule.head_view,
        }
    }

    /// A formula over the parameters of an atom, in the view for a target.
    fn view_atom(
        &mut self,
        rule: usize,
        target: Option<usize>,
        atom: usize,
        formula: TermId,
    ) -> TermId {
        let rule = &mut self.system.rules[rule];
        let view = match target {
            Some(target) => &mut rule.atom_views[target],
            None => &mut rule.head_view,
        };
        view.atoms[atom].of(&mut self.store, formula)
    }

    /// Projects a rule's body and formulas to the parameters of a target; also the values of these.
    fn project_to(
        &mut self,
        rule: usize,
        target: Option<usize>,
        mut formulas: Vec<TermId>,
        mut model: Model,
    ) -> Result<(Vec<TermId>, Model), Stop> {
        let view = self.view_mut(rule, target);
        formulas.push(view.body);
        formulas.extend(&view.equations);
        let (params, eliminate) = (view.params.clone(), view.eliminate.clone());
        let mut point = Model::new();
        for (param, arg) in params {
            let value = self.value(arg, &model)?;
            model.set(param, value.clone());
            point.set(param, value);
        }
        let stuck = || Stop::Stuck("a model could not be projected".to_owned());
        // Whether an atom is used was decided with the premises, and is not free to be chosen again.
        let atoms = &self.system.rules[rule].atoms;
        let is_free = |var: &&TermId| atoms.iter().all(|atom| atom.used != **var);
        let free: Vec<TermId> = eliminate.iter().filter(is_free).copied().collect();
        let formulas = self.cone.of(&self.store, &formulas, &free);
        let literals = implicant(&mut self.store, &formulas, &model).ok_or_else(stuck)?;
        let projection =
            project(&mut self.store, &literals, &eliminate, &model).ok_or_else(stuck)?;
        let cube = projection.with_values(&mut self.store, &model).ok_or_else(stuck)?;
        Ok((normal(&mut self.store, &cube, &model), point))
    }

    /// The value of a term in a model.
    pub(super) fn value(&self, term: TermId, model: &Model) -> Result<Value, Stop> {
        eval(&self.store, term, model)
            .map_err(|error| Stop::Stuck(format!("a model has no values: {error}")))
    }

    fn add_fact(
        &mut self,
        rule: usize,
        cube: Vec<TermId>,
        premises: Vec<Option<FactId>>,
        point: Model,
    ) -> FactId {
        let pred = self.system.rules[rule].head;
        let formula = self.store.and(&cube);
        let id = self.facts.len();
        self.solvers.add_fact(&mut self.store, &mut self.system, pred, formula);
        self.facts.push(Fact { cube, formula, rule, premises, point });
        self.facts_of[pred].push(id);
        id
    }

    /// Adds a lemma, unless it says nothing.
    pub(super) fn add_lemma(
        &mut self,
        pred: Pred,
        cube: Vec<TermId>,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) {
        let cube = sorted(cube);
        let conjunction = self.store.and(&cube);
        let formula = self.store.not(conjunction);
        for &literal in &cube {
            self.frames.note(&self.store, literal);
            *self.activity.entry(literal).or_default() += 1;
        }
        if self.frames.add(pred, Lemma { cube, formula, level }) {
            self.solvers.add_lemma(&mut self.store, &mut self.system, (pred, formula, level));
            if level == INFINITY {
                self.publish(pred, formula, ctx);
            }
        }
    }

    /// Tells of a lemma that the rule found last does not keep.
    pub(super) fn tell_candidate(&mut self, pred: Pred, cube: &[TermId], ctx: &mut Ctx<'_>) {
        let Some(id) = self.horn.pred_ids().nth(pred) else { return };
        let conjunction = self.store.and(cube);
        let formula = self.store.not(conjunction);
        let predicate = self.horn.pred_name(id).to_owned();
        let formula = self.shown(id, formula);
        let rule = self.breaking.map(|rule| self.system.rules[rule].clause.index() as u64);
        ctx.emit(Event::Candidate { predicate, formula, clauses: rule.into_iter().collect() });
    }

    /// A formula over a predicate's parameters as text for people.
    pub(super) fn shown(&mut self, pred: PredId, formula: TermId) -> String {
        let params = self.system.params[pred.index()].clone();
        let definition = Definition { params, body: formula };
        let tidy = self.names.tidied(&mut self.store, pred, &definition);
        self.store.show_readable(tidy.body)
    }

    /// Says that nothing can be derived at level 0, and makes room above it.
    pub(super) fn begin(&mut self) {
        self.solvers.add_level(&mut self.store);
        for pred in 0..self.frames.preds() {
            let lemma = (pred, TermId::FALSE, 0);
            self.solvers.add_lemma(&mut self.store, &mut self.system, lemma);
        }
        self.solvers.add_level(&mut self.store);
    }

    /// Goes up a level; lemmas can be one level higher than that.
    pub(super) fn add_level(&mut self) {
        self.solvers.add_level(&mut self.store);
        self.top += 1;
        self.queue.raise(self.top);
    }
}

/// Literals in order, each once.
pub(super) fn sorted(mut literals: Vec<TermId>) -> Vec<TermId> {
    literals.sort_unstable();
    literals.dedup();
    literals
}
