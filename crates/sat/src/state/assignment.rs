//! Values of literals, and where and why variables got them.

use crate::arena::ClauseRef;
use crate::literal::Lit;

/// Bytes of `Solver::values`.
pub(crate) const TRUE: i8 = 1;
pub(crate) const FALSE: i8 = -1;
pub(crate) const OPEN: i8 = 0;
pub(crate) const OUTSIDE: i8 = 2;

/// The value of `Solver::disorder` while the trail is sorted by levels.
pub(crate) const IN_ORDER: u32 = u32::MAX;

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reason(u32);

impl Reason {
    /// A decision, an assumption, or fixed for good.
    pub(crate) const NONE: Reason = Reason(u32::MAX);
    /// The theory said so and will explain when asked.
    pub(crate) const THEORY: Reason = Reason(u32::MAX - 1);

    #[inline]
    pub(crate) fn clause(clause: ClauseRef) -> Reason {
        Reason(clause.0)
    }

    #[inline]
    pub(crate) fn as_clause(self) -> Option<ClauseRef> {
        (self.0 < Reason::THEORY.0).then_some(ClauseRef(self.0))
    }
}

/// Where and why a variable was assigned; meaningless while it is open.
#[derive(Clone, Copy)]
pub(crate) struct Assigned {
    pub(crate) level: u32,
    pub(crate) reason: Reason,
    /// Position on the trail.
    pub(crate) trail: u32,
}

/// One decision level.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    /// Length of the trail when the level began.
    pub(crate) start: u32,
    /// The decision, or `Lit::NONE` if an assumption was true already.
    pub(crate) decision: Lit,
    /// Literals of the level met by the running conflict analysis.
    pub(crate) seen: u32,
    /// The earliest of them on the trail.
    pub(crate) seen_trail: u32,
}

impl Level {
    pub(crate) fn new(start: usize, decision: Lit) -> Level {
        Level { start: start as u32, decision, seen: 0, seen_trail: u32::MAX }
    }
}
