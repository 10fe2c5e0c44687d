//! One abstract fact for each relation symbol: Houdini with refinement.
//!
//! All symbols are false at first. A rule that concludes more than its head's symbol says makes that weaker:
//! what does not follow is dropped. Each such step is remembered with what the symbols of its atoms said
//! then, so that when a query can be followed, there are derivations to look at: a *version* of a symbol is
//! derived by the steps up to it. If these are no derivations, their disjunctive interpolants are new
//! predicates, and all symbols are false again.
//!
//! Invariant: the sources of a step are versions that are older than the one that it makes.
//!
//! After Hojjat's thesis (EPFL 2013), figure 5.9.

use super::clauses::Premise;
use super::domain::Domain;
use super::graph::{NodeId, Way};
use super::predicates::{PredicateId, Predicates};
use super::refine::{Refine, Refined};
use super::unfolding::Abstraction;
use crate::la::system::Pred;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::{Finding, Horn};
use alphorn_term::TermId;
use std::collections::BTreeSet;

/// What a symbol said at a time.
struct Version {
    pred: Pred,
    label: Vec<PredicateId>,
    /// The step that made it.
    way: Way,
    /// What the symbol said before.
    before: Option<NodeId>,
}

/// All symbols at all times.
pub(super) struct Versions {
    all: Vec<Version>,
    /// What each symbol says; none is false.
    latest: Vec<Option<NodeId>>,
}

/// Looks for an inductive conjunction of predicates for each symbol until there is an answer.
pub(super) fn run(
    mut domain: Domain<'_>,
    refinement: &mut dyn Refine,
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Horn>, Stop> {
    loop {
        let versions = fixpoint(&mut domain, ctx)?;
        let Some(query) = failing_query(&mut domain, &versions, ctx)? else {
            let labels = versions.labels();
            domain.tell(labels.len(), ctx);
            return domain.answer(&labels, ctx);
        };
        domain.rounds += 1;
        let Domain { horn, store, system, predicates, .. } = &mut domain;
        let seen = Seen { versions: &versions, predicates, query };
        let mut formulas = match refinement.refine((horn, system), store, &seen, ctx)? {
            Refined::Derived(derivation) => {
                domain.tell(versions.all.len(), ctx);
                return Ok(Finding::Fails(derivation));
            }
            Refined::Predicates(formulas) => formulas,
        };
        formulas.extend(domain.news(ctx).formulas);
        if domain.add(formulas).is_none() {
            let text = "an abstract derivation is none, but no predicate is known that excludes it";
            return Err(Stop::Stuck(text.to_owned()));
        }
        ctx.emit(Event::Lemmas { count: domain.predicates.count() as u64 });
    }
}

/// Makes symbols weaker until all rules but queries hold.
pub(super) fn fixpoint(domain: &mut Domain<'_>, ctx: &mut Ctx<'_>) -> Result<Versions, Stop> {
    let count = domain.system.params.len();
    let mut versions = Versions { all: Vec::new(), latest: vec![None; count] };
    let mut waiting: BTreeSet<usize> = (0..domain.system.rules.len()).collect();
    while let Some(rule) = waiting.pop_first() {
        let Some(pred) = domain.head(rule) else { continue };
        let Some(way) = versions.way(domain, rule) else { continue };
        let candidates = match versions.latest[pred] {
            Some(id) => versions.all[id].label.clone(),
            None => domain.predicates.of(pred).to_vec(),
        };
        let before = versions.latest[pred];
        let premises = versions.premises(&way);
        let Some(label) = domain.consequences(rule, &premises, &candidates, ctx)? else { continue };
        if before.is_none() || label.len() < candidates.len() {
            versions.latest[pred] = Some(versions.all.len());
            versions.all.push(Version { pred, label, way, before });
            waiting.extend(&domain.system.users_of[pred]);
        }
    }
    Ok(versions)
}

/// A query that does not hold.
fn failing_query(
    domain: &mut Domain<'_>,
    versions: &Versions,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Way>, Stop> {
    for query in domain.system.queries.clone() {
        if let Some(way) = versions.way(domain, query)
            && !domain.follows(query, &versions.premises(&way), None, ctx)?
        {
            return Ok(Some(way));
        }
    }
    Ok(None)
}

impl Versions {
    /// What the symbols say that are not false.
    pub(super) fn labels(&self) -> Vec<(Pred, &[PredicateId])> {
        let latest = self.latest.iter().flatten().map(|&id| &self.all[id]);
        latest.map(|version| (version.pred, &version.label[..])).collect()
    }

    /// A rule with what the symbols of its atoms say; none if one is false.
    fn way(&self, domain: &Domain<'_>, rule: usize) -> Option<Way> {
        let atoms = &domain.system.rules[rule].atoms;
        let sources: Option<Vec<NodeId>> =
            atoms.iter().map(|atom| self.latest[atom.pred]).collect();
        Some(Way { rule, sources: sources? })
    }

    fn premises(&self, way: &Way) -> Vec<Premise> {
        let mut premises = Vec::new();
        for (atom, &source) in way.sources.iter().enumerate() {
            premises.extend(self.all[source].label.iter().map(|&id| (atom, id)));
        }
        premises
    }
}

/// What the refinement sees.
struct Seen<'a> {
    versions: &'a Versions,
    predicates: &'a Predicates,
    query: Way,
}

impl Abstraction for Seen<'_> {
    fn ways(&self, node: Option<NodeId>, _height: u32) -> Vec<Way> {
        let mut ways = Vec::new();
        match node {
            None => ways.push(self.query.clone()),
            Some(node) => {
                let mut next = Some(node);
                while let Some(id) = next {
                    let version = &self.versions.all[id];
                    ways.push(version.way.clone());
                    next = version.before;
                }
            }
        }
        ways
    }

    fn height(&self) -> u32 {
        self.versions.all.len() as u32
    }

    fn pred(&self, node: NodeId) -> Pred {
        self.versions.all[node].pred
    }

    fn label(&self, node: NodeId) -> Vec<TermId> {
        self.predicates.formulas(&self.versions.all[node].label)
    }
}
