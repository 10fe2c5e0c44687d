//! Questions about single rules: is a body possible with abstract facts, and which predicates follow.
//!
//! Each rule has a solver with its body; predicates on the arguments of its atoms and of its head are
//! assumptions. Answers are remembered so that most questions need no solver: a consequence with the premises
//! it needed (a *core*) holds for all premises among which these are; and values that make a body true show,
//! for all premises that are true of them, what does not follow.

use super::predicates::{PredicateId, Predicates};
use crate::la::system::{Rule, System};
use crate::settings::{CEGAR_CONFLICTS, CEGAR_MAX_KEPT, CEGAR_MAX_QUESTIONS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, Substitution, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};

/// A predicate said of a rule's atom.
pub(super) type Premise = (usize, PredicateId);

/// A relation symbol on the arguments of a rule's atom or head.
struct Application {
    map: Substitution,
    known: FxHashMap<TermId, TermId>,
}

impl Application {
    fn new(params: &[TermId], args: &[TermId]) -> Application {
        let map = params.iter().copied().zip(args.iter().copied()).collect();
        Application { map, known: FxHashMap::default() }
    }

    /// A formula over the parameters on the arguments.
    fn on(&mut self, store: &mut Store, formula: TermId) -> TermId {
        *self.known.entry(formula).or_insert_with(|| store.substitute(formula, &self.map))
    }
}

/// Values for which a body is true.
struct Instance {
    model: Model,
    /// What formulas are for them, as far as that was asked.
    known: FxHashMap<TermId, Option<bool>>,
}

impl Instance {
    fn value(&mut self, store: &Store, formula: TermId) -> Option<bool> {
        let model = &self.model;
        *self
            .known
            .entry(formula)
            .or_insert_with(|| eval(store, formula, model).ok().and_then(|value| value.as_bool()))
    }
}

/// What is known of a rule.
struct RuleSolver {
    smt: Smt,
    questions: usize,
    head: Application,
    atoms: Vec<Application>,
    /// By conclusion, sets of premises that it follows from; none is a contradiction.
    cores: FxHashMap<Option<PredicateId>, Vec<Vec<Premise>>>,
    instances: Vec<Instance>,
    /// The place of the instance that is replaced next.
    oldest: usize,
}

/// What is known of all rules.
pub(super) struct Clauses {
    rules: Vec<RuleSolver>,
    /// Questions that the solver was asked.
    pub(super) asked: u64,
    /// Questions that were answered from memory.
    pub(super) remembered: u64,
}

impl Clauses {
    /// The solvers of a system's rules.
    pub(super) fn new(system: &System) -> Clauses {
        let solver = |rule: &Rule| RuleSolver {
            smt: Smt::new(Options::default()),
            questions: 0,
            head: match &rule.head {
                Some((pred, args)) => Application::new(&system.params[*pred], args),
                None => Application::new(&[], &[]),
            },
            atoms: rule
                .atoms
                .iter()
                .map(|atom| Application::new(&system.params[atom.pred], &atom.args))
                .collect(),
            cores: FxHashMap::default(),
            instances: Vec::new(),
            oldest: 0,
        };
        Clauses { rules: system.rules.iter().map(solver).collect(), asked: 0, remembered: 0 }
    }

    /// Whether a predicate of the head, or a contradiction, follows from a rule's body with premises; not if
    /// that is too hard to tell.
    pub(super) fn follows(
        &mut self,
        (store, system): (&mut Store, &System),
        predicates: &mut Predicates,
        (rule, premises): (usize, &[Premise]),
        conclusion: Option<PredicateId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        ctx.tick(1)?;
        let solver = &mut self.rules[rule];
        if let Some(core) = solver.core(premises, conclusion) {
            self.remembered += 1;
            core.iter().for_each(|&(_, id)| predicates.note(id));
            return Ok(true);
        }
        let mut assumptions = Vec::with_capacity(premises.len() + 1);
        for &(atom, id) in premises {
            let formula = predicates.at(id).formula;
            assumptions.push(solver.atoms[atom].on(store, formula));
        }
        let conclusion_there =
            conclusion.map(|id| solver.head.on(store, predicates.at(id).formula));
        if solver.is_refuted(store, &assumptions, conclusion_there) {
            self.remembered += 1;
            return Ok(false);
        }
        self.asked += 1;
        if solver.questions == 0 || solver.questions > CEGAR_MAX_QUESTIONS.size() {
            solver.smt = Smt::new(Options::default());
            solver.smt.assert(store, system.rules[rule].body);
            solver.questions = 0;
        }
        solver.questions += 1;
        let premises_there = assumptions.clone();
        assumptions.extend(conclusion_there.map(|formula| store.not(formula)));
        let conflicts = CEGAR_CONFLICTS.get();
        match ask_within(&mut solver.smt, store, &assumptions, conflicts, ctx)? {
            Answer::Unknown => Ok(false),
            Answer::Sat => {
                let model = solver.smt.model_of(store, &system.rules[rule].vars);
                solver.keep(store, &system.rules[rule], model);
                Ok(false)
            }
            Answer::Unsat => {
                let failed: FxHashSet<TermId> = solver.smt.failed().into_iter().collect();
                let mut core: Vec<Premise> = Vec::new();
                for (&premise, there) in premises.iter().zip(&premises_there) {
                    if failed.contains(there) {
                        core.push(premise);
                        predicates.note(premise.1);
                    }
                }
                solver.cores.entry(conclusion).or_default().push(core);
                Ok(true)
            }
        }
    }
}

impl RuleSolver {
    /// A known core among premises, which are in order.
    fn core(&self, premises: &[Premise], conclusion: Option<PredicateId>) -> Option<&[Premise]> {
        let is_part = |core: &&Vec<Premise>| core.iter().all(|it| premises.contains(it));
        self.cores.get(&conclusion)?.iter().find(is_part).map(Vec::as_slice)
    }

    /// Whether there are values that make the assumptions true and the conclusion false.
    fn is_refuted(
        &mut self,
        store: &Store,
        assumptions: &[TermId],
        conclusion: Option<TermId>,
    ) -> bool {
        self.instances.iter_mut().any(|instance| {
            conclusion.is_none_or(|formula| instance.value(store, formula) == Some(false))
                && assumptions.iter().all(|&it| instance.value(store, it) == Some(true))
        })
    }

    /// Remembers values that make the body true.
    fn keep(&mut self, store: &Store, rule: &Rule, mut model: Model) {
        for &var in &rule.vars {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(store, store.sort(var))
            {
                model.set(var, value);
            }
        }
        if eval(store, rule.body, &model) != Ok(Value::Bool(true)) {
            return;
        }
        let instance = Instance { model, known: FxHashMap::default() };
        if self.instances.len() < CEGAR_MAX_KEPT.size() {
            self.instances.push(instance);
        } else if !self.instances.is_empty() {
            let place = self.oldest % self.instances.len();
            self.instances[place] = instance;
            self.oldest += 1;
        }
    }
}
