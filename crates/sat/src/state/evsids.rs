//! Variables by exponentially decaying scores, in a binary heap.
//!
//! A variable met in a conflict gains an increment that grows by a constant factor per conflict, so
//! that old gains fade. The heap holds at least the unassigned variables that may be decided, with
//! the largest score on top; assigned ones are dropped when they come to the top and inserted again
//! when unassigned, so that a query costs in proportion to the variables it touches.
//!
//! Invariant: `position[v]` is where `v` is in `heap`, or `ABSENT`.
//!
//! After Eén, Sörensson (SAT 2003); analysed by Biere, Fröhlich (SAT 2015).

use crate::literal::Var;

const ABSENT: u32 = u32::MAX;
/// Scores above this are scaled down together with the increment.
const LARGEST: f64 = 1e150;
/// A score below this fraction of the increment is as good as none.
const HOT: f64 = 1e-4;

/// Scores and the heap over them.
pub(crate) struct Evsids {
    score: Vec<f64>,
    position: Vec<u32>,
    heap: Vec<Var>,
    increment: f64,
}

impl Evsids {
    pub(crate) fn new() -> Evsids {
        Evsids { score: Vec::new(), position: Vec::new(), heap: Vec::new(), increment: 1.0 }
    }

    /// Makes room for one more variable, which is not in the heap.
    pub(crate) fn grow(&mut self) {
        self.score.push(0.0);
        self.position.push(ABSENT);
    }

    pub(crate) fn contains(&self, var: Var) -> bool {
        self.position[var.index()] != ABSENT
    }

    pub(crate) fn top(&self) -> Option<Var> {
        self.heap.first().copied()
    }

    /// Whether `a` is to be decided before `b`.
    pub(crate) fn precedes(&self, a: Var, b: Var) -> bool {
        let (left, right) = (self.score[a.index()], self.score[b.index()]);
        left > right || left == right && a < b
    }

    /// Empties the heap; scores stay.
    pub(crate) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.position[var.index()] = ABSENT;
        }
    }

    /// Inserts the variable unless it is there.
    #[inline]
    pub(crate) fn push(&mut self, var: Var) {
        if self.contains(var) {
            return;
        }
        self.position[var.index()] = self.heap.len() as u32;
        self.heap.push(var);
        self.up(self.heap.len() - 1);
    }

    pub(crate) fn pop(&mut self) -> Option<Var> {
        let top = self.top()?;
        let last = self.heap.pop().expect("a heap with a top is not empty");
        self.position[top.index()] = ABSENT;
        if last != top {
            self.heap[0] = last;
            self.position[last.index()] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// Raises the score of a variable.
    pub(crate) fn bump(&mut self, var: Var) {
        let score = &mut self.score[var.index()];
        *score += self.increment;
        if *score > LARGEST {
            self.rescale();
        }
        let position = self.position[var.index()];
        if position != ABSENT {
            self.up(position as usize);
        }
    }

    /// Whether the variable has gained anything of late.
    #[inline]
    pub(crate) fn is_hot(&self, var: Var) -> bool {
        self.score[var.index()] > self.increment * HOT
    }

    /// Forgets what the variable has gained, as its name will mean something else.
    pub(crate) fn reset(&mut self, var: Var) {
        self.score[var.index()] = 0.0;
        let position = self.position[var.index()];
        if position != ABSENT {
            self.down(position as usize);
        }
    }

    /// Lets the scores lose `per_mille` of their weight against future gains.
    pub(crate) fn decay(&mut self, per_mille: u32) {
        self.increment *= 1.0 / (1.0 - f64::from(per_mille) / 1000.0);
        if self.increment > LARGEST {
            self.rescale();
        }
    }

    fn rescale(&mut self) {
        for score in &mut self.score {
            *score /= LARGEST;
        }
        self.increment /= LARGEST;
    }

    fn up(&mut self, mut position: usize) {
        let var = self.heap[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            let above = self.heap[parent];
            if !self.precedes(var, above) {
                break;
            }
            self.heap[position] = above;
            self.position[above.index()] = position as u32;
            position = parent;
        }
        self.heap[position] = var;
        self.position[var.index()] = position as u32;
    }

    fn down(&mut self, mut position: usize) {
        let var = self.heap[position];
        loop {
            let mut child = 2 * position + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.precedes(self.heap[child + 1], self.heap[child])
            {
                child += 1;
            }
            let below = self.heap[child];
            if !self.precedes(below, var) {
                break;
            }
            self.heap[position] = below;
            self.position[below.index()] = position as u32;
            position = child;
        }
        self.heap[position] = var;
        self.position[var.index()] = position as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_by_score_then_by_number() {
        let mut order = Evsids::new();
        for v in 0..6 {
            order.grow();
            order.push(Var(v));
        }
        order.bump(Var(4));
        order.decay(50);
        order.bump(Var(2));
        let popped: Vec<u32> = std::iter::from_fn(|| order.pop()).map(|var| var.0).collect();
        assert_eq!(popped, [2, 4, 0, 1, 3, 5]);
    }

    #[test]
    fn rescaling_keeps_the_order() {
        let mut order = Evsids::new();
        for v in 0..3 {
            order.grow();
            order.push(Var(v));
        }
        for round in 0..20_000 {
            order.bump(Var(round % 3));
            order.decay(50);
        }
        assert_eq!(order.pop(), Some(Var(1)));
        assert_eq!(order.pop(), Some(Var(0)));
    }
}
