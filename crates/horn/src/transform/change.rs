//! What a transform returns: the changed system, and what its way back needs.
//!
//! For derivations every changed clause has a *recipe*: instances of clauses of the system before,
//! with terms over the changed clause's variables for their variables. Instances are tried in order;
//! what fires is derived, and an instance marked as a root concludes what the changed clause does.
//! So one form covers renaming, elimination of variables, inlining (instances of the inlined clauses
//! come before the root) and merging (several roots, of which one fires).
//!
//! For models every predicate of the system before has a *meaning*: cases over its parameters, each
//! a condition and possibly a predicate of the changed system on some terms.

use super::layout::{Columns, VarParts};
use super::system::System;
use crate::accel::{Closure, Loop};
use alphorn_engine::Stop;
use alphorn_problem::horn::{Clause, Pred, PredId};
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Instances of clauses that together do what a changed clause does.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// Rounds of loops, whose facts the instances may need, in the order in which they are told.
    pub rounds: Vec<Rounds>,
    /// The instances, in the order in which they are tried.
    pub instances: Vec<Instance>,
    /// Whether the steps of the changed clause come in the opposite order, after all other steps.
    pub is_reversed: bool,
}

/// An instance of a clause.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The clause's position in the system before.
    pub clause: usize,
    /// What the clause's variables are.
    pub values: Values,
    /// Whether it concludes what the changed clause does.
    pub is_root: bool,
    /// A formula over the changed clause's variables without which it is not tried.
    pub condition: TermId,
}

impl Instance {
    /// The instance that concludes what the changed clause does.
    pub fn root(clause: usize, values: Values) -> Instance {
        Instance { clause, values, is_root: true, condition: TermId::TRUE }
    }

    /// An instance that concludes what the root may need.
    pub fn before_root(clause: usize, values: Values) -> Instance {
        Instance { clause, values, is_root: false, condition: TermId::TRUE }
    }
}

/// What the variables of a clause are in an instance.
#[derive(Clone, Debug)]
pub enum Values {
    /// Variables of the changed clause of the same name; those that it does not have are found in
    /// the facts that the body uses, or may be anything.
    Same,
    /// Terms over the variables of the changed clause, by position.
    Terms(Vec<TermId>),
    /// Values with parts that are variables of the changed clause, by position.
    Parts(Vec<VarParts>),
}

impl Recipe {
    /// The clause at this position, whose variables that are left have kept their names.
    pub fn same(clause: usize) -> Recipe {
        Recipe::of(vec![Instance::root(clause, Values::Same)])
    }

    /// The clause at this position, with terms for its variables.
    pub fn terms(clause: usize, terms: Vec<TermId>) -> Recipe {
        Recipe::of(vec![Instance::root(clause, Values::Terms(terms))])
    }

    /// The clauses before of which it is made.
    pub fn clauses(&self) -> impl Iterator<Item = usize> {
        let links = self.rounds.iter().flat_map(|rounds| &rounds.of.0.links);
        let instances = self.instances.iter().map(|instance| instance.clause);
        links.map(|link| link.clause.index()).chain(instances)
    }

    /// These instances, in this order.
    pub fn of(instances: Vec<Instance>) -> Recipe {
        Recipe { instances, ..Recipe::default() }
    }
}

/// Rounds of a loop of the system before, as one step of the changed system does them.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The loop and a closure of it that is exact.
    pub of: Arc<(Loop, Closure)>,
    /// The state before, as terms over the changed clause's variables.
    pub from: Vec<TermId>,
    /// The state after.
    pub to: Vec<TermId>,
    /// How many rounds.
    pub number: TermId,
    /// A formula over the changed clause's variables without which they are not told.
    pub condition: TermId,
}

/// What any number of rounds of a predicate's loops does, which a transform took away.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Variables for the state before.
    pub before: Vec<TermId>,
    /// Variables for the state after.
    pub after: Vec<TermId>,
    /// Formulas over these and variables of their own; one of them holds, or nothing was done.
    pub ways: Vec<TermId>,
}

/// What a predicate of the system before means: one of the cases holds.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// Variables that stand for the arguments of the predicate before.
    pub params: Vec<TermId>,
    /// What its facts are; it has none if there are no cases.
    pub cases: Vec<Case>,
}

/// A case of a meaning.
#[derive(Clone, Debug)]
pub struct Case {
    /// A formula over the parameters.
    pub condition: TermId,
    /// A predicate of the changed system, on terms over the parameters.
    pub part: Option<(PredId, Vec<TermId>)>,
    /// Whether the predicate must not hold.
    pub is_negated: bool,
}

impl Meaning {
    /// The predicate holds of everything, or of nothing.
    pub fn constant(system: &System, store: &mut Store, pred: PredId, value: bool) -> Meaning {
        let params = system.formal_params(store, pred);
        let case = Case::new(TermId::TRUE, None);
        Meaning { params, cases: if value { vec![case] } else { Vec::new() } }
    }

    /// The predicate means what another means on the same arguments.
    pub fn same(system: &System, store: &mut Store, pred: PredId, changed: PredId) -> Meaning {
        let params = system.formal_params(store, pred);
        let part = Some((changed, params.clone()));
        Meaning { params, cases: vec![Case::new(TermId::TRUE, part)] }
    }
}

impl Case {
    /// The case in which a formula over the parameters and a predicate hold.
    pub fn new(condition: TermId, part: Option<(PredId, Vec<TermId>)>) -> Case {
        Case { condition, part, is_negated: false }
    }
}

/// What came of a transform: none where there was nothing to do.
pub type Applied = Result<Option<Change>, Stop>;

/// What a transform did, as data: all that the way back needs.
pub struct Change {
    /// The system after the transform.
    pub system: System,
    /// A recipe for each changed clause.
    pub recipes: Vec<Recipe>,
    /// A meaning for each predicate of the system before; none where it must be solved for, from the
    /// clauses before and the meanings of the others.
    pub meanings: Vec<Option<Meaning>>,
    /// For each predicate of the system before, the arguments that tell its facts apart; none for
    /// all.
    pub keys: Vec<Option<Vec<usize>>>,
    /// The columns of arrays that meanings may mention.
    pub columns: Columns,
    /// For predicates whose loops were taken away, what these do: their facts are what is reached from those
    /// of the changed system.
    pub reaching: BTreeMap<PredId, Reaching>,
}

impl Change {
    /// A change of clauses only: predicates mean what they meant.
    pub fn of_clauses(
        system: &System,
        store: &mut Store,
        clauses: Vec<(Clause, Recipe)>,
    ) -> Change {
        let count = system.preds.len();
        let preds = (0..count as u32).map(PredId);
        let meanings = preds.map(|pred| Some(Meaning::same(system, store, pred, pred))).collect();
        Change::new(system.preds.clone(), clauses, meanings, vec![None; count])
    }

    /// A change in which facts are told apart by all of their arguments, unless `keys` says less.
    pub fn new(
        preds: Vec<Pred>,
        clauses: Vec<(Clause, Recipe)>,
        meanings: Vec<Option<Meaning>>,
        keys: Vec<Option<Vec<usize>>>,
    ) -> Change {
        let (clauses, recipes) = clauses.into_iter().unzip();
        let system = System::new(preds, clauses);
        let (columns, reaching) = (Columns::default(), BTreeMap::new());
        Change { system, recipes, meanings, keys, columns, reaching }
    }
}
