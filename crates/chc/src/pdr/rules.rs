//! One solver per rule, which is made anew when most of what it knows is of no use.
//!
//! The solver of a rule has the rule's body, and for each atom of the body what is known of its
//! predicate from both sides. Each atom is read in one of two ways (Komuravelli, Gurfinkel and
//! Chaki, CAV 2014): *may*, as the lemmas of a level allow, or *must*, as one of the facts found so
//! far. A Boolean variable per atom, assumed or denied, says which.
//!
//! A lemma of a level is guarded by the level's variable; levels imply the levels above, so that
//! one assumption switches on the lemmas that hold at a level. Facts are a chain of clauses that
//! grows at its end: "fact 1, or fact 2, or the rest", and a query denies the rest.

use super::frames::{Frames, INFINITY};
use super::system::{Pred, Rule, System};
use crate::settings::PDR_LEAST_GROWTH;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, TermId, Value, eval};

/// How one query reads the atoms of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    /// The level of the lemmas, which may be infinite.
    pub(super) level: usize,
    /// How many atoms, from the first on, are read as facts.
    pub(super) must: usize,
}

/// The facts that an atom may be.
struct Facts {
    /// Says that the atom is read as a fact.
    must: TermId,
    /// Says that it is a fact which is not in the chain.
    rest: TermId,
    count: usize,
}

/// The solver of a rule.
struct RuleSolver {
    smt: Smt,
    facts: Vec<Facts>,
    /// Its size when it was made.
    size: usize,
}

/// The solvers of all rules.
pub(super) struct Solvers {
    solvers: Vec<RuleSolver>,
    /// The variables that switch on the lemmas of each level.
    levels: Vec<TermId>,
    /// Solvers made anew.
    pub(super) rebuilt: u64,
    /// Questions asked.
    pub(super) questions: u64,
}

impl Solvers {
    /// The solvers of a system's rules, without levels.
    pub(super) fn new(system: &System, store: &mut Store) -> Solvers {
        let solvers = system.rules.iter().map(|rule| RuleSolver::new(store, rule)).collect();
        Solvers { solvers, levels: Vec::new(), rebuilt: 0, questions: 0 }
    }

    /// Adds a level above all others.
    pub(super) fn add_level(&mut self, store: &mut Store) {
        let level = store.fresh_var("level", SortId::BOOL);
        if let Some(&below) = self.levels.last() {
            let chain = store.implies(below, level);
            for solver in &mut self.solvers {
                solver.smt.assert(store, chain);
            }
        }
        self.levels.push(level);
    }

    /// Says that a formula over a predicate's parameters holds up to a level.
    pub(super) fn add_lemma(
        &mut self,
        store: &mut Store,
        system: &mut System,
        (pred, lemma, level): (Pred, TermId, usize),
    ) {
        for (rule, atom) in system.uses_of[pred].clone() {
            self.say_lemma(store, system, (rule, atom), (lemma, level));
        }
    }

    fn say_lemma(
        &mut self,
        store: &mut Store,
        system: &mut System,
        (rule, atom): (usize, usize),
        (lemma, level): (TermId, usize),
    ) {
        let off = match level {
            INFINITY => TermId::FALSE,
            _ => store.not(self.levels[level]),
        };
        let RuleSolver { smt, facts, .. } = &mut self.solvers[rule];
        let place = &mut system.rules[rule].atoms[atom];
        let unused = store.not(place.used);
        let lemma = place.on.of(store, lemma);
        let clause = store.or(&[off, facts[atom].must, unused, lemma]);
        smt.assert(store, clause);
    }

    /// Says that a cube over a predicate's parameters can be derived.
    pub(super) fn add_fact(
        &mut self,
        store: &mut Store,
        system: &mut System,
        pred: Pred,
        cube: TermId,
    ) {
        for (rule, atom) in system.uses_of[pred].clone() {
            self.say_fact(store, system, (rule, atom), cube);
        }
    }

    fn say_fact(
        &mut self,
        store: &mut Store,
        system: &mut System,
        (rule, atom): (usize, usize),
        cube: TermId,
    ) {
        let RuleSolver { smt, facts, .. } = &mut self.solvers[rule];
        let fact = system.rules[rule].atoms[atom].on.of(store, cube);
        let rest = store.fresh_var("fact", SortId::BOOL);
        let not_rest = store.not(facts[atom].rest);
        let clause = store.or(&[not_rest, fact, rest]);
        smt.assert(store, clause);
        facts[atom].rest = rest;
        facts[atom].count += 1;
    }

    /// Whether a rule's atom that is always used has no facts.
    pub(super) fn lacks_facts(&self, rule: usize, system: &System, atom: usize) -> bool {
        let is_always_used = system.rules[rule].atoms[atom].used == TermId::TRUE;
        is_always_used && self.solvers[rule].facts[atom].count == 0
    }

    /// The assumptions of a reading.
    fn reading(&self, store: &mut Store, rule: usize, reading: Option<Reading>) -> Vec<TermId> {
        let mut assumptions = Vec::new();
        let facts = &self.solvers[rule].facts;
        let Some(Reading { level, must }) = reading else {
            assumptions.extend(facts.iter().map(|facts| store.not(facts.must)));
            assumptions.extend(self.levels.last().map(|&top| store.not(top)));
            return assumptions;
        };
        for (place, facts) in facts.iter().enumerate() {
            if place < must {
                assumptions.push(facts.must);
                assumptions.push(store.not(facts.rest));
            } else {
                assumptions.push(store.not(facts.must));
            }
        }
        if level == INFINITY {
            assumptions.extend(self.levels.last().map(|&top| store.not(top)));
        } else if must < facts.len() {
            assumptions.push(self.levels[level]);
            if level > 0 {
                assumptions.push(store.not(self.levels[level - 1]));
            }
        }
        assumptions
    }

    /// Whether a rule's body has an instance, read in a certain way, in which the assumptions hold.
    /// Without a reading, nothing is known of the atoms.
    pub(super) fn check(
        &mut self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
        (rule, reading): (usize, Option<Reading>),
        assumed: &[TermId],
    ) -> Result<bool, Stop> {
        let mut assumptions = self.reading(store, rule, reading);
        assumptions.extend(assumed);
        self.questions += 1;
        match ask(&mut self.solvers[rule].smt, store, &assumptions, ctx)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown => {
                let text = "a question about numbers is too hard, such as one about products";
                Err(Stop::Stuck(text.to_owned()))
            }
        }
    }

    /// Whether most of what a rule's solver knows is probably of no use: lemmas that others have
    /// replaced, and formulas of questions that were answered.
    pub(super) fn is_cluttered(&self, rule: usize) -> bool {
        let RuleSolver { smt, size, .. } = &self.solvers[rule];
        smt.size() > size + size / 2 + PDR_LEAST_GROWTH.size()
    }

    /// Makes the solver of a rule anew, with the lemmas and facts that there are.
    pub(super) fn rebuild(
        &mut self,
        store: &mut Store,
        system: &mut System,
        rule: usize,
        (frames, facts_of): (&Frames, &[Vec<TermId>]),
    ) {
        let preds: Vec<Pred> = system.rules[rule].atoms.iter().map(|atom| atom.pred).collect();
        let mut fresh = RuleSolver::new(store, &system.rules[rule]);
        for pair in self.levels.windows(2) {
            let chain = store.implies(pair[0], pair[1]);
            fresh.smt.assert(store, chain);
        }
        self.solvers[rule] = fresh;
        for (atom, &pred) in preds.iter().enumerate() {
            self.say_lemma(store, system, (rule, atom), (TermId::FALSE, 0));
            for lemma in frames.of(pred) {
                self.say_lemma(store, system, (rule, atom), (lemma.formula, lemma.level));
            }
            for &fact in &facts_of[atom] {
                self.say_fact(store, system, (rule, atom), fact);
            }
        }
        self.solvers[rule].size = self.solvers[rule].smt.size();
        self.rebuilt += 1;
    }

    /// The assumptions that the last question to a rule, which was answered no, needed.
    pub(super) fn failed(&self, rule: usize) -> Vec<TermId> {
        self.solvers[rule].smt.failed()
    }

    /// The last model of a rule, with values for all of its variables.
    pub(super) fn model(&self, store: &Store, rule: &Rule, number: usize) -> Model {
        let mut model = self.solvers[number].smt.model(store);
        for &var in &rule.vars {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(store, store.sort(var))
            {
                model.set(var, value);
            }
        }
        model
    }
}

impl RuleSolver {
    fn new(store: &mut Store, rule: &Rule) -> RuleSolver {
        let mut smt = Smt::new(Options::default());
        smt.assert(store, rule.body);
        let mut facts = Vec::with_capacity(rule.atoms.len());
        for atom in &rule.atoms {
            let must = store.fresh_var("must", SortId::BOOL);
            let rest = store.fresh_var("fact", SortId::BOOL);
            let (may, unused) = (store.not(must), store.not(atom.used));
            let clause = store.or(&[may, unused, rest]);
            smt.assert(store, clause);
            facts.push(Facts { must, rest, count: 0 });
        }
        RuleSolver { size: smt.size(), smt, facts }
    }
}

/// Whether a formula is true in a model.
pub(super) fn holds(store: &Store, formula: TermId, model: &Model) -> bool {
    eval(store, formula, model).is_ok_and(|value| value.as_bool() == Some(true))
}
