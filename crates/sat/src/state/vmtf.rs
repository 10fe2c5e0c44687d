//! Variables by the time of their last bump: a doubly linked list, moved to front.
//!
//! Bumping unlinks a variable and appends it at the end with a fresh stamp, in constant time. The
//! next decision is found by walking back from `unassigned`, past assigned variables.
//!
//! Invariant: all variables behind `unassigned` in the list are assigned.
//!
//! After Ryan's Siege (2004); the search pointer after Biere, Fröhlich (SAT 2015).

use crate::literal::Var;

const NONE: Var = Var(u32::MAX);

#[derive(Clone, Copy)]
struct Link {
    previous: Var,
    next: Var,
}

/// The list.
pub(crate) struct Vmtf {
    links: Vec<Link>,
    stamp: Vec<u64>,
    last: Var,
    first: Var,
    unassigned: Var,
    clock: u64,
    /// Variables bumped later than this are hot.
    warm: u64,
}

impl Vmtf {
    pub(crate) fn new() -> Vmtf {
        let (links, stamp) = (Vec::new(), Vec::new());
        Vmtf { links, stamp, last: NONE, first: NONE, unassigned: NONE, clock: 0, warm: 0 }
    }

    /// Appends one more variable, which is unassigned.
    pub(crate) fn grow(&mut self) {
        let var = Var(self.links.len() as u32);
        self.links.push(Link { previous: NONE, next: NONE });
        self.stamp.push(0);
        self.append(var);
        self.unassigned = var;
    }

    /// When the variable was last bumped.
    #[inline]
    pub(crate) fn stamp(&self, var: Var) -> u64 {
        self.stamp[var.index()]
    }

    /// Lets all variables cool down.
    pub(crate) fn cool(&mut self) {
        self.warm = self.clock;
    }

    /// Whether the variable was bumped, or made, since all were cold.
    #[inline]
    pub(crate) fn is_hot(&self, var: Var) -> bool {
        self.stamp[var.index()] > self.warm
    }

    /// Notes that the variable has become unassigned.
    #[inline]
    pub(crate) fn unassign(&mut self, var: Var) {
        if self.stamp[var.index()] > self.stamp[self.unassigned.index()] {
            self.unassigned = var;
        }
    }

    /// The last variable of the list for which `is_open` holds.
    pub(crate) fn next(&mut self, is_open: impl Fn(Var) -> bool) -> Option<Var> {
        let mut var = self.unassigned;
        while var != NONE {
            if is_open(var) {
                self.unassigned = var;
                return Some(var);
            }
            var = self.links[var.index()].previous;
        }
        None
    }

    /// Moves the variable to the end.
    pub(crate) fn bump(&mut self, var: Var, is_unassigned: bool) {
        if self.last == var {
            return;
        }
        let Link { previous, next } = self.links[var.index()];
        if self.unassigned == var {
            // The pointer stays at or behind everything unassigned.
            self.unassigned = if previous == NONE { next } else { previous };
        }
        match previous {
            NONE => self.first = next,
            _ => self.links[previous.index()].next = next,
        }
        self.links[next.index()].previous = previous;
        self.append(var);
        if is_unassigned {
            self.unassigned = var;
        }
    }

    fn append(&mut self, var: Var) {
        self.links[var.index()] = Link { previous: self.last, next: NONE };
        match self.last {
            NONE => self.first = var,
            last => self.links[last.index()].next = var,
        }
        self.last = var;
        self.clock += 1;
        self.stamp[var.index()] = self.clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bumped_open_variable_is_next() {
        let mut order = Vmtf::new();
        for _ in 0..4 {
            order.grow();
        }
        order.bump(Var(1), true);
        order.bump(Var(0), true);
        assert_eq!(order.next(|_| true), Some(Var(0)));
        assert_eq!(order.next(|var| var != Var(0)), Some(Var(1)));
        order.unassign(Var(0));
        assert_eq!(order.next(|var| var != Var(1)), Some(Var(0)));
        assert_eq!(order.next(|var| var == Var(2)), Some(Var(2)));
        assert_eq!(order.next(|_| false), None);
    }
}
