//! Duality: Horn clauses solved by unwinding and interpolation.
//!
//! The system is unwound into instances of its predicates, each derived by one rule from earlier
//! instances, which are kept annotated such that no query can be derived from them: a bounded
//! problem, solved by interpolation (`crate::la`). Instances whose annotation implies that of an
//! earlier one are covered, and with them what was derived from them. When no clause leads out of
//! the uncovered instances, the disjunctions of their annotations are a model.
//!
//! - `unwinding`: instances, candidates for more, and the main loop
//! - `cover`: covering, and forced covering
//! - `clauses`: questions about single clauses under the annotations
//! - `answer`: the model; `drawing`: the unwinding for reports
//!
//! After McMillan, Rybalchenko, "Solving constrained Horn clauses using interpolation" (2013), with
//! the bounded solver of McMillan, "Lazy Annotation Revisited" (CAV 2014). Where we differ: positions
//! of trees keep their variables between problems, contradictions are cut down to their cores before
//! they are interpolated, and annotations are sets of lemmas without those that others imply.

mod answer;
mod clauses;
mod cover;
mod drawing;
mod unwinding;

use crate::la::mark::Mark;
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use unwinding::Unwinding;

/// How bounded problems are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundedSolver {
    /// By one proof for the whole derivation tree.
    WholeTree,
    /// By lazy annotation.
    LazyAnnotation,
}

/// What can be chosen about the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The preset of lazy annotation.
    pub mark: Mark,
    /// How bounded problems are solved.
    pub bounded: BoundedSolver,
    /// Against how many of the latest instances coverings are forced.
    pub forced: usize,
    /// How many questions a forced covering may take.
    pub forced_questions: u64,
    /// Whether constraints are left out until a derivation without them is none.
    pub localisation: bool,
}

impl Options {
    /// The settings of a preset.
    pub const fn of(mark: Mark) -> Options {
        let bounded = BoundedSolver::LazyAnnotation;
        Options { mark, bounded, forced: 3, forced_questions: 60, localisation: false }
    }
}

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "duality",
    about: "unwinds, annotates by interpolation, and folds by covering [MR13, McM14]",
    proves: true,
    refutes: true,
    build: || of(Mark::Final),
};

/// The method of the first paper.
pub const WHOLE: Card<Horn> =
    Card::decider("duality-whole", "duality by whole-tree interpolation [MR13]", || {
        let bounded = BoundedSolver::WholeTree;
        Box::new(Duality { options: Options { bounded, ..Options::of(Mark::One) } })
    });
/// Mark I.
pub const MARK1: Card<Horn> =
    Card::decider("duality-mark1", "duality whose bounded solver goes step by step", || {
        of(Mark::One)
    });
/// Mark II.
pub const MARK2: Card<Horn> =
    Card::decider("duality-mark2", "duality-mark1 that decides minterms as well", || of(Mark::Two));
/// Mark III.
pub const MARK3: Card<Horn> =
    Card::decider("duality-mark3", "duality-mark2 that generalizes interpolants as well", || {
        of(Mark::Three)
    });
/// Mark IV.
pub const MARK4: Card<Horn> =
    Card::decider("duality-mark4", "duality-mark3 that scores rules as well", || of(Mark::Four));
/// Mark V.
pub const MARK5: Card<Horn> =
    Card::decider("duality-mark5", "duality-mark4 that jumps back as well", || of(Mark::Five));
/// Mark VI, the last of the paper.
pub const MARK6: Card<Horn> =
    Card::decider("duality-mark6", "duality-mark5 that propagates eagerly as well", || {
        of(Mark::Six)
    });
/// Mark VII.
pub const MARK7: Card<Horn> =
    Card::decider("duality-mark7", "duality-mark6 that decides implicants, not minterms", || {
        of(Mark::Seven)
    });

/// With localisation.
pub const LOCAL: Card<Horn> = Card::decider(
    "duality-local",
    "duality that leaves constraints out until they are needed",
    || {
        let options = Options { localisation: true, ..Options::of(Mark::Final) };
        Box::new(Duality { options })
    },
);

fn of(mark: Mark) -> Box<dyn Engine<Horn>> {
    Box::new(Duality { options: Options::of(mark) })
}

/// Duality with one of the presets.
pub struct Duality {
    /// The preset, and how far to unwind.
    pub options: Options,
}

impl Engine<Horn> for Duality {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut unwinding = Unwinding::new(horn, self.options.clone())?;
        let found = unwinding.run(ctx);
        unwinding.draw(ctx);
        match found? {
            Some(finding) => Ok(finding),
            None => unwinding.answer(ctx),
        }
    }
}
