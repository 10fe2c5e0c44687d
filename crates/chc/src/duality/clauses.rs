//! Questions about single clauses under the annotations.
//!
//! Each rule has a solver with its body, which is never rebuilt; lemmas on the arguments of atoms
//! and of the head are assumptions.

use super::unwinding::Unwinding;
use crate::la::annotation::{NodeId, Way};
use crate::la::bounded::Bounded;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Substitution, TermId, Value, eval};
use rustc_hash::FxHashMap;

/// A predicate on the arguments of a rule's atom or head.
struct Application {
    map: Substitution,
    known: FxHashMap<TermId, TermId>,
}

/// The solver of a rule.
struct RuleSolver {
    smt: Smt,
    head: Application,
    atoms: Vec<Application>,
}

/// The solvers of all rules.
pub(super) struct Clauses {
    rules: Vec<RuleSolver>,
}

impl Application {
    fn new(params: &[TermId], args: &[TermId]) -> Application {
        let map = params.iter().copied().zip(args.iter().copied()).collect();
        Application { map, known: FxHashMap::default() }
    }
}

impl Clauses {
    /// The solvers of a system's rules.
    pub(super) fn new(bounded: &mut Bounded<'_>) -> Clauses {
        let Bounded { system, store, .. } = bounded;
        let mut rules = Vec::with_capacity(system.rules.len());
        for rule in &system.rules {
            let mut smt = Smt::new(Options::default());
            smt.assert(store, rule.body);
            let head = match &rule.head {
                Some((pred, args)) => Application::new(&system.params[*pred], args),
                None => Application::new(&[], &[]),
            };
            let on = |atom: &crate::la::system::Atom| {
                Application::new(&system.params[atom.pred], &atom.args)
            };
            let atoms = rule.atoms.iter().map(on).collect();
            rules.push(RuleSolver { smt, head, atoms });
        }
        Clauses { rules }
    }
}

impl Unwinding<'_> {
    /// The annotation of an instance on the arguments of a rule's atom, or of its head.
    fn annotation_on(&mut self, rule: usize, atom: Option<usize>, node: NodeId) -> Vec<TermId> {
        let solver = &mut self.clauses.rules[rule];
        let on = match atom {
            Some(atom) => &mut solver.atoms[atom],
            None => &mut solver.head,
        };
        let store = &mut self.bounded.store;
        let lemmas = &self.bounded.nodes[node].lemmas;
        let mut result = Vec::with_capacity(lemmas.len());
        for &lemma in lemmas {
            let plain = *on.known.entry(lemma).or_insert_with(|| store.substitute(lemma, &on.map));
            result.push(plain);
        }
        result
    }

    /// What says that a rule concludes nothing that the uncovered instances of its head allow.
    fn outside_head(&mut self, rule: usize) -> Vec<TermId> {
        let Some((pred, _)) = self.bounded.system.rules[rule].head else { return Vec::new() };
        let mut parts = Vec::new();
        for node in self.uncovered_of(pred) {
            let annotation = self.annotation_on(rule, None, node);
            let annotation = self.bounded.store.and(&annotation);
            parts.push(self.bounded.store.not(annotation));
        }
        parts
    }

    /// The uncovered instances of a predicate.
    pub(super) fn uncovered_of(&self, pred: usize) -> Vec<NodeId> {
        let nodes = &self.bounded.nodes;
        (0..nodes.len()).filter(|&id| nodes[id].pred == pred && !self.is_covered[id]).collect()
    }

    /// Whether a candidate derives something that the uncovered instances of its head do not allow,
    /// as far as annotations tell.
    pub(super) fn leads_out(&mut self, way: &Way, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut assumptions = Vec::new();
        for (place, child) in way.children.iter().enumerate() {
            let used = self.bounded.system.rules[way.rule].atoms[place].used;
            match child {
                Some(child) => {
                    for lemma in self.annotation_on(way.rule, Some(place), *child) {
                        assumptions.push(self.bounded.store.implies(used, lemma));
                    }
                }
                None => assumptions.push(self.bounded.store.not(used)),
            }
        }
        assumptions.extend(self.outside_head(way.rule));
        let smt = &mut self.clauses.rules[way.rule].smt;
        Ok(ask(smt, &mut self.bounded.store, &assumptions, ctx)? != Answer::Unsat)
    }

    /// A clause that the uncovered instances do not satisfy, with instances that make it fail.
    pub(super) fn failing_clause(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Way>, Stop> {
        for rule in 0..self.bounded.system.rules.len() {
            let mut assumptions = self.outside_head(rule);
            let atoms: Vec<(usize, TermId)> =
                self.bounded.system.rules[rule].atoms.iter().map(|a| (a.pred, a.used)).collect();
            for (place, &(pred, used)) in atoms.iter().enumerate() {
                let mut alternatives = Vec::new();
                for node in self.uncovered_of(pred) {
                    let annotation = self.annotation_on(rule, Some(place), node);
                    alternatives.push(self.bounded.store.and(&annotation));
                }
                let some = self.bounded.store.or(&alternatives);
                assumptions.push(self.bounded.store.implies(used, some));
            }
            let smt = &mut self.clauses.rules[rule].smt;
            match ask(smt, &mut self.bounded.store, &assumptions, ctx)? {
                Answer::Unsat => {}
                Answer::Sat => {
                    let model = smt.model(&self.bounded.store);
                    return Ok(Some(self.instances_in(rule, &atoms, model)));
                }
                Answer::Unknown => {
                    let text = "whether the annotations satisfy a clause is too hard to tell";
                    return Err(Stop::Stuck(text.to_owned()));
                }
            }
        }
        Ok(None)
    }

    /// The instances that a model of a rule's body makes true, the latest that is for each atom.
    fn instances_in(&mut self, rule: usize, atoms: &[(usize, TermId)], mut model: Model) -> Way {
        let store = &self.bounded.store;
        for &var in &self.bounded.system.rules[rule].vars {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(store, store.sort(var))
            {
                model.set(var, value);
            }
        }
        let mut children = Vec::with_capacity(atoms.len());
        for (place, &(pred, used)) in atoms.iter().enumerate() {
            let is_used = eval(&self.bounded.store, used, &model) == Ok(Value::Bool(true));
            let candidates = if is_used { self.uncovered_of(pred) } else { Vec::new() };
            let found = candidates.into_iter().rev().find(|&node| {
                let annotation = self.annotation_on(rule, Some(place), node);
                let store = &self.bounded.store;
                annotation.iter().all(|&part| eval(store, part, &model) == Ok(Value::Bool(true)))
            });
            children.push(found);
        }
        Way { rule, children }
    }
}
