//! Difference bounds: for every two numbers, how far the first may be above the second.
//!
//! A bound is twice a number, plus one if the number itself is allowed, so that smaller bounds say more and
//! bounds are compared as integers. The matrices are closed: no sum of bounds along a path is less than the
//! bound of its ends. The first number is the constant 0.
//!
//! After Dill, "Timing assumptions and verification of finite-state concurrent systems" (1989), and Bengtsson, Yi
//! \[BY04\].

/// How far a number may be above another.
pub(super) type Bound = i64;

/// There is no bound.
pub(super) const FREE: Bound = i64::MAX;
/// At most as large.
pub(super) const LEVEL: Bound = 1;

/// The bound of at most, or less than, a number above.
pub(super) fn bound(value: i64, is_strict: bool) -> Bound {
    2 * value + i64::from(!is_strict)
}

/// The number of a bound, and whether it is not reached.
pub(super) fn parts(bound: Bound) -> (i64, bool) {
    (bound >> 1, bound & 1 == 0)
}

fn plus(one: Bound, other: Bound) -> Bound {
    match one == FREE || other == FREE {
        true => FREE,
        false => (one & !1).saturating_add(other & !1) | (one & other & 1),
    }
}

/// That the first number is above the second by at most the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Apart {
    pub left: usize,
    pub right: usize,
    pub bound: Bound,
}

/// A closed matrix of bounds that some numbers satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dbm {
    size: usize,
    bounds: Box<[Bound]>,
}

impl Dbm {
    /// Any numbers.
    pub fn free(size: usize) -> Dbm {
        let mut bounds = vec![FREE; size * size];
        for at in 0..size {
            bounds[at * size + at] = LEVEL;
        }
        Dbm { size, bounds: bounds.into() }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn get(&self, left: usize, right: usize) -> Bound {
        self.bounds[left * self.size + right]
    }

    pub fn set(&mut self, left: usize, right: usize, bound: Bound) {
        self.bounds[left * self.size + right] = bound;
    }

    /// Adds numbers about which nothing is known.
    pub fn extended(&self, more: usize) -> Dbm {
        let mut wide = Dbm::free(self.size + more);
        for left in 0..self.size {
            for right in 0..self.size {
                wide.set(left, right, self.get(left, right));
            }
        }
        wide
    }

    /// Adds a bound; false if no numbers are left.
    pub fn add(&mut self, apart: Apart) -> bool {
        let Apart { left, right, bound } = apart;
        if self.get(left, right) <= bound {
            return true;
        }
        if plus(self.get(right, left), bound) < LEVEL {
            return false;
        }
        for from in 0..self.size {
            let first = plus(self.get(from, left), bound);
            if first == FREE {
                continue;
            }
            for to in 0..self.size {
                let path = plus(first, self.get(right, to));
                if path < self.get(from, to) {
                    self.set(from, to, path);
                }
            }
        }
        true
    }

    /// Makes bounds that were set as small as others make them; false if no numbers are left.
    pub fn close(&mut self) -> bool {
        for by in 0..self.size {
            for from in 0..self.size {
                let first = self.get(from, by);
                if first == FREE {
                    continue;
                }
                for to in 0..self.size {
                    let path = plus(first, self.get(by, to));
                    if path < self.get(from, to) {
                        self.set(from, to, path);
                    }
                }
            }
        }
        (0..self.size).all(|at| self.get(at, at) >= LEVEL)
    }

    /// Numbers made of these: each is one of them plus a constant.
    pub fn gathered(&self, of: &[(usize, i64)]) -> Dbm {
        let mut made = Dbm::free(of.len());
        for (left, &(one, up)) in of.iter().enumerate() {
            for (right, &(other, down)) in of.iter().enumerate() {
                let shift = bound(up.saturating_sub(down), false);
                made.set(left, right, plus(self.get(one, other), shift));
            }
        }
        made
    }

    /// Whether all numbers of the other are among these.
    pub fn includes(&self, other: &Dbm) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(mine, theirs)| theirs <= mine)
    }

    /// The least matrix around this one and some numbers of another.
    pub fn join_gathered(&mut self, other: &Dbm, of: &[usize]) {
        for (left, &one) in of.iter().enumerate() {
            for (right, &two) in of.iter().enumerate() {
                let theirs = other.get(one, two);
                if theirs > self.get(left, right) {
                    self.set(left, right, theirs);
                }
            }
        }
    }

    /// Bounds from which all others follow, few of them: of numbers that are a constant apart one stands for
    /// all.
    pub fn needed(&self) -> Vec<Apart> {
        let mut stands: Vec<usize> = (0..self.size).collect();
        let mut found = Vec::new();
        for at in 0..self.size {
            let tied = |&other: &usize| {
                stands[other] == other && plus(self.get(at, other), self.get(other, at)) == LEVEL
            };
            if let Some(other) = (0..at).find(tied) {
                stands[at] = other;
                for (left, right) in [(at, other), (other, at)] {
                    found.push(Apart { left, right, bound: self.get(left, right) });
                }
            }
        }
        let alone: Vec<usize> = (0..self.size).filter(|&at| stands[at] == at).collect();
        for &left in &alone {
            for &right in alone.iter().filter(|&&right| right != left) {
                let bound = self.get(left, right);
                let around = |&&by: &&usize| {
                    by != left
                        && by != right
                        && plus(self.get(left, by), self.get(by, right)) <= bound
                };
                if bound != FREE && alone.iter().find(around).is_none() {
                    found.push(Apart { left, right, bound });
                }
            }
        }
        found
    }
}
