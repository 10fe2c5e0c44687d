//! Classes of signals that nobody has seen differ.
//!
//! A signal belongs to a class together with all signals that had its value, or the opposite one,
//! in every pattern shown so far; which of the two is its *phase*, fixed by the first pattern. Class
//! 0 is the constant's. Every pattern that is shown splits classes, and nothing ever joins them.
//!
//! Invariant: the members of a class are in ascending order, and the first is the leader, to which the
//! others are compared; the leader of class 0 is the constant false.

use rustc_hash::FxHashMap;

/// A partition of signals `0..count`.
pub(super) struct Classes {
    class: Vec<u32>,
    phase: Vec<bool>,
    members: Vec<Vec<u32>>,
    /// The classes that can be split: the constant's, and those of two members and more.
    open: Vec<u32>,
}

impl Classes {
    /// One class of all signals, each with the constant's value but for its phase.
    pub(super) fn new(phase: Vec<bool>) -> Classes {
        let all = (0..phase.len() as u32).collect();
        Classes { class: vec![0; phase.len()], phase, members: vec![all], open: vec![0] }
    }

    /// Whether the signal is opposite to what its class stands for.
    pub(super) fn phase(&self, signal: u32) -> bool {
        self.phase[signal as usize]
    }

    /// The signal to compare `signal` to, if there is one; itself none for the constant.
    pub(super) fn leader(&self, signal: u32) -> Leader {
        let class = self.class[signal as usize];
        match self.members[class as usize].first() {
            _ if class == 0 => Leader::Constant,
            Some(&first) if first != signal => Leader::Signal(first),
            _ => Leader::Itself,
        }
    }

    /// How many signals have a leader other than themselves.
    pub(super) fn candidates(&self) -> usize {
        let others = self.members[1..].iter().map(|members| members.len().saturating_sub(1));
        self.members[0].len() + others.sum::<usize>()
    }

    /// Splits classes by the patterns of `mask` in the word that `value` gives for each signal.
    pub(super) fn refine(&mut self, mask: u64, value: impl Fn(u32) -> u64) {
        let phase = std::mem::take(&mut self.phase);
        let flip = |signal: u32| 0u64.wrapping_sub(u64::from(phase[signal as usize]));
        self.split(|signal| (value(signal) ^ flip(signal)) & mask);
        self.phase = phase;
    }

    /// Splits classes by a key that is the same for signals of the same class if they have the same
    /// value, their phases taken into account; the constant has the key 0.
    pub(super) fn split(&mut self, key: impl Fn(u32) -> u64) {
        let mut groups: FxHashMap<u64, u32> = FxHashMap::default();
        let open = std::mem::take(&mut self.open);
        let first_fresh = self.members.len() as u32;
        for &class in &open {
            let class = class as usize;
            let members = &self.members[class];
            let first = match members.first() {
                Some(leader) if class > 0 => key(*leader),
                _ => 0,
            };
            if members.iter().all(|signal| key(*signal) == first) {
                continue;
            }
            groups.clear();
            groups.insert(first, class as u32);
            for signal in std::mem::take(&mut self.members[class]) {
                let fresh = self.members.len() as u32;
                let group = *groups.entry(key(signal)).or_insert(fresh);
                if group == fresh {
                    self.members.push(Vec::new());
                }
                self.class[signal as usize] = group;
                self.members[group as usize].push(signal);
            }
        }
        let fresh = first_fresh..self.members.len() as u32;
        self.open = open.into_iter().chain(fresh).collect();
        let members = &self.members;
        self.open.retain(|class| *class == 0 || members[*class as usize].len() > 1);
    }

    /// Gives a signal a class of its own.
    pub(super) fn isolate(&mut self, signal: u32) {
        let class = self.class[signal as usize] as usize;
        self.members[class].retain(|other| *other != signal);
        self.class[signal as usize] = self.members.len() as u32;
        self.members.push(vec![signal]);
    }
}

/// What a signal is compared to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leader {
    Constant,
    Signal(u32),
    Itself,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_split_classes() {
        // Signal 1 is opposite to signal 0, signal 2 differs in pattern 1, signal 3 never moves.
        let words = [0b0100u64, 0b1011, 0b0110, 0];
        let mut classes = Classes::new(words.iter().map(|word| word & 1 == 1).collect());
        assert_eq!(classes.candidates(), 4);
        classes.refine(0b0101, |signal| words[signal as usize]);
        assert_eq!(classes.leader(0), Leader::Itself);
        assert_eq!(classes.leader(1), Leader::Signal(0));
        assert_eq!(classes.leader(2), Leader::Signal(0));
        assert_eq!(classes.leader(3), Leader::Constant);
        classes.refine(0b1111, |signal| words[signal as usize]);
        assert_eq!(classes.leader(1), Leader::Signal(0));
        assert_eq!(classes.leader(2), Leader::Itself);
        classes.isolate(0);
        assert_eq!((classes.leader(1), classes.candidates()), (Leader::Itself, 1));
    }
}
