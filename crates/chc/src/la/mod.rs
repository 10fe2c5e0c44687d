//! Lazy annotation: Horn clauses solved up to a bound, by a search that learns.
//!
//! A system without recursion, or one that is unwound so many times, has finitely many shapes of
//! derivations. The search resolves a query backwards, rule by rule, and decides how each rule is
//! satisfied. A conflict annotates an instance of a predicate with an interpolant, which holds of all
//! of its facts and keeps the search from going there again, as learned clauses do in a solver for
//! propositional logic. When the annotations exclude all queries, they are a model of the bounded
//! system.
//!
//! - `mark`: the improvements as switches, and the presets
//! - `system`, `position`: clauses as rules, and rules with variables of their own
//! - `annotation`, `goal`, `bounded`: the state
//! - `search`: the search; `learn`: interpolants and their generalization; `propagate`
//! - `templates`, `increments`: what interpolants should be about
//! - `locality`: constraints that are left out until they are needed
//! - `whole`: the whole tree in one proof instead of a search
//! - `layers`: the bounded unwinding of the engine `la`
//! - `converge`: a model of the whole system from the annotations of all layers
//!
//! After McMillan, "Lazy Annotation Revisited" (CAV 2014), and "Lazy annotation for program testing and
//! verification" (CAV 2010) for how a model is found in annotations.

pub(crate) mod annotation;
pub(crate) mod bounded;
mod converge;
mod derivation;
pub(crate) mod goal;
pub(crate) mod increments;
pub(crate) mod interpolants;
mod layers;
mod learn;
mod locality;
pub mod mark;
pub(crate) mod position;
mod propagate;
mod search;
pub(crate) mod system;
mod templates;
mod whole;

use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_term::TermId;
use bounded::{Bounded, Outcome};
use layers::Layers;
use mark::Mark;

/// What can be chosen about the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which improvements are on.
    pub mark: Mark,
    /// How often recursions are unwound at most; without a bound, as long as there is time.
    pub bound: Option<u64>,
}

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "la",
    about: "searches derivations up to a bound, and annotates by interpolation [McM14]",
    proves: true,
    refutes: true,
    build: || of(Mark::Final),
};

/// Mark I.
pub const MARK1: Card<Horn> =
    Card::decider("la-mark1", "lazy annotation without improvements", || of(Mark::One));
/// Mark II.
pub const MARK2: Card<Horn> =
    Card::decider("la-mark2", "la-mark1 that decides minterms as well", || of(Mark::Two));
/// Mark III.
pub const MARK3: Card<Horn> =
    Card::decider("la-mark3", "la-mark2 that generalizes interpolants as well", || of(Mark::Three));
/// Mark IV.
pub const MARK4: Card<Horn> =
    Card::decider("la-mark4", "la-mark3 that scores rules as well", || of(Mark::Four));
/// Mark V.
pub const MARK5: Card<Horn> =
    Card::decider("la-mark5", "la-mark4 that jumps back as well", || of(Mark::Five));
/// Mark VI, the last of the paper.
pub const MARK6: Card<Horn> =
    Card::decider("la-mark6", "la-mark5 that propagates eagerly as well", || of(Mark::Six));
/// Mark VII.
pub const MARK7: Card<Horn> =
    Card::decider("la-mark7", "la-mark6 that decides implicants, not minterms", || of(Mark::Seven));

fn of(mark: Mark) -> Box<dyn Engine<Horn>> {
    Box::new(LazyAnnotation { options: Options { mark, bound: None } })
}

/// Lazy annotation of bounded unwindings.
pub struct LazyAnnotation {
    /// The preset, and how far to unwind.
    pub options: Options,
}

impl Engine<Horn> for LazyAnnotation {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        alphorn_horn::fragment::separable(horn)?;
        let mut bounded = Bounded::new(horn, self.options.mark.switches())?;
        let mut layers = Layers::new(&bounded);
        for depth in 0.. {
            layers.add(&mut bounded);
            for query in bounded.system.queries.clone() {
                if let Some(finding) = derive(&mut bounded, &layers, query, ctx)? {
                    return Ok(finding);
                }
            }
            tell(&bounded, ctx);
            ctx.cleared(depth)?;
            if layers.is_complete() {
                let definitions = annotations(&mut bounded, &layers);
                return Ok(Finding::Holds(HornClaim::of(bounded.store, definitions)));
            }
            if let Some(definitions) = bounded.converge(ctx)? {
                return Ok(Finding::Holds(HornClaim::of(bounded.store, definitions)));
            }
            if self.options.bound.is_some_and(|bound| depth >= bound) {
                break;
            }
        }
        Err(Stop::Stuck("no query can be derived up to the bound".to_owned()))
    }

    fn searches_by_depth(&self) -> bool {
        true
    }
}

/// Derives a query at the last layer, or makes annotations exclude it.
fn derive(
    bounded: &mut Bounded<'_>,
    layers: &Layers,
    query: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let Some(way) = layers.way(bounded, query) else { return Ok(None) };
    let Bounded { positions, store, system, .. } = bounded;
    let root = positions.of_query(store, system, query);
    let goal = bounded.begin(root, &way.children);
    match bounded.search(goal, u64::MAX, ctx)? {
        Outcome::Derived(derivation) => Ok(Some(Finding::Fails(derivation))),
        Outcome::Refuted => Ok(None),
        Outcome::Open => {
            Err(Stop::Stuck("a query could be neither derived nor excluded at a bound".to_owned()))
        }
    }
}

/// What is known at the last layer.
fn annotations(bounded: &mut Bounded<'_>, layers: &Layers) -> Vec<Definition> {
    let mut definitions = Vec::with_capacity(bounded.system.params.len());
    for pred in 0..bounded.system.params.len() {
        let node = layers.nodes.last().and_then(|layer| layer[pred]);
        let body = match node {
            Some(node) => bounded.store.and(&bounded.nodes[node].lemmas),
            None if bounded.system.relevant[pred] => TermId::FALSE,
            None => TermId::TRUE,
        };
        definitions.push(Definition { params: bounded.system.params[pred].clone(), body });
    }
    definitions
}

/// Says how far the search is.
fn tell(bounded: &Bounded<'_>, ctx: &mut Ctx<'_>) {
    let (instances, counts) = (bounded.nodes.len(), &bounded.counts);
    ctx.emit(Event::Remark(format!("{instances} instances, {counts}")));
}
