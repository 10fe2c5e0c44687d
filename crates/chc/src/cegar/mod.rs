//! Predicate abstraction for Horn clauses, refined by interpolants.
//!
//! Relation symbols have finitely many *predicates*. Abstract facts, each a symbol with those of its predicates
//! that hold, are derived by the clauses: of a clause's conclusion those predicates are kept that follow from
//! the facts of its atoms, each by itself (Cartesian abstraction). If a query is derived, its derivations are
//! looked at in the system; if they are none, interpolants say why, and are new predicates. If no query can
//! be derived, the disjunctions of the abstract facts are a model.
//!
//! - `search`: the loop; `graph`: abstract facts and edges; `queue`: what waits
//! - `global`: another loop, with one abstract fact for each symbol
//! - `domain`: what the loops have in common, and the model; `predicates`
//! - `clauses`: questions about single rules, and what is remembered of them; `rules`: rules with atoms
//!   under disjunctions, multiplied out
//! - `unfolding`: abstract derivations as formulas; `refine`: from these to predicates; `guide` and `templates`:
//!   in which terms; `accelerate` and `scheme`: for all rounds of a loop at once
//!
//! Predicates have no quantifiers; what holds of every element of an array is found by the same loop on a system about
//! cells (`cells-cegar` in `cells`).
//!
//! After Hojjat's thesis (EPFL 2013) and Rümmer, Hojjat, Kuncak, "Disjunctive Interpolants for Horn-Clause
//! Verification" (CAV 2013). Where we differ: derivations are unfolded only as far as models of them go;
//! edges that new predicates do not change stay; and consequences are remembered with what they need.

mod accelerate;
mod clauses;
mod domain;
mod global;
mod graph;
mod guide;
pub mod hints;
mod merged;
mod predicates;
mod queue;
mod refine;
mod rules;
mod scheme;
mod search;
mod templates;
mod unfolding;

use accelerate::Accelerating;
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use domain::Domain;
use queue::Order;
use refine::Interpolating;
use search::Search;
use templates::Templates;

/// Which abstract derivations of a query are refined at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// One of the lowest.
    One,
    /// All that are at most so much higher than the lowest.
    Lowest {
        /// How much.
        slack: u32,
    },
}

/// What can be chosen about the engine.
#[derive(Clone, Copy, Debug)]
struct Options {
    order: Order,
    extent: Extent,
    /// Whether the graph is made anew after each refinement.
    restarts: bool,
    /// Whether interpolants should be said by templates.
    is_guided: bool,
}

impl Options {
    /// One derivation at a time, the lowest first.
    const TREE: Options =
        Options { order: Order::Breadth, extent: Extent::One, restarts: false, is_guided: true };
    /// All derivations that are hardly higher than the lowest at once.
    const DISJUNCTIVE: Options = Options { extent: Extent::Lowest { slack: 1 }, ..Options::TREE };
    /// The first derivation that is found, and then all over again.
    const PATH: Options =
        Options { order: Order::Depth, restarts: true, is_guided: false, ..Options::TREE };

    /// The domain with the predicates that hints are, and how derivations that are none are refined.
    fn begin<'h>(
        &self,
        horn: &'h Horn,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Domain<'h>, Interpolating), Stop> {
        let mut domain = Domain::new(horn)?;
        let news = domain.news(ctx);
        domain.add(news.formulas);
        let mut templates = Templates::default();
        for (pred, template) in news.templates {
            templates.given.entry(pred).or_default().push(template);
        }
        if self.is_guided {
            let Domain { store, system, .. } = &mut domain;
            templates.learn(horn, system, store, ctx)?;
        }
        let is_wanted = self.is_guided || !templates.given.is_empty();
        Ok((domain, Interpolating { templates: is_wanted.then_some(templates) }))
    }
}

/// Registry entry.
pub const CARD: Card<Horn> = Card::decider(
    "cegar",
    "predicate abstraction, refined by tree interpolants [RHK13a, LRS16]",
    || Box::new(Cegar { options: Options::TREE }),
);

/// With disjunctive interpolants.
pub const DISJUNCTIVE: Card<Horn> = Card::decider(
    "cegar-di",
    "predicate abstraction, refined by disjunctive interpolants [RHK13a]",
    || Box::new(Cegar { options: Options::DISJUNCTIVE }),
);

/// Without templates.
pub const PLAIN: Card<Horn> = Card::decider(
    "cegar-plain",
    "predicate abstraction whose interpolants are those of proofs [RHK13a]",
    || Box::new(Cegar { options: Options { is_guided: false, ..Options::TREE } }),
);

/// Depth first, from the beginning after each refinement.
pub const PATH: Card<Horn> = Card::decider(
    "cegar-path",
    "predicate abstraction, refined by one path after the other [GLPR12]",
    || Box::new(Cegar { options: Options::PATH }),
);

/// With loops that are folded.
pub const ACCELERATED: Card<Horn> = Card::decider(
    "cegaar",
    "predicate abstraction, refined by interpolants that loops keep, from their closures [HIK+12]",
    || Box::new(Cegaar),
);

/// One abstract fact for each symbol.
pub const GLOBAL: Card<Horn> = Card::decider(
    "cegar-global",
    "one conjunction of predicates per symbol, refined [Hoj13]",
    || Box::new(Global),
);

/// Predicate abstraction with refinement.
struct Cegar {
    options: Options,
}

impl Engine<Horn> for Cegar {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let (domain, mut refinement) = self.options.begin(horn, ctx)?;
        Search::new(domain, self.options).run(&mut refinement, ctx)
    }
}

/// Predicate abstraction whose refinement folds loops.
struct Cegaar;

impl Engine<Horn> for Cegaar {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let options = Options { is_guided: false, ..Options::TREE };
        let (domain, refinement) = options.begin(horn, ctx)?;
        Search::new(domain, options).run(&mut Accelerating::new(refinement), ctx)
    }
}

/// Houdini with refinement.
struct Global;

impl Engine<Horn> for Global {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let (domain, mut refinement) = Options::TREE.begin(horn, ctx)?;
        global::run(domain, &mut refinement, ctx)
    }
}
